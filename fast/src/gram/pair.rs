//! Products of triangular matrices of floats with pairs (trusted).

pub(crate) use crate::arithmetic::Pair;
use crate::threads::vectorized;

/// Computes the leading floats of `lower * (high + low)`, for the last rows and columns of a lower
/// triangular matrix of floats as in [`products::lower_times`](crate::dense::products::lower_times).
pub(crate) fn lower_times(
    size: usize,
    lower: &[f64],
    first: usize,
    (high, low): (&[f64], &[f64]),
    out: &mut [f64],
) {
    let rows = size - first;
    for (column, out) in out.chunks_exact_mut(rows.max(1)).enumerate() {
        let place = |k: usize| column * rows + k;
        let entry = |k: usize| Pair { high: high[place(k)], low: low[place(k)] };
        out.copy_from_slice(&lower_sums(size, lower, (first, rows), entry).0);
    }
}

/// Computes so many rows of `lower x` from the first given one on, high and low parts, for a lower
/// triangular matrix of floats stored by columns and a vector x of pairs, which begins there. Each is
/// summed in the order of the columns.
pub(crate) fn lower_sums(
    size: usize,
    lower: &[f64],
    (first, rows): (usize, usize),
    x: impl Fn(usize) -> Pair,
) -> (Vec<f64>, Vec<f64>) {
    let (mut highs, mut lows) = (vec![0.0; rows], vec![0.0; rows]);
    vectorized(
        #[inline(always)]
        || {
            for k in 0..rows {
                let column = (first + k) * size + first;
                let factors = &lower[column + k..column + rows];
                add_multiples(x(k), factors, &mut highs[k..], &mut lows[k..]);
            }
        },
    );
    (highs, lows)
}

/// Adds multiples of `entry` to pairs.
#[inline(always)]
fn add_multiples(entry: Pair, factors: &[f64], highs: &mut [f64], lows: &mut [f64]) {
    for ((&factor, high), low) in factors.iter().zip(highs).zip(lows) {
        let sum = Pair { high: *high, low: *low } + entry.scaled(factor);
        (*high, *low) = (sum.high, sum.low);
    }
}
