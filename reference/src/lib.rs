//! Exact reference engine of muffliato: slow, rational, and meant to be read beside the paper.
//!
//! For one run of a gossip protocol it computes how much of its input a node u leaks to a node v:
//! the paper's formulas ([`PaperBounds`], [`bounds`]) and the exact value ([`View::leakage`]).
//! Every number is a rational in lowest terms or a rigorous interval with rational ends. There are
//! no floats.
//!
//! # The smallest surprise
//!
//! Three nodes in a row, two gossip steps: the paper promises node 0 a third of the local (LDP)
//! loss towards node 2. In fact, node 2 learns everything.
//!
//! ```text
//!     0 --- 1 --- 2          W = 1/3 | 2 1 0 |    at t = 0 node 2 hears  y_1
//!                                    | 1 1 1 |    at t = 1               (y_0 + y_1 + y_2) / 3
//!                                    | 0 1 2 |    and it knows           y_2 - x_2
//! ```
//!
//! ```
//! use muffliato_model::{Network, Observer, Protocol};
//! use muffliato_reference::{PaperBounds, Process};
//!
//! let network = Network::metropolis("path:3".parse()?)?;
//! let protocol = Protocol::one_shot(network, 2)?;
//!
//! let bounds = PaperBounds::of(&protocol)?;
//! let process = Process::run(&protocol)?;
//!
//! let observer = Observer::full(2);
//! assert_eq!(bounds.pairwise(0, &observer)?.to_string(), "1/3");
//! assert_eq!(process.view(&observer)?.leakage(0)?.to_string(), "1");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Where to look
//!
//! | topic | items |
//! | --- | --- |
//! | gossip matrices and their products | [`GossipMatrix`] |
//! | the run of a protocol | [`Process`] |
//! | the view of an observer; exact leakage and rank | [`View`] |
//! | groups and repeated inputs | [`View::loss`], [`ExactLoss`] |
//! | the best attack and the cheapest alibi | [`View::attack`], [`Process::alibi`] |
//! | the paper's formulas | [`PaperBounds`], [`bounds`] |
//! | proved bounds for refreshed protocols | [`first_passage_bound`], [`refreshed_walk_bound`] |
//! | proved bounds for masked protocols | [`masked_bound`], [`masked_energy`] |
//! | expected error of a protocol | [`Process::expected_error`], [`utility`] |
//! | rigorous sqrt, ln, exp, eigenvalues | [`enclosure`] |
//! | spectral gap, acceleration, steps to converge | [`spectral`] |
//! | conversion to a guarantee; baselines | [`guarantee`] |
//!
//! # Cost
//!
//! With m messages seen (`m = T d_v`), n nodes and D draws (n for one-shot protocols, n for each
//! round of gradient descent, n for each step of refreshed ones):
//!
//! - running a protocol takes `T d n D` integer products, d the mean degree;
//! - a view takes `m^2 D` products for the Gram matrix and about `m r (m/2 + n)` products and exact
//!   divisions for its elimination, r <= min(m + 1, D) its rank.
//!
//! Entries of `W^t` have about `t log2(c)` bits, c the common denominator of W (up to the least
//! common multiple of 1 + degrees), and the pivots of the elimination up to r times twice that. All
//! pairs of a graph cost n views.
//!
//! # Integers
//!
//! The engine computes with [`BigInt`], which never overflows. The core is generic over the
//! integer, so that the proofs can run the same code on machine integers.

mod alibi;
mod arithmetic;
pub mod bounds;
mod checks;
pub mod decimal;
pub mod enclosure;
mod error;
mod expected_error;
mod gossip_matrix;
mod gram;
pub mod guarantee;
mod inputs;
mod integer;
mod masked;
mod process;
mod rational;
mod refreshed;
pub mod spectral;
pub mod utility;
mod view;

pub use alibi::{InputChange, Shift};
pub use bounds::PaperBounds;
pub use checks::{MAX_BITS, MAX_ENTRIES};
pub use error::ReferenceError;
pub use expected_error::ExpectedError;
pub use gossip_matrix::GossipMatrix;
pub use gram::solve_gram;
pub use inputs::{ExactLoss, Forms, MAX_ENUMERATED_INPUTS};
pub use integer::ExactInteger;
pub use masked::{masked_bound, masked_energy};
pub use process::Process;
pub use rational::{order, rational};
pub use refreshed::{first_passage_bound, refreshed_walk_bound};
pub use view::{Observation, View};

/// Items that `muffliato-proofs` verifies; not part of the interface.
#[cfg(feature = "proofs")]
#[doc(hidden)]
pub mod cores {
    pub use crate::arithmetic::*;
}

pub use num_bigint::BigInt;
pub use num_rational::BigRational;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
