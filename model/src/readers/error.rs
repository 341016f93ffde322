//! Why a graph file could not be read.

use std::path::PathBuf;

use super::{
    Delimiter, EdgeLineProblem, Graph6Problem, MarkupProblem, MatrixMarketProblem, NodeLinkProblem,
    Place,
};
use crate::{FractionError, GraphError};

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
    /// The file is in a format that is not read.
    #[error("this looks like {looks_like}, which is not read; {remedy}")]
    NotRead {
        /// What it looks like.
        looks_like: &'static str,
        /// What to do.
        remedy: &'static str,
    },
    /// The file can be read in two ways that mean different graphs.
    #[error(
        "this could be {first} or {second}; say which with the format (--graph-format on the command line)"
    )]
    TwoFormats {
        /// One way.
        first: &'static str,
        /// The other.
        second: &'static str,
    },
    /// Two signs separate the fields of each line evenly.
    #[error(
        "fields could be separated by {first} or by {second}; say which with the delimiter (--delimiter on the command line)"
    )]
    Delimiters {
        /// One of them.
        first: Delimiter,
        /// The other.
        second: Delimiter,
    },
    /// It is not clear what the first line is.
    #[error(
        "line {line}: {text:?}: is this an edge? {what}; say whether it is a header (--header yes or no on the command line)"
    )]
    FirstLine {
        /// The line.
        line: usize,
        /// How it begins.
        text: String,
        /// Why it is not clear.
        what: &'static str,
    },
    /// The number of nodes in the first line does not go with the edges.
    #[error(
        "{declared} nodes are declared, and the edges name {found}; number the nodes from 0 or from 1, or correct the first line"
    )]
    NodeCount {
        /// How many are declared.
        declared: u64,
        /// How many labels there are.
        found: usize,
    },
    /// The graph is directed.
    #[error(
        "{place} says that edges are directed, and gossip needs an undirected graph; convert it, e.g. with to_undirected() of networkx"
    )]
    Directed {
        /// What says so.
        place: String,
    },
    /// A dense matrix is not symmetric.
    #[error(
        "this looks like a dense matrix, and it is {value} at row {row}, column {column}, but {mirrored} at row {column}, column {row}; make it symmetric, or say what it is with --graph-format"
    )]
    NotSymmetric {
        /// The row, counted from 1.
        row: usize,
        /// The column, counted from 1.
        column: usize,
        /// The value there.
        value: f64,
        /// The value on the other side of the diagonal.
        mirrored: f64,
    },
    /// A dense matrix has an entry that is no number, or rows of another length.
    #[error(
        "line {line}: a dense matrix needs as many numbers in each row as it has rows, and there is {found}; correct the row"
    )]
    Dense {
        /// The line.
        line: usize,
        /// What was found.
        found: String,
    },
    /// A node of an adjacency list that has no line of its own, or two.
    #[error("line {line}: {label:?} {problem}; give each node one line that begins with it")]
    Adjacency {
        /// The line.
        line: usize,
        /// The node.
        label: String,
        /// What is wrong.
        problem: &'static str,
    },
    /// A weight is missing.
    #[error("{place} has no weight; give every edge one")]
    NoWeight {
        /// Where.
        place: Place,
    },
    /// A weight is no number.
    #[error("{place}: the weight {text:?}: {problem}")]
    Weight {
        /// Where.
        place: Place,
        /// The weight.
        text: String,
        /// Why it is none.
        problem: FractionError,
    },
    /// A compressed file is damaged.
    #[error("the compressed file is damaged ({message}); compress it again with gzip")]
    Gzip {
        /// What is wrong.
        message: String,
    },
    /// A compressed file is much larger than it looks.
    #[error(
        "the file has {packed} bytes and unpacks to more than {limit}; unpack it yourself if it is what it should be"
    )]
    Unpacked {
        /// Its size.
        packed: usize,
        /// The largest size that is unpacked.
        limit: u64,
    },
    /// A GraphML, GEXF, GML or Pajek file is at fault.
    #[error("line {line}: {problem}")]
    Markup {
        /// The line.
        line: usize,
        /// What is wrong in it.
        problem: MarkupProblem,
    },
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
