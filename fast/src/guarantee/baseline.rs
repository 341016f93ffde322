//! The two baselines that every decentralized protocol lies between.

use super::{require_order, require_positive};
use crate::FastError;
use crate::checks::require;

/// Returns the squared error of local differential privacy at the Renyi loss `epsilon` of order
/// alpha > 1: `alpha Delta^2 / (2 n epsilon)`, in plain floats. Delta and epsilon must be positive
/// and finite, n >= 1.
///
/// ```
/// use muffliato_fast::local_error;
///
/// assert_eq!(local_error(128, 2.0, 1.0, 0.5)?, 1.0 / 64.0); // 2 / (2 * 128 * 0.5)
/// assert!(local_error(128, 1.0, 1.0, 0.5).is_err());
/// # Ok::<(), muffliato_fast::FastError>(())
/// ```
pub fn local_error(
    nodes: usize,
    alpha: f64,
    sensitivity: f64,
    epsilon: f64,
) -> Result<f64, FastError> {
    require_order(alpha)?;
    require_positive("the sensitivity", sensitivity)?;
    require_positive("epsilon", epsilon)?;
    let n = nodes as f64;
    require(nodes > 0, "the number of nodes", n, "it must be positive")?;
    Ok(alpha * sensitivity * sensitivity / (2.0 * n * epsilon))
}

/// Returns the squared error of a trusted aggregator at the same loss: `alpha Delta^2 / (2 n^2
/// epsilon)`.
pub fn central_error(
    nodes: usize,
    alpha: f64,
    sensitivity: f64,
    epsilon: f64,
) -> Result<f64, FastError> {
    Ok(local_error(nodes, alpha, sensitivity, epsilon)? / nodes as f64)
}
