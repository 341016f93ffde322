//! Randomized gossip: code shared by its claims.

pub(super) mod messages;
pub(super) mod privacy;
pub(super) mod utility;

use super::instances;
use crate::claims::prelude::*;
use muffliato_fast::{GapOptions, SparseWeights, gossip_intensities, simulation::GossipState};
use std::iter::Product;

/// Returns `p_uv = 2 W_uv / n` for Metropolis weights, in the order of the edges.
pub(crate) fn intensities(graph: &Graph) -> Result<Vec<BigRational>, ClaimError> {
    let w = GossipMatrix::of_network(&metropolis(graph)?)?;
    let scale = whole(2) / whole(graph.nodes());
    let of_edge = |(u, v)| w.entry(u, v).unwrap_or_default() * &scale;
    Ok(graph.edges().map(of_edge).collect())
}

/// Returns the intensities and `lambda(p)` by the fast engine.
pub(crate) fn fast_intensities(graph: &Graph) -> Result<(Vec<f64>, Enclosure), ClaimError> {
    let weights = SparseWeights::of_network(&metropolis(graph)?)?;
    let intensities = gossip_intensities(&weights);
    let gap = muffliato_fast::randomized_gap(graph, &intensities, &GapOptions::default(), &())?;
    Ok((intensities, gap.certified))
}

/// Returns all sequences of `steps` ticks, each an edge or idle, with their probabilities.
pub(crate) fn sequences<P: Clone + Product>(
    graph: &Graph,
    intensities: &[P],
    idle: P,
    steps: usize,
) -> Vec<(Vec<(usize, usize)>, P)> {
    let edges: Vec<_> = graph.edges().collect();
    let ticks = instances::sequences(edges.len() + 1, steps);
    ticks
        .map(|ticks| {
            let chances = ticks.iter().map(|&tick| intensities.get(tick));
            let probability = chances.map(|chance| chance.unwrap_or(&idle).clone());
            let active = ticks.iter().filter_map(|&tick| edges.get(tick).copied());
            (active.collect(), probability.product())
        })
        .collect()
}

/// Returns the probability of an idle tick in floats.
pub(crate) fn fast_idle(intensities: &[f64]) -> f64 {
    (1.0 - intensities.iter().sum::<f64>()).max(0.0)
}

/// Computes the expected error by simulating every sequence of edges with the fast engine: once for
/// the inputs and once for each node's noise, side by side. Accurate within 1e-9.
pub(crate) fn simulated_error(
    graph: &Graph,
    intensities: &[f64],
    steps: usize,
    values: &[f64],
    sigma_squared: f64,
) -> Result<Enclosure, ClaimError> {
    let nodes = graph.nodes();
    let mean = values.iter().sum::<f64>() / nodes as f64;
    let width = nodes + 1;
    let mut start = vec![0.0; nodes * width];
    for v in 0..nodes {
        start[v * width] = values[v] - mean;
        start[v * width + 1 + v] = sigma_squared.sqrt();
    }
    let mut expected = 0.0;
    let idle = fast_idle(intensities);
    for (edges, probability) in sequences(graph, intensities, idle, steps) {
        let mut state = GossipState::try_new(start.clone(), width)?;
        for (u, v) in edges {
            state.average(u, v)?;
        }
        expected += probability * state.error(&vec![0.0; width])?;
    }
    Ok(estimate(expected))
}
