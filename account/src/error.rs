//! Errors of an account.

use muffliato_design::DesignError;
use muffliato_fast::FastError;
use muffliato_model::{GraphError, ObserverError, ProtocolError, WeightError};
use muffliato_reference::ReferenceError;

/// The reason why an account has no answer. Messages name the place and the remedy.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the messages say what the fields are")]
pub enum AccountError {
    /// The exact engine refused.
    #[error(transparent)]
    Reference(#[from] ReferenceError),
    /// The fast engine refused, or was cancelled.
    #[error(transparent)]
    Fast(#[from] FastError),
    /// The protocol is invalid.
    #[error(transparent)]
    Protocol(#[from] ProtocolError),
    /// An observer is not part of the protocol.
    #[error(transparent)]
    Observer(#[from] ObserverError),
    /// The graph of all steps is too large.
    #[error(transparent)]
    Graph(#[from] GraphError),
    /// The weights do not fit the graph.
    #[error(transparent)]
    Weights(#[from] WeightError),
    /// The solver of noise plans refused.
    #[error(transparent)]
    Design(#[from] DesignError),
    /// A noise plan takes longer than some seconds, and was not asked for.
    #[error("it takes long on this graph; muffliato plan or --plan-out finds it")]
    PlanTakesLong,
    /// A noise plan does not apply to the question.
    #[error("{reason}")]
    NoPlan { reason: &'static str },
    /// The question has several pairs; a certificate is about one.
    #[error(
        "a certificate is about one claim, and the question has {pairs} pairs; name one observer or coalition, and one source or group"
    )]
    OneClaim { pairs: usize },
    /// One-shot noise has a certificate only within reach of the exact engine.
    #[error(
        "noise that is drawn once has no certificate beyond the reach of the exact engine; take a smaller graph or fewer steps, or fresh noise"
    )]
    NoCertificate,
    /// The protocol is too large for the exact engine to find an attack.
    #[error(
        "the exact engine does not reach so far to find an attack; take a smaller graph or fewer steps"
    )]
    NoAttack,
    /// The checker refused a new certificate.
    #[error("the certificate was not accepted: {0}")]
    Refused(muffliato_certificate::Refusal),
    /// Every protected node observes.
    #[error(
        "all protected nodes observe, and a node keeps no secret from itself; name another source, group or observer"
    )]
    AllObserve,
    /// A source is outside the graph.
    #[error("source {node} is outside 0..{nodes}; nodes are numbered from 0")]
    NoSuchSource { node: usize, nodes: usize },
    /// An input is not one of the linear system.
    #[error("input {input} is outside 0..{inputs}; inputs are the columns of B, numbered from 0")]
    NoSuchInput { input: usize, inputs: usize },
    /// The view of a linear system shows a combination of inputs without noise.
    #[error(
        "the view shows these inputs without noise, so that their loss is infinite and has no certificate; add draws that are not known"
    )]
    Unhidden,
    /// The list of observers, sources or inputs is empty.
    #[error("no {what} was named; name at least one")]
    Nobody { what: &'static str },
    /// The paper's view is defined for single observers only.
    #[error("the paper's view is about one observer; a coalition has the full view")]
    CoalitionOnPaper,
    /// The pairs do not fit into memory.
    #[error("{pairs} pairs would take about {} GB of memory; name fewer observers or sources, or ask for the summary by distance", pairs / 8_000_000)]
    TooManyPairs { pairs: usize },
    /// No pair is this far apart.
    #[error(
        "no pair is at distance {from} or more; the farthest are at {farthest}; ask for a smaller distance"
    )]
    NoPair { from: usize, farthest: usize },
    /// A maximum over a sample promises nothing.
    #[error(
        "only {observers} of {of} nodes were looked at, and others may learn more: a maximum over some promises nothing; take all observers, or say that you want the sample"
    )]
    Sampled { observers: usize, of: usize },
    /// A mean promises nothing to a single pair.
    #[error(
        "a mean over the sources promises nothing to a single pair; protect all pairs, or those from a distance on"
    )]
    MeanIsNoPromise,
    /// The losses were read from a file.
    #[error(
        "these losses were read from a file, which anybody can write; ask an account for a guarantee"
    )]
    OnFile,
    /// The mean over some sources is not defined.
    #[error("the mean is over all sources; leave sources and groups out")]
    MeanOfSome,
    /// A mean of losses is not defined under secret sampling.
    #[error(
        "the mean of losses says nothing under secret sampling, which amplifies each loss by itself; protect all pairs, or those from a distance on"
    )]
    SampledMean,
    /// Secret sampling protects one record only.
    #[error(
        "secret sampling protects one record of one node, and {members} nodes were given; leave sample= out for groups"
    )]
    SampledGroup { members: usize },
    /// The work would take hours.
    #[error("{observers} observers take about {hours:.1} hours (an estimate); {remedy}")]
    TooMuchWork { observers: usize, hours: f64, remedy: &'static str },
    /// The search for the best size of masks would take hours.
    #[error(
        "the best size of masks is that of the smallest expected error, which takes about {hours:.1} hours on {nodes} nodes (an estimate); name it, as in masked:3, or take fewer steps"
    )]
    TooLongSearch { nodes: usize, hours: f64 },
    /// The deadline passed.
    #[error(
        "the time is up after {done} of {of} observers; give it more time, or name fewer observers"
    )]
    OutOfTime { done: usize, of: usize },
    /// No rule gives the number of steps.
    #[error("no rule says how many steps are enough on a graph that changes; give a number")]
    StepsUnknown,
    /// A random schedule activated no edge.
    #[error("no edge was active; take more steps")]
    NoActiveEdge,
    /// The threads could not be started.
    #[error("{threads} threads could not be started; ask for fewer")]
    Threads { threads: usize },
    /// Two summaries answer different questions.
    #[error(
        "the summaries are about different questions ({what} differs); merge shards of one account only"
    )]
    Unlike { what: &'static str },
    /// Two summaries have an observer in common.
    #[error(
        "the parts have observers in common, who would be counted twice; merge each shard once"
    )]
    Overlap,
    /// A text is not a summary.
    #[error("this is not a summary of an account: {reason}")]
    NoSummary { reason: String },
    /// A parameter is out of range.
    #[error("{parameter} is {value}, but {expected}")]
    BadParameter { parameter: &'static str, value: String, expected: &'static str },
}

impl AccountError {
    /// Creates the error of a parameter that is out of range.
    pub(crate) fn bad(
        parameter: &'static str,
        value: impl std::fmt::Display,
        expected: &'static str,
    ) -> Self {
        Self::BadParameter { parameter, value: value.to_string(), expected }
    }

    /// Returns `true` if the caller cancelled the work.
    pub fn is_cancelled(&self) -> bool {
        matches!(self, Self::Fast(FastError::Cancelled))
    }
}
