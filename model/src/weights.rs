//! Weights of a gossip matrix: symmetric, non-negative, with rows that sum to exactly 1 and support
//! on the edges and the diagonal.

mod error;
pub(crate) mod stochastic;
mod text;

pub use error::WeightError;
use error::fraction_text;

use crate::Graph;
use std::sync::Arc;
use stochastic::{check_stochastic, entry_place};

/// Weights that a gossip step puts on the edges of a graph. The engines do the arithmetic.
///
/// The textual forms are `metropolis`, `max-degree-inverse`, `lazy` (the lazy version of
/// Metropolis) and `lazy:SCHEME`. Custom weights have no such form.
///
/// ```
/// use muffliato_model::WeightScheme;
///
/// let lazy: WeightScheme = "lazy".parse()?;
/// assert_eq!(lazy, WeightScheme::Lazy(Box::new(WeightScheme::Metropolis)));
/// assert_eq!(lazy.to_string(), "lazy:metropolis");
/// # Ok::<(), muffliato_model::WeightError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum WeightScheme {
    /// `W_uv = 1 / (1 + max(d_u, d_v))`. Its diagonal is positive, so it is never periodic. The
    /// paper's experiments call it the Hamilton scheme.
    Metropolis,
    /// `W_uv = 1 / max(d_u, d_v)`, as in the caption of the paper's Table 1. On a bipartite regular
    /// graph it has the eigenvalue -1, and so no spectral gap.
    MaxDegreeInverse,
    /// `(I + W) / 2` for the W of another scheme.
    Lazy(Box<WeightScheme>),
    /// Weights given by the user.
    Custom(CustomWeights),
}

/// Validated weights over one common denominator, for one graph.
///
/// ```
/// use muffliato_model::{CustomWeights, Graph, WeightError};
///
/// let graph = Graph::try_new(3, [(0, 1), (1, 2)])?;
/// let quarters = [(0, 0, 2), (0, 1, 2), (1, 0, 2), (1, 1, 1), (1, 2, 1), (2, 1, 1), (2, 2, 3)];
/// assert!(CustomWeights::try_new(&graph, 4, quarters).is_ok());
///
/// let wrong = CustomWeights::try_new(&graph, 2, [(0, 0, 1), (0, 1, 1), (1, 0, 1), (1, 1, 1), (2, 2, 1)]);
/// assert_eq!(wrong, Err(WeightError::RowSum { row: 2, sum: "1/2".into() }));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CustomWeights {
    denominator: i128,
    diagonal: Vec<i128>,
    /// One numerator for each entry of the graph's adjacency, in its order.
    off_diagonal: Vec<i128>,
    /// The fingerprint of the graph's adjacency.
    fingerprint: u64,
}

impl CustomWeights {
    /// Creates the matrix with `numerator / denominator` at each given (row, column) and 0
    /// elsewhere. Returns `Ok` exactly if it is symmetric, non-negative, zero outside the edges and
    /// the diagonal, and each row sums to 1.
    ///
    /// # Errors
    ///
    /// Returns an error with the position of the first violation.
    pub fn try_new(
        graph: &Graph,
        denominator: i128,
        entries: impl IntoIterator<Item = (usize, usize, i128)>,
    ) -> Result<Self, WeightError> {
        if denominator <= 0 {
            return Err(WeightError::Denominator { denominator });
        }
        let nodes = graph.nodes();
        let (offsets, targets) = graph.adjacency();
        let mut diagonal = vec![None; nodes];
        let mut off_diagonal = vec![None; targets.len()];
        for (row, column, numerator) in entries {
            if row >= nodes || column >= nodes {
                return Err(WeightError::OutOfRange { row, column, nodes });
            }
            let slot = if row == column {
                &mut diagonal[row]
            } else if let Some(place) = entry_place(offsets, targets, row, column) {
                &mut off_diagonal[place]
            } else if numerator == 0 {
                continue;
            } else {
                let value = fraction_text(numerator, denominator);
                return Err(WeightError::NoEdge { row, column, value });
            };
            if slot.replace(numerator).is_some() {
                return Err(WeightError::Repeated { row, column });
            }
        }
        let filled =
            |slots: Vec<Option<i128>>| slots.into_iter().map(Option::unwrap_or_default).collect();
        let weights = Self {
            denominator,
            diagonal: filled(diagonal),
            off_diagonal: filled(off_diagonal),
            fingerprint: fingerprint(graph),
        };
        check_stochastic(offsets, targets, &weights.diagonal, &weights.off_diagonal, denominator)
            .map_err(|flaw| WeightError::of_flaw(flaw, denominator))?;
        Ok(weights)
    }

    /// Returns the common denominator of all weights.
    pub fn denominator(&self) -> i128 {
        self.denominator
    }

    /// Returns the numerators on the diagonal.
    pub fn diagonal(&self) -> &[i128] {
        &self.diagonal
    }

    /// Returns the numerators of the edges, one per entry of [`Graph::adjacency`], in its order.
    pub fn off_diagonal(&self) -> &[i128] {
        &self.off_diagonal
    }
}

/// Returns a hash of the adjacency (64-bit FNV-1a) that identifies the graph.
fn fingerprint(graph: &Graph) -> u64 {
    let (offsets, targets) = graph.adjacency();
    let words = offsets.iter().map(|&offset| offset as u64);
    words
        .chain(targets.iter().map(|&target| u64::from(target)))
        .flat_map(u64::to_le_bytes)
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        })
}

impl WeightScheme {
    /// Largest number of nested `lazy` levels.
    pub const MAX_LAZY: usize = 64;
}

/// A graph with weights, for one synchronous gossip step. Cheap to clone.
///
/// ```
/// use muffliato_model::{CustomWeights, Network, WeightError, WeightScheme, families};
///
/// let network = Network::metropolis("path:3".parse()?)?;
/// assert_eq!(network.graph().degree(1), 2);
/// assert_eq!(network.weights(), &WeightScheme::Metropolis);
///
/// // Custom weights belong to the graph that they were made for.
/// let keep = CustomWeights::try_new(&families::path(2)?, 1, [(0, 0, 1), (1, 1, 1)])?;
/// let other = Network::try_new(families::path(3)?, WeightScheme::Custom(keep));
/// assert_eq!(other, Err(WeightError::OtherGraph));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Network {
    graph: Arc<Graph>,
    weights: WeightScheme,
}

impl Network {
    /// Combines a graph and weights.
    ///
    /// # Errors
    ///
    /// Returns an error if custom weights belong to another graph, or if a scheme is nested too
    /// deeply.
    pub fn try_new(
        graph: impl Into<Arc<Graph>>,
        weights: WeightScheme,
    ) -> Result<Self, WeightError> {
        let graph = graph.into();
        let mut scheme = &weights;
        let mut depth = 0;
        while let WeightScheme::Lazy(inner) = scheme {
            scheme = inner;
            depth += 1;
        }
        if depth > WeightScheme::MAX_LAZY {
            return Err(WeightError::TooLazy { depth });
        }
        if let WeightScheme::Custom(custom) = scheme
            && custom.fingerprint != fingerprint(&graph)
        {
            return Err(WeightError::OtherGraph);
        }
        Ok(Self { graph, weights })
    }

    /// Combines a graph with Metropolis weights, which fit every graph.
    ///
    /// # Errors
    ///
    /// Never returns an error for a valid graph.
    pub fn metropolis(graph: Graph) -> Result<Self, WeightError> {
        Self::try_new(graph, WeightScheme::Metropolis)
    }

    /// Returns the graph.
    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    /// Returns a shared reference to the graph.
    pub fn shared_graph(&self) -> Arc<Graph> {
        Arc::clone(&self.graph)
    }

    /// Returns the weights.
    pub fn weights(&self) -> &WeightScheme {
        &self.weights
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path3() -> Graph {
        Graph::try_new(3, [(0, 1), (1, 2)]).unwrap()
    }

    #[test]
    fn every_flaw_is_named_with_its_place() {
        for (denominator, rows, flaw) in [
            (
                6,
                [[3, 3, 0], [2, 2, 2], [0, 2, 4]],
                "row 0, column 1 is 1/2, but at row 1, column 0 it is 1/3",
            ),
            (
                2,
                [[3, -1, 0], [-1, 2, 1], [0, 1, 1]],
                "row 0, column 1 is -1/2; weights must not be negative",
            ),
            (10, [[5, 5, 0], [5, 5, 1], [0, 1, 9]], "row 1 of the weights sums to 11/10"),
            (
                2,
                [[1, 0, 1], [0, 2, 0], [1, 0, 1]],
                "row 0, column 2 is 1/2, but the graph has no edge 0-2",
            ),
            (0, [[0; 3]; 3], "denominator of the weights is 0"),
            (1, [[i128::MAX, 1, 0], [1, 0, 0], [0, 0, 1]], "of at most 127 bits"),
        ] {
            let row = |v: usize| (0..3).map(move |w| (v, w, rows[v][w]));
            let refused = CustomWeights::try_new(&path3(), denominator, (0..3).flat_map(row));
            let refused = refused.unwrap_err().to_string();
            assert!(refused.contains(flaw), "{refused}");
        }
        let (row, column, nodes) = (0, 3, 3);
        let outside = CustomWeights::try_new(&path3(), 1, [(row, column, 1)]);
        assert_eq!(outside, Err(WeightError::OutOfRange { row, column, nodes }));
        let twice = CustomWeights::try_new(&path3(), 1, [(0, 0, 1), (0, 0, 1)]);
        assert_eq!(twice, Err(WeightError::Repeated { row: 0, column: 0 }));
    }

    #[test]
    fn custom_weights_belong_to_their_graph() {
        let identity = CustomWeights::try_new(&path3(), 1, (0..3).map(|v| (v, v, 1))).unwrap();
        let network = |graph: Graph, weights| Network::try_new(graph, weights);
        assert!(network(path3(), WeightScheme::Custom(identity.clone())).is_ok());
        let lazy = WeightScheme::Lazy(Box::new(WeightScheme::Custom(identity)));
        let other = Graph::try_new(3, [(0, 2), (1, 2)]).unwrap();
        assert_eq!(network(other, lazy.clone()), Err(WeightError::OtherGraph));
        let lazier = (0..70).fold(lazy, |scheme, _| WeightScheme::Lazy(Box::new(scheme)));
        assert_eq!(network(path3(), lazier), Err(WeightError::TooLazy { depth: 71 }));
    }

    #[test]
    fn schemes_have_a_textual_form() {
        for text in
            ["metropolis", "max-degree-inverse", "lazy:metropolis", "lazy:lazy:max-degree-inverse"]
        {
            assert_eq!(text.parse::<WeightScheme>().unwrap().to_string(), text);
        }
        assert_eq!("lazy".parse::<WeightScheme>(), "lazy:metropolis".parse());
        assert!("custom".parse::<WeightScheme>().is_err());
        assert!(format!("{}metropolis", "lazy:".repeat(100_000)).parse::<WeightScheme>().is_err());
    }
}
