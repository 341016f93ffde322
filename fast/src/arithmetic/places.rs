//! Where things lie in blocks.

use std::num::NonZeroUsize;

/// The number of entries of a block of `width` vectors, one entry a node. Where it does not fit, more than any
/// slice of numbers holds, so that no block passes for such a one.
///
/// ```
/// use muffliato_fast::arithmetic::block_length;
///
/// assert_eq!(block_length(5, 3), 15);
/// assert_eq!(block_length(usize::MAX, 2), usize::MAX);
/// ```
pub fn block_length(nodes: usize, width: usize) -> usize {
    nodes.saturating_mul(width)
}

/// Where the pair (source, observer) lies in panels of `width` sources, each with one line for every node that
/// observes: the line, and the place in it.
///
/// For source, observer < nodes, the line is below `nodes.div_ceil(width) * nodes`, and different pairs
/// have different places.
///
/// ```
/// use muffliato_fast::arithmetic::panel_place;
/// use std::{collections::BTreeSet, num::NonZeroUsize};
///
/// let width = NonZeroUsize::new(2).unwrap();
/// assert_eq!(panel_place(5, width, 3, 4), (9, 1)); // the second panel's last line, its second place
/// let pairs = (0..5).flat_map(|source| (0..5).map(move |observer| (source, observer)));
/// let places: BTreeSet<_> = pairs.map(|(source, observer)| panel_place(5, width, source, observer)).collect();
/// assert!(places.len() == 25 && places.iter().all(|&(line, _)| line < 3 * 5));
/// ```
pub fn panel_place(
    nodes: usize,
    width: NonZeroUsize,
    source: usize,
    observer: usize,
) -> (usize, usize) {
    (source / width * nodes + observer, source % width)
}
