//! Textual form of a case: a JSON object.
//!
//! | field | what |
//! | --- | --- |
//! | `about` | a comment (optional) |
//! | `protocol` | a [`Protocol`] |
//! | `observer` | `full:2`, `paper:2` or `coalition:1,2` |
//! | `group` | nodes whose inputs are protected together |
//! | `seed` | source of everything else |

use super::Case;
use muffliato_model::{Observer, ObserverError, Protocol};
use serde::{Deserialize, Serialize};
use std::fmt::{self, Display};
use std::str::FromStr;

/// An error in the textual form of a case.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CaseError {
    /// The text is not the JSON object of a case; the message says where.
    #[error("no case: {0}")]
    Json(#[from] serde_json::Error),
    /// The observer is invalid.
    #[error("observer: {0}")]
    Observer(#[from] ObserverError),
    /// A node of the group observes, or does not exist.
    #[error("group: {node} observes or is no node; leave it out")]
    Group {
        /// The node.
        node: usize,
    },
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Record {
    #[serde(default, skip_serializing_if = "String::is_empty")]
    about: String,
    protocol: Protocol,
    observer: String,
    #[serde(default)]
    group: Vec<usize>,
    #[serde(default)]
    seed: u64,
}

impl Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let record = Record {
            about: String::new(),
            protocol: self.protocol.clone(),
            observer: self.observer.to_string(),
            group: self.group.clone(),
            seed: self.seed,
        };
        f.write_str(&serde_json::to_string(&record).map_err(|_| fmt::Error)?)
    }
}

impl FromStr for Case {
    type Err = CaseError;

    fn from_str(text: &str) -> Result<Self, CaseError> {
        let Record { protocol, observer, group, seed, .. } = serde_json::from_str(text)?;
        let observer: Observer = observer.parse()?;
        observer.check(protocol.nodes())?;
        let outside = |&u: &usize| u >= protocol.nodes() || observer.contains(u);
        match group.iter().copied().find(outside) {
            Some(node) => Err(CaseError::Group { node }),
            None => Ok(Self { protocol, observer, group, seed }),
        }
    }
}
