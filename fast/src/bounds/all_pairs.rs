//! Bounds of all pairs on a fixed network.
//!
//! Observers that share a neighbour share its messages, so the shares are summed over time first
//! and over neighbours once, at the end:
//!
//! ```text
//! f(u,v) = sum_{w in N(v)} S(w,u),      S(w,u) = sum_{t<T} (W^t)_{u,w}^2 / ||(W^t)_w||^2 .
//! ```
//!
//! S is computed for sixteen senders w at a time: the block `W^t [e_w]` (128 n bytes, two of them)
//! stays in the cache of one core for all t, and so do its column norms, which equal the row norms
//! as W is symmetric. Memory: `8 n^2` bytes for S, and as many for the answer.

use super::{
    accuracy::Precision,
    lanes::{Lanes, WIDE, mixed_row},
};
use crate::{
    Enclosure, FastError, Progress, SparseWeights,
    frontier::Frontier,
    threads::{self, vectorized},
};

/// Number of blocks of senders between two progress reports.
const WAVE: usize = 32;

/// Number of rows summed in a group before the groups are summed.
const GROUP: usize = 256;

/// Returns the largest number of additions on any path of a squared norm.
pub(crate) fn norm_sums(nodes: usize) -> usize {
    GROUP.min(nodes) + nodes.div_ceil(GROUP)
}

/// Theorem 1's bound for all pairs of a source and an observer, in units of L.
///
/// ```
/// use muffliato_fast::bounds::PaperBounds;
/// use muffliato_model::{Network, Protocol};
///
/// let network = Network::metropolis("path:2".parse()?)?;
/// let pairs = PaperBounds::of(&Protocol::one_shot(network, 2)?)?.all_pairs()?;
/// // The formula exceeds the local loss, 1.
/// assert!(pairs.get(1, 0).unwrap().contains(1.5));
/// assert!(pairs.get(2, 0).is_none());
/// // The shares of all nodes at an observer sum to its number of messages.
/// let heard: f64 = pairs.observed_by(0).iter().map(|bound| bound.value()).sum();
/// assert!((heard - 2.0).abs() < 1e-14);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct AllPairs {
    nodes: usize,
    /// The bounds of all sources, observer by observer.
    values: Vec<f64>,
    precision: Precision,
}

impl AllPairs {
    pub(super) fn new(nodes: usize, values: Vec<f64>, precision: Precision) -> Self {
        Self { nodes, values, precision }
    }

    /// Encloses f(source, observer); `None` if there is no such node. The diagonal holds the
    /// observer's own term of the mean-loss identity.
    pub fn get(&self, source: usize, observer: usize) -> Option<Enclosure> {
        let inside = source < self.nodes && observer < self.nodes;
        inside.then(|| self.precision.enclose(self.values[observer * self.nodes + source]))
    }

    /// Returns the bounds of all sources towards one observer, its own term included; empty if
    /// there is no such node.
    pub fn observed_by(&self, observer: usize) -> Vec<Enclosure> {
        (0..self.nodes).filter_map(|source| self.get(source, observer)).collect()
    }
}

/// Vectors of one block of senders, and their support.
#[derive(Clone, Debug, Default)]
struct Block {
    now: Vec<Lanes<WIDE>>,
    next: Vec<Lanes<WIDE>>,
    sums: Vec<Lanes<WIDE>>,
    frontier: Frontier,
}

impl Block {
    /// Sums the shares of at most sixteen senders over all t < `steps`.
    #[inline(always)]
    fn shares(&mut self, weights: &SparseWeights, senders: &[u32], steps: usize) -> &[Lanes<WIDE>] {
        let nodes = weights.nodes();
        for vectors in [&mut self.now, &mut self.next, &mut self.sums] {
            vectors.clear();
            vectors.resize(nodes, Lanes::ZERO);
        }
        self.frontier.restart(nodes, senders);
        let mut norm = Lanes::ZERO;
        for (lane, &w) in senders.iter().enumerate() {
            self.now[w as usize].0[lane] = 1.0;
            norm.0[lane] = 1.0;
        }
        let all: Vec<u32> = (0..nodes as u32).collect();
        for t in 0..steps {
            let factors = norm.inverse(1.0);
            let last = t + 1 == steps;
            if !last {
                self.frontier.grow(weights);
            }
            let reached = self.frontier.nodes();
            let rows = if reached.len() <= nodes / 2 { reached } else { &all };
            norm = Lanes::ZERO;
            for group in rows.chunks(GROUP) {
                let mut part = Lanes::ZERO;
                for v in group.iter().map(|&v| v as usize) {
                    self.sums[v].add(&self.now[v].squares_times(&factors));
                    if !last {
                        self.next[v] = mixed_row(weights, &self.now, v);
                        part.add_squares(&self.next[v]);
                    }
                }
                norm.add(&part);
            }
            std::mem::swap(&mut self.now, &mut self.next);
        }
        &self.sums
    }
}

/// Returns the number of bytes of the blocks in progress.
pub(crate) fn bytes(nodes: usize) -> u128 {
    (3 * threads::count() * size_of::<Lanes<WIDE>>()) as u128 * nodes as u128
}

/// Computes the values of [`AllPairs`] on a fixed network.
pub(crate) fn fixed(
    weights: &SparseWeights,
    steps: usize,
    progress: &dyn Progress,
) -> Result<Vec<f64>, FastError> {
    let nodes = weights.nodes();
    let senders: Vec<u32> = (0..nodes as u32).collect();
    let blocks: Vec<&[u32]> = senders.chunks(WIDE).collect();
    // Row w holds S(w, u) for all u.
    let mut shares = vec![0.0; nodes * nodes];
    for (wave, rows) in shares.chunks_mut(WAVE * WIDE * nodes).enumerate() {
        progress.check(wave * WAVE, blocks.len())?;
        threads::on_chunks(rows, WIDE * nodes, Block::default, |block, index, rows| {
            vectorized(
                #[inline(always)]
                || {
                    let senders = blocks[wave * WAVE + index];
                    let sums = block.shares(weights, senders, steps);
                    for (lane, row) in rows.chunks_mut(nodes).enumerate() {
                        for (share, sum) in row.iter_mut().zip(sums) {
                            *share = sum.0[lane];
                        }
                    }
                },
            );
        });
    }
    let mut values = vec![0.0; nodes * nodes];
    threads::on_chunks(
        &mut values,
        nodes,
        || (),
        |(), v, row| {
            vectorized(
                #[inline(always)]
                || {
                    for &w in weights.row(v).0 {
                        let shares = &shares[w as usize * nodes..][..nodes];
                        for (sum, share) in row.iter_mut().zip(shares) {
                            *sum += share;
                        }
                    }
                },
            );
        },
    );
    progress.check(blocks.len(), blocks.len())?;
    Ok(values)
}
