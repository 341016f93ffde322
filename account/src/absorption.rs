//! What is promised for gradient descent.
//!
//! Losses of gradient descent are computed in a model: gradients do not react. What can be promised to users with real losses is the
//! absorption bound, which needs nothing but the Lipschitz constants of the steps.

use crate::{AccountError, Asked};
use muffliato_fast::{AbsorptionBounds, MaskedBounds};
use muffliato_model::{Lipschitz, Protocol};

/// The most products of weights for which better fractions are looked for, for all pairs of a question together.
const MOST_WORK: f64 = 4e9;

/// Iterations that better fractions take, roughly.
const ITERATIONS: f64 = 1000.0;

/// Returns the absorption bound of each set towards an observer: with the best fractions that are found where `pairs` pairs are few enough, or else by first passage. With
/// masks, deviations also move along them, and it is never above the bound for masked states.
pub(crate) fn absorbed(
    protocol: &Protocol,
    lipschitz: &Lipschitz,
    asked: Asked<'_>,
    pairs: usize,
) -> Result<Vec<f64>, AccountError> {
    let observer = asked.observer;
    let bounds = AbsorptionBounds::of(protocol, observer, lipschitz)?.watched(asked.progress);
    let graph = protocol.graph()?;
    let step = (graph.nodes() + 2 * graph.edge_count()) as f64;
    let members = asked.sets.iter().map(|set| set.len()).max().unwrap_or(0);
    let runs = protocol.participations(members).len();
    let work = step * protocol.steps() as f64 * runs as f64 * pairs as f64;
    let best = work * ITERATIONS <= MOST_WORK;
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
        // Absorbing at the sources alone holds for every group; the bounds of single users do not add up to that of a group.
        let local = set.len() as f64 * bounds.local();
        let absorbed = match alone {
            Some(0.0) => return Ok(0.0),
            _ if best && masked.is_some() => bounds.best_with_masks(set)?.0,
            _ if best => bounds.best(set)?.0,
            Some(first) => first,
            None => local,
        };
        let states = match &masked {
            Some(masked) => masked.bound(set, observer)?.upper(),
            None => local,
        };
        Ok(local.min(absorbed).min(states))
    };
    asked.sets.iter().map(bound).collect()
}
