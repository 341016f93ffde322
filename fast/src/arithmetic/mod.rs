//! The arithmetic underneath, on slices and numbers that the caller provides. Nothing here allocates, so that a model
//! checker can run it.
//!
//! What does not round is generic over the kind of [`Number`]: the engine runs it on `f64`, the proofs also on exact
//! ones. What f64 adds are the roundings, which are counted where they happen.

mod counted;
mod exact;
mod lockstep;
mod number;
mod pair;
mod places;
mod row;
mod upward;

pub use counted::{accumulated, enlarged, enlarged_root, radius_up, raised, residual_up};
pub use exact::{fast_two_sum, two_product, two_sum};
pub use lockstep::{add_mask, chebyshev, take_mask};
pub use number::{Number, Real};
pub use pair::Pair;
pub use places::block_length;
pub use row::{degree_roundings, degree_shift, degree_weights, inner, mixed_block, mixed_entry};
#[cfg(feature = "proofs")]
pub use upward::sum_up;
pub use upward::{absorb_up, add_down, add_up, minus_up, mixed_entry_up, ratio_up, times_up};
