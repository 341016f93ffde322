//! Factorizations and triangular products, in blocks that are products of matrices.
//!
//! Factors and inverses are guesses that callers check; products carry error bounds. Matrices are
//! stored by columns.

use super::{by_columns, by_columns_mut, multiply, slices::Shape};
use ndarray::{
    Array2, ArrayBase, ArrayView2, ArrayViewMut2, Axis, Ix2, RawData, ShapeBuilder, Slice,
};
use std::ops::Range;

/// Number of rows or columns of a triangular matrix that are computed together.
const BLOCK: usize = 64;

/// Size up to which factors are computed entry by entry.
const SMALL: usize = 16;

/// Returns an approximate inverse of the lower Cholesky factor of a symmetric matrix, 0 above its
/// diagonal, or `None` if a pivot is not positive.
pub(crate) fn inverse_cholesky_factor(size: usize, symmetric: &[f64]) -> Option<Vec<f64>> {
    cholesky_factor_and_inverse(size, symmetric).map(|factors| factors.1)
}

/// Returns an approximate lower Cholesky factor of a symmetric matrix and an approximate inverse of
/// it, 0 above their diagonals, or `None` if a pivot is not positive.
pub(crate) fn cholesky_factor_and_inverse(
    size: usize,
    symmetric: &[f64],
) -> Option<(Vec<f64>, Vec<f64>)> {
    let mut factor = symmetric.to_vec();
    factorize(by_columns_mut(&mut factor, size, size))?;
    for column in 0..size {
        factor[column * size..column * size + column].fill(0.0);
    }
    let mut inverse = factor.clone();
    invert(by_columns_mut(&mut inverse, size, size));
    let finite = inverse.iter().chain(&factor).all(|entry| entry.is_finite());
    finite.then_some((factor, inverse))
}

/// Restricts a view of a matrix to some rows and columns.
fn part<S: RawData>(
    mut matrix: ArrayBase<S, Ix2>,
    rows: impl Into<Slice>,
    columns: impl Into<Slice>,
) -> ArrayBase<S, Ix2> {
    matrix.slice_axis_inplace(Axis(0), rows.into());
    matrix.slice_axis_inplace(Axis(1), columns.into());
    matrix
}

/// Splits a square matrix into four quarters: upper left, lower left, upper right, lower right.
fn quarters(matrix: ArrayViewMut2<'_, f64>) -> [ArrayViewMut2<'_, f64>; 4] {
    let half = matrix.nrows() / 2;
    let (left, right) = matrix.split_at(Axis(1), half);
    let (a, b) = left.split_at(Axis(0), half);
    let (c, d) = right.split_at(Axis(0), half);
    [a, b, c, d]
}

/// Overwrites the lower half of a symmetric matrix with its Cholesky factor; `None` if a pivot is not positive.
fn factorize(mut matrix: ArrayViewMut2<'_, f64>) -> Option<()> {
    let size = matrix.nrows();
    if size > SMALL {
        let [mut first, mut below, _, mut rest] = quarters(matrix);
        factorize(first.view_mut())?;
        solve(first.view(), below.view_mut());
        for start in (0..rest.nrows()).step_by(BLOCK) {
            let end = rest.nrows().min(start + BLOCK);
            let (rows, some) = (
                part(below.view(), start.., ..),
                part(below.view(), start..end, ..),
            );
            multiply(
                -1.0,
                rows,
                some.t(),
                1.0,
                part(rest.view_mut(), start.., start..end),
            );
        }
        return factorize(rest);
    }
    for column in 0..size {
        for before in 0..column {
            let factor = matrix[(column, before)];
            for row in column..size {
                matrix[(row, column)] -= factor * matrix[(row, before)];
            }
        }
        let pivot = matrix[(column, column)];
        if !(pivot > 0.0 && pivot.is_finite()) {
            return None;
        }
        let root = pivot.sqrt();
        for row in column..size {
            matrix[(row, column)] /= root;
        }
    }
    Some(())
}

/// Solves `x lower^T = x` in place.
fn solve(lower: ArrayView2<'_, f64>, mut x: ArrayViewMut2<'_, f64>) {
    let size = lower.nrows();
    if size > SMALL {
        let half = size / 2;
        let (mut first, mut second) = x.view_mut().split_at(Axis(1), half);
        solve(part(lower.view(), 0..half, 0..half), first.view_mut());
        let across = part(lower.view(), half.., 0..half);
        multiply(-1.0, first.view(), across.t(), 1.0, second.view_mut());
        return solve(part(lower.view(), half.., half..), second);
    }
    let mut columns: Vec<_> = x.axis_iter_mut(Axis(1)).collect();
    for column in 0..size {
        let (before, rest) = columns.split_at_mut(column);
        for (known, &factor) in before.iter().zip(lower.row(column)) {
            rest[0].scaled_add(-factor, known);
        }
        rest[0] /= lower[(column, column)];
    }
}

/// Overwrites a lower triangular matrix with its inverse; the entries above the diagonal stay 0.
fn invert(mut lower: ArrayViewMut2<'_, f64>) {
    let size = lower.nrows();
    if size > SMALL {
        let [mut first, mut below, _, mut last] = quarters(lower);
        invert(first.view_mut());
        invert(last.view_mut());
        let mut half = Array2::zeros(below.dim().f());
        add_lower_times(last.view(), below.view(), half.view_mut());
        for start in (0..first.ncols()).step_by(BLOCK) {
            let end = first.ncols().min(start + BLOCK);
            let (rows, some) = (
                part(half.view(), .., start..),
                part(first.view(), start.., start..end),
            );
            multiply(
                -1.0,
                rows,
                some,
                0.0,
                part(below.view_mut(), .., start..end),
            );
        }
        return;
    }
    for column in 0..size {
        lower[(column, column)] = 1.0 / lower[(column, column)];
        for row in column + 1..size {
            let terms = (column..row).map(|k| lower[(row, k)] * lower[(k, column)]);
            lower[(row, column)] = -terms.sum::<f64>() / lower[(row, row)];
        }
    }
}

/// Returns an approximate inverse of a symmetric positive definite matrix, exactly symmetric, or
/// `None` if a pivot is not positive.
pub(crate) fn inverse(size: usize, symmetric: &[f64]) -> Option<Vec<f64>> {
    let factor = inverse_cholesky_factor(size, symmetric)?;
    let factor = by_columns(&factor, size, size);
    let mut entries = vec![0.0; size * size];
    let mut whole = by_columns_mut(&mut entries, size, size);
    for start in (0..size).step_by(BLOCK) {
        let end = size.min(start + BLOCK);
        let (all, some) = (
            part(factor.view(), start.., start..),
            part(factor.view(), start.., start..end),
        );
        multiply(
            1.0,
            all.t(),
            some,
            0.0,
            part(whole.view_mut(), start.., start..end),
        );
    }
    mirror(size, &mut entries);
    Some(entries)
}

/// Copies the lower half of a square matrix to the upper half.
fn mirror(size: usize, entries: &mut [f64]) {
    for column in 0..size {
        for row in column + 1..size {
            entries[row * size + column] = entries[column * size + row];
        }
    }
}

/// Computes `x * square` for a matrix x of `rows` rows.
pub(crate) fn times(rows: usize, size: usize, x: &[f64], square: &[f64]) -> Vec<f64> {
    let mut out = vec![0.0; rows * size];
    let (x, square) = (by_columns(x, rows, size), by_columns(square, size, size));
    multiply(1.0, x, square, 0.0, by_columns_mut(&mut out, rows, size));
    out
}

/// Length of the parts into which sums of products are cut to limit their roundings.
const PART: usize = 256;

/// Bounds the roundings of a term in [`lower_times`] and [`congruence`], except for a few, for sums
/// of `terms` terms.
pub(crate) fn roundings(terms: usize) -> u64 {
    (terms.min(PART) + terms / PART) as u64
}

/// Adds `a b` over a range of the inner dimension to `out`, in parts.
fn add_parts(
    a: ArrayView2<'_, f64>,
    b: ArrayView2<'_, f64>,
    inner: Range<usize>,
    mut out: ArrayViewMut2<'_, f64>,
) {
    for start in inner.clone().step_by(PART) {
        let end = inner.end.min(start + PART);
        let (a, b) = (
            part(a.view(), .., start..end),
            part(b.view(), start..end, ..),
        );
        multiply(1.0, a, b, 1.0, out.view_mut());
    }
}

/// Adds `lower * x` to `out`, for a matrix that is 0 above its diagonal.
fn add_lower_times(
    lower: ArrayView2<'_, f64>,
    x: ArrayView2<'_, f64>,
    mut out: ArrayViewMut2<'_, f64>,
) {
    let rows = lower.nrows();
    for start in (0..rows).step_by(BLOCK) {
        let end = rows.min(start + BLOCK);
        add_parts(
            part(lower.view(), start..end, ..),
            x,
            0..end,
            part(out.view_mut(), start..end, ..),
        );
    }
}

/// Computes `lower * x` for the last rows and columns, from `first` on, of a matrix that is 0 above
/// its diagonal; x and `out` hold `size - first` entries per column.
pub(crate) fn lower_times(size: usize, lower: &[f64], first: usize, x: &[f64], out: &mut [f64]) {
    let rows = size - first;
    if rows == 0 || x.is_empty() {
        return;
    }
    let columns = x.len() / rows;
    out.fill(0.0);
    let lower = by_columns(lower, size, size);
    add_lower_times(
        part(lower.view(), first.., first..),
        by_columns(x, rows, columns),
        by_columns_mut(out, rows, columns),
    );
}

/// Adds the columns of `a b^T` from `first` on to `out`, for square matrices of this shape.
pub(crate) fn add_panel(
    size: usize,
    a: &[f64],
    b: &[f64],
    first: usize,
    shape: Shape,
    out: &mut [f64],
) {
    /// Number of rows computed at a time if a matrix is triangular.
    const ROWS: usize = 128;
    let width = out.len() / size;
    let (a, b) = (by_columns(a, size, size), by_columns(b, size, size));
    let b = part(b.view(), first..first + width, ..).reversed_axes();
    let mut out = by_columns_mut(out, size, width);
    let mut add = |from: usize, to: usize, inner: Range<usize>| {
        add_parts(
            part(a.view(), from..to, ..),
            b,
            inner,
            part(out.view_mut(), from..to, ..),
        );
    };
    let (from, inner) = match shape {
        Shape::FullFactor => (0, 0),
        Shape::LowerFactor => (first, first),
        Shape::LowerHalf => return add(first, size, 0..first + width),
    };
    for start in (from..size).step_by(ROWS) {
        let end = size.min(start + ROWS);
        add(start, end, inner..end);
    }
}

/// Computes `lower * symmetric * lower^T`, exactly symmetric.
pub(crate) fn congruence(size: usize, lower: &[f64], symmetric: &[f64]) -> Vec<f64> {
    let mut half = vec![0.0; size * size];
    lower_times(size, lower, 0, symmetric, &mut half);
    let (half, factor) = (by_columns(&half, size, size), by_columns(lower, size, size));
    let mut entries = vec![0.0; size * size];
    let mut whole = by_columns_mut(&mut entries, size, size);
    for start in (0..size).step_by(PART) {
        let end = size.min(start + PART);
        let (rows, some) = (
            part(half.view(), start.., ..),
            part(factor.view(), start..end, ..),
        );
        add_parts(
            rows,
            some.reversed_axes(),
            0..end,
            part(whole.view_mut(), start.., start..end),
        );
    }
    mirror(size, &mut entries);
    entries
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sums longer than one part.
    #[test]
    fn triangular_products() {
        let size = PART + 70;
        let entry = |row: usize, column: usize| ((row * 31 + column * 17) % 13) as f64 - 6.0;
        let mut lower = vec![0.0; size * size];
        let mut symmetric = vec![0.0; size * size];
        for column in 0..size {
            for row in 0..size {
                symmetric[column * size + row] = entry(row.max(column), row.min(column));
                if row >= column {
                    lower[column * size + row] = entry(row, column);
                }
            }
        }
        let at = |matrix: &[f64], row: usize, column: usize| matrix[column * size + row];
        let sum = |row: usize, column: usize, right: &[f64]| -> f64 {
            (0..size)
                .map(|k| at(&lower, row, k) * at(right, k, column))
                .sum()
        };
        let mut half = vec![0.0; size * size];
        lower_times(size, &lower, 0, &symmetric, &mut half);
        let whole = congruence(size, &lower, &symmetric);
        for (row, column) in [
            (0, 0),
            (3, 200),
            (200, 3),
            (size - 1, 5),
            (size - 1, size - 2),
            (270, 260),
        ] {
            assert_eq!(at(&half, row, column), sum(row, column, &symmetric));
            let both: f64 = (0..size)
                .map(|k| at(&half, row, k) * at(&lower, column, k))
                .sum();
            assert_eq!(at(&whole, row, column), both);
        }
    }

    /// Sizes around those of blocks: the products of the guesses are near the identity.
    #[test]
    fn factors_and_inverses() {
        for size in [0, 1, SMALL, SMALL + 1, BLOCK + 3, PART + 70] {
            let entry = |row: usize, column: usize| {
                if row == column {
                    size as f64
                } else {
                    ((row * column) % 7) as f64 / 7.0
                }
            };
            let matrix: Vec<f64> = (0..size * size)
                .map(|k| entry(k % size, k / size))
                .collect();
            let (factor, guess) = cholesky_factor_and_inverse(size, &matrix).unwrap();
            let near_identity = |product: &[f64]| {
                for (place, &entry) in product.iter().enumerate() {
                    let identity = f64::from(u8::from(place % size == place / size));
                    assert!((entry - identity).abs() < 1e-13, "{size} {place} {entry}");
                }
            };
            near_identity(&times(size, size, &guess, &factor));
            near_identity(&congruence(size, &guess, &matrix));
            near_identity(&times(
                size,
                size,
                &inverse(size, &matrix).unwrap(),
                &matrix,
            ));
        }
        assert_eq!(inverse(2, &[1.0, 2.0, 2.0, 1.0]), None);
        assert_eq!(inverse(2, &[1.0, f64::NAN, f64::NAN, 1.0]), None);
    }
}
