//! The fast engine of muffliato: sparse, parallel, in floating point, and independent of the exact
//! reference (the two share only the vocabulary of `muffliato-model`).

pub mod bounds;
mod checks;
mod dense;
mod enclosure;
mod error;
mod gram;
mod guarantee;
mod leakage;
pub mod learning;
pub mod node;
pub mod noise;
mod one_shot;
mod progress;
pub mod simulation;
mod sparse;
mod spectral;
mod stream;

pub use bounds::AllPairs;
pub use enclosure::{Enclosure, SMALLEST, UNIT_ROUNDOFF};
pub use error::FastError;
pub use gram::{GramView, LossModel, MEMORY_LIMIT, TARGET_WIDTH, ViewLoss};
pub use guarantee::{
    GaussianPrivacy, calibrate_sigma, central_error, local_error, mironov_epsilon,
};
pub use leakage::Leakage;
pub use one_shot::{CertifiedView, OneShot, OneShotOptions, Pivots, ViewLeakage};
pub use progress::Progress;
pub use sparse::SparseWeights;
pub use spectral::{
    GapOptions, LanczosOptions, Rate, SpectralGap, SpectrumEnd, acceleration,
    acceleration_fraction, gossip_intensities, gossip_steps_per_round, randomized_gap,
    spectral_gap, steps_to_converge,
};
