//! Why a graph file could not be read.

use std::path::PathBuf;

use super::{Delimiter, EdgeLineProblem, NodeLinkProblem, Place};
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
    /// An adjacency list with colons in which a neighbour has no line of its own.
    #[error(
        "this looks like an adjacency list with colons, and {label:?} begins no line; add the line \"{label}:\", or say that it is one (--graph-format adjacency-list on the command line)"
    )]
    OpenList {
        /// The neighbour.
        label: String,
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
    /// A line of another file is at fault.
    #[error("line {line}: {problem}")]
    Line {
        /// The line; for a Matrix Market file that ends too early, the one after the last.
        line: usize,
        /// What is wrong in it.
        problem: LineProblem,
    },
    /// A node-link file is at fault.
    #[error(transparent)]
    NodeLink(#[from] NodeLinkProblem),
}

/// Why a line of a Matrix Market, graph6, sparse6, GraphML, GEXF, GML or Pajek file is refused. Columns are counted
/// from 1.
///
/// ```
/// use muffliato_model::readers::{Format, LineProblem, ReadError, from_graph6, read};
///
/// // Three nodes, and no byte for their pairs.
/// let problem = LineProblem::WrongLength { nodes: 3, expected: 1, found: 0 };
/// assert_eq!(from_graph6("B"), Err(ReadError::Line { line: 1, problem }));
/// let file = b"graph [\n node [ id 1 ]\n edge [ source 1 target 2 ]\n]";
/// let problem = LineProblem::UnknownNode { id: "2".into() };
/// assert_eq!(read(Format::Gml, file), Err(ReadError::Line { line: 3, problem }));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LineProblem {
    /// Something stands where something else is expected.
    #[error("found {found:?}; {expected}")]
    Syntax {
        /// What was found.
        found: String,
        /// What should be there.
        expected: &'static str,
    },
    /// More nodes are declared than a file of this size could use.
    #[error(
        "{declared} nodes are declared, and a file of this size may have {limit}; remove the nodes without edges"
    )]
    TooManyNodes {
        /// How many are declared.
        declared: u64,
        /// How many may be.
        limit: usize,
    },
    /// A matrix is not square.
    #[error(
        "the matrix has {rows} rows and {columns} columns; give a square one, with a row for each node"
    )]
    NotSquare {
        /// Its rows.
        rows: u64,
        /// Its columns.
        columns: u64,
    },
    /// An entry is not in the matrix.
    #[error(
        "entry {row} {column} is outside the matrix; rows and columns are counted from 1 to {nodes}"
    )]
    OutOfRange {
        /// Its row.
        row: u64,
        /// Its column.
        column: u64,
        /// How many rows and columns there are.
        nodes: usize,
    },
    /// There are more entries than were declared.
    #[error(
        "this entry comes after the {declared} that are declared; correct the size line or remove it"
    )]
    TooManyEntries {
        /// How many are declared.
        declared: u64,
    },
    /// The file ends before all entries have come.
    #[error(
        "the file ends after {found} of {declared} entries; fetch the whole file or correct the size line"
    )]
    TooFewEntries {
        /// How many there are.
        found: u64,
        /// How many are declared.
        declared: u64,
    },
    /// A byte that graph6 does not use.
    #[error(
        "column {column} has the byte {found:#04x}, and graph6 has only those from 0x3f '?' to 0x7e '~'; give the line as it was written (sparse6 begins with ':')"
    )]
    IllegalByte {
        /// Where it is.
        column: usize,
        /// The byte.
        found: u8,
    },
    /// The text ends within the number of nodes.
    #[error(
        "the text ends within the number of nodes, after {found} of {expected} bytes; give the whole line"
    )]
    SizeCutShort {
        /// Its bytes that are there.
        found: usize,
        /// How many it should have.
        expected: usize,
    },
    /// The number of nodes is written in more bytes than it needs.
    #[error(
        "{nodes} nodes are written in {found} bytes instead of {expected}; write the number in the shortest form"
    )]
    SizeTooLong {
        /// The number of nodes.
        nodes: u64,
        /// In how many bytes it is written.
        found: usize,
        /// In how many it should be.
        expected: usize,
    },
    /// The adjacency matrix has another length than the number of nodes tells.
    #[error(
        "{found} bytes follow the number of nodes, and {nodes} nodes need {expected}; give the whole line"
    )]
    WrongLength {
        /// The number of nodes.
        nodes: u64,
        /// How many bytes there should be.
        expected: u128,
        /// How many there are.
        found: usize,
    },
    /// The bits that fill up the last byte are not zero.
    #[error("the last byte {found:#04x} has ones after the last pair of nodes; write zeros there")]
    Padding {
        /// The last byte.
        found: u8,
    },
    /// A sparse6 text ends within an edge.
    #[error("the text ends within an edge; give the whole line")]
    CutShort,
    /// A sparse6 text goes on after the last node.
    #[error("the text goes on after the last of {nodes} nodes; give the line as it was written")]
    BeyondNodes {
        /// The number of nodes.
        nodes: usize,
    },
    /// There is more than one graph.
    #[error("the file has {count} graphs, the second in this line; put each in a file of its own")]
    SeveralGraphs {
        /// How many there are.
        count: usize,
    },
    /// The XML is not well-formed.
    #[error("{message}; give well-formed XML, as networkx and igraph write it")]
    Xml {
        /// What is wrong.
        message: String,
    },
    /// The file declares entities of its own, or uses one that is not declared.
    #[error(
        "{found:?}: entities other than those of XML itself are not expanded; write the characters themselves"
    )]
    Entity {
        /// What was found.
        found: String,
    },
    /// Something that every node or edge has is missing.
    #[error("a {element} has no {attribute}; give it one")]
    Missing {
        /// `node` or `edge`.
        element: &'static str,
        /// What is missing.
        attribute: &'static str,
    },
    /// A node is declared twice.
    #[error("the node {id:?} is declared again; give each node an id of its own")]
    RepeatedNode {
        /// The id.
        id: String,
    },
    /// An edge names a node that is not declared.
    #[error("an edge names {id:?}, which is no node; declare it")]
    UnknownNode {
        /// The id.
        id: String,
    },
    /// Something that a simple graph has no place for.
    #[error("{what} are not read; give one graph of nodes and edges between two nodes")]
    NotSimple {
        /// What it is.
        what: &'static str,
    },
    /// The file ends too early.
    #[error("the file ends before {what}; give the whole file")]
    EndsBefore {
        /// What is missing.
        what: &'static str,
    },
}

impl LineProblem {
    pub(super) fn syntax(found: &str, expected: &'static str) -> Self {
        let found = excerpt(found);
        Self::Syntax { found, expected }
    }
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
