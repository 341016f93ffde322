//! Answers of an engine, and when two answers agree.

use muffliato_fast::{Enclosure, FastError};
use muffliato_reference::{BigRational, ReferenceError, enclosure::Interval, order};
use num_traits::{Signed, Zero};
use std::fmt;

/// Numbers, or the reason why there are none.
pub type Answers = Result<Vec<Answer>, Refusal>;

/// Width that an engine claims for the enclosure of a number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Width {
    /// At most this.
    Absolute(f64),
    /// At most this fraction of the number; exactly 0 for 0.
    Relative(f64),
}

/// A number with everything that its engine claims about it.
///
/// ```
/// use muffliato_conformance::agreement::{Answer, Width};
/// use muffliato_fast::Enclosure;
/// use muffliato_reference::BigRational;
///
/// let third = Answer::exact(BigRational::new(1.into(), 3.into()));
/// let found = Answer::from(Enclosure::around(1.0 / 3.0, 1, 0)).guessed(Some((0.3333, 1e-4)));
/// assert_eq!(found.contradiction(&third), None);
/// assert!(Answer::estimated(0.34, 1e-3).contradiction(&third).is_some());
/// let too_high = Answer::from(Enclosure::exact(0.34)).guessed(Some((0.3333, 1e-4)));
/// assert!(too_high.contradiction(&third).is_some()); // the estimate is right, the ends are not
/// assert!(Answer::rounded_up(0.33, 1e-14).contradiction(&third).is_some());
/// let wide = Answer::from(Enclosure::try_new(0.3, 0.4).unwrap());
/// assert!(wide.claiming(Width::Absolute(0.05)).contradiction(&third).is_some());
/// assert!(!third.is_zero() && Answer::from(Enclosure::exact(0.0)).is_zero());
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// Proved lower bound, if any.
    lower: Option<BigRational>,
    /// Proved upper bound, if any.
    upper: Option<BigRational>,
    width: Option<Width>,
    /// Estimate and its tolerance.
    estimate: Option<(f64, f64)>,
}

/// Reason for refusing an answer. Both engines must refuse alike.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The formula does not apply to the protocol.
    NotApplicable,
    /// The formula divides by 0: there is no neighbour, or an edge has weight 0.
    Undefined,
    /// No node's input can be protected.
    NoSource,
    /// A graph of one node has no spectral gap.
    SingleNode,
    /// The spectral gap is 0.
    NoGap,
    /// The observer would see a deviation.
    NotAbsorbed,
    /// Anything else.
    Other(String),
}

impl Answer {
    /// Returns a number that is known exactly.
    pub fn exact(number: BigRational) -> Self {
        Self::between(number.clone(), number)
    }

    /// Returns a number between two bounds.
    pub fn between(lower: BigRational, upper: BigRational) -> Self {
        Self { lower: Some(lower), upper: Some(upper), width: None, estimate: None }
    }

    /// Returns a number rounded up by at most the fraction `excess` of itself. A value that is not
    /// finite contradicts everything.
    pub fn rounded_up(upper: f64, excess: f64) -> Self {
        let ends = end(upper).zip(end(excess));
        Self {
            lower: ends.map(|(upper, excess)| &upper - &upper * excess),
            upper: end(upper),
            width: Some(Width::Relative(2.0 * excess)),
            estimate: None,
        }
    }

    /// Returns an estimate without a proof.
    pub fn estimated(value: f64, tolerance: f64) -> Self {
        Self { lower: None, upper: None, width: None, estimate: Some((value, tolerance)) }
    }

    /// Claims a width for the enclosure.
    pub fn claiming(self, width: Width) -> Self {
        Self { width: Some(width), ..self }
    }

    /// Replaces the estimate.
    pub fn guessed(self, estimate: Option<(f64, f64)>) -> Self {
        Self { estimate, ..self }
    }

    /// Returns `true` if the number is claimed to be exactly 0.
    pub fn is_zero(&self) -> bool {
        let zero = |end: &Option<BigRational>| end.as_ref().is_some_and(Zero::is_zero);
        zero(&self.lower) && zero(&self.upper)
    }

    /// Returns the first claim of `self` that contradicts the number enclosed by `exact`.
    pub fn contradiction(&self, exact: &Self) -> Option<String> {
        let (Some(low), Some(high)) = (&exact.lower, &exact.upper) else {
            return Some("the reference does not enclose the number".into());
        };
        if let Some(lower) = &self.lower
            && order(lower, high).is_gt()
        {
            return Some("the lower end is above the exact number".into());
        }
        if let Some(upper) = &self.upper
            && order(upper, low).is_lt()
        {
            return Some("the upper end is below the exact number".into());
        }
        if let Some(width) = self.width {
            let allowed = match width {
                Width::Absolute(width) => end(width),
                Width::Relative(width) => end(width).map(|width| width * high.abs()),
            };
            let (Some(allowed), Some(lower), Some(upper)) = (allowed, &self.lower, &self.upper)
            else {
                return Some(format!("an end is missing where a width is claimed ({width:?})"));
            };
            if order(&(upper - lower), &allowed).is_gt() {
                return Some(format!("the ends are wider apart than claimed ({width:?})"));
            }
        }
        if let Some((estimate, tolerance)) = self.estimate {
            let (Some(estimate), Some(tolerance)) = (end(estimate), end(tolerance)) else {
                return Some("the estimate is not finite".into());
            };
            let (below, above) = (&estimate - &tolerance, &estimate + &tolerance);
            if order(&below, high).is_gt() || order(&above, low).is_lt() {
                return Some("the estimate is farther from the exact number than stated".into());
            }
        }
        None
    }
}

fn end(value: f64) -> Option<BigRational> {
    BigRational::from_float(value)
}

impl From<Enclosure> for Answer {
    fn from(enclosure: Enclosure) -> Self {
        Self {
            lower: end(enclosure.lower()),
            upper: end(enclosure.upper()),
            width: None,
            estimate: None,
        }
    }
}

impl From<BigRational> for Answer {
    fn from(number: BigRational) -> Self {
        Self::exact(number)
    }
}

impl From<Interval> for Answer {
    fn from(interval: Interval) -> Self {
        Self::between(interval.lower().clone(), interval.upper().clone())
    }
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown = |end: &Option<BigRational>| end.as_ref().map_or("?".into(), approximately);
        if self.lower == self.upper && self.lower.is_some() {
            write!(f, "{}", shown(&self.lower))?;
        } else {
            write!(f, "[{}, {}]", shown(&self.lower), shown(&self.upper))?;
        }
        match self.estimate {
            Some((estimate, tolerance)) => write!(f, ", estimate {estimate:e} +- {tolerance:e}"),
            None => Ok(()),
        }
    }
}

/// Formats a fraction, or 20 digits of a long one.
fn approximately(number: &BigRational) -> String {
    if number.numer().bits() + number.denom().bits() < 128 {
        number.to_string()
    } else {
        format!("{}...", muffliato_reference::decimal::rounded_down(number, 20))
    }
}

impl From<ReferenceError> for Refusal {
    fn from(error: ReferenceError) -> Self {
        match error {
            ReferenceError::NotApplicable { .. } | ReferenceError::NotUniform(_) => {
                Self::NotApplicable
            }
            ReferenceError::ZeroWeight { .. } | ReferenceError::NoNeighbour { .. } => {
                Self::Undefined
            }
            ReferenceError::NoSource => Self::NoSource,
            ReferenceError::SingleNode => Self::SingleNode,
            other => Self::Other(other.to_string()),
        }
    }
}

impl From<muffliato_certificate::Refusal> for Refusal {
    fn from(error: muffliato_certificate::Refusal) -> Self {
        match error {
            muffliato_certificate::Refusal::Heard { .. } => Self::NotAbsorbed,
            other => Self::Other(other.to_string()),
        }
    }
}

impl From<FastError> for Refusal {
    fn from(error: FastError) -> Self {
        match error {
            FastError::NotApplicable { .. } | FastError::NotUniform(_) => Self::NotApplicable,
            FastError::ZeroWeight { .. } | FastError::NoNeighbour { .. } => Self::Undefined,
            FastError::NoSource => Self::NoSource,
            FastError::NoGap { .. } => Self::NoGap,
            FastError::NotAbsorbed { .. } => Self::NotAbsorbed,
            other => Self::Other(other.to_string()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_finite_does_not_count_as_agreement() {
        let one = Answer::exact(BigRational::from_integer(1.into()));
        assert_eq!(Answer::rounded_up(1.0, 1e-14).contradiction(&one), None);
        for value in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            assert!(Answer::rounded_up(value, 1e-14).contradiction(&one).is_some());
            assert!(Answer::rounded_up(1.0, value).contradiction(&one).is_some());
            let estimate = Answer::estimated(value, 1e-9);
            assert!(estimate.contradiction(&one).is_some());
        }
        let open = Enclosure::try_new(0.5, f64::INFINITY).unwrap();
        assert_eq!(Answer::from(open).contradiction(&one), None);
        for width in [Width::Relative(1.0), Width::Absolute(1.0)] {
            let claimed = Answer::from(open).claiming(width);
            assert!(claimed.contradiction(&one).is_some());
        }
        let ends = Answer::between(BigRational::zero(), BigRational::from_integer(1.into()));
        let nothing = ends.claiming(Width::Absolute(f64::INFINITY));
        assert!(nothing.contradiction(&one).is_some());
    }
}
