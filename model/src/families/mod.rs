//! Graph families: deterministic shapes, random graphs and two social networks.
//!
//! | family | nodes | edges | degree |
//! | --- | --- | --- | --- |
//! | [`path`] | n | n - 1 | 2, at the ends 1 |
//! | [`ring`] | n >= 3 | n | 2 |
//! | [`complete`] | n | n (n - 1) / 2 | n - 1 |
//! | [`star`] | n | n - 1 | 1, at the centre n - 1 |
//! | [`grid`] | product of the sides | | up to 2 for each side |
//! | [`torus`] | product of the sides, each >= 3 | | 2 for each side |
//! | [`hypercube`] | 2^d | d 2^(d - 1) | d |
//! | [`erdos_renyi`], [`erdos_renyi_connected`] | n | q n (n - 1) / 2 in the mean | |
//! | [`geometric`] | n | | |
//! | [`random_regular`] | n | n d / 2 | d |
//! | [`karate`] | 34 | 78 | |
//! | [`florentine`] | 15 | 20 | |
//!
//! Every function checks the size before it allocates. It returns [`GraphError::TooLarge`] beyond
//! [`Graph::MAX_NODES`](crate::Graph::MAX_NODES) or [`Graph::MAX_EDGES`](crate::Graph::MAX_EDGES),
//! [`GraphError::Empty`] without nodes, and [`GraphError::BadParameter`] for an invalid parameter.
//!
//! A random family gives the same graph for the same parameters and seed on every platform: its
//! bits come from ChaCha12, and they are processed with integers and the software logarithm of
//! `libm`.

mod deterministic;
mod random;
mod real;

pub use deterministic::{complete, grid, hypercube, path, ring, star, torus};
pub use random::{erdos_renyi, erdos_renyi_connected, geometric, random_regular};
pub use real::{florentine, karate};

use crate::GraphError;

/// Creates the error for an invalid parameter; `expected` completes "..., but".
pub(crate) fn bad_parameter(
    family: &'static str,
    parameter: &'static str,
    value: impl ToString,
    expected: impl Into<String>,
) -> GraphError {
    GraphError::BadParameter {
        family,
        parameter,
        value: value.to_string(),
        expected: expected.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Graph;

    /// FNV-1a over the number of nodes and the sorted edges.
    fn fingerprint(graph: &Graph) -> u64 {
        std::iter::once(graph.nodes())
            .chain(graph.edges().flat_map(|(u, v)| [u, v]))
            .flat_map(|number| (number as u64).to_le_bytes())
            .fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
                (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
            })
    }

    /// Detects changes of a random stream. Karate and florentine were compared with networkx 3.6.1,
    /// edge by edge.
    #[test]
    fn a_seed_gives_the_same_graph_for_good() {
        for (graph, frozen) in [
            (erdos_renyi(2048, 0.0074, 1), 6682191803286589266),
            (erdos_renyi_connected(50, 0.06, 1), 13964169025006500191),
            (geometric(2048, 0.07, 3), 8226069165461111223),
            (random_regular(1000, 8, 1), 2148460103277846416),
            (random_regular(10, 7, 1), 17385046352851810158),
            (karate(), 12975346636691516990),
            (florentine(), 16381515710715584736),
        ] {
            assert_eq!(fingerprint(&graph.unwrap()), frozen);
        }
    }

    #[test]
    fn invalid_parameters_are_named() {
        for (graph, message) in [
            (ring(2), "ring: n is 2, but a ring has at least 3 nodes; use path for fewer"),
            (grid(&[]), "grid: sides is empty, but at least one side is needed, as in 4 or 4x5"),
            (grid(&[4, 0]), "grid: side is 0, but every side has at least 1 node"),
            (
                torus(&[4, 2]),
                "torus: side is 2, but every side has at least 3 nodes; use grid for shorter sides",
            ),
            (random_regular(5, 5, 0), "regular: d is 5, but with n = 5 a degree is at most 4"),
            (
                random_regular(5, 3, 0),
                "regular: d is 3, but n d = 15 is odd; with n = 5 the degree must be even",
            ),
        ] {
            assert_eq!(graph.unwrap_err().to_string(), message);
        }
        let (nan, infinite) = (f64::NAN, f64::INFINITY);
        for bad in [
            torus(&[]),
            ring(0),
            erdos_renyi(5, nan, 0),
            erdos_renyi(5, -0.1, 0),
            erdos_renyi(5, infinite, 0),
            erdos_renyi_connected(5, 1.1, 0),
            erdos_renyi_connected(2, 0.0, 0),
            geometric(5, nan, 0),
            geometric(5, -0.1, 0),
            geometric(5, infinite, 0),
        ] {
            assert!(matches!(bad, Err(GraphError::BadParameter { .. })));
        }
        for empty in [
            path(0),
            complete(0),
            star(0),
            erdos_renyi(0, 0.5, 0),
            erdos_renyi_connected(0, 0.5, 0),
            geometric(0, 0.1, 0),
            random_regular(0, 0, 0),
        ] {
            assert_eq!(empty, Err(GraphError::Empty));
        }
    }

    #[test]
    fn sizes_are_checked_before_anything_is_allocated() {
        for large in [
            path(usize::MAX),
            ring(usize::MAX),
            star(usize::MAX),
            complete(usize::MAX),
            complete(1_000_000),
            grid(&[usize::MAX, 3]),
            grid(&[usize::MAX; 7]),
            torus(&[usize::MAX; 7]),
            torus(&[3; 40]),
            hypercube(26),
            hypercube(60),
            hypercube(128),
            hypercube(usize::MAX),
            erdos_renyi(1_000_000, 0.5, 0),
            erdos_renyi_connected(1_000_000, 0.5, 0),
            erdos_renyi(usize::MAX, 0.0, 0),
            geometric(1_000_000, 0.5, 0),
            geometric(1_000_000, 1e300, 0),
            geometric(usize::MAX, 0.0, 0),
            random_regular(usize::MAX, usize::MAX - 1, 0),
            random_regular(1_000_000, 1000, 0),
            random_regular(usize::MAX, 0, 0),
        ] {
            assert!(matches!(large, Err(GraphError::TooLarge { .. })));
        }
        let (nodes, edges) = (1_000_000, 499_999_500_000);
        let counted = GraphError::TooLarge { nodes, edges };
        assert_eq!(complete(1_000_000), Err(counted));
    }
}
