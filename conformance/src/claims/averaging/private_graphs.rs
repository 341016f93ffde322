//! Graphs of which an observer knows only its own edges.

use crate::claims::prelude::*;
use num_traits::Pow;

/// Returns every pair of nodes.
fn pairs(nodes: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..nodes).flat_map(move |u| (u + 1..nodes).map(move |v| (u, v)))
}

/// Returns all graphs with the edges `present` and any of the edges `possible`.
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

/// Returns every graph whose edges all belong to the observer.
pub(in crate::claims) fn known(
    nodes: usize,
    observer: &Observer,
) -> Result<Vec<Graph>, ClaimError> {
    let own = pairs(nodes).filter(|&(u, v)| observer.contains(u) || observer.contains(v));
    between(nodes, &[], &own.collect::<Vec<_>>())
}

/// Returns every graph in which the observer has the same edges as in `graph`.
pub(in crate::claims) fn alike(
    graph: &Graph,
    observer: &Observer,
) -> Result<Vec<Graph>, ClaimError> {
    let own = |&(u, v): &(usize, usize)| observer.contains(u) || observer.contains(v);
    let present: Vec<_> = graph.edges().filter(own).collect();
    let hidden: Vec<_> = pairs(graph.nodes()).filter(|pair| !own(pair)).collect();
    between(graph.nodes(), &present, &hidden)
}

/// Returns the nodes outside the observer that have a neighbour in it, and the others.
pub(in crate::claims) fn neighbours_and_strangers(
    graph: &Graph,
    observer: &Observer,
) -> (Vec<usize>, Vec<usize>) {
    let outside = (0..graph.nodes()).filter(|&u| !observer.contains(u));
    outside.partition(|&u| graph.neighbours(u).any(|v| observer.contains(v)))
}

/// Returns the mean of a value over the graphs of [`alike`] if every hidden edge has probability q.
pub(in crate::claims) fn mean(values: &[BigRational], q: &BigRational) -> BigRational {
    let (hidden, none) = (values.len().ilog2(), BigRational::one() - q);
    let term = |(mask, value): (usize, &BigRational)| {
        let present = mask.count_ones();
        let weight = Pow::pow(q.clone(), present) * Pow::pow(none.clone(), hidden - present);
        value * weight
    };
    values.iter().enumerate().map(term).sum()
}

const NODES: usize = 5;

/// Counts the cases on all graphs of 5 nodes with T <= 3, and checks that twice the mean leakage of
/// a stranger, given the edges of the first `members` nodes, is at most the bound in degree and
/// steps.
///
/// # Errors
///
/// Fails if the bound is exceeded in some case.
pub(in crate::claims) fn strangers(
    members: usize,
    bound: impl Fn(usize, usize) -> BigRational,
) -> Result<usize, ClaimError> {
    let observer = Observer::coalition(0..members)?;
    let mut cases = 0;
    for own in known(NODES, &observer)? {
        let (heard, strangers) = neighbours_and_strangers(&own, &observer);
        if strangers.is_empty() {
            continue;
        }
        let graphs = alike(&own, &observer)?;
        for steps in 1..=3 {
            let seen = graphs.iter().map(|graph| view(&one_shot(graph, steps)?, &observer));
            let seen = seen.collect::<Result<Vec<_>, _>>()?;
            let bound = bound(heard.len(), steps);
            for &u in &strangers {
                let leakages = seen.iter().map(|view| view.leakage(u));
                let leakages = leakages.collect::<Result<Vec<_>, _>>()?;
                for q in [ratio(1, 5), ratio(1, 2), ratio(4, 5)] {
                    let mean = mean(&leakages, &q);
                    let degree = heard.len();
                    cases += confirm(order(&(whole(2) * &mean), &bound).is_le(), || {
                        format!("{observer}, T = {steps}, q = {q}, d = {degree}: mean {mean}")
                    })?;
                }
            }
        }
    }
    Ok(cases)
}

/// Private random graphs.
pub(in crate::claims) fn erdos_renyi() -> Result<Verdict, ClaimError> {
    let printed = |degree, steps| whole(2 * steps * degree) / whole(NODES - degree);
    let cases = strangers(1, printed)?;
    Ok(Verdict::holds(format!(
        "{cases} strangers given the edges of v, over all 1024 graphs on 5 nodes"
    )))
}
