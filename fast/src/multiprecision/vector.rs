//! Fixed-point vectors with a bound on their distance from an exact vector.
//!
//! An entry is an integer in units of `2^-P`, P the precision in bits. The radius, in the same
//! units, bounds the Euclidean distance to one exact vector. Roundings are counted in whole units:
//! a shifted or divided entry is off by less than one, a vector of n such entries by less than
//! `sqrt(n)`.

use dashu_int::{
    IBig, UBig,
    ops::{BitTest, SquareRoot, UnsignedAbs},
};

/// A vector within `radius` of an exact one. Entries that are not stored are exactly 0.
#[derive(Clone, Debug)]
pub(super) struct RoundedVector {
    pub entries: Vec<IBig>,
    pub radius: UBig,
}

impl RoundedVector {
    /// Returns the exact unit vector at an index among `count`.
    pub fn unit(place: usize, count: usize, precision: usize) -> Self {
        let mut entries = vec![IBig::ZERO; count];
        entries[place] = IBig::ONE << precision;
        Self { entries, radius: UBig::ZERO }
    }

    /// Multiplies each entry by `factor(place)`, rounded; no factor exceeds `largest` in absolute
    /// value.
    pub fn scaled<'a>(
        &self,
        factor: impl Fn(usize) -> (&'a IBig, &'a IBig),
        largest: &UBig,
    ) -> Self {
        let scale = |(place, entry): (usize, &IBig)| {
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
    pub fn dot(&self, other: &Self) -> IBig {
        let mut sum = IBig::ZERO;
        for (a, b) in self.entries.iter().zip(&other.entries) {
            if !a.is_zero() && !b.is_zero() {
                sum += a * b;
            }
        }
        sum
    }

    /// Returns the norm of the stored entries, rounded down.
    pub fn norm(&self) -> UBig {
        self.dot(self).unsigned_abs().sqrt()
    }
}

/// Returns the smallest integer whose square is at least `number`.
pub(super) fn root_above(number: usize) -> UBig {
    let root = UBig::from(number).sqrt();
    if &root * &root == UBig::from(number) { root } else { root + UBig::ONE }
}

/// Returns `number / 2^shift`, rounded up.
pub(super) fn shifted_up(number: UBig, shift: usize) -> UBig {
    let whole = (&number >> shift) << shift == number;
    (number >> shift) + UBig::from(!whole)
}

/// Returns `number / divisor`, rounded up, for a divisor other than 0.
pub(super) fn divided_up(number: UBig, divisor: &UBig) -> UBig {
    (number + divisor - UBig::ONE) / divisor
}

/// Returns an integer L with `number < 2^L`.
pub(super) fn bits_above(number: &UBig) -> i128 {
    number.bit_len() as i128
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scaled_radius_reaches_the_scaled_vector() {
        let (above, below) = (IBig::from(-10), IBig::from(3));
        // The exact vector is farthest away in the first entry.
        for (stored, exact) in [(5, 12), (5, -2)] {
            let vector = RoundedVector {
                entries: vec![IBig::from(stored), IBig::from(4)],
                radius: UBig::from(7_u8),
            };
            let scaled = vector.scaled(|_| (&above, &below), &UBig::from(4_u8));
            let radius = IBig::from(scaled.radius);
            // Three times the distances, so that nothing is rounded here.
            let first = &scaled.entries[0] * 3 + IBig::from(10 * exact);
            let second = &scaled.entries[1] * 3 + IBig::from(40);
            let squares = &first * &first + &second * &second;
            assert!(squares <= &radius * &radius * 9, "{squares} {radius}");
        }
    }
}
