//! The fast engine of muffliato: sparse, parallel, in floating point, and independent of the exact
//! reference (the two share only the vocabulary of `muffliato-model`).

mod enclosure;
mod error;
mod gram;
mod leakage;
mod progress;
mod sparse;

pub use enclosure::{Enclosure, SMALLEST, UNIT_ROUNDOFF};
pub use error::FastError;
pub use gram::{GramView, LossModel, MEMORY_LIMIT, TARGET_WIDTH, ViewLoss, walk_bound};
pub use leakage::Leakage;
pub use progress::Progress;
pub use sparse::SparseWeights;
