//! The error type of nodes.

use crate::FastError;

/// Reasons why a node cannot be created or refuses a message. A refused message changes nothing.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum NodeError {
    /// The sender is not a neighbour.
    #[error("a message came from {from}, who is not a neighbour")]
    Stranger {
        /// The sender.
        from: usize,
    },
    /// The message is for another step.
    #[error(
        "a message of step {step} came from {from}, but the node is in step {current} and takes messages of this step and the next, up to the last"
    )]
    WrongStep {
        /// The sender.
        from: usize,
        /// The step of the message.
        step: usize,
        /// The node's step.
        current: usize,
    },
    /// The sender has already sent for that step.
    #[error("a second message of step {step} came from {from}")]
    Duplicate {
        /// The sender.
        from: usize,
        /// The step of the message.
        step: usize,
    },
    /// The message has the wrong number of coordinates.
    #[error("a message of {given} coordinates came from {from}, {expected} are needed")]
    WrongWidth {
        /// The sender.
        from: usize,
        /// Number of coordinates received.
        given: usize,
        /// Number of coordinates expected.
        expected: usize,
    },
    /// The message contains NaN or an infinity.
    #[error("a message with the value {value} came from {from}; values must be finite")]
    NotFinite {
        /// The sender.
        from: usize,
        /// The value.
        value: f64,
    },
    /// The weights are not a row of a gossip matrix.
    #[error("the weights of node {node} are not a row of a gossip matrix: {reason}")]
    Weights {
        /// The node.
        node: usize,
        /// The reason.
        reason: &'static str,
    },
    /// One key is shared with two neighbours. Their masks would be equal and could cancel.
    #[error(
        "node {node} shares one key with {first} and {second}; agree on a separate key with each neighbour"
    )]
    EqualKeys {
        /// The node.
        node: usize,
        /// A neighbour.
        first: usize,
        /// A second neighbour with that key.
        second: usize,
    },
    /// An invalid parameter, a failure of the noise source, or an overflow.
    #[error(transparent)]
    Engine(#[from] FastError),
}
