//! The accountant's answers, by topic.

mod calibration;
mod certificates;
mod coalitions;
mod masks;
mod noise;
mod participation;
mod sampling;
mod schedules;
mod sums;
mod system;
mod time;

use muffliato_model::{Graph, Network, Protocol, ProtocolSpec};

fn network(graph: &str) -> Network {
    Network::metropolis(graph.parse().unwrap()).unwrap()
}

/// Returns the protocol of a text, with `steps` steps unless the text has rounds.
fn protocol(graph: &str, text: &str, steps: usize) -> Protocol {
    on(&network(graph), text, steps)
}

fn on(network: &Network, text: &str, steps: usize) -> Protocol {
    text.parse::<ProtocolSpec>().unwrap().on_fixed(network.clone(), steps).unwrap()
}

/// Returns all graphs on `nodes` nodes up to isomorphism.
fn graphs(nodes: usize) -> Vec<Graph> {
    let pairs: Vec<(usize, usize)> =
        (0..nodes).flat_map(|a| (a + 1..nodes).map(move |b| (a, b))).collect();
    let mut orders = vec![vec![]];
    for node in 0..nodes {
        let with = |order: &Vec<usize>, place: usize| {
            let mut order = order.clone();
            order.insert(place, node);
            order
        };
        orders = orders
            .iter()
            .flat_map(|order| (0..=order.len()).map(move |place| with(order, place)))
            .collect();
    }
    let renamed = |set: usize, order: &[usize]| -> usize {
        let edges = (0..pairs.len()).filter(|edge| set >> edge & 1 == 1);
        let renamed = edges.map(|edge| {
            let (a, b) = (order[pairs[edge].0], order[pairs[edge].1]);
            let edge = (a.min(b), a.max(b));
            1 << pairs.iter().position(|&pair| pair == edge).unwrap()
        });
        renamed.sum()
    };
    (0..1 << pairs.len())
        .filter(|&set| orders.iter().all(|order| renamed(set, order) >= set))
        .map(|set| {
            let edges = (0..pairs.len()).filter(|edge| set >> edge & 1 == 1);
            Graph::try_new(nodes, edges.map(|edge| pairs[edge])).unwrap()
        })
        .collect()
}
