//! Underflow, zeros, limits, cancellation, threads and bad input of the bounds.

use crate::fixtures::{graph, network, one_shot};
use muffliato_fast::{
    Enclosure, FastError, SparseWeights,
    bounds::{PaperBounds, RefreshedBounds, RoundExponent, erdos_renyi_bound},
};
use muffliato_model::{
    CustomWeights, Fraction, Graph, Network, Observer, ObserverError, Protocol, WeightScheme,
};

/// On a path, a source at distance T from the observer is in its last message alone, with the entry
/// `3^-(T-1)`: for T = 500 its square is about 1e-476.
#[test]
fn shares_that_underflow_are_enclosed_and_zeros_stay_zero() {
    let bounds = PaperBounds::of(&one_shot("path:1000", 500)).unwrap();
    let found = bounds.pairwise_all(&Observer::full(0)).unwrap();
    for (u, f) in found.iter().enumerate() {
        assert_eq!(u > 500, *f == Enclosure::exact(0.0), "node {u}: {f:?}");
    }
    let last = found[500];
    assert!(last.lower() == 0.0 && last.upper() > 0.0 && last.upper() < 1e-290);
    assert!(found[100].relative_width() < 1e-11);

    let bounds = PaperBounds::of(&one_shot("path:600", 500)).unwrap();
    let column = bounds.from_source(599).unwrap();
    assert!(column[99].lower() == 0.0 && column[99].upper() > 0.0);
    assert!(column[99].upper() < 1e-290);
    assert!(column[500].relative_width() < 1e-11);

    let walk = bounds.random_walk_all(&Observer::full(0)).unwrap();
    assert_eq!(walk[501], Enclosure::exact(0.0));
    assert!(walk[500].upper() > 0.0 && walk[500].lower() == 0.0);
}

/// Every gossip step has at least the roundings of a product and a sum. A share `x^2 / norm` has
/// four times the roundings of an entry x, a square twice as many, and an enclosure must cover all
/// of them on both sides.
#[test]
fn enclosures_are_as_wide_as_the_roundings_of_all_steps() {
    let steps = 40;
    let (observer, tau) = (Observer::full(0), "1/10".parse().unwrap());
    let fixed = one_shot("karate", steps);
    let ring_and_path = ["ring:9", "path:9"].repeat(steps / 2);
    let varying = Protocol::time_varying(ring_and_path.into_iter().map(network).collect());
    for protocol in [fixed.clone(), varying.unwrap()] {
        let per_step = |all: Vec<Enclosure>, powers: usize, name: &str| {
            let least = 2.0 * (powers * 2 * (steps - 1)) as f64 * f64::EPSILON / 2.0;
            let open = all.iter().filter(|f| f.upper() > 0.0 && f.upper() != 1.0);
            for f in open {
                assert!(f.relative_width() > 0.99 * least, "{name}: {f:?}");
            }
        };
        let bounds = PaperBounds::of(&protocol).unwrap();
        per_step(bounds.pairwise_all(&observer).unwrap(), 4, "one observer");
        per_step(bounds.from_source(3).unwrap(), 4, "one source");
        let pairs = bounds.all_pairs().unwrap();
        per_step(pairs.observed_by(0), 4, "all pairs");
        let refreshed = RefreshedBounds::of(&protocol.refreshed(tau).unwrap()).unwrap();
        per_step(refreshed.walk_all(&observer).unwrap(), 2, "walks");
        let first = refreshed.first_passage_all(&observer).unwrap();
        per_step(first, 2, "first passages");
    }
    let walk = PaperBounds::of(&fixed).unwrap().random_walk_all(&observer);
    let least = 4.0 * 2.0 * steps as f64 * f64::EPSILON / 2.0;
    assert!(walk.unwrap().iter().all(|f| f.relative_width() > least));
}

/// A heard node leaks something, however large the fresh noise: 2^-1187 is not 0.
#[test]
fn underflow_under_large_fresh_noise_is_not_zero() {
    let weights =
        (0..64).fold(WeightScheme::Metropolis, |scheme, _| WeightScheme::Lazy(Box::new(scheme)));
    let network = Network::try_new(graph("path:11"), weights).unwrap();
    let protocol = Protocol::one_shot(network, 11).unwrap();
    let protocol = protocol.refreshed("100".parse().unwrap()).unwrap();
    let bounds = RefreshedBounds::of(&protocol).unwrap();
    let observer = Observer::full(0);
    for found in [bounds.walk_all(&observer).unwrap(), bounds.first_passage_all(&observer).unwrap()]
    {
        assert!(found.iter().all(|bound| bound.upper() > 0.0), "{found:?}");
    }
}

#[test]
fn deep_randomized_gossip_keeps_exact_zeros() {
    let edges: Vec<_> = (0..1200).map(|t| (t % 3, t % 3 + 1)).collect();
    let protocol = Protocol::randomized(graph("path:6"), edges).unwrap();
    let bounds = PaperBounds::of(&protocol).unwrap();
    let found = bounds.pairwise_all(&Observer::full(0)).unwrap();
    assert_eq!(found[4], Enclosure::exact(0.0));
    assert_eq!(found[5], Enclosure::exact(0.0));
    assert!(found[3].lower() > 0.0);
    let sum: f64 = found.iter().map(Enclosure::value).sum();
    assert!((sum - 400.0).abs() < 1e-9, "{sum}");
    assert!(found.iter().all(|f| f.relative_width() < 1e-11));
}

/// Node 2 speaks to 1 at the beginning, 1 to the observer at the end; between them others gossip
/// for so long that numbers could underflow.
#[test]
fn early_messages_are_not_lost_to_underflow() {
    let edge = |u, v| {
        let graph = Graph::try_new(6, [(u, v)]).unwrap();
        Network::try_new(graph, WeightScheme::Metropolis).unwrap()
    };
    let mut networks = vec![edge(1, 2)];
    networks.extend((0..600).map(|_| edge(3, 4)));
    networks.push(edge(0, 1));
    let protocol = Protocol::time_varying(networks).unwrap();
    let bounds = PaperBounds::of(&protocol).unwrap();
    let found = bounds.pairwise_all(&Observer::full(0)).unwrap();
    assert!(found[2].contains(0.5) && found[2].relative_width() < 1e-11);
    assert_eq!(found[3..], [Enclosure::exact(0.0); 3]);
}

#[test]
fn more_than_eight_senders_and_dense_rows() {
    for spec in ["karate", "star:40", "complete:20", "regular:3000:d=4:seed=1"] {
        let protocol = one_shot(spec, 9);
        let bounds = PaperBounds::of(&protocol).unwrap();
        let observer = Observer::full(0);
        let found = bounds.pairwise_all(&observer).unwrap();
        let sum: f64 = found.iter().map(Enclosure::value).sum();
        let messages = protocol.messages_to(&observer).unwrap() as f64;
        assert!((sum / messages - 1.0).abs() < 1e-12, "{spec}: {sum}");
        assert!(found.iter().all(|f| f.relative_width() < 1e-11), "{spec}");
    }
}

#[test]
fn all_methods_for_one_number_agree() {
    for spec in ["karate", "hypercube:6", "erdos-renyi:150:c=2:seed=3"] {
        let fixed = PaperBounds::of(&one_shot(spec, 8)).unwrap();
        let varying = Protocol::time_varying(vec![network(spec); 8]).unwrap();
        let varying = PaperBounds::of(&varying).unwrap();
        let pairs = [&fixed, &varying].map(|bounds| bounds.all_pairs().unwrap());
        for v in [0, 9] {
            let observed =
                [&fixed, &varying].map(|bounds| bounds.pairwise_all(&Observer::full(v)).unwrap());
            for u in [0, 17, 33] {
                let all = [
                    pairs[0].get(u, v).unwrap(),
                    pairs[1].get(u, v).unwrap(),
                    observed[0][u],
                    observed[1][u],
                    fixed.from_source(u).unwrap()[v],
                    varying.from_source(u).unwrap()[v],
                ];
                let lower = all.iter().map(Enclosure::lower).fold(0.0, f64::max);
                let upper = all.iter().map(Enclosure::upper).fold(f64::MAX, f64::min);
                assert!(lower <= upper, "{spec}, {u} -> {v}: {all:?}");
            }
        }
    }
}

fn is_too_much(error: FastError) -> bool {
    matches!(error, FastError::TooMuchMemory { .. })
}

#[test]
fn too_large_requests_are_refused_with_the_estimate() {
    let observer = Observer::full(0);
    let bounds = PaperBounds::of(&one_shot("ring:5000", 3)).unwrap();
    let bounds = bounds.with_memory_limit(1 << 20);
    let refused = bounds.all_pairs().unwrap_err();
    let FastError::TooMuchMemory { bytes, limit, .. } = refused else {
        panic!("{refused}");
    };
    assert!(limit == 1 << 20 && bytes > 8 * 5000 * 5000);
    assert!(bounds.pairwise_all(&observer).is_ok());
    let bounds = bounds.with_memory_limit(1 << 10);
    assert!(is_too_much(bounds.pairwise_all(&observer).unwrap_err()));
    assert!(is_too_much(bounds.from_source(0).unwrap_err()));
    assert!(is_too_much(bounds.random_walk_all(&observer).unwrap_err()));

    let varying = Protocol::time_varying(vec![network("ring:500"); 4]).unwrap();
    let varying = PaperBounds::of(&varying).unwrap();
    let varying = varying.with_memory_limit(1 << 10);
    assert!(is_too_much(varying.pairwise_all(&observer).unwrap_err()));
    assert!(is_too_much(varying.from_source(0).unwrap_err()));
    assert!(is_too_much(varying.all_pairs().unwrap_err()));
}

#[test]
fn work_can_be_watched_and_cancelled() {
    let protocols = [
        one_shot("hypercube:6", 5),
        Protocol::time_varying(vec![network("hypercube:6"); 5]).unwrap(),
    ];
    for protocol in protocols {
        let bounds = PaperBounds::of(&protocol).unwrap();
        let observer = Observer::full(0);
        let stop = |_: usize, _: usize| false;
        let stopping = bounds.watched(&stop);
        assert_eq!(stopping.all_pairs().unwrap_err(), FastError::Cancelled);
        assert_eq!(stopping.from_source(1), Err(FastError::Cancelled));
        let stopped = stopping.pairwise_all(&observer);
        assert_eq!(stopped, Err(FastError::Cancelled));
        let finished = std::sync::atomic::AtomicBool::new(false);
        let watch = |done: usize, total: usize| {
            assert!(done <= total);
            finished.fetch_or(done == total, std::sync::atomic::Ordering::Relaxed);
            true
        };
        bounds.watched(&watch).all_pairs().unwrap();
        assert!(finished.into_inner());
    }
}

#[test]
fn progress_goes_forward_over_blocks_of_senders_and_over_rounds() {
    let reports = std::sync::Mutex::new(Vec::new());
    let watch = |done: usize, total: usize| {
        reports.lock().unwrap().push((done, total));
        true
    };
    let goes_forward = || {
        let reports = std::mem::take(&mut *reports.lock().unwrap());
        let &(last, total) = reports.last().unwrap();
        assert_eq!(last, total);
        assert!(reports.len() > 3 && reports.iter().all(|report| report.1 == total));
        assert!(reports.is_sorted_by(|a, b| a.0 < b.0), "{reports:?}");
    };
    let observer = Observer::full(0);
    let bounds = PaperBounds::of(&one_shot("complete:20", 5)).unwrap();
    bounds.watched(&watch).pairwise_all(&observer).unwrap();
    goes_forward();
    let rounds = (0..12).map(|t| network(["complete:20", "ring:20"][t % 2]));
    let descent = Protocol::gradient_descent_on(rounds.collect(), 20).unwrap();
    let bounds = PaperBounds::of(&descent).unwrap();
    let watched = bounds.watched(&watch);
    watched.gd_general_all(&observer, RoundExponent::Full).unwrap();
    goes_forward();
}

#[test]
fn the_walk_bound_is_as_wide_as_its_roundings() {
    // n / w^2 sum p^2: one step in p, the weight twice, and 1 for the square, T for the sum, 3 for
    // the factor.
    let (network, steps) = (network("star:40"), 2);
    let weights = SparseWeights::of_network(&network).unwrap();
    let bounds = PaperBounds::of(&Protocol::one_shot(network, steps).unwrap()).unwrap();
    let walk = bounds.random_walk_all(&Observer::full(0)).unwrap()[1];
    let in_entries = 2 * steps as u64 * weights.step_roundings();
    let roundings = in_entries + 1 + steps as u64 + 2 * weights.roundings() + 3;
    let spread = roundings as f64 * f64::EPSILON / 2.0;
    assert!(walk.upper() - walk.lower() >= 2.0 * spread * walk.lower());
    assert!(walk.upper() - walk.lower() <= 2.1 * spread * walk.upper());
}

fn does_not_apply(error: FastError) -> bool {
    matches!(error, FastError::NotApplicable { .. })
}

#[test]
fn bad_questions_are_typed_errors() {
    let bounds = PaperBounds::of(&one_shot("path:4", 2)).unwrap();
    let (observer, nobody) = (Observer::full(3), Observer::full(4));
    let out_of_range = FastError::Observer(ObserverError::OutOfRange { node: 4, nodes: 4 });
    assert_eq!(bounds.pairwise_all(&nobody), Err(out_of_range.clone()));
    assert_eq!(bounds.random_walk_all(&nobody), Err(out_of_range));
    let outside = FastError::SourceOutOfRange { source_node: 9, nodes: 4 };
    assert_eq!(bounds.pairwise(9, &observer), Err(outside.clone()));
    assert_eq!(bounds.from_source(9), Err(outside));
    let observes = FastError::SourceObserves { node: 3 };
    assert_eq!(bounds.pairwise(3, &observer), Err(observes));
    assert_eq!(bounds.group(&[], &observer), Err(FastError::NoSource));

    let rounds = Protocol::gradient_descent(network("path:4"), 2, 2).unwrap();
    let rounds = PaperBounds::of(&rounds).unwrap();
    assert!(does_not_apply(rounds.pairwise(0, &observer).unwrap_err()));
    assert!(does_not_apply(rounds.all_pairs().unwrap_err()));
    assert!(does_not_apply(rounds.random_walk(0, &observer).unwrap_err()));

    let edges = Protocol::randomized(graph("path:4"), vec![(0, 1)]).unwrap();
    let edges = PaperBounds::of(&edges).unwrap();
    assert!(does_not_apply(edges.gd_simple_all(&observer).unwrap_err()));
    let general = edges.gd_general_all(&observer, RoundExponent::Full);
    assert!(does_not_apply(general.unwrap_err()));

    let plain = one_shot("path:4", 2);
    assert!(does_not_apply(RefreshedBounds::of(&plain).unwrap_err()));
    let refreshed = plain.refreshed("1/2".parse().unwrap()).unwrap();
    let accelerated = refreshed.accelerated("5/4".parse().unwrap()).unwrap();
    assert!(does_not_apply(RefreshedBounds::of(&accelerated).unwrap_err()));
}

#[test]
fn an_edge_of_weight_zero_is_named() {
    let path = graph("path:3");
    let entries = [(0, 0, 1), (1, 1, 0), (1, 2, 1), (2, 1, 1), (2, 2, 0)];
    let weights = CustomWeights::try_new(&path, 1, entries).unwrap();
    let network = Network::try_new(path, WeightScheme::Custom(weights)).unwrap();
    let bounds = PaperBounds::of(&Protocol::one_shot(network, 3).unwrap()).unwrap();
    assert_eq!(
        bounds.random_walk_all(&Observer::full(0)),
        Err(FastError::ZeroWeight { u: 0, v: 1 })
    );
    let swapped = bounds.pairwise(2, &Observer::full(0)).unwrap();
    assert!(swapped.contains(1.0));
}

#[test]
fn the_random_graph_theorem_states_its_requirements() {
    let fraction = |text: &str| text.parse::<Fraction>().unwrap();
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
