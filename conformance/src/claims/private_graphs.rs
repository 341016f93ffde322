//! Graphs of which an observer knows its own edges and nothing else.

use super::ClaimError;
use muffliato_model::{Graph, Observer};
use muffliato_reference::BigRational;
use num_traits::{One, Pow};

/// Every pair of nodes.
fn pairs(nodes: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..nodes).flat_map(move |u| (u + 1..nodes).map(move |v| (u, v)))
}

/// All graphs that have the edges `present` and any of the edges `possible`.
fn between(
    nodes: usize,
    present: &[(usize, usize)],
    possible: &[(usize, usize)],
) -> Result<Vec<Graph>, ClaimError> {
    let graph = |mask: usize| {
        let chosen = possible.iter().enumerate();
        let chosen = chosen.filter(|(bit, _)| mask >> bit & 1 == 1);
        let edges = present.iter().chain(chosen.map(|(_, edge)| edge));
        Ok(Graph::try_new(nodes, edges.copied())?)
    };
    (0..1 << possible.len()).map(graph).collect()
}

/// What the observer can know: every graph whose edges are all its own.
pub(super) fn known(nodes: usize, observer: &Observer) -> Result<Vec<Graph>, ClaimError> {
    let own = pairs(nodes).filter(|&(u, v)| observer.contains(u) || observer.contains(v));
    between(nodes, &[], &own.collect::<Vec<_>>())
}

/// What it cannot tell apart by its own edges: every graph that has those of `graph`.
pub(super) fn alike(graph: &Graph, observer: &Observer) -> Result<Vec<Graph>, ClaimError> {
    let own = |&(u, v): &(usize, usize)| observer.contains(u) || observer.contains(v);
    let present: Vec<_> = graph.edges().filter(own).collect();
    let hidden: Vec<_> = pairs(graph.nodes()).filter(|pair| !own(pair)).collect();
    between(graph.nodes(), &present, &hidden)
}

/// The nodes outside that have a neighbour among the observers, and the others.
pub(super) fn neighbours_and_strangers(
    graph: &Graph,
    observer: &Observer,
) -> (Vec<usize>, Vec<usize>) {
    let outside = (0..graph.nodes()).filter(|&u| !observer.contains(u));
    outside.partition(|&u| graph.neighbours(u).any(|v| observer.contains(v)))
}

/// The mean of what is given for each of the graphs that are [`alike`], if every hidden edge has probability q.
pub(super) fn mean(values: &[BigRational], q: &BigRational) -> BigRational {
    let (hidden, none) = (values.len().ilog2(), BigRational::one() - q);
    let term = |(mask, value): (usize, &BigRational)| {
        let present = mask.count_ones();
        let weight = Pow::pow(q.clone(), present) * Pow::pow(none.clone(), hidden - present);
        value * weight
    };
    values.iter().enumerate().map(term).sum()
}
