//! The fast engine of muffliato: sparse, parallel, in floating point, and independent of the exact
//! reference (the two share only the vocabulary of `muffliato-model`).

mod enclosure;
mod error;
mod sparse;

pub use enclosure::Enclosure;
pub use error::FastError;
pub use sparse::SparseWeights;
