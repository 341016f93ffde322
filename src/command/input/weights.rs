//! The weights: a scheme, or a gossip matrix in a file.

use crate::command::session::Session;
use muffliato::io::{ReadOptions, gossip_matrix_file};
use muffliato::model::WeightError;
use muffliato::prelude::*;
use std::{fmt, path::PathBuf, str::FromStr};

/// The value of `--weights`.
#[derive(Clone, Debug, PartialEq)]
pub enum Weights {
    /// A scheme by name.
    Scheme(WeightScheme),
    /// A file with a gossip matrix.
    File(PathBuf),
}

impl Weights {
    /// Returns the weights of this graph. A file is read and checked.
    pub fn of(&self, graph: &Graph, session: &Session) -> anyhow::Result<WeightScheme> {
        let path = match self {
            Self::Scheme(scheme) => return Ok(scheme.clone()),
            Self::File(path) => path,
        };
        let matrix = gossip_matrix_file(graph, path, &ReadOptions::default())?;
        if matrix.diagonal_completed {
            session.note(&format!(
                "{} gives no weight of a node for itself: each keeps what is left to 1",
                path.display()
            ));
        }
        Ok(WeightScheme::Custom(matrix.weights))
    }
}

impl FromStr for Weights {
    type Err = WeightError;

    fn from_str(text: &str) -> Result<Self, WeightError> {
        match text.parse() {
            Ok(scheme) => Ok(Self::Scheme(scheme)),
            Err(WeightError::Unknown { .. }) if text.contains(['.', '/', '\\']) => {
                Ok(Self::File(text.into()))
            }
            Err(error) => Err(error),
        }
    }
}

impl fmt::Display for Weights {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Scheme(scheme) => scheme.fmt(f),
            Self::File(path) => path.display().fmt(f),
        }
    }
}
