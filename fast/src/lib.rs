//! The fast engine of muffliato: sparse, parallel, in floating point, and independent of the exact
//! reference (the two share only the vocabulary of `muffliato-model`).

mod checks;
mod enclosure;
mod error;
mod leakage;
pub mod learning;
pub mod node;
pub mod noise;
mod progress;
pub mod simulation;
mod sparse;
mod stream;

pub use enclosure::{Enclosure, SMALLEST, UNIT_ROUNDOFF};
pub use error::FastError;
pub use leakage::Leakage;
pub use progress::Progress;
pub use sparse::SparseWeights;
