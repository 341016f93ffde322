//! Messages of a million values against a copy of memory and the cipher, and sizes.
//!
//! `cargo bench -p muffliato-node`

use chacha20poly1305::{AeadInOut, ChaCha20Poly1305, KeyInit, Nonce};
use muffliato_fast::noise::Grid;
use muffliato_model::{Network, Protocol};
use muffliato_node::link::{SecretKey, agree};
use muffliato_node::{Node, NodeProtocol, Secrets, Terms};
use std::hint::black_box;
use std::time::Instant;

const VALUES: usize = 1_000_000;

/// The shortest of a few runs, in milliseconds.
fn milliseconds(mut work: impl FnMut()) -> f64 {
    let times = (0..15).map(|_| {
        let start = Instant::now();
        work();
        start.elapsed().as_secs_f64() * 1e3
    });
    times.fold(f64::INFINITY, f64::min)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let protocol = Protocol::one_shot(Network::metropolis("path:2".parse()?)?, 4)?;
    let grid = Grid::try_new(2_f64.powi(-20))?;
    let run = [1; 16];
    let terms = Terms { sigma: 1.0, sensitivity: 1.0, coordinates: VALUES, grid, run };
    let agreed = NodeProtocol::of(&protocol, terms)?;
    let node = |v| agreed.node(v, vec![0.0; VALUES], Secrets::Seed(1));
    let (mut one, mut other): (Node, Node) = (node(0)?, node(1)?);
    one.receive(&other.hello())?;
    other.receive(&one.hello())?;
    one.pass()?;
    one.save();
    let secrets = [SecretKey::new([1; 32]), SecretKey::new([2; 32])];
    let (_, sending) = agree(&agreed, 0, &secrets[0], &[(1, secrets[1].public())])?.remove(0);
    let (_, receiving) = agree(&agreed, 1, &secrets[1], &[(0, secrets[0].public())])?.remove(0);
    let most = agreed.longest_message();

    let bytes = vec![7_u8; 8 * VALUES];
    let mut copied = bytes.clone();
    let copy = milliseconds(|| black_box(&mut copied).copy_from_slice(black_box(&bytes)));
    let cipher = ChaCha20Poly1305::new(&[3; 32].into());
    let encryption = milliseconds(|| {
        let sealed =
            cipher.encrypt_inout_detached(&Nonce::default(), &[], (&mut copied[..]).into());
        black_box(sealed.is_ok());
    });
    let mut frame = Vec::new();
    let send = milliseconds(|| {
        let message = one.message();
        frame = message.ok().and_then(|message| sending.seal(&message).ok()).unwrap_or_default();
    });
    let state = other.save();
    let mut failed = None;
    let mut received = f64::INFINITY;
    for _ in 0..15 {
        let mut fresh = Node::restore(&agreed, 1, &state)?;
        let frame = frame.clone();
        let start = Instant::now();
        let taken = receiving.open(frame, most).map(|message| fresh.receive(&message));
        received = received.min(start.elapsed().as_secs_f64() * 1e3);
        failed = failed.or(taken.err());
    }
    if let Some(error) = failed {
        return Err(error.into());
    }
    let floor = copy + encryption;
    println!("a copy of {VALUES} values: {copy:.2} ms, the cipher: {encryption:.2} ms");
    println!("send (from the state to the frame): {send:.2} ms, {:.2} times both", send / floor);
    println!(
        "receive (from the frame to the state): {received:.2} ms, {:.2} times both",
        received / floor
    );
    println!(
        "bytes of a frame: {}, of a saved state with one neighbour: {}",
        frame.len(),
        state.len()
    );
    Ok(())
}
