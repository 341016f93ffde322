//! Arithmetic on non-negative floats that only rounds up. Zeros are exact: what is 0 stays 0, and nothing else becomes 0.
//!
//! The sum or product of two floats, rounded to nearest, is below the next float above the result: `exact <= next_up(computed)`.
//! `proofs/KERNELS.md` names the theorem and the harness of each function.

use super::mixed_entry;
use crate::UNIT_ROUNDOFF;

/// At least `a + b`.
#[inline]
pub fn add_up(a: f64, b: f64) -> f64 {
    if a == 0.0 {
        b
    } else if b == 0.0 {
        a
    } else {
        (a + b).next_up()
    }
}

/// At least `a b`, and 0 only if one of them is.
#[inline]
pub fn times_up(a: f64, b: f64) -> f64 {
    if a == 0.0 || b == 0.0 {
        0.0
    } else if a == 1.0 {
        b
    } else {
        (a * b).next_up()
    }
}

/// At least `above / below` for `above >= 0`, `below > 0`.
pub fn ratio_up(above: i128, below: i128) -> f64 {
    if above == 0 {
        return 0.0;
    }
    if above == below {
        return 1.0;
    }
    // Conversions round to nearest: one float away is on the safe side.
    ((above as f64).next_up() / (below as f64).next_down()).next_up()
}

/// Absorbs the fraction `above / below`, from 0 to 1, of what has arrived: what is absorbed, and what is left, neither of them less than exactly. Nothing
/// is left by the fraction 1.
pub fn absorb_up(arrived: f64, above: i128, below: i128) -> (f64, f64) {
    let absorbed = times_up(ratio_up(above, below), arrived);
    let left = times_up(ratio_up(below - above, below), arrived);
    (absorbed, left)
}

/// Above this sum, what its products lost to underflow is less than a rounding.
const FAR_FROM_UNDERFLOW: f64 = f64::from_bits(123 << 52); // 2^-900

/// Returns at least the exact sum of at most 2^26 products of non-negative floats, given their sum in floats, above `2^-900` and rounded to nearest in any order: each
/// product has at most as many roundings as there are terms, and `(1 + u)^k <= 1 + (k + 1) u`.
pub fn sum_up(sum: f64, terms: usize) -> f64 {
    (sum * (1.0 + (terms as f64 + 3.0) * UNIT_ROUNDOFF).next_up()).next_up()
}

/// Returns at least entry v of `W x` for fewer than 2^26 neighbours and nothing negative, and 0 only where all terms are 0.
pub fn mixed_up(v: usize, own: f64, columns: &[u32], values: &[f64], x: &[f64]) -> f64 {
    let sum = mixed_entry(v, own, columns, values, x);
    if sum > FAR_FROM_UNDERFLOW {
        return sum_up(sum, columns.len() + 1);
    }
    let terms = columns.iter().zip(values);
    terms.fold(times_up(own, x[v]), |sum, (&w, &weight)| {
        add_up(sum, times_up(weight, x[w as usize]))
    })
}

/// Returns at least `(1 + unit)^k - 1`, the most by which k `roundings` of one `unit`, at least `2^-200`, change a sum of non-negative terms relatively;
/// infinite when there are too many for that to say anything.
pub fn accumulated(roundings: u64, unit: f64) -> f64 {
    let spread = (roundings as f64 + 2.0) * unit;
    if spread < 1e-3 {
        spread * 1.01
    } else {
        f64::INFINITY
    }
}
