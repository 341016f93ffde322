//! The closed form that follows from the smallest eigenvalue of the Gram matrix
//! (`refreshed_walk_bound`).
//!
//! ```text
//! leakage(u -> v) <= 4 / min(1, tau)^2 * sum_{t=0..T-1} sum_{w in N_t(v)} (W_{0:t})_{w,u}^2
//! ```
//!
//! for refreshed protocols without acceleration: the paper's sum, with `min(1, tau)^2 / 4` where
//! the paper has `||(W_{0:t})_w||^2`.

use super::assembly::{check_memory, view};
use super::number::Number;
use super::rows::Messages;

use crate::{FastError, Progress, UNIT_ROUNDOFF};
use muffliato_model::{Observer, Protocol};

/// A certified upper bound on the leakage of every node in units of L, never above 1; `None` for
/// the observers themselves. 0 where the observer cannot be reached.
///
/// It applies to refreshed protocols with one input a node and without acceleration; anything else
/// is [`FastError::NotApplicable`].
pub fn walk_bound(
    protocol: &Protocol,
    observer: &Observer,
    progress: &dyn Progress,
) -> Result<Vec<Option<f64>>, FastError> {
    let refused = |reason| FastError::NotApplicable {
        formula: "the walk bound of refreshed protocols",
        reason,
    };
    let Some(tau) = protocol.refresh() else {
        return Err(refused("it has no fresh noise; refresh it with some tau"));
    };
    if protocol.rounds() > 1 {
        return Err(refused("it has several inputs a node; use its losses"));
    }
    if protocol.acceleration().is_some() {
        return Err(refused("it is accelerated; use its losses"));
    }
    check_memory(protocol, observer)?;
    let messages = Messages::of(protocol, observer);
    let reachable = messages.reachable(protocol);
    let view = view::<f64>(protocol, &messages)?;
    let smallest = match tau.numerator() >= tau.denominator() {
        true => 1.0,
        false => f64::of_fraction(tau) * (1.0 - 4.0 * UNIT_ROUNDOFF),
    };
    let spread = 1.0 + 1.01 * view.column_error();
    let bound = |norm: f64| {
        let root = 2.0 * (norm * spread + view.underflow()) / smallest;
        let square = root * root * (1.0 + 16.0 * UNIT_ROUNDOFF);
        if square < 1.0 { square } else { 1.0 }
    };
    let sources: Vec<usize> = (0..protocol.nodes())
        .filter(|&u| !observer.contains(u))
        .collect();
    let mut bounds = vec![None; protocol.nodes()];
    let at_once = ((1 << 24) / messages.size().max(1)).max(1);
    for sources in sources.chunks(at_once) {
        let columns = view.columns(sources, progress)?;
        for (&u, &norm) in sources.iter().zip(columns.block(0).1) {
            bounds[u] = Some(if reachable[u] { bound(norm) } else { 0.0 });
        }
    }
    Ok(bounds)
}
