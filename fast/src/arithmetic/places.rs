//! Lengths of blocks.

/// Returns the number of entries of a block of `width` vectors, one entry per node. Saturates above
/// the length of any slice of numbers, so that no block has a length that wrapped.
pub fn block_length(nodes: usize, width: usize) -> usize {
    nodes.saturating_mul(width)
}
