//! Certified lower ends: every basis vector carries the attack that it represents.
//!
//! An attack is a vector c of coefficients on the observations. Its statistic has the noise `A^T
//! c`, a vector over the draws that lies in the row space whatever c is, so by Cauchy-Schwarz its
//! strength is at most the leakage:
//!
//! ```text
//! (A^T c)_u^2 / ||A^T c||^2  <=  leakage(u) .
//! ```
//!
//! Find: the basis Q is computed together with coefficients P such that `A^T P` is about Q. Check:
//! `B = A^T P` is computed anew from the gossip matrices, one backward pass for each vector,
//!
//! ```text
//! y <- W_t y + sum_w c_{t,w} e_w,    t = T-1, ..., 0 .
//! ```
//!
//! W_t is symmetric and its rows sum to 1, so it lengthens no vector: a rounding of the pass moves
//! its result by at most its own length. That gives `eta_i >= ||b_i - q_i||`. The attack on u has
//! the coefficients `P q_u`, with `q_u` the floats in row u of Q; its noise is `B q_u`, and with
//! `eta = ||(eta_i)||`, `delta >= ||Q^T Q - I||`
//!
//! ```text
//! (B q_u)_u >= ||q_u||^2 - eta ||q_u||,    ||B q_u|| <= (sqrt(1 + delta) + eta) ||q_u||,
//! strength  >= ((||q_u|| - eta) / (sqrt(1 + delta) + eta))^2 .
//! ```
//!
//! This holds for any subset of the vectors. Those of small `eta_i` come first, and each source
//! takes the best number of them: a direction that floats cannot resolve is left out, and no rank
//! is decided.

use super::basis::{Basis, Block};
use crate::{FastError, UNIT_ROUNDOFF, threads};

/// Number of vectors in a backward pass.
const WIDTH: usize = 32;

/// Number of blocks distributed over threads at a time.
const WAVE: usize = 8;

/// Covers the roundings of a sum of squares, and of what is added to it, relative to the result.
const SLACK: f64 = 1.0 + 1e-6;

/// Covers the underflow of each sum of squares many times over.
const UNDERFLOW: f64 = 1e-150;

/// The steps of a protocol, backwards.
pub(crate) trait Backward: Sync {
    /// Returns the number of steps.
    fn steps(&self) -> usize;

    /// Applies `W_t` to a block; with acceleration its counterpart for pairs, which are stored one
    /// below the other.
    fn mixed(&self, block: Block, t: usize) -> Result<Block, FastError>;

    /// Returns the rows whose unit vectors join at time t, the number of rows of a block then, and
    /// the offset of their coefficients.
    fn heard(&self, t: usize) -> (Vec<usize>, usize, usize);

    /// Returns the number of roundings that the step at time t adds to an entry, relative to the
    /// sum of the absolute values of its terms.
    fn roundings(&self, t: usize) -> u64;

    /// Returns the acceleration of the step at time t, and the number of nodes in half a pair.
    fn acceleration(&self, t: usize) -> Option<(f64, usize)>;
}

/// Computes certified lower ends of the leakage of every row of a basis that carries coefficients.
/// `going` is called regularly.
pub(crate) fn lower_ends(
    basis: &Basis,
    steps: &impl Backward,
    going: &dyn Fn() -> Result<(), FastError>,
) -> Result<Vec<f64>, FastError> {
    let mut lower = vec![0.0; basis.nodes()];
    let (mut errors, mut delta) = (Vec::with_capacity(basis.columns()), 0.0_f64);
    for wave in (0..basis.columns()).step_by(WAVE * WIDTH) {
        going()?;
        let end = basis.columns().min(wave + WAVE * WIDTH);
        let found =
            threads::in_order((end - wave).div_ceil(WIDTH), |chunk| -> Result<_, FastError> {
                let first = wave + chunk * WIDTH;
                let vectors = basis.vectors(first..end.min(first + WIDTH));
                let defect = basis.defect(&vectors, first);
                Ok((replayed(basis, &vectors, steps)?, defect))
            });
        for found in found {
            let (found, defect) = found?;
            errors.extend(found);
            delta = delta.max(defect);
        }
    }
    // Any order of the sums in a product rounds as often as it has terms.
    let terms = (basis.nodes() + basis.columns() + 16) as f64;
    delta = (delta + 2.0 * terms * UNIT_ROUNDOFF * basis.columns() as f64) * SLACK;
    if delta.is_nan() || delta >= 0.5 {
        return Ok(lower);
    }
    let mut order: Vec<usize> = (0..errors.len()).filter(|&i| errors[i] < 1.0).collect();
    order.sort_by(|&i, &j| errors[i].total_cmp(&errors[j]));
    let relative = 4.0 * (basis.columns() + 16) as f64 * UNIT_ROUNDOFF;
    let length = (1.0 + delta).sqrt() * (1.0 + relative);
    let (mut squares, mut squared_error) = (vec![0.0; basis.nodes()], 0.0);
    for i in order {
        squared_error += errors[i] * errors[i];
        let eta = squared_error.sqrt() * (1.0 + relative);
        for (row, entry) in basis.at_nodes(i).iter().enumerate() {
            squares[row] += entry * entry;
            let signal = squares[row].sqrt() * (1.0 - relative) - eta;
            if signal > 0.0 {
                let ratio = signal / (length + eta);
                lower[row] = f64::max(lower[row], ratio * ratio * (1.0 - relative));
            }
        }
    }
    Ok(lower)
}

/// Bounds, for each vector of a chunk, its distance from the vector of the row space that its
/// coefficients represent; NaN if unknown.
fn replayed(basis: &Basis, vectors: &Block, steps: &impl Backward) -> Result<Vec<f64>, FastError> {
    let width = vectors.width;
    let (coefficients, found) = vectors.entries.split_at(basis.carried() * width);
    let mut state = Block { entries: Vec::new(), width };
    let mut errors = vec![Halves::default(); width];
    for t in (0..steps.steps()).rev() {
        if !state.entries.is_empty() {
            let pairs = steps.acceleration(t);
            let lengths = Halves::lengths(&state, pairs.map(|(_, nodes)| nodes));
            let roundings = steps.roundings(t) as f64 * UNIT_ROUNDOFF;
            for (error, length) in errors.iter_mut().zip(lengths) {
                *error = error.mixed(length, roundings, pairs.map_or(1.0, |(g, _)| g));
            }
            state = steps.mixed(state, t)?;
        }
        let (rows, height, first) = steps.heard(t);
        let known = state.entries.len().max(height * width);
        state.entries.resize(known, 0.0);
        for (k, row) in rows.into_iter().enumerate() {
            for j in 0..width {
                let entry = &mut state.entries[row * width + j];
                *entry += coefficients[(first + k) * width + j];
                errors[j].now += 1.01 * UNIT_ROUNDOFF * entry.abs();
            }
        }
    }
    let mut squares = vec![0.0; width];
    for (place, &entry) in found.iter().enumerate() {
        let difference = entry - state.entries.get(place).unwrap_or(&0.0);
        squares[place % width] += difference * difference;
    }
    let error = |(error, square): (Halves, f64)| (error.now + square.sqrt()) * SLACK + UNDERFLOW;
    Ok(errors.into_iter().zip(squares).map(error).collect())
}

/// Lengths of the two halves of a pair: of a state, and of the one before it that waits to be
/// added.
#[derive(Clone, Copy, Debug, Default)]
struct Halves {
    now: f64,
    before: f64,
}

impl Halves {
    /// Returns the lengths of the columns of a block; rows after the first `nodes` are the second
    /// halves.
    fn lengths(block: &Block, nodes: Option<usize>) -> Vec<Self> {
        let mut squares = vec![Self::default(); block.width];
        let first = nodes.unwrap_or(usize::MAX);
        for (row, entries) in block.entries.chunks_exact(block.width).enumerate() {
            for (square, entry) in squares.iter_mut().zip(entries) {
                if row < first {
                    square.now += entry * entry
                } else {
                    square.before += entry * entry
                }
            }
        }
        let root = |Self { now, before }| Self { now: now.sqrt(), before: before.sqrt() };
        squares.into_iter().map(root).collect()
    }

    /// Bounds the errors after a step `p <- g W p + q, q <- (1 - g) p` on halves of these lengths.
    /// g has two roundings, `1 - g` those and one.
    fn mixed(self, lengths: Self, roundings: f64, g: f64) -> Self {
        let carried = g * self.now + self.before;
        let rounded = (roundings + 4.0 * UNIT_ROUNDOFF) * (g * lengths.now + lengths.before);
        let second = (g - 1.0) * self.now + 4.0 * UNIT_ROUNDOFF * g * (lengths.now + self.now);
        Self { now: (carried + rounded) * SLACK + UNDERFLOW, before: second * SLACK + UNDERFLOW }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two nodes, the first of which is heard once.
    struct OneMessage;

    impl Backward for OneMessage {
        fn steps(&self) -> usize {
            1
        }

        fn mixed(&self, block: Block, _t: usize) -> Result<Block, FastError> {
            Ok(block)
        }

        fn heard(&self, _t: usize) -> (Vec<usize>, usize, usize) {
            (vec![0], 2, 0)
        }

        fn roundings(&self, _t: usize) -> u64 {
            0
        }

        fn acceleration(&self, _t: usize) -> Option<(f64, usize)> {
            None
        }
    }

    /// Computes the lower ends by vectors that claim to be this multiple of the message.
    fn by(claims: &[(f64, [f64; 2])]) -> Vec<f64> {
        let mut basis = Basis::new(1, 2);
        for &(coefficient, [first, second]) in claims {
            basis.push(&Block { entries: vec![coefficient, first, second], width: 1 });
        }
        lower_ends(&basis, &OneMessage, &|| Ok(())).unwrap()
    }

    #[test]
    fn coefficients_that_do_not_give_their_vector_prove_less() {
        let right = by(&[(1.0, [1.0, 0.0])]);
        assert!(right[0] > 1.0 - 1e-12 && right[1] == 0.0, "{right:?}");
        // The message reveals nothing about the second node, whatever the vector claims.
        let wrong = by(&[(0.8, [0.8, 0.6])]);
        assert!(wrong[0] > 0.0 && wrong[0] < 0.02, "{wrong:?}");
        assert_eq!(wrong[1], 0.0);
    }

    #[test]
    fn vectors_that_are_not_orthonormal_prove_less() {
        for tilt in [0.0_f64, 0.1, 0.3, 0.45, 1.0] {
            let again = [tilt, (1.0 - tilt * tilt).sqrt()];
            let found = by(&[(1.0, [1.0, 0.0]), (tilt, again)]);
            assert!(found[0] <= 1.0 && found[1] == 0.0, "{tilt}: {found:?}");
        }
        assert!(by(&[(1.1, [1.1, 0.0])])[0] <= 1.0);
    }
}
