//! Fixed-point vectors with a bound on their distance from an exact vector.
//!
//! An entry is an integer in units of `2^-P`, P the precision in bits. The radius, in the same
//! units, bounds the Euclidean distance to one exact vector. Roundings are counted in whole units:
//! a shifted or divided entry is off by less than one, a vector of n such entries by less than
//! `sqrt(n)`.

use num_bigint::{BigInt, BigUint};
use num_traits::{One, Zero};

/// A vector within `radius` of an exact one. Entries that are not stored are exactly 0.
#[derive(Clone, Debug)]
pub(super) struct RoundedVector {
    pub entries: Vec<BigInt>,
    pub radius: BigUint,
}

impl RoundedVector {
    /// Returns the exact unit vector at an index among `count`.
    pub fn unit(place: usize, count: usize, precision: usize) -> Self {
        let mut entries = vec![BigInt::ZERO; count];
        entries[place] = BigInt::one() << precision;
        Self { entries, radius: BigUint::ZERO }
    }

    /// Multiplies each entry by `factor(place)`, rounded; no factor exceeds `largest` in absolute
    /// value.
    pub fn scaled<'a>(
        &self,
        factor: impl Fn(usize) -> (&'a BigInt, &'a BigInt),
        largest: &BigUint,
    ) -> Self {
        let scale = |(place, entry): (usize, &BigInt)| {
            let (above, below) = factor(place);
            entry * above / below
        };
        Self {
            entries: self.entries.iter().enumerate().map(scale).collect(),
            radius: &self.radius * largest + root_above(self.entries.len()),
        }
    }

    /// Adds a vector of the same length.
    pub fn plus(mut self, other: &Self) -> Self {
        for (entry, other) in self.entries.iter_mut().zip(&other.entries) {
            *entry += other;
        }
        self.radius += &other.radius;
        self
    }

    /// Returns the inner product of the stored entries, in units of `2^-2P`.
    pub fn dot(&self, other: &Self) -> BigInt {
        let mut sum = BigInt::ZERO;
        for (a, b) in self.entries.iter().zip(&other.entries) {
            if !a.is_zero() && !b.is_zero() {
                sum += a * b;
            }
        }
        sum
    }

    /// Returns the norm of the stored entries, rounded down.
    pub fn norm(&self) -> BigUint {
        self.dot(self).magnitude().sqrt()
    }
}

/// Returns the smallest integer whose square is at least `number`.
pub(super) fn root_above(number: usize) -> BigUint {
    let root = BigUint::from(number).sqrt();
    if &root * &root == BigUint::from(number) { root } else { root + BigUint::one() }
}

/// Returns `number / 2^shift`, rounded up.
pub(super) fn shifted_up(number: BigUint, shift: usize) -> BigUint {
    let whole = (&number >> shift) << shift == number;
    (number >> shift) + BigUint::from(!whole)
}

/// Returns `number / divisor`, rounded up, for a divisor other than 0.
pub(super) fn divided_up(number: BigUint, divisor: &BigUint) -> BigUint {
    (number + divisor - BigUint::one()) / divisor
}

/// Returns an integer L with `number < 2^L`.
pub(super) fn bits_above(number: &BigUint) -> i128 {
    i128::from(number.bits())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scaled_radius_reaches_the_scaled_vector() {
        let (above, below) = (BigInt::from(-10), BigInt::from(3));
        // The exact vector is farthest away in the first entry.
        for (stored, exact) in [(5, 12), (5, -2)] {
            let vector = RoundedVector {
                entries: vec![BigInt::from(stored), BigInt::from(4)],
                radius: BigUint::from(7_u8),
            };
            let scaled = vector.scaled(|_| (&above, &below), &BigUint::from(4_u8));
            let radius = BigInt::from(scaled.radius);
            // Three times the distances, so that nothing is rounded here.
            let first = &scaled.entries[0] * 3 + BigInt::from(10 * exact);
            let second = &scaled.entries[1] * 3 + BigInt::from(40);
            let squares = &first * &first + &second * &second;
            assert!(squares <= &radius * &radius * 9, "{squares} {radius}");
        }
    }
}
