//! The fast engine of muffliato: sparse, parallel, in floating point, and independent of the exact
//! reference (the two share only the vocabulary of `muffliato-model`).

mod dense;
mod enclosure;
mod error;
mod leakage;
mod one_shot;
mod progress;
mod sparse;

pub use enclosure::{Enclosure, SMALLEST, UNIT_ROUNDOFF};
pub use error::FastError;
pub use leakage::Leakage;
pub use one_shot::{CertifiedView, OneShot, OneShotOptions, Pivots, ViewLeakage};
pub use progress::Progress;
pub use sparse::SparseWeights;
