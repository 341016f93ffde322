//! Graphs of eight shapes.

use muffliato_model::Graph;
use proptest::prelude::*;

fn graph(nodes: usize, edges: impl IntoIterator<Item = (usize, usize)>) -> Graph {
    Graph::try_new(nodes, edges).expect("edges between distinct nodes")
}

fn pairs(nodes: usize) -> impl Iterator<Item = (usize, usize)> {
    (1..nodes).flat_map(|v| (0..v).map(move |u| (u, v)))
}

/// Includes each pair with this probability; the graph may be disconnected.
fn random(nodes: usize, probability: f64) -> impl Strategy<Value = Graph> {
    let present =
        proptest::collection::vec(prop::bool::weighted(probability), pairs(nodes).count());
    present.prop_map(move |present| {
        let edges = pairs(nodes).zip(present).filter(|&(_, present)| present);
        graph(nodes, edges.map(|(edge, _)| edge))
    })
}

/// Attaches each node to one before it.
fn trees(nodes: usize) -> impl Strategy<Value = Graph> {
    let parents = proptest::collection::vec(any::<prop::sample::Index>(), nodes);
    parents.prop_map(move |parents| graph(nodes, (1..nodes).map(|v| (parents[v].index(v), v))))
}

/// Separates even from odd nodes.
fn bipartite(nodes: usize) -> impl Strategy<Value = Graph> {
    random(nodes, 0.7).prop_map(move |all| {
        let across: Vec<_> = all.edges().filter(|(u, v)| (u + v) % 2 == 1).collect();
        graph(nodes, across)
    })
}

/// Generates circulant graphs: every node is joined to the nodes at the same distances around a
/// circle.
fn vertex_transitive(nodes: usize) -> impl Strategy<Value = Graph> {
    let chosen = proptest::collection::vec(any::<bool>(), nodes / 2);
    chosen.prop_map(move |chosen| {
        let apart = move |u: usize, v: usize| (v - u).min(nodes - (v - u));
        graph(nodes, pairs(nodes).filter(|&(u, v)| chosen[apart(u, v) - 1]))
    })
}

/// Generates a complete graph with every node beyond the first half attached to a single one.
fn with_pendant_nodes(nodes: usize) -> impl Strategy<Value = Graph> {
    let core = nodes.div_ceil(2);
    let hooks = proptest::collection::vec(0..core, nodes);
    hooks.prop_map(move |hooks| {
        let pendant = (core..nodes).map(|v| (hooks[v], v));
        graph(nodes, pairs(core).chain(pendant))
    })
}

/// Builds a star with node 0 in the centre.
fn star(nodes: usize) -> Graph {
    graph(nodes, (1..nodes).map(|leaf| (0, leaf)))
}

/// Generates graphs in which node 0 is isolated.
fn with_an_isolated_node(nodes: usize) -> impl Strategy<Value = Graph> {
    random(nodes, 0.6).prop_map(move |all| {
        let others: Vec<_> = all.edges().filter(|&(u, _)| u != 0).collect();
        graph(nodes, others)
    })
}

/// Generates a graph of any of the shapes.
pub fn graphs(nodes: usize) -> impl Strategy<Value = Graph> {
    prop_oneof![
        3 => random(nodes, 0.5),
        1 => random(nodes, 0.2),
        2 => random(nodes, 0.85),
        3 => trees(nodes),
        2 => bipartite(nodes),
        2 => vertex_transitive(nodes),
        2 => with_pendant_nodes(nodes),
        1 => Just(star(nodes)),
        1 => with_an_isolated_node(nodes),
    ]
}
