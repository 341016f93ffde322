//! The error types of nodes.

use crate::exchange::{Order, Refusal};
use muffliato_fast::FastError;
use muffliato_model::DropoutError;

/// Reasons why bytes are not a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the messages say what the fields are")]
pub enum DecodeError {
    /// There are fewer bytes than a header has.
    #[error("a message of {given} bytes came; a header alone has {needed}")]
    TooShort { given: usize, needed: usize },
    /// The version is not known.
    #[error("a message of version {version} came; this program speaks version {expected}", expected = crate::VERSION)]
    Version { version: u16 },
    /// The kind of message is not known.
    #[error("a message of the unknown kind {kind} came")]
    Kind { kind: u16 },
    /// The length in the header is not the number of bytes.
    #[error("a message says that it has {stated} bytes, but {given} came")]
    Length { stated: usize, given: usize },
    /// The payload does not have the size that its kind asks for.
    #[error("the payload has {given} bytes, which is no size of its kind")]
    Payload { given: usize },
    /// The message is longer than any of this run.
    #[error("a message of {stated} bytes came; the longest of this run has {most}")]
    TooLong { stated: usize, most: usize },
}

/// Reasons why a saved state is not restored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the messages say what the fields are")]
pub enum StateError {
    /// The bytes are truncated, altered, or no state of this version.
    #[error(
        "the saved state is damaged, or of another version; take the last one that was saved whole"
    )]
    Damaged,
    /// The state belongs to another run or protocol.
    #[error(
        "the fingerprint of the {part} in the saved state differs; restore it under the protocol that it was saved under"
    )]
    Other { part: &'static str },
    /// The state belongs to another node.
    #[error("the saved state is that of node {number}; give each node its own")]
    OtherNode { number: usize },
}

/// Reasons why a node cannot be created, refuses a message or a transition. After an error nothing
/// has changed, but that a peer whose fingerprint [`Differs`](NodeError::Differs) is no longer
/// greeted.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the messages say what the fields are")]
pub enum NodeError {
    /// The sender is not a neighbour.
    #[error("a message came from {from}, who is not a neighbour")]
    Stranger { from: usize },
    /// The message is for another step.
    #[error(
        "a message of step {step} came from {from}, but the node is in step {current} and takes messages of this step and the next, up to the last"
    )]
    WrongStep { from: usize, step: usize, current: usize },
    /// The sender has already sent for that step.
    #[error("a second message of step {step} came from {from}")]
    Duplicate { from: usize, step: usize },
    /// The sender has already sent something else for that step: it drew noise twice, or lies.
    #[error(
        "a second message of step {step} came from {from}, and differs from the first; its noise was drawn twice, or somebody uses its keys"
    )]
    Conflict { from: usize, step: usize },
    /// The message has the wrong number of coordinates.
    #[error("a message of {given} coordinates came from {from}, {expected} are needed")]
    WrongWidth { from: usize, given: usize, expected: usize },
    /// A value is farther from 0 than states of this protocol may be.
    #[error(
        "coordinate {coordinate} of a message from {from} is more than {reach} steps of the grid from 0"
    )]
    OutOfRange { from: usize, coordinate: usize, reach: u64 },
    /// The sender was dropped.
    #[error("a message came from {from}, who dropped out; it is not used")]
    DroppedOut { from: usize },
    /// The message belongs to another run.
    #[error("a message of another run came from {from}")]
    WrongRun { from: usize },
    /// A neighbour runs something else.
    #[error(
        "the fingerprint of the {part} of node {from} differs; both must run what was accounted"
    )]
    Differs { from: usize, part: &'static str },
    /// A neighbour has not shown its fingerprint.
    #[error("node {from} has not shown its fingerprint yet; exchange greetings first")]
    NotGreeted { from: usize },
    /// All steps are done.
    #[error("the run is finished")]
    Finished,
    /// The input of this round entered before.
    #[error("the input of the round of step {step} has entered already; noise is drawn once")]
    AlreadyInjected { step: usize },
    /// The input of this round is missing.
    #[error(
        "the input of the round of step {step} is missing; nothing is sent without noise and masks"
    )]
    NotInjected { step: usize },
    /// The state is not on file.
    #[error("save the state of step {step} before its message is sent")]
    NotSaved { step: usize },
    /// This node's data is not used in this round.
    #[error("round {round} does not use the data of this node; call pass()")]
    NotItsTurn { round: usize },
    /// The protocol samples records.
    #[error(
        "this protocol samples records, each by a coin of its own; call inject_records() in place of inject()"
    )]
    Sampled,
    /// The protocol does not sample records.
    #[error("this protocol uses all data of a node in each of its rounds; call inject()")]
    NotSampled,
    /// A neighbour is lost in a protocol without masks, or with fresh noise.
    #[error(
        "node {node} is lost, and without masks, or with fresh noise, the messages of a run that goes on without it can reveal more than was accounted; stop: what was sent is part of what was accounted"
    )]
    Unmasked { node: usize },
    /// The run ends between rounds only.
    #[error("the round of step {step} is not over; finish it, without those who dropped out")]
    WithinRound { step: usize },
    /// A neighbour dropped out in an earlier round.
    #[error(
        "node {node} dropped out, and took its noise and masks along; end(), account for those present and start a new run"
    )]
    Missing { node: usize },
    /// A message of the next step came before that of this step.
    #[error("node {from} has sent for the next step and not for this one; ask for it again")]
    OutOfOrder { from: usize },
    /// The message of that step is not kept.
    #[error(
        "the message of step {step} is not kept; a node keeps those of its step and the one before"
    )]
    NotKept { step: usize },
    /// Keys do not fit the masks.
    #[error(
        "the key for {peer} is missing, given twice, or not needed; give one for each neighbour on the mask graph"
    )]
    Keys { peer: usize },
    /// One key is shared with two neighbours. Their masks would be equal and could cancel.
    #[error(
        "one key is shared with {first} and {second}; agree on a separate key with each neighbour"
    )]
    EqualKeys { first: usize, second: usize },
    /// Those present cannot reach the target.
    #[error(
        "those present are promised epsilon {promised}, the target is {target}; wait for others or add noise"
    )]
    BelowTarget { promised: f64, target: f64 },
    /// Two nodes disagree on the last step of their edge.
    #[error("{u} and {v} disagree on the last step of their edge; both are there")]
    Disagree { u: usize, v: usize },
    /// The bytes are not a message.
    #[error(transparent)]
    Decode(#[from] DecodeError),
    /// The saved state is refused.
    #[error(transparent)]
    State(#[from] StateError),
    /// The protocol without some nodes cannot be described.
    #[error(transparent)]
    Dropout(#[from] DropoutError),
    /// An invalid parameter, a failure of the noise source, or an overflow.
    #[error(transparent)]
    Engine(#[from] FastError),
}

impl NodeError {
    pub(crate) fn order(order: Order, step: usize) -> Self {
        match order {
            Order::Finished => Self::Finished,
            Order::AlreadyInjected => Self::AlreadyInjected { step },
            Order::NotInjected => Self::NotInjected { step },
            Order::NotSaved => Self::NotSaved { step },
        }
    }

    pub(crate) fn refusal(
        refusal: Refusal,
        from: usize,
        (step, current): (usize, usize),
        (given, expected): (usize, usize),
        reach: u64,
    ) -> Self {
        match refusal {
            Refusal::Stranger => Self::Stranger { from },
            Refusal::WrongStep => Self::WrongStep { from, step, current },
            Refusal::WrongWidth => Self::WrongWidth { from, given, expected },
            Refusal::OutOfRange(coordinate) => Self::OutOfRange { from, coordinate, reach },
            Refusal::Duplicate => Self::Duplicate { from, step },
            Refusal::Conflict => Self::Conflict { from, step },
            Refusal::DroppedOut => Self::DroppedOut { from },
        }
    }
}
