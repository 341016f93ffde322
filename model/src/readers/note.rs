//! What a reader has to say about a file that it read.

use std::fmt;

/// Something in a file that a simple graph has no place for, or that had to be understood.
///
/// ```
/// use muffliato_model::readers::{LeftOut, Note};
///
/// let note = Note::Column { column: 3, name: None, looks_like: LeftOut::Weights };
/// assert_eq!(note.to_string(), "the third column, which looks like weights, was left out");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Note {
    /// The first line was read as the names of columns.
    HeaderLine {
        /// The line.
        line: usize,
        /// The names.
        names: String,
    },
    /// The first line was read as the number of nodes.
    NodeCount {
        /// The line.
        line: usize,
        /// The number.
        nodes: u64,
    },
    /// A column was left out.
    Column {
        /// Which, counted from 1.
        column: usize,
        /// Its name, if it has one.
        name: Option<String>,
        /// What it looks like.
        looks_like: LeftOut,
    },
    /// The values of a matrix were left out.
    Values,
    /// Attributes were left out.
    Attributes {
        /// Of `nodes` or of `edges`.
        of: &'static str,
        /// Their names, in quotes.
        names: String,
    },
    /// Nodes are called by their ids, since their names repeat or are not all there.
    NamesNotUsed,
}

/// What a column that was left out looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LeftOut {
    /// Numbers.
    Weights,
    /// 0, 1, 2 .. or 1, 2, 3 .. beside names.
    RowNumbers,
    /// Attributes in braces.
    Attributes,
    /// Anything else.
    Other,
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::HeaderLine { line, names } => {
                write!(f, "line {line} was read as names of columns: {names}")
            }
            Self::NodeCount { line, nodes } => {
                write!(f, "line {line} was read as the number of nodes, {nodes}")
            }
            Self::Column {
                column,
                name,
                looks_like,
            } => {
                write!(f, "the {} column", Ordinal(*column))?;
                if let Some(name) = name {
                    write!(f, " {name:?}")?;
                }
                match looks_like {
                    LeftOut::Weights => f.write_str(", which looks like weights, was left out"),
                    LeftOut::RowNumbers => f.write_str(", which numbers the rows, was left out"),
                    LeftOut::Attributes => {
                        f.write_str(", which looks like attributes, was left out")
                    }
                    LeftOut::Other => f.write_str(" was left out"),
                }
            }
            Self::Values => f.write_str(
                "the values of the matrix were left out: every entry that is not 0 is an edge",
            ),
            Self::Attributes { of, names } => {
                write!(f, "attributes of {of} were left out: {names}")
            }
            Self::NamesNotUsed => f.write_str(
                "nodes are called by their ids: their names repeat or are not all there",
            ),
        }
    }
}

/// A number in words.
struct Ordinal(usize);

impl fmt::Display for Ordinal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const WORDS: [&str; 10] = [
            "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth",
            "tenth",
        ];
        match self.0.checked_sub(1).and_then(|place| WORDS.get(place)) {
            Some(word) => f.write_str(word),
            None => write!(f, "{}th", self.0),
        }
    }
}
