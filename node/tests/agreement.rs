//! Nodes that exchange messages and the simulation give the same bits for the same seed.

use crate::mailbox::{self, SEED, averaging, network, nodes, outputs, run, terms};
use muffliato_fast::{
    learning::{Aggregation, Descent, LocalLoss, LogisticLoss, Sampling, even_shares},
    noise::{Drawn, NoiseOf, NoiseSource, RoundedGaussian, SharedKey},
    simulation::Simulation,
};
use muffliato_model::Protocol;
use muffliato_node::{NodeError, NodeProtocol, Secrets};

#[test]
fn averaging_is_the_simulation_bit_for_bit() {
    for graph in ["karate", "ring:7", "star:6", "hypercube:4", "path:2"] {
        for (kind, protocol) in averaging(graph, 9).into_iter().enumerate() {
            let (count, width) = (protocol.nodes(), 3);
            let inputs: Vec<f64> = (0..count * width).map(|k| (k * 7 % 11) as f64 / 3.0).collect();
            let terms = terms(0.5, 40.0, width);
            let noise = RoundedGaussian::seeded(terms.grid, SEED);
            let matrix = Simulation::new(&protocol).sigma(0.5).run(&inputs, width, &noise).unwrap();
            let agreed = NodeProtocol::of(&protocol, terms).unwrap();
            for order in 0..3 {
                let mut nodes = nodes(&agreed, &vec![0.0; width]);
                run(&mut nodes, order, |node| {
                    let v = node.number();
                    node.inject_value(&inputs[v * width..(v + 1) * width]).unwrap();
                });
                assert_eq!(outputs(&nodes), matrix.values, "{graph} {kind} {order}");
            }
        }
    }
}

/// Noise of a simulation that takes the masks of real keys and no other noise.
struct Keyed(std::sync::Arc<NodeProtocol>);

fn key(a: usize, b: usize) -> SharedKey {
    SharedKey::new([(10 * a.min(b) + a.max(b)) as u8; 32])
}

impl NoiseSource for Keyed {
    fn draw(&self, of: NoiseOf<'_>, step: usize, deviation: f64, out: &mut [f64]) -> Drawn {
        match of {
            NoiseOf::Edge(a, b) => {
                let key = self.0.mask_key(&key(a, b));
                let noise = RoundedGaussian::on(self.0.terms().grid);
                noise.draw(NoiseOf::Key(&key), step, deviation, out)?;
            }
            _ => out.fill(0.0),
        }
        Ok(())
    }
}

#[test]
fn masks_come_from_the_keys_and_cancel() {
    let protocol = Protocol::one_shot(network("ring:5"), 1).unwrap();
    let protocol = protocol.masked("1000000".parse().unwrap()).unwrap();
    let agreed = NodeProtocol::of(&protocol, terms(2_f64.powi(-24), 20.0, 1)).unwrap();
    let inputs = [1.0, -2.0, 3.0, 0.5, 0.25];
    let expected = Simulation::new(&protocol)
        .sigma(agreed.terms().sigma)
        .recording_messages_to(muffliato_model::Observer::full(0))
        .run(&inputs, 1, &Keyed(agreed.clone()))
        .unwrap();
    let mut sum = 0;
    for v in 0..5 {
        let keys = [(v + 1) % 5, (v + 4) % 5].map(|w| (w, key(v, w)));
        let mut node = agreed.node(v, vec![0.0], Secrets::Keys(keys.to_vec())).unwrap();
        for w in node.peers().to_vec() {
            let hello = agreed.node(w, vec![0.0], Secrets::Seed(0)).unwrap().hello();
            node.receive(&hello).unwrap();
        }
        node.inject_value(&[inputs[v]]).unwrap();
        node.save();
        let muffliato_node::Body::Values { values, .. } = node.message().unwrap().body else {
            panic!("values");
        };
        sum += values[0];
        // Noise of one step of the grid; masks of a million.
        let seen = expected.messages.iter().find(|message| message.from == v);
        if let Some(seen) = seen {
            assert!(
                (values[0] as f64 * 2_f64.powi(-24) - seen.values[0]).abs()
                    < 20.0 * 2_f64.powi(-24)
            );
        }
        assert!((values[0] as f64 * 2_f64.powi(-24) - inputs[v]).abs() > 1e-4);
    }
    let exact: f64 = inputs.iter().sum();
    assert!((sum as f64 * 2_f64.powi(-24) - exact).abs() < 50.0 * 2_f64.powi(-24));
}

/// A regression on the same number of examples at each node.
fn logistic(nodes: usize, each: usize, width: usize) -> LogisticLoss {
    let examples = each * nodes;
    let features = (0..examples * width).map(|k| ((k * 31 % 17) as f64 - 8.0) / 9.0).collect();
    let labels = (0..examples).map(|e| if e % 3 == 0 { 1.0 } else { -1.0 }).collect();
    let shares = even_shares(examples, nodes).unwrap();
    LogisticLoss::try_new(width, features, labels, shares).unwrap()
}

#[test]
fn training_is_the_simulation_bit_for_bit() {
    let (width, clip, step_size, sigma) = (3, 0.1, 0.7, 0.2);
    for graph in ["ring:6", "karate"] {
        for kind in 0..6 {
            let mut protocol = Protocol::gradient_descent(network(graph), 5, 3).unwrap();
            if kind == 4 {
                let plan = mailbox::plan(protocol.nodes());
                protocol = protocol.with_plan(plan).unwrap();
            } else if kind == 5 {
                protocol = mailbox::on_other_edges(protocol);
            } else if kind >= 1 {
                protocol = protocol.masked("3".parse().unwrap()).unwrap();
            }
            if kind == 2 {
                protocol = protocol.refreshed("0.1".parse().unwrap()).unwrap().every(2).unwrap();
            }
            if kind == 3 {
                protocol = protocol.accelerated("1.2".parse().unwrap()).unwrap();
            }
            let count = protocol.nodes();
            let loss = logistic(count, 4, width);
            let descent =
                Descent { step_size, sigma, clip: Some(clip), ..Descent::of(&protocol).unwrap() };
            let terms = terms(step_size * sigma, 2.0 * (step_size * clip), width);
            let noise = RoundedGaussian::seeded(terms.grid, SEED);
            let start = vec![0.0; count * width];
            let gossip = Aggregation::of(&protocol).unwrap();
            let trained = descent.run(&loss, &start, gossip, &noise).unwrap();

            let agreed = NodeProtocol::of(&protocol, terms).unwrap();
            let mut nodes = nodes(&agreed, &vec![0.0; width]);
            let mut clipped = 0;
            run(&mut nodes, 4, |node| {
                if !node.is_its_turn() {
                    assert!(node.inject(&[0.0; 3]).is_err());
                    return node.pass().unwrap();
                }
                let mut step = vec![0.0; width];
                loss.gradient(node.number(), None, node.model().unwrap(), &mut step);
                step.iter_mut().for_each(|slope| *slope *= -step_size);
                clipped +=
                    usize::from(step.iter().map(|x| x * x).sum::<f64>().sqrt() > step_size * clip);
                node.inject(&step).unwrap();
            });
            assert_eq!(outputs(&nodes), trained.parameters, "{graph} {kind}");
            assert!(clipped > 0, "some gradients were clipped");
        }
    }
}

/// `gd:4x2:sample=1/3+masked:3`: the coins, the clipped records and their sum are those of `train`.
#[test]
fn sampled_training_is_the_simulation_bit_for_bit() {
    let (width, clip, step_size, sigma, divisor) = (3, 0.1, 0.7, 0.2, 2.5);
    let rate = "1/3".parse().unwrap();
    let protocol = Protocol::gradient_descent(network("ring:6"), 4, 2).unwrap();
    let protocol = protocol.masked("3".parse().unwrap()).unwrap().sampled(rate).unwrap();
    let count = protocol.nodes();
    let loss = logistic(count, 7, width);
    let sampling = Sampling::EachExample { seed: SEED, rate, divisor };
    let descent =
        Descent { step_size, sigma, clip: Some(clip), sampling, ..Descent::of(&protocol).unwrap() };
    let scale = step_size / divisor;
    let terms = terms(step_size * sigma, scale * clip, width);
    let noise = RoundedGaussian::seeded(terms.grid, SEED);
    let start = vec![0.0; count * width];
    let gossip = Aggregation::of(&protocol).unwrap();
    let trained = descent.run(&loss, &start, gossip, &noise).unwrap();

    let agreed = NodeProtocol::of(&protocol, terms).unwrap();
    let mut nodes = nodes(&agreed, &vec![0.0; width]);
    let mut sampled = Vec::new();
    run(&mut nodes, 4, |node| {
        assert_eq!(node.inject(&[0.0; 3]), Err(NodeError::Sampled));
        let (v, before) = (node.number(), sampled.len());
        let records = loss.examples(v);
        node.inject_records(records, |record, model, step| {
            loss.gradient(v, Some(record), model, step);
            step.iter_mut().for_each(|slope| *slope *= -scale);
            sampled.push(record);
        })
        .unwrap();
        assert!(sampled.len() - before <= records);
    });
    assert_eq!(outputs(&nodes), trained.parameters);
    // A third of seven records at six nodes in four rounds.
    assert!((30..80).contains(&sampled.len()), "{}", sampled.len());
}

#[test]
fn coins_are_fresh_and_only_for_protocols_that_sample() {
    let protocol = Protocol::gradient_descent(network("path:2"), 2, 1).unwrap();
    let protocol = protocol.masked("3".parse().unwrap()).unwrap();
    let sampled = protocol.clone().sampled("1/2".parse().unwrap()).unwrap();
    let start = |protocol: &Protocol| {
        let agreed = NodeProtocol::of(protocol, terms(1.0, 1.0, 1)).unwrap();
        let keys = Secrets::Keys(vec![(1, SharedKey::new([1; 32]))]);
        let mut node = agreed.node(0, vec![0.0], keys).unwrap();
        let hello = agreed.node(1, vec![0.0], Secrets::Seed(0)).unwrap().hello();
        node.receive(&hello).unwrap();
        node
    };
    let refused = start(&protocol).inject_records(3, |_, _, _| ());
    assert_eq!(refused, Err(NodeError::NotSampled));
    let drawn = || {
        let mut records = Vec::new();
        start(&sampled).inject_records(100, |record, _, _| records.push(record)).unwrap();
        records
    };
    // Equal with probability 2^-100.
    assert_ne!(drawn(), drawn());
}

#[test]
fn values_are_clipped_to_the_sensitivity_and_rounded_to_the_grid() {
    let protocol = Protocol::one_shot(network("path:2"), 1).unwrap();
    let agreed = NodeProtocol::of(&protocol, terms(2_f64.powi(-24), 1.0, 2)).unwrap();
    for (value, expected) in [([3.5, 4.5], [0.8, 0.9]), ([0.55, 0.5], [0.55, 0.5])] {
        let mut both = nodes(&agreed, &[0.5, 0.5]);
        both[0].inject_value(&value).unwrap();
        both[0].save();
        let muffliato_node::Body::Values { values, .. } = both[0].message().unwrap().body else {
            panic!("values");
        };
        for (sent, expected) in values.iter().zip(expected) {
            assert!(
                (*sent as f64 * 2_f64.powi(-24) - expected).abs() < 20.0 * 2_f64.powi(-24),
                "{values:?}"
            );
        }
    }
}
