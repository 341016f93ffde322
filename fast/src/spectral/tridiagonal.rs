//! The extreme eigenpairs of a symmetric tridiagonal matrix (untrusted).
//!
//! `s I - T` is positive definite exactly if all pivots of its elimination are positive,
//!
//! ```text
//! p_1 = s - alpha_1,     p_{i+1} = s - alpha_{i+1} - beta_i^2 / p_i ,
//! ```
//!
//! so the largest eigenvalue is found by bisection on s; the smallest s seen with positive pivots
//! is the shift of an inverse iteration without pivoting. For `beta_i > 0` the vector is positive
//! (Perron), so the iteration may start from the constant vector.

/// Returns the largest eigenvalue of the matrix with this diagonal and off-diagonal (`beta_i` joins
/// i and i+1), and its eigenvector of norm 1. Both lists are finite; the diagonal is not empty.
pub(super) fn largest(alpha: &[f64], beta: &[f64]) -> (f64, Vec<f64>) {
    if let [only] = alpha {
        return (*only, vec![1.0]);
    }
    let joints = |i: usize| {
        let before = if i == 0 { 0.0 } else { beta[i - 1] };
        before + beta.get(i).copied().unwrap_or(0.0)
    };
    let all = || alpha.iter().enumerate();
    let size = all().map(|(i, entry)| entry.abs() + joints(i)).fold(0.0, f64::max);
    // Gershgorin above, the largest diagonal entry below.
    let mut below = alpha.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let top = all().map(|(i, entry)| entry + joints(i)).fold(f64::NEG_INFINITY, f64::max);
    let mut above = top + f64::EPSILON * size;
    while above - below > f64::EPSILON * size {
        let middle = below + (above - below) / 2.0;
        if middle <= below || middle >= above {
            break;
        }
        if pivots(alpha, beta, middle).count() == alpha.len() {
            above = middle;
        } else {
            below = middle;
        }
    }
    let pivots: Vec<f64> = pivots(alpha, beta, above + 2.0 * f64::EPSILON * size).collect();
    let vector = if pivots.len() == alpha.len() {
        inverse_iteration(beta, &pivots)
    } else {
        vec![1.0 / (alpha.len() as f64).sqrt(); alpha.len()]
    };
    (above, vector)
}

/// Returns the smallest eigenvalue and its vector: those of -T with the sign of every other entry
/// flipped.
pub(super) fn smallest(alpha: &[f64], beta: &[f64]) -> (f64, Vec<f64>) {
    let negated: Vec<f64> = alpha.iter().map(|entry| -entry).collect();
    let (value, mut vector) = largest(&negated, beta);
    vector.iter_mut().skip(1).step_by(2).for_each(|entry| *entry = -*entry);
    (-value, vector)
}

/// Returns the pivots of `shift I - T` before the first that is not positive: all of them if
/// `shift` is above all eigenvalues.
fn pivots(alpha: &[f64], beta: &[f64], shift: f64) -> impl Iterator<Item = f64> {
    let joints = std::iter::once(&0.0).chain(beta);
    alpha.iter().zip(joints).scan(1.0, move |pivot, (entry, joint)| {
        *pivot = shift - entry - joint * joint / *pivot;
        (*pivot > 0.0).then_some(*pivot)
    })
}

/// Runs three solves with `s I - T = L D L^T`, `L_{i+1,i} = -beta_i / p_i`.
fn inverse_iteration(beta: &[f64], pivots: &[f64]) -> Vec<f64> {
    let n = pivots.len();
    let mut x = vec![1.0; n];
    for _ in 0..3 {
        for i in 1..n {
            x[i] += beta[i - 1] / pivots[i - 1] * x[i - 1];
        }
        for i in (0..n).rev() {
            x[i] /= pivots[i];
            if i + 1 < n {
                x[i] += beta[i] / pivots[i] * x[i + 1];
            }
        }
        let largest = x.iter().fold(0.0, |m: f64, entry| m.max(entry.abs()));
        x.iter_mut().for_each(|entry| *entry /= largest);
        let norm = x.iter().map(|entry| entry * entry).sum::<f64>().sqrt();
        x.iter_mut().for_each(|entry| *entry /= norm);
    }
    x
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `alpha = 0, beta = 1`: eigenvalues `2 cos(pi k / (n+1))`, vector entries `sin(pi i / (n+1))`.
    #[test]
    fn the_path_has_its_known_spectrum() {
        for n in [1_usize, 2, 3, 10, 200] {
            let (alpha, beta) = (vec![0.0; n], vec![1.0; n - 1]);
            let angle = std::f64::consts::PI / (n + 1) as f64;
            let (value, vector) = largest(&alpha, &beta);
            assert!((value - 2.0 * angle.cos()).abs() < 1e-14, "{n}: {value}");
            let scale = (2.0 / (n + 1) as f64).sqrt();
            for (i, entry) in vector.iter().enumerate() {
                assert!((entry - scale * (angle * (i + 1) as f64).sin()).abs() < 1e-11);
            }
            let (value, vector) = smallest(&alpha, &beta);
            assert!((value + 2.0 * angle.cos()).abs() < 1e-14);
            for i in 0..n {
                let before = if i == 0 { 0.0 } else { vector[i - 1] };
                let after = vector.get(i + 1).copied().unwrap_or(0.0);
                assert!((before + after - value * vector[i]).abs() < 1e-13);
            }
        }
    }
}
