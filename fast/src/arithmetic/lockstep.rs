//! Operations that nodes and the matrix engine perform alike, in the same order.

use super::Number;

/// Computes `mixed <- g mixed + (1 - g) previous`.
pub fn chebyshev<T: Number>(g: T, mixed: &mut [T], previous: &[T]) {
    let behind = T::from(1) - g;
    for (mixed, &previous) in mixed.iter_mut().zip(previous) {
        *mixed = g * *mixed + behind * previous;
    }
}

/// Adds a mask to the values of the two ends of an edge, with opposite signs. `values` has as many numbers for each node
/// as the mask has.
pub fn add_mask<T: Number>((a, b): (usize, usize), mask: &[T], values: &mut [T]) {
    let width = mask.len();
    take_mask(a, b, mask, &mut values[a * width..(a + 1) * width]);
    take_mask(b, a, mask, &mut values[b * width..(b + 1) * width]);
}

/// Adds the mask of an edge to the value of its end `own`, or subtracts it if the other end has the smaller number.
pub fn take_mask<T: Number>(own: usize, other: usize, mask: &[T], value: &mut [T]) {
    for (value, &mask) in value.iter_mut().zip(mask) {
        if own < other {
            *value += mask;
        } else {
            *value = *value - mask;
        }
    }
}
