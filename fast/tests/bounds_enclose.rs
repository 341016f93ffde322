//! Every enclosure of the fast engine holds the exact value of the reference, for protocols of every kind.

use muffliato_fast::{
    Enclosure, FastError,
    bounds::{PaperBounds, RefreshedBounds, RoundExponent, erdos_renyi_bound},
};
use muffliato_model::{Fraction, Graph, Network, Observer, Protocol, WeightScheme};
use muffliato_reference::{GossipMatrix, PaperBounds as Exact, Process, bounds as exact, rational};
use num_bigint::BigInt;
use num_rational::{BigRational, Ratio};
use num_traits::Zero;
use proptest::prelude::*;

#[track_caller]
fn assert_holds(enclosure: Enclosure, exact: &BigRational) {
    let lower = Ratio::from_float(enclosure.lower()).expect("finite");
    let upper = Ratio::from_float(enclosure.upper()).expect("finite");
    let inside = lower <= *exact && *exact <= upper;
    assert!(inside, "{exact} is outside {enclosure:?}");
    assert!(enclosure.relative_width() < 1e-12, "{enclosure:?} is wide");
    let both_zero = exact.is_zero() == (enclosure.upper() == 0.0);
    assert!(both_zero, "{enclosure:?}, {exact}");
}

fn schemes() -> impl Strategy<Value = WeightScheme> {
    prop::sample::select(vec![
        "metropolis",
        "max-degree-inverse",
        "lazy",
        "lazy:max-degree-inverse",
    ])
    .prop_map(|text| text.parse().expect("a scheme"))
}

/// Networks on `nodes` nodes, edges present with probability 1/2, isolated nodes included.
fn networks(nodes: usize) -> impl Strategy<Value = Network> {
    let pairs = nodes * (nodes - 1) / 2;
    (prop::collection::vec(any::<bool>(), pairs), schemes()).prop_map(move |(present, scheme)| {
        let all = (0..nodes).flat_map(|v| (0..v).map(move |u| (u, v)));
        let edges = all.zip(present).filter(|&(_, present)| present);
        let graph = Graph::try_new(nodes, edges.map(|(edge, _)| edge)).expect("a graph");
        Network::try_new(graph, scheme).expect("a network")
    })
}

fn observers(nodes: usize) -> impl Strategy<Value = Observer> {
    prop::collection::vec(0..nodes, 1..nodes)
        .prop_map(|members| Observer::coalition(members).expect("members"))
}

/// Averaging protocols: fixed, varying or randomized.
fn averaging(nodes: usize) -> impl Strategy<Value = Protocol> {
    let complete = (0..nodes).flat_map(move |v| (0..v).map(move |u| (u, v)));
    let complete: Vec<_> = complete.collect();
    prop_oneof![
        (networks(nodes), 1..7_usize)
            .prop_map(|(network, steps)| Protocol::one_shot(network, steps)),
        prop::collection::vec(networks(nodes), 1..6).prop_map(Protocol::time_varying),
        prop::collection::vec(prop::sample::select(complete.clone()), 1..12).prop_map(
            move |edges| {
                let graph = Graph::try_new(nodes, complete.clone()).expect("a graph");
                Protocol::randomized(graph, edges)
            }
        ),
    ]
    .prop_map(|protocol| protocol.expect("a protocol"))
}

fn descending(nodes: usize) -> impl Strategy<Value = Protocol> {
    prop_oneof![
        (networks(nodes), 1..4_usize, 1..4_usize).prop_map(|(network, rounds, steps)| {
            Protocol::gradient_descent(network, rounds, steps)
        }),
        (prop::collection::vec(networks(nodes), 1..4), 1..4_usize)
            .prop_map(|(networks, steps)| Protocol::gradient_descent_on(networks, steps)),
    ]
    .prop_map(|protocol| protocol.expect("a protocol"))
}

fn averaging_seen() -> impl Strategy<Value = (Protocol, Observer)> {
    (2..8_usize).prop_flat_map(|nodes| (averaging(nodes), observers(nodes)))
}

fn outside(observer: &Observer, nodes: usize) -> Vec<usize> {
    (0..nodes).filter(|&u| !observer.contains(u)).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn theorem_1_for_one_observer((protocol, observer) in averaging_seen()) {
        let nodes = protocol.nodes();
        let exact = Exact::of(&protocol).unwrap();
        let fast = PaperBounds::of(&protocol).unwrap();
        let expected = exact.pairwise_all(&observer).unwrap();
        let found = fast.pairwise_all(&observer, &()).unwrap();
        for u in 0..nodes {
            assert_holds(found[u], &expected[u]);
        }
        let mean = fast.mean_loss(&observer, &()).unwrap();
        assert_holds(mean, &exact.mean_loss(&observer).unwrap());
        let sources = outside(&observer, nodes);
        if !sources.is_empty() {
            let group = fast.group(&sources, &observer, &()).unwrap();
            assert_holds(group, &exact.group(&sources, &observer).unwrap());
            let one = fast.pairwise(sources[0], &observer, &()).unwrap();
            prop_assert_eq!(one, found[sources[0]]);
        }
    }

    #[test]
    fn theorem_1_for_one_source_and_all_pairs(protocol in (2..12_usize).prop_flat_map(averaging)) {
        let nodes = protocol.nodes();
        let exact = Exact::of(&protocol).unwrap();
        let fast = PaperBounds::of(&protocol).unwrap();
        let pairs = fast.all_pairs(&()).unwrap();
        let columns: Vec<_> = (0..nodes).map(|u| fast.from_source(u, &()).unwrap()).collect();
        for v in 0..nodes {
            let expected = exact.pairwise_all(&Observer::full(v)).unwrap();
            for u in 0..nodes {
                assert_holds(pairs.get(u, v).unwrap(), &expected[u]);
                assert_holds(columns[u][v], &expected[u]);
            }
            prop_assert_eq!(pairs.observed_by(v)[0], pairs.from_source(0)[v]);
        }
        prop_assert_eq!(pairs.get(nodes, 0), None);
        prop_assert_eq!(pairs.get(0, nodes), None);
    }

    #[test]
    fn the_mean_loss_identity_is_enclosed((protocol, observer) in averaging_seen()) {
        let fast = PaperBounds::of(&protocol).unwrap();
        let found = fast.pairwise_all(&observer, &()).unwrap();
        let messages = protocol.messages_to(&observer).unwrap();
        let exactly = |end: f64| BigRational::from_float(end).unwrap();
        let lower: BigRational = found.iter().map(|f| exactly(f.lower())).sum();
        let upper: BigRational = found.iter().map(|f| exactly(f.upper())).sum();
        let messages = Ratio::from_integer(BigInt::from(messages));
        prop_assert!(lower <= messages && messages <= upper);
    }

    #[test]
    fn corollary_1(
        (network, steps, observer) in (2..8_usize)
            .prop_flat_map(|nodes| (networks(nodes), 1..6_usize, observers(nodes)))
    ) {
        let protocol = Protocol::one_shot(network, steps).unwrap();
        let fast = PaperBounds::of(&protocol).unwrap();
        for u in outside(&observer, protocol.nodes()) {
            let found = fast.random_walk(u, &observer, &());
            match exact::random_walk_bound(&protocol, u, &observer) {
                Ok(expected) => assert_holds(found.unwrap(), &expected),
                Err(_) => assert!(matches!(found, Err(FastError::NoNeighbour { .. }))),
            }
        }
    }

    #[test]
    fn gradient_descent(
        (protocol, observer) in (2..7_usize)
            .prop_flat_map(|nodes| (descending(nodes), observers(nodes)))
    ) {
        let fast = PaperBounds::of(&protocol).unwrap();
        let exponents = [
            (RoundExponent::AsPrinted, exact::RoundExponent::AsPrinted),
            (RoundExponent::Full, exact::RoundExponent::Full),
        ];
        for u in outside(&observer, protocol.nodes()) {
            for (ours, theirs) in exponents {
                let found = fast.gd_general_all(&observer, ours, &()).unwrap()[u];
                let expected = exact::gd_bound_general(&protocol, u, &observer, theirs);
                assert_holds(found, &expected.unwrap());
            }
            let found = fast.time_varying_coalition_gd(u, &observer).unwrap();
            let expected = exact::time_varying_coalition_gd(&protocol, u, &observer);
            assert_holds(found, &expected.unwrap());
            let found = fast.gd_simple_all(&observer, &());
            match exact::gd_bound_simple(&protocol, u, &observer) {
                Ok(expected) => assert_holds(found.unwrap()[u], &expected),
                Err(_) => assert!(matches!(found, Err(FastError::NotApplicable { .. }))),
            }
        }
    }

    #[test]
    fn closed_forms_of_refreshed_protocols_bound_the_leakage(
        (protocol, observer) in (2..6_usize)
            .prop_flat_map(|nodes| (averaging(nodes), observers(nodes))),
        tau in prop::sample::select(vec!["1/10", "1/3", "1", "7/2"]),
    ) {
        let tau: Fraction = tau.parse().unwrap();
        let nodes = protocol.nodes();
        let protocol = protocol.refreshed(tau).unwrap();
        let fast = RefreshedBounds::of(&protocol).unwrap();
        let walk = fast.walk_all(&observer, &()).unwrap();
        let first = fast.first_passage_all(&observer, &()).unwrap();
        let view = Process::run(&protocol).unwrap().view(&observer).unwrap();
        for u in 0..nodes {
            if observer.contains(u) {
                prop_assert_eq!(first[u], Enclosure::exact(1.0));
                continue;
            }
            let [by_walk, by_passage] = refreshed_forms(&protocol, tau, &observer, u);
            assert_holds(walk[u], &by_walk);
            assert_holds(first[u], &by_passage);
            prop_assert!(view.leakage(u).unwrap() <= by_passage);
            prop_assert!(by_passage <= by_walk);
            prop_assert_eq!(fast.walk(u, &observer, &()).unwrap(), walk[u]);
            prop_assert_eq!(fast.first_passage(u, &observer, &()).unwrap(), first[u]);
        }
    }
}

/// The walk and the first-passage bound in exact fractions, forwards in time, capped at 1.
fn refreshed_forms(
    protocol: &Protocol,
    tau: Fraction,
    observer: &Observer,
    source: usize,
) -> [BigRational; 2] {
    let nodes = protocol.nodes();
    let one = Ratio::from_integer(BigInt::from(1));
    let tau = rational(tau);
    let square = tau.clone() * tau;
    [false, true].map(|absorbing| {
        let mut sum = BigRational::zero();
        let mut x = vec![BigRational::zero(); nodes];
        x[source] = one.clone();
        for t in 0..protocol.steps() {
            for w in protocol.step(t).senders_to(observer.members()) {
                let scale = if t == 0 { &one } else { &square };
                sum += x[w].clone() * x[w].clone() / scale;
                if absorbing {
                    x[w] = Ratio::zero();
                }
            }
            let matrix = GossipMatrix::of_step(protocol.step(t)).unwrap();
            let mixed = |v: usize| {
                let terms = matrix.numerators()[v * matrix.nodes()..(v + 1) * matrix.nodes()]
                    .iter()
                    .zip(&x);
                let terms = terms.map(|(above, x)| Ratio::from_integer(above.clone()) * x);
                terms.sum::<BigRational>() / matrix.denominator()
            };
            x = (0..nodes).map(mixed).collect();
        }
        sum.min(one.clone())
    })
}

#[test]
fn the_theorem_on_random_graphs() {
    let fraction = |text: &str| text.parse::<Fraction>().unwrap();
    let exactly = |text| rational(text);
    for (nodes, members, degree, steps, q) in [
        (10, 1, 3, 4, "1/10"),
        (1000, 30, 400, 17, "0.007"),
        (5, 2, 0, 1, "0"),
        (5, 4, 1, 9, "1"),
    ] {
        let (q, noise, alpha) = (fraction(q), fraction("1"), fraction("3/2"));
        let found = erdos_renyi_bound(nodes, members, degree, steps, q, noise, alpha).unwrap();
        let expected = exact::erdos_renyi_bound(
            nodes,
            members,
            degree,
            steps,
            &exactly(q),
            &exactly(noise),
            &exactly(alpha),
        )
        .unwrap();
        assert_holds(found.neighbour_probability, &expected.neighbour_probability);
        assert_holds(found.neighbour, &expected.neighbour);
        assert_holds(found.stranger, &expected.stranger);
    }
    let refused = |members, degree, q, noise, alpha| {
        let [q, noise, alpha] = [q, noise, alpha].map(fraction);
        let error = erdos_renyi_bound(9, members, degree, 3, q, noise, alpha);
        error.unwrap_err().to_string()
    };
    assert!(refused(1, 1, "-1/2", "1", "2").starts_with("q is -1/2"));
    assert!(refused(1, 1, "3/2", "1", "2").starts_with("q is 3/2"));
    assert!(refused(1, 1, "1/2", "1", "1").starts_with("alpha is 1"));
    assert!(refused(1, 1, "1/2", "99/100", "2").contains("alpha (alpha - 1) / 2"));
    assert!(refused(9, 0, "1/2", "1", "2").starts_with("members is 9"));
    assert!(refused(2, 8, "1/2", "1", "2").starts_with("degree is 8"));
    let long = "1/170141183460469231731687303715884105727";
    assert!(refused(1, 1, "1/2", long, "3/2").contains("simpler"));
}
