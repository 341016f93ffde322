//! Closed forms that the accountant does not report, and their variants.

use super::{Answer, Answers, Quantity, Refusal, SUMS, exactly, one};
use crate::case::Case;
use muffliato_certificate::absorption_bound;
use muffliato_fast::bounds as fast;
use muffliato_fast::{AbsorptionBounds, Enclosure, FastError, MaskedBounds};
use muffliato_model::{Absorption, AbsorptionError, Draw, Fraction, Lipschitz, Observer, Protocol};
use muffliato_reference::{
    BigRational, PaperBounds, Process, ReferenceError, bounds, masked_bound, rational,
    refreshed_walk_bound,
};
use num_traits::One;

/// Wraps sums of non-negative numbers, which have tight enclosures.
fn sums(numbers: Result<Vec<Enclosure>, FastError>) -> Answers {
    let numbers = numbers?.into_iter();
    Ok(numbers.map(|number| Answer::from(number).claiming(SUMS)).collect())
}

/// Selects the numbers of the sources, which do not observe.
fn outside(case: &Case, all: Result<Vec<Enclosure>, FastError>) -> Answers {
    sums(all.map(|all| case.sources().into_iter().map(|u| all[u]).collect()))
}

/// Compares Theorem 1, its consequences, and the theorem on random graphs.
pub(super) fn paper(case: &Case) -> Vec<Quantity> {
    let Case { protocol, observer, group, .. } = case;
    let exact = || PaperBounds::of(protocol);
    let certified = || fast::PaperBounds::of(protocol);
    vec![
        Quantity::new(
            "Theorem 1 for every node, observers included",
            exactly(exact().and_then(|bounds| bounds.pairwise_all(observer))),
            sums(certified().and_then(|bounds| bounds.pairwise_all(observer))),
        ),
        Quantity::new(
            "the paper's mean loss",
            one(exact().and_then(|bounds| bounds.mean_loss(observer))),
            sums(certified().and_then(|bounds| Ok(vec![bounds.mean_loss(observer)?]))),
        ),
        Quantity::new(
            "the group bound",
            one(exact().and_then(|bounds| bounds.group(group, observer))),
            sums(certified().and_then(|bounds| Ok(vec![bounds.group(group, observer)?]))),
        ),
        random_graph(case),
    ]
}

/// Compares the probability of a neighbour and the bounds for neighbours and for other nodes.
fn random_graph(case: &Case) -> Quantity {
    let (given, members) = (case.parameters(), case.observer.members());
    let (nodes, steps) = (case.protocol.nodes(), case.protocol.steps());
    let (count, degree) = (members.len(), case.protocol.step(0).senders_to(members).len());
    let (q, alpha) = (given.edge_probability, given.alpha);
    let noise = BigRational::from_integer(64.into());
    let exact = bounds::erdos_renyi_bound(
        nodes,
        count,
        degree,
        steps,
        &rational(q),
        &noise,
        &rational(alpha),
    );
    let exact = match exact {
        Err(ReferenceError::BadParameter { .. }) => Err(Refusal::NotApplicable),
        found => exactly(
            found.map(|found| vec![found.neighbour_probability, found.neighbour, found.stranger]),
        ),
    };
    let noise = Fraction::integer(64);
    let certified = match fast::erdos_renyi_bound(nodes, count, degree, steps, q, noise, alpha) {
        Err(FastError::BadParameter { .. }) => Err(Refusal::NotApplicable),
        found => sums(
            found.map(|found| vec![found.neighbour_probability, found.neighbour, found.stranger]),
        ),
    };
    Quantity::new("the theorem on private random graphs", exact, certified)
}

/// Compares Theorem 1 for every pair, computed in two ways: `f(u, v)` at `u n + v`.
pub(super) fn all_pairs(case: &Case) -> Vec<Quantity> {
    let (protocol, nodes) = (&case.protocol, case.protocol.nodes());
    let exact = || {
        let bounds = PaperBounds::of(protocol)?;
        let by_observer = (0..nodes).map(|v| bounds.pairwise_all(&Observer::full(v)));
        let by_observer = by_observer.collect::<Result<Vec<_>, _>>()?;
        let pairs = (0..nodes * nodes).map(|k| by_observer[k % nodes][k / nodes].clone());
        Ok(pairs.collect())
    };
    let exact = exactly(exact());
    let at_once = fast::PaperBounds::of(protocol).and_then(|bounds| bounds.all_pairs());
    let by_source = || {
        let bounds = fast::PaperBounds::of(protocol)?;
        let rows = (0..nodes).map(|u| bounds.from_source(u));
        Ok(rows.collect::<Result<Vec<_>, _>>()?.concat())
    };
    vec![
        Quantity::new(
            "Theorem 1 for all pairs at once",
            exact.clone(),
            sums(at_once.map(|pairs| {
                let all = (0..nodes * nodes).map(|k| pairs.get(k / nodes, k % nodes));
                all.flatten().collect()
            })),
        ),
        Quantity::new("Theorem 1 source by source", exact, sums(by_source())),
    ]
}

/// Compares the paper's bounds for gradient descent.
pub(super) fn gradient_descent(case: &Case) -> Vec<Quantity> {
    let Case { protocol, observer, .. } = case;
    let certified = || fast::PaperBounds::of(protocol);
    let appendix = |exponent| {
        exactly(case.each(|u| bounds::gd_bound_general(protocol, u, observer, exponent)))
    };
    let certified_appendix = |exponent| {
        let all = certified().and_then(|bounds| bounds.gd_general_all(observer, exponent));
        outside(case, all)
    };
    vec![
        Quantity::of_sources(
            "the bound of the main text",
            exactly(case.each(|u| bounds::gd_bound_simple(protocol, u, observer))),
            outside(case, certified().and_then(|bounds| bounds.gd_simple_all(observer))),
        ),
        Quantity::of_sources(
            "the bound of the appendix with exponent K - 1",
            appendix(bounds::RoundExponent::AsPrinted),
            certified_appendix(fast::RoundExponent::AsPrinted),
        ),
        Quantity::of_sources(
            "the bound of the appendix with exponent K",
            appendix(bounds::RoundExponent::Full),
            certified_appendix(fast::RoundExponent::Full),
        ),
        Quantity::new(
            "the proposition on colluders with time-varying graphs",
            exactly(case.each(|u| bounds::time_varying_coalition_gd(protocol, u, observer))),
            sums(case.each(|u| certified()?.time_varying_coalition_gd(u, observer))),
        ),
    ]
}

/// Compares the walk bound for refreshed protocols, which the fast engine caps at 1.
pub(super) fn refreshed(case: &Case) -> Vec<Quantity> {
    let Case { protocol, observer, .. } = case;
    let capped = |bound: Result<BigRational, ReferenceError>| Ok(bound?.min(BigRational::one()));
    let certified = || fast::RefreshedBounds::of(protocol);
    vec![Quantity::of_sources(
        "the walk bound",
        exactly(case.each(|u| capped(refreshed_walk_bound(protocol, u, observer)))),
        outside(case, certified().and_then(|bounds| bounds.walk_all(observer))),
    )]
}

/// Relative excess allowed for an absorption bound, which only rounds up.
const ABSORBED: f64 = 1e-10;

/// Returns Lipschitz constants of the steps: 1, one half, more than one, or different ones for each
/// node.
fn constants(case: &Case) -> Result<Lipschitz, AbsorptionError> {
    let ratio = |above, below| Fraction::try_new(above, below).unwrap_or(Fraction::ONE);
    match case.seed % 4 {
        0 => Ok(Lipschitz::default()),
        1 => Lipschitz::everywhere(ratio(1, 2)),
        2 => Lipschitz::everywhere(ratio(9, 8)),
        _ => {
            let of = |node: usize| ratio((case.seed >> (2 * node % 60)) as i128 & 3, 2);
            Lipschitz::of_nodes((0..case.protocol.nodes()).map(of).collect())
        }
    }
}

/// Returns the protocol with linear reactions at the extremes of the constants, with arbitrary
/// signs.
fn at_the_ends(case: &Case, steps: &Lipschitz) -> Result<Protocol, ReferenceError> {
    let constants = steps.constants(&case.protocol)?.into_iter().enumerate();
    let signed = constants.map(|(node, constant)| match case.seed >> (node % 64) & 1 {
        0 => constant,
        _ => {
            let (above, below) = (constant.numerator(), constant.denominator());
            Fraction::try_new(-above, below).unwrap_or(constant)
        }
    });
    Ok(case.protocol.clone().reacting(signed.collect())?)
}

/// Compares a number that the fast engine also claims to be at most `most`.
fn at_most(name: &'static str, number: Answers, most: f64) -> Quantity {
    // Without such an end, the answer contradicts every number.
    let nothing = Answer::rounded_up(f64::NAN, 0.0);
    let below = Enclosure::try_new(0.0, most).map_or(nothing, Answer::from);
    Quantity::new(name, number, Ok(vec![below]))
}

/// Compares the absorption bound for one source and for the group: by first passage, and with the
/// best fractions of the fast engine, checked exactly, with flows along masks as well. The bound is
/// never below the exact loss with reactions at the extremes of the constants, and never above the
/// bound that it improves on. Also compares the bound for masked protocols.
pub(super) fn ours(case: &Case) -> Vec<Quantity> {
    let Case { protocol, observer, group, .. } = case;
    let steps = match constants(case) {
        Ok(steps) => steps,
        Err(error) => {
            let refused = Refusal::Other(error.to_string());
            return vec![Quantity::new("constants", Ok(Vec::new()), Err(refused))];
        }
    };
    let rounds = BigRational::from_integer(protocol.rounds_of_phase(0).count().into());
    let local = |node| &rounds / rational(protocol.variance(Draw::Own { time: 0, node }));
    let exact = |sources: &[usize], plans: &[Absorption]| -> Result<BigRational, Refusal> {
        let reacting = at_the_ends(case, &steps)?;
        Ok(absorption_bound(&reacting, sources, observer, &steps, plans)?)
    };
    let first_passage = |u: usize| -> Result<Answer, Refusal> {
        let plan = Absorption::first_passage(protocol, observer).map_err(ReferenceError::from)?;
        Ok(Answer::exact(exact(&[u], &[plan])?.min(local(u))))
    };
    let fast = || AbsorptionBounds::of(protocol, observer, &steps);
    let up = |bound: f64| Answer::rounded_up(bound, ABSORBED);
    let all = || -> Answers {
        let all = fast()?.first_passage_all()?;
        Ok(all.into_iter().flatten().map(up).collect())
    };
    let mut found = vec![
        Quantity::of_sources("absorption by first passage", case.each(first_passage), all()),
        Quantity::new(
            "the bound for masked protocols",
            one(masked_bound(protocol, group, observer)),
            sums(MaskedBounds::of(protocol).and_then(|all| Ok(vec![all.bound(group, observer)?]))),
        ),
    ];
    let single = case.sources().first().copied();
    for sources in single.map(|u| vec![u]).into_iter().chain([group.clone()]) {
        let Ok((bound, plans)) = fast().and_then(|bounds| bounds.best(&sources)) else {
            continue;
        };
        found.push(Quantity::new(
            "absorption with the fast engine's fractions",
            one(exact(&sources, &plans)),
            Ok(vec![up(bound)]),
        ));
        let loss = |protocol: Protocol| -> Answers {
            let view = Process::run(&protocol)?.view(observer)?;
            Ok(vec![Answer::exact(view.loss(&sources)?.scalar)])
        };
        let number = |number: f64| Ok(vec![Answer::from(Enclosure::exact(number))]);
        let reacting = at_the_ends(case, &steps);
        let reacting = || reacting.clone().map_err(Refusal::from);
        found.push(at_most(
            "losses with reactions, below absorption",
            reacting().and_then(|protocol| loss(protocol.without_masks())),
            bound,
        ));
        let first = fast().and_then(|bounds| bounds.first_passage_all());
        if let ([u], Ok(first)) = (&sources[..], first)
            && let Some(first) = first[*u]
        {
            let most = first * (1.0 + 1e-12);
            found.push(at_most("absorption, below first passage", number(bound), most));
        }
        let states = MaskedBounds::of(protocol).and_then(|bounds| bounds.bound(&sources, observer));
        if let (Ok((flows, _)), Ok(states)) =
            (fast().and_then(|bounds| bounds.best_with_masks(&sources)), states)
        {
            found.push(at_most(
                "losses with masks and reactions, below flows",
                reacting().and_then(loss),
                flows,
            ));
            let most = states.upper().min(bound) * (1.0 + 1e-9);
            found.push(at_most("flows, below both bounds", number(flows), most));
        }
    }
    found
}
