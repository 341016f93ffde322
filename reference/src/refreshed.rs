//! Closed forms for the refreshed protocol, which repair the paper's theorem.
//!
//! With fresh noise of standard deviation `tau sigma` at every step, `leakage = a^T G^+ a` is the
//! least squared norm of draws that explain the signal `a` of u in the view. Such draws are:
//! whenever a path of the gossip from u reaches, for the first time, a node w at a time t at which
//! w sends to the observer, inject what arrives there at (t, w). All later messages then carry the
//! signal by themselves. If u does not send its own input to the observer (a neighbour, which loses
//! all of it), only fresh draws are used, so that
//!
//! ```text
//! leakage(u -> v) <= [u in N_0(v)] / s_u^2 + sum_{t=1..T-1} sum_{w in N_t(v)} f_{t,w}^2 / tau_w^2 ,
//! ```
//!
//! where `f_{t,w}` is the probability that the random walk from u first meets the senders at time t
//! in w. As `f_{t,w} <= (W_{0:t})_{w,u}`, the bound also holds with the entries of the powers.
//! These draws do not change masks, so both bounds hold with masks, too;
//! [`masked_bound`](crate::masked_bound) uses them.

use crate::{
    ReferenceError,
    checks::{check_sources, check_work},
    process::{Gossip, State},
    rational::rational,
};
use muffliato_model::{Draw, Observer, Protocol};
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Zero};

/// Computes the first-passage bound on the leakage of a refreshed averaging protocol, in units of
/// L. It is proved, and at most [`refreshed_walk_bound`].
///
/// It holds for fixed, time-varying and randomized gossip, accelerated or not (where f may have
/// either sign), and for coalitions. It is not capped at 1.
///
/// # Errors
///
/// Returns [`ReferenceError::NotApplicable`] for other protocols, and an error for a source that
/// does not exist or observes.
///
/// ```
/// use muffliato_model::{Network, Observer, Protocol, WeightScheme, families};
/// use muffliato_reference::{Process, first_passage_bound};
///
/// let path = Network::try_new(families::path(3)?, WeightScheme::Metropolis)?;
/// let protocol = Protocol::one_shot(path, 2)?.refreshed("1/2".parse()?)?;
/// let observer = Observer::full(2);
/// // From node 0 the walk meets node 1 first at time 1 with probability 1/3: (1/2)^-2 (1/3)^2.
/// assert_eq!(first_passage_bound(&protocol, 0, &observer)?.to_string(), "4/9");
/// assert_eq!(Process::run(&protocol)?.view(&observer)?.leakage(0)?.to_string(), "4/13");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn first_passage_bound(
    protocol: &Protocol,
    source: usize,
    observer: &Observer,
) -> Result<BigRational, ReferenceError> {
    bound(protocol, source, observer, true)
}

/// Computes the walk bound on the leakage of a refreshed averaging protocol, in units of L. It is
/// proved for protocols that are not accelerated.
///
/// The bound is `[u in N_0(v)] / s_u^2 + sum_{t=1..T-1} sum_{w in N_t(v)} (W_{0:t})_{w,u}^2 / tau_w^2`:
/// the sum of Theorem 1 with `tau_w^2` in place of `||(W_{0:t})_w||^2`. It is not capped at 1.
///
/// # Errors
///
/// Returns [`ReferenceError::NotApplicable`] for other protocols, and an error for a source that
/// does not exist or observes.
pub fn refreshed_walk_bound(
    protocol: &Protocol,
    source: usize,
    observer: &Observer,
) -> Result<BigRational, ReferenceError> {
    if protocol.acceleration().is_some() {
        return Err(ReferenceError::NotApplicable {
            formula: "the walk bound",
            reason: "it is proved for plain gossip; use the first-passage bound",
        });
    }
    bound(protocol, source, observer, false)
}

/// Sums the squares of what arrives at the senders; with `absorbing`, the walk ends there.
fn bound(
    protocol: &Protocol,
    source: usize,
    observer: &Observer,
    absorbing: bool,
) -> Result<BigRational, ReferenceError> {
    let nodes = protocol.nodes();
    observer.check(nodes)?;
    check_sources(&[source], nodes, observer)?;
    check_work(nodes, nodes, protocol.steps())?;
    let refuse = ReferenceError::NotApplicable {
        formula: "the bound for refreshed protocols",
        reason: "it needs one round with fresh noise at every step of every node that the observer hears",
    };
    if !protocol.is_refreshed() || protocol.rounds() != 1 {
        return Err(refuse);
    }
    let mut start = State::zero(nodes, 1);
    start.numerators[source] = BigInt::one();
    let mut gossip = Gossip::new(protocol, start, 1)?;
    let mut sum = BigRational::zero();
    for t in 0..protocol.steps() {
        for w in protocol.step(t).senders_to(observer.members()) {
            let State { numerators, denominator } = &mut gossip.state;
            let shift = BigRational::new(numerators[w].clone(), denominator.clone());
            let variance = protocol.variance(Draw::Own { time: t, node: w });
            if !shift.is_zero() {
                if variance.is_zero() {
                    return Err(refuse);
                }
                sum += &shift * &shift / rational(variance);
            }
            if absorbing {
                numerators[w] = BigInt::zero();
            }
        }
        gossip.mix(t)?;
    }
    Ok(sum)
}
