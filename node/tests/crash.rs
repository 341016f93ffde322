//! A node that is killed and restored at any point between messages gives the same bytes as one
//! that is not.

mod mailbox;

use mailbox::{Mailbox, decoded, network, nodes, outputs, run, terms};
use muffliato_model::Protocol;
use muffliato_node::{Body, Node, NodeError, NodeProtocol, StateError};
use std::sync::Arc;

fn training() -> Arc<NodeProtocol> {
    let protocol = Protocol::gradient_descent(network("star:5"), 2, 3).unwrap();
    let protocol = protocol.masked("3".parse().unwrap()).unwrap();
    let protocol = protocol.refreshed("0.1".parse().unwrap()).unwrap();
    NodeProtocol::of(&protocol, terms(0.5, 4.0, 2)).unwrap()
}

fn input(node: &Node) -> [f64; 2] {
    [node.number() as f64 / 4.0, node.step() as f64 / 8.0]
}

/// Runs with a crash of `victim` after the event `at`: it is restored from its file, which was
/// written after each change if `eager`, and else before each first sending only. Its inbox is lost.
/// Returns the outputs and the number of events.
fn with_crash(
    agreed: &Arc<NodeProtocol>,
    victim: usize,
    at: usize,
    eager: bool,
) -> (Vec<f64>, usize) {
    let mut nodes = nodes(agreed, &[0.0, 0.0]);
    let mut mail = Mailbox::new(3);
    let mut file = nodes[victim].save();
    let mut events = 0;
    for v in 0..nodes.len() {
        let step = input(&nodes[v]);
        nodes[v].inject(&step).unwrap();
        let bytes = nodes[v].save();
        if v == victim {
            file = bytes;
        }
        mail.send(&mut nodes[v]);
    }
    loop {
        events += 1;
        if events == at {
            // What was on its way to the victim is lost.
            mail.in_flight.retain(|(to, _)| *to != victim);
            let node = Node::restore(agreed, victim, &file).unwrap();
            nodes[victim] = node;
            if nodes[victim].model().is_none() && nodes[victim].output().is_none() {
                mail.send(&mut nodes[victim]);
            }
        }
        let Some((to, bytes)) = mail.next() else {
            // Everybody waits: whoever misses something asks.
            assert!(events < 10_000, "nobody can go on");
            for node in &nodes {
                let (missing, ask) = node.ask();
                mail.post(&missing, &ask);
            }
            if mail.in_flight.is_empty() {
                break;
            }
            continue;
        };
        let message = decoded(&nodes[to], &bytes);
        match nodes[to].receive(&message) {
            Ok(Some(answer)) => mail.post(&[message.from as usize], &answer),
            Ok(None) => {}
            // What a restored node sends again is old news to its neighbours.
            Err(NodeError::Duplicate { .. } | NodeError::WrongStep { .. }) => {}
            // Who is behind sends when it gets there.
            Err(NodeError::NotKept { step }) if step >= nodes[to].step() => {}
            Err(error) => panic!("{error}"),
        }
        while nodes[to].advance().unwrap() {
            if nodes[to].model().is_some() {
                let step = input(&nodes[to]);
                nodes[to].inject(&step).unwrap();
            }
            if to == victim {
                file = nodes[to].save();
            } else {
                nodes[to].save();
            }
            if nodes[to].output().is_none() {
                mail.send(&mut nodes[to]);
            }
        }
        if eager && to == victim {
            file = nodes[to].save();
        }
    }
    (outputs(&nodes), events)
}

#[test]
fn a_crash_after_any_event_changes_no_bit() {
    let agreed = training();
    let mut undisturbed = nodes(&agreed, &[0.0, 0.0]);
    run(&mut undisturbed, 1, |node| {
        let step = input(node);
        node.inject(&step).unwrap();
    });
    let expected = outputs(&undisturbed);
    for eager in [true, false] {
        for victim in [0, 1] {
            let (_, events) = with_crash(&agreed, victim, usize::MAX, eager);
            assert!(events > 40, "{events}");
            for at in 1..=events {
                let (found, _) = with_crash(&agreed, victim, at, eager);
                assert_eq!(found, expected, "{victim} {at} {eager}");
            }
        }
    }
}

#[test]
fn a_restored_node_sends_the_same_bytes_and_never_draws_again() {
    let agreed = training();
    // The noise is secret and differs from run to run, but not by a restart.
    let keys = vec![(0, muffliato_fast::noise::SharedKey::new([1; 32]))];
    let mut node = agreed.node(1, vec![0.0, 0.0], muffliato_node::Secrets::Keys(keys)).unwrap();
    let hub = agreed.node(0, vec![0.0, 0.0], muffliato_node::Secrets::Seed(1)).unwrap();
    node.receive(&hub.hello()).unwrap();
    node.inject(&[1.0, 1.0]).unwrap();
    assert_eq!(node.message(), Err(NodeError::NotSaved { step: 0 }));
    let file = node.save();
    let sent = node.message().unwrap();
    let mut restored = Node::restore(&agreed, 1, &file).unwrap();
    assert_eq!(restored.message().unwrap(), sent);
    assert_eq!(restored.inject(&[0.0, 0.0]), Err(NodeError::AlreadyInjected { step: 0 }));
    // Fresh noise of the next step comes from the same key.
    let values = Body::Values { step: 0, values: vec![5, 6] };
    let answer = muffliato_node::Message { body: values, ..hub.hello() };
    let mut next = [node, restored].map(|mut node| {
        node.receive(&answer).unwrap();
        assert!(node.advance().unwrap());
        assert_eq!(node.message(), Err(NodeError::NotSaved { step: 1 }));
        node.save();
        node.message().unwrap()
    });
    assert_eq!(next[0], next[1]);
    // Another node of the same number draws other noise.
    let keys = vec![(0, muffliato_fast::noise::SharedKey::new([1; 32]))];
    let mut other = agreed.node(1, vec![0.0, 0.0], muffliato_node::Secrets::Keys(keys)).unwrap();
    other.receive(&hub.hello()).unwrap();
    other.inject(&[1.0, 1.0]).unwrap();
    other.save();
    next[0] = other.message().unwrap();
    assert_ne!(next[0], sent);
}

#[test]
fn a_state_is_refused_when_damaged_or_under_another_protocol() {
    let agreed = training();
    let file = nodes(&agreed, &[0.0, 0.0])[0].save();
    let damaged = NodeError::State(StateError::Damaged);
    for cut in [0, 1, 31, 32, 100, file.len() - 1] {
        assert_eq!(Node::restore(&agreed, 0, &file[..cut]).unwrap_err(), damaged, "{cut}");
    }
    for at in (0..file.len()).step_by(7) {
        let mut bytes = file.to_vec();
        bytes[at] ^= 1;
        assert_eq!(Node::restore(&agreed, 0, &bytes).unwrap_err(), damaged, "{at}");
    }
    let mut terms = agreed.terms().clone();
    terms.run[0] ^= 1;
    let other = NodeProtocol::of(agreed.protocol(), terms).unwrap();
    let part = "run";
    let refused = NodeError::State(StateError::Other { part });
    assert_eq!(Node::restore(&other, 0, &file).unwrap_err(), refused);
    let plan = agreed.protocol().clone().masked("2".parse().unwrap()).unwrap();
    let other = NodeProtocol::of(&plan, agreed.terms().clone()).unwrap();
    let refused = NodeError::State(StateError::Other { part: "plan" });
    assert_eq!(Node::restore(&other, 0, &file).unwrap_err(), refused);
}
