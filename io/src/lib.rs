//! Readers of graph files. The content of a file decides its format, not its name; each may be compressed by gzip.
//!
//! | format | recognised by | written by |
//! | --- | --- | --- |
//! | [edge list](Format::EdgeList) | lines with the same number of fields | SNAP, KONECT, spreadsheets, R, pandas |
//! | [adjacency list](Format::AdjacencyList) | each label begins one line | networkx |
//! | [the same in several lines](Format::MultilineAdjacencyList) | attributes in braces after one label | networkx |
//! | [dense matrix](Format::DenseMatrix) | as many numbers in each line as there are lines | NumPy, R, pandas |
//! | [Matrix Market](Format::MatrixMarket) | `%%MatrixMarket` | SciPy, SuiteSparse |
//! | [graph6](Format::Graph6), [sparse6](Format::Sparse6) | `>>graph6<<`, `:`, or a line of the right length | nauty, House of Graphs |
//! | [node-link JSON](Format::NodeLink) | `{` | networkx, D3 |
//! | [GraphML](Format::GraphMl), [GEXF](Format::Gexf) | `<graphml`, `<gexf` | networkx, igraph, Gephi |
//! | [GML](Format::Gml) | `graph [` | networkx, igraph |
//! | [Pajek](Format::Pajek) | `*Vertices` | networkx, igraph |
//!
//! A file that is not understood, or could be understood in two ways, is refused and never guessed: the error says what the
//! file looks like and what to do. A reader never panics, whatever the bytes, and its memory is at most a constant times
//! the size of the (unpacked) input: about 150 bytes for each byte of a dense graph6 file, the worst that was
//! measured (and up to 1 000 000 nodes that a short file may declare). What does not fit a simple graph is
//! either refused, with the place, or set aside and told:
//!
//! ```
//! use muffliato_io::{ReadOptions, read_bytes};
//!
//! let file = b"from,to,since\nann,bob,1999\nbob,ann,1999\nbob,cem,2003\ncem,cem,2003\n";
//! let reading = read_bytes(file, &ReadOptions::default())?;
//! assert_eq!(reading.graph.labels().unwrap(), ["ann", "bob", "cem"]);
//! assert_eq!(reading.graph.edge_count(), 2);
//! assert_eq!(reading.repeated_edges, 1);             // bob,ann
//! assert_eq!(reading.self_loops[0].label, "cem");
//! assert_eq!(reading.notes[0], "line 1 was read as names of columns: from, to, since");
//! assert_eq!(reading.notes[1], "the third column \"since\", which looks like weights, was left out");
//! # Ok::<(), muffliato_io::ReadError>(())
//! ```

mod adjacency_list;
mod dense;
mod edge_list;
mod error;
mod gml;
mod gossip_matrix;
mod graph6;
mod graph_builder;
mod gzip;
mod layout;
mod matrix_market;
mod node_link;
mod pajek;
mod recognise;
mod table;
mod xml;

use std::fs::File;
use std::io::Read;
use std::path::Path;

pub use error::{ErrorKind, Place, ReadError};
pub use gossip_matrix::{GossipMatrix, gossip_matrix, gossip_matrix_file};
use graph_builder::{GraphBuilder, Outcome};
pub use matrix_market::Matrix;
use muffliato_model::Graph;
pub use table::{Delimiter, DelimiterError};

/// Parts that `muffliato-proofs` proves; no part of the interface.
#[cfg(feature = "proofs")]
#[doc(hidden)]
pub mod cores {
    pub use crate::matrix_market::leading_numbers;
}

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

/// The largest file that [`read_file`] reads, in bytes (1 GiB).
pub const MAX_FILE_BYTES: u64 = 1 << 30;

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// A graph that was read, with a record of everything that a simple graph cannot hold.
#[derive(Clone, Debug, PartialEq)]
pub struct Reading {
    /// The graph. Its nodes have labels unless the file calls them exactly `0..n` (or, as
    /// Matrix Market and graph6 do, only counts them).
    pub graph: Graph,
    /// The format that was read.
    pub format: Format,
    /// The number of edges that were given again, in either direction, and merged with the first. It is
    /// [`Graph::edge_count`] when the file lists each edge once in each direction.
    pub repeated_edges: usize,
    /// The self-loops, in the order of the file, each time they occur. They are not in the
    /// graph; their nodes are.
    pub self_loops: Vec<SelfLoop>,
    /// Remarks on omissions and on the reading of the first line.
    pub notes: Vec<String>,
}

/// Options for what a file does not say itself.
///
/// ```
/// use muffliato_io::{ReadOptions, read_bytes};
///
/// let unclear = b"ann;x,bob\ncem;y,dan\n"; // separated by ';' or by ','?
/// assert!(read_bytes(unclear, &ReadOptions::default()).is_err());
/// let options = ReadOptions { delimiter: Some("comma".parse()?), ..ReadOptions::default() };
/// assert_eq!(read_bytes(unclear, &options)?.graph.label(0), "ann;x");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReadOptions {
    /// The format; recognised by the content unless it is given.
    pub format: Option<Format>,
    /// The separator of the fields of lists and dense matrices; recognised unless it is given.
    pub delimiter: Option<Delimiter>,
    /// `true` if the first line of an edge list names the columns; recognised unless it is given.
    pub header: Option<bool>,
}

/// An edge from a node to itself, left out of the graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SelfLoop {
    /// The node's number in the graph.
    pub node: usize,
    /// The node's label in the graph ([`Graph::label`]).
    pub label: String,
    /// The place of the self-loop in the file.
    pub place: Place,
}

/// A format of graph files.
///
/// ```
/// use muffliato_io::{Format, read};
///
/// let market = b"%%MatrixMarket matrix coordinate pattern symmetric\n3 3 2\n2 1\n3 2\n";
/// let path = read(Format::MatrixMarket, market)?.graph;
/// assert_eq!(path, read(Format::Graph6, b"Bg")?.graph);
/// assert_eq!(path, read(Format::EdgeList, b"0 1\n1 2\n")?.graph);
/// # Ok::<(), muffliato_io::ReadError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Format {
    /// One edge a line: two labels, and perhaps more columns, which are left out and told. All lines have the same number
    /// of columns. They are separated by commas, semicolons or tabs, else by blanks; fields may be quoted by `"`. Lines
    /// that begin with `#` or `%` are comments. A sign such as `--` may join the two labels (`a -- b`).
    ///
    /// The first line may be the names of the columns (`source,target`) or the number of nodes. If the labels are
    /// exactly the integers `0..n` in decimal form, the nodes keep these numbers; otherwise they are numbered in the
    /// order of their first appearance and keep their labels.
    EdgeList,
    /// One node a line, with neighbours of it: each edge may be given at one of its ends or at both. A colon may
    /// follow the node (`a: b c`).
    AdjacencyList,
    /// A line with a node and the number of lines after it, which each name a neighbour.
    MultilineAdjacencyList,
    /// A line for each row of the adjacency matrix, with a number for each column: every entry that is not 0 is an edge.
    /// Rows and columns may both have names.
    DenseMatrix,
    /// `%%MatrixMarket matrix`, `coordinate` or `array`, `pattern`, `real` or `integer`, `symmetric` or
    /// `general`: every entry that is not 0 is an edge, in whichever direction. Row and column i, counted from 1, are node i - 1.
    MatrixMarket,
    /// [nauty's graph6](https://users.cecs.anu.edu.au/~bdm/data/formats.txt), one graph a file.
    Graph6,
    /// nauty's sparse6, one graph a file.
    Sparse6,
    /// The JSON of networkx' `node_link_data`: `nodes` with an `id` each, `links` or `edges`
    /// with `source` and `target`.
    ///
    /// Nodes are numbered in the order of `nodes` and labelled by their id, unless the ids are
    /// exactly `0..n`, which they then keep as their numbers. An id is a string, a number or a
    /// truth value; the string `"1"` and the number `1` are not the same id.
    NodeLink,
    /// GraphML. Nodes are called by their attribute `name` or `label`, if all have one of their own, else by their id.
    GraphMl,
    /// GML. Nodes are called by their `label` or `name`, if all have one of their own, else by their id.
    Gml,
    /// GEXF. Nodes are called by their `label`, if all have one of their own, else by their id.
    Gexf,
    /// A network of Pajek. Vertices are called by their labels, if all have one of their own, else by their number.
    Pajek,
}

/// Reads the file at `path` in the format that its content has.
///
/// Every error names the path. A file of more than [`MAX_FILE_BYTES`] is refused.
///
/// ```
/// use muffliato_io::{ErrorKind, read_file};
///
/// let file = std::env::temp_dir().join(format!("muffliato-{}.edges", std::process::id()));
/// std::fs::write(&file, "0 1\n1 2\n")?;
/// assert_eq!(read_file(&file)?.graph.edge_count(), 2);
/// std::fs::remove_file(&file)?;
/// assert_eq!(read_file(&file).unwrap_err().kind, ErrorKind::Io);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn read_file(path: &Path) -> Result<Reading, ReadError> {
    read_file_with(path, &ReadOptions::default())
}

/// Reads the file at `path` with options; see [`read_file`].
///
/// # Errors
///
/// Describes the problem, with the path.
pub fn read_file_with(path: &Path, options: &ReadOptions) -> Result<Reading, ReadError> {
    let bytes = file_bytes(path, MAX_FILE_BYTES)?;
    read_bytes(&bytes, options).map_err(|error| error.in_file(path))
}

/// Returns the content of a file of at most `limit` bytes. A larger one is refused before it is read; one that does
/// not know its size (a pipe), as soon as it goes beyond.
fn file_bytes(path: &Path, limit: u64) -> Result<Vec<u8>, ReadError> {
    let unreadable = |error: std::io::Error| {
        let remedy = "check the path and the file's permissions";
        ReadError::new(ErrorKind::Io, error.to_string(), remedy).in_file(path)
    };
    let check = |size: u64| {
        if size <= limit {
            return Ok(());
        }
        let problem = format!("the file has {size} bytes or more, and at most {limit} are read");
        Err(ReadError::new(ErrorKind::TooLarge, problem, "give a smaller graph").in_file(path))
    };
    let file = File::open(path).map_err(unreadable)?;
    check(file.metadata().map_err(unreadable)?.len())?;
    let mut bytes = Vec::new();
    let mut beginning = file.take(limit.saturating_add(1));
    beginning.read_to_end(&mut bytes).map_err(unreadable)?;
    check(bytes.len() as u64)?;
    Ok(bytes)
}

/// Reads a graph from the bytes of a file, in the format that its content has unless another is given. What gzip
/// compressed is unpacked, a UTF-8 byte order mark at the beginning is skipped, and lines may end in `\n` or `\r\n`.
///
/// ```
/// use muffliato_io::{Format, ReadOptions, read_bytes};
///
/// let reading = read_bytes(b"\"Smith, J\",\"Doe, A\"\r\n\"Doe, A\",cem\r\n", &ReadOptions::default())?;
/// assert_eq!(reading.format, Format::EdgeList);
/// assert_eq!(reading.graph.labels().unwrap(), ["Smith, J", "Doe, A", "cem"]);
/// assert!(reading.graph.has_edge(1, 2));
/// # Ok::<(), muffliato_io::ReadError>(())
/// ```
///
/// # Errors
///
/// Describes the problem, its place and the remedy.
pub fn read_bytes(bytes: &[u8], options: &ReadOptions) -> Result<Reading, ReadError> {
    outcome(bytes, options, GraphBuilder::default()).map(|outcome| outcome.reading)
}

/// Reads a graph from the bytes of a file in a format; see [`read_bytes`].
///
/// # Errors
///
/// Describes the problem, its place and the remedy.
pub fn read(format: Format, bytes: &[u8]) -> Result<Reading, ReadError> {
    let options = ReadOptions { format: Some(format), ..ReadOptions::default() };
    read_bytes(bytes, &options)
}

fn outcome(
    bytes: &[u8],
    options: &ReadOptions,
    builder: GraphBuilder,
) -> Result<Outcome, ReadError> {
    let bytes = gzip::unpacked(bytes)?;
    let bytes = without_mark(&bytes);
    let format = match options.format {
        Some(format) => format,
        None => recognise::format_of(bytes, options)?,
    };
    if let Format::Graph6 | Format::Sparse6 = format {
        return graph6::read(bytes, format, builder);
    }
    let text = utf8(bytes)?;
    match format {
        Format::AdjacencyList => adjacency_list::read(text, options, builder),
        Format::MultilineAdjacencyList => adjacency_list::read_multiline(text, options, builder),
        Format::DenseMatrix => dense::read(text, options, builder),
        Format::MatrixMarket => matrix_market::read(text, builder),
        Format::NodeLink => node_link::read(text, builder),
        Format::GraphMl | Format::Gexf => xml::read(text, format, builder),
        Format::Gml => gml::read(text, builder),
        Format::Pajek => pajek::read(text, builder),
        _ => edge_list::read(text, options, builder),
    }
}

fn without_mark(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(bytes)
}

fn utf8(bytes: &[u8]) -> Result<&str, ReadError> {
    std::str::from_utf8(bytes).map_err(|error| {
        let (before, after) = bytes.split_at(error.valid_up_to());
        let start = before.iter().rposition(|&byte| byte == b'\n');
        let place = Place::Column {
            line: 1 + before.iter().filter(|&&byte| byte == b'\n').count(),
            column: 1 + before.len() - start.map_or(0, |at| at + 1),
        };
        let found = after.first().copied().unwrap_or_default();
        let problem = format!("byte {found:#04x} is not UTF-8");
        ReadError::new(ErrorKind::Content, problem, "save the file as UTF-8 text").at(place)
    })
}

#[cfg(test)]
mod tests;
