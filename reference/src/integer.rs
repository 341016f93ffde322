//! The integers that the engine counts with.

use num_integer::Integer;
use num_traits::{FromPrimitive, NumAssignRef, Signed};
use std::{
    fmt::Debug,
    ops::{Div, Mul},
};

/// An integer type for exact arithmetic: `BigInt` in use, machine integers in proofs.
///
/// On machine integers a function of [`arithmetic`](crate::arithmetic) is exact as long as no intermediate result
/// overflows, which the proofs establish for the sizes that they state.
pub trait ExactInteger: Integer + Signed + NumAssignRef + FromPrimitive + Clone + Debug {
    /// `self * other`.
    fn times(&self, other: &Self) -> Self;
    /// `self / other`, for a divisor that leaves no remainder.
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
