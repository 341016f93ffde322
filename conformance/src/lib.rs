//! Cross-checks of the two engines, and a ledger with a verdict and a witness for each claim of the paper.

pub mod small_graphs;
