//! The row space of a one-shot view on a changing network, built backwards in time (untrusted).
//!
//! The message of w at time t is the row `e_w^T W_{t-1} ... W_0`. Let `E_t` be the unit vectors of
//! the senders at time t and `S_t` the span of what is received from t on, written in the states of
//! time t. Then
//!
//! ```text
//! S_{T-1} = span E_{T-1},    S_t = span E_t + W_t S_{t+1},
//! ```
//!
//! and the row space of the view is `S_0` with the draws that the observers know. The basis is
//! orthonormalised at each step, so a pivot concerns one gossip step only and not the product of
//! all.
//!
//! With the Chebyshev recursion `M_{t+1} = g W_t M_t + (1 - g) M_{t-1}` the same holds for pairs:
//! `p^T M_{t+1} + q^T M_t` is `(g W_t p + q)^T M_t + ((1 - g) p)^T M_{t-1}`.
//!
//! Coefficients carried by a vector are on messages and known draws, from the last step to the
//! first; gossip does not change them.

use super::{
    attacks::Backward,
    basis::{Basis, Block, Pivots},
};
use crate::{
    FastError,
    checks::float,
    steps::{StepMatrix, Steps},
};
use muffliato_model::{Observer, Protocol};

/// Number of vectors orthonormalised at a time.
const BLOCK_WIDTH: usize = 48;

/// A protocol whose gossip matrix changes.
#[derive(Clone, Debug)]
pub(crate) struct Changing<'a> {
    protocol: &'a Protocol,
    observer: &'a Observer,
    steps: &'a Steps,
    /// The Chebyshev parameter.
    acceleration: Option<f64>,
    /// Number of vectors that join after each time.
    joined: Vec<usize>,
}

impl<'a> Changing<'a> {
    /// Prepares the view of an observer.
    pub fn of(steps: &'a Steps, observer: &'a Observer) -> Self {
        let protocol = steps.protocol();
        let mut changing = Self {
            protocol,
            observer,
            steps,
            acceleration: protocol.acceleration().map(float),
            joined: vec![0; protocol.steps()],
        };
        for t in (1..protocol.steps()).rev() {
            changing.joined[t - 1] = changing.joined[t] + changing.units(t).len();
        }
        changing
    }

    /// Computes an orthonormal basis of the row space of the observer's view, with coefficients if
    /// requested. `going` is called before each step.
    pub fn basis(
        &self,
        carry: bool,
        threshold: f64,
        going: &dyn Fn() -> Result<(), FastError>,
    ) -> Result<(Basis, Pivots), FastError> {
        let nodes = self.protocol.nodes();
        let above = if carry { self.joined[0] + self.units(0).len() } else { 0 };
        let mut pivots = Pivots::default();
        let mut basis = Basis::new(above, nodes);
        let mut carried = Block::default();
        let mut mixed_since = 0;
        for t in (0..self.protocol.steps()).rev() {
            going()?;
            let units = self.units(t);
            if carried.width > 0 {
                carried = self.step(carried, above, t)?;
                mixed_since += 1;
            }
            let edge = matches!(self.steps.at(t), StepMatrix::Average(..));
            if t > 0 && edge && units.is_empty() && mixed_since < nodes {
                continue;
            }
            mixed_since = 0;
            let rows = self.rows(t);
            basis = Basis::new(above, rows);
            let places: Vec<usize> = units.iter().map(|unit| above + unit).collect();
            let mut new = Block::units(&places, above + rows);
            if carry {
                for k in 0..units.len() {
                    new.entries[(self.joined[t] + k) * units.len() + k] = 1.0;
                }
            }
            basis.push(&new);
            for start in (0..carried.width).step_by(BLOCK_WIDTH) {
                let chosen = start..carried.width.min(start + BLOCK_WIDTH);
                basis.extend(carried.selected(chosen), threshold, &mut pivots);
            }
            if t > 0 {
                carried = basis.vectors(0..basis.columns());
            }
        }
        Ok((basis, pivots))
    }

    /// Returns the nodes whose unit vectors are heard or known at time t.
    fn units(&self, t: usize) -> Vec<usize> {
        let mut units = self.protocol.step(t).senders_to(self.observer.members());
        if t == 0 && self.observer.knows_own_noise() {
            units.extend(self.observer.members());
        }
        units
    }

    /// Returns the number of rows of a vector at time t.
    fn rows(&self, t: usize) -> usize {
        if self.acceleration.is_some() && t > 0 {
            2 * self.protocol.nodes()
        } else {
            self.protocol.nodes()
        }
    }

    /// Applies `W_t`, or its counterpart for pairs, to a block of vectors below `above` unchanged
    /// rows.
    fn step(&self, mut block: Block, above: usize, t: usize) -> Result<Block, FastError> {
        let (nodes, width) = (self.protocol.nodes(), block.width);
        let weights = match self.steps.at(t) {
            StepMatrix::Network(weights, _) => weights,
            StepMatrix::Average(u, v) => {
                for k in 0..width {
                    let (a, b) = ((above + u) * width + k, (above + v) * width + k);
                    let mean = (block.entries[a] + block.entries[b]) / 2.0;
                    block.entries[a] = mean;
                    block.entries[b] = mean;
                }
                return Ok(block);
            }
        };
        let (coefficients, states) = block.entries.split_at(above * width);
        let (now, before) = states.split_at(nodes * width);
        let mut entries = coefficients.to_vec();
        entries.resize((above + nodes) * width, 0.0);
        let mixed = &mut entries[above * width..];
        weights.apply(now, width, mixed)?;
        if let Some(g) = self.acceleration {
            let g = if t == 0 { 1.0 } else { g };
            for (mixed, before) in mixed.iter_mut().zip(before) {
                *mixed = g * *mixed + before;
            }
            if t > 0 {
                entries.extend(now.iter().map(|entry| (1.0 - g) * entry));
            }
        }
        Ok(Block { entries, width })
    }
}

impl Backward for Changing<'_> {
    fn steps(&self) -> usize {
        self.protocol.steps()
    }

    fn mixed(&self, block: Block, t: usize) -> Result<Block, FastError> {
        self.step(block, 0, t)
    }

    fn heard(&self, t: usize) -> (Vec<usize>, usize, usize) {
        (self.units(t), self.rows(t), self.joined[t])
    }

    fn roundings(&self, t: usize) -> u64 {
        match self.steps.at(t) {
            StepMatrix::Network(weights, _) => weights.step_roundings() + 4,
            StepMatrix::Average(..) => 2,
        }
    }

    fn acceleration(&self, t: usize) -> Option<(f64, usize)> {
        let g = if t == 0 { 1.0 } else { self.acceleration? };
        self.acceleration.map(|_| (g, self.protocol.nodes()))
    }
}
