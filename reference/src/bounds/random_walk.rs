//! Corollary 1: the loss in terms of a random walk.

use crate::{GossipMatrix, ReferenceError, checks::check_sources, rational::whole};
use muffliato_model::{Observer, Protocol};
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::Zero;

/// Computes Corollary 1 and its form for coalitions,
/// `n * max_{v in V, w in N(v) \ V} W_{v,w}^{-2} * sum_{t=1..T} P(X^t in V | X^0 = u)^2`, in units
/// of L, for the random walk X with transitions W.
///
/// It is stated for one round on one fixed network.
///
/// # Errors
///
/// Returns an error for other protocols, for an observer without neighbours outside, and for an
/// edge of weight 0 towards one.
pub fn random_walk_bound(
    protocol: &Protocol,
    source: usize,
    observer: &Observer,
) -> Result<BigRational, ReferenceError> {
    let nodes = protocol.nodes();
    observer.check(nodes)?;
    check_sources(&[source], nodes, observer)?;
    protocol.uniform()?;
    let network = match protocol.fixed_network() {
        Some(network) if protocol.rounds() == 1 => network,
        _ => {
            return Err(ReferenceError::NotApplicable {
                formula: "the random-walk bound (Corollary 1)",
                reason: "it is about one round of averaging on one fixed network",
            });
        }
    };
    let w = GossipMatrix::of_network(network)?;

    let mut smallest: Option<&BigInt> = None;
    for &member in observer.members() {
        for neighbour in network.graph().neighbours(member) {
            if observer.contains(neighbour) {
                continue;
            }
            let weight = &w.row(member)[neighbour];
            if weight.is_zero() {
                return Err(ReferenceError::ZeroWeight { u: member, v: neighbour });
            }
            smallest = Some(smallest.map_or(weight, |so_far| so_far.min(weight)));
        }
    }
    let Some(smallest) = smallest else {
        return Err(ReferenceError::NoNeighbour { observer: observer.to_string() });
    };
    let inverse = BigRational::new(w.denominator().clone(), smallest.clone());

    let mut hits = BigRational::zero();
    for power in w.powers(protocol.steps().saturating_add(1))?.skip(1) {
        let row = power.row(source);
        let arriving: BigInt = observer.members().iter().map(|&member| &row[member]).sum();
        let probability = BigRational::new(arriving, power.denominator().clone());
        hits += &probability * &probability;
    }
    Ok(whole(nodes) * &inverse * inverse * hits)
}
