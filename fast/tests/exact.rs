//! Statistics that the finder proposes and the checker accepts give the fractions of the plain
//! elimination.

use muffliato_certificate::{Coefficients, Projections, Statistic, System};
use muffliato_fast::ExactEquations;
use muffliato_model::{CustomWeights, Graph, Network, Observer, Protocol, WeightScheme};
use muffliato_reference::Process;
use proptest::prelude::*;

fn equations<'a>(system: &'a System, inputs: &[usize]) -> ExactEquations<'a> {
    let column = |&input: &usize| system.rows().iter().map(|row| &row.inputs[input]).collect();
    ExactEquations {
        rows: system.rows().iter().map(|row| &row.draws[..]).collect(),
        variances: system.variances(),
        unit: system.unit(),
        inputs: inputs.iter().map(column).collect(),
    }
}

/// Finds statistics for inputs, and returns them with the rank.
fn find(system: &System, inputs: &[usize], attempt: usize) -> (Vec<Statistic>, usize) {
    let found = equations(system, inputs).solve(attempt, u128::MAX).unwrap();
    (Statistic::of_solutions(inputs, found.solutions), found.rank)
}

/// Returns the accepted projections, the rank and the number of primes that were refused.
fn accepted<'a>(system: &'a System, inputs: &[usize]) -> (Projections<'a>, usize, usize) {
    for attempt in 0..4 {
        let (statistics, rank) = find(system, inputs, attempt);
        let projections = system.project(statistics);
        if inputs.iter().all(|&input| projections.product(input, input).is_some()) {
            return (projections, rank, attempt);
        }
    }
    panic!("no statistics were accepted");
}

/// Asserts that the rank and all entries of P are those of the plain elimination, and returns the
/// number of unlucky primes.
fn compare(protocol: &Protocol, observer: &Observer) -> usize {
    let nodes = protocol.nodes();
    let view = Process::run(protocol).unwrap().view(observer).unwrap();
    let coefficients = Coefficients::of(protocol).unwrap();
    let system = coefficients.system(observer).unwrap();
    let observes = |input: usize| observer.contains(input % nodes) && observer.knows_own_noise();
    let inputs = 0..protocol.rounds() * nodes;
    let hidden: Vec<usize> = inputs.filter(|&input| !observes(input)).collect();
    let (projections, rank, unlucky) = accepted(&system, &hidden);
    assert_eq!((system.rows().len(), rank + system.known()), (view.messages(), view.rank()));
    for &i in &hidden {
        for &j in &hidden {
            let expected = view.projection((i / nodes, i % nodes), (j / nodes, j % nodes));
            assert_eq!(projections.product(i, j), expected, "{i} {j}");
        }
    }
    unlucky
}

fn network(edges: &[(u8, u8)], nodes: usize) -> Network {
    let edges = edges.iter().map(|&(u, v)| (usize::from(u) % nodes, usize::from(v) % nodes));
    let mut edges: Vec<_> = edges.filter(|(u, v)| u != v).collect();
    edges.iter_mut().for_each(|(u, v)| (*u, *v) = ((*u).min(*v), (*u).max(*v)));
    edges.sort_unstable();
    edges.dedup();
    Network::metropolis(Graph::try_new(nodes, edges).unwrap()).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn accepted_projections_are_those_of_the_view(
        edges in prop::collection::vec((0_u8..10, 0_u8..10), 0..25),
        nodes in 2_usize..=10,
        steps in 1_usize..=5,
        kind in 0..7,
        observing in 0_usize..10,
    ) {
        let network = network(&edges, nodes);
        let fraction = |text: &str| text.parse().unwrap();
        let one_shot = || Protocol::one_shot(network.clone(), steps).unwrap();
        let descent = || Protocol::gradient_descent(network.clone(), 3, 1 + steps / 3).unwrap();
        let protocol = match kind {
            0 | 1 => one_shot(),
            2 => one_shot().refreshed(fraction("1/3")).unwrap(),
            3 => descent().every(1 + observing % 2).unwrap(),
            4 => one_shot().accelerated(fraction("5/4")).unwrap().refreshed(fraction("2")).unwrap(),
            5 => one_shot().masked(fraction("3/2")).unwrap(),
            _ => descent().reacting(vec![fraction("-2/3"); nodes]).unwrap(),
        };
        let observer = observing % nodes;
        compare(&protocol, &Observer::full(observer));
        compare(&protocol, &Observer::paper(observer));
        compare(&protocol, &Observer::coalition([observer, (observer + 1) % nodes]).unwrap());
    }

    #[test]
    fn accepted_projections_are_those_of_the_view_for_one_edge_at_a_time(
        edges in prop::collection::vec((0_u8..8, 0_u8..8), 1..14),
        nodes in 2_usize..=8,
    ) {
        let graph = network(&edges, nodes).graph().clone();
        let ends = edges.iter().map(|&(u, v)| (usize::from(u) % nodes, usize::from(v) % nodes));
        let steps: Vec<_> = ends.filter(|(u, v)| u != v).collect();
        if let Ok(protocol) = Protocol::randomized(graph, steps) {
            compare(&protocol, &Observer::full(0));
        }
    }
}

#[test]
fn accepted_projections_are_those_of_the_view_on_known_graphs() {
    for (spec, steps) in [("karate", 3), ("florentine", 5), ("hypercube:4", 4), ("grid:4x4", 5)] {
        let network = Network::metropolis(spec.parse().unwrap()).unwrap();
        let protocol = Protocol::one_shot(network, steps).unwrap();
        assert_eq!(compare(&protocol, &Observer::full(0)), 0);
        assert_eq!(compare(&protocol, &Observer::full(7)), 0);
    }
}

/// Weights that vanish modulo the first primes hide rows from the finder. The checker notices it.
#[test]
fn unlucky_primes_are_refused() {
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
    assert_eq!(compare(&protocol, &Observer::full(0)), 2);
    assert_eq!(compare(&protocol, &Observer::paper(0)), 2);
}

#[test]
fn work_beyond_the_limit_is_refused() {
    let network = Network::metropolis("karate".parse().unwrap()).unwrap();
    let protocol = Protocol::one_shot(network, 3).unwrap();
    let system = Coefficients::of(&protocol).unwrap().system(&Observer::full(0)).unwrap();
    assert!(equations(&system, &[1, 2]).solve(0, 100).is_err());
    assert!(equations(&system, &[1, 2]).solve(0, 100_000_000).is_ok());
}
