//! What can be wrong with a question to the engine.

use muffliato_model::{ObserverError, ProtocolError};

/// Why the engine could not answer. Messages name the place and the remedy.
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
