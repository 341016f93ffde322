//! What a decision comes to.

use super::ClaimError;
use super::witness::{Search, Witness, outcome};
use std::fmt;

/// How a claim stands after its decision was run.
///
/// ```
/// use muffliato_conformance::{Ledger, claims::{Standing, Verdict}};
///
/// let audit = Ledger::only("theorem-1-tight")?.run()?;
/// let verdict = &audit.entries[0].verdict;
/// assert!(matches!(verdict, Verdict::Refuted { .. }) && verdict.standing() == Standing::Refuted);
/// let text = "path of 2 (0-1), T = 2, 1 -> full:0: claimed 3/2, true 1 (paper's view: 1)";
/// assert_eq!(verdict.evidence(), text);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    /// It holds exactly in every case that was enumerated.
    Holds {
        /// The cases.
        checked: String,
    },
    /// It fails as printed, and holds in every enumerated case with a correction.
    HoldsCorrected {
        /// What has to be changed.
        correction: String,
        /// Where it fails as printed.
        witness: Witness,
        /// The cases in which the corrected statement was found to hold.
        checked: String,
    },
    /// It fails.
    Refuted {
        /// Where: the first failure in the order of the search.
        witness: Witness,
    },
    /// Neither proved nor refuted.
    Open {
        /// The search that was done.
        search: String,
    },
}

/// The kind of a [`Verdict`], without its evidence.
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
    /// Refuted by what a search has found; if that is nothing, holds in all that was searched, as the claim says.
    pub(crate) fn of_search(
        found: Result<Option<Witness>, ClaimError>,
    ) -> Result<Self, ClaimError> {
        Ok(match found? {
            Some(witness) => Self::Refuted { witness },
            None => Self::holds("no failure in all that was searched"),
        })
    }

    /// The same with a further instance, which shows more.
    pub(crate) fn of_searches(
        found: Result<Option<Witness>, ClaimError>,
        also: Search,
    ) -> Result<Self, ClaimError> {
        let also = outcome(also)?;
        Self::of_search(found.map(|found| Some(found?.and_also(also))))
    }

    /// Holds in what was `checked`.
    pub(crate) fn holds(checked: impl Into<String>) -> Self {
        let checked = checked.into();
        Self::Holds { checked }
    }

    /// Holds with the `correction` in what was `checked`; as printed, too, if no failure was found.
    pub(crate) fn corrected(failure: Option<Witness>, correction: &str, checked: String) -> Self {
        match failure {
            Some(witness) => Self::HoldsCorrected {
                correction: correction.into(),
                witness,
                checked,
            },
            None => Self::holds(checked),
        }
    }

    /// The kind.
    pub fn standing(&self) -> Standing {
        match self {
            Self::Holds { .. } => Standing::Holds,
            Self::HoldsCorrected { .. } => Standing::HoldsCorrected,
            Self::Refuted { .. } => Standing::Refuted,
            Self::Open { .. } => Standing::Open,
        }
    }

    /// Where it fails as printed, if it does.
    pub fn witness(&self) -> Option<&Witness> {
        match self {
            Self::HoldsCorrected { witness, .. } | Self::Refuted { witness } => Some(witness),
            _ => None,
        }
    }

    /// The evidence in one line: the witness, the correction, the cases.
    pub fn evidence(&self) -> String {
        match self {
            Self::Holds { checked } => checked.clone(),
            Self::HoldsCorrected {
                correction,
                witness,
                checked,
            } => format!("{witness}. Holds {correction}: {checked}"),
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
