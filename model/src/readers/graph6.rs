//! graph6, [nauty's format](https://users.cecs.anu.edu.au/~bdm/data/formats.txt) of a graph as
//! a short text:
//!
//! ```text
//! D?{     the star on five nodes with the centre 4
//!
//! D       68 = 63 + 5: five nodes
//! ?{      63 + 000000, 63 + 111100: the pairs 01 02 12 03 13 23  04 14 24 34 (padding 00)
//! ```

use super::gathered::{Gathered, Outcome};
use super::{Format, LineProblem, Place, ReadError};
use crate::Graph;

/// How a graph6 file may begin.
pub(super) const MAGIC: &str = ">>graph6<<";

/// Six bits are written as the byte that is this much larger.
pub(super) const BIAS: u8 = 63;
/// Six ones; one or two of them announce a longer number of nodes.
const TILDE: u8 = b'~';

/// The graph that a graph6 text describes, with or without the header `>>graph6<<`.
///
/// The inverse of [`graph6`]: every text without header that is accepted is what [`graph6`]
/// writes for the graph.
///
/// ```
/// use muffliato_model::readers::{from_graph6, graph6};
///
/// let cycle = from_graph6("Dhc")?;
/// assert_eq!(cycle.edges().collect::<Vec<_>>(), [(0, 1), (0, 4), (1, 2), (2, 3), (3, 4)]);
/// assert_eq!(graph6(&cycle), "Dhc");
/// # Ok::<(), muffliato_model::readers::ReadError>(())
/// ```
pub fn from_graph6(text: &str) -> Result<Graph, ReadError> {
    let outcome = read(text.as_bytes(), Gathered::default())?;
    Ok(outcome.reading.graph)
}

/// The graph6 text of a graph, without header and line end; labels and positions are not in it.
///
/// It has about n²/12 characters however few edges there are: it is meant for graphs of up to
/// some thousand nodes.
///
/// ```
/// use muffliato_model::{families, readers::graph6};
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

/// Sets the bits of these edges (u, v), u < v, in groups of six bits that are 0; as text, each group is the byte that is 63 larger.
pub fn fill_pairs(edges: impl Iterator<Item = (usize, usize)>, sixes: &mut [u8]) {
    for (u, v) in edges {
        let (place, bit) = pair_place(u, v);
        sixes[place] |= bit;
    }
}

/// In which group of six bits the pair u < v is, and its bit there.
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
    /// The number of nodes.
    pub fn nodes(&self) -> usize {
        self.nodes
    }

    /// Whether u and v are joined by an edge; `false` unless u < v < nodes.
    pub fn has_edge(&self, u: usize, v: usize) -> bool {
        if u >= v || v >= self.nodes {
            return false;
        }
        let (place, bit) = pair_place(u, v);
        (self.pairs[place] - BIAS) & bit != 0
    }
}

/// Parses a line of graph6 without header and line end. Returns for every byte string, without allocating and
/// without panicking.
pub fn graph6_line(text: &[u8]) -> Result<Graph6Line<'_>, LineProblem> {
    if let Some(place) = illegal(text) {
        return Err(LineProblem::IllegalByte {
            column: place + 1,
            found: text[place],
        });
    }
    let (nodes, pairs) = size(text)?;
    check_pairs(nodes, pairs)?;
    // The pairs of nodes are all there, so that their number fits.
    let nodes = nodes as usize;
    Ok(Graph6Line { nodes, pairs })
}

/// Reads a graph6 file; see [`Format::Graph6`].
pub(super) fn read(bytes: &[u8], mut gathered: Gathered) -> Result<Outcome, ReadError> {
    let body = bytes.strip_prefix(MAGIC.as_bytes()).unwrap_or(bytes);
    if let Some((text, line)) = graphs(body).next()
        && let Some(place) = illegal(text)
    {
        let header = if line == 1 {
            bytes.len() - body.len()
        } else {
            0
        };
        let (column, found) = (header + place + 1, text[place]);
        let problem = LineProblem::IllegalByte { column, found };
        return Err(ReadError::Line { line, problem });
    }
    let (text, line) = only_line(body)?;
    let graph = graph6_line(text).map_err(|problem| ReadError::Line { line, problem })?;
    for v in 0..graph.nodes() {
        for u in 0..v {
            if graph.has_edge(u, v) {
                gathered.add((u as u32, v as u32), Place::Line(line), None)?;
            }
        }
    }
    gathered.reading(Format::Graph6, graph.nodes(), None)
}

/// The lines that are not empty, with their numbers.
fn graphs(body: &[u8]) -> impl Iterator<Item = (&[u8], usize)> {
    let lines = body.split(|&byte| byte == b'\n');
    lines
        .map(|text| text.strip_suffix(b"\r").unwrap_or(text))
        .zip(1..)
        .filter(|(text, _)| !text.is_empty())
}

/// The line that is not empty, with its number; `Err` if there are more, or none.
pub(super) fn only_line(body: &[u8]) -> Result<(&[u8], usize), ReadError> {
    let mut graphs = graphs(body);
    let first = graphs.next().ok_or(ReadError::NoNodes)?;
    match graphs.next() {
        None => Ok(first),
        Some((_, line)) => {
            let count = 2 + graphs.count();
            let problem = LineProblem::SeveralGraphs { count };
            Err(ReadError::Line { line, problem })
        }
    }
}

/// The place of the first byte that graph6 and sparse6 do not use.
pub(super) fn illegal(text: &[u8]) -> Option<usize> {
    text.iter().position(|byte| !(BIAS..=TILDE).contains(byte))
}

/// How many tildes, and then how many groups of six bits, write the number of nodes.
fn size_form(nodes: u64) -> (usize, usize) {
    match nodes {
        0..=62 => (0, 1),
        63..=258_047 => (1, 3),
        _ => (2, 6),
    }
}

/// The number of nodes in groups of six bits, before [`BIAS`] is added.
pub(super) fn size_sixes(nodes: u64) -> Vec<u8> {
    let (tildes, groups) = size_form(nodes);
    let mut sixes = vec![TILDE - BIAS; tildes];
    sixes.extend(
        (0..groups)
            .rev()
            .map(|group| (nodes >> (6 * group) & 0b111111) as u8),
    );
    sixes
}

/// The number of nodes at the beginning of a text of legal bytes, and the rest of the text.
pub(super) fn size(text: &[u8]) -> Result<(u64, &[u8]), LineProblem> {
    let tildes = text
        .iter()
        .take(2)
        .take_while(|&&byte| byte == TILDE)
        .count();
    let groups = [1, 3, 6][tildes];
    let Some((written, rest)) = text.split_at_checked(tildes + groups) else {
        return Err(LineProblem::SizeCutShort {
            found: text.len(),
            expected: tildes + groups,
        });
    };
    let groups_written = written[tildes..].iter();
    let nodes = groups_written.fold(0, |number, byte| number << 6 | u64::from(byte - BIAS));
    let (shortest_tildes, shortest_groups) = size_form(nodes);
    if tildes != shortest_tildes {
        return Err(LineProblem::SizeTooLong {
            nodes,
            found: tildes + groups,
            expected: shortest_tildes + shortest_groups,
        });
    }
    Ok((nodes, rest))
}

/// `Ok` if there is a bit for each pair of nodes, and zeros up to a whole number of bytes.
fn check_pairs(nodes: u64, pairs: &[u8]) -> Result<(), LineProblem> {
    let bits = u128::from(nodes) * u128::from(nodes.saturating_sub(1)) / 2;
    let expected = bits.div_ceil(6);
    let found = pairs.len();
    if found as u128 != expected {
        return Err(LineProblem::WrongLength {
            nodes,
            expected,
            found,
        });
    }
    let padding = expected * 6 - bits;
    match pairs.last() {
        Some(&last) if (last - BIAS) & ((1 << padding) - 1) != 0 => {
            Err(LineProblem::Padding { found: last })
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The examples of nauty's formats.txt, and the paths on 62, 63 and 64 nodes as networkx
    /// 3.6.1 begins them.
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
            assert_eq!(
                sixes.iter().map(|six| six + BIAS).collect::<Vec<_>>(),
                written
            );
            assert_eq!(size(written), Ok((nodes, &[][..])));
        }
        for nodes in [62, 63, 64] {
            let path = Graph::try_new(nodes, (1..nodes).map(|v| (v - 1, v))).unwrap();
            assert_eq!(from_graph6(&graph6(&path)), Ok(path));
        }
    }
}
