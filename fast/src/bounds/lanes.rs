//! Eight vectors at once: one cache line a node.
//!
//! A row of `W X`, X a block of eight columns, reads one whole cache line for each neighbour and keeps its
//! eight sums in registers:
//!
//! ```text
//! (W X)_v = W_vv X_v + sum_{w in N(v)} W_vw X_w .
//! ```
//!
//! Where all neighbours of v have one weight c (regular graphs; with Metropolis weights every node of locally largest
//! degree), `c sum_w X_w` needs one product and does not read the weights.
//!
//! Products and sums are rounded one by one (no fused multiply-add), in the order of the diagonal and then
//! the neighbours: the bits are the same on every machine, whatever its vector registers.

use crate::SparseWeights;

/// How many vectors go together.
pub(crate) const WIDTH: usize = 8;

/// The entries of eight vectors at one node.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(align(64))]
pub(crate) struct Lanes(pub [f64; WIDTH]);

impl Lanes {
    pub const ZERO: Self = Self([0.0; WIDTH]);

    #[inline(always)]
    pub fn scaled(&self, weight: f64) -> Self {
        Self(self.0.map(|entry| weight * entry))
    }

    #[inline(always)]
    pub fn add(&mut self, other: &Self) {
        for k in 0..WIDTH {
            self.0[k] += other.0[k];
        }
    }

    #[inline(always)]
    pub fn add_scaled(&mut self, weight: f64, other: &Self) {
        for k in 0..WIDTH {
            self.0[k] += weight * other.0[k];
        }
    }

    #[inline(always)]
    pub fn add_squares(&mut self, other: &Self) {
        for k in 0..WIDTH {
            self.0[k] += other.0[k] * other.0[k];
        }
    }

    /// Entrywise `self^2 * factors`.
    #[inline(always)]
    pub fn squares_times(&self, factors: &Self) -> Self {
        let mut product = Self::ZERO;
        for k in 0..WIDTH {
            product.0[k] = self.0[k] * self.0[k] * factors.0[k];
        }
        product
    }

    /// The sum of the eight entries, by halves: three roundings.
    #[inline(always)]
    pub fn sum(&self) -> f64 {
        let [a, b, c, d, e, f, g, h] = self.0;
        ((a + e) + (c + g)) + ((b + f) + (d + h))
    }

    /// `factor / norm` for each positive squared norm, 0 for the lanes that are not in use.
    pub fn inverse(&self, factor: f64) -> Self {
        Self(
            self.0
                .map(|norm| if norm > 0.0 { factor / norm } else { 0.0 }),
        )
    }
}

/// Row v of `W x`, with at most [`SparseWeights::row_roundings`] roundings.
#[inline(always)]
pub(crate) fn mixed_row(weights: &SparseWeights, x: &[Lanes], v: usize) -> Lanes {
    let (columns, values) = weights.row(v);
    let mut sum = x[v].scaled(weights.own(v));
    if let Some(common) = weights.common(v) {
        let mut around = Lanes::ZERO;
        for &w in columns {
            around.add(&x[w as usize]);
        }
        sum.add_scaled(common, &around);
        return sum;
    }
    for (&w, &weight) in columns.iter().zip(values) {
        sum.add_scaled(weight, &x[w as usize]);
    }
    sum
}

/// `work` compiled for the widest vector registers of this machine. Only what is inlined into it gains.
#[inline(always)]
pub(crate) fn vectorized<R>(work: impl FnOnce() -> R) -> R {
    pulp::Arch::new().dispatch(work)
}
