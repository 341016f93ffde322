//! Muffliato on an Erdos-Renyi graph that the observer does not know.

use crate::{ReferenceError, checks::require, rational::whole};
use num_rational::BigRational;
use num_traits::{One, Pow, Signed};

/// The two cases of the theorem on private random graphs, in units of L.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ErdosRenyiBound {
    /// The probability that the source is a neighbour of the observers: `1 - (1-q)^|V|`.
    pub neighbour_probability: BigRational,
    /// The bound for a neighbour: 1, no amplification.
    pub neighbour: BigRational,
    /// The bound for all other nodes: `2 T d / (n - d)`.
    pub stranger: BigRational,
}

/// Largest number of observers for which the probability is computed; its digits grow with their
/// number.
const MAX_MEMBERS: usize = 10_000;

/// Computes the bounds of the theorem on private random graphs (Theorem 4) and of its corollary for
/// coalitions: `members` observers with `degree` distinct neighbours outside, among `nodes` nodes,
/// after `steps` steps on an Erdos-Renyi graph with edge probability `q`. For one observer it is a
/// theorem. For more it can be too small (see the ledger), and `2 (T-1) d / (n - |V| - d)` holds.
///
/// The theorem needs `sigma^2 >= Delta^2 alpha (alpha - 1) / 2`, given as
/// `noise = sigma^2 / Delta^2` and `alpha`.
///
/// # Errors
///
/// Returns an error for parameters outside their ranges.
pub fn erdos_renyi_bound(
    nodes: usize,
    members: usize,
    degree: usize,
    steps: usize,
    q: &BigRational,
    noise: &BigRational,
    alpha: &BigRational,
) -> Result<ErdosRenyiBound, ReferenceError> {
    let one = BigRational::one();
    let probability = !q.is_negative() && *q <= one;
    require(probability, "q", q, "a probability lies in [0, 1]")?;
    require(*alpha > one, "alpha", alpha, "it must be above 1")?;
    let enough = noise * whole(2) >= alpha * (alpha - &one);
    let expected = "the theorem needs at least alpha (alpha - 1) / 2";
    require(enough, "sigma^2 / Delta^2", noise, expected)?;
    let some = 1 <= members && members < nodes && members <= MAX_MEMBERS;
    let expected = "observers must be at least 1, fewer than the nodes and at most 10000";
    require(some, "members", &members, expected)?;
    let expected = "observers have at most all other nodes as neighbours";
    require(degree <= nodes - members, "degree", &degree, expected)?;
    Ok(ErdosRenyiBound {
        neighbour_probability: &one - (&one - q).pow(members as u32),
        neighbour: one,
        stranger: whole(2) * whole(steps) * whole(degree) / whole(nodes - degree),
    })
}
