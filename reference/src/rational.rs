//! From the exact parameters of the model to rationals.

use muffliato_model::Fraction;
use num_rational::BigRational;
use std::cmp::Ordering;

/// The rational number that the fraction stands for.
pub fn rational(fraction: Fraction) -> BigRational {
    BigRational::new(fraction.numerator().into(), fraction.denominator().into())
}

/// How two numbers compare, by their cross products.
///
/// The comparison of num-rational itself recurses along continued fractions, which overflows the stack on
/// numbers of tens of thousands of digits; this one does not.
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

/// The larger of two numbers.
pub(crate) fn larger(a: BigRational, b: BigRational) -> BigRational {
    if order(&a, &b).is_lt() { b } else { a }
}

/// The whole number `value`.
pub(crate) fn whole(value: usize) -> BigRational {
    BigRational::from_integer(value.into())
}
