//! The paper's bounds for gradient descent, and a later form of one.

use super::{descent_search, descent_smallest};
use crate::claims::{
    Claim, ClaimError, Verdict, Weight,
    error::confirm,
    hand_check,
    instances::{descent, graph_name, graphs, of_source, one_shot, single_observers, view, whole},
    search::{Bound, each_source},
    witness::Comparison,
};
use muffliato_fast::bounds::{PaperBounds, RoundExponent as FastExponent};
use muffliato_model::{Observer, Protocol};
use muffliato_reference::{
    BigRational, Process,
    bounds::{RoundExponent, gd_bound_general, gd_bound_simple},
    order,
};
use num_traits::Zero;

/// The bound of the main text ignores what later rounds pass on.
pub(in crate::claims) const MAIN_TEXT: Claim = Claim {
    id: "gd-main-text",
    place: "Theorem 6",
    weight: Weight::Theorem,
    statement: "After T rounds of K steps the loss is at most T^2 times Theorem 1's sum over one \
                round.",
    method: "The exact loss of every pair (with gradients as inputs, which is what the theorem \
             accounts for) is computed for up to 3 rounds of up to 3 steps on all connected \
             graphs up to 5 nodes, until one exceeds the bound. One round is Theorem 1, so the \
             search starts with two.",
    decide: || Verdict::of_search(descent_search(&SIMPLE)),
};

/// The bound of the appendix, as printed and with the exponent of the algorithm.
pub(in crate::claims) const APPENDIX: Claim = Claim {
    id: "gd-appendix",
    place: "Theorem 11 (Appendix F.2)",
    weight: Weight::Theorem,
    statement: "The loss is at most the sum over rounds t and j >= t and steps k < K of Theorem \
                1's charges for the matrix that carries round t to step k of round j: as printed, \
                W^(K-1) for each round in between.",
    method: "The exact loss of every pair (with gradients as inputs) is computed for 2 to 3 \
             rounds of up to 3 steps on all connected graphs up to 5 nodes, until one exceeds the \
             bound as printed; then with W^K for each round in between, which is what the \
             algorithm does.",
    decide: || {
        let found = descent_search(&AS_PRINTED)?;
        let also = descent_search(&FULL)?;
        let found = found.zip(also).map(|(found, mut also)| {
            also.instance.setting += ", with W^K";
            found.and_also(Some(also))
        });
        Verdict::of_search(Ok(found))
    },
};

/// For one step per round, no violation of the appendix's bound with the corrected exponent is
/// known.
pub(in crate::claims) const ONE_STEP: Claim = Claim {
    id: "gd-appendix-one-step",
    place: "Theorem 11 with W^K, for K = 1",
    weight: Weight::Theorem,
    statement: "With one gossip step per round the loss is at most the appendix's sum with W^K \
                for each round in between.",
    method: "The exact loss of every pair (with gradients as inputs) is computed for 2 to 4 \
             rounds on all connected graphs up to 5 nodes.",
    decide: || {
        one_step(|protocol, source, observer| (FULL.exact)(protocol, &[source], observer))?;
        Ok(Verdict::Open {
            search:
                "no violation in 2 to 4 rounds of one step on all connected graphs up to 5 nodes"
                    .into(),
        })
    },
};

/// The unsquared form holds: it exceeds the first-passage bound.
pub(in crate::claims) const LATER: Claim = Claim {
    id: "gd-later-form",
    place: "A later form of Theorem 11 for K = 1, in public use as the authors' correction",
    weight: Weight::Theorem,
    statement: "With one gossip step per round the loss is at most min(T, sum over s < T of (T - \
                s) times the sum over the neighbours w of v of (W^s)_uw / ||(W^s)_w||^2), where \
                the entry is not squared.",
    method: "This is a theorem, for the input model and for every loss whose gradient steps do \
             not expand. Let f_s,w be the probability that the walk from u first meets the \
             neighbours of v at time s in w. The alibi that absorbs what arrives there costs the \
             sum over j < T and w of F_w(j)^2, where F_w(j) = sum over s <= j of f_s,w. F_w(j) is \
             at most 1, so the cost is at most the sum over s of (T - s) sum over w of f_s,w; \
             f_s,w is at most (W^s)_uw, and rows of W^s have norm at most 1. The exact losses of \
             every pair, for 2 to 4 rounds on all connected graphs up to 5 nodes, are below the \
             bound.",
    decide: || {
        let pairs = one_step(later_form)?;
        Ok(Verdict::holds(format!(
            "{pairs} pairs, 2 to 4 rounds of one step on connected graphs up to 5 nodes"
        )))
    },
};

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
                    confirm(order(&view.loss(&source)?.scalar, &most).is_le(), case)?;
                    pairs += 1;
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
pub(in crate::claims) const MAIN_TEXT_FOLLOWS: Claim = Claim {
    id: "gd-main-text-follows",
    place: "Appendix F.2, end of the proof of Theorem 11",
    weight: Weight::Remark,
    statement: "On a fixed graph Theorem 6 follows directly from Theorem 11: T^2 times the \
                charges of one round are at least the appendix's sum.",
    method: "Both bounds are computed as fractions, Theorem 11 with its exponent K - 1, for every \
             pair, 2 to 3 rounds of up to 3 steps on all connected graphs up to 5 nodes, until \
             the appendix's is larger.",
    decide: main_text_follows,
};

fn main_text_follows() -> Result<Verdict, ClaimError> {
    Verdict::of_search(descent_smallest(|graph, protocol, place| {
        for observer in single_observers(graph)? {
            for source in each_source(graph, &observer) {
                let claimed = (SIMPLE.exact)(protocol, &source, &observer)?;
                let actual = (AS_PRINTED.exact)(protocol, &source, &observer)?;
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
                        (SIMPLE.fast)(protocol, &source, &observer)?,
                        (AS_PRINTED.fast)(protocol, &source, &observer)?,
                    ];
                    let instance = place.clone().of_sources(&source).towards(&observer);
                    Ok((instance, lines, fast))
                })?;
            }
        }
        Ok(())
    }))
}

/// Theorem 6.
const SIMPLE: Bound = Bound {
    exact: |protocol, sources, observer| Ok(gd_bound_simple(protocol, sources[0], observer)?),
    fast: |protocol, sources, observer| {
        let all = PaperBounds::of(protocol)?.gd_simple_all(observer)?;
        of_source(&all, sources[0])
    },
    by_message: false,
};

/// Theorem 11 with W^(K-1).
pub(super) const AS_PRINTED: Bound = Bound {
    exact: |protocol, sources, observer| {
        let exponent = RoundExponent::AsPrinted;
        Ok(gd_bound_general(protocol, sources[0], observer, exponent)?)
    },
    fast: |protocol, sources, observer| {
        let bounds = PaperBounds::of(protocol)?;
        let all = bounds.gd_general_all(observer, FastExponent::AsPrinted)?;
        of_source(&all, sources[0])
    },
    by_message: false,
};

/// Theorem 11 with W^K.
pub(super) const FULL: Bound = Bound {
    exact: |protocol, sources, observer| {
        let exponent = RoundExponent::Full;
        Ok(gd_bound_general(protocol, sources[0], observer, exponent)?)
    },
    fast: |protocol, sources, observer| {
        let bounds = PaperBounds::of(protocol)?;
        let all = bounds.gd_general_all(observer, FastExponent::Full)?;
        of_source(&all, sources[0])
    },
    by_message: false,
};
