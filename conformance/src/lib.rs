//! Cross-checks of the two engines, and a ledger with a verdict and a witness for each claim of the paper.

pub mod agreement;
pub mod case;
pub mod engine;
pub mod small_graphs;
