//! Bounds on the spectrum from one vector (trusted).
//!
//! For every x that is not constant, with `mean` its mean, and every y that is not 0 (Courant and Fischer):
//!
//! ```text
//! 1 - lambda_2 <= sum_{uv} w_uv (x_u - x_v)^2 / sum_v (x_v - mean)^2
//! 1 + lambda_n <= ( sum_v 2 W_vv y_v^2 + sum_{uv} w_uv (y_u + y_v)^2 ) / sum_v y_v^2
//! ```
//!
//! The numerators have no negative term, so a gap of any size is bounded to a relative precision
//! that counts roundings. And for every x and theta some eigenvalue lies within `||A x - theta x||
//! / ||x||` of theta.

use super::{
    lanczos::SpectrumEnd,
    operator::Symmetric,
    vector::{dot, norm, sum, sum_roundings},
};
use crate::{Enclosure, FastError, UNIT_ROUNDOFF};

/// Computes the quotient of the wanted end: an estimate of the eigenvalue's distance, and a proved
/// upper bound. For a Laplacian only [`SpectrumEnd::Top`] is meaningful, with its weights as
/// `w_uv`.
pub(super) fn distance(a: &impl Symmetric, end: SpectrumEnd, x: &[f64]) -> (f64, f64) {
    let n = a.nodes();
    let sign = if end == SpectrumEnd::Top { -1.0 } else { 1.0 };
    let energy = sum(n, |v| {
        let (columns, weights) = a.row(v);
        let own = if end == SpectrumEnd::Top {
            0.0
        } else {
            2.0 * a.own(v) * x[v] * x[v]
        };
        let mut total = own;
        for (&u, &weight) in columns.iter().zip(weights) {
            if u as usize > v {
                let joint = x[v] + sign * x[u as usize];
                total += weight * joint * joint;
            }
        }
        total
    });
    // A term: the weight's roundings, two of the squared difference, three products; then two sums.
    let degree = max_degree(a) as u64;
    let roundings = a.roundings() + 6 + degree + sum_roundings(n);
    let operations = 4 * (degree + 1) * n as u64;
    let energy = Enclosure::around(energy, roundings, operations);
    let squares = Enclosure::around(dot(x, x), sum_roundings(n) + 1, 2 * n as u64);
    let constant = if end == SpectrumEnd::Top {
        mean_part(x)
    } else {
        0.0
    };
    let spread = (squares.lower() - constant).next_down();
    let estimate = energy.value() / squares.value();
    if spread > 0.0 {
        (estimate, (energy.upper() / spread).next_up())
    } else {
        (estimate, f64::INFINITY)
    }
}

/// Bounds `n mean^2` from above: the square of the part of x along the constant vector.
fn mean_part(x: &[f64]) -> f64 {
    let n = x.len();
    let error = (sum_roundings(n) + 4) as f64 * UNIT_ROUNDOFF * sum(n, |k| x[k].abs());
    let total = sum(n, |k| x[k]).abs() + 2.0 * error;
    total * total / n as f64 * (1.0 + 8.0 * UNIT_ROUNDOFF)
}

/// Bounds `||A x - theta x|| / ||x||` for the Rayleigh quotient theta of x and the part of x that
/// sums to 0; `scale` is at least the largest row sum of `|A|`.
pub(super) fn residual(a: &impl Symmetric, x: &[f64], scale: f64) -> Result<f64, FastError> {
    let n = a.nodes();
    let mut product = vec![0.0; n];
    a.apply(x, &mut product)?;
    let theta = dot(x, &product) / dot(x, x);
    let rest = sum(n, |v| {
        let rest = product[v] - theta * x[v];
        rest * rest
    });
    let rest = Enclosure::around(rest, sum_roundings(n) + 4, 2 * n as u64)
        .upper()
        .sqrt();
    let length = Enclosure::around(dot(x, x), sum_roundings(n) + 1, 2 * n as u64)
        .lower()
        .sqrt();
    // The product is off by (k+d+4) u |A| |x| entrywise, theta x by 2 u; the mean moves both terms.
    let units = (a.roundings() + max_degree(a) as u64 + 8) as f64 * 1.01 * UNIT_ROUNDOFF;
    let constant = mean_part(x).sqrt();
    let error = units * (scale + theta.abs()) * norm(x) * 1.01 + constant * (scale + theta.abs());
    Ok((rest + error) / (length - constant) * (1.0 + 1e-12))
}

pub(super) fn max_degree(a: &impl Symmetric) -> usize {
    (0..a.nodes()).map(|v| a.row(v).0.len()).max().unwrap_or(0)
}
