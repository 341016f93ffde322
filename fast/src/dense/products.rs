//! Products of triangular and full matrices with counted roundings (trusted). Matrices are stored by
//! columns.

use super::{by_columns, by_columns_mut, multiply, slices::Shape};
use ndarray::{ArrayBase, ArrayView2, ArrayViewMut2, Axis, Ix2, RawData, Slice};
use std::ops::Range;

/// Number of rows or columns of a triangular matrix that are computed together.
pub(super) const BLOCK: usize = 64;

/// Restricts a view of a matrix to some rows and columns.
pub(super) fn part<S: RawData>(
    mut matrix: ArrayBase<S, Ix2>,
    rows: impl Into<Slice>,
    columns: impl Into<Slice>,
) -> ArrayBase<S, Ix2> {
    matrix.slice_axis_inplace(Axis(0), rows.into());
    matrix.slice_axis_inplace(Axis(1), columns.into());
    matrix
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

/// Bounds the roundings of a term in [`lower_times`], except for a few, for sums
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
        let (a, b) = (part(a.view(), .., start..end), part(b.view(), start..end, ..));
        multiply(1.0, a, b, 1.0, out.view_mut());
    }
}

/// Adds `lower * x` to `out`, for a matrix that is 0 above its diagonal.
pub(super) fn add_lower_times(
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
        add_parts(part(a.view(), from..to, ..), b, inner, part(out.view_mut(), from..to, ..));
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
        let sum = |row: usize, column: usize| -> f64 {
            (0..size).map(|k| at(&lower, row, k) * at(&symmetric, k, column)).sum()
        };
        let mut half = vec![0.0; size * size];
        lower_times(size, &lower, 0, &symmetric, &mut half);
        for (row, column) in
            [(0, 0), (3, 200), (200, 3), (size - 1, 5), (size - 1, size - 2), (270, 260)]
        {
            assert_eq!(at(&half, row, column), sum(row, column));
        }
    }
}
