//! The paper's bounds for Muffliato-GD (Algorithm 3), in units of L with the sensitivity of the
//! gradients.

use super::squared_share;
use crate::{
    GossipMatrix, ReferenceError,
    checks::{check_sources, check_work},
    rational::whole,
};
use muffliato_model::{Network, Observer, Protocol, Step};
use num_rational::BigRational;
use num_traits::{One, Zero};

/// The power of the matrix of a past round in the general bound.
///
/// ```
/// use muffliato_model::{Network, Observer, Protocol, WeightScheme, families};
/// use muffliato_reference::bounds::{RoundExponent, gd_bound_general};
///
/// let path = Network::try_new(families::path(3)?, WeightScheme::Metropolis)?;
/// let protocol = Protocol::gradient_descent(path, 2, 1)?;
/// let bound = |exponent| gd_bound_general(&protocol, 2, &Observer::full(0), exponent);
/// assert_eq!(bound(RoundExponent::AsPrinted)?.to_string(), "0"); // W^0 between the rounds
/// assert_eq!(bound(RoundExponent::Full)?.to_string(), "1/3"); // W^1
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RoundExponent {
    /// K - 1, as printed.
    AsPrinted,
    /// K, as in the algorithm.
    Full,
}

/// Computes the bound of the main text (Theorem 6),
/// `T^2 sum_{k<K} sum_{w in N(v)} (W^k)_{w,u}^2 / ||(W^k)_w||^2`, for T rounds of K steps on one
/// fixed network.
///
/// # Errors
///
/// Returns an error for other protocols, and for a source that does not exist or observes.
pub fn gd_bound_simple(
    protocol: &Protocol,
    source: usize,
    observer: &Observer,
) -> Result<BigRational, ReferenceError> {
    check(protocol, source, observer)?;
    let Some(network) = protocol.fixed_network() else {
        return Err(ReferenceError::NotApplicable {
            formula: "the bound of the main text for gradient descent",
            reason: "it is about one fixed network; use the general bound",
        });
    };
    let w = GossipMatrix::of_network(network)?;
    let senders = Step::Network(network).senders_to(observer.members());
    let mut sum = BigRational::zero();
    for power in w.powers(protocol.gossip_steps())? {
        sum += charged(&power, &senders, source);
    }
    let rounds = whole(protocol.rounds());
    Ok(&rounds * &rounds * sum)
}

/// Computes the bound of the appendix: `sum_t sum_{j>=t} sum_{k<K} sum_{w in N_j(v)}` of the
/// squared share of u in row w of `W_j^k prod_{i=t}^{j-1} W_i^{K-1}`, later rounds on the left;
/// also with K in place of K - 1.
///
/// It is stated for one network per round.
///
/// # Errors
///
/// Returns an error for other protocols, and for a source that does not exist or observes.
pub fn gd_bound_general(
    protocol: &Protocol,
    source: usize,
    observer: &Observer,
    exponent: RoundExponent,
) -> Result<BigRational, ReferenceError> {
    check(protocol, source, observer)?;
    let (nodes, rounds, steps) = (protocol.nodes(), protocol.rounds(), protocol.gossip_steps());
    check_work(nodes.saturating_mul(nodes), rounds.saturating_mul(rounds), steps)?;
    let exponent = match exponent {
        RoundExponent::AsPrinted => steps - 1,
        RoundExponent::Full => steps,
    };
    // For each round: its senders, W^0..W^{K-1}, and the product for later rounds.
    let mut stages = Vec::with_capacity(rounds);
    for round in 0..rounds {
        let network = round_network(protocol, round)?;
        let w = GossipMatrix::of_network(network)?;
        let senders = Step::Network(network).senders_to(observer.members());
        let powers: Vec<_> = w.powers(steps)?.collect();
        stages.push((senders, powers, w.power(exponent)?));
    }
    let mut sum = BigRational::zero();
    for t in 0..rounds {
        let mut carried: Option<GossipMatrix> = None;
        for (senders, powers, through) in &stages[t..] {
            for power in powers {
                let product = carried.as_ref().map(|carried| power.times(carried));
                sum += charged(product.as_ref().unwrap_or(power), senders, source);
            }
            carried = Some(match carried {
                Some(carried) => through.times(&carried),
                None => through.clone(),
            });
        }
    }
    Ok(sum)
}

/// Computes the bound of the proposition on colluders with time-varying graphs:
/// `2 sum_t ( beta_t + (1 - beta_t) K |N_t(V)| / (n - |N_t(V)|) )` over the rounds t, where
/// `beta_t` is 1 if the source is a neighbour of the observers in round t, else 0. It is stated for
/// one network per round. As printed, a loss can exceed it (see the ledger).
///
/// # Errors
///
/// Returns an error for other protocols, and for a source that does not exist or observes.
pub fn time_varying_coalition_gd(
    protocol: &Protocol,
    source: usize,
    observer: &Observer,
) -> Result<BigRational, ReferenceError> {
    check(protocol, source, observer)?;
    let (nodes, rounds) = (protocol.nodes(), protocol.rounds());
    check_work(nodes, rounds, 1)?;
    let mut sum = BigRational::zero();
    for round in 0..rounds {
        let step = Step::Network(round_network(protocol, round)?);
        let senders = step.senders_to(observer.members());
        sum += if senders.contains(&source) {
            BigRational::one()
        } else {
            // The source is not a sender, so not all nodes are.
            whole(protocol.gossip_steps()) * whole(senders.len()) / whole(nodes - senders.len())
        };
    }
    Ok(whole(2) * sum)
}

/// Returns the charge of the source for the messages of `senders`.
fn charged(product: &GossipMatrix, senders: &[usize], source: usize) -> BigRational {
    let shares = senders.iter().map(|&sender| squared_share(product.row(sender), &[source]));
    shares.sum()
}

fn round_network(protocol: &Protocol, round: usize) -> Result<&Network, ReferenceError> {
    protocol.round_network(round).ok_or(ReferenceError::NotApplicable {
        formula: "the bound for gradient descent",
        reason: "it is about rounds of one network each; this protocol changes it within a round",
    })
}

fn check(protocol: &Protocol, source: usize, observer: &Observer) -> Result<(), ReferenceError> {
    observer.check(protocol.nodes())?;
    protocol.uniform()?;
    check_sources(&[source], protocol.nodes(), observer).map(|_| ())
}
