//! Products of matrices with some twenty bits more than floats have, by exact products of slices.
//!
//! Take the leading b bits of each row's entries on a common grid. A product of two such slices is
//! a sum of k products of 2b bits each: if `2b + log2(k) + 1 <= 53`, no order of summation and no
//! fused operation rounds it (Ozaki, Ogita, Oishi and Rump 2012). With `A = A1 + A'` and `B = B1 +
//! B'`,
//!
//! ```text
//! A B^T  =  A1 B1^T  +  (A1 B'^T + A' B^T),
//! ```
//!
//! the first part is exact, and the roundings of the second are relative to entries that are
//! smaller by 2^-b. Three products of floats replace one in pairs.
//!
//! Matrices are stored by columns; the slices of a symmetric matrix by rows are those by columns of
//! its transpose.

use super::products;
use crate::{
    UNIT_ROUNDOFF,
    arithmetic::{raised, two_sum},
    threads,
};

/// A square matrix with its leading slice along the rows.
pub(crate) struct Sliced<'a> {
    size: usize,
    first: Vec<f64>,
    /// The remainder, rounded to a float.
    rest: Vec<f64>,
    /// The whole matrix, rounded to floats.
    whole: &'a [f64],
}

impl<'a> Sliced<'a> {
    /// Slices `high + low`; `low` is empty, or at most about half a unit in the last place of
    /// `high`.
    pub fn of(size: usize, high: &'a [f64], low: &[f64]) -> Self {
        let bits = (52 - (size.max(1) as f64).log2().ceil() as i32) / 2;
        let mut largest = vec![0.0_f64; size];
        for column in high.chunks_exact(size.max(1)) {
            for (largest, entry) in largest.iter_mut().zip(column) {
                *largest = largest.max(entry.abs());
            }
        }
        // Adding and subtracting this rounds to a multiple of 2^-bits times the power of two at or
        // above the largest entry.
        let shift = |&largest: &f64| {
            if largest.is_normal() {
                3.0 * 2_f64.powi(largest.log2().ceil() as i32 + 1 - bits + 51)
            } else {
                0.0
            }
        };
        let shifts: Vec<f64> = largest.iter().map(shift).collect();
        let (mut first, mut rest) = (vec![0.0; size * size], vec![0.0; size * size]);
        threads::on_two(&mut first, &mut rest, PANEL * size.max(1), |panel, first, rest| {
            let from = panel * PANEL * size;
            let columns = first.chunks_exact_mut(size).zip(rest.chunks_exact_mut(size));
            for ((first, rest), at) in columns.zip((from..).step_by(size)) {
                for (row, &shift) in shifts.iter().enumerate() {
                    let entry = high[at + row];
                    first[row] = (entry + shift) - shift;
                    rest[row] = entry - first[row] + low.get(at + row).copied().unwrap_or(0.0);
                }
            }
        });
        Self { size, first, rest, whole: high }
    }

    /// Computes `self * other^T` as `high + low`, for factors of this shape;
    /// [`Sliced::error_times`] bounds the error.
    pub fn times_transposed(&self, other: &Self, shape: Shape) -> (Vec<f64>, Vec<f64>) {
        let size = self.size;
        let (mut high, mut low) = (vec![0.0; size * size], vec![0.0; size * size]);
        threads::on_two(&mut high, &mut low, PANEL * size.max(1), |panel, high, low| {
            self.fill_panel(other, shape, panel * PANEL, high, low);
        });
        (high, low)
    }

    /// Computes the product in panels of columns on all threads, and returns the results of `work`
    /// on each in order.
    pub fn panels<R: Send>(
        &self,
        other: &Self,
        shape: Shape,
        work: impl Fn(Panel<'_>) -> R + Sync + Send,
    ) -> Vec<R> {
        let size = self.size;
        let place = || (Vec::new(), Vec::new());
        threads::each(vec![(); size.div_ceil(PANEL)], place, |(high, low), panel, ()| {
            let first = panel * PANEL;
            let entries = PANEL.min(size - first) * size;
            high.resize(entries, 0.0);
            low.resize(entries, 0.0);
            self.fill_panel(other, shape, first, high, low);
            work(Panel { size, first, high, low })
        })
    }

    /// Overwrites a panel with the columns from `first` on.
    fn fill_panel(
        &self,
        other: &Self,
        shape: Shape,
        first: usize,
        high: &mut [f64],
        low: &mut [f64],
    ) {
        high.fill(0.0);
        low.fill(0.0);
        let add = |a: &[f64], b: &[f64], out: &mut [f64]| {
            products::add_panel(self.size, a, b, first, shape, out);
        };
        add(&self.first, &other.first, high);
        add(&self.first, &other.rest, low);
        add(&self.rest, other.whole, low);
        for (high, low) in high.iter_mut().zip(low) {
            (*high, *low) = two_sum(*high, *low);
        }
    }

    /// Returns at least `E x` for a non-negative vector x, with E the absolute error of `self *
    /// other^T`: a number of roundings of `|A1| |B'|^T + |A'| |B|^T`.
    pub fn error_times(&self, other: &Self, x: &[f64]) -> Vec<f64> {
        let size = self.size;
        let through =
            |a: &[f64], b: &[f64]| absolute_times(size, a, &absolute_transposed_times(size, b, x));
        let first = through(&self.first, &other.rest);
        let second = through(&self.rest, other.whole);
        self.counted(first, &second)
    }

    /// Returns at least `E^T x`, with E as in [`Sliced::error_times`].
    pub fn transposed_error_times(&self, other: &Self, x: &[f64]) -> Vec<f64> {
        let size = self.size;
        let through =
            |a: &[f64], b: &[f64]| absolute_times(size, b, &absolute_transposed_times(size, a, x));
        let first = through(&self.first, &other.rest);
        let second = through(&self.rest, other.whole);
        self.counted(first, &second)
    }

    /// Scales the sum of two vectors by the roundings of a product: two sums, and the roundings of
    /// `rest` and `whole`.
    fn counted(&self, mut first: Vec<f64>, second: &[f64]) -> Vec<f64> {
        let roundings = 2.0 * products::roundings(self.size) as f64 + 8.0;
        for (first, second) in first.iter_mut().zip(second) {
            *first = (*first + second) * roundings * UNIT_ROUNDOFF * 1.01 + f64::MIN_POSITIVE;
        }
        first
    }
}

/// Columns of a product `high + low`, from `first` on.
pub(crate) struct Panel<'a> {
    size: usize,
    pub first: usize,
    high: &'a [f64],
    low: &'a [f64],
}

impl<'a> Panel<'a> {
    /// Returns the column numbers with high and low parts. Unless the shape is
    /// [`Shape::FullFactor`], rows before `first` are 0, whatever the product is there.
    pub fn columns(&self) -> impl Iterator<Item = (usize, (&'a [f64], &'a [f64]))> {
        let low = self.low.chunks_exact(self.size);
        (self.first..).zip(self.high.chunks_exact(self.size).zip(low))
    }
}

/// Returns at least `|A| x` for a non-negative vector.
pub(crate) fn absolute_times(size: usize, matrix: &[f64], x: &[f64]) -> Vec<f64> {
    let mut sums = vec![0.0; size];
    for (column, &factor) in matrix.chunks_exact(size.max(1)).zip(x) {
        for (sum, entry) in sums.iter_mut().zip(column) {
            *sum += entry.abs() * factor;
        }
    }
    sums.iter_mut().for_each(|sum| *sum = raised(*sum, size + 8));
    sums
}

/// Returns at least `|A|^T x` for a non-negative vector.
pub(crate) fn absolute_transposed_times(size: usize, matrix: &[f64], x: &[f64]) -> Vec<f64> {
    let sum = |column: &[f64]| {
        let terms = column.iter().zip(x).map(|(entry, x)| entry.abs() * x);
        raised(terms.sum(), size + 8)
    };
    matrix.chunks_exact(size.max(1)).map(sum).collect()
}

/// Number of columns computed at a time.
const PANEL: usize = 128;

/// Structure of the factors of a product.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Shape {
    /// Lower triangular times a full matrix.
    FullFactor,
    /// Lower triangular times the transpose of an upper triangular matrix.
    LowerFactor,
    /// Full times the transpose of a lower triangular matrix; only the lower half of the result.
    LowerHalf,
}

/// Returns the transpose.
pub(crate) fn transposed(size: usize, matrix: &[f64]) -> Vec<f64> {
    /// Side of the tiles that are transposed at a time.
    const TILE: usize = 64;
    let mut turned = vec![0.0; matrix.len()];
    for columns in (0..size).step_by(TILE) {
        for rows in (0..size).step_by(TILE) {
            for column in columns..size.min(columns + TILE) {
                for row in rows..size.min(rows + TILE) {
                    turned[row * size + column] = matrix[column * size + row];
                }
            }
        }
    }
    turned
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Generates entries of all sizes, with more digits than a float has.
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
        let (left, right) = (Sliced::of(size, &a, &[]), Sliced::of(size, &b, &low));
        let found = left.times_transposed(&right, Shape::FullFactor);
        let error = left.error_times(&right, &vec![1.0; size]);
        let by_columns = left.transposed_error_times(&right, &vec![1.0; size]);
        // Keeps the bits of each float above 2^-80; all products are below 2^40.
        let fixed = |part: f64| (part * 2_f64.powi(80)) as i128;
        let mut largest = 0.0_f64;
        for i in (0..size).step_by(7) {
            for j in (0..size).step_by(11) {
                let mut sum = 0;
                for k in 0..=i {
                    let (x, y) = (a[k * size + i], b[k * size + j]);
                    sum += fixed(x * y) + fixed(x.mul_add(y, -(x * y)));
                    sum += fixed(x * low[k * size + j]);
                }
                let place = j * size + i;
                let there = fixed(found.0[place]) + fixed(found.1[place]);
                let off = ((there - sum) as f64 * 2_f64.powi(-80)).abs();
                largest = largest.max(off);
                assert!(off <= error[i].min(by_columns[j]) + 1e-20, "{off:e}");
            }
        }
        // The error is visible, and small beside that of floats.
        let floats =
            absolute_times(size, &a, &absolute_transposed_times(size, &b, &vec![1.0; size]));
        let most = |sums: &[f64]| sums.iter().fold(0.0_f64, |most, &sum| most.max(sum));
        assert!(
            largest > 1e-24 && most(&error) < 1e-3 * UNIT_ROUNDOFF * most(&floats),
            "{largest:e}"
        );
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
                let there = found.0[place] + found.1[place];
                let off = (there - terms.sum::<f64>()).abs();
                assert!(off <= 1e-13 * size_of_terms, "{i} {j} {off}");
            }
        }
    }

    #[test]
    fn a_triangular_product() {
        let size = 300;
        let (a, _) = matrix(size, 5, true);
        let (b, _) = matrix(size, 6, true);
        let turned = transposed(size, &b);
        let found = Sliced::of(size, &a, &[])
            .times_transposed(&Sliced::of(size, &turned, &[]), Shape::LowerFactor);
        for (i, j) in [(0, 0), (5, 2), (2, 5), (299, 0), (299, 299), (270, 140), (140, 130)] {
            let terms = (0..size).map(|k| a[k * size + i] * b[j * size + k]);
            let size_of_terms: f64 = terms.clone().map(f64::abs).sum();
            let place = j * size + i;
            let off = (found.0[place] + found.1[place] - terms.sum::<f64>()).abs();
            assert!(off <= 1e-13 * size_of_terms, "{i} {j} {off}");
        }
    }

    #[test]
    fn products_with_absolute_values() {
        let matrix = [1.0, -2.0, 0.5, 0.0];
        let rounded = |sums: Vec<f64>| sums.into_iter().map(f64::round).collect::<Vec<_>>();
        assert_eq!(rounded(absolute_times(2, &matrix, &[1.0, 2.0])), [2.0, 2.0]);
        assert_eq!(rounded(absolute_transposed_times(2, &matrix, &[2.0, 1.0])), [4.0, 1.0]);
    }
}
