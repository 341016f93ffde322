//! The row space of a one-shot view on a fixed network, as a block Krylov space.
//!
//! The observers V know `e_v` for v in V and receive `W^t e_w`, t < T, from the senders w in N(V) \ V.
//! Because `W e_v` is a combination of known and received unit vectors, the row space is
//!
//! ```text
//! K_T = span { W^t E : t < T },    E = { e_v : v in V } + { e_w : w in N(V) \ V }
//! ```
//!
//! (for the paper's view, E holds the senders only). It is also that of the Chebyshev recursion, whose
//! polynomial of step t has degree exactly t. With an orthonormal basis `Q_0, ..., Q_{t-1}` of `K_t` in blocks,
//! `K_{t+1} = K_t + W Q_{t-1}`: what is new is found by applying W to *orthonormal* vectors, never by telling
//! apart messages that have nearly converged.

use super::{
    ball::Ball,
    basis::{Basis, Block},
    deflation::Pivots,
};
use crate::FastError;

/// An orthonormal basis of `K_T` on the nodes of the ball, E given by the rows `generators` of nodes within
/// distance 1 of its centre. `going` is asked before each step.
pub(crate) fn krylov_basis(
    ball: &Ball,
    generators: &[usize],
    steps: usize,
    threshold: f64,
    threaded: bool,
    going: &dyn Fn() -> Result<(), FastError>,
) -> Result<(Basis, Pivots), FastError> {
    let capacity = generators.len().saturating_mul(steps);
    let mut basis = Basis::new(ball.nodes().len(), capacity, threaded);
    let mut pivots = Pivots::default();
    let mut last = Block::units(generators, basis.covering(ball.within(1)));
    basis.push(&last);
    for t in 1..steps {
        if last.width == 0 || basis.columns() == basis.rows() {
            break;
        }
        going()?;
        let mixed = ball.apply(&last, t + 1, &basis);
        last = basis.extend(mixed, threshold, &mut pivots);
    }
    Ok((basis, pivots))
}
