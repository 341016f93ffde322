//! Kani harnesses on the production code, also run by exhaustive enumeration and by proptest.
//!
//! A property is a function over a source of [`Choices`] and a size:
//!
//! ```text
//! fn metropolis_is_stochastic<const N: usize>(choices: &mut impl Choices) -> Case
//! ```
//!
//! It draws an input, runs production code on it and makes claims about the result. An entry in
//! `src/table.rs` registers it and generates Kani's harness, a test that enumerates all choices, a
//! test that draws them at random, and a line of the [`INVENTORY`] with a bug of the production
//! code that the property finds.
//!
//! `README.md` explains how to run them, and what they do not show.

mod choices;
#[cfg(test)]
mod engines;
mod inventory;
#[cfg(test)]
mod kernels;
#[cfg_attr(not(any(test, kani)), allow(dead_code))]
mod properties;
mod registry;
#[cfg(kani_stand_in)]
mod stand_in;
#[cfg(kani)]
mod symbolic;
mod table;
mod trusted;

pub use choices::{Case, Choices, split};
pub use inventory::{listing, verdict};
pub use registry::{Entry, Planted, Run};
pub use table::*;
pub use trusted::trusted_base;
