//! Textual form of a case: the lines of its protocol ([`Protocol`]) and three more.
//!
//! | line | what |
//! | --- | --- |
//! | `observer full:2`, `paper:2` or `coalition:1,2` | who observes |
//! | `group 0,3` | whose inputs are protected together |
//! | `seed 7` | everything else |

use super::Case;
use muffliato_model::{Observer, Protocol, ProtocolTextError};
use std::fmt::{self, Display};
use std::str::FromStr;

/// An error in the textual form of a case.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CaseError {
    /// The protocol is invalid.
    #[error(transparent)]
    Protocol(#[from] ProtocolTextError),
    /// A line is invalid.
    #[error("line {line} of the case, {text:?}: {reason}")]
    Line {
        /// Line number, from 1.
        line: usize,
        /// Text of the line.
        text: String,
        /// What is wrong.
        reason: String,
    },
    /// The lines do not describe a protocol with an observer.
    #[error("the case makes no protocol with an observer: {reason}")]
    Incomplete {
        /// What is missing or does not fit.
        reason: String,
    },
}

impl Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}observer {}", self.protocol, self.observer)?;
        if !self.group.is_empty() {
            let group: Vec<String> = self.group.iter().map(usize::to_string).collect();
            writeln!(f, "group {}", group.join(","))?;
        }
        writeln!(f, "seed {}", self.seed)
    }
}

impl FromStr for Case {
    type Err = CaseError;

    /// Parses the textual form. Empty lines and lines that begin with `#` are ignored.
    fn from_str(text: &str) -> Result<Self, CaseError> {
        let (mut observer, mut group, mut seed) = (None, Vec::new(), 0);
        let mut protocol = String::new();
        for (number, line) in text.lines().map(str::trim).enumerate() {
            let (key, value) = line.split_once(' ').unwrap_or((line, ""));
            let read = match key {
                "observer" => value
                    .parse::<Observer>()
                    .map(|found| observer = Some(found))
                    .map_err(said),
                "group" => nodes(value).map(|found| group = found),
                "seed" => value.parse().map(|found| seed = found).map_err(said),
                _ => {
                    protocol += line;
                    Ok(())
                }
            };
            // Keeps line numbers.
            protocol.push('\n');
            read.map_err(|reason| CaseError::Line {
                line: number + 1,
                text: line.into(),
                reason,
            })?;
        }
        let protocol: Protocol = protocol.parse()?;
        let incomplete = |reason: String| CaseError::Incomplete { reason };
        let observer = observer.ok_or_else(|| incomplete("no observer".into()))?;
        observer
            .check(protocol.nodes())
            .map_err(|error| incomplete(error.to_string()))?;
        let outside = |&u: &usize| u >= protocol.nodes() || observer.contains(u);
        if let Some(u) = group.iter().find(|u| outside(u)) {
            return Err(incomplete(format!(
                "{u} of the group observes or is no node"
            )));
        }
        Ok(Self {
            protocol,
            observer,
            group,
            seed,
        })
    }
}

fn said<E: Display>(error: E) -> String {
    error.to_string()
}

fn nodes(text: &str) -> Result<Vec<usize>, String> {
    let items = text.split(',').filter(|item| !item.is_empty());
    items.map(|item| item.parse().map_err(said)).collect()
}
