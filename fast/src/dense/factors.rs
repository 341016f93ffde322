//! Factorizations and products with triangular matrices.
//!
//! Nothing here is trusted further than this: a product of matrices is a set of inner products,
//! each summed in some order with at most one rounding a product and one a sum. So every entry of
//! `fl(A B)` is within `gamma_k |A| |B|` of the exact one, k the inner dimension. Factors and
//! inverses are taken as guesses, and checked.
//!
//! Matrices are stored by columns.

use super::slices::Shape;
use faer::linalg::matmul::matmul as multiply;
use faer::linalg::matmul::triangular::{BlockStructure, matmul};
use faer::linalg::solvers::DenseSolveCore;
use faer::{Accum, MatMut, MatRef, Par, Side};
use std::ops::Range;

/// An approximate inverse of the lower Cholesky factor of a symmetric matrix, 0 above its diagonal;
/// `None` if there is no factor in floating point.
pub(crate) fn inverse_cholesky_factor(size: usize, symmetric: &[f64]) -> Option<Vec<f64>> {
    cholesky_factor_and_inverse(size, symmetric).map(|factors| factors.1)
}

/// An approximate lower Cholesky factor of a symmetric matrix, and an approximate inverse of it, 0 above their diagonals; `None` if there is no factor in
/// floating point.
pub(crate) fn cholesky_factor_and_inverse(
    size: usize,
    symmetric: &[f64],
) -> Option<(Vec<f64>, Vec<f64>)> {
    if size == 0 {
        return Some((Vec::new(), Vec::new()));
    }
    let matrix = MatRef::from_column_major_slice(symmetric, size, size);
    let cholesky = matrix.llt(Side::Lower).ok()?;
    let lower = cholesky.L();
    let mut inverse = vec![0.0; size * size];
    faer::linalg::triangular_inverse::invert_lower_triangular(
        MatMut::from_column_major_slice_mut(&mut inverse, size, size),
        lower,
        Par::Seq,
    );
    let mut factor = vec![0.0; size * size];
    for column in 0..size {
        inverse[column * size..column * size + column].fill(0.0);
        for row in column..size {
            factor[column * size + row] = lower[(row, column)];
        }
    }
    let finite = inverse.iter().chain(&factor).all(|entry| entry.is_finite());
    finite.then_some((factor, inverse))
}

/// A guess of the inverse of a symmetric positive definite matrix; `None` if it has no Cholesky factor in floating point.
pub(crate) fn inverse(size: usize, symmetric: &[f64]) -> Option<Vec<f64>> {
    let matrix = MatRef::from_column_major_slice(symmetric, size, size);
    let inverse = matrix.llt(Side::Lower).ok()?.inverse();
    let mut entries = Vec::with_capacity(size * size);
    for column in 0..size {
        entries.extend((0..size).map(|row| inverse[(row, column)]));
    }
    Some(entries)
}

/// `x * square` for a matrix x of so many rows.
pub(crate) fn times(rows: usize, size: usize, x: &[f64], square: &[f64]) -> Vec<f64> {
    let mut out = vec![0.0; rows * size];
    multiply(
        MatMut::from_column_major_slice_mut(&mut out, rows, size),
        Accum::Replace,
        MatRef::from_column_major_slice(x, rows, size),
        MatRef::from_column_major_slice(square, size, size),
        1.0,
        Par::Seq,
    );
    out
}

/// Sums of products are cut into parts of this length, so that none has many roundings.
const PART: usize = 256;

/// At most so many roundings are on the way of a product into [`lower_times`] and [`congruence`] with sums of so many terms, besides a few.
pub(crate) fn roundings(terms: usize) -> u64 {
    (terms.min(PART) + terms / PART) as u64
}

/// `lower * x` for the last rows and columns of a lower triangular matrix, from `first` on; x and `out` hold `size - first` entries a
/// column.
pub(crate) fn lower_times(size: usize, lower: &[f64], first: usize, x: &[f64], out: &mut [f64]) {
    let rows = size - first;
    if rows == 0 || x.is_empty() {
        return;
    }
    let columns = x.len() / rows;
    let lower = MatRef::from_column_major_slice(lower, size, size);
    let lower = lower.submatrix(first, first, rows, rows);
    let x = MatRef::from_column_major_slice(x, rows, columns);
    let mut out = MatMut::from_column_major_slice_mut(out, rows, columns);
    for from in (0..rows).step_by(PART) {
        let (part, below) = (PART.min(rows - from), rows - rows.min(from + PART));
        let sum = match from {
            0 => Accum::Replace,
            _ => Accum::Add,
        };
        matmul(
            out.as_mut().subrows_mut(from, part),
            BlockStructure::Rectangular,
            sum,
            lower.submatrix(from, from, part, part),
            BlockStructure::TriangularLower,
            x.subrows(from, part),
            BlockStructure::Rectangular,
            1.0,
            Par::Seq,
        );
        multiply(
            out.as_mut().subrows_mut(from + part, below),
            sum,
            lower.submatrix(from + part, from, below, part),
            x.subrows(from, part),
            1.0,
            Par::Seq,
        );
    }
}

/// Adds to `out` some columns of `a b^T`, from `first` on, for square matrices: of this shape.
pub(crate) fn add_panel(
    size: usize,
    a: &[f64],
    b: &[f64],
    first: usize,
    shape: Shape,
    out: &mut [f64],
) {
    /// Rows that are computed at a time where a matrix is triangular.
    const ROWS: usize = 128;
    let width = out.len() / size;
    let (a, b) = (
        MatRef::from_column_major_slice(a, size, size),
        MatRef::from_column_major_slice(b, size, size),
    );
    let b = b.subrows(first, width).transpose();
    let mut out = MatMut::from_column_major_slice_mut(out, size, width);
    let mut add = |from: usize, rows: usize, inner: Range<usize>| {
        for at in inner.clone().step_by(PART) {
            let part = PART.min(inner.end - at);
            multiply(
                out.as_mut().subrows_mut(from, rows),
                Accum::Add,
                a.submatrix(from, at, rows, part),
                b.subrows(at, part),
                1.0,
                Par::Seq,
            );
        }
    };
    match shape {
        Shape::FullFactor => {
            for from in (0..size).step_by(ROWS) {
                let rows = ROWS.min(size - from);
                add(from, rows, 0..from + rows);
            }
        }
        Shape::LowerFactor => {
            for from in (first..size).step_by(ROWS) {
                let rows = ROWS.min(size - from);
                add(from, rows, first..from + rows);
            }
        }
        Shape::LowerHalf => add(first, size - first, 0..first + width),
    }
}

/// `lower * symmetric * lower^T`: the lower half, and its mirror image.
pub(crate) fn congruence(size: usize, lower: &[f64], symmetric: &[f64]) -> Vec<f64> {
    let factor = MatRef::from_column_major_slice(lower, size, size);
    let mut half = vec![0.0; size * size];
    lower_times(size, lower, 0, symmetric, &mut half);
    let half = MatRef::from_column_major_slice(&half, size, size);
    let mut entries = vec![0.0; size * size];
    let mut whole = MatMut::from_column_major_slice_mut(&mut entries, size, size);
    for first in (0..size).step_by(PART) {
        let width = PART.min(size - first);
        for from in (0..first + width).step_by(PART) {
            let part = PART.min(first + width - from);
            multiply(
                whole
                    .as_mut()
                    .submatrix_mut(first, first, size - first, width),
                Accum::Add,
                half.submatrix(first, from, size - first, part),
                factor.submatrix(first, from, width, part).transpose(),
                1.0,
                Par::Seq,
            );
        }
    }
    for column in 0..size {
        for row in column + 1..size {
            entries[row * size + column] = entries[column * size + row];
        }
    }
    entries
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Beyond the length of a part, entry by entry.
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
}
