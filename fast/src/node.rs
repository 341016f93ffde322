//! One participant of Muffliato, without input or output of its own.
//!
//! A [`Node`] holds its value, its row of the gossip matrix and its source of noise. Whoever moves messages
//! (a socket, a queue, a test) asks it what to send, hands it what was received, and lets it advance:
//!
//! ```text
//!            message()            receive(...)              advance()
//! step t ──▶ to every neighbour ──▶ one from every neighbour ──▶ step t + 1
//! ```
//!
//! Messages of a step may come in any order. A neighbour can be one step ahead (it has this node's message of
//! step t and sends its own of t + 1), and never two, so a message of the next step is kept for later, and any
//! other step is refused. What is refused changes nothing.
//!
//! The sum over the neighbours is taken in the order of their numbers, so that the numbers are those of the matrix
//! engine bit for bit.

mod error;
pub(crate) mod exchange;

pub use error::NodeError;

use crate::{
    FastError, SparseWeights,
    arithmetic::{chebyshev, take_mask},
    checks,
    noise::{NoiseOf, NoiseSource, SharedKey, add_noise},
};
use exchange::{Exchange, Refusal};
use std::fmt;

/// The row of a gossip matrix that one node knows.
///
/// ```
/// use muffliato_fast::{SparseWeights, node::{NodeError, NodeWeights}};
/// use muffliato_model::Network;
///
/// let weights = NodeWeights::try_new(0, 0.5, [(1, 0.5)])?;
/// assert_eq!(weights.neighbours(), [1]);
/// let pair = Network::metropolis("path:2".parse()?)?;
/// assert_eq!(NodeWeights::of_row(&SparseWeights::of_network(&pair)?, 0)?, weights);
/// let too_much = NodeWeights::try_new(0, 0.5, [(1, 0.9)]);
/// assert!(matches!(too_much, Err(NodeError::Weights { node: 0, .. })));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct NodeWeights {
    node: usize,
    own: f64,
    /// In increasing order.
    neighbours: Vec<usize>,
    weights: Vec<f64>,
}

impl NodeWeights {
    /// The weight of `node` on itself and on each of its neighbours.
    ///
    /// [`NodeError::Weights`] unless all are finite, not negative and sum to 1 (up to 1e-9), no neighbour is
    /// named twice, and none is the node itself.
    pub fn try_new(
        node: usize,
        own: f64,
        neighbours: impl IntoIterator<Item = (usize, f64)>,
    ) -> Result<Self, NodeError> {
        let mut pairs: Vec<(usize, f64)> = neighbours.into_iter().collect();
        pairs.sort_by_key(|&(neighbour, _)| neighbour);
        let (neighbours, weights): (Vec<usize>, Vec<f64>) = pairs.into_iter().unzip();
        let refused = |reason| Err(NodeError::Weights { node, reason });
        if !weights.iter().chain([&own]).all(|weight| *weight >= 0.0) {
            return refused("a weight is negative or not a number");
        }
        if ((own + weights.iter().sum::<f64>()) - 1.0).abs() > 1e-9 {
            return refused("they do not sum to 1");
        }
        if neighbours.contains(&node) {
            return refused("the node is listed as its own neighbour");
        }
        if neighbours.windows(2).any(|pair| pair[0] == pair[1]) {
            return refused("a neighbour is listed twice");
        }
        Ok(Self {
            node,
            own,
            neighbours,
            weights,
        })
    }

    /// Row `node` of a gossip matrix; an error if there is no such row.
    pub fn of_row(weights: &SparseWeights, node: usize) -> Result<Self, NodeError> {
        if node >= weights.nodes() {
            let reason = "the gossip matrix has no such row";
            return Err(NodeError::Weights { node, reason });
        }
        let (columns, values) = weights.row(node);
        Ok(Self {
            node,
            own: weights.own(node),
            neighbours: columns.iter().map(|&w| w as usize).collect(),
            weights: values.to_vec(),
        })
    }

    /// The neighbours in increasing order.
    pub fn neighbours(&self) -> &[usize] {
        &self.neighbours
    }
}

/// What all nodes have agreed on.
///
/// ```
/// use muffliato_fast::node::{Node, NodeProtocol, NodeWeights};
/// use muffliato_fast::noise::SeededNoise;
///
/// let weights = NodeWeights::try_new(0, 0.5, [(1, 0.5)])?;
/// let node = |protocol| Node::try_new(vec![0.5], weights.clone(), protocol, SeededNoise::new(1));
/// let refreshed = NodeProtocol { steps: 3, sigma: 1.0, tau: 0.1, acceleration: None };
/// assert_eq!(node(refreshed)?.step(), 0);
/// assert_eq!(node(NodeProtocol { steps: 0, ..refreshed })?.output(), Some(&[0.5][..])); // sends nothing, draws nothing
/// assert!(node(NodeProtocol { acceleration: Some(2.5), ..refreshed }).is_err());
/// # Ok::<(), muffliato_fast::node::NodeError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NodeProtocol {
    /// The number of gossip steps T.
    pub steps: usize,
    /// The standard deviation of the noise at step 0; at least 0.
    pub sigma: f64,
    /// Fresh noise of standard deviation `tau sigma` at each later step; 0 for none.
    pub tau: f64,
    /// The Chebyshev parameter g, from 1 to 2; `None` for plain gossip.
    pub acceleration: Option<f64>,
}

/// A participant that runs Muffliato: plain, accelerated, refreshed, masked.
///
/// ```
/// use muffliato_fast::node::{Node, NodeProtocol, NodeWeights};
/// use muffliato_fast::noise::SeededNoise;
///
/// let protocol = NodeProtocol { steps: 1, sigma: 0.1, tau: 0.0, acceleration: None };
/// let mut left = Node::try_new(vec![1.0], NodeWeights::try_new(0, 0.5, [(1, 0.5)])?, protocol, SeededNoise::new(1))?;
/// let mut right = Node::try_new(vec![3.0], NodeWeights::try_new(1, 0.5, [(0, 0.5)])?, protocol, SeededNoise::new(1))?;
///
/// let (from_left, from_right) = (left.message().unwrap().to_vec(), right.message().unwrap().to_vec());
/// left.receive(1, 0, &from_right)?;
/// right.receive(0, 0, &from_left)?;
/// assert!(left.advance()? && right.advance()?);
/// assert_eq!(left.output(), right.output());
/// assert!((left.output().unwrap()[0] - 2.0).abs() < 1.0);
/// # Ok::<(), muffliato_fast::node::NodeError>(())
/// ```
pub struct Node<N> {
    weights: NodeWeights,
    protocol: NodeProtocol,
    noise: N,
    value: Vec<f64>,
    previous: Option<Vec<f64>>,
    exchange: Exchange<Vec<bool>, Vec<f64>>,
}

/// What a node shares with its neighbours: a key with each of them, from which both expand the same mask. Nothing is sent for it.
///
/// ```
/// use muffliato_fast::node::{Node, NodeMasks, NodeProtocol, NodeWeights};
/// use muffliato_fast::noise::{Grid, RoundedGaussian, SharedKey};
///
/// // Two nodes with masks far larger than their values, and almost no other noise: what they send is hidden, their sum is not.
/// let protocol = NodeProtocol { steps: 1, sigma: 0.001, tau: 0.0, acceleration: None };
/// let noise = RoundedGaussian::on(Grid::try_new(2_f64.powi(-20))?);
/// let node = |v: usize, value: f64| {
///     let masks = NodeMasks { kappa: 1e6, keys: vec![(1 - v, SharedKey::new([7; 32]))] };
///     Node::masked(vec![value], NodeWeights::try_new(v, 0.5, [(1 - v, 0.5)])?, protocol, noise, &masks)
/// };
/// let (mut left, mut right) = (node(0, 1.0)?, node(1, 3.0)?);
/// let (from_left, from_right) = (left.message().unwrap()[0], right.message().unwrap()[0]);
/// assert!((from_left - 1.0).abs() > 1.0);
/// assert!((from_left + from_right - 4.0).abs() < 0.1);
/// # Ok::<(), muffliato_fast::node::NodeError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct NodeMasks {
    /// The standard deviation of a mask in units of sigma; at least 0.
    pub kappa: f64,
    /// A neighbour on the mask graph, and the key that is shared with it. It need not be a neighbour in gossip.
    pub keys: Vec<(usize, SharedKey)>,
}

impl<N: NoiseSource> Node<N> {
    /// The same as [`Node::try_new`] with masks: of the two that share a key the one with the smaller number adds the mask at step 0, the other subtracts it.
    ///
    /// An error if a node is named twice or is the node itself, and [`NodeError::EqualKeys`] if two neighbours have the same key.
    pub fn masked(
        value: Vec<f64>,
        weights: NodeWeights,
        protocol: NodeProtocol,
        noise: N,
        masks: &NodeMasks,
    ) -> Result<Self, NodeError> {
        checks::not_negative("kappa", masks.kappa)?;
        let mut node = Self::try_new(value, weights, protocol, noise)?;
        let mut keys: Vec<_> = masks.keys.iter().collect();
        keys.sort_by_key(|(other, _)| *other);
        let own = node.weights.node;
        let twice = keys.windows(2).any(|pair| pair[0].0 == pair[1].0);
        if twice || keys.iter().any(|(other, _)| *other == own) {
            let reason = "a mask is shared with the node itself, or two with one neighbour";
            return Err(NodeError::Weights { node: own, reason });
        }
        for (place, (second, key)) in keys.iter().enumerate() {
            if let Some((first, _)) = keys[..place].iter().find(|(_, other)| other == key) {
                return Err(NodeError::EqualKeys {
                    node: own,
                    first: *first,
                    second: *second,
                });
            }
        }
        if protocol.steps == 0 {
            return Ok(node);
        }
        let mut mask = vec![0.0; node.value.len()];
        for (other, key) in keys {
            let deviation = masks.kappa * protocol.sigma;
            node.noise
                .draw(NoiseOf::Key(key), 0, deviation, &mut mask)?;
            take_mask(own, *other, &mask, &mut node.value);
        }
        check_finite(&node.weights, &node.value)?;
        Ok(node)
    }

    /// A node that holds `value` (one number a coordinate, at least one) and draws its first noise. Where the source has a
    /// grid, the value is moved to it first.
    pub fn try_new(
        mut value: Vec<f64>,
        weights: NodeWeights,
        protocol: NodeProtocol,
        noise: N,
    ) -> Result<Self, NodeError> {
        checks::not_negative("sigma", protocol.sigma)?;
        checks::not_negative("tau", protocol.tau)?;
        checks::acceleration(protocol.acceleration)?;
        check_finite(&weights, &value)?;
        if value.is_empty() {
            let expected = "a value needs at least one";
            return Err(checks::bad("the number of coordinates", 0, expected).into());
        }
        let slots = 2 * weights.neighbours.len();
        let messages = vec![0.0; slots * value.len()];
        if protocol.steps > 0 {
            let (first, mut drawn) = ((weights.node, 0), Vec::new());
            add_noise(&noise, first, protocol.sigma, &mut value, &mut drawn)?;
        }
        Ok(Self {
            weights,
            protocol,
            noise,
            value,
            previous: None,
            exchange: Exchange::new(protocol.steps, vec![false; slots], messages),
        })
    }

    /// The step that the node is in, from 0 to T.
    pub fn step(&self) -> usize {
        self.exchange.step()
    }

    /// Whom it sends to and hears from.
    pub fn neighbours(&self) -> &[usize] {
        &self.weights.neighbours
    }

    /// What to send to every neighbour at this step; `None` after the last step. Asking again gives the
    /// same. The node does not advance before it was asked.
    pub fn message(&mut self) -> Option<&[f64]> {
        self.exchange.send().then_some(&self.value[..])
    }

    /// The result, after the last step.
    pub fn output(&self) -> Option<&[f64]> {
        self.exchange.is_finished().then_some(&self.value[..])
    }

    /// Takes the message of neighbour `from` for `step`: this one, or the next, which is kept.
    ///
    /// On an error (a stranger, another step, a second message, another number of coordinates, a value
    /// that is not finite) nothing changes.
    pub fn receive(&mut self, from: usize, step: usize, values: &[f64]) -> Result<(), NodeError> {
        let neighbours = &self.weights.neighbours;
        let taken = self.exchange.receive(neighbours, from, step, values);
        taken.map_err(|refusal| match refusal {
            Refusal::Stranger => NodeError::Stranger { from },
            Refusal::WrongStep => NodeError::WrongStep {
                from,
                step,
                current: self.step(),
            },
            Refusal::WrongWidth => NodeError::WrongWidth {
                from,
                given: values.len(),
                expected: self.value.len(),
            },
            Refusal::NotFinite(value) => NodeError::NotFinite { from, value },
            Refusal::Duplicate => NodeError::Duplicate { from, step },
        })
    }

    /// The neighbours whose message of this step is still missing.
    pub fn missing(&self) -> impl Iterator<Item = usize> + '_ {
        let numbered = self.weights.neighbours.iter().enumerate();
        numbered.filter_map(|(place, &from)| self.exchange.is_missing(place).then_some(from))
    }

    /// Mixes and goes to the next step, if its own message was asked for and all messages of this step are
    /// there; otherwise, and after the last step, does nothing and returns `false`.
    ///
    /// On an error (the noise source fails, or the new value overflows) nothing changes.
    pub fn advance(&mut self) -> Result<bool, NodeError> {
        if !self.exchange.is_complete() {
            return Ok(false);
        }
        let mut mixed = vec![0.0; self.value.len()];
        let NodeWeights { own, weights, .. } = &self.weights;
        self.exchange.mix(*own, weights, &self.value, &mut mixed);
        if let (Some(g), Some(previous)) = (self.protocol.acceleration, &self.previous) {
            chebyshev(g, &mut mixed, previous);
        }
        let next = self.step() + 1;
        if self.protocol.tau > 0.0 && next < self.protocol.steps {
            let deviation = self.protocol.tau * self.protocol.sigma;
            let (at, mut drawn) = ((self.weights.node, next), Vec::new());
            add_noise(&self.noise, at, deviation, &mut mixed, &mut drawn)?;
        }
        check_finite(&self.weights, &mixed)?;

        self.previous = Some(std::mem::replace(&mut self.value, mixed));
        self.exchange.advance();
        Ok(true)
    }
}

fn check_finite(weights: &NodeWeights, value: &[f64]) -> Result<(), FastError> {
    match value.iter().find(|entry| !entry.is_finite()) {
        None => Ok(()),
        Some(&value) => Err(FastError::NotFinite {
            what: "value",
            node: weights.node,
            value,
        }),
    }
}

/// Says where the node is, not what it holds.
impl<N> fmt::Debug for Node<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Node")
            .field("node", &self.weights.node)
            .field("step", &self.exchange.step())
            .field("steps", &self.protocol.steps)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
