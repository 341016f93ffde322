//! Gram-Schmidt in fixed point that proves linear dependence.
//!
//! Let the rows `a_1, a_2, ...` be such that `N_i a_i` is an integer vector, and let `b_1, ...,
//! b_k` span the accepted rows. For the next row a, with *any* coefficients `c_i`,
//!
//! ```text
//! y = a - sum_i c_i b_i,      b_{k+1} = y / nu
//! ```
//!
//! lies exactly in the row space: rounding only moves the stored vector away from y, by a known
//! radius, and poor coefficients only make the basis less orthonormal, which is measured at the
//! end.
//!
//! **Dependence.** The Gram determinant `d_k` of the accepted integer rows is a positive integer,
//! and the squared distance of `N a` from their span is `d_{k+1} / d_k` with an integer `d_{k+1}`:
//! it is 0, or at least `1 / d_k`. So if
//!
//! ```text
//! N || y ||  <  1 / sqrt(d_k),      d_k <= prod_{i <= k} (N_i nu_i || b_i ||)^2
//! ```
//!
//! then a depends on the rows before it, exactly. The product bounds the determinant because `nu_i
//! b_i` differs from `a_i` by a combination of earlier rows.

use super::vector::{RoundedVector, bits_above, divided_up, root_above, shifted_up};
use crate::threads::in_order;
use num_bigint::{BigInt, BigUint};
use num_traits::{One, Zero};

/// A remainder counts as new if it is at least `2^CLEAR` times its radius.
const CLEAR: usize = 70;

/// Vectors that span the rows accepted so far.
#[derive(Clone, Debug)]
pub(super) struct Space {
    pub precision: usize,
    pub vectors: Vec<RoundedVector>,
    /// `sqrt(d_k) <= 2^determinant_bits`, if all denominators are known.
    determinant_bits: Option<i128>,
}

/// Classification of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// It was added; its independence is proved when the basis is checked.
    Added,
    /// It is a combination of the rows before it: proved.
    Dependent,
    /// More digits are needed to decide.
    Unclear,
}

impl Space {
    pub fn new(precision: usize) -> Self {
        Self { precision, vectors: Vec::new(), determinant_bits: Some(0) }
    }

    /// Classifies a row whose product with some integer of at most `2^denominator_bits` is an
    /// integer vector; without such an integer, and after a row without one, nothing is proved
    /// dependent. No earlier row may be longer.
    pub fn add(&mut self, row: &RoundedVector, denominator_bits: Option<i128>) -> Verdict {
        let precision = self.precision;
        let count = row.entries.len();
        let coefficients: Vec<BigInt> =
            in_order(self.vectors.len(), |i| row.dot(&self.vectors[i]) >> precision);
        let used: Vec<_> = coefficients
            .iter()
            .zip(&self.vectors)
            .filter(|(coefficient, _)| !coefficient.is_zero())
            .collect();
        let entries = in_order(count, |v| {
            let mut sum = BigInt::ZERO;
            for (coefficient, vector) in &used {
                if let Some(entry) = vector.entries.get(v).filter(|entry| !entry.is_zero()) {
                    sum += *coefficient * entry;
                }
            }
            &row.entries[v] - (sum >> precision)
        });
        let mut radius = &row.radius + root_above(count);
        for (coefficient, vector) in used {
            radius += shifted_up(coefficient.magnitude() * &vector.radius, precision);
        }
        let remainder = RoundedVector { entries, radius };
        let norm = remainder.norm();

        // The product of the integer and a length in units is below 2 to the power of this.
        let bits = |length: &BigUint| {
            let before = self.determinant_bits?;
            Some(before + denominator_bits? + bits_above(length) - precision as i128)
        };
        if norm > &remainder.radius << CLEAR {
            // The norm of the new vector is at most (norm + 1 + radius) / norm plus rounding.
            let longest = &norm + (&norm >> 32) + BigUint::one();
            self.determinant_bits = bits(&longest);
            self.vectors.push(normalised(remainder, &norm, precision));
            return Verdict::Added;
        }
        let longest = norm + BigUint::one() + &remainder.radius;
        match bits(&longest) {
            Some(bits) if bits < 0 => Verdict::Dependent,
            _ => Verdict::Unclear,
        }
    }
}

/// Returns the vector divided by `norm > 0`.
fn normalised(vector: RoundedVector, norm: &BigUint, precision: usize) -> RoundedVector {
    let divisor = BigInt::from(norm.clone());
    let entries = vector.entries.into_iter();
    let radius = divided_up(vector.radius << precision, norm);
    let entries: Vec<BigInt> = entries.map(|entry| (entry << precision) / &divisor).collect();
    RoundedVector { radius: radius + root_above(entries.len()), entries }
}
