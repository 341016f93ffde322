//! The two precisions in which views are assembled: f64 and [`Pair`] (trusted).

use super::{
    pair::Pair,
    shared::{Shared, SharedIn},
};
use crate::UNIT_ROUNDOFF;
pub(crate) use crate::arithmetic::accumulated;
use muffliato_model::Fraction;

/// A real number type with a known unit of rounding.
pub(crate) trait Number: Copy + Send + Sync + Default + 'static {
    /// Each operation on non-negative numbers is within the factor `1 + UNIT` of the exact one.
    const UNIT: f64;
    /// Size in floats.
    const FLOATS: usize = size_of::<Self>() / size_of::<f64>();
    /// Whether it is a [`Pair`].
    const IN_PAIRS: bool = Self::FLOATS > 1;

    fn of(value: f64) -> Self;
    /// At most three roundings.
    fn of_ratio(above: i128, below: i128) -> Self;
    fn plus(self, other: Self) -> Self;
    /// Adds two numbers of which neither is negative, or neither positive.
    fn plus_alike(self, other: Self) -> Self;
    fn minus(self, other: Self) -> Self;
    fn times(self, other: Self) -> Self;
    fn over(self, divisor: Self) -> Self;
    /// Splits into the leading float, one f64 rounding away, and the remainder.
    fn parts(self) -> (f64, f64);

    /// Returns the shared data in this precision.
    fn of_shared(shared: &Shared) -> &SharedIn<Self>;
    /// Returns the floats themselves, if this type is f64.
    fn of_floats(floats: &[f64]) -> Option<&[Self]>;
    /// Rounds each number to a float.
    fn rounded(numbers: Vec<Self>, shared: &Shared) -> Vec<f64>;

    /// At most three roundings.
    fn of_fraction(fraction: Fraction) -> Self {
        Self::of_ratio(fraction.numerator(), fraction.denominator())
    }

    #[inline(always)]
    fn high(self) -> f64 {
        self.parts().0
    }
}

impl Number for f64 {
    const UNIT: f64 = UNIT_ROUNDOFF;

    #[inline(always)]
    fn of(value: f64) -> Self {
        value
    }
    fn of_ratio(above: i128, below: i128) -> Self {
        above as f64 / below as f64
    }
    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        self + other
    }
    #[inline(always)]
    fn plus_alike(self, other: Self) -> Self {
        self + other
    }
    #[inline(always)]
    fn minus(self, other: Self) -> Self {
        self - other
    }
    #[inline(always)]
    fn times(self, other: Self) -> Self {
        self * other
    }
    fn over(self, divisor: Self) -> Self {
        self / divisor
    }
    #[inline(always)]
    fn parts(self) -> (f64, f64) {
        (self, 0.0)
    }
    fn of_shared(shared: &Shared) -> &SharedIn<Self> {
        &shared.floats
    }
    fn of_floats(floats: &[f64]) -> Option<&[Self]> {
        Some(floats)
    }
    fn rounded(numbers: Vec<Self>, _: &Shared) -> Vec<f64> {
        numbers
    }
}

impl Number for Pair {
    const UNIT: f64 = 32.0 * UNIT_ROUNDOFF * UNIT_ROUNDOFF;

    #[inline(always)]
    fn of(value: f64) -> Self {
        Pair::of(value)
    }
    fn of_ratio(above: i128, below: i128) -> Self {
        Pair::of_integer(above).over(Pair::of_integer(below))
    }
    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        Pair::plus(self, other)
    }
    #[inline(always)]
    fn plus_alike(self, other: Self) -> Self {
        Pair::plus_alike(self, other)
    }
    #[inline(always)]
    fn minus(self, other: Self) -> Self {
        Pair::plus(self, other.negated())
    }
    #[inline(always)]
    fn times(self, other: Self) -> Self {
        Pair::times(self, other)
    }
    fn over(self, divisor: Self) -> Self {
        Pair::over(self, divisor)
    }
    #[inline(always)]
    fn parts(self) -> (f64, f64) {
        (self.high, self.low)
    }
    fn of_shared(shared: &Shared) -> &SharedIn<Self> {
        &shared.pairs
    }
    fn of_floats(_: &[f64]) -> Option<&[Self]> {
        None
    }
    fn rounded(numbers: Vec<Self>, shared: &Shared) -> Vec<f64> {
        let mut floats = shared.floats.any(numbers.len());
        for (float, number) in floats.iter_mut().zip(&numbers) {
            *float = number.high;
        }
        shared.pairs.take_back(numbers);
        floats
    }
}
