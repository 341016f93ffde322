//! Erdos-Renyi graphs, drawn by skipping over absent edges.

use super::super::deterministic::pairs;
use super::stream::Stream;
use crate::families::bad_parameter;
use crate::{Graph, GraphError};

const FAMILY: &str = "erdos-renyi";
const MOST_DRAWS: usize = 1000;
const FEWEST_DRAWS: usize = 50;
/// Largest total number of nodes and edges that is drawn in search of a connected graph.
const SEARCH_SIZE: u128 = 1 << 27;

/// Draws the Erdos-Renyi graph G(n, q): each pair of the n nodes is an edge with probability q,
/// independently (up to the resolution 2^-53 of the uniform numbers).
///
/// The time is proportional to the number of nodes and edges.
///
/// The method is that of V. Batagelj and U. Brandes, "Efficient generation of large random
/// networks", Physical Review E 71 (2005), 036113.
///
/// # Errors
///
/// Returns [`GraphError::BadParameter`] unless `0 <= q <= 1`, and [`GraphError::TooLarge`] if the
/// expected number of edges is beyond the limit.
///
/// ```
/// use muffliato_model::families::erdos_renyi;
///
/// assert_eq!(erdos_renyi(100, 0.1, 7)?, erdos_renyi(100, 0.1, 7)?);
/// assert_ne!(erdos_renyi(100, 0.1, 7)?, erdos_renyi(100, 0.1, 8)?);
/// assert_eq!(erdos_renyi(5, 1.0, 7)?.edge_count(), 10);
/// # Ok::<(), muffliato_model::GraphError>(())
/// ```
pub fn erdos_renyi(n: usize, q: f64, seed: u64) -> Result<Graph, GraphError> {
    check(n, q)?;
    draw(n, q, &mut Stream::new(FAMILY, seed))
}

/// Draws the Erdos-Renyi graph G(n, q) conditioned on being connected: the first connected graph
/// among draws that continue the stream of [`erdos_renyi`].
///
/// At most 1000 graphs are drawn, and fewer (but at least 50) if they are large. With q = c ln n /
/// n and large n, most graphs are connected for c > 1 and few for c < 1.
///
/// # Errors
///
/// Returns the errors of [`erdos_renyi`], and [`GraphError::NotFound`] if no draw is connected.
pub fn erdos_renyi_connected(n: usize, q: f64, seed: u64) -> Result<Graph, GraphError> {
    let expected_edges = check(n, q)?;
    if q == 0.0 && n > 1 {
        let expected = "a connected graph with several nodes has edges; give a q above 0";
        return Err(bad_parameter(FAMILY, "q", q, expected));
    }
    let size = n as u128 + expected_edges;
    let draws = ((SEARCH_SIZE / size.max(1)) as usize).clamp(FEWEST_DRAWS, MOST_DRAWS);
    let mut stream = Stream::new(FAMILY, seed);
    for _ in 0..draws {
        let graph = draw(n, q, &mut stream)?;
        if graph.edge_count() + 1 >= n && graph.is_connected() {
            return Ok(graph);
        }
    }
    Err(GraphError::NotFound {
        family: FAMILY,
        wanted: "connected",
        draws,
        remedy: "raise q well above ln n / n, or take the giant component of any draw",
    })
}

/// Returns the expected number of edges, or an error if the parameters are invalid or the graph
/// would be too large.
fn check(n: usize, q: f64) -> Result<u128, GraphError> {
    if !(0.0..=1.0).contains(&q) {
        let expected = "it is a probability, from 0 to 1";
        return Err(bad_parameter(FAMILY, "q", q, expected));
    }
    let expected_edges = (q * pairs(n) as f64) as u128;
    Graph::check_size(n as u128, expected_edges)?;
    Ok(expected_edges)
}

/// Walks over the pairs (u, v) with u < v, row after row:
///
/// ```text
/// v = 1:  (0,1)
/// v = 2:  (0,2) (1,2)
/// v = 3:  (0,3) (1,3) (2,3)
/// ```
///
/// The number of pairs before the next edge is at least k with probability (1 - q)^k. So is
/// floor(ln x / ln(1 - q)) for x uniform on (0, 1], since it is at least k iff x <= (1 - q)^k.
fn draw(n: usize, q: f64, stream: &mut Stream) -> Result<Graph, GraphError> {
    if q == 0.0 {
        return Graph::try_new(n, []);
    }
    let log_absent = libm::log1p(-q);
    let (mut u, mut v) = (0_u64, 1);
    let edges = std::iter::from_fn(|| {
        // The cast saturates at the largest integer, which is beyond the last pair.
        let skipped = (libm::log(stream.unit()) / log_absent) as u64;
        u = u.saturating_add(skipped);
        while u >= v && v < n as u64 {
            u -= v;
            v += 1;
        }
        let edge = (u as usize, v as usize);
        u = u.saturating_add(1);
        (v < n as u64).then_some(edge)
    });
    Graph::try_new(n, edges)
}

#[cfg(test)]
mod tests {
    use super::super::chi_square::{FALSE_ALARM_RATE, assert_fits};
    use super::*;
    use crate::families::complete;

    /// Compares the frequencies of all 64 graphs on four nodes.
    #[test]
    fn small_graphs_follow_the_exact_law() {
        for q in [0.3, 0.5, 0.8] {
            let draws = 40_000;
            let mut observed = [0; 64];
            for seed in 0..draws {
                let graph = erdos_renyi(4, q, seed).unwrap();
                let code: usize = graph.edges().map(|(u, v)| 1 << (v * (v - 1) / 2 + u)).sum();
                observed[code] += 1;
            }
            let expected: Vec<f64> = (0..64_u32)
                .map(|code| {
                    let edges = code.count_ones() as i32;
                    draws as f64 * q.powi(edges) * (1.0 - q).powi(6 - edges)
                })
                .collect();
            assert_fits(&observed, &expected, 131.369);
        }
    }

    /// The number of edges is binomial. A normal law exceeds 4.89 standard deviations with
    /// probability 1e-6; 5.5 leave room for the binomial tails.
    #[test]
    fn edge_counts_are_within_five_and_a_half_standard_deviations() {
        for (n, q) in [(2000, 0.01), (2000, 0.5), (300, 0.99), (100_000, 1e-4)] {
            let graph = erdos_renyi(n, q, 5).unwrap();
            let mean = q * pairs(n) as f64;
            let deviation = (mean * (1.0 - q)).sqrt();
            let off = (graph.edge_count() as f64 - mean) / deviation;
            assert!(
                off.abs() < 5.5,
                "n = {n}, q = {q}: {} edges are {off} standard deviations from {mean} \
                 (false-alarm rate {FALSE_ALARM_RATE})",
                graph.edge_count()
            );
        }
    }

    #[test]
    fn probabilities_zero_one_and_the_smallest() {
        assert_eq!(erdos_renyi(30, 1.0, 3), complete(30));
        for q in [0.0, -0.0, f64::MIN_POSITIVE, 5e-324] {
            assert_eq!(erdos_renyi(1000, q, 3).unwrap().edge_count(), 0);
        }
        assert_eq!(erdos_renyi(1, 0.5, 0).unwrap().nodes(), 1);
        assert_eq!(erdos_renyi_connected(1, 0.0, 0).unwrap().nodes(), 1);
        for (n, q) in [(100, 0.001), (100_000, 1e-9)] {
            let none = erdos_renyi_connected(n, q, 0);
            assert!(matches!(none, Err(GraphError::NotFound { .. })));
        }
    }

    #[test]
    fn connected_graphs_are_the_first_connected_draws() {
        let mut redrawn = 0;
        for seed in 0..100 {
            let (n, q) = (12, 0.25);
            let first = erdos_renyi(n, q, seed).unwrap();
            let connected = erdos_renyi_connected(n, q, seed).unwrap();
            assert!(connected.is_connected());
            if first.is_connected() {
                assert_eq!(connected, first);
            } else {
                redrawn += 1;
            }
        }
        assert!((10..90).contains(&redrawn));
    }
}
