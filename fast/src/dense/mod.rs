//! Dense linear algebra, the only module that uses ndarray.
//!
//! Each entry of a product of matrices is summed in some order, with at most one rounding for a
//! product and one for a sum, so every entry of `fl(A B)` is within `gamma_k |A| |B|` of the exact
//! one, k the inner dimension. Certificates rely on this bound alone, whatever kernel computes the
//! product. `products` and `slices` are trusted; the factors and inverses of `factors` are guesses
//! that callers check.

mod blocks;
pub(crate) mod factors;
pub(crate) mod products;
pub(crate) mod slices;

pub(crate) use blocks::{coefficients, combine, subtract};
use ndarray::{ArrayView2, ArrayViewMut2, ShapeBuilder, linalg::general_mat_mul};

/// Views a slice as a matrix that is stored column by column.
fn by_columns(entries: &[f64], rows: usize, columns: usize) -> ArrayView2<'_, f64> {
    ArrayView2::from_shape((rows, columns).f(), &entries[..rows * columns])
        .expect("as many entries as the shape has")
}

/// Views a slice as a matrix that is stored column by column.
fn by_columns_mut(entries: &mut [f64], rows: usize, columns: usize) -> ArrayViewMut2<'_, f64> {
    ArrayViewMut2::from_shape((rows, columns).f(), &mut entries[..rows * columns])
        .expect("as many entries as the shape has")
}

/// Views a slice as a matrix that is stored row by row.
fn by_rows(entries: &[f64], rows: usize, columns: usize) -> ArrayView2<'_, f64> {
    by_columns(entries, columns, rows).reversed_axes()
}

/// Views a slice as a matrix that is stored row by row.
fn by_rows_mut(entries: &mut [f64], rows: usize, columns: usize) -> ArrayViewMut2<'_, f64> {
    by_columns_mut(entries, columns, rows).reversed_axes()
}

/// Computes `out <- keep * out + factor * a b` in the calling thread.
fn multiply(
    factor: f64,
    a: ArrayView2<'_, f64>,
    b: ArrayView2<'_, f64>,
    keep: f64,
    mut out: ArrayViewMut2<'_, f64>,
) {
    general_mat_mul(factor, &a, &b, keep, &mut out);
}
