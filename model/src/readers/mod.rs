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
//! use muffliato_model::readers::{ReadOptions, read_bytes};
//!
//! let file = b"from,to,since\nann,bob,1999\nbob,ann,1999\nbob,cem,2003\ncem,cem,2003\n";
//! let reading = read_bytes(file, &ReadOptions::default())?;
//! assert_eq!(reading.graph.labels().unwrap(), ["ann", "bob", "cem"]);
//! assert_eq!(reading.graph.edge_count(), 2);
//! assert_eq!(reading.repeated_edges, 1);             // bob,ann
//! assert_eq!(reading.self_loops[0].label, "cem");
//! assert_eq!(reading.notes[0].to_string(), "line 1 was read as names of columns: from, to, since");
//! assert_eq!(reading.notes[1].to_string(), "the third column \"since\", which looks like weights, was left out");
//! # Ok::<(), muffliato_model::readers::ReadError>(())
//! ```

mod adjacency_list;
mod dense;
mod edge_list;
mod error;
mod gathered;
mod gml;
mod gossip_matrix;
mod graph6;
mod gzip;
mod layout;
mod markup;
mod matrix_market;
mod node_link;
mod note;
mod pajek;
#[cfg(test)]
mod properties;
mod recognise;
mod sparse6;
mod table;
#[cfg(test)]
mod verdicts;
mod xml;

use std::fs::File;
use std::io::Read;
use std::path::Path;

use crate::Graph;
pub use edge_list::EdgeLineProblem;
pub use error::{LineProblem, ReadError};
use gathered::{Gathered, Outcome};
pub use gossip_matrix::{GossipMatrix, GossipMatrixError, gossip_matrix, gossip_matrix_file};
pub use graph6::{from_graph6, graph6};
pub use node_link::NodeLinkProblem;
pub use note::{LeftOut, Note};
pub use sparse6::{from_sparse6, sparse6};
pub use table::{Delimiter, DelimiterError};

#[cfg(feature = "proofs")]
pub(crate) mod cores {
    pub use super::graph6::{Graph6Line, fill_pairs, graph6_line};
    pub use super::matrix_market::leading_numbers;
}

/// The largest file that [`read_file`] reads, in bytes (1 GiB).
pub const MAX_FILE_BYTES: u64 = 1 << 30;

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// What was read, and what was set aside because a simple graph has no place for it.
#[derive(Clone, Debug, PartialEq)]
pub struct Reading {
    /// The graph. Its nodes have labels unless the file calls them exactly `0..n` (or, as
    /// Matrix Market and graph6 do, only counts them).
    pub graph: Graph,
    /// The format that was read.
    pub format: Format,
    /// How many edges were given again, in either direction, and merged with the first. It is
    /// [`Graph::edge_count`] when the file lists each edge once in each direction.
    pub repeated_edges: usize,
    /// The self-loops, in the order of the file, each time they occur. They are not in the
    /// graph; their nodes are.
    pub self_loops: Vec<SelfLoop>,
    /// What was left out, and how the first line was understood.
    pub notes: Vec<Note>,
}

/// How to read what a file does not say itself.
///
/// ```
/// use muffliato_model::readers::{ReadOptions, read_bytes};
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
    /// What separates the fields of lists and dense matrices; recognised unless it is given.
    pub delimiter: Option<Delimiter>,
    /// Whether the first line of an edge list names the columns; recognised unless it is given.
    pub header: Option<bool>,
}

/// An edge from a node to itself, left out of the graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SelfLoop {
    /// The node's number in the graph.
    pub node: usize,
    /// What the node is called in the graph ([`Graph::label`]).
    pub label: String,
    /// Where the self-loop is in the file.
    pub place: Place,
}

/// Where an edge is in a file. As text: `line 3`, `link 2`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// In this line, counted from 1.
    Line(usize),
    /// It is this entry of the list of links, counted from 0.
    Link(usize),
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Line(line) => write!(f, "line {line}"),
            Self::Link(link) => write!(f, "link {link}"),
        }
    }
}

/// A format of graph files.
///
/// ```
/// use muffliato_model::readers::{Format, read};
///
/// let market = b"%%MatrixMarket matrix coordinate pattern symmetric\n3 3 2\n2 1\n3 2\n";
/// let path = read(Format::MatrixMarket, market)?.graph;
/// assert_eq!(path, read(Format::Graph6, b"Bg")?.graph);
/// assert_eq!(path, read(Format::EdgeList, b"0 1\n1 2\n")?.graph);
/// # Ok::<(), muffliato_model::readers::ReadError>(())
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
/// use muffliato_model::readers::{ReadError, read_file};
///
/// let file = std::env::temp_dir().join(format!("muffliato-{}.edges", std::process::id()));
/// std::fs::write(&file, "0 1\n1 2\n")?;
/// assert_eq!(read_file(&file)?.graph.edge_count(), 2);
/// std::fs::remove_file(&file)?;
/// assert!(matches!(read_file(&file), Err(ReadError::Io { .. })));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn read_file(path: &Path) -> Result<Reading, ReadError> {
    read_file_with(path, &ReadOptions::default())
}

/// Reads the file at `path`; see [`read_file`].
pub fn read_file_with(path: &Path, options: &ReadOptions) -> Result<Reading, ReadError> {
    let bytes = file_bytes(path, MAX_FILE_BYTES)?;
    read_bytes(&bytes, options).map_err(|error| ReadError::InFile {
        path: path.to_owned(),
        error: Box::new(error),
    })
}

/// The content of a file of at most `limit` bytes. A larger one is refused before it is read;
/// one that does not know its size (a pipe), as soon as it goes beyond.
fn file_bytes(path: &Path, limit: u64) -> Result<Vec<u8>, ReadError> {
    let unreadable = |error: std::io::Error| ReadError::Io {
        path: path.to_owned(),
        message: error.to_string(),
    };
    let check = |size: u64| {
        let path = path.to_owned();
        if size > limit {
            Err(ReadError::FileTooLarge { path, size, limit })
        } else {
            Ok(())
        }
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
/// use muffliato_model::readers::{Format, ReadOptions, read_bytes};
///
/// let reading = read_bytes(b"\"Smith, J\",\"Doe, A\"\r\n\"Doe, A\",cem\r\n", &ReadOptions::default())?;
/// assert_eq!(reading.format, Format::EdgeList);
/// assert_eq!(reading.graph.labels().unwrap(), ["Smith, J", "Doe, A", "cem"]);
/// assert!(reading.graph.has_edge(1, 2));
/// # Ok::<(), muffliato_model::readers::ReadError>(())
/// ```
pub fn read_bytes(bytes: &[u8], options: &ReadOptions) -> Result<Reading, ReadError> {
    outcome(bytes, options, Gathered::default()).map(|outcome| outcome.reading)
}

/// Reads a graph from the bytes of a file in a format; see [`read_bytes`].
pub fn read(format: Format, bytes: &[u8]) -> Result<Reading, ReadError> {
    let options = ReadOptions {
        format: Some(format),
        ..ReadOptions::default()
    };
    read_bytes(bytes, &options)
}

fn outcome(bytes: &[u8], options: &ReadOptions, gathered: Gathered) -> Result<Outcome, ReadError> {
    let bytes = gzip::unpacked(bytes)?;
    let bytes = without_mark(&bytes);
    let format = match options.format {
        Some(format) => format,
        None => recognise::of(bytes, options)?,
    };
    let text = || utf8(bytes);
    match format {
        Format::EdgeList => edge_list::read(text()?, options, gathered),
        Format::AdjacencyList => adjacency_list::read(text()?, options, gathered),
        Format::MultilineAdjacencyList => {
            adjacency_list::read_multiline(text()?, options, gathered)
        }
        Format::DenseMatrix => dense::read(text()?, options, gathered),
        Format::MatrixMarket => matrix_market::read(text()?, gathered),
        Format::Graph6 => graph6::read(bytes, gathered),
        Format::Sparse6 => sparse6::read(bytes, gathered),
        Format::NodeLink => node_link::read(text()?, gathered),
        Format::GraphMl | Format::Gexf => xml::read(text()?, format, gathered),
        Format::Gml => gml::read(text()?, gathered),
        Format::Pajek => pajek::read(text()?, gathered),
    }
}

fn without_mark(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(bytes)
}

fn utf8(bytes: &[u8]) -> Result<&str, ReadError> {
    std::str::from_utf8(bytes).map_err(|error| {
        let (before, after) = bytes.split_at(error.valid_up_to());
        let line_start = before
            .iter()
            .rposition(|&byte| byte == b'\n')
            .map_or(0, |at| at + 1);
        ReadError::NotUtf8 {
            line: 1 + before.iter().filter(|&&byte| byte == b'\n').count(),
            column: 1 + before.len() - line_start,
            found: after.first().copied().unwrap_or_default(),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_read_and_errors_name_the_path() {
        let folder = std::env::temp_dir().join(format!("muffliato-readers-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let path = folder.join("path.g6");
        std::fs::write(&path, "BW\n").unwrap();
        assert_eq!(read_file(&path).unwrap().graph.edge_count(), 2);
        assert_eq!(file_bytes(&path, 3).unwrap(), b"BW\n");
        assert_eq!(
            file_bytes(&path, 1),
            Err(ReadError::FileTooLarge {
                path: path.clone(),
                size: 3,
                limit: 1
            })
        );

        let path = folder.join("short.edges");
        std::fs::write(&path, "0 1\n2\n").unwrap();
        let error = read_file(&path).unwrap_err();
        assert!(matches!(&error, ReadError::InFile { path: named, .. } if *named == path));
        assert!(
            error
                .to_string()
                .contains("line 2: \"2\": there is one label"),
            "{error}"
        );

        let path = folder.join("absent");
        assert!(
            matches!(read_file(&path), Err(ReadError::Io { path: named, .. }) if named == path)
        );
        assert!(matches!(read_file(&folder), Err(ReadError::Io { .. })));
        std::fs::remove_dir_all(&folder).unwrap();
    }

    /// `/dev/zero` says that it has no bytes, and never ends.
    #[cfg(unix)]
    #[test]
    fn files_without_a_size_are_read_up_to_the_limit() {
        let path = std::path::PathBuf::from("/dev/zero");
        let (size, limit) = (11, 10);
        assert_eq!(
            file_bytes(&path.clone(), limit),
            Err(ReadError::FileTooLarge { path, size, limit })
        );
    }

    /// The ego networks of the paper's experiments (SNAP `ego-Facebook`). The numbers come from
    /// a count of the files with awk.
    #[test]
    fn the_facebook_files_are_read_where_they_are_present() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/data/facebook");
        if !folder.is_dir() {
            println!("{} is absent: nothing to read", folder.display());
            return;
        }
        for (ego, nodes, edges) in [
            (0, 333, 2519),
            (107, 1034, 26749),
            (348, 224, 3192),
            (414, 150, 1693),
            (686, 168, 1656),
            (698, 61, 270),
            (1684, 786, 14024),
            (1912, 747, 30025),
            (3437, 534, 4813),
            (3980, 52, 146),
        ] {
            let reading = read_file(&folder.join(format!("{ego}.edges"))).unwrap();
            let read = (reading.graph.nodes(), reading.graph.edge_count());
            assert_eq!(read, (nodes, edges), "{ego}.edges");
            assert_eq!(
                reading.repeated_edges, edges,
                "each edge is listed in both directions"
            );
            assert_eq!((reading.self_loops, reading.notes), (vec![], vec![]));
        }
    }
}
