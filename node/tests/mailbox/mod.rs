//! A network in memory that delivers messages in a random order.

use muffliato_fast::noise::Grid;
use muffliato_model::{Graph, Network, NoisePlan, Protocol};
use muffliato_node::{Message, Node, NodeProtocol, Secrets, Terms};
use std::sync::Arc;

pub const SEED: u64 = 11;

pub fn terms(sigma: f64, sensitivity: f64, coordinates: usize) -> Terms {
    let grid = Grid::try_new(2_f64.powi(-24)).unwrap();
    Terms { sigma, sensitivity, coordinates, grid, run: [5; 16] }
}

pub fn network(graph: &str) -> Network {
    Network::metropolis(graph.parse().unwrap()).unwrap()
}

/// Creates all nodes under one seed, and lets them greet each other.
pub fn nodes(agreed: &Arc<NodeProtocol>, model: &[f64]) -> Vec<Node> {
    let node = |v| agreed.node(v, model.to_vec(), Secrets::Seed(SEED)).unwrap();
    let mut nodes: Vec<Node> = (0..agreed.protocol().nodes()).map(node).collect();
    greet(&mut nodes);
    nodes
}

/// Lets all nodes greet each other.
pub fn greet(nodes: &mut [Node]) {
    for v in 0..nodes.len() {
        let hello = nodes[v].hello();
        for to in nodes[v].peers().to_vec() {
            nodes[to].receive(&hello).unwrap();
        }
    }
}

/// Messages on their way, and a generator that chooses the next one.
pub struct Mailbox {
    pub in_flight: Vec<(usize, Vec<u8>)>,
    state: u64,
}

impl Mailbox {
    pub fn new(order: u64) -> Self {
        Self { in_flight: Vec::new(), state: order.wrapping_mul(2).wrapping_add(1) }
    }

    pub fn below(&mut self, bound: usize) -> usize {
        self.state =
            self.state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        ((u128::from(self.state) * bound as u128) >> 64) as usize
    }

    pub fn post(&mut self, to: &[usize], message: &Message) {
        let bytes = message.to_bytes();
        self.in_flight.extend(to.iter().map(|&to| (to, bytes.clone())));
    }

    /// Sends the message of a node to its neighbours.
    pub fn send(&mut self, node: &mut Node) {
        let message = node.message().unwrap();
        self.post(&node.neighbours(), &message);
    }

    pub fn next(&mut self) -> Option<(usize, Vec<u8>)> {
        if self.in_flight.is_empty() {
            return None;
        }
        let chosen = self.below(self.in_flight.len());
        Some(self.in_flight.swap_remove(chosen))
    }
}

pub fn decoded(node: &Node, bytes: &[u8]) -> Message {
    Message::from_bytes(bytes, node.protocol().longest_message()).unwrap()
}

/// Runs all nodes to the end; `inject` gives a node the input of a round.
pub fn run(nodes: &mut [Node], order: u64, mut inject: impl FnMut(&mut Node)) {
    let mut mail = Mailbox::new(order);
    let mut start = |node: &mut Node, mail: &mut Mailbox| {
        inject(node);
        node.save();
        mail.send(node);
    };
    for node in nodes.iter_mut() {
        start(node, &mut mail);
    }
    while let Some((to, bytes)) = mail.next() {
        let message = decoded(&nodes[to], &bytes);
        nodes[to].receive(&message).unwrap();
        while nodes[to].advance().unwrap() {
            if nodes[to].model().is_some() {
                start(&mut nodes[to], &mut mail);
            } else if nodes[to].output().is_none() {
                nodes[to].save();
                mail.send(&mut nodes[to]);
            }
        }
    }
}

pub fn outputs(nodes: &[Node]) -> Vec<f64> {
    nodes.iter().flat_map(|node| node.output().unwrap().to_vec()).collect()
}

/// Averaging protocols of every kind.
pub fn averaging(graph: &str, steps: usize) -> Vec<Protocol> {
    let plain = Protocol::one_shot(network(graph), steps).unwrap();
    let fraction = |text: &str| text.parse().unwrap();
    vec![
        plain.clone(),
        plain.clone().masked(fraction("3")).unwrap(),
        plain.clone().refreshed(fraction("0.1")).unwrap(),
        plain.clone().masked(fraction("5/2")).unwrap().accelerated(fraction("1.37")).unwrap(),
        plain.clone().with_plan(plan(plain.nodes())).unwrap(),
        on_other_edges(plain),
    ]
}

/// A plan with another size for every node, with masks of irrational sizes between all nodes that
/// are two apart.
pub fn plan(nodes: usize) -> NoisePlan {
    let sizes =
        |below: usize| (0..nodes).map(|v| format!("{}/{below}", v + 1).parse().unwrap()).collect();
    let pairs = (2..nodes).map(|v| ((v - 2, v), format!("{}/7", v + 1).parse().unwrap()));
    NoisePlan { nodes: sizes(3), masks: pairs.collect(), fresh: sizes(500) }
}

/// Masks of one size on a star that need not be in the graph.
pub fn on_other_edges(protocol: Protocol) -> Protocol {
    let star = format!("star:{}", protocol.nodes()).parse::<Graph>().unwrap();
    protocol.masked_on(star, "1/3".parse().unwrap()).unwrap()
}
