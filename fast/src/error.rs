//! What can be wrong with a question to the engine.

use muffliato_model::{AbsorptionError, GraphError, ObserverError, ProtocolError, WeightError};

/// Why the engine could not answer. Messages name the place and the remedy.
///
/// ```
/// use muffliato_fast::{FastError, SparseWeights};
/// use muffliato_model::Network;
///
/// let network = Network::metropolis("path:3".parse()?)?;
/// let weights = SparseWeights::of_network(&network)?;
/// let refused = weights.apply(&[1.0, 2.0], 1, &mut [0.0; 3]);
/// assert!(matches!(refused, Err(FastError::WrongLength { given: 2, expected: 3, .. })));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum FastError {
    /// The protocol makes no sense.
    #[error(transparent)]
    Protocol(#[from] ProtocolError),
    /// The observer is not part of the protocol.
    #[error(transparent)]
    Observer(#[from] ObserverError),
    /// A weight scheme that this engine does not know.
    #[error("the fast engine does not know the weight scheme {scheme}")]
    UnknownScheme {
        /// The scheme.
        scheme: String,
    },
    /// A list has another length than it needs.
    #[error("{given} {what} were given, {expected} are needed")]
    WrongLength {
        /// What the list holds.
        what: &'static str,
        /// Its length.
        given: usize,
        /// The length that is needed.
        expected: usize,
    },
    /// A parameter is outside its range.
    #[error("{parameter} is {value}, but {expected}")]
    BadParameter {
        /// The parameter's name.
        parameter: &'static str,
        /// Its value.
        value: String,
        /// What would be accepted.
        expected: &'static str,
    },
    /// A value is NaN or infinite.
    #[error("the {what} of node {node} is {value}; give a finite number")]
    NotFinite {
        /// What it is.
        what: &'static str,
        /// Whose.
        node: usize,
        /// The value.
        value: f64,
    },
    /// Fractions or Lipschitz constants that make no sense.
    #[error(transparent)]
    Absorption(#[from] AbsorptionError),
    /// What is left of a deviation is heard.
    #[error(
        "what is left of the deviation of node {node} at time {time} is heard by the observer; absorb all of it there, or before it arrives"
    )]
    NotAbsorbed {
        /// When it is sent.
        time: usize,
        /// By whom.
        node: usize,
    },
    /// A deviation cannot move along this mask.
    #[error(
        "no flow from node {from} to node {to} in round {round}: it takes an edge of the mask graph that no observer is at, a round that uses the data, and an amount that is not negative"
    )]
    NoFlow {
        /// In which round.
        round: usize,
        /// From whom.
        from: usize,
        /// To whom.
        to: usize,
    },
    /// A source is not a node of the protocol.
    #[error("source {source_node} is outside 0..{nodes}; nodes are numbered from 0")]
    SourceOutOfRange {
        /// The source.
        source_node: usize,
        /// How many nodes there are.
        nodes: usize,
    },
    /// A source is one of the observers, who know their own input anyway.
    #[error("node {node} is both source and observer; a node keeps no secret from itself")]
    SourceObserves {
        /// The node.
        node: usize,
    },
    /// The formula does not apply to the protocol.
    #[error("{formula} does not apply to this protocol: {reason}")]
    NotApplicable {
        /// The formula.
        formula: &'static str,
        /// Why, and what to use instead.
        reason: &'static str,
    },
    /// The gossip matrix has no spectral gap.
    #[error("the spectral gap is 0 ({reason}), so gossip does not converge; {remedy}")]
    NoGap {
        /// Why.
        reason: &'static str,
        /// What to use instead.
        remedy: &'static str,
    },
    /// More memory than allowed.
    #[error("this needs about {bytes} bytes, more than the limit of {limit}; {remedy}")]
    TooMuchMemory {
        /// The estimate.
        bytes: u128,
        /// The limit.
        limit: u128,
        /// What helps.
        remedy: &'static str,
    },
    /// The caller asked to stop.
    #[error("cancelled")]
    Cancelled,
    /// A graph could not be made.
    #[error(transparent)]
    Graph(#[from] GraphError),
    /// Weights do not fit their graph.
    #[error(transparent)]
    Weights(#[from] WeightError),
    /// Noise that was given in advance lacks a draw.
    #[error(
        "no noise of {width} coordinates was given for node {node} at step {step}; give one block for each step that draws noise"
    )]
    NoiseNotGiven {
        /// The node.
        node: usize,
        /// The step.
        step: usize,
        /// How many coordinates were asked for.
        width: usize,
    },
    /// The operating system's generator failed.
    #[error("the operating system gave no random bytes: {reason}")]
    SystemRandomness {
        /// What it said.
        reason: String,
    },
    /// A value is too far away for a grid. It is not named, as it may be private.
    #[error(
        "the value in coordinate {coordinate} is not finite or more than 2^52 steps of {step} from 0; choose a coarser grid or smaller values"
    )]
    OffGrid {
        /// The first such coordinate.
        coordinate: usize,
        /// The step of the grid.
        step: f64,
    },
    /// An iteration was stopped before it converged.
    #[error(
        "the spectral gap has not converged after {iterations} iterations (it is at most about {estimate:e}, with a residual of {residual:e}); allow more iterations or a larger tolerance"
    )]
    NotConverged {
        /// How many iterations were made.
        iterations: usize,
        /// The residual that they reached.
        residual: f64,
        /// The gap as it looked then; the true one is not larger, up to rounding.
        estimate: f64,
    },
    /// A group without members.
    #[error("no source was given; name at least one node whose input is protected")]
    NoSource,
    /// The formula divides by the weight of an edge.
    #[error(
        "the edge {u}-{v} has weight 0, and the bound divides by it; give it a positive weight or remove it"
    )]
    ZeroWeight {
        /// One end.
        u: usize,
        /// The other end.
        v: usize,
    },
    /// The formula needs somebody to hear the observer's neighbours.
    #[error(
        "observer {observer} has no neighbour outside; the bound is not defined (nothing is leaked)"
    )]
    NoNeighbour {
        /// The observer.
        observer: String,
    },
    /// More arithmetic than allowed.
    #[error(
        "this takes about {products} products of machine words, more than the limit of {limit}; take fewer steps or raise the limit"
    )]
    TooMuchWork {
        /// The estimate.
        products: u128,
        /// The limit.
        limit: u128,
    },
}
