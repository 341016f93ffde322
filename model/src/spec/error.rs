//! Errors of the textual form of a graph.

use super::family::{Families, example_of, options_of};
use crate::GraphError;

/// An invalid textual form, or a graph that cannot be built.
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
        /// The part before the first ':'.
        name: String,
        /// The family with the most similar name, if any.
        suggestion: Option<&'static str>,
    },
    /// A required part is missing.
    #[error("{family}: the {what} is missing; write for example {}", example_of(family))]
    Missing {
        /// The family.
        family: &'static str,
        /// The missing part.
        what: &'static str,
    },
    /// A number is invalid.
    #[error(
        "{family}: the {what} is {text:?}, but it must be {expected}; write for example {}",
        example_of(family)
    )]
    BadNumber {
        /// The family.
        family: &'static str,
        /// The meaning of the number.
        what: &'static str,
        /// The given text.
        text: String,
        /// The accepted values.
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
    /// The graph cannot be built.
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
