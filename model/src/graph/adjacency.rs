//! Construction of the adjacency arrays: passes over slices of the caller without allocation, so
//! that a model checker can run them.
//!
//! For the edges 0-2, 0-1 on three nodes:
//!
//! ```text
//! count:  offsets = [0 2 3 4]            neighbours of 0, 1, 2: two, one, one
//! fill:   targets = [2 1 | 0 | 0]        in the order of the edges
//! sort:   targets = [1 2 | 0 | 0]        sorted within each row
//! merge:  the same                       repetitions would become one entry
//! ```

/// Counts neighbours: sets `offsets[v]` to the number of entries in the rows before v, counting
/// each edge at both ends. `offsets` has one entry more than there are nodes, and every end of an
/// edge is a node.
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

/// Writes both directions of every edge to its row. `offsets` comes from [`count_neighbours`] for
/// the same edges and is restored; `targets` has `2 * edges.len()` entries.
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

/// Sorts each row.
pub fn sort_rows(offsets: &[usize], targets: &mut [u32]) {
    for row in 1..offsets.len() {
        targets[offsets[row - 1]..offsets[row]].sort_unstable();
    }
}

/// Merges repeated entries of sorted rows, moving rows together; returns how many entries of
/// `targets` are kept. Every row is strictly increasing afterwards.
pub fn merge_rows(offsets: &mut [usize], targets: &mut [u32]) -> usize {
    let mut last = None;
    keep_entries(offsets, targets, |row, target| last.replace((row, target)) != Some((row, target)))
}

/// Removes the entries of the nodes that are `away`, in their own rows and in those of the others,
/// moving rows together; returns how many entries of `targets` are kept. `away` has one entry for
/// each node.
pub fn isolate(offsets: &mut [usize], targets: &mut [u32], away: &[bool]) -> usize {
    keep_entries(offsets, targets, |row, target| !away[row] && !away[target as usize])
}

/// Keeps the entries for which `keep(row, target)` returns `true`, in their order.
fn keep_entries(
    offsets: &mut [usize],
    targets: &mut [u32],
    mut keep: impl FnMut(usize, u32) -> bool,
) -> usize {
    let mut kept = 0;
    let mut start = 0;
    for row in 1..offsets.len() {
        let end = offsets[row];
        for read in start..end {
            let target = targets[read];
            if keep(row - 1, target) {
                targets[kept] = target;
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
    fn passes_give_sorted_rows_without_repetitions() {
        let edges = [(0, 2), (0, 1), (2, 0), (3, 2)];
        let mut offsets = [0; 6];
        let mut targets = [0; 8];
        count_neighbours(&edges, &mut offsets);
        assert_eq!(offsets, [0, 3, 4, 7, 8, 8]);
        fill_neighbours(&edges, &mut offsets, &mut targets);
        assert_eq!(offsets, [0, 3, 4, 7, 8, 8]);
        assert_eq!(targets, [2, 1, 2, 0, 0, 0, 3, 2]);
        sort_rows(&offsets, &mut targets);
        let kept = merge_rows(&mut offsets, &mut targets);
        assert_eq!(offsets, [0, 2, 3, 5, 6, 6]);
        assert_eq!(targets[..kept], [1, 2, 0, 0, 3, 2]);
        let away = [false, true, false, false, true];
        let kept = isolate(&mut offsets, &mut targets[..kept], &away);
        assert_eq!(offsets, [0, 1, 1, 3, 4, 4]);
        assert_eq!(targets[..kept], [2, 0, 3, 2]);
    }
}
