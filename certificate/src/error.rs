//! Errors of parsing and of checking certificates.

use crate::{MAX_BITS, MAX_BYTES, MAX_COEFFICIENTS, MAX_WORK};

/// The reason why a text is not a certificate.
///
/// ```
/// use muffliato_certificate::{Certificate, CertificateError};
///
/// let error = Certificate::parse("{}").unwrap_err();
/// assert_eq!(error, CertificateError::Missing { field: "certificate".into() });
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the messages say what the fields are")]
pub enum CertificateError {
    /// The file is too long.
    #[error("the file has {bytes} bytes, more than {MAX_BYTES}")]
    TooLong { bytes: usize },
    /// The text is not JSON, or nested too deeply.
    #[error("not JSON: {reason}")]
    Json { reason: String },
    /// A required field is missing.
    #[error("the field {field} is missing")]
    Missing { field: String },
    /// A field is unknown, or does not go with the others.
    #[error("the field {field} is not known, or does not go with the others")]
    Unknown { field: String },
    /// A value is invalid.
    #[error("{field}: {reason}")]
    Value { field: String, reason: String },
}

/// The reason why a certificate does not prove its claim.
///
/// ```
/// use muffliato_certificate::Refusal;
///
/// let heard = Refusal::Heard { time: 3, node: 1 };
/// assert_eq!(heard.to_string(), "node 1 still deviates when it speaks to an observer at time 3");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the messages say what the fields are")]
pub enum Refusal {
    /// The question is invalid.
    #[error("{0}")]
    Question(String),
    /// An upper claim needs an alibi, a lower one an attack.
    #[error("a claim at most needs absorption, flows or alibis, a claim at least an attack")]
    WrongKind,
    /// The rules for rounded noise do not cover the proof.
    #[error("for rounded noise, a claim at most needs flows, or absorption without flows")]
    NotOnGrid,
    /// An observer hears a deviation.
    #[error("node {node} still deviates when it speaks to an observer at time {time}")]
    Heard { time: usize, node: usize },
    /// A shifted draw does not exist, is known to the observers, or is given twice.
    #[error("the draw of node {node} at time {time} cannot be shifted")]
    NoDraw { time: usize, node: usize },
    /// An attack uses something that is not observed, or uses it twice.
    #[error("an observer does not see what node {node} did at time {time}, or it is used twice")]
    NotSeen { time: usize, node: usize },
    /// An input is not protected, not in the phase of its source, or changes by more than 1.
    #[error(
        "the input of node {node} in round {round} is not one of the claim, or changes too much"
    )]
    NoInput { round: usize, node: usize },
    /// A flow uses a mask that does not exist, that an observer knows, or that is given twice, or
    /// its amount is negative.
    #[error("nothing can flow from node {from} to node {to} in round {round}")]
    NoMask { round: usize, from: usize, to: usize },
    /// The reaction of a node exceeds its Lipschitz constant.
    #[error(
        "node {node} reacts with a factor beyond its Lipschitz constant; name a larger constant"
    )]
    Reacts { node: usize },
    /// A list has the wrong length.
    #[error("{what}: {given} were given, {expected} are needed")]
    Count { what: &'static str, given: usize, expected: usize },
    /// The dual vector is not feasible.
    #[error("lambda proves nothing: the elimination fails in row {row} of assignment {run}")]
    NotDual { run: usize, row: usize },
    /// The proof is valid but gives a larger bound than claimed.
    #[error("the proof gives {found}, which is above the claim")]
    CostsMore { found: String },
    /// The attack is valid but weaker than claimed.
    #[error("the attack has the strength {found}, which is below the claim")]
    Weaker { found: String },
    /// The check takes too much work.
    #[error("a check of {work} products is more than {MAX_WORK}")]
    TooLarge { work: u128 },
    /// The coefficients of all messages do not fit.
    #[error(
        "the messages have {coefficients} coefficients, more than {MAX_COEFFICIENTS}; take fewer nodes or steps, or the fast engine"
    )]
    TooManyCoefficients { coefficients: u128 },
    /// An input has no statistic that proves its exact loss.
    #[error("no statistic proves the exact loss of an input; use the fast engine")]
    NotExact,
    /// Intermediate numbers are too long.
    #[error("the numbers grow to {bits} bits, more than {MAX_BITS}")]
    TooManyBits { bits: u64 },
}
