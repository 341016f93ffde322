//! Leakage of protocols with fresh noise, by the Gram form with a certificate.
//!
//! Let A hold the coefficients of the observed messages over the draws, without those known to the
//! observer, each scaled by its standard deviation; let `G = A A^T` and let `a_i` be the
//! coefficients of input i. If G is regular, the projector onto the row space of A has `P_ij =
//! e_i^T Pi e_j = a_i^T G^-1 a_j`. G has one row per message, whatever the number of nodes.
//!
//! # The smallest eigenvalue of G
//!
//! For symmetric gossip matrices W_t (one or many, each of norm at most 1), reactions of absolute
//! value at most 1, no acceleration, and noise of deviation at least `tau` at every step:
//!
//! ```text
//! G >= min(1, tau)^2 / 4 * I.
//! ```
//!
//! *Proof.* States y and draws x are related by `y = N y + x` with N the block sub-diagonal of the
//! `D_{t+1} W_t`, a contraction; so `y = L x`, `L = (I - N)^-1`. From `||x||^2 = ||y - N y||^2 <= 2
//! ||y||^2 - 2 <N y, y> = 2 <x, y>` we have `<x, L x> >= ||x||^2 / 2`. The principal submatrix L'
//! without the rows and columns of the known draws inherits this (take x zero there), so `||L'^T
//! z|| >= ||z|| / 2`. All messages come from non-observers, so G is a principal submatrix of `L'
//! S^2 L'^T >= min(s)^2 / 4`. QED.
//!
//! The constant 1 in place of 1/4 would be wrong: two nodes, Metropolis weights, T = 2, observer 0
//! have `G = [[1, 1/2], [1/2, 1/4 + tau^2]]`, of determinant `tau^2` and trace above 1, so its
//! smallest eigenvalue is below `tau^2`. The certificate uses none of these constants: it proves
//! the regularity of G as it goes.
//!
//! # The certificate
//!
//! A guess M for the inverse Cholesky factor of G is checked once, `||M G M^T - I|| <= eps`; then
//! `P_ij` is `(M a_i)^T (M a_j)` up to known errors, for any number of sources. G is computed in
//! f64 with counted roundings, or in pairs of floats if tau is so small that those of f64 are too
//! many. If G is (nearly) singular (one-shot noise, gradient descent with K > 1 without
//! refreshing), a small multiple of I is added. This lowers all losses, so the lower end stays
//! certified; the value is an estimate, and the certified upper end is the trivial one.
//! [`CertifiedView`](crate::CertifiedView) certifies both ends there.
//!
//! | module | role |
//! | --- | --- |
//! | `moments` | trusted: G of a fixed symmetric matrix from `(W^k)_{N(v),N(v)}` |
//! | `adjoint` | trusted: G of any schedule, a row from one run backwards and one forwards |
//! | `whitening` | trusted: proves the defect of a guess of M |
//! | `guess` | guesses of M, which `whitening` checks |
//! | `cost` | estimates of work and memory |
//! | `regularized` | trusted for lower ends: a singular G with a small multiple of I more |
//! | `loss` | trusted: from whitened columns to losses |
//! | `vectors` | trusted: the loss of directions that were found, and the proof of a dual vector |
//! | `find` | inputs with large losses, which `loss` and `vectors` check |
//! | `linear` | trusted: the Gram form of any linear system |
//! | `sums` | trusted: rows of weighted sums, for observers under secure summation |
//! | `pair`, `rows` | trusted: arithmetic with counted roundings |

mod adjoint;
mod assembly;
mod cost;
mod find;
mod guess;
mod linear;
mod loss;
mod moments;
pub(crate) mod pair;
mod regularized;
pub(crate) mod rows;
mod sums;
mod vectors;
mod view;
mod whitening;

pub use linear::linear_loss;
pub(crate) use loss::{Reach, WhitenedInputs, check_memory};
pub(crate) use rows::norm_up;
pub use view::{GramView, TARGET_WIDTH};
