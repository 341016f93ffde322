//! The absorption bound on known cases; the conformance crate checks on random ones that it is
//! never below the exact loss.

use crate::fixtures::{exactly, network};
use muffliato_certificate::{Certificate, Claim, Flow, Law, Proof, absorption_bound};
use muffliato_fast::{AbsorptionBounds, FastError, MaskFlow, MaskedBounds};
use muffliato_model::{Absorption, Fraction, GraphSpec, Lipschitz, Observer, Protocol};
use muffliato_reference::BigRational;
use num_traits::{ToPrimitive, Zero};

fn karate(rounds: usize) -> Protocol {
    Protocol::gradient_descent(network("karate"), rounds, 1).unwrap()
}

/// First passage, and the optimum to four digits, of 10 rounds.
#[test]
fn the_karate_club_reaches_the_optimum() {
    let protocol = karate(10);
    for (source, observer, first, best) in
        [(33, 3, 0.132, 0.1045), (16, 3, 0.217, 0.1765), (0, 16, 0.192, 0.1422)]
    {
        let observer = Observer::full(observer);
        let bounds = AbsorptionBounds::of(&protocol, &observer, &Lipschitz::default()).unwrap();
        let found = bounds.first_passage_all().unwrap()[source].unwrap();
        assert!((found - first).abs() < 5e-4, "{source}: {found}");
        let (found, plans) = bounds.best(&[source]).unwrap();
        assert!((found - best).abs() <= 5e-5, "{source}: {found}");
        let convex = Lipschitz::default();
        let exact = absorption_bound(&protocol, &[source], &observer, &convex, &plans).unwrap();
        let exact = exact.to_f64().unwrap();
        assert!(found >= exact && found < exact * (1.0 + 1e-12), "{found} {exact}");
    }
}

fn at_least(upper: f64, exact: &BigRational) -> bool {
    exactly(upper) >= *exact
}

/// Half of the arrivals at the source move on, and a quarter from there: equal to the exact bound,
/// rounded up.
#[test]
fn flows_cost_their_exact_cost_rounded_up() {
    for spec in ["ring:6", "complete:5", "karate"] {
        let protocol = Protocol::gradient_descent(network(spec), 3, 1).unwrap();
        let protocol = protocol.masked("3/2".parse().unwrap()).unwrap();
        let (observer, convex) = (Observer::full(0), Lipschitz::default());
        let bounds = AbsorptionBounds::of(&protocol, &observer, &convex).unwrap();
        let first = Absorption::first_passage(&protocol, &observer).unwrap();
        let way = match spec {
            "karate" => [33, 32, 22],
            _ => [2, 3, 4],
        };
        let moves = [(way[0], way[1], 0.5), (way[1], way[2], 0.25)];
        let mut flows = Vec::new();
        for round in 0..3 {
            for (from, to, amount) in moves {
                flows.push(MaskFlow { round, from, to, amount });
            }
        }
        let flow = |(from, to, amount)| Flow { from, to, amount: exactly(amount) };
        let certificate = Certificate {
            protocol: protocol.clone(),
            noise: Law::Gaussian,
            observer: observer.clone(),
            sources: vec![way[0]],
            claim: Claim::AtMost(BigRational::zero()),
            proof: Proof::Absorption {
                lipschitz: convex.clone(),
                grid: 1024,
                plans: vec![first.clone()],
                flows: vec![vec![moves.map(flow).to_vec()]],
            },
        };
        let exact = certificate.proved().unwrap();
        let found = bounds.of_flows(&way[..1], &first, &flows).unwrap();
        assert!(at_least(found, &exact), "{spec}: {found} below {exact}");
        assert!(found <= exact.to_f64().unwrap() * (1.0 + 1e-12), "{spec}: {found} {exact}");
    }
}

/// Both methods together beat each alone: SPEC's 0.92 of the smaller one on average.
#[test]
fn flows_gain_where_both_bounds_are_similar() {
    let masked = karate(10).masked(Fraction::ONE).unwrap();
    let observer = Observer::full(3);
    let bounds = AbsorptionBounds::of(&masked, &observer, &Lipschitz::default()).unwrap();
    let states = MaskedBounds::of(&masked).unwrap();
    for source in [16, 33, 25] {
        let found = bounds.best_with_masks(&[source]).unwrap().0;
        let absorbed = bounds.best(&[source]).unwrap().0;
        let smaller = states.bound(&[source], &observer).unwrap().upper().min(absorbed);
        assert!(found < 0.95 * smaller, "{source}: {found} of {smaller}");
    }
    let plain = AbsorptionBounds::of(&karate(2), &observer, &Lipschitz::default()).unwrap();
    let refused = plain.best_with_masks(&[16]);
    assert!(matches!(refused, Err(FastError::NotApplicable { .. })));
}

#[test]
fn averages_of_edges_and_groups() {
    let graph = "path:4".parse::<GraphSpec>().unwrap().build().unwrap();
    let protocol =
        Protocol::randomized(graph, vec![(2, 3), (1, 2), (0, 1), (2, 3), (1, 2), (0, 1)]);
    let protocol = protocol.unwrap().refreshed("1/2".parse().unwrap()).unwrap();
    let (observer, convex) = (Observer::full(0), Lipschitz::default());
    let bounds = AbsorptionBounds::of(&protocol, &observer, &convex).unwrap();
    let first = [Absorption::first_passage(&protocol, &observer).unwrap()];
    for sources in [&[3][..], &[2, 3]] {
        let exact = absorption_bound(&protocol, sources, &observer, &convex, &first).unwrap();
        let found = bounds.of_plans(sources, &first).unwrap();
        assert!(at_least(found, &exact) && found < exact.to_f64().unwrap() * (1.0 + 1e-12));
        assert!(bounds.best(sources).unwrap().0 <= found);
    }
    let first = bounds.first_passage_all().unwrap();
    assert!(first[0].is_none() && first[1].unwrap() <= 1.0);
}

#[test]
fn heard_deviations_and_bad_input_are_refused() {
    let protocol = karate(2);
    let bounds =
        AbsorptionBounds::of(&protocol, &Observer::full(3), &Lipschitz::default()).unwrap();
    let nothing = Absorption::try_new(&protocol, []).unwrap();
    let refused = bounds.of_plans(&[0], &[nothing]);
    assert!(matches!(refused, Err(FastError::NotAbsorbed { time: 0, node: 0 })));
    assert!(matches!(bounds.best(&[]), Err(FastError::NoSource)));
    assert!(matches!(bounds.best(&[3]), Err(FastError::SourceObserves { node: 3 })));
    let few = Lipschitz::of_nodes(vec![Fraction::ONE]).unwrap();
    assert!(AbsorptionBounds::of(&protocol, &Observer::full(3), &few).is_err());
}
