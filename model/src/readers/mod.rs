//! Readers of graph files.
//!
//! | format | recognised by | written by |
//! | --- | --- | --- |
//! | [edge list](Format::EdgeList) | anything else | SNAP, KONECT, spreadsheets |
//! | [Matrix Market](Format::MatrixMarket) | `%%MatrixMarket`, `.mtx` | SciPy, SuiteSparse |
//! | [graph6](Format::Graph6) | `>>graph6<<`, `.g6`, `.graph6` | nauty, House of Graphs |
//! | [node-link JSON](Format::NodeLink) | `.json` | networkx, D3 |
//!
//! A reader never panics, whatever the bytes, and its memory is at most a constant times the
//! size of the input: about 150 bytes for each byte of a dense graph6 file, the worst that was
//! measured (and, for Matrix Market, up to 1 000 000 nodes that a short file may declare).
//! What does not fit a simple graph is either refused, with the place, or set aside and told:
//!
//! ```
//! use muffliato_model::readers::{Format, read};
//!
//! let file = b"# who knows whom\nann bob\nbob ann\nbob cem 0.5\ncem cem\n";
//! let reading = read(Format::EdgeList, file)?;
//! assert_eq!(reading.graph.labels().unwrap(), ["ann", "bob", "cem"]);
//! assert_eq!(reading.graph.edge_count(), 2);
//! assert_eq!(reading.repeated_edges, 1);             // bob ann
//! assert_eq!(reading.ignored_columns, Some(4));      // the 0.5 in line 4
//! assert_eq!(reading.self_loops[0].label, "cem");
//! # Ok::<(), muffliato_model::readers::ReadError>(())
//! ```

mod edge_list;
mod error;
mod gathered;
mod graph6;
mod matrix_market;
mod node_link;
#[cfg(test)]
mod properties;

use std::fs::File;
use std::io::Read;
use std::path::Path;

use crate::Graph;
pub use edge_list::EdgeLineProblem;
pub use error::ReadError;
pub use graph6::{Graph6Problem, from_graph6, graph6};
pub use matrix_market::MatrixMarketProblem;
pub use node_link::NodeLinkProblem;

#[cfg(feature = "proofs")]
pub(crate) mod cores {
    pub use super::edge_list::{EdgeLine, edge_line};
    pub use super::graph6::{Graph6Line, fill_pairs, graph6_line};
    pub use super::matrix_market::leading_numbers;
}

/// The largest file that [`read_file`] reads, in bytes (1 GiB).
pub const MAX_FILE_BYTES: u64 = 1 << 30;

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// What was read, and what was set aside because a simple graph has no place for it.
///
/// ```
/// use muffliato_model::readers::{Format, read};
///
/// let reading = read(Format::EdgeList, b"0 1\n1 0\n1 2 0.5\n")?;
/// assert_eq!((reading.graph.nodes(), reading.graph.edge_count()), (3, 2));
/// assert_eq!((reading.repeated_edges, reading.ignored_columns), (1, Some(3)));
/// # Ok::<(), muffliato_model::readers::ReadError>(())
/// ```
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
    /// The first line that has something beside the two ends of an edge (a weight, a time
    /// stamp), which is ignored. `None` where every line has just two ends, and in formats
    /// without lines; the attributes in node-link JSON are ignored and not reported.
    pub ignored_columns: Option<usize>,
}

/// An edge from a node to itself, left out of the graph.
///
/// ```
/// use muffliato_model::readers::{Format, Place, SelfLoop, read};
///
/// let reading = read(Format::EdgeList, b"ann bob\nbob bob\n")?;
/// assert_eq!(reading.self_loops, [SelfLoop { node: 1, label: "bob".into(), place: Place::Line(2) }]);
/// # Ok::<(), muffliato_model::readers::ReadError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SelfLoop {
    /// The node's number in the graph.
    pub node: usize,
    /// What the node is called in the graph ([`Graph::label`]).
    pub label: String,
    /// Where the self-loop is in the file.
    pub place: Place,
}

/// Where an edge is in a file.
///
/// ```
/// use muffliato_model::readers::{Format, Place, read};
///
/// let file = br#"{"nodes": [{"id": 0}], "links": [{"source": 0, "target": 0}]}"#;
/// assert_eq!(read(Format::NodeLink, file)?.self_loops[0].place, Place::Link(0));
/// # Ok::<(), muffliato_model::readers::ReadError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// In this line, counted from 1.
    Line(usize),
    /// It is this entry of the list of links, counted from 0.
    Link(usize),
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
pub enum Format {
    /// One edge a line: two labels, separated by a comma, else by a tab, else by spaces.
    ///
    /// If the labels are exactly the integers `0..n` in decimal form, the nodes keep these
    /// numbers; otherwise they are numbered in the order of their first appearance and keep
    /// their labels. A line of column names that is not a comment (`source,target`) is read as
    /// an edge.
    EdgeList,
    /// `%%MatrixMarket matrix coordinate`, `pattern`, `real` or `integer`, `symmetric` or
    /// `general`: every entry is an edge, whatever its value and in whichever direction. Row
    /// and column i, counted from 1, are node i - 1.
    MatrixMarket,
    /// [nauty's graph6](https://users.cecs.anu.edu.au/~bdm/data/formats.txt), one graph a file.
    Graph6,
    /// The JSON of networkx' `node_link_data`: `nodes` with an `id` each, `links` or `edges`
    /// with `source` and `target`.
    ///
    /// Nodes are numbered in the order of `nodes` and labelled by their id, unless the ids are
    /// exactly `0..n`, which they then keep as their numbers. An id is a string, a number or a
    /// truth value; the string `"1"` and the number `1` are not the same id.
    NodeLink,
}

impl Format {
    /// The format of a file: by how its bytes begin, else by the extension of its path, else an
    /// edge list. In the extension and in `%%MatrixMarket`, upper and lower case are the same.
    ///
    /// ```
    /// use muffliato_model::readers::Format;
    /// use std::path::Path;
    ///
    /// assert_eq!(Format::of(Path::new("club.mtx"), b""), Format::MatrixMarket);
    /// assert_eq!(Format::of(Path::new("club.mtx"), b">>graph6<<Bg"), Format::Graph6);
    /// assert_eq!(Format::of(Path::new("club.txt"), b"0 1"), Format::EdgeList);
    /// ```
    pub fn of(path: &Path, bytes: &[u8]) -> Self {
        let bytes = without_mark(bytes);
        let banner = bytes.get(..matrix_market::MAGIC.len()).unwrap_or_default();
        if banner.eq_ignore_ascii_case(matrix_market::MAGIC.as_bytes()) {
            return Self::MatrixMarket;
        }
        if bytes.starts_with(graph6::MAGIC.as_bytes()) {
            return Self::Graph6;
        }
        let extension = path.extension().unwrap_or_default().to_ascii_lowercase();
        match extension.to_str() {
            Some("mtx") => Self::MatrixMarket,
            Some("g6" | "graph6") => Self::Graph6,
            Some("json") => Self::NodeLink,
            _ => Self::EdgeList,
        }
    }
}

/// Reads the file at `path` in the format that [`Format::of`] says.
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
    let bytes = file_bytes(path, MAX_FILE_BYTES)?;
    read(Format::of(path, &bytes), &bytes).map_err(|error| ReadError::InFile {
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

/// Reads a graph from the bytes of a file. A UTF-8 byte order mark at the beginning is skipped,
/// and lines may end in `\n` or `\r\n`.
///
/// ```
/// use muffliato_model::readers::{Format, read};
///
/// let reading = read(Format::EdgeList, b"ann,bob\r\nbob,cem\r\n")?;
/// assert_eq!(reading.graph.labels().unwrap(), ["ann", "bob", "cem"]);
/// assert!(reading.graph.has_edge(1, 2));
/// # Ok::<(), muffliato_model::readers::ReadError>(())
/// ```
pub fn read(format: Format, bytes: &[u8]) -> Result<Reading, ReadError> {
    let bytes = without_mark(bytes);
    match format {
        Format::EdgeList => edge_list::read(utf8(bytes)?),
        Format::MatrixMarket => matrix_market::read(utf8(bytes)?),
        Format::Graph6 => graph6::read(bytes),
        Format::NodeLink => node_link::read(utf8(bytes)?),
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
    fn the_beginning_goes_before_the_extension() {
        let cases: [(&str, &[u8], Format); 10] = [
            ("a.mtx", b"", Format::MatrixMarket),
            ("a.MTX", b"1 2", Format::MatrixMarket),
            ("a.g6", b"Dhc", Format::Graph6),
            ("a.graph6", b"Dhc", Format::Graph6),
            ("a.json", b"{}", Format::NodeLink),
            ("a.edges", b"0 1", Format::EdgeList),
            ("json", b"0 1", Format::EdgeList),
            ("a.json", b"%%MatrixMarket matrix", Format::MatrixMarket),
            (
                "a",
                b"\xef\xbb\xbf%%matrixmarket matrix",
                Format::MatrixMarket,
            ),
            ("a.mtx", b">>graph6<<Dhc", Format::Graph6),
        ];
        for (path, bytes, format) in cases {
            assert_eq!(
                Format::of(Path::new(path), bytes),
                format,
                "{path} {bytes:?}"
            );
        }
    }

    #[test]
    fn bytes_that_are_not_utf8_are_named_with_their_place() {
        let error = ReadError::NotUtf8 {
            line: 2,
            column: 3,
            found: 0xe9,
        };
        for format in [Format::EdgeList, Format::MatrixMarket, Format::NodeLink] {
            assert_eq!(read(format, b"a b\nc \xe9\nd e"), Err(error.clone()));
        }
        assert_eq!(
            error.to_string(),
            "line 2, column 3: byte 0xe9 is not UTF-8; save the file as UTF-8 text"
        );
    }

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
        assert_eq!(
            read_file(&path),
            Err(ReadError::InFile {
                path: path.clone(),
                error: Box::new(ReadError::EdgeLine {
                    line: 2,
                    text: "2".into(),
                    problem: EdgeLineProblem::OneLabel,
                })
            })
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
            assert_eq!(
                (reading.self_loops, reading.ignored_columns),
                (vec![], None)
            );
        }
    }
}
