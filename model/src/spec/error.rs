//! Why a text is no graph.

use super::family::{Families, example_of, options_of};
use crate::GraphError;

/// Why a text could not be read as a graph, or the graph not be built.
///
/// ```
/// use muffliato_model::{GraphSpec, SpecError};
///
/// let error = "hypercub:4".parse::<GraphSpec>();
/// let unknown = SpecError::UnknownFamily { name: "hypercub".into(), suggestion: Some("hypercube") };
/// assert_eq!(error, Err(unknown));
/// ```
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SpecError {
    /// The text is neither a family nor a path.
    #[error(
        "there is no graph family {name:?}{}\n{Families}\n\
         or a file's path, which contains a '/' or a '.', such as ./graph",
        suggestion.map(|name| format!("; did you mean {name}?")).unwrap_or_default()
    )]
    UnknownFamily {
        /// What stands before the first ':'.
        name: String,
        /// The family with the nearest name, if one is near.
        suggestion: Option<&'static str>,
    },
    /// Something that the family needs is not there.
    #[error(
        "{family}: the {what} is missing; write for example {}",
        example_of(family)
    )]
    Missing {
        /// The family.
        family: &'static str,
        /// What is missing.
        what: &'static str,
    },
    /// A number does not parse.
    #[error(
        "{family}: the {what} is {text:?}, but it must be {expected}; write for example {}",
        example_of(family)
    )]
    BadNumber {
        /// The family.
        family: &'static str,
        /// What the number is for.
        what: &'static str,
        /// The text that is no such number.
        text: String,
        /// What would be accepted.
        expected: &'static str,
    },
    /// The family has no such option.
    #[error(
        "{family}: unknown option {option:?}; accepted: {}; write for example {}",
        options_of(family),
        example_of(family)
    )]
    UnknownOption {
        /// The family.
        family: &'static str,
        /// The option as it was written.
        option: String,
    },
    /// An option is given twice.
    #[error(
        "{family}: the option {option} is given twice; give each of these once: {}",
        options_of(family)
    )]
    RepeatedOption {
        /// The family.
        family: &'static str,
        /// The option's name.
        option: &'static str,
    },
    /// Two options are given that exclude each other.
    #[error("{family}: the options {first} and {second} exclude each other; give one of them")]
    Conflict {
        /// The family.
        family: &'static str,
        /// One option.
        first: &'static str,
        /// The other option.
        second: &'static str,
    },
    /// The text is a graph that cannot be made.
    #[error(transparent)]
    Graph(#[from] GraphError),
    /// The text is the path of a file, which this crate does not read.
    #[error(
        "{path} is a file; read it with muffliato_io::read_file (the feature `readers` of muffliato)"
    )]
    File {
        /// The file's path.
        path: String,
    },
}
