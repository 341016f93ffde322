//! Running error bounds: a float with a bound on its distance from the exact number (trusted).
//!
//! Each operation rounds once, `fl(x) = x (1 + d)`, `|d| <= u = 2^-53`, or underflows by at most
//! `2^-1074`; the radius of the result collects the errors of the operands, of the operation, and
//! of computing the radius itself. For a product, with `|A - a| <= r`, `|B - b| <= s`:
//!
//! ```text
//! |A B - fl(a b)| <= |a| s + |b| r + r s + u |fl(a b)| + 2^-1074
//! ```
//!
//! Only the four operations and the square root of f64 are used, all correctly rounded by IEEE 754;
//! nothing rests on the accuracy of a library.

use crate::{Enclosure, SMALLEST, UNIT_ROUNDOFF, arithmetic::radius_up};
use std::ops::{Add, Div, Mul, Neg, Sub};

/// An exact number within `radius` of `centre`. A NaN or infinite radius means that nothing is
/// known.
#[derive(Clone, Copy, Debug)]
pub struct Ball {
    centre: f64,
    radius: f64,
}

impl Ball {
    /// Takes a float as the exact number.
    pub fn exact(centre: f64) -> Self {
        Self { centre, radius: 0.0 }
    }

    /// Returns a ball that contains every number between the two floats.
    pub fn between(lower: f64, upper: f64) -> Self {
        let centre = lower + (upper - lower) / 2.0;
        let radius = (upper - centre).max(centre - lower);
        Self::with(centre, &[radius, UNIT_ROUNDOFF * radius])
    }

    /// Enlarges the radius by `distance` >= 0.
    pub fn widened(self, distance: f64) -> Self {
        Self::with(self.centre, &[self.radius, distance])
    }

    /// Returns a ball whose radius is at least the sum of the non-negative terms.
    fn with(centre: f64, terms: &[f64]) -> Self {
        Self { centre, radius: radius_up(terms) }
    }

    /// Returns the float in the middle.
    pub fn centre(self) -> f64 {
        self.centre
    }

    /// Returns a lower bound on the exact number.
    pub fn lower(self) -> f64 {
        (self.centre - self.radius).next_down()
    }

    /// Returns an upper bound on the exact number.
    pub fn upper(self) -> f64 {
        (self.centre + self.radius).next_up()
    }

    /// Converts to an interval, for a number known to lie in [0, 1].
    pub fn probability(self) -> Enclosure {
        let (lower, upper) = (self.lower().max(0.0), self.upper().min(1.0)); // a NaN becomes 0 or 1
        Enclosure::try_new(lower, upper).unwrap_or(Enclosure::UNKNOWN)
    }

    /// Returns a ball that contains the square root, for a positive centre.
    pub fn sqrt(self) -> Self {
        // |sqrt A - sqrt a| <= |A - a| / sqrt a
        let root = self.centre.sqrt();
        Self::with(root, &[self.radius / root, UNIT_ROUNDOFF * root])
    }

    /// Returns a ball that contains the sum.
    pub fn plus(self, other: Self) -> Self {
        let centre = self.centre + other.centre;
        let rounding = UNIT_ROUNDOFF * centre.abs();
        Self::with(centre, &[self.radius, other.radius, rounding])
    }

    /// Returns a ball that contains the product.
    pub fn times(self, other: Self) -> Self {
        let centre = self.centre * other.centre;
        Self::with(
            centre,
            &[
                self.centre.abs() * other.radius,
                other.centre.abs() * self.radius,
                self.radius * other.radius,
                UNIT_ROUNDOFF * centre.abs(),
            ],
        )
    }

    /// Returns a ball that contains the quotient.
    pub fn over(self, other: Self) -> Self {
        // |A/B - a/b| <= (r + |a/b| s) / (|b| - s)
        let centre = self.centre / other.centre;
        let least = (other.centre.abs() - other.radius) * (1.0 - 4.0 * UNIT_ROUNDOFF);
        if least.is_nan() || least <= 0.0 {
            return Self { centre, radius: f64::INFINITY };
        }
        // The product may underflow before it is divided, and so may the quotient, which is
        // multiplied by the radius.
        let underflow = 2.0 * SMALLEST * (1.0 + other.radius);
        let carried = (self.radius + centre.abs() * other.radius + underflow) / least;
        Self::with(centre, &[carried, UNIT_ROUNDOFF * centre.abs()])
    }
}

impl Neg for Ball {
    type Output = Self;
    fn neg(self) -> Self {
        Self { centre: -self.centre, radius: self.radius }
    }
}

impl Add for Ball {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        self.plus(other)
    }
}

impl Sub for Ball {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

impl Mul for Ball {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        self.times(other)
    }
}

impl Div for Ball {
    type Output = Self;
    fn div(self, other: Self) -> Self {
        self.over(other)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roots_of_small_balls_are_wider_than_the_balls() {
        // 1/4 +- 1/8 has roots from 0.354 to 0.612.
        let root = Ball::exact(0.25).widened(0.125).sqrt();
        assert!(root.lower() <= 0.125_f64.sqrt() && root.upper() >= 0.375_f64.sqrt());
        assert!(root.radius < 0.26);
    }

    #[test]
    fn a_quotient_that_underflows_is_carried_by_a_large_radius() {
        // 2^-975 over a number from 2^48 on is at most 2^-1023; its centre is 0.
        let divisor = Ball { centre: 2_f64.powi(100), radius: 2_f64.powi(100) - 2_f64.powi(48) };
        let quotient = Ball::exact(2_f64.powi(-975)) / divisor;
        assert_eq!(quotient.centre(), 0.0);
        assert!(quotient.upper() >= 2_f64.powi(-1023));
    }

    #[test]
    fn underflow_is_divided_too() {
        // 2^-974 +- 2^-976 or so: the quotient times the radius vanishes before it is divided by 2^-100.
        let divisor = Ball::exact(2_f64.powi(-100)).widened(2_f64.powi(-102));
        let quotient = Ball::exact(SMALLEST) / divisor;
        assert!(quotient.upper() >= 2_f64.powi(-974) * 4.0 / 3.0);
    }

    /// Integers below 2^26 have exact products, so each radius can be checked by hand.
    #[test]
    fn the_radius_covers_every_choice_inside_the_operands() {
        let (a, b) = (Ball::between(9.0, 11.0), Ball::between(3.0, 5.0));
        for (x, y) in [(9.0, 3.0), (9.0, 5.0), (11.0, 3.0), (11.0, 5.0), (10.0, 4.0)] {
            for (ball, exact) in [(a + b, x + y), (a - b, x - y), (a * b, x * y), (a / b, x / y)] {
                assert!(ball.lower() <= exact && exact <= ball.upper());
            }
            assert!(a.sqrt().lower() <= f64::sqrt(x) && f64::sqrt(x) <= a.sqrt().upper());
        }
    }

    #[test]
    fn unbounded_results_are_unknown() {
        let zero = Ball::between(-1.0, 1.0);
        let nothing = (Ball::exact(1.0) / zero).probability();
        assert_eq!((nothing.lower(), nothing.upper()), (0.0, 1.0));
        let nan = (Ball::exact(f64::INFINITY) * Ball::exact(0.0)).probability();
        assert_eq!((nan.lower(), nan.upper()), (0.0, 1.0));
    }
}
