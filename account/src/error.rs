//! What can be wrong with a question.

use muffliato_fast::FastError;
use muffliato_model::{GraphError, ObserverError, ProtocolError, WeightError};
use muffliato_reference::ReferenceError;

/// Why there is no answer. Messages name the place and the remedy.
///
/// ```
/// use muffliato_account::{Account, AccountError};
/// use muffliato_model::{Network, Protocol};
///
/// let protocol = Protocol::one_shot(Network::metropolis("path:3".parse()?)?, 2)?;
/// let refused = Account::of(&protocol)?.loss(1, 1);
/// assert!(matches!(refused, Err(AccountError::AllObserve)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AccountError {
    /// The exact engine refused.
    #[error(transparent)]
    Reference(#[from] ReferenceError),
    /// The fast engine refused, or was cancelled.
    #[error(transparent)]
    Fast(#[from] FastError),
    /// The protocol makes no sense.
    #[error(transparent)]
    Protocol(#[from] ProtocolError),
    /// An observer is not part of the protocol.
    #[error(transparent)]
    Observer(#[from] ObserverError),
    /// The graph of all steps is too large.
    #[error(transparent)]
    Graph(#[from] GraphError),
    /// Weights do not fit their graph.
    #[error(transparent)]
    Weights(#[from] WeightError),
    /// A certificate is about one pair.
    #[error(
        "a certificate is about one claim, and the question has {pairs} pairs; name one observer or coalition, and one source or group"
    )]
    OneClaim {
        /// How many pairs there are.
        pairs: usize,
    },
    /// There is no alibi for noise that is drawn once, beyond the exact engine.
    #[error(
        "noise that is drawn once has no certificate beyond the reach of the exact engine; take a smaller graph or fewer steps, or fresh noise"
    )]
    NoCertificate,
    /// Attacks are found by the exact engine.
    #[error(
        "the exact engine does not reach so far to find an attack; take a smaller graph or fewer steps"
    )]
    NoAttack,
    /// The checker did not accept a certificate that was just made.
    #[error("the certificate was not accepted: {0}")]
    Refused(muffliato_certificate::Refusal),
    /// Nobody is left to be protected.
    #[error(
        "all protected nodes observe, and a node keeps no secret from itself; name another source, group or observer"
    )]
    AllObserve,
    /// A protected node is no node.
    #[error("source {node} is outside 0..{nodes}; nodes are numbered from 0")]
    NoSuchSource {
        /// The node.
        node: usize,
        /// How many nodes there are.
        nodes: usize,
    },
    /// Nobody was named.
    #[error("no {what} was named; name at least one node")]
    Nobody {
        /// Observer or source.
        what: &'static str,
    },
    /// The paper's view is that of one node.
    #[error("the paper's view is about one observer; a coalition has the full view")]
    CoalitionOnPaper,
    /// All pairs do not fit into memory.
    #[error("{pairs} pairs would take about {} GB of memory; name fewer observers or sources, or ask for the summary by distance", pairs / 8_000_000)]
    TooManyPairs {
        /// How many there are.
        pairs: usize,
    },
    /// No pair is that far apart.
    #[error("no pair is at distance {from} or more; the farthest are at {farthest}")]
    NoPair {
        /// The distance.
        from: usize,
        /// The largest distance.
        farthest: usize,
    },
    /// A maximum over a sample promises nothing.
    #[error(
        "only {observers} of {of} nodes were looked at, and others may learn more: a maximum over some promises nothing; take all observers, or say that you want the sample"
    )]
    Sampled {
        /// How many observers were looked at.
        observers: usize,
        /// How many there are.
        of: usize,
    },
    /// A mean promises nothing to a single pair.
    #[error(
        "a mean over the sources promises nothing to a single pair; protect all pairs, or those from a distance on"
    )]
    MeanIsNoPromise,
    /// The mean is about all sources.
    #[error("the mean is over all sources; leave sources and groups out")]
    MeanOfSome,
    /// More work than one wants to wait for.
    #[error("{observers} observers take about {hours:.1} hours (an estimate); {remedy}")]
    TooMuchWork {
        /// How many observe.
        observers: usize,
        /// The estimate.
        hours: f64,
        /// What helps.
        remedy: &'static str,
    },
    /// The best size of masks takes longer to find than one wants to wait.
    #[error(
        "the best size of masks is that of the smallest expected error, which takes about {hours:.1} hours on {nodes} nodes (an estimate); name it, as in masked:3, or take fewer steps"
    )]
    TooLongSearch {
        /// How many nodes there are.
        nodes: usize,
        /// The estimate.
        hours: f64,
    },
    /// The time that was given is up.
    #[error(
        "the time is up after {done} of {of} observers; give it more time, or name fewer observers"
    )]
    OutOfTime {
        /// How many observers are finished.
        done: usize,
        /// Of how many.
        of: usize,
    },
    /// There is no rule for the number of steps.
    #[error("no rule says how many steps are enough on a graph that changes; give a number")]
    StepsUnknown,
    /// A random schedule without an edge.
    #[error("no edge was active; take more steps")]
    NoActiveEdge,
    /// The threads could not be started.
    #[error("{threads} threads could not be started; ask for fewer")]
    Threads {
        /// How many were asked for.
        threads: usize,
    },
    /// Two summaries are not about the same question.
    #[error(
        "the summaries are about different questions ({what} differs); merge shards of one account only"
    )]
    Unlike {
        /// What differs.
        what: &'static str,
    },
    /// Two parts have an observer in common.
    #[error(
        "the parts have observers in common, who would be counted twice; merge each shard once"
    )]
    Overlap,
    /// A text is no summary, or no loss.
    #[error("this is no summary of an account, and no loss of one: {reason}")]
    NoSummary {
        /// What is wrong with it.
        reason: String,
    },
    /// A parameter is outside its range.
    #[error("{parameter} is {value}, but {expected}")]
    BadParameter {
        /// Its name.
        parameter: &'static str,
        /// Its value.
        value: String,
        /// What would be accepted.
        expected: &'static str,
    },
}

impl AccountError {
    /// Whether the caller asked to stop.
    pub fn is_cancelled(&self) -> bool {
        matches!(self, Self::Fast(FastError::Cancelled))
    }
}
