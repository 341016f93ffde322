//! Questions to both engines, with a textual form.
//!
//! ```
//! use muffliato_conformance::case::Case;
//!
//! let text = concat!(
//!     r#"{"protocol":{"nodes":3,"rounds":1,"gossip_steps":2,"#,
//!     r#""network":{"edges":[[0,1],[1,2]],"weights":"metropolis"},"refresh":"1/10"},"#,
//!     r#""observer":"full:2","group":[0,1],"seed":7}"#,
//! );
//! let case: Case = text.parse()?;
//! assert_eq!(case.protocol.steps(), 2);
//! assert_eq!(case.to_string(), text);
//! # Ok::<(), muffliato_conformance::case::CaseError>(())
//! ```

mod parameters;
mod text;

pub use parameters::Parameters;
pub use text::CaseError;

use muffliato_model::{Graph, Observer, Protocol, Schedule, Step};
use std::sync::Arc;

/// A protocol, an observer, a group of sources, and a seed for everything else.
///
/// ```
/// use muffliato_conformance::case::Case;
/// use muffliato_model::{Network, Observer, Protocol, WeightScheme, families};
///
/// let network = Network::try_new(families::path(3)?, WeightScheme::Metropolis)?;
/// let case = |steps| Ok::<_, Box<dyn std::error::Error>>(
///     Case::new(Protocol::one_shot(network.clone(), steps)?, Observer::full(0), 7),
/// );
/// assert_eq!((case(2)?.sources(), case(2)?.group), (vec![1, 2], vec![1, 2]));
/// assert!(!case(1)?.is_heard(2) && case(2)?.is_heard(2)); // node 2 is two edges away
/// assert_eq!(case(2)?.edge_intensity().unwrap().1, 0.5); // two edges
/// assert_eq!(case(2)?.to_string().parse::<Case>()?, case(2)?);
/// assert!((-1.0..1.0).contains(&case(2)?.number(0)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Case {
    /// The protocol.
    pub protocol: Protocol,
    /// The observer.
    pub observer: Observer,
    /// Nodes whose inputs are protected together; empty if every node observes.
    pub group: Vec<usize>,
    /// Source of the remaining parameters, inputs and noise.
    pub seed: u64,
}

impl Case {
    /// Creates a case whose group is the nodes outside the observer, at most three of them.
    pub fn new(protocol: Protocol, observer: Observer, seed: u64) -> Self {
        let outside = (0..protocol.nodes()).filter(|&u| !observer.contains(u));
        let group = outside.take(3).collect();
        Self { protocol, observer, group, seed }
    }

    /// Returns the nodes outside the observer, in increasing order.
    pub fn sources(&self) -> Vec<usize> {
        let nodes = 0..self.protocol.nodes();
        nodes.filter(|&u| !self.observer.contains(u)).collect()
    }

    /// Returns `true` if a message to the observer can depend on the input of `source`: a path
    /// along the edges of the successive steps leads from it to a node that then sends to the
    /// observer.
    pub fn is_heard(&self, source: usize) -> bool {
        let nodes = self.protocol.nodes();
        let mut reached = vec![false; nodes];
        reached[source] = true;
        for t in 0..self.protocol.steps() {
            let step = self.protocol.step(t);
            let senders = step.senders_to(self.observer.members());
            if senders.iter().any(|&sender| reached[sender]) {
                return true;
            }
            let spread: Vec<usize> = (0..nodes).filter(|&v| reached[v]).collect();
            for next in step.senders_to(&spread) {
                reached[next] = true; // edges have no direction: who sends to v hears v
            }
        }
        false
    }

    /// Returns the graph of the first step (for randomized gossip, of all steps) and the largest
    /// power of 1/2 that all its edges can have as intensities summing to at most 1. Returns `None`
    /// if there is no edge.
    pub fn edge_intensity(&self) -> Option<(Arc<Graph>, f64)> {
        let graph = match self.protocol.schedule() {
            Schedule::EdgeSequence { graph, .. } => Arc::clone(graph),
            _ => match self.protocol.step(0) {
                Step::Network(network) => network.shared_graph(),
                Step::EdgeAverage { .. } => return None,
            },
        };
        let edges = graph.edge_count();
        (edges > 0).then(|| (graph, 1.0 / edges.next_power_of_two() as f64))
    }

    /// Calls `ask` for each source outside the observer.
    pub(crate) fn each<T, E>(&self, ask: impl Fn(usize) -> Result<T, E>) -> Result<Vec<T>, E> {
        self.sources().into_iter().map(ask).collect()
    }
}
