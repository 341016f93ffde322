//! From nearly orthonormal vectors to enclosures of `|| Pi e_u ||^2`.
//!
//! Let B be the matrix of the exact vectors `b_i` (rows), `C = B + D` its rounding to multiples of `2^-62`, with
//! `||D|| <= eta`, and `C C^T = I + E`, `||E|| <= epsilon`, computed without rounding in 128-bit integers. If
//! `epsilon + eta < 1`, the singular values of B lie between `1 - epsilon - eta` and `1 + epsilon + eta`, so that the `b_i` are
//! linearly independent, and since `Pi = B^T (B B^T)^-1 B`,
//!
//! ```text
//! ( (||C e_u|| - eta) / (1 + epsilon + eta) )^2  <=  || Pi e_u ||^2  <=  ( (||C e_u|| + eta) / (1 - epsilon - eta) )^2 .
//! ```

use super::{space::Space, vector::tabulate};
use crate::{Enclosure, UNIT_ROUNDOFF};
use dashu_int::{UBig, ops::BitTest};

/// Entries are multiples of `2^-FRACTION_BITS` in 64 bits.
const FRACTION_BITS: usize = 62;

/// The sum of `epsilon` and `eta` must be below this, for enclosures of width below `1e-12`.
const TOLERANCE: f64 = 1e-13;

/// Encloses `||Pi e_u||^2` for every node u and proves that the vectors are independent; `None` if they
/// are not orthonormal enough for that.
pub(super) fn enclosures(space: &Space, nodes: usize) -> Option<Vec<Enclosure>> {
    let size = space.vectors.len();
    let shift = space.precision.checked_sub(FRACTION_BITS)?;
    let mut rows: Vec<Vec<i64>> = Vec::with_capacity(size);
    let mut squared_eta = 0.0;
    for vector in &space.vectors {
        let rounded = vector
            .entries
            .iter()
            .map(|entry| i64::try_from(entry >> shift));
        let rounded: Vec<i64> = rounded.collect::<Result<_, _>>().ok()?;
        if rounded
            .iter()
            .any(|entry| entry.unsigned_abs() > 1 << FRACTION_BITS)
        {
            return None;
        }
        // Less than one unit for each entry, and the radius of the vector.
        let unit = 2.0_f64.powi(-(FRACTION_BITS as i32));
        let eta = (nodes as f64).sqrt() * unit + power_above(&vector.radius, space.precision);
        squared_eta += eta * eta;
        rows.push(rounded);
    }
    let squared_epsilon: f64 = tabulate(size, |i| squared_defects(&rows, i)).iter().sum();
    // Each of the sums above has fewer than 2^30 roundings.
    let slack = (squared_eta.sqrt() + squared_epsilon.sqrt()) * (1.0 + 1e-6);
    if slack.is_nan() || slack >= TOLERANCE {
        return None;
    }
    // The roundings below are a few units; the slack is widened by more.
    let slack = slack + 32.0 * UNIT_ROUNDOFF;
    let enclose = |u: usize| {
        let square: u128 = rows
            .iter()
            .map(|row| u128::from(row[u].unsigned_abs()).pow(2))
            .sum();
        let root = (square as f64 * 2.0_f64.powi(-2 * FRACTION_BITS as i32)).sqrt();
        let lower = ((root - slack).max(0.0) / (1.0 + slack)).powi(2);
        let upper = ((root + slack) / (1.0 - slack)).powi(2);
        Enclosure::try_new(lower, upper).map(|ends| ends.clamped_below(0.0).clamped_above(1.0))
    };
    (0..nodes).map(enclose).collect()
}

/// The sum of the squares of row i of `C C^T - I`, up to rounding.
fn squared_defects(rows: &[Vec<i64>], i: usize) -> f64 {
    let scale = 2.0_f64.powi(-2 * FRACTION_BITS as i32);
    let mut sum = 0.0;
    for (j, row) in rows.iter().enumerate() {
        // Entries of both rows are at most 2^62 and their squares sum to about 2^124, so that by
        // Cauchy and Schwarz no partial sum leaves the range.
        let products = rows[i].iter().zip(row);
        let product: i128 = products.map(|(&a, &b)| i128::from(a) * i128::from(b)).sum();
        let identity = if i == j {
            1_i128 << (2 * FRACTION_BITS)
        } else {
            0
        };
        let defect = (product - identity) as f64 * scale;
        sum += defect * defect;
    }
    sum
}

/// A float of at least `number / 2^precision`; infinite if that is 1 or more.
fn power_above(number: &UBig, precision: usize) -> f64 {
    match precision.checked_sub(number.bit_len()) {
        Some(0) | None => f64::INFINITY,
        Some(below) => 2.0_f64.powi(-(below.min(1000) as i32)),
    }
}
