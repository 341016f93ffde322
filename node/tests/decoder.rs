//! The decoder on bytes that nobody wrote.

use muffliato_node::{Body, DecodeError, Fingerprint, HEADER, Message};
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

/// Returns input `number` of a sequence: random bytes, or a valid message with some bytes changed,
/// cut or extended.
fn input(number: u64, bytes: &mut Vec<u8>) {
    let mut state = number.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
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
        let at = if next() % 4 > 0 { at % HEADER } else { at };
        bytes[at] = next() as u8;
    }
    match next() % 8 {
        0 => bytes.truncate(next() as usize % bytes.len()),
        1 => bytes.push(next() as u8),
        _ => {}
    }
}

fn fuzz(count: u64) {
    let mut bytes = Vec::new();
    let mut accepted = 0_u64;
    for number in 0..count {
        input(number, &mut bytes);
        accepted += u64::from(check(&bytes));
    }
    println!("{count} inputs, {accepted} accepted");
    assert!(accepted > count / 10 && accepted < count);
}

#[test]
fn a_hundred_thousand_inputs_do_no_harm() {
    fuzz(100_000);
}

#[test]
#[ignore = "half a minute"]
fn ten_million_inputs_do_no_harm() {
    fuzz(10_000_000);
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
