//! Gossip matrices and their products, as numerators over a common denominator, stored row by row.

use crate::ExactInteger;
use muffliato_model::WeightScheme;

/// Returns what a degree-based scheme adds to the larger of two degrees, or `None` for the other
/// schemes.
pub fn degree_shift(scheme: &WeightScheme) -> Option<usize> {
    match scheme {
        WeightScheme::Metropolis => Some(1),
        WeightScheme::MaxDegreeInverse => Some(0),
        _ => None,
    }
}

/// Returns the inverse of the weight of an edge between nodes of these degrees.
pub fn inverse_weight(shift: usize, own: usize, other: usize) -> usize {
    shift + own.max(other)
}

/// Fills row `row` of a gossip matrix: `denominator / inverse(w)` for each neighbour w, 0 for the
/// other nodes, and on the diagonal what completes the row to `denominator`.
///
/// `inverse(w)` is the inverse of the edge's weight; it divides `denominator`.
pub fn fill_weights<I: ExactInteger>(
    row: usize,
    neighbours: impl Iterator<Item = usize>,
    inverse: impl Fn(usize) -> I,
    denominator: &I,
    out: &mut [I],
) {
    out.fill(I::zero());
    let mut own = denominator.clone();
    for w in neighbours {
        let weight = denominator.over(&inverse(w));
        own -= &weight;
        out[w] = weight;
    }
    out[row] = own;
}

/// Fills a matrix of `nodes` rows with the numerators over 2 of one step of randomized gossip on
/// the edge uv: the ends average their values, all other nodes keep theirs.
pub fn fill_edge_average<I: ExactInteger>(nodes: usize, (u, v): (usize, usize), out: &mut [I]) {
    out.fill(I::zero());
    let two = I::one() + I::one();
    for w in 0..nodes {
        out[w * nodes + w] = two.clone();
    }
    for (row, column) in [(u, u), (u, v), (v, u), (v, v)] {
        out[row * nodes + column] = I::one();
    }
}

/// Replaces W by the lazy `(I + W) / 2`, given its numerators and its denominator.
pub fn make_lazy<I: ExactInteger>(nodes: usize, numerators: &mut [I], denominator: &mut I) {
    for v in 0..nodes {
        numerators[v * nodes + v] += &*denominator;
    }
    *denominator += &denominator.clone();
}

/// Computes `out = a b` for a matrix a of `inner` columns and a matrix b of `columns` columns.
pub fn multiply<I: ExactInteger>(a: &[I], b: &[I], inner: usize, columns: usize, out: &mut [I]) {
    for (a_row, out_row) in a.chunks_exact(inner).zip(out.chunks_exact_mut(columns)) {
        out_row.fill(I::zero());
        for (factor, b_row) in a_row.iter().zip(b.chunks_exact(columns)) {
            if factor.is_zero() {
                continue;
            }
            for (entry, sum) in b_row.iter().zip(out_row.iter_mut()) {
                if !entry.is_zero() {
                    *sum += &factor.times(entry);
                }
            }
        }
    }
}

/// Applies one step of the Chebyshev recursion, `mixed <- ahead * mixed + behind * previous`, entry
/// by entry.
///
/// With `mixed = W y_t`, `previous = y_{t-1}`, `ahead = g` and `behind = 1 - g` (all over one
/// common denominator) this is `y_{t+1} = g W y_t + (1 - g) y_{t-1}`.
pub fn chebyshev_step<I: ExactInteger>(mixed: &mut [I], previous: &[I], ahead: &I, behind: &I) {
    for (entry, before) in mixed.iter_mut().zip(previous) {
        *entry *= ahead;
        *entry += &before.times(behind);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn metropolis_on_the_path_of_three_nodes() {
        // Degrees 1, 2, 1: both edges weigh 1/3.
        let mut row = [0; 3];
        fill_weights(0, [1].into_iter(), |_| 3, &3, &mut row);
        assert_eq!(row, [2, 1, 0]);
        fill_weights(1, [0, 2].into_iter(), |_| 3, &3, &mut row);
        assert_eq!(row, [1, 1, 1]);
    }

    #[test]
    fn averaging_twice_over_an_edge_is_averaging_once() {
        let mut once = [0; 9];
        fill_edge_average(3, (0, 2), &mut once);
        assert_eq!(once, [1, 0, 1, 0, 2, 0, 1, 0, 1]);
        let mut twice = [0; 9];
        multiply(&once, &once, 3, 3, &mut twice);
        assert_eq!(twice, once.map(|entry| 2 * entry));
    }

    #[test]
    fn lazy_weights() {
        let (mut numerators, mut denominator) = ([0, 1, 1, 0], 1);
        make_lazy(2, &mut numerators, &mut denominator);
        assert_eq!((numerators, denominator), ([1, 1, 1, 1], 2));
    }

    #[test]
    fn products_of_matrices_that_are_not_square() {
        let mut out = [0; 2];
        multiply(&[1, 2, 3, 4, 5, 6], &[1, 0, -1], 3, 1, &mut out);
        assert_eq!(out, [-2, -2]);
        let mut mixed = [4, 5];
        chebyshev_step(&mut mixed, &[1, 2], &3, &-2);
        assert_eq!(mixed, [10, 11]);
    }
}
