//! Connected graphs on up to six nodes, one of each isomorphism class: the domain of exhaustive
//! checks and of searches for smallest witnesses.

use muffliato_model::Graph;
use muffliato_model::graph6::from_graph6;

/// Graphs in graph6, one per line, by number of nodes, then of edges.
const CONNECTED: &str = include_str!("connected_graphs.g6");

/// Largest number of nodes in [`connected`].
pub const MAX_NODES: usize = 6;

/// Returns the 143 connected graphs on 1 to [`MAX_NODES`] nodes up to isomorphism, by number of
/// nodes, then of edges, each with its graph6 form.
///
/// ```
/// use muffliato_conformance::small_graphs::{MAX_NODES, connected};
///
/// let on = |nodes| connected().filter(|(_, graph)| graph.nodes() == nodes).count();
/// assert_eq!([1, 2, 3, 4, 5, MAX_NODES].map(on), [1, 1, 2, 6, 21, 112]); // OEIS A001349
/// assert!(connected().all(|(_, graph)| graph.is_connected()));
/// ```
pub fn connected() -> impl Iterator<Item = (&'static str, Graph)> {
    CONNECTED
        .lines()
        .map(|text| (text, from_graph6(text).expect("the list is graph6, as its test checks")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    /// Returns the smallest adjacency bits over all relabellings.
    fn canonical(graph: &Graph, relabellings: &[Vec<usize>]) -> u32 {
        let edges: Vec<(usize, usize)> = graph.edges().collect();
        let code = |labels: &Vec<usize>| {
            edges.iter().fold(0, |bits, &(u, v)| {
                let (low, high) = (labels[u].min(labels[v]), labels[u].max(labels[v]));
                bits | 1 << (high * (high - 1) / 2 + low)
            })
        };
        relabellings.iter().map(code).min().expect("there is the identity")
    }

    fn permutations(nodes: usize) -> Vec<Vec<usize>> {
        if nodes == 0 {
            return vec![vec![]];
        }
        let insert = |shorter: Vec<usize>| {
            (0..nodes).map(move |place| {
                let mut longer = shorter.clone();
                longer.insert(place, nodes - 1);
                longer
            })
        };
        permutations(nodes - 1).into_iter().flat_map(insert).collect()
    }

    #[test]
    fn every_connected_graph_up_to_isomorphism_is_listed_once() {
        for nodes in 1..=MAX_NODES {
            let relabellings = permutations(nodes);
            let listed: Vec<u32> = connected()
                .filter(|(_, graph)| graph.nodes() == nodes)
                .map(|(_, graph)| canonical(&graph, &relabellings))
                .collect();
            let distinct: BTreeSet<u32> = listed.iter().copied().collect();
            assert_eq!(listed.len(), distinct.len(), "a class is listed twice on {nodes} nodes");
            let pairs: Vec<(usize, usize)> =
                (1..nodes).flat_map(|v| (0..v).map(move |u| (u, v))).collect();
            let mut classes = BTreeSet::new();
            for code in 0u32..1 << pairs.len() {
                let edges = pairs
                    .iter()
                    .enumerate()
                    .filter(|(bit, _)| code >> bit & 1 == 1)
                    .map(|(_, &edge)| edge);
                let graph = Graph::try_new(nodes, edges).expect("pairs of distinct nodes");
                if graph.is_connected() {
                    classes.insert(canonical(&graph, &relabellings));
                }
            }
            assert_eq!(distinct, classes, "on {nodes} nodes");
        }
    }

    #[test]
    fn the_list_goes_by_nodes_then_edges() {
        let sizes: Vec<(usize, usize)> =
            connected().map(|(_, graph)| (graph.nodes(), graph.edge_count())).collect();
        assert!(sizes.is_sorted());
        assert_eq!(sizes.len(), 143);
    }
}
