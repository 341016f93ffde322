//! Errors of graphs.

use crate::Graph;

/// An invalid graph.
///
/// ```
/// use muffliato_model::{Graph, GraphError};
///
/// assert_eq!(Graph::try_new(2, [(1, 1)]), Err(GraphError::SelfLoop { node: 1 }));
/// assert_eq!(Graph::try_new(2, [(0, 2)]), Err(GraphError::NodeOutOfRange { u: 0, v: 2, nodes: 2 }));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum GraphError {
    /// The graph has no nodes.
    #[error("the graph has no nodes; give it at least one")]
    Empty,
    /// An edge names a node that does not exist.
    #[error("edge {u}-{v} names a node outside 0..{nodes}; nodes are numbered from 0")]
    NodeOutOfRange {
        /// One end of the edge.
        u: usize,
        /// The other end.
        v: usize,
        /// The number of nodes.
        nodes: usize,
    },
    /// An edge joins a node to itself.
    #[error(
        "edge {node}-{node} is a self-loop; remove it (a node's own weight comes from the weight scheme)"
    )]
    SelfLoop {
        /// The node.
        node: usize,
    },
    /// The graph is larger than this crate stores.
    #[error(
        "the graph would have {nodes} nodes and {edges} edges; the limits are {} nodes and {} edges",
        Graph::MAX_NODES,
        Graph::MAX_EDGES
    )]
    TooLarge {
        /// Nodes asked for.
        nodes: u128,
        /// Edges asked for.
        edges: u128,
    },
    /// A list does not have one item per node.
    #[error("{given} {what} were given for {nodes} nodes; give one for each node")]
    WrongLength {
        /// The items of the list.
        what: &'static str,
        /// Its length.
        given: usize,
        /// The number of nodes.
        nodes: usize,
    },
    /// Two nodes have the same label.
    #[error("nodes {first} and {second} are both labelled {label:?}; labels must differ")]
    RepeatedLabel {
        /// The label.
        label: String,
        /// The first node that has it.
        first: usize,
        /// The second.
        second: usize,
    },
    /// A parameter of a graph family is invalid.
    #[error("{family}: {parameter} is {value}, but {expected}")]
    BadParameter {
        /// The family's name.
        family: &'static str,
        /// The parameter's name.
        parameter: &'static str,
        /// Its value.
        value: String,
        /// The accepted values.
        expected: String,
    },
    /// No random graph with the requested property was found.
    #[error("{family}: no {wanted} graph in {draws} draws; {remedy}")]
    NotFound {
        /// The family's name.
        family: &'static str,
        /// The property asked for.
        wanted: &'static str,
        /// The number of graphs drawn.
        draws: usize,
        /// What to change.
        remedy: &'static str,
    },
}
