//! Approximate Cholesky factors and inverses, by recursion to products of matrices (untrusted:
//! callers check them). Matrices are stored by columns.

use super::{
    by_columns, by_columns_mut, multiply,
    products::{BLOCK, add_lower_times, part},
};
use ndarray::{Array2, ArrayView2, ArrayViewMut2, Axis, ShapeBuilder};

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
            let (rows, some) =
                (part(below.view(), start.., ..), part(below.view(), start..end, ..));
            multiply(-1.0, rows, some.t(), 1.0, part(rest.view_mut(), start.., start..end));
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
            let (rows, some) =
                (part(half.view(), .., start..), part(first.view(), start.., start..end));
            multiply(-1.0, rows, some, 0.0, part(below.view_mut(), .., start..end));
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

/// Copies the lower half of a square matrix to the upper half.
fn mirror(size: usize, entries: &mut [f64]) {
    for column in 0..size {
        for row in column + 1..size {
            entries[row * size + column] = entries[column * size + row];
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
        let (all, some) =
            (part(factor.view(), start.., start..), part(factor.view(), start.., start..end));
        multiply(1.0, all.t(), some, 0.0, part(whole.view_mut(), start.., start..end));
    }
    mirror(size, &mut entries);
    Some(entries)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dense::{products::times, slices::transposed};

    /// Sizes around those of blocks: the products of the guesses are near the identity.
    #[test]
    fn factors_and_inverses() {
        for size in [0, 1, SMALL, SMALL + 1, BLOCK + 3, 326] {
            let entry = |row: usize, column: usize| {
                if row == column { size as f64 } else { ((row * column) % 7) as f64 / 7.0 }
            };
            let matrix: Vec<f64> = (0..size * size).map(|k| entry(k % size, k / size)).collect();
            let (factor, guess) = cholesky_factor_and_inverse(size, &matrix).unwrap();
            let near_identity = |product: &[f64]| {
                for (place, &entry) in product.iter().enumerate() {
                    let identity = f64::from(u8::from(place % size == place / size));
                    assert!((entry - identity).abs() < 1e-13, "{size} {place} {entry}");
                }
            };
            near_identity(&times(size, size, &guess, &factor));
            let whitened = times(size, size, &guess, &matrix);
            near_identity(&times(size, size, &whitened, &transposed(size, &guess)));
            near_identity(&times(size, size, &inverse(size, &matrix).unwrap(), &matrix));
        }
        assert_eq!(inverse(2, &[1.0, 2.0, 2.0, 1.0]), None);
        assert_eq!(inverse(2, &[1.0, f64::NAN, f64::NAN, 1.0]), None);
    }
}
