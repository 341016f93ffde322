//! Weights of a gossip matrix: symmetric, non-negative, with rows that sum to exactly 1 and support
//! on the edges and the diagonal.

mod custom;
mod error;
pub(crate) mod stochastic;
mod text;

pub use custom::CustomWeights;
pub use error::WeightError;

use crate::Graph;
use std::{iter::successors, sync::Arc};

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
        let levels = successors(Some(&weights), |scheme| match scheme {
            WeightScheme::Lazy(inner) => Some(&**inner),
            _ => None,
        });
        let depth = levels.clone().count() - 1;
        if depth > WeightScheme::MAX_LAZY {
            return Err(WeightError::TooLazy { depth });
        }
        match levels.last() {
            Some(WeightScheme::Custom(custom)) if !custom.is_for(&graph) => {
                Err(WeightError::OtherGraph)
            }
            _ => Ok(Self { graph, weights }),
        }
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
