//! One row of a gossip matrix: its weights, and its product with vectors.

use super::Number;
use muffliato_model::WeightScheme;

/// What a scheme that goes by degrees adds to a degree; `None` for the other schemes.
pub fn degree_shift(scheme: &WeightScheme) -> Option<usize> {
    match scheme {
        WeightScheme::Metropolis => Some(1),
        WeightScheme::MaxDegreeInverse => Some(0),
        _ => None,
    }
}

/// The terms of a diagonal weight are summed in groups of this size, and then the groups.
const DIAGONAL_GROUP: usize = 32;

/// Within how many roundings of the exact ones the weights of [`degree_weights`] are, for at most `degree` neighbours:
/// one division, then the sums inside a group, then one for each group.
pub fn degree_roundings(degree: usize) -> u64 {
    let sums = degree.min(DIAGONAL_GROUP) + degree / DIAGONAL_GROUP + 1;
    sums as u64 + 1
}

/// Writes the weights `1 / max(a, b)` of a node's edges, a the node's shifted degree `own` and b those of its
/// `neighbours`, one to each place of `values`, and returns the weight of the node itself, `1 - sum_b 1 / max(a, b)`,
/// without cancellation: for k neighbours
///
/// ```text
/// (a - k) / a + sum_b (max(a, b) - a) / (a max(a, b)) .
/// ```
///
/// Degrees are shifted by [`degree_shift`]. `own` is at least 1 and at least k.
pub fn degree_weights<T: Number>(
    own: u32,
    neighbours: impl ExactSizeIterator<Item = u32>,
    values: &mut [T],
) -> T {
    let rest = own.saturating_sub(neighbours.len() as u32);
    let own = T::from(own);
    let inverse = T::from(1) / own;
    let zero = T::from(0);
    let mut diagonal = T::from(rest) / own;
    let mut group = zero;
    for (place, (other, value)) in neighbours.zip(values).enumerate() {
        let other = T::from(other);
        if other > own {
            *value = T::from(1) / other;
            group += (other - own) / (own * other);
        } else {
            *value = inverse;
        }
        if (place + 1).is_multiple_of(DIAGONAL_GROUP) {
            diagonal += group;
            group = zero;
        }
    }
    diagonal + group
}

/// Entry v of `W x`, summed in the order of the diagonal and then the neighbours.
#[inline]
pub fn mixed_entry<T: Number>(v: usize, own: T, columns: &[u32], values: &[T], x: &[T]) -> T {
    let mut sum = own * x[v];
    for (&w, &weight) in columns.iter().zip(values) {
        sum += weight * x[w as usize];
    }
    sum
}

/// Computes entry v of `W x` for each vector of a block, as many as `out` has entries, stored node by
/// node.
#[inline(always)]
pub fn mixed_block<T: Number>(
    v: usize,
    own: T,
    columns: &[u32],
    values: &[T],
    x: &[T],
    out: &mut [T],
) {
    let (width, row) = (out.len(), (own, columns, values));
    let mut k = 0;
    while k < width {
        // As many at a time as registers hold; the last ones overlap those before.
        let from = |count: usize| k.min(width - count);
        k += match (width - k, width) {
            (5.., 8..) => mixed_entries::<8, T>(v, row, x, from(8), out),
            (2.., 4..) => mixed_entries::<4, T>(v, row, x, from(4), out),
            _ => mixed_entries::<1, T>(v, row, x, k, out),
        };
    }
}

/// Computes C entries of [`mixed_block`], from the vector k on. Returns C.
#[inline(always)]
fn mixed_entries<const C: usize, T: Number>(
    v: usize,
    (own, columns, values): (T, &[u32], &[T]),
    x: &[T],
    k: usize,
    out: &mut [T],
) -> usize {
    let width = out.len();
    let mut sums = [T::from(0); C];
    let at = &x[v * width + k..][..C];
    for c in 0..C {
        sums[c] = own * at[c];
    }
    for (&w, &weight) in columns.iter().zip(values) {
        let at = &x[w as usize * width + k..][..C];
        for c in 0..C {
            sums[c] += weight * at[c];
        }
    }
    out[k..k + C].copy_from_slice(&sums);
    C
}

/// Computes an inner product in sixteen independent sums.
#[inline(always)]
pub fn inner(left: &[f64], right: &[f64]) -> f64 {
    const SUMS: usize = 16;
    let mut sums = [0.0; SUMS];
    let (left_chunks, right_chunks) = (left.chunks_exact(SUMS), right.chunks_exact(SUMS));
    let remainders = left_chunks.remainder().iter().zip(right_chunks.remainder());
    let rest: f64 = remainders.map(|(x, y)| x * y).sum();
    for (x, y) in left_chunks.zip(right_chunks) {
        for k in 0..SUMS {
            sums[k] += x[k] * y[k];
        }
    }
    sums.iter().sum::<f64>() + rest
}
