//! What an account is asked about, as values and as text: observers, sources, knowledge, engine and closed
//! forms.

use crate::{AccountError, Choice};
use muffliato_model::Observer;
use serde::{Deserialize, Serialize};
use std::{ops::Range, str::FromStr};

/// The observers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Observers {
    /// Every node on graphs of at most [`Observers::MOST`] nodes, otherwise a sample of
    /// [`Observers::SAMPLE`].
    #[default]
    Auto,
    /// Every node.
    All,
    /// A sample of this many evenly spaced nodes. It promises nothing about the others.
    Sample(usize),
    /// These nodes, each by itself.
    Listed(Vec<usize>),
    /// These nodes, which combine their views.
    Coalition(Vec<usize>),
}

impl Observers {
    /// Largest graph on which every node observes by default.
    pub const MOST: usize = 2000;
    /// Number of observers that are sampled on larger graphs by default.
    pub const SAMPLE: usize = 16;

    /// Returns the size of the sample on a graph of this many nodes, or `None` if it is no sample.
    pub fn sample(&self, nodes: usize) -> Option<usize> {
        match *self {
            Self::Auto if nodes > Self::MOST => Some(Self::SAMPLE),
            Self::Sample(count) if count < nodes => Some(count),
            _ => None,
        }
    }
}

/// The protected nodes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Sources {
    /// Every node, each by itself.
    #[default]
    All,
    /// These nodes, each by itself.
    Listed(Vec<usize>),
    /// These nodes together.
    Group(Vec<usize>),
}

/// The knowledge of an observer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Knowledge {
    /// The received messages and the noise that the observer drew.
    #[default]
    Full,
    /// The received messages only, as in the paper.
    Paper,
    /// The weighted sum of the messages of each step (secure summation) and the noise that the
    /// observer drew.
    Sum,
}

impl Knowledge {
    /// Returns the name of the view.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Full => "full",
            Self::Paper => "paper",
            Self::Sum => "sum",
        }
    }

    /// Returns the observer at a node with this knowledge.
    pub fn observer(self, node: usize) -> Observer {
        match self {
            Self::Full => Observer::full(node),
            Self::Paper => Observer::paper(node),
            Self::Sum => Observer::sum(node),
        }
    }
}

impl<const N: usize> From<[usize; N]> for Sources {
    fn from(nodes: [usize; N]) -> Self {
        Self::Listed(nodes.to_vec())
    }
}

impl From<Vec<usize>> for Sources {
    fn from(nodes: Vec<usize>) -> Self {
        Self::Listed(nodes)
    }
}

impl From<Range<usize>> for Sources {
    fn from(nodes: Range<usize>) -> Self {
        Self::Listed(nodes.collect())
    }
}

impl FromStr for Knowledge {
    type Err = AccountError;

    fn from_str(text: &str) -> Result<Self, AccountError> {
        match text {
            "full" => Ok(Self::Full),
            "paper" => Ok(Self::Paper),
            "sum" => Ok(Self::Sum),
            _ => Err(AccountError::bad("the view", text, "it is full, paper or sum")),
        }
    }
}

impl FromStr for Observers {
    type Err = AccountError;

    /// `auto`, `all` or `sample:N`.
    fn from_str(text: &str) -> Result<Self, AccountError> {
        let sample = text.strip_prefix("sample:").map(str::parse);
        match (text, sample) {
            ("auto", _) => Ok(Self::Auto),
            ("all", _) => Ok(Self::All),
            (_, Some(Ok(count))) if count > 0 => Ok(Self::Sample(count)),
            _ => {
                let expected = "it is all, auto, sample:N or a list of nodes";
                Err(AccountError::bad("observers", text, expected))
            }
        }
    }
}

/// The closed forms that are computed in addition to losses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Formulas {
    /// Theorem 1 of the paper.
    pub theorem_1: bool,
    /// Corollary 1 of the paper.
    pub corollary_1: bool,
    /// The proved closed-form bound.
    pub proved: bool,
}

impl Formulas {
    /// No closed form.
    pub const NONE: Self = Self { theorem_1: false, corollary_1: false, proved: false };
    /// All closed forms.
    pub const ALL: Self = Self { theorem_1: true, corollary_1: true, proved: true };
}

impl FromStr for Choice {
    type Err = AccountError;

    fn from_str(text: &str) -> Result<Self, AccountError> {
        match text {
            "auto" => Ok(Self::Auto),
            "reference" => Ok(Self::Exact),
            "fast" => Ok(Self::Fast),
            _ => Err(AccountError::bad("the engine", text, "it is auto, reference or fast")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_sample_is_everybody() {
        let most = Observers::MOST;
        assert_eq!(Observers::Auto.sample(most), None);
        assert_eq!(Observers::Auto.sample(most + 1), Some(Observers::SAMPLE));
        assert_eq!(Observers::Sample(3).sample(4), Some(3));
        assert_eq!(Observers::Sample(4).sample(4), None);
    }
}
