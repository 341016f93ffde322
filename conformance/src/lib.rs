//! Cross-checks of the two engines, and a ledger with a verdict and a witness for each claim of the
//! paper.

pub mod agreement;
pub mod attack;
pub mod case;
pub mod claims;
mod ledger;
pub mod small_graphs;

pub use ledger::{Audit, Entry, Ledger, UnknownClaim};
