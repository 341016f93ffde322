//! Muffliato-GD and Muffliato-SGD (Algorithm 3), and their baseline.
//!
//! Each of T rounds, with step size nu:
//!
//! ```text
//! hat_v   = theta_v - nu grad phi_v(theta_v)                  a local step, on all examples or on a random one
//! theta_v = P_K(W_t) applied to  hat + nu sigma N(0, 1)       K steps of gossip, which start anew each round
//! ```
//!
//! The output is the mean of `bar theta^t = (1/n) sum_v theta_v^t` over t < T.
//!
//! | topic | items |
//! | --- | --- |
//! | losses | [`LocalLoss`], [`LogisticLoss`], [`QuadraticLoss`] |
//! | the descent and its aggregation | [`Descent`], [`Aggregation`], [`Gossip`] |
//! | number of gossip steps per round | [`gossip_steps_for`] |
//! | bounded gradients | [`clip`] |

mod aggregation;
mod clipping;
mod descent;
mod logistic;
mod loss;

pub use aggregation::{Aggregation, Gossip, gossip_steps_for};
pub use clipping::clip;
pub use descent::{Descent, Sampling, Trajectory};
pub use logistic::{LogisticLoss, accuracy, even_shares};
pub use loss::{LocalLoss, QuadraticLoss};
