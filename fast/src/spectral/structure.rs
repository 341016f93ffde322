//! Bounds on the spectral gap from the graph alone (trusted).
//!
//! By Perron-Frobenius the gap of a symmetric stochastic matrix is 0 exactly if the graph of its
//! positive off-diagonal weights is not connected (1 is a double eigenvalue), or is bipartite while
//! the diagonal vanishes (-1 is an eigenvalue). Otherwise two classical inequalities bound it from
//! below:
//!
//! ```text
//! 1 - lambda_2 >= 4 w / (n D)     (Mohar; w the smallest positive weight, D the diameter, D <= 2 ecc(0))
//! 1 + lambda_n >= 2 min_v W_vv    (Gershgorin)
//! ```

use super::operator::Symmetric;
use crate::{FastError, checks};

/// Returns a lower bound on `1 - lambda_2`, rounded down, or [`FastError::NoGap`] exactly if the
/// gap is 0. `periodic_matters` tells whether the eigenvalue -1 closes the gap, too.
pub(super) fn check(w: &impl Symmetric, periodic_matters: bool) -> Result<f64, FastError> {
    let n = w.nodes();
    let expected = "a spectral gap needs at least two";
    checks::require(n >= 2, "the number of nodes", n, expected)?;
    let mut depth = vec![u32::MAX; n];
    depth[0] = 0;
    let mut queue = Vec::with_capacity(n);
    queue.push(0_usize);
    let mut next = 0;
    let mut smallest = f64::INFINITY;
    let mut odd_cycle = false;
    while let Some(&v) = queue.get(next) {
        next += 1;
        let (columns, weights) = w.row(v);
        for (&u, &weight) in columns.iter().zip(weights) {
            if weight <= 0.0 {
                continue;
            }
            smallest = smallest.min(weight);
            let u = u as usize;
            if depth[u] == u32::MAX {
                depth[u] = depth[v] + 1;
                queue.push(u);
            } else {
                odd_cycle |= depth[u] % 2 == depth[v] % 2;
            }
        }
    }
    if queue.len() < n {
        return Err(FastError::NoGap {
            reason: "the graph of the positive weights is not connected",
            remedy: "use a connected graph, for example its giant component",
        });
    }
    let zero_diagonal = (0..n).all(|v| w.own(v) <= 0.0);
    if periodic_matters && zero_diagonal && !odd_cycle {
        return Err(FastError::NoGap {
            reason: "the graph is bipartite and no node keeps a share of its own value, so gossip oscillates",
            remedy: "use Metropolis weights or the lazy version of these",
        });
    }
    let eccentricity = queue.last().map_or(1, |&v| depth[v].max(1));
    // Four roundings here, `roundings` in the weight.
    let margin = 1.0 - 2.0 * (w.roundings() as f64 + 8.0) * crate::UNIT_ROUNDOFF;
    Ok(4.0 * smallest / (n as f64 * 2.0 * f64::from(eccentricity)) * margin.max(0.0))
}
