//! Double-word numbers: unevaluated sums `high + low` of two floats (trusted).
//!
//! The Gram matrix of a barely refreshed view has condition `~ tau^-2`, and its inverse multiplies
//! the rounding errors of f64 by as much. Pairs carry 106 bits. The algorithms are those analysed
//! by Joldes, Muller and Popescu ("Tight and rigorous error bounds for basic building blocks of
//! double-word arithmetic", 2017), with `u = 2^-53` and no underflow:
//!
//! | operation | relative error at most |
//! | --- | --- |
//! | sum, difference (`AccurateDWPlusDW`) | `3 u^2 / (1 - 4u)` |
//! //! | product (`DWTimesDW1`) | `5 u^2` |
//! | product with a float (`DWTimesFP1`) | `2 u^2` |
//! | quotient (`DWDivDW2`) | `15 u^2 + 56 u^3` |
//!
//! All are below `32 u^2 = 2^-101`, the unit that this crate counts. Underflow of a result or of an
//! error term adds at most `2^-1060`.

use super::{Real, fast_two_sum, two_product, two_sum};
use crate::UNIT_ROUNDOFF;
use std::ops::{Add, AddAssign, Div, Mul, Sub};

/// `high + low`, with `|low|` at most half a unit in the last place of `high`.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd, Default)]
pub struct Pair {
    /// The leading float.
    pub high: f64,
    /// The remainder.
    pub low: f64,
}

impl Pair {
    /// Converts an integer with relative error at most `2^-106`.
    pub fn of_integer(value: i128) -> Self {
        let high = value as f64;
        let low = value.saturating_sub(high as i128) as f64;
        Self { high, low }
    }

    /// Adds two numbers.
    #[inline(always)]
    pub fn plus(self, other: Self) -> Self {
        let (sum, lost) = two_sum(self.high, other.high);
        let (tail, tail_lost) = two_sum(self.low, other.low);
        let (high, rest) = fast_two_sum(sum, lost + tail);
        let (high, low) = fast_two_sum(high, tail_lost + rest);
        Self { high, low }
    }

    /// Returns the number with the other sign.
    #[inline(always)]
    pub fn negated(self) -> Self {
        Self { high: -self.high, low: -self.low }
    }

    /// Multiplies two numbers.
    #[inline(always)]
    pub fn times(self, other: Self) -> Self {
        let (product, lost) = two_product(self.high, other.high);
        let cross = self.high * other.low + self.low * other.high;
        let (high, low) = fast_two_sum(product, lost + cross);
        Self { high, low }
    }

    /// Multiplies by a float.
    #[inline(always)]
    pub fn scaled(self, factor: f64) -> Self {
        let (product, lost) = two_product(self.high, factor);
        let (high, rest) = fast_two_sum(product, self.low * factor);
        let (high, low) = fast_two_sum(high, rest + lost);
        Self { high, low }
    }

    /// Divides by a number that is not 0.
    pub fn over(self, divisor: Self) -> Self {
        let quotient = self.high / divisor.high;
        let back = divisor.scaled(quotient);
        let rest = (self.high - back.high) + (self.low - back.low);
        let (high, low) = fast_two_sum(quotient, rest / divisor.high);
        Self { high, low }
    }
}

impl From<u32> for Pair {
    #[inline(always)]
    fn from(value: u32) -> Self {
        Self::of(value.into())
    }
}

impl Add for Pair {
    type Output = Self;

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        self.plus(other)
    }
}

impl AddAssign for Pair {
    #[inline(always)]
    fn add_assign(&mut self, other: Self) {
        *self = self.plus(other);
    }
}

impl Sub for Pair {
    type Output = Self;

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        self.plus(other.negated())
    }
}

impl Mul for Pair {
    type Output = Self;

    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        self.times(other)
    }
}

impl Div for Pair {
    type Output = Self;

    fn div(self, divisor: Self) -> Self {
        self.over(divisor)
    }
}

impl Real for Pair {
    const UNIT: f64 = 32.0 * UNIT_ROUNDOFF * UNIT_ROUNDOFF;

    #[inline(always)]
    fn of(value: f64) -> Self {
        Self { high: value, low: 0.0 }
    }
    fn of_ratio(above: i128, below: i128) -> Self {
        Self::of_integer(above).over(Self::of_integer(below))
    }
    #[inline(always)]
    fn parts(self) -> (f64, f64) {
        (self.high, self.low)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_third_times_three_is_one() {
        let third = Pair::of(1.0) / Pair::of(3.0);
        let one = third * Pair::of(3.0) - Pair::of(1.0);
        assert!((one.high + one.low).abs() < 2f64.powi(-104), "{one:?}");
        assert!(third.low != 0.0);
        let large = Pair::of_integer(i128::MAX - 12345);
        assert_eq!(large.high, 2f64.powi(127));
        assert!((large.low + 12346.0).abs() <= 2.0, "{large:?}");
    }

    proptest! {
        #[test]
        fn sums_and_products_of_floats_are_exact(
            p in -(1_i64 << 53)..1 << 53,
            q in -(1_i64 << 53)..1 << 53,
            shift in 0..60_u32,
        ) {
            let far = p as f64 * f64::from(shift).exp2();
            let (sum, lost) = two_sum(far, q as f64);
            prop_assert_eq!((i128::from(p) << shift) + i128::from(q), sum as i128 + lost as i128);
            let (product, lost) = two_product(p as f64, q as f64);
            prop_assert_eq!(i128::from(p) * i128::from(q), product as i128 + lost as i128);
        }

        #[test]
        fn division_undoes_multiplication(a in 1e-9_f64..1e9, b in 1e-9_f64..1e9, c in -1e-9..1e-9) {
            let x = Pair::of(a) + Pair::of(a * c * 1e-8);
            let y = Pair::of(b) / Pair::of(3.0);
            let back = x * y / y - x;
            prop_assert!(back.high.abs() <= 2f64.powi(-100) * x.high.abs());
        }
    }
}
