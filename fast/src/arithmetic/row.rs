//! One row of a gossip matrix: its weights, and its product with vectors.

use super::Number;

/// The terms of a diagonal weight are summed in groups of this size, and then the groups.
const DIAGONAL_GROUP: usize = 32;

/// Within how many roundings of the exact ones the weights of [`degree_weights`] are, for at most `degree` neighbours:
/// one division, then the sums inside a group, then one for each group.
///
/// ```
/// use muffliato_fast::{Enclosure, arithmetic::{degree_roundings, degree_weights}};
///
/// // 1 - 1/4 - 1/5 = 11/20
/// let own: f64 = degree_weights(3, [4, 5].into_iter(), &mut [0.0; 2]);
/// assert!(Enclosure::around(own, degree_roundings(2), 0).contains(0.55));
/// assert_eq!(degree_roundings(2), 4); // a division and three sums
/// ```
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
/// Degrees are shifted by 1 for Metropolis weights and by 0 for the inverse of the larger degree. `own` is at least 1
/// and at least k.
///
/// ```
/// use muffliato_fast::arithmetic::degree_weights;
/// use num_rational::Ratio;
///
/// // Metropolis: a node with two neighbours, of degrees 3 and 4.
/// let mut weights = [Ratio::from(0_u32); 2];
/// let own = degree_weights(3, [4, 5].into_iter(), &mut weights);
/// assert_eq!(weights, [Ratio::new(1, 4), Ratio::new(1, 5)]);
/// assert_eq!(own, Ratio::new(11, 20));
/// ```
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
///
/// ```
/// use muffliato_fast::arithmetic::mixed_entry;
///
/// // The middle of three nodes in a row keeps half of its value.
/// assert_eq!(mixed_entry(1, 0.5, &[0, 2], &[0.25, 0.25], &[4.0, 8.0, 0.0]), 5.0);
/// ```
#[inline]
pub fn mixed_entry<T: Number>(v: usize, own: T, columns: &[u32], values: &[T], x: &[T]) -> T {
    let mut sum = own * x[v];
    for (&w, &weight) in columns.iter().zip(values) {
        sum += weight * x[w as usize];
    }
    sum
}

/// The same for a block of vectors, as many as `out` has entries, stored node by node.
///
/// ```
/// use muffliato_fast::arithmetic::mixed_block;
///
/// // Two vectors, (4, 8, 0) and (0, 0, 4).
/// let mut out = [0.0; 2];
/// mixed_block(1, 0.5, &[0, 2], &[0.25, 0.25], &[4.0, 0.0, 8.0, 0.0, 0.0, 4.0], &mut out);
/// assert_eq!(out, [5.0, 1.0]);
/// ```
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
///
/// ```
/// use muffliato_fast::arithmetic::chebyshev;
///
/// let mut mixed = [4.0, 2.0];
/// chebyshev(1.5, &mut mixed, &[2.0, 2.0]);
/// assert_eq!(mixed, [5.0, 2.0]); // what did not move does not overshoot
/// ```
pub fn chebyshev<T: Number>(g: T, mixed: &mut [T], previous: &[T]) {
    let behind = T::from(1) - g;
    for (mixed, &previous) in mixed.iter_mut().zip(previous) {
        *mixed = g * *mixed + behind * previous;
    }
}
