//! Numbers of either engine: certified ends, an estimate, and a fraction if exact arithmetic found
//! one.

use crate::text::OnFile;
use muffliato_certificate::LinearSystem;
use muffliato_fast::{Enclosure, TARGET_WIDTH};
use muffliato_reference::{BigInt, BigRational, order};
use serde::{Deserialize, Serialize};
use std::cmp::Ordering;

/// The certainty of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// The number itself, by rational arithmetic.
    Exact,
    /// Ends that provably contain the number and are close to each other.
    Certified,
    /// An estimate; only the ends are certified.
    Estimate,
}

impl Status {
    /// Returns the name of the status.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::Certified => "certified",
            Self::Estimate => "estimate",
        }
    }
}

/// A number that an engine computed.
///
/// It promises nothing by itself: it may be the value of a refuted formula.
///
/// ```
/// use muffliato_account::{Number, Status};
/// use muffliato_reference::BigRational;
///
/// let third = Number::from(BigRational::new(1.into(), 3.into()));
/// assert_eq!((third.status(), third.rounded_up().as_str()), (Status::Exact, "0.334"));
/// assert!(third.lower() < third.upper()); // no float is a third
/// ```
///
/// Only engines make numbers from floats:
///
/// ```compile_fail
/// use muffliato_account::Number;
/// use muffliato_fast::Enclosure;
///
/// let certified = Number::estimated(0.0, Enclosure::exact(0.0));
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "OnFile", into = "OnFile")]
pub struct Number {
    ends: Enclosure,
    value: f64,
    fraction: Option<Box<BigRational>>,
}

impl Number {
    /// Creates a number from certified ends and an estimate.
    pub(crate) fn estimated(value: f64, ends: Enclosure) -> Self {
        Self { ends, value, fraction: None }
    }

    /// Returns the certified lower end.
    pub fn lower(&self) -> f64 {
        self.ends.lower()
    }

    /// Returns the certified upper end.
    pub fn upper(&self) -> f64 {
        self.ends.upper()
    }

    /// Returns the certified ends.
    pub fn enclosure(&self) -> Enclosure {
        self.ends
    }

    /// Returns the estimate.
    pub fn value(&self) -> f64 {
        self.value
    }

    /// Returns the number as a fraction, if exact arithmetic computed it.
    pub fn fraction(&self) -> Option<&BigRational> {
        self.fraction.as_deref()
    }

    /// Returns the status. Ends count as certified up to the width that the fast engine aims for.
    pub fn status(&self) -> Status {
        let allowed = 2.0 * TARGET_WIDTH * self.upper().max(1.0);
        match &self.fraction {
            Some(_) => Status::Exact,
            None if self.upper() - self.lower() <= allowed => Status::Certified,
            None => Status::Estimate,
        }
    }

    /// Returns the number `times` times over, rounded up unless it is exact; 0 times counts as 1.
    pub(crate) fn times(&self, times: usize) -> Self {
        match (times, self.fraction()) {
            (0 | 1, _) => self.clone(),
            (_, Some(fraction)) => {
                Self::from(fraction * BigRational::from_integer((times as u64).into()))
            }
            (_, None) => {
                let times = times as f64;
                let lower = (self.lower() * times).next_down().max(0.0);
                let product = self.upper() * times;
                // The rounding error is exact where it does not underflow.
                let error = self.upper().mul_add(times, -product);
                let upper = if self.upper() == 0.0 || (product > 1e-200 && error <= 0.0) {
                    product
                } else {
                    product.next_up()
                };
                let ends = between(lower, upper);
                let value = (self.value * times).clamp(ends.lower(), ends.upper());
                Self::estimated(value, ends)
            }
        }
    }
}

impl From<BigRational> for Number {
    fn from(fraction: BigRational) -> Self {
        Self {
            ends: enclosing(&fraction),
            value: nearest(&fraction),
            fraction: Some(Box::new(fraction)),
        }
    }
}

impl From<&muffliato_fast::Loss> for Number {
    /// Uses the ends for scalars if they are close, and otherwise the upper end for vectors.
    fn from(found: &muffliato_fast::Loss) -> Self {
        let known =
            |found: muffliato_fast::Approximation| Self::estimated(found.estimate, found.certified);
        let (scalars, bound) = (known(found.scalars), known(found.absolute_sum));
        match (scalars.status(), bound.status()) {
            (Status::Estimate, Status::Certified) => {
                let upper = found.vectors.certified.upper();
                Self::estimated(upper, between(scalars.lower(), upper))
            }
            _ => scalars,
        }
    }
}

/// Creates a number from an upper bound.
pub(crate) fn at_most(upper: f64) -> Number {
    Number::estimated(upper, between(0.0, upper))
}

/// Returns the enclosure of two ends, or the unknown one if they are not an interval.
pub(crate) fn between(lower: f64, upper: f64) -> Enclosure {
    Enclosure::try_new(lower, upper).unwrap_or(Enclosure::UNKNOWN)
}

/// Returns a float next to a fraction: the quotient of the leading 64 bits.
fn nearest(value: &BigRational) -> f64 {
    let leading = |number: &BigInt| {
        let shift = number.bits().saturating_sub(64);
        let digits: BigInt = number >> shift;
        (i128::try_from(digits).unwrap_or(0) as f64, shift as i32)
    };
    let ((above, up), (below, down)) = (leading(value.numer()), leading(value.denom()));
    // In two parts, because the power of two may be out of range although the result is not.
    let half = (up - down) / 2;
    above / below * 2.0_f64.powi(half) * 2.0_f64.powi(up - down - half)
}

/// Returns the nearest floats that enclose a fraction, and still do as they are printed: the
/// shortest decimal of a float may be on its other side.
pub(crate) fn enclosing(value: &BigRational) -> Enclosure {
    let middle = nearest(value);
    let lies = |number: f64, side: Ordering| {
        let printed = LinearSystem::number(&format!("{number:e}"));
        let mut readings = BigRational::from_float(number).into_iter().chain(printed);
        readings.any(|reading| order(&reading, value) == side)
    };
    let (mut lower, mut upper) = (middle.min(f64::MAX), middle);
    while lies(lower, Ordering::Greater) {
        lower = lower.next_down();
    }
    while lies(upper, Ordering::Less) {
        upper = upper.next_up();
    }
    between(lower, upper)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{rounded, rounded_up};

    fn ratio(above: i64, below: i64) -> BigRational {
        BigRational::new(above.into(), below.into())
    }

    #[test]
    fn fractions_are_enclosed_by_neighbouring_floats() {
        for (above, below) in [(1, 3), (2, 7), (0, 1), (1, 1), (42_837_025, 4_854_427_082)] {
            let exact = ratio(above, below);
            let number = Number::from(exact.clone());
            let end = |number: f64| BigRational::from_float(number).unwrap();
            assert!(end(number.lower()) <= exact && exact <= end(number.upper()));
            assert!(number.lower().next_up() >= number.upper());
        }
        assert!(Number::from(ratio(1, 3).pow(700)).upper() > 0.0);
        // 2^-1027 with a long numerator, and what no float reaches.
        let small = (ratio(1, 3).pow(700) + ratio(1, 1)) * ratio(1, 2).pow(1027);
        let small = Number::from(small);
        assert_eq!(small.lower(), 2.0_f64.powi(-1022) / 32.0);
        assert_eq!(small.upper(), small.lower().next_up());
        let large = Number::from(ratio(3, 1).pow(700));
        assert_eq!((large.lower(), large.upper()), (f64::MAX, f64::INFINITY));
        assert_eq!(Number::from(ratio(1, 3)).value(), 1.0 / 3.0);
    }

    #[test]
    fn ends_enclose_a_fraction_as_they_are_printed() {
        let tenth = BigRational::from_float(0.1).unwrap(); // above 1/10
        let tenths = BigRational::from_float(0.7).unwrap(); // below 7/10
        for exact in [tenth.clone(), tenths, (tenth + ratio(1, 10)) / ratio(2, 1)] {
            let number = Number::from(exact.clone());
            let printed = |end: f64| LinearSystem::number(&end.to_string()).unwrap();
            assert!(printed(number.lower()) <= exact && exact <= printed(number.upper()));
        }
        assert_eq!(Number::from(ratio(1, 10)).upper(), 0.1);
    }

    #[test]
    fn multiples_are_rounded_up_and_values_lie_between_their_ends() {
        let three = Number::estimated(0.75, between(0.5, 1.0)).times(3);
        assert_eq!((three.lower(), three.value(), three.upper()), (1.5_f64.next_down(), 2.25, 3.0));
        // The product is rounded down.
        let above_one = 1.0_f64.next_up();
        let five = Number::estimated(1.0, between(1.0, above_one)).times(5);
        assert_eq!(five.upper(), (5.0 * above_one).next_up());
        let on_file = serde_json::to_string(&Number::estimated(0.75, between(0.5, 1.0))).unwrap();
        for outside in ["0.25", "1.25"] {
            let wrong = on_file.replace("0.75", outside);
            assert!(serde_json::from_str::<Number>(&wrong).is_err(), "{wrong}");
        }
        // The rounding error of a product is not known near underflow.
        let small = Number::estimated(0.0, between(0.0, 1e-300)).times(2);
        assert_eq!(small.upper(), 2e-300_f64.next_up());
    }

    #[test]
    fn close_ends_are_certified_and_others_are_estimates() {
        let status = |lower, upper| Number::estimated(lower, between(lower, upper)).status();
        assert_eq!(status(0.5, 0.5), Status::Certified);
        assert_eq!(status(0.0, 1.0), Status::Estimate);
        assert_eq!(status(1e3, 1e3 * (1.0 + TARGET_WIDTH)), Status::Certified);
        assert_eq!(rounded_up(f64::INFINITY), "unbounded");
        assert_eq!(rounded(0.0), "0");
        assert_eq!(rounded_up(f64::NAN), "unknown");
        for status in [Status::Exact, Status::Certified, Status::Estimate] {
            let text = serde_json::to_string(&status).unwrap();
            assert_eq!(text, format!("{:?}", status.as_str()));
            assert_eq!(serde_json::from_str::<Status>(&text).unwrap(), status);
        }
    }
}
