//! What is new in a block of vectors: orthonormal directions beside a basis, and which to drop.
//!
//! Let X be a block that was projected off the basis Q. Its columns are scaled to norm 1 and the
//! Cholesky factorization `R^T R` of their Gram matrix, with diagonal pivoting, is stopped where the next
//! pivot falls below [`SHARE`]: the columns before it are well conditioned, so `X R^-1` (done twice) is
//! orthonormal to working accuracy. The columns after it are almost combinations of them; they are
//! projected off the larger basis and the procedure is repeated, so that each pivot is measured as the
//! norm of an explicit remainder and not as a difference of large numbers. A remainder of norm below the
//! threshold is dropped.
//!
//! In one round each remaining column shrinks by [`SHARE`] at least, so there are at most
//! `log(threshold) / log(SHARE)` rounds.

use super::basis::{Basis, Block};

/// The smallest pivot, relative to the norm of its column, that is accepted at once.
const SHARE: f64 = 1.0 / 16.0;

/// How clear the decisions about the rank were.
///
/// Pivots are norms of what a unit vector of the space brings in addition after one gossip step, so they
/// are at most 1.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Pivots {
    /// The smallest pivot that was counted as a new direction; `None` if there was none to judge.
    pub smallest_accepted: Option<f64>,
    /// The largest pivot that was dropped as rounding noise; `None` if none was dropped.
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
    /// Appends what is new in `block` to the basis, and returns the new vectors.
    ///
    /// The block is projected off the basis vectors from `recent` on first, then off all of them.
    pub fn extend(
        &mut self,
        mut block: Block,
        recent: usize,
        threshold: f64,
        pivots: &mut Pivots,
    ) -> Block {
        self.project_off(&mut block, recent);
        let mut new = Block::default();
        while block.width > 0 && self.columns() < self.rows() {
            self.project_off(&mut block, 0);
            let gram = self.gram(&block);
            let norm = |k: usize| gram[k * block.width + k].sqrt();
            let (kept, dropped): (Vec<_>, Vec<_>) =
                (0..block.width).partition(|&k| norm(k) > threshold);
            dropped.iter().for_each(|&k| pivots.reject(norm(k)));

            let norms: Vec<_> = kept.iter().map(|&k| norm(k)).collect();
            let factor = PivotedFactor::of(&gram, block.width, &kept, &norms);
            let room = self.rows() - self.columns();
            let accepted = factor.rank.min(room);
            for (place, &k) in factor.order[..accepted].iter().enumerate() {
                pivots.accept(factor.pivots[place] * norms[k]);
            }
            let chosen: Vec<_> = factor.order[..accepted].iter().map(|&k| kept[k]).collect();
            let rest: Vec<_> = factor.order[accepted..].iter().map(|&k| kept[k]).collect();
            if chosen.is_empty() {
                break;
            }
            let mut directions = block.selected(&chosen);
            for pass in 0..2 {
                // The first pass knows the factor up to its order; the second repairs its rounding.
                let gram = self.gram(&directions);
                let Some(inverse) = inverse_factor(&gram, accepted) else {
                    debug_assert!(false, "pass {pass} of a well-conditioned block");
                    break;
                };
                directions = self.combine(&directions, &inverse, accepted);
            }
            self.push(&directions);
            new = new.beside(&directions);
            block = block.selected(&rest);
            self.project_off(&mut block, 0);
        }
        new
    }
}

/// A Cholesky factorization with diagonal pivoting of the scaled Gram matrix, stopped at [`SHARE`].
struct PivotedFactor {
    /// The columns, accepted ones first.
    order: Vec<usize>,
    rank: usize,
    /// The pivots of the accepted columns (square roots of the diagonal).
    pivots: Vec<f64>,
}

impl PivotedFactor {
    fn of(gram: &[f64], width: usize, kept: &[usize], norms: &[f64]) -> Self {
        let size = kept.len();
        let mut schur = vec![0.0; size * size];
        for i in 0..size {
            for j in 0..size {
                schur[i * size + j] = gram[kept[i] * width + kept[j]] / norms[i] / norms[j];
            }
        }
        let mut order: Vec<usize> = (0..size).collect();
        let mut pivots = Vec::new();
        for k in 0..size {
            let value = |&place: &usize| schur[order[place] * size + order[place]];
            // The first of the largest, so that ties do not depend on anything but the order.
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
            order,
            rank: pivots.len(),
            pivots,
        }
    }
}

/// `R^-1` for the Cholesky factorization `R^T R` of a Gram matrix; `None` if it is not positive.
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

    #[test]
    fn nearly_dependent_vectors_are_told_from_dependent_ones() {
        // x, x + 1e-4 y, x + 1e-4 y + 1e-7 z and 2 x - 1e-13 z: three directions, however small.
        let rows = 700;
        let entry = |v: usize, a: usize| ((v * a + a) % 101) as f64 / 101.0 - 0.5;
        let mut entries = Vec::new();
        for v in 0..rows {
            let (x, y, z) = (entry(v, 7), entry(v, 33), entry(v, 58));
            let near = x + 1e-4 * y;
            entries.extend([x, near, near + 1e-7 * z, 2.0 * x - 1e-13 * z].map(|x| x / 16.0));
        }
        let mut basis = Basis::new(rows, 4, false);
        let mut pivots = Pivots::default();
        let new = basis.extend(Block { entries, width: 4 }, 0, 1e-10, &mut pivots);
        assert_eq!((new.width, basis.columns()), (3, 3));
        let smallest = pivots.smallest_accepted.unwrap();
        assert!((1e-9..1e-6).contains(&smallest), "{pivots:?}");
        assert!(pivots.largest_rejected.unwrap() < 1e-12, "{pivots:?}");
        let gram = basis.gram(&new);
        for (place, entry) in gram.iter().enumerate() {
            let identity = f64::from(place % 4 == 0);
            assert!((entry - identity).abs() < 1e-14, "{gram:?}");
        }
    }
}
