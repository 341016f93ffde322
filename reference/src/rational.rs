//! Rationals of the exact parameters of the model.

use muffliato_model::Fraction;
use num_rational::BigRational;
use std::cmp::Ordering;

/// Converts a fraction to a rational number.
pub fn rational(fraction: Fraction) -> BigRational {
    BigRational::new(fraction.numerator().into(), fraction.denominator().into())
}

/// Compares two numbers by their cross products.
///
/// The comparison of num-rational recurses along continued fractions, which overflows the stack on
/// numbers of tens of thousands of digits.
///
/// ```
/// use muffliato_reference::{BigRational, order};
///
/// let ratio = |above: i64, below: i64| BigRational::new(above.into(), below.into());
/// assert!(order(&ratio(1, 3), &ratio(1, 2)).is_lt());
/// assert!(order(&ratio(-1, 3), &ratio(-1, 2)).is_gt());
/// ```
pub fn order(a: &BigRational, b: &BigRational) -> Ordering {
    (a.numer() * b.denom()).cmp(&(b.numer() * a.denom()))
}

/// Returns the larger of two numbers.
pub(crate) fn larger(a: BigRational, b: BigRational) -> BigRational {
    if order(&a, &b).is_lt() { b } else { a }
}

/// Converts a whole number.
pub(crate) fn whole(value: usize) -> BigRational {
    BigRational::from_integer(value.into())
}
