//! Random geometric graphs, with a grid of cells for a local search.

use super::super::deterministic::pairs;
use super::stream::Stream;
use crate::families::bad_parameter;
use crate::{Graph, GraphError};

const FAMILY: &str = "geometric";

/// Draws the random geometric graph: n points, independent and uniform in the unit square, joined
/// if their distance is at most `radius`. The graph has the positions ([`Graph::positions`]).
///
/// Coordinates are multiples of 2^-32, and distances are compared exactly. The time is proportional
/// to the number of nodes and edges.
///
/// # Errors
///
/// Returns [`GraphError::BadParameter`] unless `radius` is finite and at least 0, and
/// [`GraphError::TooLarge`] if the expected number of edges is beyond the limit.
///
/// ```
/// use muffliato_model::families::geometric;
///
/// let graph = geometric(6, 2.0, 3)?;
/// assert_eq!(graph.positions().unwrap().len(), 6);
/// assert_eq!(graph.edge_count(), 15); // the unit square is less than 2 wide
/// # Ok::<(), muffliato_model::GraphError>(())
/// ```
pub fn geometric(n: usize, radius: f64, seed: u64) -> Result<Graph, GraphError> {
    if !(radius.is_finite() && radius >= 0.0) {
        let expected = "it is a length in the unit square: finite and at least 0";
        return Err(bad_parameter(FAMILY, "radius", radius, expected));
    }
    let expected_edges = pairs(n) as f64 * chance_of_an_edge(radius);
    Graph::check_size(n as u128, expected_edges as u128)?;

    let mut stream = Stream::new(FAMILY, seed);
    let points: Vec<Point> = (0..n).map(|_| Point::drawn(&mut stream)).collect();
    let cells = Cells::new(&points, radius);
    let limit = squared_limit(radius);
    let close = cells.candidates().filter(|&(u, v)| points[u].squared_distance(points[v]) <= limit);
    let positions = points.iter().map(|point| point.position()).collect();
    Graph::try_new(n, close)?.with_positions(positions)
}

/// Returns the probability that two uniform points of the unit square are at most `radius` apart.
/// Beyond radius 1 it returns the value at 1, a lower bound above 0.97.
fn chance_of_an_edge(radius: f64) -> f64 {
    let r = radius.min(1.0);
    r * r * (std::f64::consts::PI - r * (8.0 / 3.0 - r / 2.0))
}

/// A point of the unit square, in units of 2^-32.
#[derive(Clone, Copy)]
struct Point {
    x: u32,
    y: u32,
}

impl Point {
    fn drawn(stream: &mut Stream) -> Self {
        let word = stream.word();
        Self { x: (word >> 32) as u32, y: word as u32 }
    }

    fn position(self) -> [f64; 2] {
        [self.x, self.y].map(|coordinate| f64::from(coordinate) / (1_u64 << 32) as f64)
    }

    /// Returns the squared distance in units of 2^-64.
    fn squared_distance(self, other: Self) -> u128 {
        let square = |length: u32| u128::from(length) * u128::from(length);
        square(self.x.abs_diff(other.x)) + square(self.y.abs_diff(other.y))
    }
}

/// Returns the largest integer that is at most radius^2 2^64, exactly, for a radius below 2. From 2
/// on all points are close.
fn squared_limit(radius: f64) -> u128 {
    if radius >= 2.0 {
        return u128::MAX;
    }
    // radius = mantissa 2^(exponent - 1075), so radius^2 2^64 = mantissa^2 2^(2 exponent - 2086).
    let bits = radius.to_bits();
    let fraction = u128::from(bits & ((1 << 52) - 1));
    let (mantissa, exponent) = match (bits >> 52) & 0x7ff {
        0 => (fraction, 1),
        exponent => (fraction | 1 << 52, exponent as u32),
    };
    // Below 2 the exponent is at most 1023: the power is negative.
    let shift = 2086 - 2 * exponent;
    (mantissa * mantissa).checked_shr(shift).unwrap_or(0)
}

/// Points sorted into `side * side` square cells, row by row. Cells are at least as wide as the
/// radius, so close points are in the same cell or in adjacent cells.
struct Cells {
    side: usize,
    /// The cell of each point of `order`.
    cell_of: Vec<u32>,
    /// The points, cell by cell.
    order: Vec<u32>,
    /// `order[starts[c]..starts[c + 1]]` are the points of cell c.
    starts: Vec<usize>,
}

impl Cells {
    fn new(points: &[Point], radius: f64) -> Self {
        // At most 1 / radius cells per side, and about as many cells as points. The factor absorbs
        // rounding; for radius 0 the cast saturates.
        let side = ((0.99 / radius) as usize).clamp(1, points.len().isqrt().max(1));
        let along = |coordinate: u32| ((u64::from(coordinate) * side as u64) >> 32) as usize;
        let cell = |point: &Point| along(point.y) * side + along(point.x);

        let mut starts = vec![0; side * side + 1];
        for point in points {
            starts[cell(point) + 1] += 1;
        }
        for c in 0..side * side {
            starts[c + 1] += starts[c];
        }
        let mut free = starts.clone();
        let mut order = vec![0; points.len()];
        let mut cell_of = vec![0; points.len()];
        for (node, point) in points.iter().enumerate() {
            let place = &mut free[cell(point)];
            order[*place] = node as u32;
            cell_of[*place] = cell(point) as u32;
            *place += 1;
        }
        Self { side, cell_of, order, starts }
    }

    /// Returns each pair of points in the same or in adjacent cells once.
    ///
    /// ```text
    /// . P a      a point of P is paired with the later points of P, those of a,
    /// b c d      and those of b, c, d; both are ranges of `order`
    /// ```
    fn candidates(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        (0..self.order.len()).flat_map(move |i| {
            let cell = self.cell_of[i] as usize;
            let (row, column) = (cell / self.side, cell % self.side);
            let left = cell - usize::from(column > 0);
            let right = cell + usize::from(column + 1 < self.side);
            let here = i + 1..self.starts[right + 1];
            let below = if row + 1 < self.side {
                self.starts[left + self.side]..self.starts[right + self.side + 1]
            } else {
                0..0
            };
            let u = self.order[i] as usize;
            here.chain(below).map(move |j| (u, self.order[j] as usize))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::chi_square::assert_fits;
    use super::*;
    use crate::families::complete;

    /// Compares every pair, with floating-point distances from the published positions.
    fn brute_force(graph: &Graph, radius: f64) -> Vec<(usize, usize)> {
        let at = graph.positions().unwrap();
        let mut edges = Vec::new();
        for u in 0..graph.nodes() {
            for v in u + 1..graph.nodes() {
                let (dx, dy) = (at[u][0] - at[v][0], at[u][1] - at[v][1]);
                if libm::hypot(dx, dy) <= radius {
                    edges.push((u, v));
                }
            }
        }
        edges
    }

    #[test]
    fn edges_are_those_of_comparing_every_pair() {
        let radii = [0.0, 1e-9, 0.02, 0.05, 0.1, 0.25, 0.33, 0.5, 0.9, 1.0, 1.3];
        for (seed, radius) in (0..).zip(radii) {
            for n in [1, 2, 3, 50, 400] {
                let graph = geometric(n, radius, seed).unwrap();
                let edges: Vec<_> = graph.edges().collect();
                assert_eq!(edges, brute_force(&graph, radius), "n = {n}, r = {radius}");
            }
        }
        for radius in [1.5, 2.0, 1e300] {
            let graph = geometric(40, radius, 1).unwrap();
            assert!(graph.edges().eq(complete(40).unwrap().edges()));
        }
    }

    #[test]
    fn the_limit_is_the_square_of_the_radius() {
        assert_eq!(squared_limit(0.0), 0);
        assert_eq!(squared_limit(5e-324), 0);
        assert_eq!(squared_limit(f64::MIN_POSITIVE), 0);
        assert_eq!(squared_limit(2_f64.powi(-32)), 1);
        assert_eq!(squared_limit(2_f64.powi(-32).next_down()), 0);
        assert_eq!(squared_limit(3.0 * 2_f64.powi(-32)), 9);
        assert_eq!(squared_limit(0.5), 1 << 62);
        assert_eq!(squared_limit(0.5_f64.next_down()), (1 << 62) - (1 << 10));
        assert_eq!(squared_limit(1.0), 1 << 64);
        assert_eq!(squared_limit(1.5), 9 << 62);
        assert_eq!(squared_limit(2.0), u128::MAX);
    }

    #[test]
    fn positions_are_uniform() {
        let n = 64_000;
        let graph = geometric(n, 0.0, 11).unwrap();
        let mut observed = [0; 64];
        for [x, y] in graph.positions().unwrap() {
            assert!((0.0..1.0).contains(x) && (0.0..1.0).contains(y));
            observed[(x * 8.0) as usize * 8 + (y * 8.0) as usize] += 1;
        }
        assert_fits(&observed, &[n as f64 / 64.0; 64], 131.369);
    }

    /// Checks the mean degree over 400 graphs; the tolerance of 1 percent is far above the
    /// deviation.
    #[test]
    fn edge_counts_have_the_expected_mean() {
        for radius in [0.1, 0.5, 1.0] {
            let graphs = 400;
            let edges: usize =
                (0..graphs).map(|seed| geometric(150, radius, seed).unwrap().edge_count()).sum();
            let ratio = edges as f64 / graphs as f64 / pairs(150) as f64;
            let expected = chance_of_an_edge(radius);
            assert!(
                (ratio / expected - 1.0).abs() < 0.01,
                "radius {radius}: a pair is joined with frequency {ratio}, expected {expected}"
            );
        }
    }

    #[test]
    fn large_sparse_graphs_are_quick() {
        let graph = geometric(200_000, 0.003, 1).unwrap();
        assert!((500_000..620_000).contains(&graph.edge_count()));
    }
}
