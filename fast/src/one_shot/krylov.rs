//! The row space of a one-shot view on a fixed network, as a block Krylov space (untrusted).
//!
//! The observers V know `e_v` for v in V and receive `W^t e_w`, t < T, from the senders w in N(V) \
//! V. Because `W e_v` is a combination of known and received unit vectors, the row space is
//!
//! ```text
//! K_T = span { W^t E : t < T },    E = { e_v : v in V } + { e_w : w in N(V) \ V }
//! ```
//!
//! (for the paper's view, E holds the senders only). It is also that of the Chebyshev recursion, whose
//! polynomial of step t has degree exactly t. With an orthonormal basis `Q_0, ..., Q_{t-1}` of `K_t`
//! in blocks, `K_{t+1} = K_t + W Q_{t-1}`: new directions are found by applying W to *orthonormal*
//! vectors, never by distinguishing messages that have nearly converged.
//!
//! A vector carries its coefficients on `W^t e_w` in row `t |E| + k` for the k-th of E; applying W
//! moves them one power later.

use super::{
    attacks::Backward,
    ball::Ball,
    basis::{Basis, Block, Pivots},
};
use crate::{FastError, SparseWeights};

/// The powers of a gossip matrix at some unit vectors.
#[derive(Clone, Debug)]
pub(crate) struct Krylov<'a> {
    pub weights: &'a SparseWeights,
    /// The nodes within distance T of the observers.
    pub ball: Ball,
    /// E: rows of the ball within distance 1 of its centre.
    pub generators: Vec<usize>,
    pub steps: usize,
}

impl Krylov<'_> {
    /// Computes an orthonormal basis of `K_T` on the nodes of the ball, with coefficients if
    /// requested. `going` is called before each step.
    pub fn basis(
        &self,
        carry: bool,
        threshold: f64,
        going: &dyn Fn() -> Result<(), FastError>,
    ) -> Result<(Basis, Pivots), FastError> {
        let (ball, generators) = (&self.ball, self.generators.len());
        let above = if carry { generators * self.steps } else { 0 };
        let mut basis = Basis::new(above, ball.nodes().len());
        let mut pivots = Pivots::default();
        let units: Vec<usize> = self.generators.iter().map(|row| above + row).collect();
        let mut last = Block::units(&units, above + ball.within(1));
        if carry {
            for k in 0..generators {
                last.entries[k * generators + k] = 1.0;
            }
        }
        basis.push(&last);
        for t in 1..self.steps {
            if last.width == 0 || basis.columns() == basis.nodes() {
                break;
            }
            going()?;
            let mut mixed = ball.apply(&last, above, t + 1);
            if carry {
                let later = generators * last.width;
                let carried = above * last.width;
                mixed.entries[later..carried].copy_from_slice(&last.entries[..carried - later]);
            }
            let known = basis.columns();
            basis.extend(mixed, threshold, &mut pivots);
            last = basis.vectors(known..basis.columns());
        }
        Ok((basis, pivots))
    }
}

impl Backward for Krylov<'_> {
    fn steps(&self) -> usize {
        self.steps
    }

    fn mixed(&self, block: Block, t: usize) -> Result<Block, FastError> {
        Ok(self.ball.apply(&block, 0, self.steps - t))
    }

    fn heard(&self, t: usize) -> (Vec<usize>, usize, usize) {
        let rows = self.ball.within(1);
        (self.generators.clone(), rows, t * self.generators.len())
    }

    fn roundings(&self, _: usize) -> u64 {
        self.weights.step_roundings() + 4
    }

    fn acceleration(&self, _: usize) -> Option<(f64, usize)> {
        None
    }
}
