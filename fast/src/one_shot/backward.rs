//! The row space of a one-shot view whose network changes, built backwards in time.
//!
//! The message of w at time t is the row `e_w^T W_{t-1} ... W_0`. Let `E_t` be the unit vectors of the senders at
//! time t and `S_t` the span of what is received from t on, written in the states of time t. Then
//!
//! ```text
//! S_{T-1} = span E_{T-1},    S_t = span E_t + W_t S_{t+1},
//! ```
//!
//! and the row space of the view is `S_0` with the draws that the observers know. The basis is made
//! orthonormal again at each step, so that a pivot tells about one gossip step only and not about the
//! product of all of them.
//!
//! With the Chebyshev recursion `M_{t+1} = g W_t M_t + (1 - g) M_{t-1}` the same holds for pairs: what was
//! `p^T M_{t+1} + q^T M_t` is `(g W_t p + q)^T M_t + ((1 - g) p)^T M_{t-1}`.

use super::{
    basis::{Basis, Block},
    deflation::Pivots,
};
use crate::{FastError, SparseWeights};
use muffliato_model::{Observer, Protocol, Step};

/// As many vectors are made orthonormal at a time.
const BLOCK_WIDTH: usize = 48;

/// A protocol whose gossip matrix is not the same at all steps.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Changing<'a> {
    pub protocol: &'a Protocol,
    /// The gossip matrix of each network step; none for edge sequences.
    pub weights: &'a [SparseWeights],
    /// For how many steps each matrix is used.
    pub each: usize,
    /// The Chebyshev parameter.
    pub acceleration: Option<f64>,
}

impl Changing<'_> {
    /// An orthonormal basis of the row space of the observer's view. `going` is asked before each step.
    pub fn basis(
        &self,
        observer: &Observer,
        threshold: f64,
        threaded: bool,
        going: &dyn Fn() -> Result<(), FastError>,
    ) -> Result<(Basis, Pivots), FastError> {
        let nodes = self.protocol.nodes();
        let mut pivots = Pivots::default();
        let mut basis = Basis::new(nodes, 0, threaded);
        let mut carried = Block::default();
        let mut mixed_since = 0;
        for t in (0..self.protocol.steps()).rev() {
            going()?;
            let mut units = self.protocol.step(t).senders_to(observer.members());
            if t == 0 && observer.knows_own_noise() {
                units.extend(observer.members());
            }
            let pairs = self.acceleration.is_some() && t > 0;
            if carried.width > 0 {
                carried = self.mixed(carried, t)?;
                mixed_since += 1;
            }
            let edge = matches!(self.protocol.step(t), Step::EdgeAverage { .. });
            if t > 0 && edge && units.is_empty() && mixed_since < nodes {
                continue;
            }
            mixed_since = 0;
            let rows = if pairs { 2 * nodes } else { nodes };
            basis = Basis::new(rows, units.len() + carried.width, threaded);
            basis.push(&Block::units(&units, rows));
            let all: Vec<usize> = (0..carried.width).collect();
            for chosen in all.chunks(BLOCK_WIDTH) {
                basis.extend(carried.selected(chosen), threshold, &mut pivots);
            }
            if t > 0 {
                carried = basis.to_block();
            }
        }
        Ok((basis, pivots))
    }

    /// `W_t` applied to a block of vectors, or its counterpart for pairs.
    fn mixed(&self, mut block: Block, t: usize) -> Result<Block, FastError> {
        let (nodes, width) = (self.protocol.nodes(), block.width);
        if let Step::EdgeAverage { edge: (u, v), .. } = self.protocol.step(t) {
            for k in 0..width {
                let (a, b) = (u * width + k, v * width + k);
                let mean = (block.entries[a] + block.entries[b]) / 2.0;
                block.entries[a] = mean;
                block.entries[b] = mean;
            }
            return Ok(block);
        }
        let weights = &self.weights[t / self.each];
        let mut mixed = vec![0.0; nodes * width];
        let (now, before) = block.entries.split_at(nodes * width);
        weights.apply(now, width, &mut mixed)?;
        if let Some(g) = self.acceleration {
            let g = if t == 0 { 1.0 } else { g };
            for (mixed, before) in mixed.iter_mut().zip(before) {
                *mixed = g * *mixed + before;
            }
            if t > 0 {
                mixed.extend(now.iter().map(|entry| (1.0 - g) * entry));
            }
        }
        Ok(Block {
            entries: mixed,
            width,
        })
    }
}
