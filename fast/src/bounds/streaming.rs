//! Bounds towards one observer on a fixed network, for all sources at once.
//!
//! W is symmetric, so the row `(W^t)_w` of a message is the column `W^t e_w`, and the messages of
//! the senders `w in N(v)` need only the block `X_t = W^t [e_w]`, eight senders to a block, kept
//! for one t at a time:
//!
//! ```text
//! f(u,v) = sum_t c_t sum_w X_t[u,w]^2 / ||X_t[.,w]||^2 ,      X_{t+1} = W X_t .
//! ```
//!
//! The shares of `X_t` are added while `X_{t+1}` is computed, when its rows are in cache. While few
//! nodes are reached, only these are visited. Memory: 128 bytes per node for the two blocks,
//! regardless of T and d_v.

use super::{
    Summed,
    lanes::{Lanes, WIDTH, mixed_row},
};
use crate::{
    FastError, Progress, SparseWeights,
    frontier::Frontier,
    threads::{self, vectorized},
};

/// Number of rows summed in a group before the groups are summed.
pub(crate) const GROUP: usize = 1024;

/// Returns the largest number of additions on any path of a squared norm.
pub(crate) fn norm_sums(nodes: usize) -> usize {
    GROUP.min(nodes) + nodes.div_ceil(GROUP)
}

/// Returns the number of bytes that [`Stream::run`] needs.
pub(crate) fn bytes(nodes: usize) -> u128 {
    nodes as u128 * (2 * size_of::<Lanes>() + size_of::<f64>() + 5) as u128
}

/// A weighted sum over the powers `W^t [e_w]` of the senders w.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stream<'a> {
    pub weights: &'a SparseWeights,
    pub senders: &'a [usize],
    /// Multiplicity of each power, from t = 0 on.
    pub counts: &'a [f64],
    pub what: Summed,
}

impl Stream<'_> {
    /// Computes the sums for all sources, each with at most [`Stream::sums`] additions.
    pub fn run(&self, progress: &dyn Progress) -> Result<Vec<f64>, FastError> {
        let nodes = self.weights.nodes();
        let mut sums = vec![0.0; nodes];
        let mut now = vec![Lanes::ZERO; nodes];
        let mut next = vec![Lanes::ZERO; nodes];
        let blocks = self.senders.chunks(WIDTH);
        let total = blocks.len() * self.counts.len();
        for (index, senders) in blocks.enumerate() {
            if index > 0 {
                now.fill(Lanes::ZERO);
                next.fill(Lanes::ZERO);
            }
            let starts: Vec<u32> = senders.iter().map(|&w| w as u32).collect();
            let mut frontier = Frontier::default();
            frontier.restart(nodes, &starts);
            let mut norm = Lanes::ZERO;
            for (lane, &w) in senders.iter().enumerate() {
                now[w].0[lane] = 1.0;
                norm.0[lane] = 1.0;
            }
            for (t, &count) in self.counts.iter().enumerate() {
                progress.check(index * self.counts.len() + t, total)?;
                let factors = match self.what {
                    Summed::Shares => norm.inverse(count),
                    Summed::Squares { .. } => Lanes([count; WIDTH]),
                };
                let few = frontier.nodes().len() <= nodes / 16;
                if t + 1 == self.counts.len() {
                    add_last(&mut now, &mut sums, &factors);
                    break;
                }
                norm = if few {
                    frontier.grow(self.weights);
                    self.few_rows(frontier.nodes(), &now, &mut next, &mut sums, &factors)
                } else {
                    self.all_rows(&now, &mut next, &mut sums, &factors)
                };
                if self.what == (Summed::Squares { absorbing: true }) {
                    for &w in self.senders {
                        next[w] = Lanes::ZERO;
                    }
                }
                std::mem::swap(&mut now, &mut next);
            }
        }
        progress.check(total, total)?;
        Ok(sums)
    }

    /// Returns the largest number of additions on any path to a sum.
    pub fn sums(&self) -> usize {
        Lanes::<WIDTH>::SUM_ROUNDINGS
            + self.counts.len().saturating_mul(self.senders.len().div_ceil(WIDTH))
    }

    fn few_rows(
        &self,
        rows: &[u32],
        now: &[Lanes],
        next: &mut [Lanes],
        sums: &mut [f64],
        factors: &Lanes,
    ) -> Lanes {
        let mut norm = Lanes::ZERO;
        for group in rows.chunks(GROUP) {
            let mut part = Lanes::ZERO;
            for v in group.iter().map(|&v| v as usize) {
                sums[v] += now[v].squares_times(factors).sum();
                next[v] = mixed_row(self.weights, now, v);
                part.add_squares(&next[v]);
            }
            norm.add(&part);
        }
        norm
    }

    fn all_rows(
        &self,
        now: &[Lanes],
        next: &mut [Lanes],
        sums: &mut [f64],
        factors: &Lanes,
    ) -> Lanes {
        let work = |index: usize, next: &mut [Lanes], sums: &mut [f64]| {
            vectorized(
                #[inline(always)]
                || {
                    let mut part = Lanes::ZERO;
                    let rows = next.iter_mut().zip(sums);
                    for (v, (out, sum)) in (index * GROUP..).zip(rows) {
                        *sum += now[v].squares_times(factors).sum();
                        *out = mixed_row(self.weights, now, v);
                        part.add_squares(out);
                    }
                    part
                },
            )
        };
        let mut norm = Lanes::ZERO;
        for part in threads::on_two(next, sums, GROUP, work) {
            norm.add(&part);
        }
        norm
    }
}

/// Adds the last power, which is not multiplied any more.
fn add_last(now: &mut [Lanes], sums: &mut [f64], factors: &Lanes) {
    threads::on_two(now, sums, GROUP, |_, now, sums| {
        for (now, sum) in now.iter().zip(sums) {
            *sum += now.squares_times(factors).sum();
        }
    });
}
