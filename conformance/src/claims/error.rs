//! Why a claim could not be decided.

use muffliato_account::AccountError;
use muffliato_fast::FastError;
use muffliato_model::{
    AbsorptionError, FractionError, GraphError, ObserverError, ProtocolError, SpecError,
    WeightError,
};
use muffliato_reference::ReferenceError;

/// Why a claim could not be decided. None of these depends on input: each is a defect of an engine or of a decision.
///
/// ```
/// use muffliato_conformance::{Ledger, claims::ClaimError};
/// use muffliato_fast::FastError;
///
/// let stopped = Ledger::complete().run_watched(&|_done, _total| false);
/// assert!(matches!(stopped, Err(ClaimError::Fast(FastError::Cancelled))));
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
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
    /// An instance has no graph.
    #[error(transparent)]
    Graph(#[from] GraphError),
    /// An instance names no graph.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// An instance has no such parameter.
    #[error(transparent)]
    Fraction(#[from] FractionError),
    /// An instance has no weights.
    #[error(transparent)]
    Weights(#[from] WeightError),
    /// An instance is no protocol.
    #[error(transparent)]
    Protocol(#[from] ProtocolError),
    /// An instance has no observer.
    #[error(transparent)]
    Observer(#[from] ObserverError),
    /// An instance has no such fractions or constants of absorption.
    #[error(transparent)]
    Absorption(#[from] AbsorptionError),
    /// The two engines contradict each other on a witness: find out which one is wrong.
    #[error("the engines disagree at {instance}: exactly {exact}, the fast engine says {fast}")]
    EnginesDisagree {
        /// Where.
        instance: String,
        /// What is claimed and what is true, exactly.
        exact: String,
        /// What the fast engine says about both.
        fast: String,
    },
    /// What is said to hold everywhere does not, in exact arithmetic: the decision must look for a witness.
    #[error(
        "{case}: fails in exact arithmetic; let the decision look for a witness, which both engines see"
    )]
    Unconfirmed {
        /// Where.
        case: String,
    },
    /// Enclosures that should decide an inequality overlap.
    #[error("{instance}: the enclosures overlap; compute with more bits")]
    Undecided {
        /// Where.
        instance: String,
    },
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

/// An error that names the case, unless the claim `holds` in it.
pub(crate) fn confirm(holds: bool, case: impl FnOnce() -> String) -> Result<(), ClaimError> {
    holds
        .then_some(())
        .ok_or_else(|| ClaimError::unconfirmed(case()))
}
