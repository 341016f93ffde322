//! Deterministic families: paths, rings, stars, grids, tori and hypercubes.

use super::bad_parameter;
use crate::{Graph, GraphError};

/// Builds the path 0 - 1 - ... - (n - 1); `path(1)` is one node.
pub fn path(n: usize) -> Result<Graph, GraphError> {
    Graph::check_size(n as u128, (n as u128).saturating_sub(1))?;
    Graph::try_new(n, (1..n).map(|v| (v - 1, v)))
}

/// Builds the ring 0 - 1 - ... - (n - 1) - 0, for n >= 3.
pub fn ring(n: usize) -> Result<Graph, GraphError> {
    if n < 3 {
        let expected = "a ring has at least 3 nodes; use path for fewer";
        return Err(bad_parameter("ring", "n", n, expected));
    }
    Graph::check_size(n as u128, n as u128)?;
    Graph::try_new(n, (0..n).map(|v| (v, (v + 1) % n)))
}

/// Builds the complete graph with all n (n - 1) / 2 edges.
pub fn complete(n: usize) -> Result<Graph, GraphError> {
    Graph::check_size(n as u128, pairs(n))?;
    Graph::try_new(n, (0..n).flat_map(|v| (0..v).map(move |u| (u, v))))
}

/// Returns the number of pairs of distinct nodes.
pub(super) fn pairs(n: usize) -> u128 {
    let n = n as u128;
    n * n.saturating_sub(1) / 2
}

/// Builds the star on n nodes, whose centre 0 is joined to each of the n - 1 leaves.
pub fn star(n: usize) -> Result<Graph, GraphError> {
    Graph::check_size(n as u128, (n as u128).saturating_sub(1))?;
    Graph::try_new(n, (1..n).map(|leaf| (0, leaf)))
}

/// Builds a grid of any dimension. Nodes are the points with coordinates `0 <= x_i < sides[i]`;
/// edges join points that differ by 1 in one coordinate.
///
/// Nodes are numbered in row-major order, the last coordinate fastest:
///
/// ```text
/// grid(&[2, 3]):   0 - 1 - 2
///                  |   |   |
///                  3 - 4 - 5
/// ```
pub fn grid(sides: &[usize]) -> Result<Graph, GraphError> {
    lattice("grid", sides, 1, "every side has at least 1 node", false)
}

/// Builds the torus with these sides, each at least 3: the [`grid`] with the ends of each line
/// joined. Every node has degree `2 * sides.len()`.
///
/// ```
/// use muffliato_model::families::torus;
///
/// assert_eq!(torus(&[3, 4])?.neighbours(0).collect::<Vec<_>>(), [1, 3, 4, 8]);
/// # Ok::<(), muffliato_model::GraphError>(())
/// ```
pub fn torus(sides: &[usize]) -> Result<Graph, GraphError> {
    let expected = "every side has at least 3 nodes; use grid for shorter sides";
    lattice("torus", sides, 3, expected, true)
}

fn lattice(
    family: &'static str,
    sides: &[usize],
    shortest: usize,
    expected: &'static str,
    wraps: bool,
) -> Result<Graph, GraphError> {
    if sides.is_empty() {
        let expected = "at least one side is needed, as in 4 or 4x5";
        return Err(bad_parameter(family, "sides", "empty", expected));
    }
    if let Some(&side) = sides.iter().find(|&&side| side < shortest) {
        return Err(bad_parameter(family, "side", side, expected));
    }
    // A number of nodes beyond u128 is reported as the largest u128.
    let nodes = sides.iter().fold(1, |product: u128, &side| product.saturating_mul(side as u128));
    let edges = sides.iter().fold(0, |sum: u128, &side| {
        let lines = nodes / side as u128;
        let edges_of_line = if wraps { side } else { side - 1 };
        sum.saturating_add(lines.saturating_mul(edges_of_line as u128))
    });
    Graph::check_size(nodes, edges)?;

    let nodes = nodes as usize;
    // Sides of length 1 have no edges; there are at most log2(MAX_NODES) others.
    let mut directions = Vec::new();
    let mut stride = 1;
    for &side in sides.iter().rev().filter(|&&side| side > 1) {
        directions.push((stride, side));
        stride *= side;
    }
    let edges = (0..nodes).flat_map(|node| {
        directions.iter().filter_map(move |&(stride, side)| {
            let coordinate = node / stride % side;
            if coordinate + 1 < side {
                Some((node, node + stride))
            } else {
                wraps.then(|| (node, node - coordinate * stride))
            }
        })
    });
    Graph::try_new(nodes, edges)
}

/// Builds the hypercube. Nodes are the bit strings of length `dimension`; edges join strings that
/// differ in one bit. `hypercube(0)` is one node.
pub fn hypercube(dimension: usize) -> Result<Graph, GraphError> {
    // A number of nodes beyond u128 is reported as the largest u128.
    let nodes = u32::try_from(dimension)
        .ok()
        .and_then(|bits| 1_u128.checked_shl(bits))
        .unwrap_or(u128::MAX);
    Graph::check_size(nodes, (nodes / 2).saturating_mul(dimension as u128))?;
    let nodes = nodes as usize;
    let edges = (0..nodes).flat_map(|node| {
        (0..dimension).map(move |bit| (node, node ^ (1 << bit))).filter(|(u, v)| u < v)
    });
    Graph::try_new(nodes, edges)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn degrees(graph: &Graph) -> Vec<usize> {
        (0..graph.nodes()).map(|v| graph.degree(v)).collect()
    }

    fn size(graph: &Graph) -> (usize, usize) {
        (graph.nodes(), graph.edge_count())
    }

    #[test]
    fn paths_rings_stars_and_complete_graphs() {
        assert_eq!(size(&path(1).unwrap()), (1, 0));
        assert_eq!(degrees(&path(4).unwrap()), [1, 2, 2, 1]);
        assert_eq!(path(9).unwrap().diameter(), Some(8));
        assert_eq!(degrees(&ring(5).unwrap()), [2; 5]);
        assert_eq!(ring(8).unwrap().diameter(), Some(4));
        assert_eq!(degrees(&star(5).unwrap()), [4, 1, 1, 1, 1]);
        assert_eq!(size(&star(1).unwrap()), (1, 0));
        for n in 1..8 {
            let graph = complete(n).unwrap();
            assert_eq!(size(&graph), (n, n * (n - 1) / 2));
            assert_eq!(degrees(&graph), vec![n - 1; n]);
        }
    }

    #[test]
    fn grids_are_numbered_with_the_last_side_fastest() {
        let graph = grid(&[2, 3]).unwrap();
        let edges = [(0, 1), (0, 3), (1, 2), (1, 4), (2, 5), (3, 4), (4, 5)];
        assert_eq!(graph.edges().collect::<Vec<_>>(), edges);
        assert_eq!(grid(&[7]), path(7));
        assert_eq!(grid(&[1, 7, 1]), path(7));
        assert_eq!(grid(&[2; 5]), hypercube(5));
    }

    #[test]
    fn distances_on_a_grid_are_sums_of_differences() {
        let (a, b, c) = (3, 4, 5);
        let graph = grid(&[a, b, c]).unwrap();
        assert_eq!(graph.edge_count(), (a - 1) * b * c + a * (b - 1) * c + a * b * (c - 1));
        let point = |v: usize| [v / (b * c), v / c % b, v % c];
        for from in 0..graph.nodes() {
            let distances = graph.distances_from(from);
            for to in 0..graph.nodes() {
                let sum = std::iter::zip(point(from), point(to)).map(|(x, y)| x.abs_diff(y));
                assert_eq!(distances[to], Some(sum.sum()));
            }
        }
    }

    #[test]
    fn every_node_of_a_torus_sees_the_same_distances() {
        assert_eq!(torus(&[6]), ring(6));
        let graph = torus(&[3, 4, 5]).unwrap();
        assert_eq!(size(&graph), (60, 180));
        assert_eq!(degrees(&graph), [6; 60]);
        let profile = |source| {
            let mut distances = graph.distances_from(source);
            distances.sort_unstable();
            distances
        };
        for node in 1..60 {
            assert_eq!(profile(node), profile(0));
        }
        assert_eq!(profile(0)[59], Some(1 + 2 + 2));
    }

    #[test]
    fn distances_on_a_hypercube_are_hamming_distances() {
        assert_eq!(size(&hypercube(0).unwrap()), (1, 0));
        for dimension in 1..8 {
            let graph = hypercube(dimension).unwrap();
            let nodes = 1 << dimension;
            assert_eq!(size(&graph), (nodes, dimension * nodes / 2));
            assert_eq!(degrees(&graph), vec![dimension; nodes]);
            for from in [0, nodes / 3, nodes - 1] {
                let distances = graph.distances_from(from);
                for to in 0..nodes {
                    assert_eq!(distances[to], Some((from ^ to).count_ones() as usize));
                }
            }
        }
    }
}
