//! Adjacency arrays and distances.

use super::matrices::{Adjacency, MOST_NODES, any_graph};
use crate::{Case, Choices, claim, cover};
use muffliato_model::cores::{
    count_neighbours, fill_distances, fill_neighbours, isolate, merge_rows,
};

/// Chooses N edges on N + 1 nodes, in any direction and order, with repetitions.
fn any_edges<const N: usize>(choices: &mut impl Choices) -> Option<[(u32, u32); N]> {
    let mut edges = [(0, 0); N];
    for edge in &mut edges {
        let (u, v) = (choices.small(N as u8), choices.small(N as u8));
        choices.assume(u != v)?;
        *edge = (u32::from(u), u32::from(v));
    }
    Some(edges)
}

pub fn rows_hold_both_directions<const N: usize>(choices: &mut impl Choices) -> Case {
    let edges = any_edges::<N>(choices)?;
    let (mut offsets, mut targets) = ([7; 9], [u32::MAX; 16]);
    let (offsets, targets) = (&mut offsets[..N + 2], &mut targets[..2 * N]);
    count_neighbours(&edges, offsets);
    let mut counted = [0; 9];
    counted[..N + 2].copy_from_slice(offsets);
    fill_neighbours(&edges, offsets, targets);
    claim!(offsets[0] == 0 && offsets[N + 1] == 2 * N, "the rows take all entries");
    for row in 0..=N {
        claim!(offsets[row + 1] == counted[row + 1], "filling leaves the offsets");
        claim!(offsets[row] <= offsets[row + 1], "no row ends before it begins");
        for column in 0..=N as u32 {
            let mut stored = 0;
            for place in 0..2 * N {
                let inside = offsets[row] <= place && place < offsets[row + 1];
                stored += u8::from(inside && targets[place] == column);
            }
            let mut given = 0;
            for &(u, v) in &edges {
                let row = row as u32;
                given += u8::from((u, v) == (row, column)) + u8::from((v, u) == (row, column));
            }
            claim!(stored == given, "an entry is stored as often as its edge is given");
        }
    }
    cover!(choices, N < 2 || edges[0] == edges[N - 1], "an edge twice");
    Some(())
}

pub fn merged_rows_increase<const N: usize>(choices: &mut impl Choices) -> Case {
    // Two sorted rows of N entries in total.
    let cut = choices.index(N);
    let mut targets = [0; N];
    for place in 0..N {
        targets[place] = u32::from(choices.small(2));
        choices.assume(place == 0 || place == cut || targets[place - 1] <= targets[place])?;
    }
    let before = targets;
    let mut offsets = [0, cut, N];
    let kept = merge_rows(&mut offsets, &mut targets);
    claim!(
        offsets[0] == 0 && offsets[1] <= offsets[2] && offsets[2] == kept && kept <= N,
        "the rows lie behind each other"
    );
    for place in 1..N {
        let within = place < kept && place != offsets[1];
        claim!(!within || targets[place - 1] < targets[place], "every row increases");
    }
    for value in 0..=2 {
        for row in 0..2 {
            let (mut given, mut stored) = (false, false);
            for place in 0..N {
                given |= (place >= cut) == (row == 1) && before[place] == value;
                stored |=
                    place < kept && (place >= offsets[1]) == (row == 1) && targets[place] == value;
            }
            claim!(given == stored, "a row keeps its set of entries");
        }
    }
    cover!(choices, kept < N, "a repetition");
    Some(())
}

/// Sorts each row: by the library's sort in production code, which has too many branches for a
/// model checker; by insertion under Kani.
fn sort_rows(offsets: &[usize], targets: &mut [u32]) {
    #[cfg(not(kani))]
    muffliato_model::cores::sort_rows(offsets, targets);
    #[cfg(kani)]
    for place in 1..targets.len() {
        for back in (1..=place).rev() {
            let mut begins = false;
            for &offset in offsets {
                begins |= offset == back;
            }
            if !begins && targets[back - 1] > targets[back] {
                targets.swap(back - 1, back);
            }
        }
    }
}

pub fn adjacency_is_the_edge_set<const N: usize>(choices: &mut impl Choices) -> Case {
    let edges = any_edges::<N>(choices)?;
    let mut stored = Adjacency::default();
    let (offsets, targets) = (&mut stored.offsets[..N + 2], &mut stored.targets[..2 * N]);
    count_neighbours(&edges, offsets);
    fill_neighbours(&edges, offsets, targets);
    sort_rows(offsets, targets);
    let kept = merge_rows(offsets, targets);
    // Nodes beyond N have no edges.
    let mut dense = [[false; MOST_NODES]; MOST_NODES];
    for &(u, v) in &edges {
        dense[u as usize][v as usize] = true;
        dense[v as usize][u as usize] = true;
    }
    for row in N + 2..=MOST_NODES {
        stored.offsets[row] = kept;
    }
    claim!(stored.is(&dense), "the arrays are those of the dense matrix");
    #[cfg(not(kani))]
    {
        let pairs = edges.map(|(u, v)| (u as usize, v as usize));
        let graph = muffliato_model::Graph::try_new(N + 1, pairs).expect("no self-loop");
        let (offsets, targets) = graph.adjacency();
        claim!(
            offsets == &stored.offsets[..N + 2] && targets == &stored.targets[..kept],
            "the constructor stores the same"
        );
    }
    cover!(choices, kept == 2 * N, "no repetition");
    cover!(choices, N < 2 || kept < 2 * N, "a repetition");
    Some(())
}

pub fn isolated_nodes_leave<const N: usize>(choices: &mut impl Choices) -> Case {
    let mut edges = any_graph::<N>(choices);
    let away: [bool; N] = choices.array(|choices| choices.flag());
    let mut stored = Adjacency::of(&edges);
    let kept = isolate(&mut stored.offsets[..N + 1], &mut stored.targets, &away);
    let before = edges;
    for u in 0..N {
        for v in 0..N {
            edges[u][v] &= !away[u] && !away[v];
        }
    }
    claim!(stored.is(&edges) && stored.offsets[N] == kept, "edges of those who are there stay");
    cover!(choices, (N < 2) | (before[0][N - 1] & !edges[0][N - 1]), "an edge goes");
    cover!(choices, (N < 2) | edges[0][N - 1], "an edge stays");
    Some(())
}

pub fn distances_change_by_at_most_one_along_edges<const N: usize>(
    choices: &mut impl Choices,
) -> Case {
    let edges = any_graph::<N>(choices);
    let source = choices.index(N - 1);
    let stored = Adjacency::of(&edges);
    let (mut queue, mut distance) = ([0; N], [Some(9); N]);
    queue[0] = source as u32;
    let reached =
        fill_distances(&stored.offsets[..N + 1], &stored.targets, &mut queue, 1, &mut distance);
    let mut counted = 0;
    for v in 0..N {
        counted += usize::from(distance[v].is_some());
        claim!((distance[v] == Some(0)) == (v == source), "the source alone is at distance 0");
        let mut nearer = false;
        for w in 0..N {
            if !edges[v][w] {
                continue;
            }
            match (distance[v], distance[w]) {
                (Some(here), Some(there)) => {
                    claim!(here <= there + 1, "an edge is one step at most");
                    nearer |= here == there + 1;
                }
                (None, None) => {}
                _ => claim!(false, "neighbours are reached together"),
            }
        }
        claim!(nearer || distance[v].is_none() || v == source, "some neighbour is nearer");
    }
    claim!(counted == reached, "the reached nodes are counted");
    cover!(choices, N < 2 || reached < N, "not connected");
    cover!(choices, N < 3 || distance[N - 1] == Some(2), "two steps away");
    Some(())
}
