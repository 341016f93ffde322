//! Products of blocks of vectors.
//!
//! A *basis* is stored column by column (`q[k * rows + v]`), a block of *vectors* node by node
//! (`x[v * width + k]`), and a block of *coefficients* row by row (`c[k * width + j]`).

use super::{by_columns, by_rows, by_rows_mut, multiply, products::part};

/// Computes `q^T x` for basis vectors of `height` entries each and `width` vectors, over the rows
/// from `first` on that x has.
pub(crate) fn coefficients(
    q: &[f64],
    height: usize,
    first: usize,
    x: &[f64],
    width: usize,
) -> Vec<f64> {
    let (columns, rows) = (q.len() / height, x.len() / width);
    let q = part(by_columns(q, height, columns), first..rows, ..);
    let x = part(by_rows(x, rows, width), first.., ..);
    let mut c = vec![0.0; columns * width];
    multiply(1.0, q.reversed_axes(), x, 0.0, by_rows_mut(&mut c, columns, width));
    c
}

/// Computes `x <- x - q c` for basis vectors of `height` entries each, on the rows that x has.
pub(crate) fn subtract(q: &[f64], height: usize, c: &[f64], x: &mut [f64], width: usize) {
    let (columns, rows) = (q.len() / height, x.len() / width);
    let q = part(by_columns(q, height, columns), ..rows, ..);
    multiply(-1.0, q, by_rows(c, columns, width), 1.0, by_rows_mut(x, rows, width));
}

/// Computes `out = x m` for a matrix m of `width` rows and `columns` columns, stored row by row.
pub(crate) fn combine(x: &[f64], width: usize, m: &[f64], columns: usize, out: &mut [f64]) {
    let rows = x.len() / width;
    let (x, m) = (by_rows(x, rows, width), by_rows(m, width, columns));
    multiply(1.0, x, m, 0.0, by_rows_mut(out, rows, columns));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_are_what_their_layouts_say() {
        // q = | 1 2 |   x = | 1 0 2 |
        //     | 3 4 |       | 0 1 1 |
        let q = [1.0, 3.0, 2.0, 4.0];
        let mut x = [1.0, 0.0, 2.0, 0.0, 1.0, 1.0];
        let c = coefficients(&q, 2, 0, &x, 3);
        assert_eq!(c, [1.0, 3.0, 5.0, 2.0, 4.0, 8.0]);
        assert_eq!(coefficients(&q, 2, 1, &x, 3), [0.0, 3.0, 3.0, 0.0, 4.0, 4.0]);
        assert_eq!(coefficients(&q, 2, 0, &x[..3], 3), [1.0, 0.0, 2.0, 2.0, 0.0, 4.0]);
        let mut out = [0.0; 2];
        combine(&x, 3, &[1.0, 2.0, 3.0], 1, &mut out);
        assert_eq!(out, [7.0, 5.0]);
        subtract(&q, 2, &c, &mut x, 3);
        assert_eq!(x, [-4.0, -11.0, -19.0, -11.0, -24.0, -46.0]);
    }
}
