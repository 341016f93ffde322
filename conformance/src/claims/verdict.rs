//! Results of decisions.

use super::ClaimError;
use super::witness::{Search, Witness, outcome};
use std::fmt;

/// The result of a decision.
#[derive(Clone, Debug, PartialEq)]
pub struct Verdict {
    /// The kind of the verdict.
    pub standing: Standing,
    /// The first failure of the printed form in search order, if there is one.
    pub witness: Option<Witness>,
    /// The evidence in one line: the witness, the correction, and the cases that were enumerated or
    /// searched.
    pub evidence: String,
}

/// The kind of a [`Verdict`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// The claim holds exactly in every enumerated case.
    Holds,
    /// The claim fails as printed, and holds in every enumerated case with a correction.
    HoldsCorrected,
    /// The claim fails.
    Refuted,
    /// The claim is neither proved nor refuted.
    Open,
}

impl Verdict {
    /// Returns `Refuted` with the witness of a search, or `Holds` in everything searched if there
    /// is none.
    pub(crate) fn of_search(
        found: Result<Option<Witness>, ClaimError>,
    ) -> Result<Self, ClaimError> {
        let nothing = || Self::holds("no failure in all that was searched");
        Ok(found?.map_or_else(nothing, Self::refuted))
    }

    /// Returns the verdict of a search with a further, larger instance.
    pub(crate) fn of_searches(
        found: Result<Option<Witness>, ClaimError>,
        also: Search,
    ) -> Result<Self, ClaimError> {
        let also = outcome(also)?;
        Self::of_search(found.map(|found| Some(found?.and_also(also))))
    }

    /// Returns `Refuted` by a witness.
    pub(crate) fn refuted(witness: Witness) -> Self {
        let evidence = witness.to_string();
        Self { standing: Standing::Refuted, witness: Some(witness), evidence }
    }

    /// Returns `Holds` in what was `checked`.
    pub(crate) fn holds(checked: impl Into<String>) -> Self {
        Self { standing: Standing::Holds, witness: None, evidence: checked.into() }
    }

    /// Returns `Open` after a `search`.
    pub(crate) fn open(search: &str) -> Self {
        Self { standing: Standing::Open, ..Self::holds(search) }
    }

    /// Returns `HoldsCorrected` with the `correction` in what was `checked`, or `Holds` if no
    /// failure was found.
    pub(crate) fn corrected(failure: Option<Witness>, correction: &str, checked: String) -> Self {
        let Some(witness) = failure else {
            return Self::holds(checked);
        };
        let evidence = format!("{witness}. Holds {correction}: {checked}");
        Self { standing: Standing::HoldsCorrected, witness: Some(witness), evidence }
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
