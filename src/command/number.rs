//! A quantity of either engine, and how it is printed.

use muffliato::fast::{Enclosure, Leakage, TARGET_WIDTH, ViewLoss};
use muffliato::prelude::Fraction;
use muffliato::reference::{BigInt, BigRational, decimal, order, rational};
use serde_json::{Value, json};
use std::cmp::Ordering;

/// Significant digits in tables.
const DIGITS: u32 = 3;

/// A number of an account: exact, or an estimate with certified ends.
#[derive(Clone, Debug, PartialEq)]
pub enum Quantity {
    /// What the reference engine found.
    Exact(Box<BigRational>),
    /// An upper bound on it that the reference engine found, as for several inputs at once.
    Bound(Box<BigRational>),
    /// What the fast engine found.
    Enclosed(Leakage),
    /// Certified ends of the loss of several inputs that pull in different directions: scalars lose at least the lower one, vectors at
    /// most the upper one, and both are known as well as they can be.
    Between(Enclosure),
}

/// How much is known about a quantity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Status {
    /// Rational arithmetic.
    Exact,
    /// The certified ends are so near that the value is known.
    Certified,
    /// The value is a guess; only the ends are certified.
    Estimate,
}

impl Status {
    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::Certified => "certified",
            Self::Estimate => "estimate",
        }
    }
}

impl From<BigRational> for Quantity {
    fn from(value: BigRational) -> Self {
        Self::Exact(Box::new(value))
    }
}

impl From<Leakage> for Quantity {
    fn from(value: Leakage) -> Self {
        Self::Enclosed(value)
    }
}

impl From<Enclosure> for Quantity {
    fn from(certified: Enclosure) -> Self {
        let estimate = certified.value();
        Self::Enclosed(Leakage {
            estimate,
            certified,
        })
    }
}

impl From<ViewLoss> for Quantity {
    fn from(value: ViewLoss) -> Self {
        let found = Self::Enclosed(value.loss);
        let bound = Self::Enclosed(value.absolute_sum);
        match (found.status(), bound.status()) {
            (Status::Estimate, Status::Certified) => Self::Between(value.loss.certified),
            _ => found,
        }
    }
}

impl Quantity {
    /// The best guess, as a float; never a promise.
    pub fn value(&self) -> f64 {
        match self {
            Self::Exact(value) | Self::Bound(value) => nearest(value),
            Self::Enclosed(value) => value.estimate,
            Self::Between(ends) => ends.upper(),
        }
    }

    /// Contains the exact number.
    pub fn enclosure(&self) -> Enclosure {
        match self {
            Self::Exact(value) => enclosing(value),
            Self::Bound(value) => {
                let upper = enclosing(value).upper();
                Enclosure::try_new(0.0, upper).unwrap_or(Enclosure::UNKNOWN)
            }
            Self::Enclosed(value) => value.certified,
            Self::Between(ends) => *ends,
        }
    }

    /// An upper bound on it as a short decimal: exact numbers and upper ends, rounded up.
    pub fn rounded_up(&self) -> String {
        match self {
            Self::Exact(value) | Self::Bound(value) => decimal::rounded_up(value, DIGITS),
            Self::Enclosed(_) | Self::Between(_) => rounded_up(self.enclosure().upper()),
        }
    }

    /// How much is known about it.
    pub fn status(&self) -> Status {
        match self {
            Self::Exact(_) => Status::Exact,
            Self::Bound(_) | Self::Between(_) => Status::Certified,
            Self::Enclosed(value) => {
                let scale = value.certified.upper().max(1.0);
                match value.is_certified(2.0 * TARGET_WIDTH * scale) {
                    true => Status::Certified,
                    false => Status::Estimate,
                }
            }
        }
    }

    /// The fraction of the reference engine, as `p/q`; empty for the fast engine.
    pub fn fraction(&self) -> String {
        match self {
            Self::Exact(value) | Self::Bound(value) => value.to_string(),
            Self::Enclosed(_) | Self::Between(_) => String::new(),
        }
    }

    /// As JSON: `{"exact", "value"}`, or `{"lower", "upper", "value", "status"}`.
    pub fn json(&self) -> Value {
        match self {
            Self::Exact(value) => json!({"exact": value.to_string(), "value": nearest(value)}),
            _ => json!({
                "lower": self.enclosure().lower(),
                "upper": self.enclosure().upper(),
                "value": self.value(),
                "status": self.status().word(),
            }),
        }
    }

    /// As JSON with the status, whatever the engine.
    pub fn json_with_status(&self) -> Value {
        let mut value = self.json();
        value["status"] = self.status().word().into();
        value
    }
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
fn enclosing(value: &BigRational) -> Enclosure {
    let middle = nearest(value);
    let exactly = |number: f64| BigRational::from_float(number);
    let (mut lower, mut upper) = (middle.min(f64::MAX), middle);
    while exactly(lower).is_some_and(|number| order(&number, value) == Ordering::Greater) {
        lower = lower.next_down();
    }
    while exactly(upper).is_some_and(|number| order(&number, value) == Ordering::Less) {
        upper = upper.next_up();
    }
    Enclosure::try_new(lower, upper).unwrap_or(Enclosure::UNKNOWN)
}

/// A float that is at least 0, rounded up to a short decimal.
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
            let enclosure = Quantity::from(exact.clone()).enclosure();
            let end = |number: f64| BigRational::from_float(number).unwrap();
            assert!(end(enclosure.lower()) <= exact && exact <= end(enclosure.upper()));
            assert!(enclosure.lower().next_up() >= enclosure.upper());
        }
        let long = ratio(1, 3).pow(700);
        assert!(Quantity::from(long).enclosure().upper() > 0.0);
        // 2^-1027 with a long numerator, and what no float reaches.
        let small = (ratio(1, 3).pow(700) + ratio(1, 1)) * ratio(1, 2).pow(1027);
        let enclosure = Quantity::from(small).enclosure();
        assert_eq!(enclosure.lower(), 2.0_f64.powi(-1022) / 32.0);
        assert_eq!(enclosure.upper(), enclosure.lower().next_up());
        let large = Quantity::from(ratio(3, 1).pow(700)).enclosure();
        assert_eq!((large.lower(), large.upper()), (f64::MAX, f64::INFINITY));
        assert_eq!(Quantity::from(ratio(1, 3)).value(), 1.0 / 3.0);
    }

    #[test]
    fn a_wide_loss_is_certified_if_the_bound_for_vectors_is_known() {
        let between = |lower, upper| {
            let certified = Enclosure::try_new(lower, upper).unwrap();
            Leakage {
                estimate: lower,
                certified,
            }
        };
        let loss = |absolute_sum| ViewLoss {
            loss: between(0.5, 0.75),
            absolute_sum,
            coincide: false,
            model: muffliato::model::LossModel::GradientsAsInputs,
        };
        let known = Quantity::from(loss(between(0.75, 0.75)));
        assert_eq!((known.status(), known.value()), (Status::Certified, 0.75));
        assert_eq!(known.enclosure().lower(), 0.5);
        let unknown = Quantity::from(loss(between(0.5, 2.0)));
        assert_eq!((unknown.status(), unknown.value()), (Status::Estimate, 0.5));
    }

    #[test]
    fn promises_round_up_and_estimates_to_nearest() {
        assert_eq!(rounded_up(0.1234), "0.124");
        assert_eq!(rounded(0.1234), "0.123");
        assert_eq!(rounded(0.0), "0");
        assert_eq!(rounded_up(f64::INFINITY), "unbounded");
        let wide = Enclosure::try_new(0.0, 1.0).unwrap();
        assert_eq!(Quantity::from(wide).status(), Status::Estimate);
        assert_eq!(
            Quantity::from(Enclosure::exact(0.5)).status(),
            Status::Certified
        );
    }
}
