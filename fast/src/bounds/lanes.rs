//! Eight or sixteen vectors at once: one or two whole cache lines per node.
//!
//! A row of `W X`, X a block of as many columns, reads whole cache lines for each neighbour and
//! keeps its sums in registers:
//!
//! ```text
//! (W X)_v = W_vv X_v + sum_{w in N(v)} W_vw X_w .
//! ```
//!
//! If all neighbours of v have one weight c (regular graphs; with Metropolis weights every node of
//! locally largest degree), `c sum_w X_w` needs one product and does not read the weights.
//!
//! Products and sums are rounded one by one (no fused multiply-add), in the order of the diagonal
//! and then the neighbours, so the bits are the same on every machine.

use crate::SparseWeights;

/// Number of vectors in a narrow block.
pub(crate) const WIDTH: usize = 8;

/// Number of vectors in a wide block. Two adjacent cache lines cost little more than one, and the
/// matrix is read half as often; with four lines the blocks outgrow the cache.
pub(crate) const WIDE: usize = 16;

/// Entries of N vectors at one node, N a power of two.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(align(64))]
pub(crate) struct Lanes<const N: usize = WIDTH>(pub [f64; N]);

impl<const N: usize> Lanes<N> {
    pub const ZERO: Self = Self([0.0; N]);

    /// Number of roundings of [`Lanes::sum`].
    pub const SUM_ROUNDINGS: usize = N.ilog2() as usize;

    #[inline(always)]
    pub fn scaled(&self, weight: f64) -> Self {
        Self(self.0.map(|entry| weight * entry))
    }

    #[inline(always)]
    pub fn add(&mut self, other: &Self) {
        for k in 0..N {
            self.0[k] += other.0[k];
        }
    }

    #[inline(always)]
    pub fn add_scaled(&mut self, weight: f64, other: &Self) {
        for k in 0..N {
            self.0[k] += weight * other.0[k];
        }
    }

    #[inline(always)]
    pub fn add_squares(&mut self, other: &Self) {
        for k in 0..N {
            self.0[k] += other.0[k] * other.0[k];
        }
    }

    /// Computes `self^2 * factors` entrywise.
    #[inline(always)]
    pub fn squares_times(&self, factors: &Self) -> Self {
        let mut product = Self::ZERO;
        for k in 0..N {
            product.0[k] = self.0[k] * self.0[k] * factors.0[k];
        }
        product
    }

    /// Sums the entries by halves.
    #[inline(always)]
    pub fn sum(&self) -> f64 {
        let (mut parts, mut width) = (self.0, N);
        while width > 1 {
            width /= 2;
            for k in 0..width {
                parts[k] += parts[k + width];
            }
        }
        parts[0]
    }

    /// Returns `factor / norm` for each positive squared norm, 0 for unused lanes.
    pub fn inverse(&self, factor: f64) -> Self {
        Self(self.0.map(|norm| if norm > 0.0 { factor / norm } else { 0.0 }))
    }
}

/// Computes row v of `W x`, with at most [`SparseWeights::row_roundings`] roundings.
#[inline(always)]
pub(crate) fn mixed_row<const N: usize>(
    weights: &SparseWeights,
    x: &[Lanes<N>],
    v: usize,
) -> Lanes<N> {
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
