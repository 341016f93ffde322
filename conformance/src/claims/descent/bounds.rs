//! The paper's bounds for gradient descent, and a later form of one.

use super::{descent_search, descent_smallest};
use crate::claims::prelude::*;

/// The bound of the main text ignores what later rounds pass on.
pub(in crate::claims) fn main_text() -> Result<Verdict, ClaimError> {
    Verdict::of_search(descent_search(Bound::DescentSimple))
}

/// The bound of the appendix, as printed and with the exponent of the algorithm.
pub(in crate::claims) fn gd_appendix() -> Result<Verdict, ClaimError> {
    let found = descent_search(Bound::DescentAsPrinted)?;
    let also = descent_search(Bound::DescentFull)?;
    let found = found.zip(also).map(|(found, mut also)| {
        also.instance.setting += ", with W^K";
        found.and_also(Some(also))
    });
    Verdict::of_search(Ok(found))
}

/// For one step per round, no violation of the appendix's bound with the corrected exponent is
/// known.
pub(in crate::claims) fn gd_appendix_one_step() -> Result<Verdict, ClaimError> {
    one_step(|protocol, u, observer| Bound::DescentFull.exact(protocol, &[u], observer))?;
    Ok(Verdict::open(
        "no violation in 2 to 4 rounds of one step on all connected graphs up to 5 nodes",
    ))
}

/// The unsquared form holds: it exceeds the first-passage bound.
pub(in crate::claims) fn gd_later_form() -> Result<Verdict, ClaimError> {
    let pairs = one_step(later_form)?;
    Ok(Verdict::holds(format!(
        "{pairs} pairs, 2 to 4 rounds of one step on connected graphs up to 5 nodes"
    )))
}

/// Counts the pairs in 2 to 4 rounds of one step on connected graphs up to 5 nodes if none loses
/// more than the bound.
fn one_step(
    bound: impl Fn(&Protocol, usize, &Observer) -> Result<BigRational, ClaimError>,
) -> Result<usize, ClaimError> {
    let mut pairs = 0;
    for graph in graphs(5) {
        for rounds in 2..=4 {
            let protocol = descent(&graph, rounds, 1)?;
            for observer in single_observers(&graph)? {
                let view = view(&protocol, &observer)?;
                for source in each_source(&graph, &observer) {
                    let most = bound(&protocol, source[0], &observer)?;
                    let case = || format!("{}, {rounds} rounds, {observer}", graph_name(&graph));
                    pairs += confirm(order(&view.loss(&source)?.scalar, &most).is_le(), case)?;
                }
            }
        }
    }
    Ok(pairs)
}

/// `min(T, sum_s (T - s) sum_w (W^s)_uw / ||(W^s)_w||^2)`.
fn later_form(protocol: &Protocol, u: usize, v: &Observer) -> Result<BigRational, ClaimError> {
    let rounds = protocol.rounds();
    let Some(network) = protocol.fixed_network() else {
        return Ok(whole(rounds));
    };
    let powers = Process::run(&Protocol::one_shot(network.clone(), rounds)?)?;
    let mut sum = BigRational::zero();
    for s in 0..rounds {
        for w in protocol.step(0).senders_to(v.members()) {
            let row = powers.coefficients(s, w).unwrap_or_default();
            let norm: BigRational = row.iter().map(|entry| entry * entry).sum();
            sum += whole(rounds - s) * &row[u] / norm;
        }
    }
    Ok(sum.min(whole(rounds)))
}

/// The bound of the main text does not follow from that of the appendix.
pub(in crate::claims) fn main_text_follows() -> Result<Verdict, ClaimError> {
    Verdict::of_search(descent_smallest(|graph, protocol, place| {
        for observer in single_observers(graph)? {
            for source in each_source(graph, &observer) {
                let (simple, general) = (Bound::DescentSimple, Bound::DescentAsPrinted);
                let claimed = simple.exact(protocol, &source, &observer)?;
                let actual = general.exact(protocol, &source, &observer)?;
                Comparison::at_most(actual, claimed).search(|| {
                    let (rounds, k) = (protocol.rounds(), protocol.gossip_steps());
                    let powers = one_shot(graph, (k - 1) * (rounds - 1) + k)?;
                    let mut lines = vec![format!(
                        "{} times the charges at t < {k} are Theorem 6; those at t = {}(j-i) + k are Theorem 11, over all \
                         rounds i <= j and k < {k}",
                        rounds * rounds,
                        k - 1
                    )];
                    lines.extend(hand_check::charges(&powers, &source, &observer)?);
                    lines.pop(); // their sum
                    let fast = [
                        simple.fast(protocol, &source, &observer)?,
                        general.fast(protocol, &source, &observer)?,
                    ];
                    let instance = place.clone().of_sources(&source).towards(&observer);
                    Ok((instance, lines, fast))
                })?;
            }
        }
        Ok(())
    }))
}
