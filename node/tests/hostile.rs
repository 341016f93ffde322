//! What each hostile message gets. The table of `docs/guide/7-running.md` is checked against this.

use crate::mailbox::{self, network, nodes, outputs, terms};
use muffliato_model::Protocol;
use muffliato_node::link::{Link, LinkError, SecretKey, agree};
use muffliato_node::{Body, DecodeError, Message, Node, NodeError, NodeProtocol, Secrets};
use std::sync::Arc;

const RUN: [u8; 16] = [5; 16];

fn agreed() -> Arc<NodeProtocol> {
    agreed_for(RUN, 1.0)
}

fn agreed_for(run: [u8; 16], sigma: f64) -> Arc<NodeProtocol> {
    let protocol = Protocol::one_shot(network("path:4"), 3).unwrap();
    let terms = muffliato_node::Terms { run, ..terms(sigma, 8.0, 1) };
    NodeProtocol::of(&protocol.masked("3".parse().unwrap()).unwrap(), terms).unwrap()
}

/// The end of a link that one of three nodes owns.
fn link(agreed: &NodeProtocol, own: usize, peer: usize) -> Link {
    let secret = |v: usize| SecretKey::new([v as u8 + 1; 32]);
    agree(agreed, own, &secret(own), &[(peer, secret(peer).public())]).unwrap().remove(0).1
}

/// Node 1, which has greeted 0 and 2, has heard 0 in step 0, and waits for 2.
fn victim() -> Node {
    let mut nodes = nodes(&agreed(), &[0.0]);
    let mut node = nodes.swap_remove(1);
    node.inject(&[1.0]).unwrap();
    node.save();
    node.message().unwrap();
    node.receive(&values(0, 0, &[16])).unwrap();
    node
}

fn values(from: u32, step: u32, values: &[i64]) -> Message {
    Message { run: RUN, from, body: Body::Values { step, values: values.to_vec() } }
}

/// The bytes of a message with some of them replaced.
fn with(message: &Message, at: usize, bytes: &[u8]) -> Vec<u8> {
    let mut altered = message.to_bytes();
    altered[at..at + bytes.len()].copy_from_slice(bytes);
    altered
}

/// A row: what is sent, its bytes, and the error.
fn table() -> Vec<(&'static str, Vec<u8>, NodeError)> {
    let good = values(2, 0, &[32]);
    let [from, step] = [2, 0];
    let hello = |change: &dyn Fn(&mut muffliato_node::Terms, &mut Protocol)| {
        let agreed = agreed();
        let (mut terms, mut protocol) = (agreed.terms().clone(), agreed.protocol().clone());
        change(&mut terms, &mut protocol);
        let other = NodeProtocol::of(&protocol, terms).unwrap();
        let node = other.node(2, vec![0.0], Secrets::Seed(0)).unwrap();
        Message { run: RUN, ..node.hello() }.to_bytes()
    };
    let differs = |part| NodeError::Differs { from, part };
    let wrong_step = |step| NodeError::WrongStep { from, step, current: 0 };
    let mut longer = good.to_bytes();
    longer.push(0);
    vec![
        ("no bytes", vec![], DecodeError::TooShort { given: 0, needed: 32 }.into()),
        (
            "a part of a header",
            good.to_bytes()[..20].to_vec(),
            DecodeError::TooShort { given: 20, needed: 32 }.into(),
        ),
        ("another version", with(&good, 0, &[2, 0]), DecodeError::Version { version: 2 }.into()),
        ("an unknown kind", with(&good, 2, &[9, 0]), DecodeError::Kind { kind: 9 }.into()),
        (
            "a length of 4 GB",
            with(&good, 4, &[255; 4]),
            DecodeError::TooLong { stated: u32::MAX as usize, most: 256 }.into(),
        ),
        (
            "a length below a header",
            with(&good, 4, &[31, 0, 0, 0]),
            DecodeError::Length { stated: 31, given: 40 }.into(),
        ),
        ("half a value", with(&good, 4, &[36, 0, 0, 0]), DecodeError::Payload { given: 4 }.into()),
        (
            "a message cut short",
            good.to_bytes()[..39].to_vec(),
            DecodeError::Length { stated: 40, given: 39 }.into(),
        ),
        ("bytes after the message", longer, DecodeError::Length { stated: 40, given: 41 }.into()),
        ("a message of an earlier run", with(&good, 8, &[4]), NodeError::WrongRun { from }),
        (
            "a sender who is no neighbour",
            values(3, 0, &[32]).to_bytes(),
            NodeError::Stranger { from: 3 },
        ),
        ("a node's own message", values(1, 0, &[32]).to_bytes(), NodeError::Stranger { from: 1 }),
        (
            "a sender that does not exist",
            values(u32::MAX, 0, &[32]).to_bytes(),
            NodeError::Stranger { from: u32::MAX as usize },
        ),
        (
            "the same message again",
            values(0, 0, &[16]).to_bytes(),
            NodeError::Duplicate { from: 0, step },
        ),
        (
            "another message for the same step",
            values(0, 0, &[17]).to_bytes(),
            NodeError::Conflict { from: 0, step },
        ),
        ("two steps ahead", values(2, 2, &[32]).to_bytes(), wrong_step(2)),
        ("after the last step", values(2, 3, &[32]).to_bytes(), wrong_step(3)),
        ("the largest step", values(2, u32::MAX, &[32]).to_bytes(), wrong_step(u32::MAX as usize)),
        (
            "too many values",
            values(2, 0, &[32, 1]).to_bytes(),
            NodeError::WrongWidth { from, given: 2, expected: 1 },
        ),
        (
            "no values",
            values(2, 0, &[]).to_bytes(),
            NodeError::WrongWidth { from, given: 0, expected: 1 },
        ),
        (
            "a value above 2^52 steps",
            values(2, 0, &[(1 << 52) + 1]).to_bytes(),
            NodeError::OutOfRange { from, coordinate: 0, reach: 1 << 52 },
        ),
        (
            "the smallest integer",
            values(2, 0, &[i64::MIN]).to_bytes(),
            NodeError::OutOfRange { from, coordinate: 0, reach: 1 << 52 },
        ),
        (
            "a greeting with another graph",
            hello(&|_, protocol| *protocol = protocol.without_nodes(&[0]).unwrap()),
            differs("graph"),
        ),
        (
            "a greeting with other weights",
            hello(&|_, protocol| {
                let graph = protocol.fixed_network().unwrap().graph().clone();
                let network =
                    muffliato_model::Network::try_new(graph, "lazy".parse().unwrap()).unwrap();
                *protocol =
                    Protocol::one_shot(network, 3).unwrap().masked("3".parse().unwrap()).unwrap();
            }),
            differs("weights"),
        ),
        (
            "a greeting with smaller masks",
            hello(&|_, protocol| {
                *protocol = protocol.clone().masked("2".parse().unwrap()).unwrap()
            }),
            differs("plan"),
        ),
        (
            "a greeting with other steps",
            hello(&|_, protocol| *protocol = protocol.clone().every(2).unwrap()),
            differs("steps"),
        ),
        ("a greeting with less noise", hello(&|terms, _| terms.sigma = 0.5), differs("law")),
        (
            "a greeting with a larger sensitivity",
            hello(&|terms, _| terms.sensitivity = 9.0),
            differs("inputs"),
        ),
        ("a greeting of another run", hello(&|terms, _| terms.run[3] = 1), differs("run")),
        (
            "a request for a step that is not kept",
            Message { run: RUN, from: 2, body: Body::Ask { step: 1 } }.to_bytes(),
            NodeError::NotKept { step: 1 },
        ),
    ]
}

#[test]
fn every_hostile_message_gets_its_error_and_changes_nothing() {
    for (what, bytes, expected) in table() {
        let mut node = victim();
        let before = node.save();
        let received = Message::from_bytes(&bytes, node.protocol().longest_message())
            .map_err(NodeError::from)
            .and_then(|message| node.receive(&message));
        let differs = matches!(expected, NodeError::Differs { .. });
        assert_eq!(received, Err(expected), "{what}");
        if differs {
            let ungreeted = NodeError::NotGreeted { from: 2 };
            assert_eq!(node.receive(&values(2, 0, &[32])), Err(ungreeted), "{what}");
            let hello = agreed().node(2, vec![0.0], Secrets::Seed(0)).unwrap().hello();
            node.receive(&hello).unwrap();
        }
        assert_eq!(*node.save(), *before, "{what}");
        // The run goes on.
        node.receive(&values(2, 0, &[32])).unwrap();
        assert!(node.advance().unwrap(), "{what}");
    }
}

#[test]
fn values_before_a_greeting_are_refused() {
    let mut node = agreed().node(1, vec![0.0], Secrets::Seed(0)).unwrap();
    let refused = NodeError::NotGreeted { from: 2 };
    assert_eq!(node.receive(&values(2, 0, &[1])), Err(refused));
    assert_eq!(node.inject(&[1.0]), Err(NodeError::NotGreeted { from: 0 }));
}

/// Frames of a link: what each alteration gets.
fn frames() -> Vec<(&'static str, LinkError)> {
    let agreed = agreed();
    let (sending, receiving) = (link(&agreed, 0, 1), link(&agreed, 1, 0));
    let hello = agreed.node(0, vec![0.0], Secrets::Seed(0)).unwrap().hello();
    let greeting = sending.seal(&hello).unwrap();
    let frame = sending.seal(&values(0, 0, &[7])).unwrap();
    let altered = |frame: &[u8], at: usize| {
        let mut frame = frame.to_vec();
        frame[at] ^= 1;
        frame
    };
    let refused = |link: &Link, frame: Vec<u8>| link.open(frame, 256).unwrap_err();
    let open = |frame: Vec<u8>| refused(&receiving, frame);
    assert_eq!(receiving.open(frame.clone(), 256).unwrap(), values(0, 0, &[7]));
    assert_eq!(receiving.open(greeting.clone(), 256).unwrap(), hello);
    // A node that is corrected greets under the same keys; nothing else does.
    let corrected = link(&agreed_for(RUN, 2.0), 1, 0);
    assert_eq!(corrected.open(greeting.clone(), 256).unwrap(), hello);
    let (earlier, end) = (link(&agreed_for([4; 16], 1.0), 1, 0), frame.len() - 1);
    vec![
        ("a frame whose step was altered", open(altered(&frame, 28))),
        ("a frame whose values were altered", open(altered(&frame, 34))),
        ("a frame whose tag was altered", open(altered(&frame, end))),
        ("a frame cut short", open(frame[..end].to_vec())),
        ("a message that was not sealed", open(values(0, 0, &[7]).to_bytes())),
        ("a frame for somebody else", refused(&link(&agreed, 2, 0), frame.clone())),
        ("a frame sent back to its sender", refused(&sending, frame.clone())),
        ("a frame under another fingerprint", refused(&corrected, frame.clone())),
        ("a frame of an earlier run", refused(&earlier, frame.clone())),
        ("a greeting whose fingerprint was altered", open(altered(&greeting, 40))),
        ("a greeting sent back to its sender", refused(&sending, greeting.clone())),
        ("a greeting of an earlier run's keys", refused(&earlier, greeting.clone())),
    ]
}

#[test]
fn a_link_seals_for_its_sender_and_run_only() {
    let link = link(&agreed(), 0, 1);
    let good = values(0, 0, &[7]);
    assert!(link.seal(&good).is_ok());
    for other in [Message { from: 1, ..good.clone() }, Message { run: [6; 16], ..good }] {
        let refused = LinkError::NotOfLink { from: other.from, own: 0 };
        assert_eq!(link.seal(&other), Err(refused));
    }
}

#[test]
fn altered_frames_do_not_open() {
    for (what, error) in frames() {
        assert!(matches!(error, LinkError::Forged { from: 0, .. }), "{what}: {error}");
    }
}

#[test]
fn weak_and_equal_keys_are_refused() {
    let (own, agreed) = (SecretKey::new([1; 32]), agreed());
    // The points of low order (RFC 7748, section 6.1, and their non-canonical forms).
    let mut one = [0; 32];
    one[0] = 1;
    let mut minus_one = [255; 32];
    (minus_one[0], minus_one[31]) = (236, 127);
    for low in [[0; 32], one, minus_one] {
        let refused = agree(&agreed, 0, &own, &[(4, low)]);
        assert_eq!(refused.unwrap_err(), LinkError::LowOrder { peer: 4 });
    }
    let other = SecretKey::new([2; 32]).public();
    let equal = |first, second| LinkError::EqualKeys { first, second };
    assert_eq!(agree(&agreed, 0, &own, &[(1, other), (2, other)]).unwrap_err(), equal(1, 2));
    // The same point in another form: the highest bit is ignored.
    let mut twin = other;
    twin[31] ^= 128;
    assert_eq!(agree(&agreed, 0, &own, &[(1, other), (2, twin)]).unwrap_err(), equal(1, 2));
    assert_eq!(agree(&agreed, 0, &own, &[(1, own.public())]).unwrap_err(), equal(0, 1));
    for peers in [&[(0, other)][..], &[(1, other), (1, SecretKey::new([3; 32]).public())]] {
        assert!(matches!(agree(&agreed, 0, &own, peers), Err(LinkError::Peer { .. })));
    }
}

#[test]
fn keys_that_do_not_fit_the_masks_are_refused() {
    use muffliato_fast::noise::SharedKey;
    let key = |peer: usize, byte: u8| (peer, SharedKey::new([byte; 32]));
    let refused = |keys: Vec<_>| agreed().node(1, vec![0.0], Secrets::Keys(keys)).unwrap_err();
    assert_eq!(refused(vec![key(0, 1)]), NodeError::Keys { peer: 2 });
    assert_eq!(refused(vec![key(0, 1), key(2, 2), key(3, 3)]), NodeError::Keys { peer: 3 });
    assert_eq!(refused(vec![key(0, 1), key(2, 2), key(0, 3)]), NodeError::Keys { peer: 0 });
    let equal = NodeError::EqualKeys { first: 0, second: 2 };
    assert_eq!(refused(vec![key(0, 1), key(2, 1)]), equal);
}

#[test]
fn numbers_that_do_not_fit_are_refused() {
    let agreed = agreed();
    let protocol = agreed.protocol();
    for change in [
        |terms: &mut muffliato_node::Terms| terms.sigma = 0.0,
        |terms: &mut muffliato_node::Terms| terms.sigma = f64::NAN,
        |terms: &mut muffliato_node::Terms| terms.sigma = 1e9,
        |terms: &mut muffliato_node::Terms| terms.sensitivity = -1.0,
        |terms: &mut muffliato_node::Terms| terms.sensitivity = 1e300,
        |terms: &mut muffliato_node::Terms| terms.coordinates = 0,
        |terms: &mut muffliato_node::Terms| terms.coordinates = usize::MAX,
    ] {
        let mut terms = agreed.terms().clone();
        change(&mut terms);
        assert!(matches!(NodeProtocol::of(protocol, terms), Err(NodeError::Engine(_))));
    }
    for (number, model) in [(4, vec![0.0]), (0, vec![]), (0, vec![f64::NAN]), (0, vec![1e300])] {
        assert!(agreed.node(number, model, Secrets::Seed(0)).is_err());
    }
    let mut both = nodes(&agreed, &[0.0]);
    for step in [&[f64::NAN][..], &[f64::INFINITY], &[], &[1.0, 2.0]] {
        assert!(both[0].inject(step).is_err());
    }
    assert!(both[0].model().is_some());
    let varying = protocol.interrupted(&[((0, 1), 1)]).unwrap();
    assert!(NodeProtocol::of(&varying, agreed.terms().clone()).is_err());
}

#[test]
fn a_node_goes_on_without_those_who_drop_out() {
    let agreed = agreed();
    let mut nodes = nodes(&agreed, &[0.0]);
    assert_eq!(nodes[2].drop_out(3), Err(NodeError::NotInjected { step: 0 }));
    for node in &mut nodes {
        node.inject(&[node.number() as f64]).unwrap();
        node.save();
    }
    // 3 sends in step 0 and is never seen again.
    for step in 0..3 {
        let sent: Vec<Message> =
            (0..4)
                .map(|v| {
                    if v == 3 && step > 0 { nodes[3].hello() } else { nodes[v].message().unwrap() }
                })
                .collect();
        for v in 0..3 {
            for w in nodes[v].neighbours() {
                if w < 3 || step == 0 {
                    nodes[v].receive(&sent[w]).unwrap();
                }
            }
        }
        if step == 1 {
            assert!(!nodes[2].advance().unwrap());
            nodes[2].drop_out(3).unwrap();
            assert_eq!(nodes[2].drop_out(3), Err(NodeError::DroppedOut { from: 3 }));
            // What is recorded is on file before anything else is sent.
            assert_eq!(nodes[2].message(), Err(NodeError::NotSaved { step: 1 }));
            // Nothing is taken from it, and it is told nothing.
            let ask = Message { run: RUN, from: 3, body: Body::Ask { step: 0 } };
            for late in [values(3, 1, &[0]), ask] {
                assert_eq!(nodes[2].receive(&late), Err(NodeError::DroppedOut { from: 3 }));
            }
            assert_eq!(nodes[2].neighbours(), [1]);
        }
        for node in &mut nodes[..3] {
            assert!(node.advance().unwrap());
            node.save();
        }
    }
    nodes.truncate(3);
    let records = nodes.iter().map(Node::record);
    let record = muffliato_node::Record::merged(&agreed, records).unwrap();
    assert_eq!((&record.missing, &record.masks), (&vec![3], &vec![(2, 3)]));
    assert_eq!(record.ended, [((2, 3), 1)]);
    // The simulation of the schedule that took place finds the same.
    let took_place = record.protocol(agreed.protocol()).unwrap();
    let noise = muffliato_fast::noise::RoundedGaussian::seeded(agreed.terms().grid, mailbox::SEED);
    let matrix = muffliato_fast::simulation::Simulation::new(&took_place)
        .sigma(1.0)
        .run(&[0.0, 1.0, 2.0, 3.0], 1, &noise)
        .unwrap();
    assert_eq!(outputs(&nodes), matrix.values[..3]);
}

#[test]
fn without_masks_or_with_fresh_noise_nobody_goes_on_after_a_loss() {
    let plain = Protocol::one_shot(network("path:4"), 3).unwrap();
    let fresh = plain.clone().refreshed("1/10".parse().unwrap()).unwrap();
    let both = fresh.clone().masked("3".parse().unwrap()).unwrap();
    for protocol in [plain, fresh, both] {
        let agreed = NodeProtocol::of(&protocol, terms(1.0, 8.0, 1)).unwrap();
        let mut node = nodes(&agreed, &[0.0]).swap_remove(2);
        node.inject(&[1.0]).unwrap();
        let before = node.save();
        assert_eq!(node.drop_out(3), Err(NodeError::Unmasked { node: 3 }));
        assert_eq!(*node.save(), *before);
    }
}

#[test]
fn training_ends_after_a_loss_with_the_rounds_that_took_place() {
    let protocol = Protocol::gradient_descent(network("path:3"), 4, 1).unwrap();
    let protocol = protocol.masked("3".parse().unwrap()).unwrap();
    let agreed = NodeProtocol::of(&protocol, terms(1.0, 8.0, 1)).unwrap();
    let mut nodes = nodes(&agreed, &[0.0]);
    for round in 0..2 {
        let mut sent = Vec::new();
        for node in &mut nodes {
            node.inject(&[1.0]).unwrap();
            node.save();
            sent.push(node.message().unwrap());
        }
        // In round 1 nothing comes from 2.
        let heard: &[(usize, usize)] =
            if round == 0 { &[(0, 1), (1, 0), (1, 2), (2, 1)] } else { &[(0, 1), (1, 0)] };
        for &(to, from) in heard {
            nodes[to].receive(&sent[from]).unwrap();
        }
        if round == 1 {
            nodes.truncate(2);
            assert_eq!(nodes[1].end(), Err(NodeError::WithinRound { step: 1 }));
            nodes[1].drop_out(2).unwrap();
        }
        for node in &mut nodes {
            assert!(node.advance().unwrap());
        }
    }
    assert_eq!(nodes[1].inject(&[1.0]), Err(NodeError::Missing { node: 2 }));
    for node in &mut nodes {
        let model = node.model().unwrap().to_vec();
        assert_eq!(node.end().unwrap(), model);
        assert_eq!(node.output().unwrap(), model);
        assert_eq!(node.inject(&[1.0]), Err(NodeError::Finished));
        let restored = Node::restore(&agreed, node.number(), &node.save()).unwrap();
        assert_eq!(restored.output().unwrap(), model);
    }
    let record = muffliato_node::Record::merged(&agreed, nodes.iter().map(Node::record)).unwrap();
    // Node 2 may have begun a third round: the others could not know.
    assert_eq!((record.rounds, &record.missing), (Some(3), &vec![2]));
    assert_eq!(record.ended, [((1, 2), 1)]);
    assert_eq!(record.protocol(&protocol).unwrap().rounds(), 3);
    let more = muffliato_node::Record { rounds: Some(5), ..record };
    let too_many = muffliato_model::DropoutError::TooManyRounds { rounds: 5, planned: 4 };
    assert_eq!(more.protocol(&protocol), Err(too_many.into()));
}

#[test]
fn those_present_have_a_run_of_their_own() {
    let agreed = agreed();
    let present = |missing: &[usize], sigma: f64| {
        let terms = muffliato_node::Terms { sigma, ..agreed.terms().clone() };
        let epsilon = |_: &Protocol| Ok::<_, NodeError>(0.5);
        NodeProtocol::of_present(agreed.protocol(), missing, terms, 1.0, epsilon).unwrap()
    };
    let runs: Vec<_> =
        [present(&[], 1.0), present(&[3], 1.0), present(&[0], 1.0), present(&[3], 2.0)]
            .map(|present| present.terms().run)
            .to_vec();
    assert_eq!(runs[0], RUN);
    for (place, run) in runs.iter().enumerate() {
        assert!(!runs[..place].contains(run), "{place}");
    }
    // The keys of the one do not open what the other sends.
    let those = present(&[3], 1.0);
    let hello = those.node(0, vec![0.0], Secrets::Seed(0)).unwrap().hello();
    assert!(matches!(link(&agreed, 0, 1).seal(&hello), Err(LinkError::NotOfLink { .. })));
    let frame = link(&those, 0, 1).seal(&hello).unwrap();
    assert!(matches!(link(&agreed, 1, 0).open(frame, 256), Err(LinkError::Forged { .. })));
}

#[test]
fn states_with_fresh_noise_stay_where_their_bound_is_proved() {
    let protocol = Protocol::one_shot(network("path:2"), 3).unwrap();
    let fresh = protocol.clone().refreshed("1/10".parse().unwrap()).unwrap();
    let far = 2_f64.powi(41 - 24);
    assert!(NodeProtocol::of(&protocol, terms(1.0, far, 1)).is_ok());
    assert!(NodeProtocol::of(&fresh, terms(1.0, far, 1)).is_err());
    let agreed = NodeProtocol::of(&fresh, terms(1.0, 8.0, 1)).unwrap();
    assert!(agreed.node(0, vec![far], Secrets::Seed(0)).is_err());
    let mut node = nodes(&agreed, &[0.0]).swap_remove(0);
    node.inject(&[1.0]).unwrap();
    node.save();
    node.message().unwrap();
    let reach = 1 << 40;
    let refused = NodeError::OutOfRange { from: 1, coordinate: 0, reach };
    assert_eq!(node.receive(&values(1, 0, &[(1 << 40) + 1])), Err(refused));
    node.receive(&values(1, 0, &[1 << 40])).unwrap();
    assert!(node.advance().unwrap());
}

/// An error would tell whether the input and the noise add up to less than 0.
#[test]
fn a_state_at_the_end_of_its_range_takes_any_input() {
    let protocol = Protocol::gradient_descent(network("path:2"), 40, 1).unwrap();
    let agreed = NodeProtocol::of(&protocol, terms(1.0, 8.0, 1)).unwrap();
    let mut node = nodes(&agreed, &[0.0]).swap_remove(0);
    for step in 0..40 {
        node.inject(&[if step % 2 == 0 { 4.0 } else { -4.0 }]).unwrap();
        node.save();
        node.message().unwrap();
        node.receive(&values(1, step, &[1 << 52])).unwrap();
        assert!(node.advance().unwrap());
    }
    assert!(node.output().unwrap()[0] > 0.99 * 2_f64.powi(52 - 24));

    // Records that add up to more than the range.
    let protocol = protocol.masked("3".parse().unwrap()).unwrap();
    let protocol = protocol.sampled("1".parse().unwrap()).unwrap();
    let far = 2_f64.powi(50 - 24);
    let agreed = NodeProtocol::of(&protocol, terms(1.0, far, 1)).unwrap();
    let mut node = nodes(&agreed, &[0.0]).swap_remove(0);
    node.inject_records(9, |_, _, step| step[0] = far).unwrap();
}

#[test]
fn no_two_runs_or_plans_have_the_same_masks_under_one_key() {
    use muffliato_fast::noise::SharedKey;
    let shared = SharedKey::new([1; 32]);
    let agreed = [agreed(), agreed_for([6; 16], 1.0), agreed_for(RUN, 2.0)];
    let keys = agreed.map(|agreed| *agreed.mask_key(&shared).bytes());
    assert!(keys[0] != keys[1] && keys[0] != keys[2] && keys[1] != keys[2]);
    assert!(!keys.contains(shared.bytes()));
}

#[test]
fn a_target_that_is_no_number_is_not_met() {
    let (agreed, epsilon) = (agreed(), |_: &Protocol| Ok::<_, NodeError>(0.5));
    let of = |target| {
        let terms = agreed.terms().clone();
        NodeProtocol::of_present(agreed.protocol(), &[], terms, target, epsilon)
    };
    assert!(of(0.5).is_ok());
    assert!(matches!(of(f64::NAN), Err(NodeError::BelowTarget { .. })));
}

#[test]
fn nothing_printed_shows_a_value() {
    let shown = format!("{:?}", values(2, 0, &[123_456_789]));
    assert!(!shown.contains("123456789") && shown.contains("1 numbers"), "{shown}");
    let ask = Message { run: RUN, from: 2, body: Body::Ask { step: u32::MAX } };
    let not_kept = NodeError::NotKept { step: u32::MAX as usize };
    assert_eq!(victim().receive(&ask), Err(not_kept));
}

#[test]
fn the_guide_shows_this_table() {
    let guide =
        std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/guide/7-running.md"))
            .unwrap();
    let rows = table().into_iter().map(|(what, _, error)| (what, error.to_string()));
    let frames = frames().into_iter().map(|(what, error)| (what, error.to_string()));
    let rows = rows.chain(frames).map(|(what, error)| format!("| {what} | {error} |\n"));
    let missing: String = rows.filter(|row| !guide.contains(row.as_str())).collect();
    assert!(missing.is_empty(), "docs/guide/7-running.md needs the rows\n{missing}");
}
