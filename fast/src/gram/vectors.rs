//! The loss of vectors, between a choice of directions and a dual vector (trusted).
//!
//! With P the matrix of `e_i^T Pi e_j` over the inputs, vectors d_i of length at most 1 lose
//! `sum_ij P_ij <d_i, d_j>`, at most `max tr(P X)` over `X >= 0` with diagonal at most 1. Every
//! choice of directions is a lower bound. Every lambda with `diag(lambda) - P >= 0` gives the upper
//! bound `sum lambda`: then `tr(P X) <= tr(diag(lambda) X) <= sum lambda`.
//!
//! Both are found elsewhere (`find`). `diag(lambda) - P` is proved positive semidefinite by
//! Cholesky's algorithm, which in floating point meets positive pivots only if `A >= -c trace(A)
//! I`, `c = g / (1 - g)`, `g = (n+2) u / (1 - (n+2) u)` (Demmel; Higham, theorem 10.5).

use super::find;
use crate::UNIT_ROUNDOFF;

/// Returns the loss of the directions found, rounded down, and an upper bound for all directions,
/// for the exact symmetric matrix `p`. The upper end is infinite if no proof was found.
pub(crate) fn ends(size: usize, p: &[f64]) -> (f64, f64) {
    let (directions, dual) = find::directions(size, p);
    let lower = attained(size, p, &directions);
    let largest = dual.iter().fold(f64::MIN_POSITIVE, |most, &entry| most.max(entry));
    let mut more = 1e-13 * largest;
    while more <= largest {
        let lambda: Vec<f64> = dual.iter().map(|entry| entry + more).collect();
        if let Some(upper) = proved(size, p, &lambda) {
            return (lower, upper);
        }
        more *= 8.0;
    }
    (lower, f64::INFINITY)
}

/// Bounds the loss of these directions from below, each divided by the length of the longest.
fn attained(size: usize, p: &[f64], directions: &[f64]) -> f64 {
    let dimension = directions.len() / size.max(1);
    let direction = |i: usize| &directions[i * dimension..(i + 1) * dimension];
    let product = |i, j| direction(i).iter().zip(direction(j)).map(|(a, b)| a * b).sum::<f64>();
    let (mut value, mut absolute) = (0.0, 0.0);
    for i in 0..size {
        for j in 0..size {
            value += p[i * size + j] * product(i, j);
            absolute += p[i * size + j].abs();
        }
    }
    let roundings = (size * size + 4 * dimension + 8) as f64 * UNIT_ROUNDOFF;
    let longest = (0..size).map(|i| product(i, i)).fold(1.0, f64::max) * (1.0 + roundings);
    ((value - 2.0 * roundings * absolute * longest) / longest).next_down()
}

/// Returns the bound that `lambda` proves, corrected for the proof in floating point; `None` if a
/// pivot is not positive.
fn proved(size: usize, p: &[f64], lambda: &[f64]) -> Option<f64> {
    let mut rows: Vec<f64> = p.iter().map(|entry| -entry).collect();
    let (mut trace, mut largest) = (0.0_f64, 0.0_f64);
    for (i, &entry) in lambda.iter().enumerate() {
        rows[i * size + i] = entry - p[i * size + i];
        trace += rows[i * size + i].max(0.0);
        largest = largest.max(entry.abs()).max(p[i * size + i].abs());
    }
    for i in 0..size {
        for j in 0..=i {
            let product: f64 = (0..j).map(|k| rows[i * size + k] * rows[j * size + k]).sum();
            let rest = rows[i * size + j] - product;
            if j < i {
                rows[i * size + j] = rest / rows[j * size + j];
            } else if rest > 0.0 && rest < f64::INFINITY {
                rows[i * size + i] = rest.sqrt();
            } else {
                return None;
            }
        }
    }
    let units = (size as f64 + 2.0) * UNIT_ROUNDOFF;
    let elimination = units / (1.0 - 3.0 * units) * trace * (1.0 + 2.0 * units);
    // Each diagonal entry was rounded once.
    let missing = (elimination + 2.0 * UNIT_ROUNDOFF * largest) * (1.0 + 1e-12) + f64::MIN_POSITIVE;
    let sum =
        lambda.iter().fold(0.0_f64, |sum, &entry| (sum + (entry + missing).next_up()).next_up());
    Some(sum)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vectors_in_the_plane_lose_more_than_signs() {
        // Signs reach 8/3, three directions at 120 degrees 3.
        let p = [2.0, 1.0, 1.0, 1.0, 2.0, -1.0, 1.0, -1.0, 2.0].map(|entry| entry / 3.0);
        let (lower, upper) = ends(3, &p);
        assert!(lower <= 3.0 && 3.0 <= upper && upper - lower < 1e-9, "{lower} {upper}");
    }

    #[test]
    fn a_dual_vector_that_is_too_small_proves_nothing() {
        let p = [1.0, 0.5, 0.5, 1.0];
        assert_eq!(proved(2, &p, &[1.5 - 1e-9, 1.5 - 1e-9]), None);
        let bound = proved(2, &p, &[1.5 + 1e-9, 1.5 + 1e-9]).unwrap();
        assert!(bound > 3.0 && bound < 3.0 + 1e-8);
        let (lower, upper) = ends(2, &p);
        assert!(lower <= 3.0 && 3.0 <= upper && upper - lower < 1e-10);
    }
}
