//! The paper's bounds for Muffliato-GD (Algorithm 3), in units of L with the sensitivity of the gradients.

use super::squared_share;
use crate::{ExactInteger, GossipMatrix, ReferenceError, check_source, rational::whole};
use muffliato_model::{Observer, Protocol, Schedule, Step};
use num_rational::Ratio;
use num_traits::{One, Zero};

/// How often the general bound applies the matrix of a past round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RoundExponent {
    /// K - 1 times, as printed.
    AsPrinted,
    /// K times, as the algorithm does.
    Full,
}

/// The bound of the main text (Theorem 6): `T^2 sum_{k<K} sum_{w in N(v)} (W^k)_{w,u}^2 / ||(W^k)_w||^2`
/// for T rounds of K steps on one fixed network.
pub fn gd_bound_simple<I: ExactInteger>(
    protocol: &Protocol,
    source: usize,
    observer: &Observer,
) -> Result<Ratio<I>, ReferenceError> {
    let formula = "the bound of the main text for gradient descent";
    check(protocol, source, observer)?;
    let network = protocol.fixed_network();
    let network = network.ok_or(ReferenceError::NotFixed { formula })?;
    let w = GossipMatrix::<I>::of_network(network)?;
    let senders = Step::Network(network).senders_to(observer.members());
    let sum = one_round(&w, &senders, source, protocol.gossip_steps());
    let rounds = Ratio::from_integer(whole(protocol.rounds())?);
    Ok(rounds.clone() * rounds * sum)
}

/// The bound of the appendix: `sum_t sum_{j>=t} sum_{k<K} sum_{w in N_j(v)}` of the squared share of u in
/// row w of `W_j^k prod_{i=t}^{j-1} W_i^{K-1}`, later rounds on the left; also with K in place of K - 1.
pub fn gd_bound_general<I: ExactInteger>(
    protocol: &Protocol,
    source: usize,
    observer: &Observer,
    exponent: RoundExponent,
) -> Result<Ratio<I>, ReferenceError> {
    check(protocol, source, observer)?;
    if matches!(protocol.schedule(), Schedule::EdgeSequence { .. }) {
        return Err(ReferenceError::NotSynchronous {
            formula: "the general bound for gradient descent",
        });
    }
    let (rounds, steps) = (protocol.rounds(), protocol.gossip_steps());
    let exponent = match exponent {
        RoundExponent::AsPrinted => steps - 1,
        RoundExponent::Full => steps,
    };
    let matrices = (0..rounds)
        .map(|round| GossipMatrix::<I>::of_step(protocol.step(round * steps)))
        .collect::<Result<Vec<_>, _>>()?;
    let mut sum = Ratio::zero();
    for t in 0..rounds {
        let mut carried = GossipMatrix::identity(protocol.nodes());
        for (j, w) in matrices.iter().enumerate().skip(t) {
            let senders = protocol.step(j * steps).senders_to(observer.members());
            let mut product = carried.clone();
            for k in 0..steps {
                if k > 0 {
                    product = w.times(&product);
                }
                for &sender in &senders {
                    sum += squared_share(product.row(sender), &[source]);
                }
            }
            carried = w.power(exponent).times(&carried);
        }
    }
    Ok(sum)
}

/// The proposition on colluders with time-varying graphs:
/// `2 sum_t ( beta_t + (1 - beta_t) K |N_t(V)| / (n - |N_t(V)|) )` over the rounds t, where `beta_t` is
/// 1 if the source is a neighbour of the observers in round t, else 0.
pub fn time_varying_coalition_gd<I: ExactInteger>(
    protocol: &Protocol,
    source: usize,
    observer: &Observer,
) -> Result<Ratio<I>, ReferenceError> {
    check(protocol, source, observer)?;
    let steps = protocol.gossip_steps();
    let mut sum = Ratio::zero();
    for round in 0..protocol.rounds() {
        let senders = protocol.step(round * steps).senders_to(observer.members());
        sum += if senders.contains(&source) {
            Ratio::one()
        } else {
            // The source is no sender, so fewer than all nodes are.
            let above: I = whole::<I>(steps)? * whole(senders.len())?;
            Ratio::new(above, whole(protocol.nodes() - senders.len())?)
        };
    }
    Ok(sum.clone() + sum)
}

/// `sum_{k<K} sum_{w in senders}` of the squared share of the source in row w of `W^k`.
fn one_round<I: ExactInteger>(
    w: &GossipMatrix<I>,
    senders: &[usize],
    source: usize,
    steps: usize,
) -> Ratio<I> {
    let mut sum = Ratio::zero();
    let mut power = GossipMatrix::identity(w.nodes());
    for k in 0..steps {
        if k > 0 {
            power = w.times(&power);
        }
        for &sender in senders {
            sum += squared_share(power.row(sender), &[source]);
        }
    }
    sum
}

fn check(protocol: &Protocol, source: usize, observer: &Observer) -> Result<(), ReferenceError> {
    observer.check(protocol.nodes())?;
    check_source(source, protocol.nodes(), observer)
}
