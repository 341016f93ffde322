//! What can be wrong with a question to the engine.

use muffliato_model::{AbsorptionError, GraphError, ObserverError, ProtocolError};

/// Why the engine could not answer. Messages name the place and the remedy.
///
/// ```
/// use muffliato_model::{Network, Observer, Protocol, WeightScheme, families};
/// use muffliato_reference::{Process, ReferenceError};
///
/// let path = Network::try_new(families::path(3)?, WeightScheme::Metropolis)?;
/// let view = Process::run(&Protocol::one_shot(path, 2)?)?.view(&Observer::full(2))?;
/// assert_eq!(view.leakage(2), Err(ReferenceError::SourceObserves { node: 2 }));
/// assert_eq!(view.leakage(3), Err(ReferenceError::SourceOutOfRange { source_node: 3, nodes: 3 }));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ReferenceError {
    /// The protocol makes no sense.
    #[error(transparent)]
    Protocol(#[from] ProtocolError),
    /// The graphs of a time-varying protocol are too many.
    #[error(transparent)]
    Graph(#[from] GraphError),
    /// The observer is not part of the protocol.
    #[error(transparent)]
    Observer(#[from] ObserverError),
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
    /// A change of draws that does not explain a change of inputs.
    #[error(
        "the shifts are no alibi: the message or the draw of node {node} at time {time} gives it away"
    )]
    NoAlibi {
        /// When.
        time: usize,
        /// Whose.
        node: usize,
    },
    /// An attack uses what the observer does not see.
    #[error("the observer sees no message and knows no draw of node {node} at time {time}")]
    NotObserved {
        /// When.
        time: usize,
        /// Whose.
        node: usize,
    },
    /// A flow along a mask that is not there, that an observer knows, or that carries more than there is.
    #[error(
        "nothing can flow from {from} to {to} in round {round}: they share no mask that the observers do not know, or more leaves the node than arrives"
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
    /// A group without members.
    #[error("no source was given; name at least one node whose input is protected")]
    NoSource,
    /// More inputs than signs can be enumerated for.
    #[error(
        "{inputs} inputs of mixed correlation are too many to enumerate all signs (the limit is {limit}); use the upper bound for vectors, which needs no enumeration"
    )]
    TooManyInputs {
        /// The inputs: sources times rounds.
        inputs: usize,
        /// The most that are enumerated.
        limit: usize,
    },
    /// The formula is not about this protocol.
    #[error("{formula} does not apply to this protocol: {reason}")]
    NotApplicable {
        /// The formula.
        formula: &'static str,
        /// Why, and what to use instead.
        reason: &'static str,
    },
    /// A weight scheme that this engine does not know.
    #[error("the reference engine does not know the weight scheme {scheme}")]
    UnknownScheme {
        /// The scheme.
        scheme: String,
    },
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
    /// A list that goes with the nodes, the rounds or the edges has another length.
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
    /// The gossip matrix has no spectral gap, so that gossip does not converge to the mean.
    #[error("the spectral gap is 0 ({reason}), so gossip does not converge; {remedy}")]
    NoGap {
        /// Why.
        reason: &'static str,
        /// What to use instead.
        remedy: &'static str,
    },
    /// One node has nobody to gossip with.
    #[error("a graph of one node has no spectral gap; give at least two nodes")]
    SingleNode,
    /// The exact computation would take too much memory.
    #[error(
        "the exact state of {nodes} nodes over {steps} steps has {entries} numbers, more than {limit}; use fewer nodes or steps, or the fast engine"
    )]
    TooLarge {
        /// The nodes.
        nodes: usize,
        /// The steps.
        steps: usize,
        /// The numbers that would be stored.
        entries: u128,
        /// The most that are stored.
        limit: u128,
    },
    /// The exact computation would take longer than was allowed.
    #[error(
        "the exact losses of this view take about {work} operations on machine words, more than {limit}; allow more, or use the fast engine"
    )]
    TooMuchWork {
        /// The operations that it would take.
        work: u128,
        /// The most that were allowed.
        limit: u128,
    },
}
