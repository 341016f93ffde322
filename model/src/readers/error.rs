//! Why a graph file could not be read.

use std::path::PathBuf;

use super::{EdgeLineProblem, Graph6Problem, MatrixMarketProblem, NodeLinkProblem};
use crate::GraphError;

/// Why a graph could not be read. Lines and columns are counted from 1, columns in bytes.
///
/// ```
/// use muffliato_model::readers::{Format, ReadError, read};
///
/// let error = read(Format::EdgeList, b"0 1\n1 \xff\n");
/// assert_eq!(error, Err(ReadError::NotUtf8 { line: 2, column: 3, found: 0xff }));
/// ```
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// The file could not be opened or read.
    #[error("{}: {message}; check the path and the file's permissions", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the operating system says.
        message: String,
    },
    /// The file is larger than files that are read.
    #[error(
        "{}: the file has {size} bytes or more, and at most {limit} are read; give a smaller graph",
        path.display()
    )]
    FileTooLarge {
        /// The file.
        path: PathBuf,
        /// Its size, as far as it is known.
        size: u64,
        /// The largest size that is read.
        limit: u64,
    },
    /// The content of a file is at fault.
    #[error("{}: {error}", path.display())]
    InFile {
        /// The file.
        path: PathBuf,
        /// What is wrong in it.
        error: Box<ReadError>,
    },
    /// The file is not text.
    #[error(
        "line {line}, column {column}: byte {found:#04x} is not UTF-8; save the file as UTF-8 text"
    )]
    NotUtf8 {
        /// The line of the first byte that is not.
        line: usize,
        /// Its column.
        column: usize,
        /// The byte.
        found: u8,
    },
    /// The file names no nodes.
    #[error("the file names no nodes; give a graph with at least one")]
    NoNodes,
    /// The graph is larger than this crate stores.
    #[error(transparent)]
    Graph(#[from] GraphError),
    /// A line of an edge list is at fault.
    #[error("line {line}: {text:?}: {problem}")]
    EdgeLine {
        /// The line.
        line: usize,
        /// How the line begins.
        text: String,
        /// What is wrong in it.
        problem: EdgeLineProblem,
    },
    /// A Matrix Market file is at fault.
    #[error("line {line}: {problem}")]
    MatrixMarket {
        /// The line; for a file that ends too early, the one after the last.
        line: usize,
        /// What is wrong in it.
        problem: MatrixMarketProblem,
    },
    /// A graph6 file is at fault.
    #[error("line {line}: {problem}")]
    Graph6 {
        /// The line.
        line: usize,
        /// What is wrong in it.
        problem: Graph6Problem,
    },
    /// A node-link file is at fault.
    #[error(transparent)]
    NodeLink(#[from] NodeLinkProblem),
}

/// The first 60 characters of a text, for a message.
pub(super) fn excerpt(text: &str) -> String {
    const LENGTH: usize = 60;
    let mut rest = text.chars();
    let mut beginning: String = rest.by_ref().take(LENGTH).collect();
    if rest.next().is_some() {
        beginning.push('…');
    }
    beginning
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_are_shortened_by_characters() {
        assert_eq!(excerpt("ä b"), "ä b");
        let long = excerpt(&"ä".repeat(61));
        assert_eq!(long, "ä".repeat(60) + "…");
    }
}
