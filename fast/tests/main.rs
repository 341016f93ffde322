//! The fast engine, by topic.

mod absorption;
#[cfg(feature = "leakage")]
mod alibi;
mod bad_input_and_cancellation;
mod bounds_limits;
#[cfg(feature = "leakage")]
mod exact;
mod fixtures;
#[cfg(feature = "leakage")]
mod gram;
mod guarantee;
mod learning;
#[cfg(feature = "leakage")]
mod masks;
#[cfg(feature = "leakage")]
mod multiprecision;
#[cfg(feature = "leakage")]
mod one_shot;
mod reproducibility;
mod simulation_against_reference;
mod spectral;
