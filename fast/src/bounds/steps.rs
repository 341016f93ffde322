//! Gossip matrices that act on blocks of vectors, and the roundings of their steps.

use super::lanes::{Lanes, mixed_row};
use crate::{SparseWeights, steps::StepMatrix, threads::vectorized};

impl StepMatrix<'_> {
    /// Computes `x <- W x`; `spare` is scratch space of the same length.
    pub fn mix<const N: usize>(&self, x: &mut Vec<Lanes<N>>, spare: &mut Vec<Lanes<N>>) {
        match *self {
            StepMatrix::Network(weights, busy) => {
                vectorized(
                    #[inline(always)]
                    || {
                        for (&v, out) in busy.iter().zip(spare.iter_mut()) {
                            *out = mixed_row(weights, x, v as usize);
                        }
                    },
                );
                if busy.len() == x.len() {
                    return std::mem::swap(x, spare);
                }
                for (&v, &mixed) in busy.iter().zip(spare.iter()) {
                    x[v as usize] = mixed;
                }
            }
            StepMatrix::Average(u, v) => {
                let mut mean = x[u];
                mean.add(&x[v]);
                let mean = mean.scaled(0.5);
                (x[u], x[v]) = (mean, mean);
            }
        }
    }

    /// Adds to each node's count the roundings of this step, for entries of a non-negative vector.
    pub fn add_roundings(&self, counts: &mut Vec<u64>) {
        match *self {
            StepMatrix::Average(u, v) => {
                let both = counts[u].max(counts[v]) + 1;
                (counts[u], counts[v]) = (both, both);
            }
            StepMatrix::Network(weights, _) => {
                let count = |v: usize| {
                    let around = weights.row(v).0.iter().map(|&w| counts[w as usize]);
                    around.fold(counts[v], u64::max) + weights.row_roundings(v)
                };
                *counts = (0..counts.len()).map(count).collect();
            }
        }
    }

    /// Returns the largest number of products summed into one entry.
    pub fn row_length(&self) -> usize {
        match self {
            StepMatrix::Network(weights, _) => weights.max_degree() + 1,
            StepMatrix::Average(..) => 2,
        }
    }

    /// Returns the smallest positive entry.
    pub fn smallest_positive(&self) -> f64 {
        match self {
            StepMatrix::Network(weights, _) => smallest_positive(weights),
            StepMatrix::Average(..) => 0.5,
        }
    }
}

/// Returns the smallest positive weight.
pub(super) fn smallest_positive(weights: &SparseWeights) -> f64 {
    let row = |v| weights.row(v).1.iter().copied().chain([weights.own(v)]);
    let positive = (0..weights.nodes()).flat_map(row).filter(|&weight| weight > 0.0);
    positive.fold(f64::INFINITY, f64::min)
}
