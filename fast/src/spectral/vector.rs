//! Sums over long vectors in a fixed order, with or without threads.
//!
//! A vector is cut into blocks of [`BLOCK`] entries; each block is summed from left to right in
//! [`LANES`] interleaved sums, and the blocks from left to right. The order does not depend on the
//! number of threads, and a sum of n terms has at most [`sum_roundings`] roundings along any path.

use crate::threads;

/// Number of entries of a block.
const BLOCK: usize = 1 << 12;
/// Number of interleaved sums of a block.
const LANES: usize = 8;

/// Returns the largest number of additions along any path of [`sum`] over `n` terms.
pub(super) fn sum_roundings(n: usize) -> u64 {
    (BLOCK / LANES + LANES) as u64 + (n / BLOCK) as u64 + 1
}

/// Computes `sum_k term(k)` for k in 0..n.
pub(super) fn sum(n: usize, term: impl Fn(usize) -> f64 + Sync) -> f64 {
    let block = |index: usize| {
        let (start, end) = (index * BLOCK, ((index + 1) * BLOCK).min(n));
        let mut lanes = [0.0; LANES];
        let whole = start + (end - start) / LANES * LANES;
        for first in (start..whole).step_by(LANES) {
            for (lane, total) in lanes.iter_mut().enumerate() {
                *total += term(first + lane);
            }
        }
        for (lane, k) in (whole..end).enumerate() {
            lanes[lane] += term(k);
        }
        lanes.iter().sum::<f64>()
    };
    let blocks = n.div_ceil(BLOCK);
    if blocks > 8 {
        return threads::in_order(blocks, block).iter().sum();
    }
    (0..blocks).map(block).sum()
}

/// Computes `<x, y>`.
pub(super) fn dot(x: &[f64], y: &[f64]) -> f64 {
    sum(x.len().min(y.len()), |k| x[k] * y[k])
}

/// Computes `||x||`.
pub(super) fn norm(x: &[f64]) -> f64 {
    dot(x, x).sqrt()
}

/// Replaces each entry: `x_k <- change(k, x_k)`.
pub(super) fn update(x: &mut [f64], change: impl Fn(usize, f64) -> f64 + Sync) {
    let block = |(): &mut (), index: usize, entries: &mut [f64]| {
        for (k, entry) in (index * BLOCK..).zip(entries) {
            *entry = change(k, *entry);
        }
    };
    if x.len() > 8 * BLOCK {
        return threads::on_chunks(x, BLOCK, || (), block);
    }
    for (index, entries) in x.chunks_mut(BLOCK).enumerate() {
        block(&mut (), index, entries);
    }
}

/// Subtracts the mean from all entries.
pub(super) fn centre(x: &mut [f64]) {
    let mean = sum(x.len(), |k| x[k]) / x.len() as f64;
    update(x, |_, entry| entry - mean);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_have_every_term_once() {
        for n in [0, 1, 7, 8, 9, BLOCK - 1, BLOCK, BLOCK + 1, 10 * BLOCK + 5] {
            assert_eq!(sum(n, |k| k as f64), (n * n.saturating_sub(1) / 2) as f64);
        }
        let mut x: Vec<f64> = (0..9 * BLOCK + 3).map(|k| k as f64).collect();
        update(&mut x, |k, entry| entry - k as f64);
        assert_eq!(norm(&x), 0.0);
    }
}
