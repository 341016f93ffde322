//! The part of a network that can be heard in T steps, with its nodes sorted by distance.
//!
//! `W^t e_w` vanishes outside the ball of radius t around w. Nodes beyond distance T of the
//! observer are left out, and because the others are sorted by distance, the possibly non-zero
//! entries at time t are a prefix.

use super::basis::Block;
use crate::{SparseWeights, frontier::Frontier, threads::vectorized};

/// The gossip matrix on the nodes within some distance of the observer.
#[derive(Clone, Debug)]
pub(crate) struct Ball {
    /// The nodes, by distance.
    nodes: Vec<u32>,
    /// `within[k]` nodes are at distance at most k.
    within: Vec<usize>,
    offsets: Vec<usize>,
    columns: Vec<u32>,
    values: Vec<f64>,
    own: Vec<f64>,
}

impl Ball {
    /// Returns the nodes within `radius` of the `centre`.
    pub fn around(centre: &[usize], radius: usize, weights: &SparseWeights) -> Self {
        const OUTSIDE: u32 = u32::MAX;
        let mut frontier = Frontier::default();
        let centre: Vec<u32> = centre.iter().map(|&node| node as u32).collect();
        frontier.restart(weights.nodes(), &centre);
        let mut within = vec![frontier.nodes().len()];
        for before in 0..radius {
            frontier.grow(weights);
            if frontier.nodes().len() == within[before] {
                break;
            }
            within.push(frontier.nodes().len());
        }
        let nodes = frontier.nodes().to_vec();
        let mut place = vec![OUTSIDE; weights.nodes()];
        for (row, &node) in nodes.iter().enumerate() {
            place[node as usize] = row as u32;
        }
        let mut offsets = vec![0];
        let (mut columns, mut values, mut own) = (Vec::new(), Vec::new(), Vec::new());
        for &node in &nodes {
            let (neighbours, edges) = weights.row(node as usize);
            for (&neighbour, &weight) in neighbours.iter().zip(edges) {
                if place[neighbour as usize] != OUTSIDE {
                    columns.push(place[neighbour as usize]);
                    values.push(weight);
                }
            }
            offsets.push(columns.len());
            own.push(weights.own(node as usize));
        }
        Self { nodes, within, offsets, columns, values, own }
    }

    /// Returns the nodes, by distance: the number in the network of each row.
    pub fn nodes(&self) -> &[u32] {
        &self.nodes
    }

    /// Returns the number of nodes within a distance.
    pub fn within(&self, distance: usize) -> usize {
        self.within[distance.min(self.within.len() - 1)]
    }

    /// Computes `W x` for a block that vanishes beyond its rows, on the nodes within `distance`
    /// (the others stay zero), below `above` rows of zeros. The first `above` rows of the block are
    /// ignored.
    pub fn apply(&self, block: &Block, above: usize, distance: usize) -> Block {
        let width = block.width;
        let mut entries = vec![0.0; (above + self.within(distance)) * width];
        let (x, out) = (&block.entries[above * width..], &mut entries[above * width..]);
        vectorized(
            #[inline(always)]
            || {
                for (v, sums) in out.chunks_exact_mut(width).enumerate() {
                    let range = self.offsets[v]..self.offsets[v + 1];
                    let neighbours = self.columns[range.clone()].iter().map(|&w| w as usize);
                    let terms = neighbours.zip(self.values[range].iter().copied());
                    for (w, weight) in std::iter::once((v, self.own[v])).chain(terms) {
                        let row = x.get(w * width..).unwrap_or(&[]);
                        for (sum, entry) in sums.iter_mut().zip(row) {
                            *sum += weight * entry;
                        }
                    }
                }
            },
        );
        Block { entries, width }
    }
}
