//! Leakage of protocols with fresh noise, by the Gram form with a certificate.
//!
//! Let A hold the coefficients of the observed messages over the draws, those that the observer
//! knows taken out, each scaled by its standard deviation; let `G = A A^T` and let `a_i` be the
//! coefficients of input i. If G is regular, the projector onto the row space of A has
//! `P_ij = e_i^T Pi e_j = a_i^T G^-1 a_j`. G has one row for each message, whatever the number of
//! nodes.
//!
//! # How large the smallest eigenvalue of G is
//!
//! For symmetric gossip matrices W_t (one or many, each of norm at most 1), reactions of absolute
//! value at most 1, no acceleration, and noise of deviation at least `tau` at every step:
//!
//! ```text
//! G >= min(1, tau)^2 / 4 * I.
//! ```
//!
//! *Proof.* States y and draws x are related by `y = N y + x` with N the block sub-diagonal of the
//! `D_{t+1} W_t`, a contraction; so `y = L x`, `L = (I - N)^-1`. From
//! `||x||^2 = ||y - N y||^2 <= 2 ||y||^2 - 2 <N y, y> = 2 <x, y>` we have
//! `<x, L x> >= ||x||^2 / 2`. This property is inherited by the principal submatrix L' without the
//! rows and columns of the known draws (take x zero there), so that `||L'^T z|| >= ||z|| / 2`. All
//! messages come from nodes that are not observers, so G is a principal submatrix of
//! `L' S^2 L'^T >= min(s)^2 / 4`. QED.
//!
//! The constant 1 in place of 1/4 would be wrong: two nodes, Metropolis weights, T = 2, observer 0
//! have `G = [[1, 1/2], [1/2, 1/4 + tau^2]]`, of determinant `tau^2` and trace above 1, so that its
//! smallest eigenvalue is below `tau^2`.
//!
//! With acceleration the same relation gives `||x|| <= (1 + g + |1-g|) ||y||` for the paper's view
//! only. The certificate below needs none of these constants: it proves the regularity of G as it
//! goes.
//!
//! # The certificate
//!
//! A guess M for the inverse Cholesky factor of G is checked once, `||M G M^T - I|| <= eps`; then
//! `P_ij` is `(M a_i)^T (M a_j)` up to known errors, for any number of sources. G is computed in
//! f64 with counted roundings, and with the columns in pairs of floats where tau is so small that those of f64 are
//! too many. Where G is singular or too close to it (one-shot noise, gradient descent with K > 1
//! without refreshing), a small multiple of I is added to it. This lowers all losses, so that the
//! lower end stays certified; the value is an estimate, and the certified upper end is the trivial
//! one. [`CertifiedView`](crate::CertifiedView) has both ends there, at a price.
//!
//! | module | its one idea |
//! | --- | --- |
//! | `moments` | a fixed symmetric matrix: G from `(W^k)_{N(v),N(v)}` |
//! | `adjoint` | any schedule: a row of G from one run backwards and one forwards |
//! | `whitening` | the certificate |
//! | `loss` | from columns to losses |
//! | `vectors` | what vectors lose, between directions and a dual vector |
//! | `pair` | 106-bit numbers |

mod adjoint;
mod assembly;
mod loss;
pub(crate) mod mixing;
mod moments;
pub(crate) mod number;
pub(crate) mod pair;
pub(crate) mod rows;
mod shared;
mod vectors;
mod view;
mod whitening;

pub(crate) use loss::{Reach, WhitenedInputs, check_memory};
pub(crate) use rows::norm_up;
pub use view::{GramView, GramViews, TARGET_WIDTH};
