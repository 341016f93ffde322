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

/// The same for a block of vectors, as many as `out` has entries, stored node by node.
#[inline]
pub fn mixed_block<T: Number>(
    v: usize,
    own: T,
    columns: &[u32],
    values: &[T],
    x: &[T],
    out: &mut [T],
) {
    let width = out.len();
    for (sum, &entry) in out.iter_mut().zip(&x[v * width..]) {
        *sum = own * entry;
    }
    for (&w, &weight) in columns.iter().zip(values) {
        let start = w as usize * width;
        for (sum, &entry) in out.iter_mut().zip(&x[start..start + width]) {
            *sum += weight * entry;
        }
    }
}

/// `mixed <- g mixed + (1 - g) previous`, the one place where the order of operations is decided.
pub fn chebyshev<T: Number>(g: T, mixed: &mut [T], previous: &[T]) {
    let behind = T::from(1) - g;
    for (mixed, &previous) in mixed.iter_mut().zip(previous) {
        *mixed = g * *mixed + behind * previous;
    }
}

/// The ends of an edge take a mask. `values` has as many numbers a node as the mask has.
pub fn add_mask<T: Number>((a, b): (usize, usize), mask: &[T], values: &mut [T]) {
    let width = mask.len();
    take_mask(a, b, mask, &mut values[a * width..(a + 1) * width]);
    take_mask(b, a, mask, &mut values[b * width..(b + 1) * width]);
}

/// A node takes the mask that it shares with another: of the two, the one with the smaller number adds it and the other
/// subtracts it.
pub fn take_mask<T: Number>(own: usize, other: usize, mask: &[T], value: &mut [T]) {
    for (value, &mask) in value.iter_mut().zip(mask) {
        if own < other {
            *value += mask;
        } else {
            *value = *value - mask;
        }
    }
}
