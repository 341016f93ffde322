//! The guarantee for gradient descent.
//!
//! Losses of gradient descent are computed in a model of fixed gradients. For real losses the
//! guarantee is the absorption bound, which needs only the Lipschitz constants of the steps.

use super::{Proved, local_loss};
use crate::{AccountError, Asked, engine::budgets::ABSORPTION_WORK};
use muffliato_fast::{AbsorptionBounds, FastError, MaskedBounds};
use muffliato_model::{Lipschitz, Protocol};

/// Approximate number of iterations that optimising fractions takes.
const ITERATIONS: f64 = 1000.0;

/// Returns the absorption bound of each set against an observer, with optimised fractions if
/// `pairs` is small enough and by first passage otherwise. With masks, deviations also move along
/// them, and the bound for masked states is used if it is smaller.
pub(crate) fn absorbed(
    protocol: &Protocol,
    lipschitz: &Lipschitz,
    asked: Asked<'_>,
    pairs: usize,
) -> Result<Vec<Proved>, AccountError> {
    let observer = asked.observer;
    let bounds = AbsorptionBounds::of(protocol, observer, lipschitz)?.watched(asked.progress);
    let graph = protocol.graph()?;
    let step = (graph.nodes() + 2 * graph.edge_count()) as f64;
    let members = asked.sets.iter().map(|set| set.len()).max().unwrap_or(0);
    let runs = protocol.participations(members).len();
    let work = step * protocol.steps() as f64 * runs as f64 * pairs as f64;
    let best = work * ITERATIONS <= ABSORPTION_WORK;
    let first = bounds.first_passage_all()?;
    let masked = match protocol.masks() {
        Some(_) => Some(MaskedBounds::of(protocol)?),
        None => None,
    };
    let bound = |set: &&[usize]| {
        let alone = match set {
            [source] => first[*source],
            _ => None,
        };
        // The local bound holds for every group; the bounds of single users do not add up.
        let local = local_loss(protocol, set);
        let unless_heard = |found| match found {
            Err(FastError::NotAbsorbed { .. }) => Ok(f64::INFINITY),
            found => found,
        };
        let absorbed = match alone {
            Some(0.0) => return Ok(Proved::SILENT),
            _ if best && masked.is_some() => {
                unless_heard(bounds.best_with_masks(set).map(|found| found.0))?
            }
            _ if best => unless_heard(bounds.best(set).map(|found| found.0))?,
            Some(first) => first,
            None => local,
        };
        let states = match &masked {
            Some(masked) => masked.bound(set, observer)?.upper(),
            None => local,
        };
        Ok(Proved(local.min(absorbed).min(states)))
    };
    asked.sets.iter().map(bound).collect()
}
