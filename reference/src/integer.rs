//! Integers of the engine.

use num_integer::Integer;
use num_traits::{FromPrimitive, NumAssignRef, Signed};
use std::{
    fmt::Debug,
    ops::{Div, Mul},
};

/// An integer type for exact arithmetic: `BigInt` in use, machine integers in proofs.
///
/// On machine integers a result is exact if no intermediate one overflows. The proofs establish
/// this for the sizes that they state.
///
/// ```
/// use muffliato_reference::{BigInt, ExactInteger};
///
/// fn cube<I: ExactInteger>(x: &I) -> I {
///     x.times(x).times(x)
/// }
/// assert_eq!(cube(&3_i64), 27);
/// assert_eq!(cube(&BigInt::from(10).pow(20)), BigInt::from(10).pow(60));
/// ```
pub trait ExactInteger: Integer + Signed + NumAssignRef + FromPrimitive + Clone + Debug {
    /// Returns `self * other`.
    fn times(&self, other: &Self) -> Self;
    /// Returns `self / other` for a divisor that leaves no remainder.
    fn over(&self, divisor: &Self) -> Self;
}

impl<I> ExactInteger for I
where
    I: Integer + Signed + NumAssignRef + FromPrimitive + Clone + Debug,
    for<'a> &'a I: Mul<&'a I, Output = I> + Div<&'a I, Output = I>,
{
    fn times(&self, other: &Self) -> Self {
        self * other
    }

    fn over(&self, divisor: &Self) -> Self {
        self / divisor
    }
}
