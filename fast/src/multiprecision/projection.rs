//! Losses from nearly orthonormal vectors.
//!
//! Let B be the matrix of the exact vectors `b_i` (rows), `C = B + D` its rounding to multiples of `2^-62`, with
//! `||D|| <= eta`, and `C C^T = I + E`, `||E|| <= epsilon`, computed without rounding in 128-bit integers. If
//! `delta = epsilon + eta < 1`, the singular values of B lie between `1 - delta` and `1 + delta`, so that the `b_i` are
//! linearly independent, and since `Pi = B^T (B B^T)^-1 B`,
//!
//! ```text
//! e_i^T Pi e_j = z_i^T (B B^T)^-1 z_j,    z_i = B e_i,    || z_i - C e_i || <= eta,    || B B^T - I || <= 2 delta + delta^2 .
//! ```
//!
//! The losses follow as for whitened columns (`gram::loss`).

use super::space::Space;
use crate::gram::{Reach, WhitenedInputs, norm_up};
use crate::{Loss, UNIT_ROUNDOFF, threads::in_order};
use muffliato_model::LossModel;
use num_bigint::BigUint;

/// Entries are multiples of `2^-FRACTION_BITS` in 64 bits.
const FRACTION_BITS: usize = 62;

/// Bound on `epsilon + eta`, for `e_i^T Pi e_j` to a width below `1e-12`.
const TOLERANCE: f64 = 5e-14;

/// The columns `C e_i` of a proved basis.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Projection {
    rank: usize,
    /// Stored column by column.
    columns: Vec<f64>,
    /// Upper bound on `eta`.
    error: f64,
    /// Upper bound on `|| B B^T - I ||`.
    defect: f64,
}

impl Projection {
    /// Proves that the vectors of the space are independent; `None` if they are not orthonormal
    /// enough.
    pub fn of(space: &Space, draws: usize) -> Option<Self> {
        let rank = space.vectors.len();
        let shift = space.precision.checked_sub(FRACTION_BITS)?;
        let unit = 2.0_f64.powi(-(FRACTION_BITS as i32));
        let mut rows: Vec<Vec<i64>> = Vec::with_capacity(rank);
        let mut squared_eta = 0.0;
        for vector in &space.vectors {
            let rounded = vector.entries.iter().map(|entry| i64::try_from(entry >> shift));
            let rounded: Vec<i64> = rounded.collect::<Result<_, _>>().ok()?;
            if rounded.iter().any(|entry| entry.unsigned_abs() > 1 << FRACTION_BITS) {
                return None;
            }
            // Less than one unit for each entry, and the radius of the vector.
            let rounding = (rounded.len() as f64).sqrt() * unit;
            let eta = rounding + power_above(&vector.radius, space.precision);
            squared_eta += eta * eta;
            rows.push(rounded);
        }
        let squared_epsilon: f64 = in_order(rank, |i| squared_defects(&rows, i)).iter().sum();
        // Each of the sums above has fewer than 2^30 roundings.
        let eta = squared_eta.sqrt() * (1.0 + 1e-6);
        let delta = eta + squared_epsilon.sqrt() * (1.0 + 1e-6);
        if delta.is_nan() || delta >= TOLERANCE {
            return None;
        }
        let mut columns = vec![0.0; draws * rank];
        for (place, row) in rows.iter().enumerate() {
            for (draw, &entry) in row.iter().enumerate() {
                columns[draw * rank + place] = entry as f64 * unit;
            }
        }
        Some(Self { rank, columns, error: eta, defect: 2.001 * delta })
    }

    pub fn rank(&self) -> usize {
        self.rank
    }

    /// Computes the joint loss of the inputs protected by these draws.
    pub fn loss(&self, draws: &[usize], model: LossModel) -> Loss {
        let column = |&draw: &usize| &self.columns[draw * self.rank..(draw + 1) * self.rank];
        let entries: Vec<&[f64]> = draws.iter().map(column).collect();
        // Each entry was rounded to a float.
        let error = |column: &&[f64]| self.error + 1.001 * UNIT_ROUNDOFF * norm_up(column);
        let errors = entries.iter().map(error).collect();
        let local = draws.len() as f64; // uniform noise
        WhitenedInputs { entries, errors }.loss(local, self.defect, Reach::Both, model)
    }
}

/// Returns the sum of the squares of row i of `C C^T - I`, up to rounding.
fn squared_defects(rows: &[Vec<i64>], i: usize) -> f64 {
    let scale = 2.0_f64.powi(-2 * FRACTION_BITS as i32);
    let mut sum = 0.0;
    for (j, row) in rows.iter().enumerate() {
        // Entries of both rows are at most 2^62 and their squares sum to about 2^124, so by
        // Cauchy-Schwarz no partial sum overflows.
        let products = rows[i].iter().zip(row);
        let product: i128 = products.map(|(&a, &b)| i128::from(a) * i128::from(b)).sum();
        let identity = if i == j { 1_i128 << (2 * FRACTION_BITS) } else { 0 };
        let defect = (product - identity) as f64 * scale;
        sum += defect * defect;
    }
    sum
}

/// Returns a float of at least `number / 2^precision`; infinite if that is 1 or more.
fn power_above(number: &BigUint, precision: usize) -> f64 {
    match (precision as u64).checked_sub(number.bits()) {
        Some(0) | None => f64::INFINITY,
        Some(below) => 2.0_f64.powi(-(below.min(1000) as i32)),
    }
}
