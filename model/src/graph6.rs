//! graph6 and sparse6, [nauty's formats](https://users.cecs.anu.edu.au/~bdm/data/formats.txt) of a
//! graph as a short text.
//!
//! ```text
//! D?{        graph6: the star on five nodes with the centre 4
//!
//! D          68 = 63 + 5: five nodes
//! ?{         63 + 000000, 63 + 111100: the pairs 01 02 12 03 13 23  04 14 24 34 (padding 00)
//!
//! :Fa@x^     sparse6: seven nodes; edges 0-1, 0-2, 1-2, 5-6
//!
//! F          63 + 7: seven nodes
//! a@x^       groups of a bit b and of k = 3 bits x, with v = 0 in the beginning: where b is 1, v grows by 1; then,
//!            where x > v, v becomes x, and otherwise there is an edge between x and v
//! ```

use crate::{Graph, GraphError};

/// Optional header of a graph6 file.
pub const GRAPH6_HEADER: &str = ">>graph6<<";
/// Optional header of a sparse6 file.
pub const SPARSE6_HEADER: &str = ">>sparse6<<";

/// Difference between a group of six bits and the byte that writes it.
const BIAS: u8 = 63;
/// Byte of six ones; one or two of them announce a longer number of nodes.
const TILDE: u8 = b'~';
/// Number of nodes that any sparse6 text may declare; a longer text may declare one per byte.
const NODES_OF_A_SHORT_TEXT: usize = 1_000_000;

/// An invalid graph6 or sparse6 text. Columns are counted from 1, from the first byte of the line.
///
/// ```
/// use muffliato_model::graph6::{Graph6Error, from_graph6};
///
/// // Three nodes, and no byte for their pairs.
/// let error = Graph6Error::WrongLength { nodes: 3, expected: 1, found: 0 };
/// assert_eq!(from_graph6("B"), Err(error));
/// ```
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the messages say what the fields are")]
pub enum Graph6Error {
    /// A byte that the format does not use.
    #[error(
        "column {column} has the byte {found:#04x}, and graph6 has only those from 0x3f '?' to 0x7e '~'; give the line as it was written (sparse6 begins with ':')"
    )]
    IllegalByte { column: usize, found: u8 },
    /// The text ends within the number of nodes.
    #[error(
        "the text ends within the number of nodes, after {found} of {expected} bytes; give the whole line"
    )]
    SizeCutShort { found: usize, expected: usize },
    /// The number of nodes is written with more bytes than it needs.
    #[error(
        "{nodes} nodes are written in {found} bytes instead of {expected}; write the number in the shortest form"
    )]
    SizeTooLong { nodes: u64, found: usize, expected: usize },
    /// The length of the adjacency matrix does not match the number of nodes.
    #[error(
        "{found} bytes follow the number of nodes, and {nodes} nodes need {expected}; give the whole line"
    )]
    WrongLength { nodes: u64, expected: u128, found: usize },
    /// The bits that fill up the last byte are not zero.
    #[error("the last byte {found:#04x} has ones after the last pair of nodes; write zeros there")]
    Padding { found: u8 },
    /// A sparse6 text ends within an edge.
    #[error("the text ends within an edge; give the whole line")]
    CutShort,
    /// A sparse6 text goes on after the last node.
    #[error("the text goes on after the last of {nodes} nodes; give the line as it was written")]
    BeyondNodes { nodes: usize },
    /// A sparse6 text declares more nodes than its length allows.
    #[error(
        "{declared} nodes are declared, and a file of this size may have {limit}; remove the nodes without edges"
    )]
    TooManyNodes { declared: u64, limit: usize },
    /// The graph is empty or too large.
    #[error(transparent)]
    Graph(#[from] GraphError),
}

/// Returns the graph that a graph6 text describes, with or without the header `>>graph6<<`.
///
/// This is the inverse of [`graph6`]: every accepted text without a header is what [`graph6`]
/// writes for the graph.
///
/// ```
/// use muffliato_model::graph6::{from_graph6, graph6};
///
/// let cycle = from_graph6("Dhc")?;
/// assert_eq!(cycle.edges().collect::<Vec<_>>(), [(0, 1), (0, 4), (1, 2), (2, 3), (3, 4)]);
/// assert_eq!(graph6(&cycle), "Dhc");
/// # Ok::<(), muffliato_model::graph6::Graph6Error>(())
/// ```
///
/// # Errors
///
/// Returns an error that names the invalid byte or length.
pub fn from_graph6(text: &str) -> Result<Graph, Graph6Error> {
    let text = text.strip_prefix(GRAPH6_HEADER).unwrap_or(text);
    let line = graph6_line(text.trim_ascii_end().as_bytes())?;
    Ok(Graph::try_new(line.nodes(), line.edges())?)
}

/// Returns the graph6 text of a graph, without header, line end, labels and positions.
///
/// It has about n²/12 characters regardless of the number of edges, so it suits graphs of up to a
/// few thousand nodes.
///
/// ```
/// use muffliato_model::{families, graph6::graph6};
///
/// // 'B' = 63 + 3 nodes; the pairs 01, 02, 12 are the bits 101, and 'g' = 63 + 0b101000.
/// assert_eq!(graph6(&families::path(3)?), "Bg");
/// # Ok::<(), muffliato_model::GraphError>(())
/// ```
pub fn graph6(graph: &Graph) -> String {
    let nodes = graph.nodes();
    let mut sixes = size_sixes(nodes as u64);
    let start = sixes.len();
    sixes.resize(start + (nodes * (nodes - 1) / 2).div_ceil(6), 0);
    fill_pairs(graph.edges(), &mut sixes[start..]);
    sixes.iter().map(|&six| char::from(BIAS + six)).collect()
}

/// Sets the bits of the edges (u, v), u < v, in groups of six bits that are initially 0.
pub fn fill_pairs(edges: impl Iterator<Item = (usize, usize)>, sixes: &mut [u8]) {
    for (u, v) in edges {
        let (place, bit) = pair_place(u, v);
        sixes[place] |= bit;
    }
}

/// Returns the group of six bits that holds the pair u < v, and its bit there.
fn pair_place(u: usize, v: usize) -> (usize, u8) {
    let pair = v * (v - 1) / 2 + u;
    (pair / 6, 0b100000 >> (pair % 6))
}

/// A line of graph6 that describes a graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Graph6Line<'a> {
    nodes: usize,
    pairs: &'a [u8],
}

impl Graph6Line<'_> {
    /// Returns the number of nodes.
    #[must_use]
    pub fn nodes(&self) -> usize {
        self.nodes
    }

    /// Returns the edges (u, v) with u < v.
    pub fn edges(&self) -> impl Iterator<Item = (usize, usize)> {
        (0..self.nodes)
            .flat_map(|v| (0..v).map(move |u| (u, v)))
            .filter(|&(u, v)| self.has_edge(u, v))
    }

    /// Returns `true` if u and v are joined by an edge, and `false` unless u < v < nodes.
    #[must_use]
    pub fn has_edge(&self, u: usize, v: usize) -> bool {
        if u >= v || v >= self.nodes {
            return false;
        }
        let (place, bit) = pair_place(u, v);
        (self.pairs[place] - BIAS) & bit != 0
    }
}

/// Parses a line of graph6 without header and line end, without allocating.
///
/// # Errors
///
/// Returns an error that names the invalid byte or length.
pub fn graph6_line(text: &[u8]) -> Result<Graph6Line<'_>, Graph6Error> {
    if let Some(place) = illegal(text) {
        return Err(Graph6Error::IllegalByte { column: place + 1, found: text[place] });
    }
    let (nodes, pairs) = size(text)?;
    check_pairs(nodes, pairs)?;
    // The bits of all pairs are present, so the number fits.
    let nodes = nodes as usize;
    Ok(Graph6Line { nodes, pairs })
}

/// Returns the index of the first byte that graph6 and sparse6 do not use.
fn illegal(text: &[u8]) -> Option<usize> {
    text.iter().position(|byte| !(BIAS..=TILDE).contains(byte))
}

/// Returns the numbers of tildes and of six-bit groups that encode the number of nodes.
fn size_form(nodes: u64) -> (usize, usize) {
    match nodes {
        0..=62 => (0, 1),
        63..=258_047 => (1, 3),
        _ => (2, 6),
    }
}

/// Returns the number of nodes in groups of six bits, before [`BIAS`] is added.
fn size_sixes(nodes: u64) -> Vec<u8> {
    let (tildes, groups) = size_form(nodes);
    let mut sixes = vec![TILDE - BIAS; tildes];
    sixes.extend((0..groups).rev().map(|group| (nodes >> (6 * group) & 0b111111) as u8));
    sixes
}

/// Splits a text of legal bytes into the number of nodes and the rest.
fn size(text: &[u8]) -> Result<(u64, &[u8]), Graph6Error> {
    let tildes = text.iter().take(2).take_while(|&&byte| byte == TILDE).count();
    let groups = [1, 3, 6][tildes];
    let Some((written, rest)) = text.split_at_checked(tildes + groups) else {
        return Err(Graph6Error::SizeCutShort { found: text.len(), expected: tildes + groups });
    };
    let groups_written = written[tildes..].iter();
    let nodes = groups_written.fold(0, |number, byte| number << 6 | u64::from(byte - BIAS));
    let (shortest_tildes, shortest_groups) = size_form(nodes);
    if tildes != shortest_tildes {
        return Err(Graph6Error::SizeTooLong {
            nodes,
            found: tildes + groups,
            expected: shortest_tildes + shortest_groups,
        });
    }
    Ok((nodes, rest))
}

/// Checks that there is one bit per pair of nodes, padded with zeros to a whole byte.
fn check_pairs(nodes: u64, pairs: &[u8]) -> Result<(), Graph6Error> {
    let bits = u128::from(nodes) * u128::from(nodes.saturating_sub(1)) / 2;
    let expected = bits.div_ceil(6);
    let found = pairs.len();
    if found as u128 != expected {
        return Err(Graph6Error::WrongLength { nodes, expected, found });
    }
    let padding = expected * 6 - bits;
    match pairs.last() {
        Some(&last) if (last - BIAS) & ((1 << padding) - 1) != 0 => {
            Err(Graph6Error::Padding { found: last })
        }
        _ => Ok(()),
    }
}

/// Parses the sparse6 text of a graph, with or without the header `>>sparse6<<`. Self-loops are
/// dropped, and repeated edges count once.
///
/// ```
/// use muffliato_model::{families, graph6::{from_sparse6, sparse6}};
///
/// let cube = families::hypercube(4)?;
/// assert_eq!(from_sparse6(&sparse6(&cube))?, cube);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// Returns an error that names the invalid byte, length or edge.
pub fn from_sparse6(text: &str) -> Result<Graph, Graph6Error> {
    let text = text.strip_prefix(SPARSE6_HEADER).unwrap_or(text);
    let (nodes, edges) = sparse6_line(text.trim_ascii_end().as_bytes())?;
    let edges = edges.into_iter().filter(|(u, v)| u != v);
    Ok(Graph::try_new(nodes, edges)?)
}

/// Returns the sparse6 text of a graph, without header, line end, labels and positions.
///
/// It has about `(1 + log2 n) / 6` characters per edge, and at most twice that.
///
/// ```
/// use muffliato_model::{Graph, graph6::sparse6};
///
/// let graph = Graph::try_new(7, [(0, 1), (0, 2), (1, 2), (5, 6)])?;
/// assert_eq!(sparse6(&graph), ":Fa@x^");
/// # Ok::<(), muffliato_model::GraphError>(())
/// ```
pub fn sparse6(graph: &Graph) -> String {
    let nodes = graph.nodes();
    let width = width(nodes);
    let mut bits: Vec<bool> = Vec::new();
    let mut group = |grows: bool, x: usize| {
        bits.push(grows);
        bits.extend((0..width).rev().map(|bit| x >> bit & 1 == 1));
    };
    let mut v = 0;
    for larger in 0..nodes {
        for smaller in graph.neighbours(larger).filter(|&x| x < larger) {
            match larger - v {
                0 => group(false, smaller),
                1 => group(true, smaller),
                _ => {
                    group(true, larger);
                    group(false, smaller);
                }
            }
            v = larger;
        }
    }
    let missing = bits.len().next_multiple_of(6) - bits.len();
    // Padding ones, unless they would read as a self-loop of the last node.
    if width < 6 && nodes == 1 << width && missing > width as usize && v + 1 < nodes {
        bits.push(false);
    }
    bits.resize(bits.len().next_multiple_of(6), true);
    let sixes = bits.chunks(6).map(|six| {
        let six = six.iter().fold(0, |six, &bit| 2 * six + u8::from(bit));
        char::from(BIAS + six)
    });
    let size = size_sixes(nodes as u64);
    let size = size.iter().map(|&six| char::from(BIAS + six));
    std::iter::once(':').chain(size).chain(sixes).collect()
}

/// Returns the number of bits of a node's number.
fn width(nodes: usize) -> u32 {
    usize::BITS - nodes.saturating_sub(1).leading_zeros()
}

/// Parses a line of sparse6 without header and line end. Returns the number of nodes and the edges
/// in the order of the text, with repetitions and self-loops.
///
/// # Errors
///
/// Returns an error that names the invalid byte, length or edge.
pub fn sparse6_line(text: &[u8]) -> Result<(usize, Vec<(usize, usize)>), Graph6Error> {
    let illegal_at = |place: usize| Graph6Error::IllegalByte {
        column: place + 1,
        found: text.get(place).copied().unwrap_or_default(),
    };
    let sixes = text.strip_prefix(b":").ok_or_else(|| illegal_at(0))?;
    if let Some(place) = illegal(sixes) {
        return Err(illegal_at(place + 1));
    }
    let (declared, groups) = size(sixes)?;
    let limit = text.len().clamp(NODES_OF_A_SHORT_TEXT, Graph::MAX_NODES);
    let nodes = usize::try_from(declared).ok().filter(|&n| n <= limit);
    let nodes = nodes.ok_or(Graph6Error::TooManyNodes { declared, limit })?;
    let mut bits = Bits { groups, next: 0 };
    let width = width(nodes);
    let mut edges = Vec::new();
    let mut v = 0;
    loop {
        let start = bits.next;
        let Some((grows, x)) = bits.group(width) else {
            // The remaining bits are padding.
            if bits.left_from(start) >= 6 {
                return Err(Graph6Error::CutShort);
            }
            return Ok((nodes, edges));
        };
        v += usize::from(grows);
        if x > v {
            v = x;
        } else if v < nodes {
            edges.push((x, v));
            continue;
        }
        if v >= nodes {
            if bits.left_from(start) >= 6 {
                return Err(Graph6Error::BeyondNodes { nodes });
            }
            return Ok((nodes, edges));
        }
    }
}

/// A reader of the bits of a text in groups of six.
struct Bits<'a> {
    groups: &'a [u8],
    next: usize,
}

impl Bits<'_> {
    fn left_from(&self, start: usize) -> usize {
        6 * self.groups.len() - start
    }

    /// Reads one bit and a number of `width` bits after it; returns `None` if there are fewer.
    fn group(&mut self, width: u32) -> Option<(bool, usize)> {
        if self.left_from(self.next) < width as usize + 1 {
            return None;
        }
        let mut bit = || {
            let place = self.next;
            self.next += 1;
            usize::from((self.groups[place / 6] - BIAS) >> (5 - place % 6) & 1)
        };
        let grows = bit() == 1;
        let x = (0..width).fold(0, |x, _| 2 * x + bit());
        Some((grows, x))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The examples of nauty's formats.txt, and the sizes of paths on 62, 63 and 64 nodes as
    /// written by networkx 3.6.1.
    #[test]
    fn numbers_of_nodes_in_all_three_forms() {
        for (nodes, written) in [
            (30, &[93][..]),
            (12_345, &[126, 66, 63, 120]),
            (460_175_067, &[126, 126, 63, 90, 90, 90, 90, 90]),
            (62, b"}"),
            (63, b"~??~"),
            (64, b"~?@?"),
            (258_047, b"~}~~"),
            (258_048, b"~~???~??"),
        ] {
            let sixes = size_sixes(nodes);
            assert_eq!(sixes.iter().map(|six| six + BIAS).collect::<Vec<_>>(), written);
            assert_eq!(size(written), Ok((nodes, &[][..])));
        }
        for nodes in [62, 63, 64] {
            let path = Graph::try_new(nodes, (1..nodes).map(|v| (v - 1, v))).unwrap();
            assert_eq!(from_graph6(&graph6(&path)), Ok(path));
        }
    }

    /// Every graph up to 5 nodes, which covers every padding, and graphs with gaps between their
    /// nodes.
    #[test]
    fn graphs_survive_a_round_trip() {
        let check = |nodes, edges: Vec<(usize, usize)>| {
            let graph = Graph::try_new(nodes, edges).unwrap();
            let text = sparse6(&graph);
            assert_eq!(from_sparse6(&text), Ok(graph), "{text}");
        };
        for nodes in 1..=5_usize {
            let pairs = (0..nodes).flat_map(|v| (0..v).map(move |u| (u, v)));
            for mask in 0..1_u32 << (nodes * (nodes - 1) / 2) {
                let edges = pairs.clone().enumerate();
                let edges = edges.filter(|(k, _)| mask >> k & 1 == 1);
                check(nodes, edges.map(|(_, pair)| pair).collect());
            }
        }
        check(8, vec![(6, 7)]);
        check(16, vec![(0, 14)]);
        check(64, vec![(3, 62)]);
        check(300, vec![(0, 299), (150, 151)]);
    }
}
