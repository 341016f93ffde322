//! Errors of the textual form of a graph.

use super::family::{Families, example_of, options_of};
use crate::GraphError;

/// An invalid textual form, or a graph that cannot be built.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the messages say what the fields are")]
pub enum SpecError {
    /// The text is neither a family nor a path.
    #[error(
        "there is no graph family {name:?}{}\n{Families}\n\
         or a file's path, which contains a '/' or a '.', such as ./graph",
        suggestion.map(|name| format!("; did you mean {name}?")).unwrap_or_default()
    )]
    UnknownFamily { name: String, suggestion: Option<&'static str> },
    /// A required part is missing.
    #[error("{family}: the {what} is missing; write for example {}", example_of(family))]
    Missing { family: &'static str, what: &'static str },
    /// A number is invalid.
    #[error(
        "{family}: the {what} is {text:?}, but it must be {expected}; write for example {}",
        example_of(family)
    )]
    BadNumber { family: &'static str, what: &'static str, text: String, expected: &'static str },
    /// The family has no such option.
    #[error(
        "{family}: unknown option {option:?}; accepted: {}; write for example {}",
        options_of(family),
        example_of(family)
    )]
    UnknownOption { family: &'static str, option: String },
    /// An option is given twice.
    #[error(
        "{family}: the option {option} is given twice; give each of these once: {}",
        options_of(family)
    )]
    RepeatedOption { family: &'static str, option: &'static str },
    /// Two options are given that exclude each other.
    #[error("{family}: the options {first} and {second} exclude each other; give one of them")]
    Conflict { family: &'static str, first: &'static str, second: &'static str },
    /// The graph cannot be built.
    #[error(transparent)]
    Graph(#[from] GraphError),
    /// The text is the path of a file, which this crate does not read.
    #[error(
        "{path} is a file; read it with muffliato_io::read_file (the feature `readers` of muffliato)"
    )]
    File { path: String },
}
