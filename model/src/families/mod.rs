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
//! Every function checks the size before it allocates and returns [`GraphError::TooLarge`]
//! beyond [`Graph::MAX_NODES`](crate::Graph::MAX_NODES) or
//! [`Graph::MAX_EDGES`](crate::Graph::MAX_EDGES), [`GraphError::Empty`] for no nodes, and
//! [`GraphError::BadParameter`] for a parameter that makes no sense.
//!
//! A random family gives the same graph for the same parameters and the same seed on every
//! platform: its bits come from ChaCha12, and what is computed from them uses integers and the
//! software logarithm of `libm`.

mod deterministic;
mod random;
mod real;

pub use deterministic::{complete, grid, hypercube, path, ring, star, torus};
pub use random::{erdos_renyi, erdos_renyi_connected, geometric, random_regular};
pub use real::{florentine, karate};

use crate::GraphError;

/// The error for a parameter that makes no sense; `expected` completes "..., but".
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
pub(crate) mod fingerprint {
    use crate::Graph;

    /// FNV-1a over the number of nodes and the sorted edges: frozen in tests, so that a change
    /// of a random stream shows.
    pub(crate) fn fingerprint(graph: &Graph) -> u64 {
        std::iter::once(graph.nodes())
            .chain(graph.edges().flat_map(|(u, v)| [u, v]))
            .flat_map(|number| (number as u64).to_le_bytes())
            .fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
                (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
            })
    }
}
