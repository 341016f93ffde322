//! Deflation: new orthonormal directions of a block beside a basis (untrusted).
//!
//! A block X is projected off the basis Q once. In rounding, the remainder is orthogonal to Q up to
//! `u ||x|| / ||rest||`, so a column that keeps at least the share [`SHARE`] of its norm is as good
//! as if projected twice (the criterion of Kahan and Parlett). The same share decides within the
//! block: with the columns scaled by their norms *before* the projection, the Cholesky
//! factorization `R^T R` of the Gram matrix of the remainders, with diagonal pivoting, is stopped
//! when the next pivot falls below [`SHARE`]. The columns before it are well conditioned, and `X
//! R^-1` is orthonormal (done twice if a pivot is below [`ONCE_IS_ENOUGH`]). The columns after it
//! are almost combinations of the others; they are projected off the larger basis and judged again,
//! so each pivot is the norm of an explicit remainder and never a difference of large numbers. A
//! remainder of norm below the threshold is dropped.
//!
//! In each round the remaining columns shrink by [`SHARE`] at least, so there are at most
//! `log(threshold) / log(SHARE)` rounds, usually one.

use super::basis::{Basis, Block};

/// Smallest accepted pivot, relative to the norm of its column before the projection.
const SHARE: f64 = 1.0 / 16.0;

/// If all pivots are at least this, `X R^-1` is orthonormal up to some tens of units of rounding.
const ONCE_IS_ENOUGH: f64 = 0.25;

/// Clarity of the rank decisions.
///
/// Pivots are norms of the new part of a unit vector of the space after one gossip step, so they
/// are at most 1.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Pivots {
    /// The smallest pivot accepted as a new direction; `None` if there was none.
    pub smallest_accepted: Option<f64>,
    /// The largest pivot dropped as rounding noise; `None` if none was dropped.
    pub largest_rejected: Option<f64>,
}

impl Pivots {
    fn accept(&mut self, pivot: f64) {
        let so_far = self.smallest_accepted.unwrap_or(pivot);
        self.smallest_accepted = Some(so_far.min(pivot));
    }

    fn reject(&mut self, pivot: f64) {
        let so_far = self.largest_rejected.unwrap_or(pivot);
        self.largest_rejected = Some(so_far.max(pivot));
    }
}

impl Basis {
    /// Appends the new directions of `block` to the basis, and returns them.
    pub fn extend(&mut self, mut block: Block, threshold: f64, pivots: &mut Pivots) -> Block {
        let mut new = Block::default();
        while block.width > 0 && self.columns() < self.rows() {
            let before = self.norms(&block);
            self.project_off(&mut block);
            let gram = self.gram(&block);
            let norm = |k: usize| gram[k * block.width + k].sqrt();
            let (kept, dropped): (Vec<_>, Vec<_>) =
                (0..block.width).partition(|&k| norm(k) > threshold);
            dropped.iter().for_each(|&k| pivots.reject(norm(k)));

            let factor = PivotedFactor::of(&gram, &kept, &before);
            let accepted = factor.rank.min(self.rows() - self.columns());
            let (chosen, rest) = factor.order.split_at(accepted);
            for (&k, pivot) in chosen.iter().zip(&factor.pivots) {
                pivots.accept(pivot * before[k]);
            }
            if accepted > 0 {
                let Some(directions) = self.orthonormal(&block, &gram, chosen, &factor) else {
                    break;
                };
                self.push(&directions);
                new = new.beside(directions);
            }
            block = block.selected(rest);
            if accepted > 0 {
                self.project_off(&mut block);
            }
        }
        new
    }

    /// Computes `X R^-1` for the chosen columns; `None` if their Gram matrix is not positive, which
    /// their pivots exclude.
    fn orthonormal(
        &self,
        block: &Block,
        gram: &[f64],
        chosen: &[usize],
        factor: &PivotedFactor,
    ) -> Option<Block> {
        let (width, size) = (block.width, chosen.len());
        let entry = |i: usize, j: usize| gram[chosen[i] * width + chosen[j]];
        let small: Vec<f64> = (0..size * size)
            .map(|place| entry(place / size, place % size))
            .collect();
        let inverse = inverse_factor(&small, size)?;
        let mut selection = vec![0.0; width * size];
        for (row, &k) in inverse.chunks_exact(size).zip(chosen) {
            selection[k * size..(k + 1) * size].copy_from_slice(row);
        }
        let directions = self.combine(block, &selection, size);
        if factor.pivots.iter().all(|&pivot| pivot >= ONCE_IS_ENOUGH) {
            return Some(directions);
        }
        let inverse = inverse_factor(&self.gram(&directions), size)?;
        Some(self.combine(&directions, &inverse, size))
    }
}

/// A Cholesky factorization with diagonal pivoting of the scaled Gram matrix, stopped at [`SHARE`].
struct PivotedFactor {
    /// The indices of the columns, accepted ones first.
    order: Vec<usize>,
    rank: usize,
    /// The pivots of the accepted columns (square roots of the diagonal), relative to their scales.
    pivots: Vec<f64>,
}

impl PivotedFactor {
    /// Factors the Gram matrix of the `kept` columns, scaled by the `scales` of all columns.
    fn of(gram: &[f64], kept: &[usize], scales: &[f64]) -> Self {
        let (size, width) = (kept.len(), scales.len());
        let mut schur = vec![0.0; size * size];
        for (i, &row) in kept.iter().enumerate() {
            for (j, &column) in kept.iter().enumerate() {
                schur[i * size + j] = gram[row * width + column] / scales[row] / scales[column];
            }
        }
        let mut order: Vec<usize> = (0..size).collect();
        let mut pivots = Vec::new();
        for k in 0..size {
            let value = |&place: &usize| schur[order[place] * size + order[place]];
            // The first of the largest, so that ties are deterministic.
            let best = (k..size).fold(k, |best, place| {
                if value(&place) > value(&best) {
                    place
                } else {
                    best
                }
            });
            let pivot = value(&best).max(0.0).sqrt();
            if pivot.is_nan() || pivot < SHARE {
                break;
            }
            order.swap(k, best);
            pivots.push(pivot);
            let p = order[k];
            for &i in &order[k + 1..] {
                let factor = schur[i * size + p] / (pivot * pivot);
                for &j in &order[k + 1..] {
                    schur[i * size + j] -= factor * schur[p * size + j];
                }
            }
        }
        Self {
            order: order.into_iter().map(|place| kept[place]).collect(),
            rank: pivots.len(),
            pivots,
        }
    }
}

/// Computes `R^-1` for the Cholesky factorization `R^T R` of a Gram matrix; `None` if it is not
/// positive.
fn inverse_factor(gram: &[f64], size: usize) -> Option<Vec<f64>> {
    let mut upper = gram.to_vec();
    for k in 0..size {
        let pivot = upper[k * size + k];
        if pivot.is_nan() || pivot <= 0.0 {
            return None;
        }
        let root = pivot.sqrt();
        for j in k..size {
            upper[k * size + j] /= root;
        }
        for i in k + 1..size {
            let factor = upper[k * size + i];
            for j in i..size {
                upper[i * size + j] -= factor * upper[k * size + j];
            }
        }
    }
    let mut inverse = vec![0.0; size * size];
    for j in 0..size {
        inverse[j * size + j] = 1.0 / upper[j * size + j];
        for i in (0..j).rev() {
            let sum: f64 = (i + 1..=j)
                .map(|k| upper[i * size + k] * inverse[k * size + j])
                .sum();
            inverse[i * size + j] = -sum / upper[i * size + i];
        }
    }
    Some(inverse)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROWS: usize = 700;

    /// Some function of the nodes, a different one for each a in 1..101.
    fn wave(v: usize, a: usize) -> f64 {
        (((v + 1) * a % 101) as f64 / 101.0 - 0.5) / 16.0
    }

    fn block<const WIDTH: usize>(row: impl Fn(usize) -> [f64; WIDTH]) -> Block {
        Block {
            entries: (0..ROWS).flat_map(row).collect(),
            width: WIDTH,
        }
    }

    fn assert_orthonormal(basis: &Basis) {
        let gram = basis.gram(&basis.to_block());
        for (place, entry) in gram.iter().enumerate() {
            let identity = f64::from(place % (basis.columns() + 1) == 0);
            assert!((entry - identity).abs() < 6e-15, "{place}: {entry}");
        }
    }

    #[test]
    fn nearly_dependent_vectors_are_told_from_dependent_ones() {
        let mut basis = Basis::new(ROWS, 4, false);
        let mut pivots = Pivots::default();
        // x, x + 1e-4 y, x + 1e-4 y + 1e-7 z and 2 x - 1e-13 z: three directions, however small.
        let near = block(|v| {
            let (x, y, z) = (wave(v, 7), wave(v, 33), wave(v, 58));
            let near = x + 1e-4 * y;
            [x, near, near + 1e-7 * z, 2.0 * x - 1e-13 * z]
        });
        let new = basis.extend(near, 1e-10, &mut pivots);
        assert_eq!((new.width, basis.columns()), (3, 3));
        let smallest = pivots.smallest_accepted.unwrap();
        assert!((1e-9..1e-6).contains(&smallest), "{pivots:?}");
        assert!(pivots.largest_rejected.unwrap() < 1e-12, "{pivots:?}");
        assert_orthonormal(&basis);
    }

    #[test]
    fn what_is_almost_in_the_basis_is_projected_again() {
        let mut basis = Basis::new(ROWS, 8, false);
        let mut pivots = Pivots::default();
        let known = block(|v| [3, 5, 8, 13].map(|a| wave(v, a)));
        basis.extend(known, 1e-10, &mut pivots);
        let almost = block(|v| [3, 5, 8, 13].map(|a| wave(v, a) + 1e-6 * wave(v, a + 50)));
        assert_eq!(basis.extend(almost, 1e-10, &mut pivots).width, 4);
        assert_orthonormal(&basis);
    }

    #[test]
    fn a_bundle_of_vectors_becomes_orthonormal() {
        let mut basis = Basis::new(ROWS, 12, false);
        let bundle = block(|v| {
            [20, 23, 26, 29, 32, 35, 38, 41, 44, 47, 50, 53]
                .map(|a| wave(v, 90) + 0.12 * wave(v, a))
        });
        basis.extend(bundle, 1e-10, &mut Pivots::default());
        assert_eq!(basis.columns(), 12);
        assert_orthonormal(&basis);
    }

    #[test]
    fn the_largest_remainder_is_accepted_first() {
        // Columns 0 and 2 of three: of squared lengths 1/4 and 1 once scaled, and at right angles.
        let gram = [1.0, 9.0, 0.0, 9.0, 9.0, 9.0, 0.0, 9.0, 1.0];
        let found = PivotedFactor::of(&gram, &[0, 2], &[2.0, 1.0, 1.0]);
        assert_eq!((found.order, found.rank), (vec![2, 0], 2));
        assert_eq!(found.pivots, [1.0, 0.5]);
    }
}
