//! A number of either engine: ends that provably contain it, a best guess, and the fraction where there is one.

use muffliato_fast::{Enclosure, TARGET_WIDTH};
use muffliato_model::Fraction;
use muffliato_reference::{BigInt, BigRational, decimal, enclosure::Interval, order, rational};
use serde::{Deserialize, Serialize};
use std::cmp::Ordering;

/// Significant digits in tables.
const DIGITS: u32 = 3;

/// What is known about a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// Rational arithmetic: the number itself.
    Exact,
    /// Ends that provably contain it, as near to each other as they can be.
    Certified,
    /// The value is a guess; only the ends are certified.
    Estimate,
}

impl Status {
    /// Returns the word for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::Certified => "certified",
            Self::Estimate => "estimate",
        }
    }
}

/// A number that an engine found. It promises nothing by itself: the value of a refuted formula is one, too.
///
/// ```
/// use muffliato_account::{Number, Status};
/// use muffliato_fast::Enclosure;
/// use muffliato_reference::BigRational;
///
/// let third = Number::from(BigRational::new(1.into(), 3.into()));
/// assert_eq!((third.status(), third.rounded_up().as_str()), (Status::Exact, "0.334"));
/// assert!(third.lower() < third.upper()); // no float is a third
/// let wide = Number::from(Enclosure::try_new(0.25, 0.5).unwrap());
/// assert_eq!((wide.status(), wide.value()), (Status::Estimate, 0.375));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Number {
    ends: Enclosure,
    value: f64,
    fraction: Option<Box<BigRational>>,
}

impl Number {
    /// Makes a number from certified ends and a guess.
    pub fn estimated(value: f64, ends: Enclosure) -> Self {
        Self {
            ends,
            value,
            fraction: None,
        }
    }

    /// It is provably at least this.
    pub fn lower(&self) -> f64 {
        self.ends.lower()
    }

    /// It is provably at most this.
    pub fn upper(&self) -> f64 {
        self.ends.upper()
    }

    /// Contains it.
    pub fn enclosure(&self) -> Enclosure {
        self.ends
    }

    /// The best guess: for pictures and for estimates, which are called so.
    pub fn value(&self) -> f64 {
        self.value
    }

    /// The number itself, from exact arithmetic.
    pub fn fraction(&self) -> Option<&BigRational> {
        self.fraction.as_deref()
    }

    /// How much is known about it. Enclosures of the fast engine count as certified up to the width that it aims for.
    pub fn status(&self) -> Status {
        let allowed = 2.0 * TARGET_WIDTH * self.upper().max(1.0);
        match &self.fraction {
            Some(_) => Status::Exact,
            None if self.upper() - self.lower() <= allowed => Status::Certified,
            None => Status::Estimate,
        }
    }

    /// Returns the number `times` times over, rounded up unless it is a fraction.
    pub(crate) fn times(&self, times: usize) -> Self {
        match (times, self.fraction()) {
            (1, _) => self.clone(),
            (_, Some(fraction)) => {
                Self::from(fraction * BigRational::from_integer((times as u64).into()))
            }
            (_, None) => {
                let times = times as f64;
                let lower = (self.lower() * times).next_down().max(0.0);
                let upper = match self.upper() {
                    0.0 => 0.0,
                    upper => (upper * times).next_up(),
                };
                let ends = between(lower, upper);
                let value = (self.value * times).clamp(ends.lower(), ends.upper());
                Self::estimated(value, ends)
            }
        }
    }

    /// Returns an upper bound on it as a short decimal.
    pub fn rounded_up(&self) -> String {
        match &self.fraction {
            Some(fraction) => decimal::rounded_up(fraction, DIGITS),
            None => rounded_up(self.upper()),
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

impl From<Interval> for Number {
    fn from(interval: Interval) -> Self {
        let (lower, upper) = (enclosing(interval.lower()), enclosing(interval.upper()));
        Self::from(between(lower.lower(), upper.upper()))
    }
}

impl From<&muffliato_fast::Loss> for Number {
    /// Takes the ends for scalars where they are near each other, else the upper end for vectors.
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

impl From<Enclosure> for Number {
    fn from(ends: Enclosure) -> Self {
        Self::estimated(ends.value(), ends)
    }
}

/// Returns a number of which only an upper bound is known.
pub(crate) fn at_most(upper: f64) -> Number {
    Number::estimated(upper, between(0.0, upper))
}

/// The enclosure of two ends; what is no interval is unknown.
pub(crate) fn between(lower: f64, upper: f64) -> Enclosure {
    Enclosure::try_new(lower, upper).unwrap_or(Enclosure::UNKNOWN)
}

/// The float nearest to a fraction, or next to it: the quotient of the leading 64 bits.
fn nearest(value: &BigRational) -> f64 {
    let leading = |number: &BigInt| {
        let shift = number.bits().saturating_sub(64);
        let digits: BigInt = number >> shift;
        (i128::try_from(digits).unwrap_or(0) as f64, shift as i32)
    };
    let ((above, up), (below, down)) = (leading(value.numer()), leading(value.denom()));
    // In two parts: a power of two may be beyond the range of floats where the result is not.
    let half = (up - down) / 2;
    above / below * 2.0_f64.powi(half) * 2.0_f64.powi(up - down - half)
}

/// The float and its neighbours that enclose a fraction.
pub(crate) fn enclosing(value: &BigRational) -> Enclosure {
    let middle = nearest(value);
    let exactly = |number: f64| BigRational::from_float(number);
    let (mut lower, mut upper) = (middle.min(f64::MAX), middle);
    while exactly(lower).is_some_and(|number| order(&number, value) == Ordering::Greater) {
        lower = lower.next_down();
    }
    while exactly(upper).is_some_and(|number| order(&number, value) == Ordering::Less) {
        upper = upper.next_up();
    }
    between(lower, upper)
}

/// A float that is at least 0 as a short decimal, rounded up: for losses and what follows from them.
///
/// ```
/// use muffliato_account::{rounded, rounded_up};
///
/// assert_eq!((rounded_up(0.1234), rounded(0.1234)), ("0.124".into(), "0.123".into()));
/// assert_eq!(rounded_up(f64::INFINITY), "unbounded");
/// ```
pub fn rounded_up(value: f64) -> String {
    match BigRational::from_float(value) {
        Some(value) => decimal::rounded_up(&value, DIGITS),
        None if value == f64::INFINITY => "unbounded".into(),
        None => "unknown".into(),
    }
}

/// A float as a short decimal, to nearest: for estimates.
pub fn rounded(value: f64) -> String {
    let short = format!("{value:.*e}", DIGITS as usize - 1);
    match short.parse::<Fraction>() {
        Ok(fraction) => decimal::rounded_up(&rational(fraction), DIGITS),
        Err(_) => short,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
    fn ends_that_are_near_are_certified_and_others_an_estimate() {
        assert_eq!(
            Number::from(Enclosure::exact(0.5)).status(),
            Status::Certified
        );
        assert_eq!(Number::from(between(0.0, 1.0)).status(), Status::Estimate);
        assert_eq!(rounded(0.0), "0");
        assert_eq!(rounded_up(f64::NAN), "unknown");
        for status in [Status::Exact, Status::Certified, Status::Estimate] {
            let text = serde_json::to_string(&status).unwrap();
            assert_eq!(text, format!("{:?}", status.as_str()));
            assert_eq!(serde_json::from_str::<Status>(&text).unwrap(), status);
        }
    }
}
