//! One participant of Muffliato, without I/O of its own.
//!
//! A [`Node`] holds its value, its row of the gossip matrix and its source of noise. The caller's
//! transport (a socket, a queue, a test) asks it for the message to send, hands it the received
//! messages, and lets it advance:
//!
//! ```text
//!            message()            receive(...)              advance()
//! step t ──▶ to every neighbour ──▶ one from every neighbour ──▶ step t + 1
//! ```
//!
//! Messages of a step may arrive in any order. A neighbour can be one step ahead, never two, so a
//! message of the next step is kept and one of any other step is refused. A refused message changes
//! nothing.
//!
//! The sum over the neighbours is taken in the order of their numbers, so results equal those of
//! the matrix engine bit for bit.

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

/// One node's row of a gossip matrix.
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
    /// Sorted in increasing order.
    neighbours: Vec<usize>,
    weights: Vec<f64>,
}

impl NodeWeights {
    /// Creates the row of `node` from its weight on itself and on each neighbour.
    ///
    /// # Errors
    /// [`NodeError::Weights`] unless all weights are finite, non-negative and sum to 1 (up to
    /// 1e-9), and the neighbours are distinct and differ from the node.
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

    /// Returns row `node` of a gossip matrix. Errors if there is no such row.
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

    /// Returns the neighbours in increasing order.
    pub fn neighbours(&self) -> &[usize] {
        &self.neighbours
    }
}

/// Parameters that all nodes agree on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NodeProtocol {
    /// Number of gossip steps T.
    pub steps: usize,
    /// Standard deviation of the noise at step 0; at least 0.
    pub sigma: f64,
    /// Standard deviation of the fresh noise at each later step, in units of sigma; 0 for none.
    pub tau: f64,
    /// Chebyshev parameter g, from 1 to 2; `None` for plain gossip.
    pub acceleration: Option<f64>,
}

/// A participant that runs Muffliato: plain, accelerated, refreshed or masked.
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

/// Keys shared with other nodes, from which both ends derive the same mask without communication.
///
/// ```
/// use muffliato_fast::node::{Node, NodeMasks, NodeProtocol, NodeWeights};
/// use muffliato_fast::noise::{Grid, RoundedGaussian, SharedKey};
///
/// // Masks far larger than the values and almost no other noise: messages are hidden, their
/// // sum is not.
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
    /// Standard deviation of a mask in units of sigma; at least 0.
    pub kappa: f64,
    /// Neighbours on the mask graph, which may differ from the gossip graph, with the shared keys.
    pub keys: Vec<(usize, SharedKey)>,
}

impl<N: NoiseSource> Node<N> {
    /// Creates a node as [`Node::try_new`] does, with masks. Of the two nodes that share a key, the
    /// one with the smaller number adds the mask at step 0 and the other subtracts it.
    ///
    /// # Errors
    /// If a node is named twice or is the node itself, and [`NodeError::EqualKeys`] if two
    /// neighbours have the same key.
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

    /// Creates a node that holds `value`, one number per coordinate, and draws its first noise. If
    /// the source has a grid, the value is rounded to it first.
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

    /// Returns the current step, from 0 to T.
    pub fn step(&self) -> usize {
        self.exchange.step()
    }

    /// Returns the neighbours in increasing order.
    pub fn neighbours(&self) -> &[usize] {
        &self.weights.neighbours
    }

    /// Returns the message to send to every neighbour at this step; `None` after the last step.
    /// Repeated calls return the same message. The node does not advance before the first call.
    pub fn message(&mut self) -> Option<&[f64]> {
        self.exchange.send().then_some(&self.value[..])
    }

    /// Returns the result after the last step.
    pub fn output(&self) -> Option<&[f64]> {
        self.exchange.is_finished().then_some(&self.value[..])
    }

    /// Accepts the message of neighbour `from` for the current step, or for the next one, which is
    /// kept.
    ///
    /// # Errors
    /// Refuses an unknown sender, another step, a second message, a wrong width or a value that is
    /// not finite. An error changes nothing.
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

    /// Returns the neighbours whose message of this step is missing.
    pub fn missing(&self) -> impl Iterator<Item = usize> + '_ {
        let numbered = self.weights.neighbours.iter().enumerate();
        numbered.filter_map(|(place, &from)| self.exchange.is_missing(place).then_some(from))
    }

    /// Mixes and moves to the next step if [`Node::message`] was called and all messages of this
    /// step have arrived. Otherwise, and after the last step, does nothing and returns `false`.
    ///
    /// # Errors
    /// If the noise source fails or the new value overflows; nothing changes.
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

/// Prints the state of the protocol, not the private values.
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
