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
#[allow(missing_docs, reason = "the messages say what the fields are")]
pub enum GraphError {
    /// The graph has no nodes.
    #[error("the graph has no nodes; give it at least one")]
    Empty,
    /// An edge names a node that does not exist.
    #[error("edge {u}-{v} names a node outside 0..{nodes}; nodes are numbered from 0")]
    NodeOutOfRange { u: usize, v: usize, nodes: usize },
    /// An edge joins a node to itself.
    #[error(
        "edge {node}-{node} is a self-loop; remove it (a node's own weight comes from the weight scheme)"
    )]
    SelfLoop { node: usize },
    /// The graph is larger than this crate stores.
    #[error(
        "the graph would have {nodes} nodes and {edges} edges; the limits are {} nodes and {} edges",
        Graph::MAX_NODES,
        Graph::MAX_EDGES
    )]
    TooLarge { nodes: u128, edges: u128 },
    /// A list does not have one item per node.
    #[error("{given} {what} were given for {nodes} nodes; give one for each node")]
    WrongLength { what: &'static str, given: usize, nodes: usize },
    /// Two nodes have the same label.
    #[error("nodes {first} and {second} are both labelled {label:?}; labels must differ")]
    RepeatedLabel { label: String, first: usize, second: usize },
    /// A parameter of a graph family is invalid.
    #[error("{family}: {parameter} is {value}, but {expected}")]
    BadParameter { family: &'static str, parameter: &'static str, value: String, expected: String },
    /// No random graph with the requested property was found.
    #[error("{family}: no {wanted} graph in {draws} draws; {remedy}")]
    NotFound { family: &'static str, wanted: &'static str, draws: usize, remedy: &'static str },
}
