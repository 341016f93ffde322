//! Numbers that are enlarged by the roundings that made them.

use crate::{SMALLEST, UNIT_ROUNDOFF};

/// Returns at least the exact number of which `value` >= 0 is computed with at most `roundings`
/// roundings, each of which may have underflowed; infinite if there are too many.
pub fn enlarged(value: f64, roundings: usize) -> f64 {
    let spread = (roundings as f64 + 4.0) * UNIT_ROUNDOFF * 1.01;
    if spread > 1e-3 {
        return f64::INFINITY;
    }
    (value * (1.0 + spread)).next_up() + roundings as f64 * SMALLEST
}

/// Returns at least the exact sum of non-negative terms, but for what underflow took, given the
/// computed sum and three `roundings` more than it has; infinite if there are too many.
pub fn raised(sum: f64, roundings: usize) -> f64 {
    sum * (1.0 + accumulated(roundings as u64, UNIT_ROUNDOFF))
}

/// Bounds `|a - s^2 y - sum kappa^2 (y - b)|` from above, up to three roundings of the bound itself:
/// an entry of the residual of the trial y, given `a >= 0`, `s^2`, and for each neighbour `kappa^2`
/// and the trial there. The squares may have seven roundings each.
pub fn residual_up(a: f64, variance: f64, y: f64, row: impl Iterator<Item = (f64, f64)>) -> f64 {
    let (mut flow, mut flow_size, mut terms) = (0.0, 0.0, 0.0);
    for (square, b) in row {
        flow += square * (y - b);
        flow_size += square * (y.abs() + b.abs());
        terms += 1.0;
    }
    let residual = a - variance * y - flow;
    let size = a + variance * y.abs() + flow_size;
    let spread = (terms + 16.0) * UNIT_ROUNDOFF * 1.01;
    residual.abs() + spread * size + (terms + 16.0) * SMALLEST
}

/// Returns at least the sum of at most four non-negative terms, each computed with at most six
/// roundings, and of four losses to underflow.
pub fn radius_up(terms: &[f64]) -> f64 {
    let sum = terms.iter().fold(0.0, |sum, term| sum + term);
    sum * (1.0 + 16.0 * UNIT_ROUNDOFF) + 16.0 * SMALLEST
}

/// Returns at least the norm of a vector, given the computed root of the sum of the squares of its
/// `entries`, in any order.
pub fn enlarged_root(root: f64, entries: usize) -> f64 {
    // A square below the smallest float is lost: the norm of such entries is below 2^-500.
    const LOST: f64 = f64::from_bits((1023 - 530) << 52); // 2^-530
    let spread = (entries as f64 + 8.0) * UNIT_ROUNDOFF;
    root * (1.0 + spread) + entries as f64 * LOST
}

/// Returns at least `(1 + unit)^k - 1`, the most by which k `roundings` of one `unit`, at least `2^-200`, change a sum of non-negative terms relatively;
/// infinite when there are too many for that to say anything.
pub fn accumulated(roundings: u64, unit: f64) -> f64 {
    let spread = (roundings as f64 + 2.0) * unit;
    if spread < 1e-3 { spread * 1.01 } else { f64::INFINITY }
}
