//! Results of decisions.

use super::ClaimError;
use super::witness::{Search, Witness, outcome};
use std::fmt;

/// The result of a decision.
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    /// The claim holds exactly in every enumerated case.
    Holds {
        /// The enumerated cases.
        checked: String,
    },
    /// The claim fails as printed, and holds in every enumerated case with a correction.
    HoldsCorrected {
        /// The correction.
        correction: String,
        /// Witness against the printed form.
        witness: Witness,
        /// The cases in which the corrected claim holds.
        checked: String,
    },
    /// The claim fails.
    Refuted {
        /// The first failure in search order.
        witness: Witness,
    },
    /// The claim is neither proved nor refuted.
    Open {
        /// The search that was done.
        search: String,
    },
}

/// The kind of a [`Verdict`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// [`Verdict::Holds`].
    Holds,
    /// [`Verdict::HoldsCorrected`].
    HoldsCorrected,
    /// [`Verdict::Refuted`].
    Refuted,
    /// [`Verdict::Open`].
    Open,
}

impl Verdict {
    /// Returns `Refuted` with the witness of a search, or `Holds` in everything searched if there
    /// is none.
    pub(crate) fn of_search(
        found: Result<Option<Witness>, ClaimError>,
    ) -> Result<Self, ClaimError> {
        Ok(match found? {
            Some(witness) => Self::Refuted { witness },
            None => Self::holds("no failure in all that was searched"),
        })
    }

    /// Returns the verdict of a search with a further, larger instance.
    pub(crate) fn of_searches(
        found: Result<Option<Witness>, ClaimError>,
        also: Search,
    ) -> Result<Self, ClaimError> {
        let also = outcome(also)?;
        Self::of_search(found.map(|found| Some(found?.and_also(also))))
    }

    /// Returns `Holds` in what was `checked`.
    pub(crate) fn holds(checked: impl Into<String>) -> Self {
        let checked = checked.into();
        Self::Holds { checked }
    }

    /// Returns `HoldsCorrected` with the `correction` in what was `checked`, or `Holds` if no
    /// failure was found.
    pub(crate) fn corrected(failure: Option<Witness>, correction: &str, checked: String) -> Self {
        match failure {
            Some(witness) => {
                Self::HoldsCorrected { correction: correction.into(), witness, checked }
            }
            None => Self::holds(checked),
        }
    }

    /// Returns the kind of the verdict.
    pub fn standing(&self) -> Standing {
        match self {
            Self::Holds { .. } => Standing::Holds,
            Self::HoldsCorrected { .. } => Standing::HoldsCorrected,
            Self::Refuted { .. } => Standing::Refuted,
            Self::Open { .. } => Standing::Open,
        }
    }

    /// Returns the witness against the printed form, if there is one.
    pub fn witness(&self) -> Option<&Witness> {
        match self {
            Self::HoldsCorrected { witness, .. } | Self::Refuted { witness } => Some(witness),
            _ => None,
        }
    }

    /// Returns the evidence in one line: the witness, the correction, the cases.
    pub fn evidence(&self) -> String {
        match self {
            Self::Holds { checked } => checked.clone(),
            Self::HoldsCorrected { correction, witness, checked } => {
                format!("{witness}. Holds {correction}: {checked}")
            }
            Self::Refuted { witness } => witness.to_string(),
            Self::Open { search } => search.clone(),
        }
    }
}

impl fmt::Display for Standing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Holds => "holds",
            Self::HoldsCorrected => "holds corrected",
            Self::Refuted => "refuted",
            Self::Open => "open",
        })
    }
}
