//! Errors of decisions.

use muffliato_account::AccountError;
use muffliato_fast::FastError;
use muffliato_model::{
    AbsorptionError, FractionError, GraphError, ObserverError, ProtocolError, SpecError,
    WeightError,
};
use muffliato_reference::ReferenceError;

/// An error of a decision. None depends on input: each indicates a defect of an engine or of a
/// decision.
///
/// ```
/// use muffliato_conformance::{Ledger, claims::ClaimError};
/// use muffliato_fast::FastError;
///
/// let stopped = Ledger::complete().run(&|_done, _total| false);
/// assert!(matches!(stopped, Err(ClaimError::Fast(FastError::Cancelled))));
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the messages say what the fields are")]
pub enum ClaimError {
    /// The exact engine refused an instance.
    #[error(transparent)]
    Reference(#[from] ReferenceError),
    /// The fast engine refused an instance.
    #[error(transparent)]
    Fast(#[from] FastError),
    /// The accountant refused an instance.
    #[error(transparent)]
    Account(#[from] AccountError),
    /// The checker of certificates refused an instance.
    #[error(transparent)]
    Certificate(#[from] muffliato_certificate::Refusal),
    /// The graph of an instance is invalid.
    #[error(transparent)]
    Graph(#[from] GraphError),
    /// The textual form of a graph is invalid.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// A parameter of an instance is invalid.
    #[error(transparent)]
    Fraction(#[from] FractionError),
    /// The weights of an instance are invalid.
    #[error(transparent)]
    Weights(#[from] WeightError),
    /// The protocol of an instance is invalid.
    #[error(transparent)]
    Protocol(#[from] ProtocolError),
    /// The observer of an instance is invalid.
    #[error(transparent)]
    Observer(#[from] ObserverError),
    /// The fractions or constants of absorption are invalid.
    #[error(transparent)]
    Absorption(#[from] AbsorptionError),
    /// The two engines contradict each other on a witness; one of them is wrong.
    #[error("the engines disagree at {instance}: exactly {exact}, the fast engine says {fast}")]
    EnginesDisagree { instance: String, exact: String, fast: String },
    /// A claim that should hold everywhere fails in exact arithmetic; the decision must search for
    /// a witness.
    #[error(
        "{case}: fails in exact arithmetic; let the decision look for a witness, which both engines see"
    )]
    Unconfirmed { case: String },
    /// Enclosures that should decide an inequality overlap.
    #[error("{instance}: the enclosures overlap; compute with more bits")]
    Undecided { instance: String },
}

impl ClaimError {
    pub(crate) fn unconfirmed(case: impl ToString) -> Self {
        let case = case.to_string();
        Self::Unconfirmed { case }
    }

    pub(crate) fn undecided(instance: impl ToString) -> Self {
        let instance = instance.to_string();
        Self::Undecided { instance }
    }
}

/// Counts one case, in which the claim `holds`; otherwise returns an error that names it.
pub(crate) fn confirm(holds: bool, case: impl FnOnce() -> String) -> Result<usize, ClaimError> {
    holds.then_some(1).ok_or_else(|| ClaimError::unconfirmed(case()))
}
