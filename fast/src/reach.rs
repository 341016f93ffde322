//! Leakages that are known without arithmetic.
//!
//! - A source that no chain of messages connects to the observers in time has leakage exactly 0. On
//!   a fixed network these are the sources beyond distance T.
//! - Without masks, a node u with a single input that sends it to an observer before mixing has
//!   leakage exactly `1 / s_u^2`, which is infinite without noise. On a fixed network these are the
//!   neighbours.
//! - Any other leakage lies between 0 and `1 / s_u^2` times the number of rounds.

use crate::{Approximation, Enclosure, Loss, UNIT_ROUNDOFF, checks};
use muffliato_model::{Draw, Observer, Participation, Protocol, Schedule, Step};

/// Encloses `1 / s_u^2`, the local loss of one input of `node`.
fn local_ends(protocol: &Protocol, node: usize) -> Enclosure {
    let variance = protocol.variance(Draw::Own { time: 0, node });
    if variance.is_zero() {
        return Enclosure::exact(f64::INFINITY);
    }
    if variance == muffliato_model::Fraction::ONE {
        return Enclosure::exact(1.0);
    }
    let inverse = 1.0 / checks::float(variance);
    let spread = 8.0 * UNIT_ROUNDOFF;
    let ends = Enclosure::try_new(inverse * (1.0 - spread), inverse * (1.0 + spread));
    ends.unwrap_or(Enclosure::UNKNOWN)
}

/// Bounds the sum of `1 / s^2` over all inputs of these sources.
pub(crate) fn local_loss(
    protocol: &Protocol,
    sources: &[usize],
    participation: &Participation,
) -> f64 {
    let each: Vec<f64> = sources.iter().map(|&u| local_ends(protocol, u).upper()).collect();
    let (mut sum, mut count) = (0.0, 0);
    for (_, member) in participation.inputs() {
        sum += each[member];
        count += 1;
    }
    let whole = each.iter().all(|&loss| loss == 1.0);
    if whole { sum } else { sum * (1.0 + 2.0 * f64::from(count) * UNIT_ROUNDOFF) }
}

/// Returns certified ends of the leakage of every node of a protocol.
pub(crate) fn certain_ends(protocol: &Protocol, observer: &Observer) -> Vec<Enclosure> {
    let reached = reached(protocol, observer);
    let rounds = protocol.rounds_of_phase(0).count() as f64;
    let most = |u: usize| match local_ends(protocol, u).upper() {
        1.0 => rounds,
        local => (local * rounds).next_up(),
    };
    let mut ends: Vec<Enclosure> = reached
        .into_iter()
        .enumerate()
        .map(|(u, reached)| match Enclosure::try_new(0.0, most(u)) {
            Some(any) if reached => any,
            _ => Enclosure::exact(0.0),
        })
        .collect();
    if protocol.rounds() == 1 && protocol.masks().is_none() {
        for w in heard_at_once(protocol, observer) {
            ends[w] = local_ends(protocol, w);
        }
    }
    ends
}

/// Returns the losses known without arithmetic, and the non-observers whose loss is still unknown.
pub(crate) fn certain_losses(
    protocol: &Protocol,
    observer: &Observer,
) -> (Vec<Option<Loss>>, Vec<usize>) {
    let model = protocol.loss_model();
    let ends = certain_ends(protocol, observer).into_iter().enumerate();
    let losses: Vec<Option<Loss>> = ends
        .map(|(u, ends)| {
            let known = !observer.contains(u)
                && (ends.lower() == ends.upper() || ends.relative_width() < 1e-12);
            let leakage = Approximation { estimate: ends.upper(), certified: ends };
            known.then(|| Loss::of_one_input(leakage, model))
        })
        .collect();
    let open = |&u: &usize| losses[u].is_none() && !observer.contains(u);
    let unknown = (0..losses.len()).filter(open).collect();
    (losses, unknown)
}

/// Returns for each node whether a message to the observers can depend on its input. A node for
/// which none can loses nothing, in any arithmetic.
///
/// ```
/// use muffliato_fast::reached;
/// use muffliato_model::{GraphSpec, Network, Observer, Protocol, WeightScheme};
///
/// let path = Network::try_new("path:4".parse::<GraphSpec>()?.build()?, WeightScheme::Metropolis)?;
/// let protocol = Protocol::one_shot(path, 2)?.masked("3".parse()?)?;
/// assert_eq!(reached(&protocol, &Observer::full(0))[1..], [true, true, false]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn reached(protocol: &Protocol, observer: &Observer) -> Vec<bool> {
    let steps = protocol.steps();
    if let Schedule::Fixed(network) = protocol.schedule() {
        let distances = network.graph().distances_from_any(observer.members());
        let near = |distance: Option<usize>| distance.is_some_and(|distance| distance <= steps);
        return distances.into_iter().map(near).collect();
    }
    let mut reached = vec![false; protocol.nodes()];
    for t in (0..steps).rev() {
        match protocol.step(t) {
            Step::Network(network) => {
                let before = reached.clone();
                for (u, v) in network.graph().edges() {
                    reached[u] |= before[v];
                    reached[v] |= before[u];
                }
            }
            Step::EdgeAverage { edge: (u, v), .. } => {
                let either = reached[u] || reached[v];
                (reached[u], reached[v]) = (either, either);
            }
        }
        for w in protocol.step(t).senders_to(observer.members()) {
            reached[w] = true;
        }
    }
    reached
}

/// Returns the nodes that send to an observer before mixing.
fn heard_at_once(protocol: &Protocol, observer: &Observer) -> Vec<usize> {
    let steps = match protocol.schedule() {
        Schedule::Fixed(_) => 1,
        // A node that draws again has more noise than at first.
        _ if protocol.is_refreshed() => 1,
        _ => protocol.steps(),
    };
    // A sum hides its terms.
    if observer.sees_sums() {
        return Vec::new();
    }
    let mut untouched = vec![true; protocol.nodes()];
    let mut heard = Vec::new();
    for t in 0..steps {
        let senders = protocol.step(t).senders_to(observer.members());
        heard.extend(senders.into_iter().filter(|&w| untouched[w]));
        match protocol.step(t) {
            Step::Network(network) => {
                for (w, untouched) in untouched.iter_mut().enumerate() {
                    *untouched &= network.graph().degree(w) == 0;
                }
            }
            Step::EdgeAverage { edge: (u, v), .. } => {
                untouched[u] = false;
                untouched[v] = false;
            }
        }
    }
    heard
}
