//! Saved states.
//!
//! ```text
//! "muffliato node state", version, fingerprint, number of the node, step, steps in all, whether
//! the input of the round has entered, whether the message of the step was sent,
//! greeted peers, marks, values of messages, value, previous value, secrets, key of the noise,
//! who dropped out; SHA-256 of all that
//! ```

use crate::{
    Fingerprint, Node, NodeError, NodeProtocol, Secrets, StateError, VERSION,
    bytes::{Reader, put_floats, put_integers, put_size},
    exchange::Phase,
    node::check_keys,
};
use muffliato_fast::noise::SharedKey;
use sha2::{Digest, Sha256};
use std::sync::Arc;
use zeroize::Zeroizing;

const MAGIC: &[u8] = b"muffliato node state";

impl Node {
    /// Returns the state as bytes, which [`Node::restore`] turns into an equal node. **They contain
    /// secrets**: the value before it was mixed, and keys. The bytes are overwritten when dropped.
    ///
    /// Replace the file in every step before its message is sent: [`Node::message`] refuses
    /// otherwise. Never restore anything but the last state that was saved.
    pub fn save(&mut self) -> Zeroizing<Vec<u8>> {
        self.exchange.saved();
        let exchange = &self.exchange;
        let secrets = match &self.secrets {
            Secrets::Keys(keys) => 8 + keys.len() * (8 + 32),
            Secrets::Seed(_) => 8,
        };
        let size = MAGIC.len()
            + 2
            + Fingerprint::BYTES
            + 3 * 8
            + 2
            + (self.greeted.len() + exchange.marks.len())
            + 8 * (exchange.values.len() + 2 * self.value.len())
            + (1 + secrets)
            + (1 + 32 * usize::from(self.noise.is_some()))
            + (8 + 16 * self.dropped.len())
            + 32;
        // All at once: a vector that grows would leave copies behind.
        let mut out = Vec::with_capacity(size);
        out.extend_from_slice(MAGIC);
        out.extend_from_slice(&VERSION.to_le_bytes());
        out.extend_from_slice(&self.agreed.fingerprint.to_bytes());
        put_size(&mut out, self.number);
        put_size(&mut out, exchange.step);
        put_size(&mut out, exchange.steps);
        out.push(u8::from(exchange.phase == Phase::Ready));
        out.push(u8::from(exchange.sent));
        out.extend(self.greeted.iter().chain(&exchange.marks).map(|&mark| u8::from(mark)));
        put_integers(&mut out, &exchange.values);
        put_floats(&mut out, &self.value);
        put_floats(&mut out, &self.previous);
        match &self.secrets {
            Secrets::Keys(keys) => {
                out.push(0);
                put_size(&mut out, keys.len());
                for (peer, key) in keys {
                    put_size(&mut out, *peer);
                    out.extend_from_slice(key.bytes());
                }
            }
            Secrets::Seed(seed) => {
                out.push(1);
                out.extend_from_slice(&seed.to_le_bytes());
            }
        }
        out.push(u8::from(self.noise.is_some()));
        if let Some(key) = &self.noise {
            out.extend_from_slice(key.bytes());
        }
        put_size(&mut out, self.dropped.len());
        for &(from, until) in &self.dropped {
            put_size(&mut out, from);
            put_size(&mut out, until);
        }
        let digest = Sha256::digest(&out);
        out.extend_from_slice(&digest);
        Zeroizing::new(out)
    }

    /// Restores node `number` from the bytes of [`Node::save`]. It goes on with the same bytes as
    /// if it had not stopped: greet the peers, send [`Node::message`] again if the input has
    /// entered, and [`ask`](Node::ask) for what was missed.
    ///
    /// # Errors
    /// [`StateError::Other`] under another run or protocol, naming the part that differs,
    /// [`StateError::OtherNode`], and [`StateError::Damaged`] for bytes that no node saved.
    pub fn restore(
        agreed: &Arc<NodeProtocol>,
        number: usize,
        bytes: &[u8],
    ) -> Result<Self, NodeError> {
        let damaged = NodeError::State(StateError::Damaged);
        let split = bytes.len().checked_sub(32).ok_or(damaged.clone())?;
        let (content, digest) = bytes.split_at(split);
        if Sha256::digest(content).as_slice() != digest {
            return Err(damaged);
        }
        let mut reader = Reader(content);
        let head = [MAGIC, &VERSION.to_le_bytes()].concat();
        if reader.take(head.len()) != Some(&head) {
            return Err(damaged);
        }
        let fingerprint = Fingerprint::from_bytes(reader.array().ok_or(damaged.clone())?);
        if let Some(part) = fingerprint.difference(&agreed.fingerprint) {
            return Err(StateError::Other { part }.into());
        }
        let found = reader.size().ok_or(damaged.clone())?;
        if found != number {
            return Err(StateError::OtherNode { number: found }.into());
        }
        // A node with any model; what it holds follows.
        let model = vec![0.0; agreed.terms.coordinates];
        let node = Self::new(Arc::clone(agreed), number, model, Secrets::Seed(0))?;
        read(node, reader).filter(is_consistent).ok_or(damaged)
    }
}

/// Returns `true` if a node can come into this state.
fn is_consistent(node: &Node) -> bool {
    let Node { agreed, exchange, .. } = node;
    let between_rounds = exchange.step.is_multiple_of(exchange.gossip_steps);
    let ready = exchange.phase == Phase::Ready;
    let in_time = if exchange.is_finished() { !ready } else { ready || between_rounds };
    // Fewer steps than planned are whole rounds that are over.
    let ended = exchange.steps == agreed.protocol.steps() || exchange.is_finished();
    let needed =
        if node.draws_masks_later() { agreed.mask_neighbours(node.number) } else { Vec::new() };
    let (secrets, noise) = match &node.secrets {
        Secrets::Keys(keys) => (check_keys(keys, &needed).is_ok(), node.draws_noise_later()),
        Secrets::Seed(_) => (!exchange.is_finished(), false),
    };
    let gone = node.neighbours.iter().enumerate().filter(|(place, _)| exchange.is_gone(*place));
    let mut dropped: Vec<usize> = node.dropped.iter().map(|(from, _)| *from).collect();
    dropped.sort_unstable();
    in_time
        && ended
        && (between_rounds || !exchange.is_finished())
        && (ready || !exchange.sent)
        && secrets
        && noise == node.noise.is_some()
        && node.dropped.iter().all(|(_, until)| *until <= exchange.step + 2)
        && dropped.iter().eq(gone.map(|(_, from)| from))
        && node.check(&node.value).is_ok()
        && node.check(&node.previous).is_ok()
        && exchange.values.iter().all(|value| value.unsigned_abs() <= exchange.reach)
}

/// Reads what follows the number of the node.
fn read(mut node: Node, mut reader: Reader<'_>) -> Option<Node> {
    let width = node.value.len();
    let exchange = &mut node.exchange;
    exchange.step = reader.size()?;
    exchange.steps =
        reader.size().filter(|steps| (exchange.step..=exchange.steps).contains(steps))?;
    exchange.phase = if reader.flag()? { Phase::Ready } else { Phase::Open };
    exchange.sent = reader.flag()?;
    for mark in node.greeted.iter_mut().chain(&mut exchange.marks) {
        *mark = reader.flag()?;
    }
    exchange.values = reader.integers(exchange.values.len())?;
    node.value = Zeroizing::new(reader.floats(width)?);
    node.previous = Zeroizing::new(reader.floats(width)?);
    let key = |reader: &mut Reader<'_>| Some(SharedKey::new(reader.array()?));
    node.secrets = match reader.byte()? {
        0 => {
            let count = reader.size().filter(|count| *count <= node.peers.len())?;
            let mut keys = Vec::with_capacity(count);
            for _ in 0..count {
                keys.push((reader.size()?, key(&mut reader)?));
            }
            Secrets::Keys(keys)
        }
        1 => Secrets::Seed(reader.u64()?),
        _ => return None,
    };
    node.noise = if reader.flag()? { Some(key(&mut reader)?) } else { None };
    for _ in 0..reader.size()? {
        node.dropped.push((reader.size()?, reader.size()?));
    }
    reader.0.is_empty().then_some(node)
}
