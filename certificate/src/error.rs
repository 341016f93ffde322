//! Why a file is no certificate, and why a certificate proves nothing.

use crate::{MAX_BITS, MAX_BYTES, MAX_WORK};

/// Why a text is not a certificate.
///
/// ```
/// use muffliato_certificate::{Certificate, CertificateError};
///
/// let error = Certificate::parse("{}").unwrap_err();
/// assert_eq!(error, CertificateError::Missing { field: "certificate".into() });
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CertificateError {
    /// More bytes than are read.
    #[error("the file has {bytes} bytes, more than {MAX_BYTES}")]
    TooLong {
        /// How many.
        bytes: usize,
    },
    /// Not JSON, or nested too deeply.
    #[error("not JSON: {reason}")]
    Json {
        /// What the reader said.
        reason: String,
    },
    /// A field that must be there is not.
    #[error("the field {field} is missing")]
    Missing {
        /// Which.
        field: String,
    },
    /// A field that means nothing.
    #[error("the field {field} is not known, or does not go with the others")]
    Unknown {
        /// Which.
        field: String,
    },
    /// A value of the wrong kind.
    #[error("{field}: {reason}")]
    Value {
        /// Where.
        field: String,
        /// What is wrong with it.
        reason: String,
    },
}

/// Why a certificate does not prove its claim.
///
/// ```
/// use muffliato_certificate::Refusal;
///
/// let heard = Refusal::Heard { time: 3, node: 1 };
/// assert_eq!(heard.to_string(), "node 1 still deviates when it speaks to an observer at time 3");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Refusal {
    /// The question itself makes no sense.
    #[error("{0}")]
    Question(String),
    /// An upper claim needs an alibi, a lower one an attack.
    #[error("a claim at most needs absorption, flows or alibis, a claim at least an attack")]
    WrongKind,
    /// The rules for rounded noise do not cover the proof.
    #[error("for rounded noise, a claim at most needs flows, or absorption without flows")]
    NotOnGrid,
    /// A deviation is heard.
    #[error("node {node} still deviates when it speaks to an observer at time {time}")]
    Heard {
        /// When.
        time: usize,
        /// By whom.
        node: usize,
    },
    /// A shift of a draw that does not exist, is known to the observers, or is given twice.
    #[error("the draw of node {node} at time {time} cannot be shifted")]
    NoDraw {
        /// When.
        time: usize,
        /// Whose.
        node: usize,
    },
    /// An attack on something that is not seen, or counted twice.
    #[error("an observer does not see what node {node} did at time {time}, or it is used twice")]
    NotSeen {
        /// When.
        time: usize,
        /// Whose.
        node: usize,
    },
    /// An input that is not protected, not in the phase of its source, or changes by more than 1.
    #[error(
        "the input of node {node} in round {round} is not one of the claim, or changes too much"
    )]
    NoInput {
        /// The round.
        round: usize,
        /// Whose.
        node: usize,
    },
    /// A flow along a mask that does not exist, that an observer knows, that is given twice, or of a negative amount.
    #[error("nothing can flow from node {from} to node {to} in round {round}")]
    NoMask {
        /// The round.
        round: usize,
        /// From whom.
        from: usize,
        /// To whom.
        to: usize,
    },
    /// The reaction of a node stretches more than its Lipschitz constant.
    #[error(
        "node {node} reacts with a factor beyond its Lipschitz constant; name a larger constant"
    )]
    Reacts {
        /// Which.
        node: usize,
    },
    /// A list has another length than it needs.
    #[error("{what}: {given} were given, {expected} are needed")]
    Count {
        /// What is counted.
        what: &'static str,
        /// How many there are.
        given: usize,
        /// How many are needed.
        expected: usize,
    },
    /// The dual vector is not one.
    #[error("lambda proves nothing: the elimination fails in row {row} of assignment {run}")]
    NotDual {
        /// The assignment of phases, counted from 0.
        run: usize,
        /// The row.
        row: usize,
    },
    /// The proof is valid, and proves less.
    #[error("the proof gives {found}, which is above the claim")]
    CostsMore {
        /// What the alibi costs, cut after some digits.
        found: String,
    },
    /// The attack is valid, and proves less.
    #[error("the attack has the strength {found}, which is below the claim")]
    Weaker {
        /// Its strength, cut after some digits.
        found: String,
    },
    /// More work than the checker takes on.
    #[error("a check of {work} products is more than {MAX_WORK}")]
    TooLarge {
        /// How many.
        work: u128,
    },
    /// Numbers grow too long.
    #[error("the numbers grow to {bits} bits, more than {MAX_BITS}")]
    TooManyBits {
        /// How many.
        bits: u64,
    },
}
