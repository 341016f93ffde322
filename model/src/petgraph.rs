//! Conversions between graphs and undirected graphs of petgraph.

use ::petgraph::Undirected;
use ::petgraph::graph::{IndexType, UnGraph};

use crate::{Graph, GraphError};

/// Converts node index i to node i. Parallel edges merge, weights are dropped, and a self-loop is
/// [`GraphError::SelfLoop`].
///
/// ```
/// use muffliato_model::Graph;
/// use petgraph::graph::UnGraph;
///
/// let triangle = UnGraph::<(), ()>::from_edges([(0, 1), (1, 2), (2, 0)]);
/// let graph = Graph::try_from(&triangle)?;
/// assert_eq!((graph.nodes(), graph.edge_count()), (3, 3));
/// # Ok::<(), muffliato_model::GraphError>(())
/// ```
impl<N, E, Ix: IndexType> TryFrom<&::petgraph::Graph<N, E, Undirected, Ix>> for Graph {
    type Error = GraphError;

    fn try_from(graph: &::petgraph::Graph<N, E, Undirected, Ix>) -> Result<Self, GraphError> {
        let edges = graph.raw_edges().iter();
        Self::try_new(
            graph.node_count(),
            edges.map(|edge| (edge.source().index(), edge.target().index())),
        )
    }
}

impl Graph {
    /// Converts a graph like `TryFrom`, with the labels that `label` derives from the node weights.
    ///
    /// # Errors
    ///
    /// Returns an error for a self-loop, an empty graph or equal labels.
    ///
    /// ```
    /// use muffliato_model::Graph;
    /// use petgraph::graph::UnGraph;
    ///
    /// let mut friends = UnGraph::<&str, ()>::new_undirected();
    /// let (ann, bob) = (friends.add_node("ann"), friends.add_node("bob"));
    /// friends.add_edge(ann, bob, ());
    /// let graph = Graph::from_petgraph_labelled(&friends, |name| name.to_string())?;
    /// assert_eq!((graph.node("bob"), graph.edge_count()), (Some(1), 1));
    /// # Ok::<(), muffliato_model::GraphError>(())
    /// ```
    #[cfg_attr(docsrs, doc(cfg(feature = "petgraph")))]
    pub fn from_petgraph_labelled<N, E, Ix: IndexType>(
        graph: &::petgraph::Graph<N, E, Undirected, Ix>,
        label: impl FnMut(&N) -> String,
    ) -> Result<Self, GraphError> {
        let labels = graph.node_weights().map(label).collect();
        Self::try_from(graph)?.with_labels(labels)
    }
}

/// Converts node i to node index i, with [`Graph::label`] as its weight. Edges keep their order;
/// positions are dropped.
impl From<&Graph> for UnGraph<String, ()> {
    fn from(graph: &Graph) -> Self {
        let mut converted = Self::with_capacity(graph.nodes(), graph.edge_count());
        let indices: Vec<_> =
            (0..graph.nodes()).map(|node| converted.add_node(graph.label(node))).collect();
        for (u, v) in graph.edges() {
            converted.add_edge(indices[u], indices[v], ());
        }
        converted
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::families;

    #[test]
    fn there_and_back_is_the_same_graph() {
        let graph = families::florentine().unwrap();
        let converted = UnGraph::<String, ()>::from(&graph);
        assert_eq!(converted.node_count(), 15);
        assert_eq!(converted.edge_count(), 20);
        let back = Graph::from_petgraph_labelled(&converted, String::clone);
        assert_eq!(back, Ok(graph));

        let graph = families::torus(&[3, 4]).unwrap();
        let converted = UnGraph::from(&graph);
        assert_eq!(converted.node_weights().nth(7).unwrap(), "7");
        assert_eq!(Graph::try_from(&converted), Ok(graph));
    }

    #[test]
    fn parallel_edges_merge_and_weights_do_not_matter() {
        let mut multigraph = ::petgraph::Graph::<&str, f64, Undirected, u8>::default();
        let [a, b, _] = ["a", "b", "c"].map(|name| multigraph.add_node(name));
        multigraph.add_edge(b, a, 0.5);
        multigraph.add_edge(a, b, 0.25);
        let graph = Graph::try_from(&multigraph).unwrap();
        assert_eq!(graph.nodes(), 3);
        assert_eq!(graph.edges().collect::<Vec<_>>(), [(0, 1)]);
        let labelled = Graph::from_petgraph_labelled(&multigraph, |name| name.to_uppercase());
        assert_eq!(labelled.unwrap().labels().unwrap(), ["A", "B", "C"]);
    }

    #[test]
    fn self_loops_equal_labels_and_no_nodes_are_errors() {
        let looped = UnGraph::<(), ()>::from_edges([(0, 1), (1, 1)]);
        assert_eq!(Graph::try_from(&looped), Err(GraphError::SelfLoop { node: 1 }));
        let pair = UnGraph::<(), ()>::from_edges([(0, 1)]);
        assert!(matches!(
            Graph::from_petgraph_labelled(&pair, |()| "x".to_string()),
            Err(GraphError::RepeatedLabel { .. })
        ));
        let empty = UnGraph::<(), ()>::default();
        assert_eq!(Graph::try_from(&empty), Err(GraphError::Empty));
    }
}
