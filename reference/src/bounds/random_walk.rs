//! Corollary 1: the loss by a random walk.

use crate::{ExactInteger, GossipMatrix, ReferenceError, check_source, rational::whole};
use muffliato_model::{Observer, Protocol};
use num_rational::Ratio;

/// Corollary 1, and its form for coalitions:
/// `n * max_{v in V, w in N(v) \ V} W_{v,w}^{-2} * sum_{t=1..T} P(X^t in V | X^0 = u)^2`, in units of L,
/// for the random walk X with transitions W.
///
/// Stated for one round on one fixed network. An observer without neighbours outside, or an edge
/// of weight 0 towards one, is an error.
pub fn random_walk_bound<I: ExactInteger>(
    protocol: &Protocol,
    source: usize,
    observer: &Observer,
) -> Result<Ratio<I>, ReferenceError> {
    let nodes = protocol.nodes();
    observer.check(nodes)?;
    check_source(source, nodes, observer)?;
    let not_fixed = ReferenceError::NotFixed {
        formula: "the random-walk bound (Corollary 1)",
    };
    if protocol.rounds() != 1 {
        return Err(not_fixed);
    }
    let network = protocol.fixed_network().ok_or(not_fixed)?;
    let w = GossipMatrix::<I>::of_network(network)?;

    let mut smallest: Option<&I> = None;
    for &member in observer.members() {
        for neighbour in network.graph().neighbours(member) {
            if observer.contains(neighbour) {
                continue;
            }
            let weight = &w.row(member)[neighbour];
            if weight.is_zero() {
                return Err(ReferenceError::ZeroWeight {
                    u: member,
                    v: neighbour,
                });
            }
            smallest = Some(smallest.map_or(weight, |so_far| so_far.min(weight)));
        }
    }
    let Some(smallest) = smallest else {
        return Err(ReferenceError::NoNeighbour {
            observer: observer.to_string(),
        });
    };
    let inverse = Ratio::new(w.denominator().clone(), smallest.clone());

    let mut hits = Ratio::from_integer(I::zero());
    let mut power = w.clone();
    for t in 1..=protocol.steps() {
        if t > 1 {
            power = w.times(&power);
        }
        let mut arriving = I::zero();
        for &member in observer.members() {
            arriving += &power.row(source)[member];
        }
        let probability = Ratio::new(arriving, power.denominator().clone());
        hits += probability.clone() * probability;
    }
    Ok(Ratio::from_integer(whole(nodes)?) * inverse.clone() * inverse * hits)
}
