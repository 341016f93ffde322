//! Building the adjacency arrays: passes over slices that the caller provides, without
//! allocating, so that a model checker can run them.
//!
//! For the edges 0-2, 0-1 on three nodes:
//!
//! ```text
//! count:  offsets = [0 2 3 4]            neighbours of 0, 1, 2: two, one, one
//! fill:   targets = [2 1 | 0 | 0]        in the order of the edges
//! sort:   targets = [1 2 | 0 | 0]        sorted within each row, repetitions merged
//! ```

/// Counting pass: sets `offsets[v]` to the number of entries in the rows before v, each edge
/// counted at both of its ends. `offsets` has one entry more than there are nodes, and every
/// end of an edge is below the number of nodes.
pub fn count_neighbours(edges: &[(u32, u32)], offsets: &mut [usize]) {
    offsets.fill(0);
    for &(u, v) in edges {
        offsets[u as usize + 1] += 1;
        offsets[v as usize + 1] += 1;
    }
    for row in 1..offsets.len() {
        offsets[row] += offsets[row - 1];
    }
}

/// Filling pass: writes both directions of every edge to its row. `offsets` comes from
/// [`count_neighbours`] for the same edges and is the same again afterwards; `targets` has
/// `2 * edges.len()` entries.
pub fn fill_neighbours(edges: &[(u32, u32)], offsets: &mut [usize], targets: &mut [u32]) {
    for &(u, v) in edges {
        for (from, to) in [(u, v), (v, u)] {
            let place = &mut offsets[from as usize];
            targets[*place] = to;
            *place += 1;
        }
    }
    // Each offset now points to the end of its row, the start of the next one.
    for row in (1..offsets.len()).rev() {
        offsets[row] = offsets[row - 1];
    }
    if let Some(first) = offsets.first_mut() {
        *first = 0;
    }
}

/// Sorts each row and merges repeated entries, moving rows together; returns how many entries
/// of `targets` are kept.
pub fn sort_and_merge(offsets: &mut [usize], targets: &mut [u32]) -> usize {
    let mut kept = 0;
    let mut start = 0;
    for row in 1..offsets.len() {
        let end = offsets[row];
        targets[start..end].sort_unstable();
        let row_start = kept;
        for read in start..end {
            if kept == row_start || targets[kept - 1] != targets[read] {
                targets[kept] = targets[read];
                kept += 1;
            }
        }
        offsets[row] = kept;
        start = end;
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_passes_give_sorted_rows_without_repetitions() {
        let edges = [(0, 2), (0, 1), (2, 0), (3, 2)];
        let mut offsets = [0; 6];
        let mut targets = [0; 8];
        count_neighbours(&edges, &mut offsets);
        assert_eq!(offsets, [0, 3, 4, 7, 8, 8]);
        fill_neighbours(&edges, &mut offsets, &mut targets);
        assert_eq!(offsets, [0, 3, 4, 7, 8, 8]);
        assert_eq!(targets, [2, 1, 2, 0, 0, 0, 3, 2]);
        let kept = sort_and_merge(&mut offsets, &mut targets);
        assert_eq!(offsets, [0, 2, 3, 5, 6, 6]);
        assert_eq!(targets[..kept], [1, 2, 0, 0, 3, 2]);
    }
}
