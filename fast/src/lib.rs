//! The fast engine of muffliato: sparse, parallel, in floating point, and independent of the exact
//! reference (the two share only the vocabulary of `muffliato-model`).
//!
//! | topic | items |
//! | --- | --- |
//! | runs of an algorithm: averaging, randomized, time-varying, dropout | [`simulation`] |
//! | gradient descent and its baselines | [`learning`] |
//! | sources of noise, and the limits of floating-point noise | [`noise`] |
//! | the paper's bounds, and proved ones for refreshed protocols, as enclosures | [`bounds`] |
//! | masked protocols: certified for any loss function, all pairs of millions of nodes | [`MaskedBounds`] |
//! | leakage with noise at every step (refreshed, gradient descent with K = 1), certified | [`GramView`] |
//! | leakage with noise at every step, for long runs and hubs, certified | [`AlibiView`] |
//! | leakage with noise at the inputs (one-shot, gradient descent with K > 1), certified for up to some hundreds of messages | [`CertifiedView`] |
//! | leakage with noise at the inputs, at scale: an estimate | [`OneShot`], [`GramView`] |
//! | gradient descent with real losses: certified upper ends | [`AbsorptionBounds`] |
//! | from leakage to (eps, delta) and back | [`GaussianPrivacy`], [`calibrate_sigma`] |
//! | spectral gap, acceleration, steps to converge | [`spectral_gap`], [`acceleration`], [`steps_to_converge`] |
//!
//! # Guarantees
//!
//! The upper end of an [`Enclosure`] provably bounds the exact value: no result rests on a rank
//! decision or on a rounding that was not counted. Every view returns a [`Loss`] with an estimate
//! beside its certified ends; only the ends are guarantees. Results do not depend on the number of
//! threads.
//! ```
//! # #[cfg(feature = "leakage")] {
//! use muffliato_fast::{GaussianPrivacy, GramView};
//! use muffliato_model::{Network, Observer, Protocol};
//!
//! // A thousand nodes, twelve steps, a tenth of the noise fresh at each step: what does node 0 learn of node 999?
//! let network = Network::metropolis("regular:1000:d=4:seed=1".parse()?)?;
//! let protocol = Protocol::one_shot(network, 12)?.refreshed("0.1".parse()?)?;
//! let losses = GramView::of(&protocol, &Observer::full(0))?.losses()?;
//! let loss = losses[999].expect("999 does not observe");
//! assert!(loss.vectors.is_certified(1e-9));
//!
//! // With inputs in [0, 1] and sigma = 2, at delta = 1e-6:
//! let promise = GaussianPrivacy::promised(&loss, 1.0, 2.0)?;
//! assert!(promise.epsilon_upper(1e-6)? < 0.25);
//! # }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

// Without leakages, some arithmetic has no use.
#![cfg_attr(not(feature = "leakage"), allow(dead_code, unused_imports))]

#[cfg(feature = "leakage")]
mod absorption;
#[cfg(feature = "leakage")]
mod alibi;
mod arithmetic;
pub mod bounds;
mod checks;
#[cfg(feature = "leakage")]
mod dense;
mod enclosure;
mod error;
#[cfg(feature = "leakage")]
mod exact;
mod frontier;
#[cfg(feature = "leakage")]
mod gram;
mod guarantee;
pub mod learning;
mod loss;
mod masked;
pub mod memory;
#[cfg(feature = "leakage")]
mod multiprecision;
pub mod noise;
#[cfg(feature = "leakage")]
mod one_shot;
mod progress;
mod reach;
pub mod simulation;
mod sparse;
mod spectral;
mod steps;
mod stream;
mod threads;

#[cfg(feature = "leakage")]
pub use absorption::{AbsorptionBounds, MaskFlow};
#[cfg(feature = "leakage")]
pub use alibi::AlibiView;
pub use bounds::AllPairs;
pub use enclosure::Enclosure;
pub(crate) use enclosure::{SMALLEST, UNIT_ROUNDOFF};
pub use error::FastError;
#[cfg(feature = "leakage")]
pub use exact::{ExactEquations, ExactStatistics};
#[cfg(feature = "leakage")]
pub use gram::{GramView, TARGET_WIDTH, linear_loss};
pub use guarantee::{
    ConcentratedPrivacy, GaussianPrivacy, SampledPrivacy, calibrate_concentrated,
    calibrate_sampled, calibrate_sigma, central_error, local_error, mironov_epsilon,
};
pub use loss::{Approximation, Loss};
#[cfg(feature = "leakage")]
pub use masked::MaskedPairs;
pub use masked::{LocalBounds, MaskedBounds, MaskedClass};
#[cfg(feature = "leakage")]
pub use multiprecision::{CertifiedView, MultiprecisionLimits};
#[cfg(feature = "leakage")]
pub use one_shot::{OneShot, OneShotOptions, OneShotView, Pivots};
pub use progress::Progress;
pub use reach::reached;
pub use sparse::SparseWeights;
pub use spectral::{
    GapOptions, Rate, SpectralGap, SpectrumEnd, acceleration, acceleration_fraction,
    gossip_intensities, gossip_steps_per_round, randomized_gap, spectral_gap, steps_to_converge,
};

/// Operations that the nodes of `muffliato-node` and the matrix engine perform alike, bit for bit.
pub mod lockstep {
    pub use crate::arithmetic::{chebyshev, take_mask};
    pub use crate::checks::{deviation, float};
    pub use crate::stream::Coins;
}

/// Code that `muffliato-proofs` verifies; not part of the interface.
#[cfg(feature = "proofs")]
#[doc(hidden)]
pub mod cores {
    pub use crate::arithmetic::*;
    pub use crate::guarantee::Ball;
    pub use crate::noise::{grid::nearest, rounded::nearest_step};
}

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
