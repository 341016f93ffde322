//! Gradient descent: the searches that its claims share.

pub(super) mod bounds;
pub(super) mod mean_loss;
pub(super) mod reactions;

use super::{
    ClaimError,
    instances::{descent, single_observers, smallest},
    search::{Bound, each_source, violation},
    witness::{Instance, Search, Witness},
};
use muffliato_model::{Graph, Protocol};
use std::ops::RangeInclusive;

/// The smallest run of gradient descent (graphs of up to `nodes` nodes, the given K, 2 to `rounds` rounds) at which
/// `look`, which is also told where it is, finds a witness.
fn descent_smallest(
    nodes: usize,
    k: RangeInclusive<usize>,
    rounds: usize,
    look: impl Fn(&Graph, &Protocol, &Instance) -> Search,
) -> Result<Option<Witness>, ClaimError> {
    let mut sizes: Vec<(usize, usize)> = (2..=rounds)
        .flat_map(|rounds| k.clone().map(move |k| (rounds, k)))
        .collect();
    sizes.sort_by_key(|&(rounds, k)| (rounds * k, rounds));
    smallest(nodes, 0..=sizes.len() - 1, |graph, size| {
        let (rounds, k) = sizes[size];
        let place = Instance::on(graph, format!("K = {k}, {rounds} rounds"));
        look(graph, &descent(graph, rounds, k)?, &place)
    })
}

/// The smallest run whose exact loss, gradients as inputs, exceeds the bound.
fn descent_search(
    nodes: usize,
    k: RangeInclusive<usize>,
    rounds: usize,
    bound: &Bound,
) -> Result<Option<Witness>, ClaimError> {
    descent_smallest(nodes, k, rounds, |graph, protocol, place| {
        for observer in single_observers(graph)? {
            let sources = each_source(graph, &observer);
            violation(protocol, place, &observer, &sources, bound)?;
        }
        Ok(())
    })
}
