//! The arithmetic core: integer functions on slices of the caller. Nothing here allocates (beyond
//! the integer type itself), so that a model checker can run it.
//!
//! The functions are generic over `ExactInteger`: the engine runs them on `BigInt`, the proofs on
//! machine integers, where the caller must exclude overflow.

mod elimination;
mod matrix;
mod signs;
mod vector;

pub use elimination::{eliminate, quadratic_form};
pub use matrix::{
    chebyshev_step, degree_shift, fill_edge_average, fill_weights, inverse_weight, make_lazy,
    multiply,
};
pub use signs::largest_over_signs;
pub use vector::{divide_by_content, square_sum, squared_share, weighted_dot};
