//! The arithmetic core: integers in, integers out, on slices that the caller provides. Nothing
//! here allocates (beyond what the integer type does), so that a model checker can run it.

mod elimination;
mod matrix;
mod vector;

pub use elimination::{eliminate, quadratic_form};
pub use matrix::{chebyshev_step, fill_edge_average, fill_weights, make_lazy, multiply};
pub use vector::{divide_by_content, dot, square_sum, weighted_dot};
