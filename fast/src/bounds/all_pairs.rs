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
//! as W is symmetric. Blocks are independent; they are computed in waves and transposed into panels
//! of sixteen *sources*, where the sum over the neighbours is again a product of a sparse matrix
//! with a block in cache. Memory: `8 n^2` bytes for the answer.

use super::{
    accuracy::Precision,
    lanes::{Lanes, WIDE, mixed_row, vectorized},
    steps::Frontier,
};
use crate::{Enclosure, FastError, Progress, SparseWeights, arithmetic::panel_place, threads};
use std::num::NonZeroUsize;

/// Number of blocks of senders in a wave.
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
    /// For each sixteen sources, one row per observing node.
    panels: Vec<Lanes<WIDE>>,
    precision: Precision,
}

impl AllPairs {
    pub(super) fn new(nodes: usize, panels: Vec<Lanes<WIDE>>, precision: Precision) -> Self {
        Self {
            nodes,
            panels,
            precision,
        }
    }

    /// Encloses f(source, observer); `None` if there is no such node. The diagonal holds the
    /// observer's own term of the mean-loss identity.
    pub fn get(&self, source: usize, observer: usize) -> Option<Enclosure> {
        let inside = source < self.nodes && observer < self.nodes;
        inside.then(|| self.precision.enclose(self.value(source, observer)))
    }

    fn value(&self, source: usize, observer: usize) -> f64 {
        const SOURCES: NonZeroUsize = NonZeroUsize::new(WIDE).unwrap();
        let (line, lane) = panel_place(self.nodes, SOURCES, source, observer);
        self.panels[line].0[lane]
    }

    /// Returns the bounds of all sources towards one observer, its own term included; empty if
    /// there is no such node.
    pub fn observed_by(&self, observer: usize) -> Vec<Enclosure> {
        let all = (0..self.nodes).map(|source| self.get(source, observer));
        all.flatten().collect()
    }
}

/// Vectors of one block of senders, and their support.
#[derive(Clone, Debug, Default)]
pub(crate) struct Block {
    now: Vec<Lanes<WIDE>>,
    next: Vec<Lanes<WIDE>>,
    frontier: Frontier,
}

impl Block {
    /// Calls `keep(u, share of u)` for all `wanted` u with a non-zero share, for at most sixteen
    /// senders and all t < `steps`.
    #[inline(always)]
    pub fn shares(
        &mut self,
        weights: &SparseWeights,
        senders: &[u32],
        steps: usize,
        wanted: impl Fn(usize) -> bool,
        mut keep: impl FnMut(usize, Lanes<WIDE>),
    ) {
        let nodes = weights.nodes();
        for vectors in [&mut self.now, &mut self.next] {
            vectors.clear();
            vectors.resize(nodes, Lanes::ZERO);
        }
        self.frontier.restart(nodes, senders);
        let mut norm = Lanes::ZERO;
        for (lane, &w) in senders.iter().enumerate() {
            self.now[w as usize].0[lane] = 1.0;
            norm.0[lane] = 1.0;
        }
        let mut shares = Shares::default();
        for t in 0..steps {
            shares.advance(t, steps, norm.inverse(1.0));
            let few = self.frontier.nodes().len() <= nodes / 2;
            if few && !shares.last {
                self.frontier.grow(weights);
            }
            let (now, next) = (&self.now, &mut self.next);
            norm = if few {
                let rows = self.frontier.nodes().chunks(GROUP);
                let rows = rows.map(|group| group.iter().map(|&v| v as usize));
                shares.mix(weights, now, next, rows, &wanted, &mut keep)
            } else {
                let rows = (0..nodes.div_ceil(GROUP)).map(|group| group * GROUP);
                let rows = rows.map(|start| start..nodes.min(start + GROUP));
                shares.mix(weights, now, next, rows, &wanted, &mut keep)
            };
            std::mem::swap(&mut self.now, &mut self.next);
        }
    }
}

/// Pending shares. The vectors of time t + 1 overwrite those of time t - 1, so the shares of two
/// times are added in one pass, at every odd t and at the last: sums are read and written half as
/// often.
struct Shares {
    factors: Lanes<WIDE>,
    earlier: Lanes<WIDE>,
    due: bool,
    last: bool,
}

impl Default for Shares {
    fn default() -> Self {
        Self {
            factors: Lanes::ZERO,
            earlier: Lanes::ZERO,
            due: false,
            last: false,
        }
    }
}

impl Shares {
    fn advance(&mut self, t: usize, steps: usize, factors: Lanes<WIDE>) {
        let odd = t % 2 == 1;
        self.earlier = if odd { self.factors } else { Lanes::ZERO };
        self.factors = factors;
        self.last = t + 1 == steps;
        self.due = odd || self.last;
    }

    /// Adds the pending wanted shares, and computes `next = W now` unless this is the last time.
    /// Returns the squared norms of `next`.
    #[inline(always)]
    fn mix<Rows: Iterator<Item = usize>>(
        &self,
        weights: &SparseWeights,
        now: &[Lanes<WIDE>],
        next: &mut [Lanes<WIDE>],
        groups: impl Iterator<Item = Rows>,
        wanted: &impl Fn(usize) -> bool,
        keep: &mut impl FnMut(usize, Lanes<WIDE>),
    ) -> Lanes<WIDE> {
        let mut norm = Lanes::ZERO;
        for rows in groups {
            let mut part = Lanes::ZERO;
            for v in rows {
                if self.due && wanted(v) {
                    let mut share = now[v].squares_times(&self.factors);
                    share.add(&next[v].squares_times(&self.earlier));
                    keep(v, share);
                }
                if !self.last {
                    let out = mixed_row(weights, now, v);
                    next[v] = out;
                    part.add_squares(&out);
                }
            }
            norm.add(&part);
        }
        norm
    }
}

/// Returns the number of bytes that [`fixed`] needs.
pub(crate) fn bytes(nodes: usize) -> u128 {
    let blocks = nodes.div_ceil(WIDE);
    let lanes = blocks + blocks.min(WAVE) + 4 * threads::count();
    lanes as u128 * nodes as u128 * size_of::<Lanes<WIDE>>() as u128
}

/// Computes the panels of [`AllPairs`] on a fixed network.
pub(crate) fn fixed(
    weights: &SparseWeights,
    steps: usize,
    progress: &dyn Progress,
) -> Result<Vec<Lanes<WIDE>>, FastError> {
    let nodes = weights.nodes();
    let senders: Vec<u32> = (0..nodes as u32).collect();
    let blocks: Vec<&[u32]> = senders.chunks(WIDE).collect();
    let mut panels = vec![Lanes::ZERO; blocks.len() * nodes];
    let mut wave = vec![Lanes::ZERO; blocks.len().min(WAVE) * nodes];
    for (index, blocks_of_wave) in blocks.chunks(WAVE).enumerate() {
        let first = index * WAVE;
        progress.check(first, blocks.len())?;
        let wave = &mut wave[..blocks_of_wave.len() * nodes];
        threads::on_chunks(wave, nodes, Block::default, |block, index, sums| {
            vectorized(
                #[inline(always)]
                || {
                    sums.fill(Lanes::ZERO);
                    let add = |u: usize, share: Lanes<WIDE>| sums[u].add(&share);
                    block.shares(weights, blocks_of_wave[index], steps, |_| true, add);
                },
            );
        });
        let wave = &*wave;
        threads::on_chunks(
            &mut panels,
            nodes,
            || (),
            |(), panel, lines| {
                vectorized(
                    #[inline(always)]
                    || {
                        for (place, sums) in wave.chunks(nodes).enumerate() {
                            turn(sums, panel * WIDE, &mut lines[(first + place) * WIDE..]);
                        }
                    },
                );
            },
        );
    }
    threads::on_chunks(&mut panels, nodes, Vec::new, |shares, _, panel| {
        shares.clear();
        shares.extend_from_slice(panel);
        vectorized(
            #[inline(always)]
            || add_neighbours(weights, shares, panel),
        );
    });
    progress.check(blocks.len(), blocks.len())?;
    Ok(panels)
}

/// Transposes sixteen sources by sixteen senders, the sources from `first` on.
#[inline(always)]
fn turn(sums: &[Lanes<WIDE>], first: usize, lines: &mut [Lanes<WIDE>]) {
    for (lane, line) in lines.iter_mut().take(WIDE).enumerate() {
        for (source, sum) in sums[first..].iter().take(WIDE).enumerate() {
            line.0[source] = sum.0[lane];
        }
    }
}

/// Computes `out_v = sum_{w in N(v)} shares_w`.
#[inline(always)]
fn add_neighbours(weights: &SparseWeights, shares: &[Lanes<WIDE>], out: &mut [Lanes<WIDE>]) {
    for (v, out) in out.iter_mut().enumerate() {
        let mut sum = Lanes::ZERO;
        for &w in weights.row(v).0 {
            sum.add(&shares[w as usize]);
        }
        *out = sum;
    }
}
