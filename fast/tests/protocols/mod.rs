//! Random one-shot protocols of at most 8 nodes, for property tests.

use muffliato_model::{CustomWeights, Fraction, Graph, Network, Observer, Protocol, WeightScheme};
use proptest::prelude::*;

/// A graph on so many nodes, connected or not.
pub fn graphs(nodes: usize) -> impl Strategy<Value = Graph> {
    proptest::collection::vec(any::<bool>(), nodes * (nodes - 1) / 2).prop_map(move |present| {
        let pairs = (0..nodes).flat_map(|u| (u + 1..nodes).map(move |v| (u, v)));
        let edges = pairs.zip(present).filter(|&(_, present)| present);
        Graph::try_new(nodes, edges.map(|(edge, _)| edge)).unwrap()
    })
}

/// A graph with weights of every scheme.
pub fn networks(nodes: usize) -> impl Strategy<Value = Network> {
    let numerators = proptest::collection::vec(0_i128..13, nodes * nodes);
    (graphs(nodes), 0..4, numerators).prop_map(move |(graph, scheme, numerators)| {
        let scheme = match scheme {
            0 => WeightScheme::Metropolis,
            1 => WeightScheme::MaxDegreeInverse,
            2 => WeightScheme::Lazy(Box::new(WeightScheme::Metropolis)),
            _ => {
                let denominator = 12 * nodes as i128;
                let mut own = vec![denominator; nodes];
                let mut entries = Vec::new();
                for (u, v) in graph.edges() {
                    let weight = numerators[u * nodes + v];
                    entries.extend([(u, v, weight), (v, u, weight)]);
                    own[u] -= weight;
                    own[v] -= weight;
                }
                entries.extend(own.iter().enumerate().map(|(v, &weight)| (v, v, weight)));
                WeightScheme::Custom(CustomWeights::try_new(&graph, denominator, entries).unwrap())
            }
        };
        Network::try_new(graph, scheme).unwrap()
    })
}

/// Full and paper views, and coalitions.
pub fn observers(nodes: usize) -> impl Strategy<Value = Observer> {
    prop_oneof![
        (0..nodes).prop_map(Observer::full),
        (0..nodes).prop_map(Observer::paper),
        proptest::collection::vec(0..nodes, 1..=nodes.div_ceil(2))
            .prop_map(|members| Observer::coalition(members).unwrap()),
    ]
}

/// One-shot protocols of every kind, with an observer.
pub fn protocols() -> impl Strategy<Value = (Protocol, Observer)> {
    (2_usize..9).prop_flat_map(|nodes| {
        let g = Fraction::try_new(5, 4).unwrap();
        let fixed =
            (networks(nodes), 1_usize..7, any::<bool>()).prop_map(move |(network, steps, fast)| {
                let protocol = Protocol::one_shot(network, steps).unwrap();
                if fast {
                    protocol.accelerated(g).unwrap()
                } else {
                    protocol
                }
            });
        let varying = (
            proptest::collection::vec(networks(nodes), 1..6),
            any::<bool>(),
        )
            .prop_map(move |(networks, fast)| {
                let protocol = Protocol::time_varying(networks).unwrap();
                if fast {
                    protocol.accelerated(g).unwrap()
                } else {
                    protocol
                }
            });
        let randomized = (
            graphs(nodes),
            proptest::collection::vec(any::<prop::sample::Index>(), 1..30),
        )
            .prop_filter_map("a graph without edges", |(graph, picks)| {
                let edges: Vec<_> = graph.edges().collect();
                if edges.is_empty() {
                    return None;
                }
                let sequence = picks.iter().map(|pick| *pick.get(&edges)).collect();
                Some(Protocol::randomized(graph, sequence).unwrap())
            });
        (prop_oneof![fixed, varying, randomized], observers(nodes))
    })
}
