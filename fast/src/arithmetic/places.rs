//! Where things lie in blocks.

use std::num::NonZeroUsize;

/// The number of entries of a block of `width` vectors, one entry a node. Where it does not fit, more than any
/// slice of numbers holds, so that no block passes for such a one.
pub fn block_length(nodes: usize, width: usize) -> usize {
    nodes.saturating_mul(width)
}

/// Where the pair (source, observer) lies in panels of `width` sources, each with one line for every node that
/// observes: the line, and the place in it.
///
/// For source, observer < nodes, the line is below `nodes.div_ceil(width) * nodes`, and different pairs
/// have different places.
pub fn panel_place(
    nodes: usize,
    width: NonZeroUsize,
    source: usize,
    observer: usize,
) -> (usize, usize) {
    (source / width * nodes + observer, source % width)
}
