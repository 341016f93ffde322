//! sparse6, [nauty's format](https://users.cecs.anu.edu.au/~bdm/data/formats.txt) of a sparse graph as a short text:
//!
//! ```text
//! :Fa@x^     seven nodes; edges 0-1, 0-2, 1-2, 5-6
//!
//! F          63 + 7: seven nodes
//! a@x^       groups of a bit b and of k = 3 bits x, with v = 0 in the beginning: where b is 1, v grows by 1; then,
//!            where x > v, v becomes x, and otherwise there is an edge between x and v
//! ```

use super::gathered::{Gathered, Outcome, declared_nodes, most_nodes};
use super::graph6;
use super::{Format, LineProblem, Place, ReadError};
use crate::Graph;

/// The graph of a sparse6 text, as [`sparse6`] writes it.
///
/// ```
/// use muffliato_model::{families, readers::{from_sparse6, sparse6}};
///
/// let cube = families::hypercube(4)?;
/// assert_eq!(from_sparse6(&sparse6(&cube))?, cube);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn from_sparse6(text: &str) -> Result<Graph, ReadError> {
    let outcome = read(text.as_bytes(), Gathered::default())?;
    Ok(outcome.reading.graph)
}

/// The sparse6 text of a graph, without header and line end; labels and positions are not in it.
///
/// It has about `(1 + log2 n) / 6` characters for each edge, and up to twice that.
///
/// ```
/// use muffliato_model::{Graph, readers::sparse6};
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
    // Ones fill up the last byte, unless they would read as an edge of the last node to itself.
    if width < 6 && nodes == 1 << width && missing > width as usize && v + 1 < nodes {
        bits.push(false);
    }
    bits.resize(bits.len().next_multiple_of(6), true);
    let sixes = bits.chunks(6).map(|six| {
        let six = six.iter().fold(0, |six, &bit| 2 * six + u8::from(bit));
        char::from(graph6::BIAS + six)
    });
    let size = graph6::size_sixes(nodes as u64);
    let size = size.iter().map(|&six| char::from(graph6::BIAS + six));
    std::iter::once(':').chain(size).chain(sixes).collect()
}

/// The bits of a node's number.
fn width(nodes: usize) -> u32 {
    usize::BITS - nodes.saturating_sub(1).leading_zeros()
}

/// How a sparse6 file may begin.
pub(super) const MAGIC: &str = ">>sparse6<<";

/// Reads a sparse6 file; see [`Format::Sparse6`].
pub(super) fn read(bytes: &[u8], mut gathered: Gathered) -> Result<Outcome, ReadError> {
    let body = bytes.strip_prefix(MAGIC.as_bytes()).unwrap_or(bytes);
    let (text, line) = graph6::only_line(body)?;
    let at = |problem| ReadError::Line { line, problem };
    let sixes = text.strip_prefix(b":").ok_or_else(|| {
        at(LineProblem::IllegalByte {
            column: 1,
            found: text.first().copied().unwrap_or_default(),
        })
    })?;
    if let Some(place) = graph6::illegal(sixes) {
        return Err(at(LineProblem::IllegalByte {
            column: place + 2,
            found: sixes[place],
        }));
    }
    let (declared, groups) = graph6::size(sixes).map_err(at)?;
    let nodes = declared_nodes(declared, most_nodes(bytes.len())).map_err(at)?;
    let mut bits = Bits { groups, next: 0 };
    let width = width(nodes);
    let mut v = 0;
    loop {
        let start = bits.next;
        let Some((grows, x)) = bits.group(width) else {
            // What is left fills up the last byte.
            if bits.left_from(start) >= 6 {
                return Err(at(LineProblem::CutShort));
            }
            break;
        };
        v += usize::from(grows);
        if x > v {
            v = x;
        } else if v < nodes {
            gathered.add((x as u32, v as u32), Place::Line(line), None)?;
            continue;
        }
        if v >= nodes {
            if bits.left_from(start) >= 6 {
                return Err(at(LineProblem::BeyondNodes { nodes }));
            }
            break;
        }
    }
    gathered.reading(Format::Sparse6, nodes, None)
}

/// The bits of a text of groups of six.
struct Bits<'a> {
    groups: &'a [u8],
    next: usize,
}

impl Bits<'_> {
    fn left_from(&self, start: usize) -> usize {
        6 * self.groups.len() - start
    }

    /// One bit, and a number of so many bits after it; `None` if there are fewer.
    fn group(&mut self, width: u32) -> Option<(bool, usize)> {
        if self.left_from(self.next) < width as usize + 1 {
            return None;
        }
        let mut bit = || {
            let place = self.next;
            self.next += 1;
            usize::from((self.groups[place / 6] - graph6::BIAS) >> (5 - place % 6) & 1)
        };
        let grows = bit() == 1;
        let x = (0..width).fold(0, |x, _| 2 * x + bit());
        Some((grows, x))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every graph up to 5 nodes, where the last byte has every filling, and graphs with gaps between their nodes.
    #[test]
    fn what_is_written_is_read() {
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
