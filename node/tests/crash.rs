//! A node that is killed and restored at any point between messages gives the same bytes as one
//! that is not.

use crate::mailbox::{self, Mailbox, decoded, network, nodes, outputs, run, terms};
use muffliato_fast::noise::SharedKey;
use muffliato_model::Protocol;
use muffliato_node::{Body, Message, Node, NodeError, NodeProtocol, Secrets, StateError};
use std::{collections::BTreeMap, sync::Arc};

fn training() -> Arc<NodeProtocol> {
    let protocol = Protocol::gradient_descent(network("star:5"), 2, 3).unwrap();
    let protocol = protocol.masked("3".parse().unwrap()).unwrap();
    let protocol = protocol.refreshed("0.1".parse().unwrap()).unwrap();
    NodeProtocol::of(&protocol, terms(0.5, 4.0, 2)).unwrap()
}

fn input(node: &Node) -> [f64; 2] {
    [node.number() as f64 / 4.0, node.step() as f64 / 8.0]
}

/// The key of the edge of a node and the hub.
fn keys(number: usize) -> Secrets {
    let key = |leaf: usize| SharedKey::new([leaf as u8; 32]);
    let keys =
        if number == 0 { (1..5).map(|v| (v, key(v))).collect() } else { vec![(0, key(number))] };
    Secrets::Keys(keys)
}

/// What was sent for each (sender, step): a second message must be the first.
#[derive(Default)]
struct Sent(BTreeMap<(u32, u32), Vec<i64>>);

impl Sent {
    fn check(&mut self, message: &Message) {
        if let Body::Values { step, values } = &message.body {
            let first = self.0.entry((message.from, *step)).or_insert_with(|| values.clone());
            assert!(first == values, "noise of {} was drawn twice in {step}", message.from);
        }
    }
}

/// Runs with a crash of `victim` after the event `at`: it is restored from its file, which was
/// written after each change if `eager`, and else before each first sending only. Its inbox is lost.
/// Noise and masks come from a seed, or from keys. Returns the outputs and the number of events.
fn with_crash(
    agreed: &Arc<NodeProtocol>,
    victim: usize,
    at: usize,
    (eager, seeded): (bool, bool),
) -> (Vec<f64>, usize) {
    let mut nodes = nodes(agreed, &[0.0, 0.0]);
    if !seeded {
        let fresh = |v: usize| agreed.node(v, vec![0.0, 0.0], keys(v)).unwrap();
        nodes = (0..nodes.len()).map(fresh).collect();
        mailbox::greet(&mut nodes);
    }
    let mut sent = Sent::default();
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
        sent.check(&message);
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
            let (_, events) = with_crash(&agreed, victim, usize::MAX, (eager, true));
            assert!(events > 40, "{events}");
            for at in 1..=events {
                let (found, _) = with_crash(&agreed, victim, at, (eager, true));
                assert_eq!(found, expected, "{victim} {at} {eager}");
                // With real keys noise is fresh: drawn twice, it would show in a second message.
                with_crash(&agreed, victim, at, (eager, false));
            }
        }
    }
}

#[test]
fn a_restored_node_sends_the_same_bytes_and_never_draws_again() {
    let agreed = training();
    // The noise is secret and differs from run to run, but not by a restart.
    let keys = vec![(0, SharedKey::new([1; 32]))];
    let mut node = agreed.node(1, vec![0.0, 0.0], Secrets::Keys(keys)).unwrap();
    let hub = agreed.node(0, vec![0.0, 0.0], Secrets::Seed(1)).unwrap();
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
    let answer = Message { body: values, ..hub.hello() };
    let mut next = [node, restored].map(|mut node| {
        node.receive(&answer).unwrap();
        assert!(node.advance().unwrap());
        assert_eq!(node.message(), Err(NodeError::NotSaved { step: 1 }));
        node.save();
        node.message().unwrap()
    });
    assert_eq!(next[0], next[1]);
    // Another node of the same number draws other noise.
    let keys = vec![(0, SharedKey::new([1; 32]))];
    let mut other = agreed.node(1, vec![0.0, 0.0], Secrets::Keys(keys)).unwrap();
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

/// Bytes of a state, and where its fields are: after "muffliato node state", version and fingerprint.
const NUMBER: usize = 20 + 2 + muffliato_node::Fingerprint::BYTES;

/// The state with some bytes replaced and its digest made anew.
fn forged(file: &[u8], at: usize, bytes: &[u8]) -> Vec<u8> {
    use sha2::{Digest, Sha256};
    let mut forged = file[..file.len() - 32].to_vec();
    forged[at..at + bytes.len()].copy_from_slice(bytes);
    let digest = Sha256::digest(&forged);
    forged.extend_from_slice(&digest);
    forged
}

#[test]
fn a_state_of_another_node_or_that_no_node_saved_is_refused() {
    let agreed = training();
    let mut nodes: Vec<Node> =
        (0..5).map(|v| agreed.node(v, vec![0.0, 0.0], keys(v)).unwrap()).collect();
    mailbox::greet(&mut nodes);
    let open = nodes[1].save();
    let other = NodeError::State(StateError::OtherNode { number: 1 });
    assert_eq!(Node::restore(&agreed, 2, &open).unwrap_err(), other);
    // Node 2 under its own number has other keys than node 1, of as many peers.
    let damaged = NodeError::State(StateError::Damaged);
    let refused = |file: &[u8]| assert_eq!(Node::restore(&agreed, 1, file).unwrap_err(), damaged);
    assert_eq!(open[NUMBER..NUMBER + 8], 1_u64.to_le_bytes());
    assert!(Node::restore(&agreed, 1, &forged(&open, NUMBER, &[1])).is_ok());
    refused(&forged(&open, NUMBER + 8, &[1])); // within a round, without its input
    refused(&forged(&open, NUMBER + 16, &[3])); // fewer steps, but not at the end
    refused(&forged(&open, NUMBER + 16, &[7])); // more steps than there are
    refused(&forged(&open, NUMBER + 24, &[1])); // with an input, and without a key of its noise
    refused(&forged(&open, NUMBER + 25, &[1])); // sent without an input
    let key_of = open.len() - 32 - 8 - 1 - 40;
    assert_eq!(open[key_of..key_of + 8], [0; 8]);
    refused(&forged(&open, key_of, &[3])); // a key for somebody else
    refused(&forged(&open, key_of - 8, &[0])); // no key
    nodes[1].inject(&[1.0, 1.0]).unwrap();
    let injected = nodes[1].save();
    refused(&forged(&injected, NUMBER + 24, &[0])); // a key of noise, and no input
    refused(&forged(&injected, injected.len() - 32 - 8 - 33, &[0])); // the reverse
}

/// Keys leave the state as soon as no draw needs them, and a state is written without growing.
#[test]
fn keys_are_kept_no_longer_than_needed() {
    let agreed = training();
    let mut nodes: Vec<Node> =
        (0..5).map(|v| agreed.node(v, vec![0.0, 0.0], keys(v)).unwrap()).collect();
    mailbox::greet(&mut nodes);
    let mut lengths = Vec::new();
    run(&mut nodes, 1, |node| {
        let step = input(node);
        node.inject(&step).unwrap();
        let file = node.save();
        assert_eq!(file.len(), file.capacity());
        let key = agreed.mask_key(&SharedKey::new([1; 32]));
        let holds = |key: &[u8; 32]| file.windows(32).any(|window| window == key);
        assert!(!holds(&[1; 32]));
        if node.number() == 1 {
            lengths.push((holds(key.bytes()), file.len()));
        }
    });
    // Two rounds: the mask key is gone after the second input; the key of fresh noise is there.
    let [(first, long), (second, short)] = lengths[..] else { panic!("two rounds") };
    assert!(first && !second);
    assert_eq!(long - short, 40);
    // At the end the key of the noise is gone as well.
    assert_eq!(short - nodes[1].save().len(), 32);
}
