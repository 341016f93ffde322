//! The absorption bound against the exact engine.

use muffliato_fast::{AbsorptionBounds, FastError};
use muffliato_model::{
    Absorption, Fraction, Graph, GraphSpec, Lipschitz, Network, Observer, Protocol, WeightScheme,
};
use muffliato_reference::{BigRational, Process, absorption_bound};
use num_traits::ToPrimitive;
use proptest::prelude::*;

fn karate(rounds: usize) -> Protocol {
    let graph = "karate".parse::<GraphSpec>().unwrap().build().unwrap();
    let network = Network::try_new(graph, WeightScheme::Metropolis).unwrap();
    Protocol::gradient_descent(network, rounds, 1).unwrap()
}

/// First passage, and the optimum to four digits, of 10 rounds.
#[test]
fn the_karate_club_reaches_the_optimum() {
    let protocol = karate(10);
    for (source, observer, first, best) in [
        (33, 3, 0.132, 0.1045),
        (16, 3, 0.217, 0.1765),
        (0, 16, 0.192, 0.1422),
    ] {
        let observer = Observer::full(observer);
        let bounds = AbsorptionBounds::of(&protocol, &observer, &Lipschitz::default()).unwrap();
        let found = bounds.first_passage_all(&()).unwrap()[source].unwrap();
        assert!((found - first).abs() < 5e-4, "{source}: {found}");
        let (found, plans) = bounds.best(&[source], &()).unwrap();
        assert!((found - best).abs() <= 5e-5, "{source}: {found}");
        let convex = Lipschitz::default();
        let exact = absorption_bound(&protocol, &[source], &observer, &convex, &plans).unwrap();
        let exact = exact.to_f64().unwrap();
        assert!(
            found >= exact && found < exact * (1.0 + 1e-12),
            "{found} {exact}"
        );
    }
}

#[derive(Clone, Debug)]
struct Case {
    protocol: Protocol,
    observer: Observer,
    source: usize,
    reactions: Vec<Fraction>,
}

fn case() -> impl Strategy<Value = Case> {
    let sizes = (3_usize..7, 1_usize..5, 1_usize..4, 1_usize..4, 0_u8..16);
    (sizes, prop::collection::vec(any::<u8>(), 80)).prop_map(
        |((nodes, rounds, gossip, every, kind), numbers)| {
            let network = |from: usize| {
                let pairs = (0..nodes).flat_map(|u| (u + 1..nodes).map(move |v| (u, v)));
                let chosen = pairs.zip(&numbers[from..]).filter(|(_, n)| **n % 3 > 0);
                let graph = Graph::try_new(nodes, chosen.map(|(pair, _)| pair)).unwrap();
                let weights = match numbers[from] % 2 {
                    0 => WeightScheme::MaxDegreeInverse,
                    _ => WeightScheme::Metropolis,
                };
                Network::try_new(graph, weights).unwrap()
            };
            let protocol = match kind % 4 {
                0 => Protocol::gradient_descent_on(
                    (0..rounds).map(|r| network(5 * r)).collect(),
                    gossip,
                ),
                _ => Protocol::gradient_descent(network(0), rounds, gossip),
            };
            let mut protocol = protocol.unwrap().every(every).unwrap();
            if kind / 4 % 2 == 0 {
                protocol = protocol.refreshed("1/3".parse().unwrap()).unwrap();
            }
            if kind / 8 == 0 {
                protocol = protocol.accelerated("5/4".parse().unwrap()).unwrap();
            }
            let observer = usize::from(numbers[70]) % nodes;
            let source = (observer + 1 + usize::from(numbers[71]) % (nodes - 1)) % nodes;
            let other = usize::from(numbers[72]) % nodes;
            // At the ends of [-1, 1], most of them.
            let reaction = |n: &u8| match n % 8 {
                0..=3 => Fraction::ONE,
                4..=6 => Fraction::integer(-1),
                _ => Fraction::try_new(i128::from(*n) - 128, 128).unwrap(),
            };
            Case {
                protocol,
                observer: match other == source {
                    true => Observer::full(observer),
                    false => Observer::coalition([observer, other]).unwrap(),
                },
                source,
                reactions: numbers[40..40 + nodes].iter().map(reaction).collect(),
            }
        },
    )
}

fn at_least(upper: f64, exact: &BigRational) -> bool {
    BigRational::from_float(upper).is_some_and(|upper| upper >= *exact)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    /// The best and the first-passage choice, for the losses themselves, with reactions within the constants.
    #[test]
    fn never_below_the_exact_loss_with_reaction(case in case()) {
        let tight = case.reactions.iter().map(|factor| factor.abs()).collect();
        let tight = Lipschitz::of_nodes(tight).unwrap();
        let reacting = case.protocol.clone().reacting(case.reactions.clone()).unwrap();
        let view = Process::run(&reacting).unwrap().view(&case.observer).unwrap();
        let exact = view.leakage(case.source).unwrap();
        let bounds = AbsorptionBounds::of(&case.protocol, &case.observer, &tight).unwrap();
        let (best, plans) = bounds.best(&[case.source], &()).unwrap();
        let first = bounds.first_passage_all(&()).unwrap()[case.source].unwrap();
        prop_assert!(at_least(best, &exact), "{best} {exact}");
        prop_assert!(best <= first * (1.0 + 1e-12) && first <= bounds.local());
        // The same numbers as in fractions, rounded up.
        let (source, observer) = ([case.source], &case.observer);
        let in_fractions = |plans: &[Absorption]| {
            absorption_bound(&case.protocol, &source, observer, &tight, plans).unwrap()
        };
        let same = |upper: f64, exact: BigRational| {
            let near = exact.to_f64().unwrap();
            at_least(upper, &exact) && upper <= near * (1.0 + 1e-12) + 1e-300
        };
        let first_plan = Absorption::first_passage(&case.protocol, observer).unwrap();
        let forward = bounds.of_plans(&source, std::slice::from_ref(&first_plan)).unwrap();
        let exact_first = in_fractions(&[first_plan]);
        prop_assert!(same(best, in_fractions(&plans)));
        prop_assert!(same(forward, exact_first.clone()));
        let local = BigRational::from_float(bounds.local()).unwrap();
        prop_assert!(same(first, if exact_first < local { exact_first } else { local }), "{first}");
    }
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
        assert!(bounds.best(sources, &()).unwrap().0 <= found);
    }
    let first = bounds.first_passage_all(&()).unwrap();
    assert!(first[0].is_none() && first[1].unwrap() <= 1.0);
}

#[test]
fn what_is_heard_is_refused() {
    let protocol = karate(2);
    let bounds =
        AbsorptionBounds::of(&protocol, &Observer::full(3), &Lipschitz::default()).unwrap();
    let nothing = Absorption::try_new(&protocol, []).unwrap();
    let refused = bounds.of_plans(&[0], &[nothing]);
    assert!(matches!(
        refused,
        Err(FastError::NotAbsorbed { time: 0, node: 0 })
    ));
    assert!(matches!(bounds.best(&[], &()), Err(FastError::NoSource)));
    assert!(matches!(
        bounds.best(&[3], &()),
        Err(FastError::SourceObserves { node: 3 })
    ));
    let few = Lipschitz::of_nodes(vec![Fraction::ONE]).unwrap();
    assert!(AbsorptionBounds::of(&protocol, &Observer::full(3), &few).is_err());
}
