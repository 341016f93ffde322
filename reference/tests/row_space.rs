//! The row space gives the same fractions as the plain elimination.

use muffliato_model::{CustomWeights, Graph, Network, Observer, Protocol, WeightScheme};
use muffliato_reference::{Process, RowSpace, View};
use quickcheck_macros::quickcheck;

fn network(edges: &[(u8, u8)], nodes: usize) -> Network {
    let edges = edges
        .iter()
        .map(|&(u, v)| (usize::from(u) % nodes, usize::from(v) % nodes));
    let mut edges: Vec<_> = edges.filter(|(u, v)| u != v).collect();
    edges
        .iter_mut()
        .for_each(|(u, v)| (*u, *v) = ((*u).min(*v), (*u).max(*v)));
    edges.sort_unstable();
    edges.dedup();
    let graph = Graph::try_new(nodes, edges).unwrap();
    Network::try_new(graph, WeightScheme::Metropolis).unwrap()
}

/// Asserts that every loss and the rank are equal.
fn assert_same(view: &View, space: &RowSpace, nodes: usize) {
    assert_eq!(
        (space.messages(), space.rank()),
        (view.messages(), view.rank())
    );
    assert_eq!(space.model(), view.model());
    let sources: Vec<_> = (0..nodes)
        .filter(|&u| !view.observer().contains(u))
        .collect();
    if sources.is_empty() {
        return;
    }
    let groups: Vec<&[usize]> = sources.chunks(3).chain(sources.chunks(1)).collect();
    let uppers: Vec<_> = groups
        .iter()
        .map(|group| view.loss_upper(group).unwrap())
        .collect();
    assert_eq!(space.loss_uppers(groups.iter().copied()).unwrap(), uppers);
    let losses: Result<Vec<_>, _> = groups.iter().map(|group| view.loss(group)).collect();
    assert_eq!(space.losses(groups.iter().copied()), losses);
}

fn compare(protocol: &Protocol, observer: &Observer) {
    let process = Process::run(protocol).unwrap();
    let (view, space) = (
        process.view(observer).unwrap(),
        process.row_space(observer).unwrap(),
    );
    assert_same(&view, &space, protocol.nodes());
}

#[quickcheck]
fn row_space_agrees_with_the_view(
    edges: Vec<(u8, u8)>,
    nodes: u8,
    steps: u8,
    kind: u8,
    observing: u8,
) {
    let nodes = 2 + usize::from(nodes % 9);
    let network = network(&edges, nodes);
    let steps = 1 + usize::from(steps % 5);
    let protocol = match kind % 6 {
        0 | 1 => Protocol::one_shot(network, steps),
        5 => Protocol::one_shot(network, steps).and_then(|p| p.masked("3/2".parse().unwrap())),
        2 => Protocol::one_shot(network, steps).and_then(|p| p.refreshed("1/3".parse().unwrap())),
        3 => Protocol::gradient_descent(network, 3, 1 + steps / 3)
            .and_then(|protocol| protocol.every(1 + usize::from(observing) % 2)),
        _ => Protocol::one_shot(network, steps).and_then(|p| p.accelerated("5/4".parse().unwrap())),
    };
    let protocol = protocol.unwrap();
    let observer = usize::from(observing) % nodes;
    compare(&protocol, &Observer::full(observer));
    compare(&protocol, &Observer::paper(observer));
    compare(
        &protocol,
        &Observer::coalition([observer, (observer + 1) % nodes]).unwrap(),
    );
}

#[quickcheck]
fn row_space_agrees_with_the_view_for_one_edge_at_a_time(edges: Vec<(u8, u8)>, nodes: u8) {
    let nodes = 2 + usize::from(nodes % 7);
    let network = network(&edges, nodes);
    let graph = network.graph().clone();
    let steps: Vec<_> = edges
        .iter()
        .map(|&(u, v)| (usize::from(u) % nodes, usize::from(v) % nodes))
        .filter(|(u, v)| u != v)
        .take(12)
        .collect();
    if let Ok(protocol) = Protocol::randomized(graph, steps) {
        compare(&protocol, &Observer::full(0));
    }
}

#[test]
fn row_space_agrees_with_the_view_on_known_graphs() {
    for (spec, steps) in [
        ("karate", 3),
        ("florentine", 5),
        ("hypercube:4", 4),
        ("grid:4x4", 5),
    ] {
        let network = Network::metropolis(spec.parse().unwrap()).unwrap();
        let protocol = Protocol::one_shot(network, steps).unwrap();
        compare(&protocol, &Observer::full(0));
        compare(&protocol, &Observer::full(7));
    }
}

/// Weights that vanish modulo the first primes give too small a rank there. This is detected, and
/// the plain elimination decides.
#[test]
fn unlucky_primes_are_noticed() {
    let product = ((1_i128 << 61) - 1) * ((1 << 61) - 31);
    let graph = Graph::try_new(4, [(0, 1), (1, 2), (1, 3)]).unwrap();
    // Node 1 hears 2 with a weight that is 0 modulo both primes, and 3 with one that is not.
    let weight = |u: usize, v: usize| match (u.min(v), u.max(v)) {
        (0, 1) => 1,
        (1, 2) => product,
        (1, 3) => 5,
        _ => 0,
    };
    let whole = 4 * product;
    let mut entries = Vec::new();
    for v in 0..4 {
        let row: Vec<_> = graph.neighbours(v).map(|w| (v, w, weight(v, w))).collect();
        entries.push((v, v, whole - row.iter().map(|entry| entry.2).sum::<i128>()));
        entries.extend(row);
    }
    let weights = CustomWeights::try_new(&graph, whole, entries).unwrap();
    let network = Network::try_new(graph, WeightScheme::Custom(weights)).unwrap();
    let protocol = Protocol::one_shot(network, 4).unwrap();
    compare(&protocol, &Observer::full(0));
    compare(&protocol, &Observer::paper(0));
}
