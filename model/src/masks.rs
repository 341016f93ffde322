//! Gaussian draws: the noise of one node, and masks that two nodes share.
//!
//! A protocol is linear in its **draws**, independent Gaussians. Each node draws its own noise. In
//! a [masked](Protocol::masked) protocol each edge {a, b} of a *mask graph* H has one more draw at
//! each input, of standard deviation `kappa sigma`, that a and b share: a adds it and b subtracts
//! it. The sum of all states does not change.
//!
//! ```text
//!      a  ── + m ──▶  state of a          both know m (they expand it from a shared key);
//!      b  ── - m ──▶  state of b          nothing is sent for it
//! ```
//!
//! The mask graph of a round has the edges whose two ends are present: a node without neighbours at
//! the first step of the round (dropout) shares no masks.

use crate::{
    Fraction, Graph, GraphError, Observer, Protocol, ProtocolError, Step, noise::Variances,
};
use std::sync::Arc;

/// One independent Gaussian of a protocol.
///
/// ```
/// use muffliato_model::{Draw, Observer};
///
/// let mask = Draw::Mask { time: 0, edge: (1, 4) };
/// assert_eq!(mask.enters().collect::<Vec<_>>(), [(1, true), (4, false)]); // 1 adds it, 4 subtracts it
/// assert!(mask.is_known_to(&Observer::full(4)) && !mask.is_known_to(&Observer::full(2)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Draw {
    /// The noise that `node` adds at `time`.
    Own {
        /// The time of the draw.
        time: usize,
        /// The node that draws it.
        node: usize,
    },
    /// The mask that the ends of an edge share at `time`. The first, smaller end adds it and the
    /// second subtracts it.
    Mask {
        /// The time of the draw.
        time: usize,
        /// The edge that shares it.
        edge: (usize, usize),
    },
}

impl Draw {
    /// Returns the time of the draw.
    pub fn time(&self) -> usize {
        match *self {
            Self::Own { time, .. } | Self::Mask { time, .. } => time,
        }
    }

    /// Returns the nodes whose state the draw enters, with `true` if they add it and `false` if
    /// they subtract it.
    pub fn enters(&self) -> impl Iterator<Item = (usize, bool)> + use<> {
        let (first, second) = match *self {
            Self::Own { node, .. } => ((node, true), None),
            Self::Mask { edge: (a, b), .. } => ((a, true), Some((b, false))),
        };
        std::iter::once(first).chain(second)
    }

    /// Returns `true` if the observer knows the value: the noise of its own members (except in the
    /// paper's view), and the masks of its own edges in every view.
    pub fn is_known_to(&self, observer: &Observer) -> bool {
        match *self {
            Self::Own { node, .. } => observer.knows_own_noise() && observer.contains(node),
            Self::Mask { edge: (a, b), .. } => observer.contains(a) || observer.contains(b),
        }
    }
}

/// The masks of a protocol. [`Protocol::variance`] returns their sizes.
#[derive(Clone, Debug, PartialEq)]
pub struct Masks {
    pub(crate) variances: Variances,
    pub(crate) graph: Option<Arc<Graph>>,
    /// The edges that different variances belong to, in increasing order.
    pub(crate) edges: Arc<[(usize, usize)]>,
}

impl Masks {
    /// Returns the mask graph if it is not the gossip graph.
    pub fn graph(&self) -> Option<&Graph> {
        self.graph.as_deref()
    }
}

impl Protocol {
    /// Adds masks of standard deviation `kappa sigma` to the edges that gossip at the first step of
    /// each round (to all edges in randomized gossip). Every round draws new masks.
    ///
    /// # Errors
    ///
    /// Returns [`ProtocolError::Mask`] unless kappa is positive, and an error if its square is too long.
    ///
    /// ```
    /// use muffliato_model::{Network, Protocol};
    ///
    /// let path = Network::metropolis("path:3".parse()?)?;
    /// let masked = Protocol::gradient_descent(path, 2, 3)?.masked("3".parse()?)?;
    /// assert_eq!(masked.mask_graph(1)?.unwrap().edge_count(), 2);
    /// assert_eq!(masked.all_draws()?.len(), 2 * (3 + 2)); // in each round, three nodes and two edges
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn masked(mut self, kappa: Fraction) -> Result<Self, ProtocolError> {
        if !kappa.is_positive() {
            return Err(ProtocolError::Mask { kappa });
        }
        let variances = Variances::All(kappa.square()?);
        self.masks = Some(Masks { variances, graph: None, edges: Arc::default() });
        Ok(self)
    }

    /// Adds masks on the edges of another graph: nodes that share keys need not gossip with each
    /// other.
    ///
    /// # Errors
    ///
    /// Returns an error unless kappa is positive and `graph` has the nodes of the protocol.
    pub fn masked_on(
        self,
        graph: impl Into<Arc<Graph>>,
        kappa: Fraction,
    ) -> Result<Self, ProtocolError> {
        let graph = graph.into();
        let (given, nodes) = (graph.nodes(), self.nodes());
        if given != nodes {
            return Err(ProtocolError::MaskGraph { given, nodes });
        }
        let mut masked = self.masked(kappa)?;
        if let Some(masks) = &mut masked.masks {
            masks.graph = Some(graph);
        }
        Ok(masked)
    }

    /// Removes the masks. Masks only add hidden noise, so the loss without them is an upper bound.
    pub fn without_masks(mut self) -> Self {
        self.masks = None;
        self
    }

    /// Returns the masks, if any.
    pub fn masks(&self) -> Option<&Masks> {
        self.masks.as_ref()
    }

    /// Returns the mask graph of a round, or of the last round if `round` is beyond the end: the
    /// edges of the mask graph whose two ends have a neighbour at the first step. `None` without
    /// masks.
    ///
    /// # Errors
    ///
    /// Returns an error if the graph cannot be built.
    ///
    /// ```
    /// use muffliato_model::{Graph, Network, Protocol, families};
    ///
    /// // Node 3 is away in the second round.
    /// let all = Network::metropolis("complete:4".parse()?)?;
    /// let three = Graph::try_new(4, [(0, 1), (1, 2)])?;
    /// let three = Network::metropolis(three)?;
    /// let descent = Protocol::gradient_descent_on(vec![all, three], 2)?;
    /// let masked = descent.masked_on(families::ring(4)?, "3".parse()?)?;
    /// let edges = |round| Ok::<_, muffliato_model::GraphError>(masked.mask_graph(round)?.unwrap().edges().collect::<Vec<_>>());
    /// assert_eq!(edges(0)?, [(0, 1), (0, 3), (1, 2), (2, 3)]);
    /// assert_eq!(edges(1)?, [(0, 1), (1, 2)]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn mask_graph(&self, round: usize) -> Result<Option<Arc<Graph>>, GraphError> {
        let Some(masks) = &self.masks else {
            return Ok(None);
        };
        let own = masks.graph.as_ref();
        let network = match self.step(round.min(self.rounds() - 1) * self.gossip_steps()) {
            Step::Network(network) => network,
            Step::EdgeAverage { .. } => {
                return own.map_or_else(|| self.graph(), |own| Ok(Arc::clone(own))).map(Some);
            }
        };
        let Some(own) = own else {
            return Ok(Some(network.shared_graph()));
        };
        let away = (0..self.nodes()).map(|v| network.graph().degree(v) == 0);
        let away: Vec<bool> = away.collect();
        if !away.contains(&true) {
            return Ok(Some(Arc::clone(own)));
        }
        own.isolating(&away).map(|present| Some(Arc::new(present)))
    }

    /// Returns all draws: the noise of every node by time and node, then the masks by round and
    /// edge.
    ///
    /// # Errors
    ///
    /// Returns an error if a mask graph cannot be built.
    pub fn all_draws(&self) -> Result<Vec<Draw>, GraphError> {
        let drawing = (0..self.steps()).filter(|&time| self.draws(time));
        let own = |time| (0..self.nodes()).map(move |node| Draw::Own { time, node });
        let mut draws: Vec<_> = drawing.flat_map(own).collect();
        for round in 0..self.rounds() {
            let time = round * self.gossip_steps();
            if let Some(graph) = self.mask_graph(round)? {
                draws.extend(graph.edges().map(|edge| Draw::Mask { time, edge }));
            }
        }
        Ok(draws)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Network, families};

    fn network(graph: Graph) -> Network {
        Network::metropolis(graph).unwrap()
    }

    #[test]
    fn draws_come_time_by_time_and_masks_last() {
        let ring = network(families::ring(3).unwrap());
        let protocol = Protocol::one_shot(ring, 2)
            .unwrap()
            .refreshed("1/2".parse().unwrap())
            .unwrap()
            .masked("2".parse().unwrap())
            .unwrap();
        let draws = protocol.all_draws().unwrap();
        let own = |time, node| Draw::Own { time, node };
        let mask = |edge| Draw::Mask { time: 0, edge };
        let expected = [own(0, 0), own(0, 1), own(0, 2), own(1, 0), own(1, 1)];
        assert_eq!(draws[..5], expected);
        assert_eq!(draws[6..], [(0, 1), (0, 2), (1, 2)].map(mask));
        assert_eq!(protocol.without_masks().all_draws().unwrap().len(), 6);
    }

    #[test]
    fn masks_of_a_coalition_are_those_of_all_its_edges() {
        let known = |edge| {
            let mask = Draw::Mask { time: 0, edge };
            mask.is_known_to(&Observer::coalition([1, 3]).unwrap())
        };
        assert!(known((0, 1)) && known((3, 4)) && !known((0, 2)));
    }

    #[test]
    fn randomized_gossip_masks_every_edge_of_its_graph() {
        let path = families::path(4).unwrap();
        let protocol = Protocol::randomized(path, vec![(0, 1)]).unwrap();
        let masked = protocol.clone().masked(Fraction::ONE).unwrap();
        assert_eq!(masked.mask_graph(0).unwrap().unwrap().edge_count(), 3);
        assert_eq!(protocol.mask_graph(0), Ok(None));
        let other = families::path(5).unwrap();
        assert_eq!(
            protocol.masked_on(other, Fraction::ONE),
            Err(ProtocolError::MaskGraph { given: 5, nodes: 4 })
        );
    }
}
