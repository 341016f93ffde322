//! The fast engine of muffliato: sparse, parallel, in floating point, and independent of the exact
//! reference (the two share only the vocabulary of `muffliato-model`).

pub mod bounds;
mod enclosure;
mod error;
mod leakage;
mod progress;
mod sparse;

pub use bounds::AllPairs;
pub use enclosure::{Enclosure, SMALLEST, UNIT_ROUNDOFF};
pub use error::FastError;
pub use leakage::Leakage;
pub use progress::Progress;
pub use sparse::SparseWeights;
