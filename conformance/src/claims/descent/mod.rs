//! Gradient descent: searches shared by its claims.

pub(super) mod bounds;
pub(super) mod mean_loss;
pub(super) mod reactions;

use crate::claims::prelude::*;

/// Rounds and K, by total number of steps.
const SIZES: [(usize, usize); 6] = [(2, 1), (3, 1), (2, 2), (2, 3), (3, 2), (3, 3)];

/// Searches runs of gradient descent (2 to 3 rounds of up to 3 steps on graphs of up to 5 nodes)
/// for the smallest one at which `look`, given the instance, finds a witness.
fn descent_smallest(
    look: impl Fn(&Graph, &Protocol, &Instance) -> Search,
) -> Result<Option<Witness>, ClaimError> {
    smallest(5, 0..=SIZES.len() - 1, |graph, size| {
        let (rounds, k) = SIZES[size];
        let place = Instance::on(graph, format!("K = {k}, {rounds} rounds"));
        look(graph, &descent(graph, rounds, k)?, &place)
    })
}

/// Searches for the smallest run whose exact loss, with gradients as inputs, exceeds the bound.
fn descent_search(bound: Bound) -> Result<Option<Witness>, ClaimError> {
    descent_smallest(|graph, protocol, place| {
        for observer in single_observers(graph)? {
            let sources = each_source(graph, &observer);
            violation(protocol, place, &observer, &sources, (Relation::AtMost, bound))?;
        }
        Ok(())
    })
}
