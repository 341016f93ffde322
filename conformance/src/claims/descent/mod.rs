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

/// Rounds and K, by the number of steps in all.
const SIZES: [(usize, usize); 6] = [(2, 1), (3, 1), (2, 2), (2, 3), (3, 2), (3, 3)];

/// The smallest run of gradient descent (2 to 3 rounds of up to 3 steps on graphs of up to 5 nodes) at which `look`, which is also
/// told where it is, finds a witness.
fn descent_smallest(
    look: impl Fn(&Graph, &Protocol, &Instance) -> Search,
) -> Result<Option<Witness>, ClaimError> {
    smallest(5, 0..=SIZES.len() - 1, |graph, size| {
        let (rounds, k) = SIZES[size];
        let place = Instance::on(graph, format!("K = {k}, {rounds} rounds"));
        look(graph, &descent(graph, rounds, k)?, &place)
    })
}

/// The smallest run whose exact loss, gradients as inputs, exceeds the bound.
fn descent_search(bound: &Bound) -> Result<Option<Witness>, ClaimError> {
    descent_smallest(|graph, protocol, place| {
        for observer in single_observers(graph)? {
            let sources = each_source(graph, &observer);
            violation(protocol, place, &observer, &sources, bound)?;
        }
        Ok(())
    })
}
