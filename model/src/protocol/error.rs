//! Errors of protocols.

use super::MAX_STEPS;
use crate::{Fraction, FractionError, GraphError, ObserverError};

/// An invalid protocol.
///
/// ```
/// use muffliato_model::{Protocol, ProtocolError, families};
///
/// let error = Protocol::randomized(families::path(3)?, vec![(0, 1), (0, 2)]);
/// assert_eq!(error, Err(ProtocolError::NoSuchEdge { step: 1, u: 0, v: 2 }));
/// # Ok::<(), muffliato_model::GraphError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the messages say what the fields are")]
pub enum ProtocolError {
    /// The protocol has no gossip steps.
    #[error("a protocol of 0 gossip steps sends nothing; give at least 1 step")]
    NoSteps,
    /// Gradient descent has no rounds.
    #[error("gradient descent of 0 rounds sends nothing; give at least 1 round")]
    NoRounds,
    /// More than [`MAX_STEPS`] gossip steps in all rounds together.
    #[error("{} are too many; take {MAX_STEPS} at most", steps_of(*rounds, *gossip_steps))]
    TooManySteps { rounds: usize, gossip_steps: usize },
    /// The networks have different sizes.
    #[error(
        "network {index} has {found} nodes, the first one has {expected}; all steps need the same nodes"
    )]
    NodeCount { index: usize, found: usize, expected: usize },
    /// The edge of a step is not in the graph.
    #[error("step {step} uses the edge {u}-{v}, which the graph does not have")]
    NoSuchEdge { step: usize, u: usize, v: usize },
    /// tau is not positive.
    #[error(
        "the refresh noise tau is {tau}; it must be positive (without it, use the protocol as it is)"
    )]
    Refresh { tau: Fraction },
    /// g is outside its range.
    #[error("the acceleration g is {g}; it must lie between 1 and 2")]
    Acceleration { g: Fraction },
    /// Randomized gossip has no Chebyshev recursion.
    #[error(
        "randomized gossip cannot be accelerated by the Chebyshev recursion; use a synchronous protocol"
    )]
    AcceleratedRandomized,
    /// The number of reaction factors is not the number of nodes.
    #[error("{given} reaction factors were given for {nodes} nodes; give 1 - nu a_w for each node")]
    Reactions { given: usize, nodes: usize },
    /// The period of participation is 0.
    #[error("data used in every 0-th round is never used; give every=1 for all rounds, or more")]
    NeverUsed,
    /// The sampling rate is not a probability above 0.
    #[error("the sampling rate is {rate}; it must be above 0 and at most 1")]
    SamplingRate { rate: Fraction },
    /// Secret sampling on a changing graph.
    #[error(
        "secret sampling is accounted for on one network that all rounds use; leave the sampling out, or fix the network"
    )]
    SampledChanging,
    /// kappa is not positive.
    #[error(
        "the size kappa of the masks is {kappa}; it must be positive (without masks, use the protocol as it is)"
    )]
    Mask { kappa: Fraction },
    /// The mask graph has another size than the protocol.
    #[error(
        "the mask graph has {given} nodes, the protocol has {nodes}; masks are shared by its nodes"
    )]
    MaskGraph { given: usize, nodes: usize },
    /// A plan has another number of variances than there are nodes.
    #[error("the plan has {given} {what} variances for {nodes} nodes; give one for each node")]
    PlanLength { what: &'static str, given: usize, nodes: usize },
    /// A mask of a plan is not on an edge, or its edge has two masks.
    #[error(
        "the plan has no single mask for an edge {u}-{v}; give each edge of two different nodes once, the smaller one first"
    )]
    PlanEdge { u: usize, v: usize },
    /// A variance of a plan is negative.
    #[error("the plan has the variance {variance}; give numbers of at least 0")]
    NegativeVariance { variance: Fraction },
    /// The square of a size is too long.
    #[error(transparent)]
    Size(#[from] FractionError),
    /// The mask graph cannot be built.
    #[error(transparent)]
    Graph(#[from] GraphError),
    /// The observer is not part of the protocol.
    #[error(transparent)]
    Observer(#[from] ObserverError),
}

/// Formats the number of gossip steps for an error message.
fn steps_of(rounds: usize, gossip_steps: usize) -> String {
    if rounds == 1 {
        format!("{gossip_steps} gossip steps")
    } else {
        format!("{rounds} rounds of {gossip_steps} gossip steps")
    }
}
