//! The numbers that the engine computes with.

use crate::UNIT_ROUNDOFF;
use muffliato_model::Fraction;
use std::ops::{Add, AddAssign, Div, Mul, Sub};

/// A kind of numbers with the four operations: `f64` in use, exact ones in proofs.
pub trait Number:
    Copy
    + PartialOrd
    + From<u32>
    + Add<Output = Self>
    + AddAssign
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
{
}

impl<T> Number for T where
    T: Copy
        + PartialOrd
        + From<u32>
        + Add<Output = T>
        + AddAssign
        + Sub<Output = T>
        + Mul<Output = T>
        + Div<Output = T>
{
}

/// A kind of rounded numbers: `f64`, and pairs of floats.
pub trait Real: Number + Default + Send + Sync + 'static {
    /// Each operation on non-negative numbers is within the factor `1 + UNIT` of the exact one.
    const UNIT: f64;
    /// Whether a number is a pair of floats.
    const IN_PAIRS: bool = size_of::<Self>() > size_of::<f64>();

    /// Converts a float.
    fn of(value: f64) -> Self;
    /// Computes `above / below` with at most three roundings.
    fn of_ratio(above: i128, below: i128) -> Self;
    /// Splits into the leading float, one f64 rounding away, and the remainder.
    fn parts(self) -> (f64, f64);

    /// Converts a fraction with at most three roundings.
    fn of_fraction(fraction: Fraction) -> Self {
        Self::of_ratio(fraction.numerator(), fraction.denominator())
    }

    /// Returns the leading float.
    #[inline(always)]
    fn high(self) -> f64 {
        self.parts().0
    }
}

impl Real for f64 {
    const UNIT: f64 = UNIT_ROUNDOFF;

    #[inline(always)]
    fn of(value: f64) -> Self {
        value
    }
    fn of_ratio(above: i128, below: i128) -> Self {
        above as f64 / below as f64
    }
    #[inline(always)]
    fn parts(self) -> (f64, f64) {
        (self, 0.0)
    }
}
