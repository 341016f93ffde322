//! Runs the protocol in custom network code: one `Node` per thread, with channels instead of
//! sockets.
//!
//! `cargo run --release --example own_network`

use muffliato::fast::SparseWeights;
use muffliato::fast::node::{Node, NodeProtocol, NodeWeights};
use muffliato::fast::noise::{DiscreteGaussian, Grid};
use muffliato::prelude::*;
use std::sync::mpsc::{Receiver, Sender, channel};

/// Sender, step and values.
type Message = (usize, usize, Vec<f64>);
type Failure = Box<dyn std::error::Error + Send + Sync>;

fn participate(
    mut node: Node<DiscreteGaussian>,
    number: usize,
    inbox: Receiver<Message>,
    outboxes: Vec<Sender<Message>>,
) -> Result<f64, Failure> {
    while let Some(message) = node.message() {
        let message = message.to_vec();
        let step = node.step();
        for &neighbour in node.neighbours() {
            outboxes[neighbour].send((number, step, message.clone()))?;
        }
        while !node.advance()? {
            let (from, step, values) = inbox.recv()?;
            node.receive(from, step, &values)?;
        }
    }
    Ok(node.output().ok_or("the last step is done")?[0])
}

fn main() -> Result<(), Failure> {
    let weights = SparseWeights::of_network(&Network::metropolis("ring:8".parse()?)?)?;
    let protocol = NodeProtocol {
        steps: 30,
        sigma: 0.5,
        tau: 0.05,
        acceleration: None,
    };
    // Exact noise on a grid that is fine enough for the smallest standard deviation.
    let noise = DiscreteGaussian::on(Grid::for_deviation(protocol.tau * protocol.sigma)?);
    let (outboxes, inboxes): (Vec<_>, Vec<_>) = (0..8).map(|_| channel()).unzip();
    let threads: Vec<_> = inboxes
        .into_iter()
        .enumerate()
        .map(|(v, inbox)| {
            let row = NodeWeights::of_row(&weights, v)?;
            let node = Node::try_new(vec![v as f64], row, protocol, noise)?;
            let outboxes = outboxes.clone();
            Ok(std::thread::spawn(move || {
                participate(node, v, inbox, outboxes)
            }))
        })
        .collect::<Result<_, Failure>>()?;
    for (v, thread) in threads.into_iter().enumerate() {
        let mean = thread.join().map_err(|_| "a thread panicked")??;
        println!("node {v} held {v} and found the mean {mean:.2} (without noise 3.50)");
    }
    Ok(())
}
