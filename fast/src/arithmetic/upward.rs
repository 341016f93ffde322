//! Arithmetic on non-negative floats that only rounds up. Zeros are exact: what is 0 stays 0, and nothing else becomes 0.
//!
//! The sum or product of two floats, rounded to nearest, is below the next float above the result: `exact <= next_up(computed)`.
//! `proofs/KERNELS.md` names the theorem and the harness of each function.

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

/// At most `a + b`, and at least 0.
#[inline]
pub fn add_down(a: f64, b: f64) -> f64 {
    (a + b).next_down().max(0.0)
}

/// At least `a - b`, and at least 0.
#[inline]
pub fn minus_up(a: f64, b: f64) -> f64 {
    if a > b { (a - b).next_up() } else { 0.0 }
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

/// What underflow takes from a sum above this is less than a rounding: fewer than 2^60 terms of 2^-1074 each.
const FAR_FROM_UNDERFLOW: f64 = f64::from_bits(123 << 52); // 2^-900

/// Returns at least the exact sum of at most 2^26 products of non-negative floats, given their sum in floats, above `2^-900` and rounded to nearest in any order: each
/// product has at most as many roundings as there are terms, and `(1 + u)^k <= 1 + (k + 1) u`.
pub fn sum_up(sum: f64, terms: usize) -> f64 {
    (sum * (1.0 + (terms as f64 + 3.0) * UNIT_ROUNDOFF).next_up()).next_up()
}

/// At least the entry v of a matrix times x, and 0 where that is 0. `row` has the diagonal of row v and then the weights of `neighbours`; nothing is negative.
#[inline]
pub fn mixed_entry_up(v: usize, row: &[f64], neighbours: &[u32], x: &[f64]) -> f64 {
    let mut sum = row[0] * x[v];
    for (&w, &weight) in neighbours.iter().zip(&row[1..]) {
        sum += weight * x[w as usize];
    }
    if sum > FAR_FROM_UNDERFLOW {
        return sum_up(sum, row.len());
    }
    let mut sum = times_up(row[0], x[v]);
    for (&w, &weight) in neighbours.iter().zip(&row[1..]) {
        sum = add_up(sum, times_up(weight, x[w as usize]));
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sums of floats are fractions with a power of two below: exact in whole numbers.
    #[test]
    fn a_sum_is_not_below_the_exact_one() {
        let terms: Vec<u64> = (1..200).map(|k| (1 << 52) + k * k * 7919).collect();
        let floats: Vec<f64> = terms.iter().map(|&term| term as f64).collect();
        for count in 1..terms.len() {
            let exact: u128 = terms[..count].iter().map(|&term| u128::from(term)).sum();
            let computed: f64 = floats[..count].iter().sum();
            let up = sum_up(computed, count);
            assert!(up as u128 >= exact && up < computed * (1.0 + 1e-13), "{count}");
        }
    }
}
