//! Messages, frames and states on bytes that nobody wrote.

use crate::mailbox;
use muffliato_model::Protocol;
use muffliato_node::link::{SecretKey, agree};
use muffliato_node::{Body, DecodeError, Fingerprint, HEADER, Message, Node, NodeProtocol};
use proptest::prelude::*;

const MOST: usize = HEADER + 256;

/// Decodes; what is accepted is written as it was read.
fn check(bytes: &[u8]) -> bool {
    match Message::from_bytes(bytes, MOST) {
        Ok(message) => {
            assert_eq!(message.to_bytes(), bytes);
            true
        }
        Err(error) => {
            assert!(!error.to_string().is_empty());
            false
        }
    }
}

fn random(number: u64) -> impl FnMut() -> u64 {
    let mut state = number.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    }
}

/// Returns input `number` of a sequence: random bytes, or a valid message with some bytes changed,
/// cut or extended.
fn input(number: u64, bytes: &mut Vec<u8>) {
    let mut next = random(number);
    let body = match next() % 4 {
        0 => Body::Hello(Fingerprint::from_bytes([next() as u8; Fingerprint::BYTES])),
        1 => Body::Ask { step: next() as u32 },
        2 => {
            Body::Values { step: next() as u32, values: vec![next() as i64; (next() % 9) as usize] }
        }
        _ => {
            bytes.clear();
            bytes.extend((0..next() % 80).map(|k| (number >> (k % 8)) as u8));
            return;
        }
    };
    *bytes = Message { run: [next() as u8; 16], from: next() as u32, body }.to_bytes();
    for _ in 0..next() % 3 {
        let at = next() as usize % bytes.len();
        // Mostly in the header.
        let at = if !next().is_multiple_of(4) { at % HEADER } else { at };
        bytes[at] = next() as u8;
    }
    match next() % 8 {
        0 => bytes.truncate(next() as usize % bytes.len()),
        1 => bytes.push(next() as u8),
        _ => {}
    }
}

#[test]
fn ten_million_inputs_do_no_harm() {
    let count = 10_000_000;
    let mut bytes = Vec::new();
    let mut accepted = 0_u64;
    for number in 0..count {
        input(number, &mut bytes);
        accepted += u64::from(check(&bytes));
    }
    println!("{count} inputs, {accepted} accepted");
    assert!(accepted > count / 10 && accepted < count);
}

/// A node within a run, and its state.
fn node() -> (std::sync::Arc<NodeProtocol>, Node) {
    let protocol = Protocol::gradient_descent(mailbox::network("path:3"), 2, 2).unwrap();
    let protocol = protocol.masked("3".parse().unwrap()).unwrap();
    let agreed = NodeProtocol::of(&protocol, mailbox::terms(1.0, 8.0, 2)).unwrap();
    let mut node = mailbox::nodes(&agreed, &[0.0, 0.0]).swap_remove(1);
    node.inject(&[1.0, 1.0]).unwrap();
    node.save();
    node.message().unwrap();
    (agreed, node)
}

#[test]
fn a_node_takes_or_refuses_any_message() {
    let mut taken = 0;
    for number in 0..100 {
        let (agreed, mut node) = node();
        let mut next = random(number);
        for _ in 0..500 {
            let values = (0..next() % 4).map(|_| next() as i64 >> (next() % 64)).collect();
            let step = if next().is_multiple_of(4) { next() as u32 } else { (next() % 5) as u32 };
            let body = match next() % 8 {
                0 => Body::Ask { step },
                1 => Body::Hello(*agreed.fingerprint()),
                2 => Body::Hello(Fingerprint::from_bytes([0; Fingerprint::BYTES])),
                _ => Body::Values { step, values },
            };
            let run =
                if next().is_multiple_of(8) { [next() as u8; 16] } else { agreed.terms().run };
            let message = Message { run, from: (next() % 4) as u32, body };
            taken += u64::from(node.receive(&message).is_ok());
            if node.advance().unwrap() {
                let _ = node.model().is_some() && node.inject(&[1.0, -1.0]).is_ok();
                node.save();
                let _ = node.message();
            }
            let from = next() as usize % 4;
            let _ = next().is_multiple_of(50) && node.drop_out(from).is_ok();
        }
    }
    assert!(taken > 1000, "{taken}");
}

#[test]
fn only_whole_frames_open() {
    let secrets = [SecretKey::new([1; 32]), SecretKey::new([2; 32])];
    let (agreed, _) = node();
    let run = agreed.terms().run;
    let link = |own: usize| {
        let peer = 1 - own;
        agree(&agreed, own, &secrets[own], &[(peer, secrets[peer].public())]).unwrap().remove(0).1
    };
    let (sending, receiving) = (link(0), link(1));
    let mut bytes = Vec::new();
    for number in 0..50_000 {
        let mut next = random(number);
        let body = match next() % 4 {
            0 => Body::Hello(Fingerprint::from_bytes([next() as u8; Fingerprint::BYTES])),
            _ => Body::Values { step: next() as u32, values: vec![next() as i64; 3] },
        };
        let frame = sending.seal(&Message { run, from: 0, body }).unwrap();
        let mut altered = frame.clone();
        for _ in 0..next() % 3 {
            let at = next() as usize % altered.len();
            altered[at] ^= 1 << (next() % 8);
        }
        altered.truncate(altered.len() - usize::from(next().is_multiple_of(8)));
        let is_whole = altered == frame;
        assert_eq!(receiving.open(altered, MOST).is_ok(), is_whole, "{number}");
        input(number, &mut bytes);
        assert!(receiving.open(std::mem::take(&mut bytes), MOST).is_err(), "{number}");
    }
}

/// A state with altered fields and a digest that fits is refused, or is exactly what is then saved.
#[test]
fn altered_states_are_refused_or_whole() {
    use sha2::{Digest, Sha256};
    let (agreed, mut node) = node();
    let file = node.save();
    let mut restored = 0;
    for number in 0..50_000 {
        let mut next = random(number);
        let mut bytes = file[..file.len() - 32].to_vec();
        for _ in 0..1 + next() % 3 {
            // Behind the fingerprint, mostly.
            let first = if next().is_multiple_of(16) { 0 } else { 246 };
            let at = first + next() as usize % (bytes.len() - first);
            bytes[at] = if next().is_multiple_of(2) { (next() % 4) as u8 } else { next() as u8 };
        }
        if next().is_multiple_of(16) {
            bytes.truncate(next() as usize % bytes.len());
        }
        let digest = Sha256::digest(&bytes);
        bytes.extend_from_slice(&digest);
        if let Ok(mut node) = Node::restore(&agreed, 1, &bytes) {
            restored += 1;
            assert!(*node.save() == bytes, "{number}");
        }
    }
    assert!(restored > 1000, "{restored}");
}

#[test]
fn a_stated_length_allocates_nothing() {
    let mut bytes = Message { run: [0; 16], from: 0, body: Body::Ask { step: 0 } }.to_bytes();
    bytes[2] = 2;
    bytes[4..8].copy_from_slice(&0xffff_fff8_u32.to_le_bytes());
    let given = DecodeError::Length { stated: 0xffff_fff8, given: HEADER };
    assert_eq!(Message::from_bytes(&bytes, usize::MAX), Err(given));
}

proptest! {
    #[test]
    fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        check(&bytes);
    }

    #[test]
    fn any_message_is_read_as_written(run: [u8; 16], from: u32, step: u32, values in prop::collection::vec(any::<i64>(), 0..32)) {
        for body in [Body::Ask { step }, Body::Values { step, values }] {
            let message = Message { run, from, body };
            prop_assert_eq!(Message::from_bytes(&message.to_bytes(), MOST), Ok(message));
        }
    }
}
