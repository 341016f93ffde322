//! Multiprecision enclosures of one-shot leakage and of gradient descent, and attacks from below,
//! against the exact reference.

use crate::fixtures::{contains, fraction, graph, network, one_shot};
use muffliato_fast::{
    CertifiedView, Enclosure, FastError, GramView, MultiprecisionLimits, OneShot, OneShotOptions,
};
use muffliato_model::{Graph, Network, Observer, Protocol, WeightScheme};
use muffliato_reference::Process;
use num_rational::BigRational;
use num_traits::ToPrimitive;
use std::collections::BTreeSet;

fn certify(protocol: &Protocol, observer: &Observer) -> CertifiedView {
    CertifiedView::of(protocol, observer, &MultiprecisionLimits::default()).unwrap()
}

/// Checks that every enclosure contains the exact leakage and is narrow, and that the rank is
/// exact.
fn compare(protocol: &Protocol, observer: &Observer) -> CertifiedView {
    let process = Process::run(protocol).unwrap();
    let exact = process.view(observer).unwrap();
    let view = certify(protocol, observer);
    assert_eq!(view.rank(), exact.rank());
    for (u, exact) in exact.leakages().unwrap().into_iter().enumerate() {
        let Some(exact) = exact else {
            assert!(view.losses()[u].is_none());
            continue;
        };
        let certified = view.losses()[u].unwrap().scalars.certified;
        assert!(contains(&certified, &exact), "{u}: {exact} {certified:?}");
        assert!(certified.upper() - certified.lower() <= 1e-12);
    }
    view
}

#[test]
fn the_karate_club_and_the_hypercube_are_enclosed() {
    // Some messages depend on others, and each dependence has to be proved, which takes more
    // digits.
    for v in [0, 3, 11, 33] {
        let view = compare(&one_shot("karate", 6), &Observer::full(v));
        assert!(view.rank() < 34);
        if v == 0 {
            assert!(view.precision() > 256);
        }
    }
    compare(&one_shot("karate", 4), &Observer::coalition([4, 25]).unwrap());
    compare(&one_shot("karate", 5), &Observer::paper(16));
    let view = compare(&one_shot("hypercube:6", 8), &Observer::full(0));
    assert_eq!(view.rank(), 32);
}

#[test]
fn a_message_that_depends_on_others_is_not_followed() {
    // The other leaves of a star are interchangeable: after three messages there is nothing new,
    // and 97 more steps take no time and no digits.
    let view = certify(&one_shot("star:12", 100), &Observer::full(5));
    assert_eq!((view.rank(), view.precision()), (3, 256));
    compare(&one_shot("star:12", 12), &Observer::full(5));
}

#[test]
fn a_tiny_direction_is_found() {
    // On a path with Metropolis weights, W^t e_1 is new at distance t + 1 only, with weight 3^-t:
    // 2^-204 for the last message. The end of the path learns every node up to distance T.
    let (nodes, steps) = (140, 130);
    let view = certify(&one_shot(&format!("path:{nodes}"), steps), &Observer::full(0));
    assert_eq!(view.rank(), steps + 1);
    assert!(view.precision() > 256);
    for u in 1..nodes {
        let expected = if u <= steps { 1.0 } else { 0.0 };
        let found = view.losses()[u].unwrap().scalars.certified;
        assert!(found.contains(expected), "{u}");
    }
}

/// Checks the estimates of a view against its enclosures.
fn estimates_are_near(protocol: &Protocol, observer: &Observer) {
    let certified = certify(protocol, observer);
    let estimate = OneShot::try_new(protocol, OneShotOptions::default()).unwrap();
    let estimate = estimate.towards(observer).unwrap();
    assert_eq!(estimate.rank(), certified.rank());
    for u in (0..protocol.nodes()).filter(|&u| !observer.contains(u)) {
        let estimate = estimate.losses()[u].unwrap().scalars;
        let certified = certified.losses()[u].unwrap().scalars.certified;
        let off = (estimate.estimate - certified.value()).abs();
        assert!(off < 1e-9, "{u}: {estimate:?} {certified:?}");
        assert!(estimate.certified.lower() <= certified.lower());
        assert!(certified.upper() <= estimate.certified.upper());
    }
}

#[test]
fn estimates_lie_near_the_enclosures_on_larger_graphs() {
    // More nodes than a slab has rows, and a frontier that grows from slab to slab.
    let protocol = one_shot("erdos-renyi:1500:c=2:seed=1:connected", 4);
    estimates_are_near(&protocol, &Observer::full(2));
}

#[test]
fn converged_directions_do_not_come_back() {
    // The averaging direction has long converged: without the pass over the whole basis, rounding
    // would bring it back as a new direction.
    let protocol = one_shot("erdos-renyi:300:c=2:seed=1:connected", 24);
    let graph = protocol.fixed_network().unwrap().graph();
    let loneliest = (0..300).min_by_key(|&v| graph.degree(v)).unwrap();
    estimates_are_near(&protocol, &Observer::full(loneliest));
}

/// Checks attacks on every source: none is stronger than the exact leakage, and the best of small
/// views come near it.
fn attacks_are_below(protocol: &Protocol, observer: &Observer, gap: f64) {
    let exact = Process::run(protocol).unwrap().view(observer).unwrap();
    let one_shot = OneShot::try_new(protocol, OneShotOptions::default()).unwrap();
    let attacked = one_shot.attacked(observer).unwrap();
    for u in (0..protocol.nodes()).filter(|&u| !observer.contains(u)) {
        let exact = exact.leakage(u).unwrap();
        let ends = attacked.losses()[u].unwrap().scalars.certified;
        assert!(contains(&ends, &exact), "{u}: {exact} {ends:?}");
        let least = ends.lower() + gap;
        let near = BigRational::from_float(least).unwrap() >= exact;
        assert!(near, "{u}: {exact} {ends:?}");
    }
}

#[test]
fn attacks_come_near_the_leakage_from_below() {
    for (graph, steps) in [("karate", 5), ("hypercube:5", 7), ("path:9", 8)] {
        attacks_are_below(&one_shot(graph, steps), &Observer::full(0), 1e-6);
    }
    let accelerated = one_shot("karate", 4).accelerated("3/2".parse().unwrap());
    attacks_are_below(&accelerated.unwrap(), &Observer::full(33), 1e-6);
    attacks_are_below(&one_shot("karate", 4), &Observer::paper(16), 1e-6);
    let pair = Observer::coalition([4, 25]).unwrap();
    attacks_are_below(&one_shot("karate", 4), &pair, 1e-6);
}

#[test]
fn attacks_on_changing_networks() {
    let graphs = ["ring:8", "path:8", "star:8", "hypercube:3", "ring:8"];
    let varying = Protocol::time_varying(graphs.map(network).to_vec()).unwrap();
    attacks_are_below(&varying, &Observer::full(3), 1e-6);
    attacks_are_below(&varying, &Observer::paper(3), 1e-6);
    let accelerated = varying.accelerated("5/4".parse().unwrap()).unwrap();
    attacks_are_below(&accelerated, &Observer::full(5), 1e-6);
    let edges = vec![(0, 1), (1, 2), (3, 4), (2, 3), (1, 2), (0, 1), (2, 3), (1, 2), (0, 1)];
    let randomized = Protocol::randomized(graph("path:5"), edges).unwrap();
    attacks_are_below(&randomized, &Observer::full(0), 1e-6);
}

/// 64 steps along a path: the last directions take coefficients beyond the range of floats, and
/// nothing is claimed of them.
#[test]
fn unresolvable_directions_are_not_claimed() {
    let protocol = one_shot("path:80", 64);
    attacks_are_below(&protocol, &Observer::full(0), 1.0);
    let one_shot = OneShot::try_new(&protocol, OneShotOptions::default()).unwrap();
    let attacked = one_shot.attacked(&Observer::full(0)).unwrap();
    let proved = |u: usize| attacked.losses()[u].unwrap().scalars.certified.lower();
    assert!(proved(5) > 0.999_999 && proved(64) < 0.5);
}

/// More nodes than a slab has rows, against the ends of multiprecision.
#[test]
fn attacks_on_a_thousand_nodes_are_below_the_enclosures() {
    let protocol = one_shot("erdos-renyi:1500:c=2:seed=1:connected", 4);
    let observer = Observer::full(2);
    let certified = certify(&protocol, &observer);
    let one_shot = OneShot::try_new(&protocol, OneShotOptions::default()).unwrap();
    let attacked = one_shot.attacked(&observer).unwrap();
    for u in (0..1500).filter(|&u| u != 2) {
        let lower = attacked.losses()[u].unwrap().scalars.certified.lower();
        let exact = certified.losses()[u].unwrap().scalars.certified;
        assert!(lower <= exact.upper() && lower >= exact.lower() - 1e-6, "{u}: {lower} {exact:?}");
    }
}

/// Facebook ego network 414, observer 596, 10 steps: attacks prove that most inputs can be
/// reconstructed.
#[test]
fn attacks_reconstruct_most_of_an_ego_network() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared/data/facebook/414.edges");
    let Ok(text) = std::fs::read_to_string(path) else {
        println!("{path} is not here: nothing is checked");
        return;
    };
    let ends = |line: &str| {
        let mut ends: Vec<usize> =
            line.split_whitespace().map(|end| end.parse().unwrap()).collect();
        ends.sort_unstable();
        (ends[0], ends[1])
    };
    let edges: BTreeSet<(usize, usize)> = text.lines().map(ends).collect();
    let users: BTreeSet<usize> = edges.iter().flat_map(|&(a, b)| [a, b]).collect();
    let users: Vec<usize> = users.into_iter().collect();
    let place = |user: &usize| users.binary_search(user).unwrap();
    let edges = edges.iter().map(|(a, b)| (place(a), place(b)));
    let graph = Graph::try_new(users.len(), edges).unwrap();
    let observer = Observer::full(place(&596));
    let network = Network::try_new(graph, WeightScheme::Metropolis).unwrap();
    let protocol = Protocol::one_shot(network, 10).unwrap();
    let one_shot = OneShot::try_new(&protocol, OneShotOptions::default()).unwrap();
    let found = one_shot.attacked(&observer).unwrap();
    let lower = found.losses().iter().flatten().map(|loss| loss.scalars.certified.lower());
    let reconstructed = lower.filter(|&lower| lower > 0.99).count();
    assert!(reconstructed >= 119, "{reconstructed}");
}

/// With a threshold below rounding, noise is taken for directions: estimates are far too large, but
/// no attack claims so.
#[test]
fn rounding_noise_proves_nothing() {
    let (protocol, observer) = (one_shot("hypercube:4", 12), Observer::full(0));
    let options = OneShotOptions { threshold: 1e-18, ..OneShotOptions::default() };
    let noisy = OneShot::try_new(&protocol, options).unwrap();
    let noisy = noisy.attacked(&observer).unwrap();
    let exact = Process::run(&protocol).unwrap().view(&observer).unwrap();
    assert!(noisy.rank() > exact.rank());
    let mut deceived = 0;
    for u in 1..16 {
        let exact = exact.leakage(u).unwrap();
        let found = noisy.losses()[u].unwrap().scalars;
        assert!(contains(&found.certified, &exact), "{u}: {exact} {found:?}");
        deceived += usize::from(found.estimate > exact.to_f64().unwrap() + 0.1);
    }
    assert!(deceived > 0);
}

fn descent(graph: &str, rounds: usize, steps: usize) -> Protocol {
    Protocol::gradient_descent(network(graph), rounds, steps).unwrap()
}

fn width(certified: Enclosure) -> f64 {
    certified.upper() - certified.lower()
}

#[test]
fn the_gram_form_agrees() {
    let observer = Observer::full(11);
    // With noise at every step both are certified.
    let every = descent("karate", 6, 1);
    let gram = GramView::of(&every, &observer).unwrap();
    assert!(gram.is_certified());
    let gram = gram.losses().unwrap();
    for (proved, gram) in certify(&every, &observer).losses().iter().zip(&gram) {
        let (Some(proved), Some(gram)) = (proved, gram) else {
            assert_eq!(proved.is_none(), gram.is_none());
            continue;
        };
        let (sum, other) = (proved.absolute_sum.certified, gram.absolute_sum.certified);
        assert!(sum.lower() <= other.upper() && other.lower() <= sum.upper());
        assert!(width(sum) <= 1e-11 && width(other) <= 1e-8);
    }
    // Without it the Gram form is an estimate with a certified lower end; multiprecision decides.
    let observer = Observer::full(33);
    let rare = descent("karate", 3, 4);
    let gram = GramView::of(&rare, &observer).unwrap();
    assert!(!gram.is_certified());
    let gram = gram.losses().unwrap();
    let proved = certify(&rare, &observer);
    let mut wide = 0;
    for (proved, gram) in proved.losses().iter().zip(&gram) {
        let (Some(proved), Some(gram)) = (proved, gram) else {
            continue;
        };
        assert!(gram.scalars.certified.lower() <= proved.scalars.certified.upper());
        assert!(proved.scalars.certified.upper() <= gram.scalars.certified.upper());
        assert!(width(proved.absolute_sum.certified) <= 1e-11);
        wide += usize::from(width(gram.scalars.certified) > 0.1);
    }
    assert!(wide > 10, "{wide}");
}

#[test]
fn other_protocols_and_too_much_work_are_refused() {
    let (observer, limits) = (Observer::full(0), MultiprecisionLimits::default());
    for protocol in [one_shot("karate", 6), descent("karate", 3, 3)] {
        let with = |limits| CertifiedView::of(&protocol, &observer, &limits);
        let few = MultiprecisionLimits { work: 1000, ..limits };
        assert!(matches!(with(few), Err(FastError::TooMuchWork { limit: 1000, .. })));
        let little = MultiprecisionLimits { memory: 1000, ..limits };
        assert!(matches!(with(little), Err(FastError::TooMuchMemory { limit: 1000, .. })));
        let stop = |done: usize, _: usize| done < 2;
        let stopped = CertifiedView::watched(&protocol, &observer, &limits, &stop);
        assert_eq!(stopped, Err(FastError::Cancelled));
        assert!(CertifiedView::of(&protocol, &Observer::full(34), &limits).is_err());
    }
    let of = |protocol: &Protocol| CertifiedView::of(protocol, &observer, &limits);
    let endless = descent("path:2", muffliato_model::MAX_STEPS / 2, 2);
    assert!(matches!(of(&endless), Err(FastError::TooMuchMemory { .. })));
    let fresh = descent("karate", 3, 3).refreshed(fraction("1/10")).unwrap();
    assert!(matches!(of(&fresh), Err(FastError::NotApplicable { .. })));
    let view = certify(&descent("path:4", 2, 2), &observer);
    assert_eq!(view.group_loss(&[0]), Err(FastError::SourceObserves { node: 0 }));
    let outside = FastError::SourceOutOfRange { source_node: 4, nodes: 4 };
    assert_eq!(view.group_loss(&[1, 4]), Err(outside));
    assert_eq!(view.group_loss(&[]), Err(FastError::NoSource));
}
