//! Products of matrices to about three times the digits of a float, by products of floats that are exact.
//!
//! Cut the entries of a matrix, row by row, into slices of b bits each on a common grid. A product of two slices is
//! a sum of k products of 2b bits each: if `2b + log2(k) + 1 <= 53`, no order of summation and no fused operation rounds it
//! (Ozaki, Ogita, Oishi and Rump 2012). So with `A = A1 + A2 + A3` and `B = B1 + B2 + B3`,
//!
//! ```text
//! A B^T  =  A1 B1^T  +  (A1 B2^T + A2 B1^T)  +  A1 B3^T + A2 (B2 + B3)^T + A3 B^T,
//! ```
//!
//! the first two parts are exact, and the roundings of the third are relative to entries that are smaller by 2^-2b. Six products
//! of floats at the speed of the machine take the place of one in pairs.
//!
//! Matrices are stored by columns; the slices of a symmetric matrix by rows are those by columns of its transpose.

use super::factors;
use crate::{UNIT_ROUNDOFF, threads};

/// A square matrix in slices along its rows.
pub(crate) struct Sliced {
    size: usize,
    first: Vec<f64>,
    second: Vec<f64>,
    third: Vec<f64>,
    /// `second + third`, and all three, each rounded to a float.
    rest: Vec<f64>,
    whole: Vec<f64>,
}

/// A matrix `high + low`, and how far it may be from the exact product: a bound on the largest row sum and on the largest column
/// sum of the matrix of errors.
pub(crate) struct Product {
    pub high: Vec<f64>,
    pub low: Vec<f64>,
    pub error: f64,
}

impl Sliced {
    /// The slices of `high + low`; no low parts if there are none. `low` is at most half a unit in the last place of `high`, or
    /// about that.
    pub fn of(size: usize, high: &[f64], low: &[f64]) -> Self {
        let bits = (52 - (size.max(1) as f64).log2().ceil() as i32) / 2;
        let mut largest = vec![0.0_f64; size];
        for column in high.chunks_exact(size.max(1)) {
            for (largest, entry) in largest.iter_mut().zip(column) {
                *largest = largest.max(entry.abs());
            }
        }
        // Adding and subtracting this rounds to a multiple of 2^-bits times the power of two at or above the largest entry.
        let shift = |largest: f64, bits: i32| match largest.is_normal() {
            true => 3.0 * 2_f64.powi(largest.log2().ceil() as i32 + 1 - bits + 51),
            false => 0.0,
        };
        let shifts: Vec<(f64, f64)> = largest
            .iter()
            .map(|&largest| (shift(largest, bits), shift(largest, 2 * bits)))
            .collect();
        let mut sliced = Self {
            size,
            first: Vec::with_capacity(high.len()),
            second: Vec::with_capacity(high.len()),
            third: Vec::with_capacity(high.len()),
            rest: Vec::with_capacity(high.len()),
            whole: high.to_vec(),
        };
        for (place, &entry) in high.iter().enumerate() {
            let (coarse, fine) = shifts[place % size];
            let low = low.get(place).copied().unwrap_or(0.0);
            let first = (entry + coarse) - coarse;
            let left = entry - first;
            let second = (left + fine) - fine;
            sliced.first.push(first);
            sliced.second.push(second);
            sliced.third.push((left - second) + low);
            sliced.rest.push(left + low);
        }
        sliced
    }

    /// `self * other^T`, for factors of this shape.
    pub fn times_transposed(&self, other: &Self, shape: Shape) -> Product {
        let size = self.size;
        let product = |terms: &[(&[f64], &[f64])]| {
            let mut out = vec![0.0; size * size];
            threads::on_chunks(
                &mut out,
                PANEL * size,
                || (),
                |(), panel, out| {
                    for &(a, b) in terms {
                        factors::add_panel(size, a, b, panel * PANEL, shape, out);
                    }
                },
            );
            out
        };
        let mut high = product(&[(&self.first, &other.first)]);
        let mut low = product(&[(&self.first, &other.second), (&self.second, &other.first)]);
        let rest = product(&[
            (&self.first, &other.third),
            (&self.second, &other.rest),
            (&self.third, &other.whole),
        ]);
        // Three sums of `size` products, and what was rounded in `rest` and `whole`.
        let roundings = 3.0 * size as f64 + 8.0;
        let norm = |matrix: &[f64]| largest_sum(size, matrix);
        let terms = norm(&self.first) * norm(&other.third)
            + norm(&self.second) * norm(&other.rest)
            + norm(&self.third) * norm(&other.whole);
        let mut error = roundings * UNIT_ROUNDOFF * terms;
        for ((high, low), rest) in high.iter_mut().zip(&mut low).zip(rest) {
            let (sum, lost) = two_sum(*high, *low);
            (*high, *low) = (sum, lost + rest);
        }
        error += UNIT_ROUNDOFF * norm(&low) * 1.01;
        Product {
            high,
            low,
            error: error * 1.01 + f64::MIN_POSITIVE,
        }
    }
}

/// Columns that are computed at a time.
const PANEL: usize = 64;

/// Which part of a product is there.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Shape {
    /// Lower triangular times a full matrix.
    LowerTimesFull,
    /// Full times the transpose of a lower triangular matrix, the lower half of the result.
    LowerHalf,
}

/// The larger of the largest row sum and the largest column sum of absolute values, rounded up: a norm of products at most the
/// product of norms, and the same for the transpose.
pub(crate) fn largest_sum(size: usize, matrix: &[f64]) -> f64 {
    let mut rows = vec![0.0; size];
    let mut largest = 0.0_f64;
    for column in matrix.chunks_exact(size.max(1)) {
        let mut sum = 0.0;
        for (row, entry) in rows.iter_mut().zip(column) {
            sum += entry.abs();
            *row += entry.abs();
        }
        largest = if sum.is_nan() {
            f64::INFINITY
        } else {
            largest.max(sum)
        };
    }
    let rows = rows.into_iter().fold(0.0_f64, f64::max);
    largest.max(rows) * (1.0 + (size as f64 + 2.0) * UNIT_ROUNDOFF)
}

/// `a + b` exactly.
fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    let shadow = sum - a;
    (sum, (a - (sum - shadow)) + (b - shadow))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Entries of all sizes, with more digits than a float has.
    fn matrix(size: usize, seed: u64, lower: bool) -> (Vec<f64>, Vec<f64>) {
        let mut state = seed;
        let mut next = || {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (state >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
        };
        let (mut high, mut low) = (vec![0.0; size * size], vec![0.0; size * size]);
        for column in 0..size {
            for row in if lower { column } else { 0 }..size {
                let place = column * size + row;
                high[place] = next() * 2_f64.powi((row % 5) as i32 * 4 - (column % 7) as i32);
                low[place] = high[place] * next() * 2_f64.powi(-54);
            }
        }
        (high, low)
    }

    #[test]
    fn products_are_exact_far_beyond_floats() {
        let size = 150;
        let (a, _) = matrix(size, 1, true);
        let (b, low) = matrix(size, 2, false);
        let found = Sliced::of(size, &a, &[])
            .times_transposed(&Sliced::of(size, &b, &low), Shape::LowerTimesFull);
        // Of each float, what is above 2^-80: all products are below 2^40.
        let fixed = |part: f64| (part * 2_f64.powi(80)) as i128;
        for i in (0..size).step_by(7) {
            for j in (0..size).step_by(11) {
                let mut sum = 0;
                for k in 0..=i {
                    let (x, y) = (a[k * size + i], b[k * size + j]);
                    sum += fixed(x * y) + fixed(x.mul_add(y, -(x * y)));
                    sum += fixed(x * low[k * size + j]);
                }
                let place = j * size + i;
                let there = fixed(found.high[place]) + fixed(found.low[place]);
                let off = (there - sum) as f64 * 2_f64.powi(-80);
                assert!(
                    off.abs() <= found.error + 1e-20,
                    "{off:e} {:e}",
                    found.error
                );
                assert!(off.abs() < 1e-15, "{off:e}");
            }
        }
        let floats = UNIT_ROUNDOFF * largest_sum(size, &a) * largest_sum(size, &b);
        assert!(found.error < 1e-7 * floats, "{:e} {floats:e}", found.error);
    }

    #[test]
    fn the_lower_half_of_a_product() {
        let size = 70;
        let (a, low) = matrix(size, 3, false);
        let (b, _) = matrix(size, 4, true);
        let found = Sliced::of(size, &a, &low)
            .times_transposed(&Sliced::of(size, &b, &[]), Shape::LowerHalf);
        for i in 0..size {
            for j in 0..=i {
                let terms = (0..=j).map(|k| a[k * size + i] * b[k * size + j]);
                let size_of_terms: f64 = terms.clone().map(f64::abs).sum();
                let place = j * size + i;
                let there = found.high[place] + found.low[place];
                let off = (there - terms.sum::<f64>()).abs();
                assert!(off <= 1e-13 * size_of_terms, "{i} {j} {off}");
            }
        }
    }

    #[test]
    fn sums_of_rows_and_columns() {
        assert_eq!(largest_sum(2, &[1.0, -2.0, 0.5, 0.0]).round(), 3.0);
        assert_eq!(largest_sum(2, &[1.0, 0.0, -4.0, 0.0]).round(), 5.0);
        assert_eq!(largest_sum(1, &[f64::NAN]), f64::INFINITY);
    }
}
