//! Masked protocols: the exact loss, the bound and the error.

use muffliato_model::{Fraction, Graph, Network, NoisePlan, Observer, Protocol, families};
use muffliato_reference::{
    BigRational, Process, ReferenceError, View, masked_bound, masked_energy, order,
};

fn fraction(text: &str) -> Fraction {
    text.parse().unwrap()
}

fn network(graph: Graph) -> Network {
    Network::metropolis(graph).unwrap()
}

fn graph(spec: &str) -> Graph {
    spec.parse().unwrap()
}

/// Returns the view of node 0.
fn view_of_0(protocol: &Protocol) -> View {
    let process = Process::run(protocol).unwrap();
    process.view(&Observer::full(0)).unwrap()
}

/// Masked protocols of every kind on small graphs.
fn protocols() -> Vec<Protocol> {
    let path = || network(graph("path:4"));
    let ring = || network(graph("ring:5"));
    let away = network(Graph::try_new(5, [(0, 1), (1, 2), (2, 0)]).unwrap());
    let edges = vec![(0, 1), (1, 2), (2, 3), (0, 1), (1, 2)];
    let unmasked = vec![
        Protocol::one_shot(path(), 3).unwrap(),
        Protocol::one_shot(ring(), 2).unwrap(),
        Protocol::one_shot(network(graph("star:5")), 3).unwrap(),
        Protocol::one_shot(ring(), 3).unwrap().refreshed(fraction("1/3")).unwrap(),
        Protocol::one_shot(ring(), 3).unwrap().accelerated(fraction("5/4")).unwrap(),
        Protocol::randomized(graph("path:4"), edges).unwrap(),
        Protocol::time_varying(vec![ring(), away.clone(), ring()]).unwrap(),
        Protocol::gradient_descent(path(), 2, 2).unwrap(),
        Protocol::gradient_descent_on(vec![ring(), away, ring()], 1).unwrap(),
    ];
    let kappas = ["1/2", "1", "3"].map(fraction);
    let masked = unmasked
        .into_iter()
        .flat_map(|protocol| kappas.map(|kappa| protocol.clone().masked(kappa).unwrap()));
    let complete = families::complete(4).unwrap();
    let other = Protocol::one_shot(path(), 3).unwrap();
    let other = other.masked_on(complete, fraction("2")).unwrap();
    masked.chain([other]).collect()
}

fn observers(protocol: &Protocol) -> Vec<Observer> {
    let alone = (0..protocol.nodes()).flat_map(|v| [Observer::full(v), Observer::paper(v)]);
    alone.chain([Observer::coalition([0, 2]).unwrap()]).collect()
}

#[test]
fn the_exact_loss_is_never_above_the_bound() {
    let mut tight = 0;
    for protocol in protocols() {
        let process = Process::run(&protocol).unwrap();
        for observer in observers(&protocol) {
            let view = process.view(&observer).unwrap();
            for u in (0..protocol.nodes()).filter(|&u| !observer.contains(u)) {
                let loss = view.loss(&[u]).unwrap();
                let bound = masked_bound(&protocol, &[u], &observer).unwrap();
                let exact = &loss.scalar;
                assert!(order(exact, &bound).is_le(), "{u} -> {observer}: {exact} above {bound}");
                tight += usize::from(loss.scalar == bound);
            }
        }
    }
    assert!(tight > 20, "the bound is attained where the view is rich: {tight}");
}

#[test]
fn groups_lose_at_most_the_sum_over_their_pairs() {
    for protocol in protocols() {
        let observer = Observer::full(0);
        let group = [1, 2, 3];
        let view = view_of_0(&protocol);
        let bound = masked_bound(&protocol, &group, &observer).unwrap();
        let loss = view.loss(&group).unwrap().scalar;
        assert!(order(&loss, &bound).is_le(), "{loss} above {bound}");
        let most = BigRational::from_integer((3 * protocol.rounds()).into());
        assert!(order(&bound, &most).is_le());
    }
}

/// One end adds what the other subtracts, so masks of any size hide nothing of the sum of all other
/// nodes. (With equal signs, the loss of single nodes would be the same here, and that of all of
/// them a third on the triangle.)
#[test]
fn masks_hide_nothing_of_the_sum() {
    for (spec, steps) in [("complete:3", 1), ("complete:5", 1), ("complete:4", 2), ("ring:4", 3)] {
        for kappa in ["1/2", "1", "7"] {
            let plain = Protocol::one_shot(network(graph(spec)), steps).unwrap();
            let masked = plain.masked(fraction(kappa)).unwrap();
            let others: Vec<usize> = (1..masked.nodes()).collect();
            let view = view_of_0(&masked);
            let together = BigRational::from_integer(others.len().into());
            assert_eq!(view.loss(&others).unwrap().scalar, together, "{spec} {kappa}");
        }
    }
}

#[test]
fn more_edges_and_more_noise_help_more_observers_do_not() {
    let noise = vec![Fraction::ONE; 5];
    let energy = |graph: &Graph, variance: &str, noise: &[Fraction], observer: &Observer| {
        let masks = graph.edges().map(|edge| (edge, fraction(variance))).collect();
        let plan = NoisePlan { nodes: noise.to_vec(), masks, fresh: vec![] };
        masked_energy(&plan, &[1], observer).unwrap()
    };
    let (path, ring) = (graph("path:5"), graph("ring:5"));
    let alone = Observer::full(0);
    let pair = Observer::coalition([0, 3]).unwrap();
    let base = energy(&ring, "1", &noise, &alone);
    assert!(order(&base, &energy(&ring, "1", &noise, &pair)).is_lt());
    assert!(order(&base, &energy(&ring, "2", &noise, &alone)).is_gt());
    assert!(order(&base, &energy(&path, "1", &noise, &alone)).is_le());
    let mut louder = noise.clone();
    louder[4] = fraction("3/2");
    assert!(order(&base, &energy(&ring, "1", &louder, &alone)).is_gt());
}

#[test]
fn unsupported_questions_are_errors() {
    let plain = Protocol::one_shot(network(graph("ring:4")), 1).unwrap();
    let refused = masked_bound(&plain, &[1], &Observer::full(0));
    assert!(matches!(refused, Err(ReferenceError::NotApplicable { .. })));
    let masked = plain.masked(Fraction::ONE).unwrap();
    let bound = |sources: &[usize], v| masked_bound(&masked, sources, &Observer::full(v));
    assert!(matches!(bound(&[0], 0), Err(ReferenceError::SourceObserves { node: 0 })));
    assert!(matches!(bound(&[], 0), Err(ReferenceError::NoSource)));
    assert!(matches!(bound(&[1], 9), Err(ReferenceError::Observer(_))));
    let masks: Vec<_> = graph("ring:4").edges().map(|edge| (edge, Fraction::ONE)).collect();
    let silent = NoisePlan { nodes: vec![Fraction::ZERO; 4], masks, fresh: vec![] };
    let refused = masked_energy(&silent, &[1], &Observer::full(0));
    assert!(matches!(refused, Err(ReferenceError::InfiniteLoss { source_node: 1 })));
}

/// Masks add `sigma^2 kappa^2 / (2n) trace(M L_H M^T)` to the noise, and nothing to the mean.
#[test]
fn masks_cost_what_has_not_mixed() {
    let plain = Protocol::one_shot(network(graph("path:3")), 1).unwrap();
    let masked = plain.clone().masked(fraction("2")).unwrap();
    let inputs = [3, 0, 0].map(|x| BigRational::from_integer(x.into()));
    let error = |protocol| Process::run(protocol).unwrap().averaging_error(&inputs).unwrap();
    let (plain, masked) = (error(&plain), error(&masked));
    assert_eq!(plain.bias, masked.bias);
    // W (e_0 - e_1) = (1/3, 0, -1/3), and the same mirrored: 4 (2/9 + 2/9) / 6.
    assert_eq!((masked.noise - plain.noise).to_string(), "8/27");
}
