//! An instance at which a claim fails, seen by both engines.

use super::ClaimError;
use muffliato_fast::Enclosure;
use muffliato_reference::{BigRational, decimal, enclosure::Interval, order};
use std::fmt;

/// An instance at which a claim fails in exact arithmetic and, independently, in the fast engine.
///
/// ```
/// use muffliato_conformance::Ledger;
///
/// let audit = Ledger::only("corollary-1")?.run(&())?;
/// let witness = audit.entries[0].verdict.witness().unwrap();
/// let text = "path of 3 (0-1 0-2), T = 2, 2 -> full:1: promised 1/3, true 1 (paper's view: 1/2)";
/// assert_eq!(witness.to_string(), text);
/// assert!(witness.promised_again.upper() < witness.actual_again.lower()); // the fast engine's own ends
/// assert!(!witness.hand_check.is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Witness {
    /// The instance.
    pub instance: String,
    /// What is promised, as a fraction or a short decimal.
    pub promised: String,
    /// What is true.
    pub actual: String,
    /// What is promised and what is true where observers forget the noise that they drew, as the paper prints their
    /// view. A loss refutes the paper only if it does so in this view too.
    pub paper_view: Option<[String; 2]>,
    /// How to check it by hand, line by line.
    pub hand_check: Vec<String>,
    /// The promised number in the fast engine.
    pub promised_again: Enclosure,
    /// The true number in the fast engine.
    pub actual_again: Enclosure,
}

/// What is claimed about the true number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Relation {
    /// It is at most what is promised.
    AtMost,
    /// It is at least what is promised.
    AtLeast,
    /// It is what is promised.
    Equal,
}

/// A claimed relation between two numbers of one instance, computed exactly.
#[derive(Clone, Debug)]
pub(crate) struct Comparison {
    pub relation: Relation,
    pub promised: Interval,
    pub actual: Interval,
}

impl Relation {
    /// Whether a true number that is provably above or below what is promised contradicts it.
    fn fails(self, above: bool, below: bool) -> bool {
        match self {
            Self::AtMost => above,
            Self::AtLeast => below,
            Self::Equal => above || below,
        }
    }
}

impl Comparison {
    /// `actual <= promised`.
    pub fn at_most(actual: BigRational, promised: BigRational) -> Self {
        Self {
            relation: Relation::AtMost,
            promised: Interval::exact(promised),
            actual: Interval::exact(actual),
        }
    }

    /// Whether the claim fails here; overlapping enclosures count as no failure.
    pub fn fails(&self) -> bool {
        let above = order(self.promised.upper(), self.actual.lower()).is_lt();
        let below = order(self.promised.lower(), self.actual.upper()).is_gt();
        self.relation.fails(above, below)
    }

    /// The witness, if the fast engine's `promised` and `actual` show the same failure; an error if they do not.
    pub fn witness(
        &self,
        instance: String,
        hand_check: Vec<String>,
        promised: Enclosure,
        actual: Enclosure,
    ) -> Result<Witness, ClaimError> {
        let above = promised.upper() < actual.lower();
        let below = promised.lower() > actual.upper();
        let fails = self.relation.fails(above, below);
        let agree = meet(&self.promised, &promised) && meet(&self.actual, &actual);
        if !(self.fails() && fails && agree) {
            return Err(ClaimError::EnginesDisagree {
                instance,
                promised: shown(&self.promised),
                actual: shown(&self.actual),
                again: format!("{promised:?} and {actual:?}"),
            });
        }
        Ok(Witness {
            instance,
            promised: shown(&self.promised),
            actual: shown(&self.actual),
            paper_view: None,
            hand_check,
            promised_again: promised,
            actual_again: actual,
        })
    }
}

impl Witness {
    /// The same, with what a witness in the paper's view shows.
    pub(crate) fn with_paper_view(self, printed: Witness) -> Self {
        Self {
            paper_view: Some([printed.promised, printed.actual]),
            ..self
        }
    }
}

impl fmt::Display for Witness {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            instance,
            promised,
            actual,
            paper_view,
            ..
        } = self;
        write!(f, "{instance}: promised {promised}, true {actual}")?;
        match paper_view {
            None => Ok(()),
            Some([same, actual]) if same == promised => write!(f, " (paper's view: {actual})"),
            Some([promised, actual]) => {
                write!(f, " (paper's view: promised {promised}, true {actual})")
            }
        }
    }
}

/// The exact value of a finite float.
pub(crate) fn exactly(value: f64) -> Option<BigRational> {
    BigRational::from_float(value)
}

/// Whether an exact enclosure and one of the fast engine have a number in common.
fn meet(exact: &Interval, fast: &Enclosure) -> bool {
    let below = exactly(fast.lower()).is_none_or(|lower| order(&lower, exact.upper()).is_le());
    let above = exactly(fast.upper()).is_none_or(|upper| order(&upper, exact.lower()).is_ge());
    below && above
}

/// An enclosure of 1e-9 around a number that the fast engine estimates without a proof.
pub(crate) fn estimate(value: f64) -> Enclosure {
    const TOLERANCE: f64 = 1e-9;
    let width = TOLERANCE * value.abs().max(TOLERANCE);
    Enclosure::try_new(value - width, value + width).unwrap_or(Enclosure::exact(value))
}

/// A fraction as it is where it is short, else six digits.
pub(crate) fn shown(value: &Interval) -> String {
    let text = value.lower().to_string();
    if value.lower() == value.upper() && text.len() <= 28 {
        text
    } else {
        format!("{}...", decimal::rounded_down(value.lower(), 6))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::claims::instances::ratio;

    fn compared(promised: Enclosure, actual: Enclosure) -> Result<Witness, ClaimError> {
        let comparison = Comparison::at_most(ratio(1, 1), ratio(1, 3));
        comparison.witness("here".into(), vec![], promised, actual)
    }

    #[test]
    fn a_refutation_needs_both_engines() {
        let third = Enclosure::around(1.0 / 3.0, 1, 1);
        assert!(compared(third, Enclosure::exact(1.0)).is_ok());
        let no_failure = (third, third);
        let other_promise = (Enclosure::exact(0.25), Enclosure::exact(1.0));
        let other_loss = (third, Enclosure::exact(0.5));
        for (promised, actual) in [no_failure, other_promise, other_loss] {
            assert!(matches!(
                compared(promised, actual),
                Err(ClaimError::EnginesDisagree { .. })
            ));
        }
    }

    #[test]
    fn what_holds_exactly_is_never_a_witness() {
        let holds = Comparison::at_most(ratio(1, 3), ratio(1, 1));
        let (low, high) = (Enclosure::exact(0.0), Enclosure::exact(2.0));
        assert!(!holds.fails());
        assert!(holds.witness("here".into(), vec![], low, high).is_err());
    }
}
