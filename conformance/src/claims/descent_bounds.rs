//! The search that the bounds for gradient descent share.

use super::{
    ClaimError,
    instances::{descent, named, single_observers, smallest},
    pairs::{Promise, each_source, violation},
    witness::Witness,
};
use muffliato_model::{Graph, Protocol};
use std::ops::RangeInclusive;

/// The smallest run of gradient descent (graphs of up to `nodes` nodes, the given K, 2 to `rounds` rounds) at which
/// `look`, which is also given its name, finds a witness.
pub(crate) fn descent_smallest(
    nodes: usize,
    k: RangeInclusive<usize>,
    rounds: usize,
    look: impl Fn(&Graph, &Protocol, &str) -> Result<Option<Witness>, ClaimError>,
) -> Result<Option<Witness>, ClaimError> {
    let mut sizes: Vec<(usize, usize)> = (2..=rounds)
        .flat_map(|rounds| k.clone().map(move |k| (rounds, k)))
        .collect();
    sizes.sort_by_key(|&(rounds, k)| (rounds * k, rounds));
    smallest(nodes, 0..=sizes.len() - 1, |graph, size| {
        let (rounds, k) = sizes[size];
        let what = format!("{}, K = {k}, {rounds} rounds", named(graph));
        look(graph, &descent(graph, rounds, k)?, &what)
    })
}

/// The smallest run whose exact loss, gradients as inputs, exceeds the promise.
pub(crate) fn descent_search(
    nodes: usize,
    k: RangeInclusive<usize>,
    rounds: usize,
    promise: &Promise,
) -> Result<Option<Witness>, ClaimError> {
    descent_smallest(nodes, k, rounds, |graph, protocol, what| {
        for observer in single_observers(graph) {
            let sources = each_source(graph, &observer);
            if let Some(found) = violation(protocol, what, &observer, &sources, promise)? {
                return Ok(Some(found));
            }
        }
        Ok(None)
    })
}
