//! Saved states.
//!
//! ```text
//! "muffliato node state", version, fingerprint, number of the node, step, phase, sent,
//! greeted peers, marks, values of messages, value, previous value, secrets, key of the noise,
//! who dropped out; SHA-256 of all that
//! ```

use crate::{
    Fingerprint, Node, NodeError, NodeProtocol, Secrets, StateError, VERSION,
    bytes::{Reader, put_floats, put_integers, put_size},
    exchange::Phase,
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
    /// Replace the file before the first message of a round is sent (enforced: [`Node::message`]
    /// refuses otherwise), and then at least once a step, because neighbours keep messages of two
    /// steps. Never restore anything but the last state that was saved.
    pub fn save(&mut self) -> Zeroizing<Vec<u8>> {
        self.exchange.saved();
        let exchange = &self.exchange;
        let mut out = Vec::with_capacity(512 + 8 * (exchange.values.len() + 2 * self.value.len()));
        out.extend_from_slice(MAGIC);
        out.extend_from_slice(&VERSION.to_le_bytes());
        out.extend_from_slice(&self.agreed.fingerprint.to_bytes());
        put_size(&mut out, self.number);
        put_size(&mut out, exchange.step);
        out.push(match exchange.phase {
            Phase::Open => 0,
            Phase::Injected => 1,
            Phase::Ready => 2,
        });
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

    /// Restores a node from the bytes of [`Node::save`]. It goes on with the same bytes as if it
    /// had not stopped: greet the peers, send [`Node::message`] again if the input has entered, and
    /// [`ask`](Node::ask) for what was missed.
    ///
    /// # Errors
    /// [`StateError::Other`] under another run or protocol, naming the part that differs, and
    /// [`StateError::Damaged`].
    pub fn restore(agreed: &Arc<NodeProtocol>, bytes: &[u8]) -> Result<Self, NodeError> {
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
        read(agreed, reader).ok_or(damaged)?
    }
}

/// Reads what follows the fingerprint.
fn read(agreed: &Arc<NodeProtocol>, mut reader: Reader<'_>) -> Option<Result<Node, NodeError>> {
    let width = agreed.terms.coordinates;
    let number = reader.size()?;
    // A node with any model; what it holds follows.
    let mut node = match Node::new(Arc::clone(agreed), number, vec![0.0; width], Secrets::Seed(0)) {
        Ok(node) => node,
        Err(error) => return Some(Err(error)),
    };
    let exchange = &mut node.exchange;
    exchange.step = reader.size().filter(|step| *step <= exchange.steps)?;
    exchange.phase = match reader.byte()? {
        0 => Phase::Open,
        1 => Phase::Injected,
        2 => Phase::Ready,
        _ => return None,
    };
    exchange.sent = reader.flag()?;
    for mark in node.greeted.iter_mut().chain(&mut exchange.marks) {
        *mark = reader.flag()?;
    }
    exchange.values = reader.integers(exchange.values.len())?;
    node.value = reader.floats(width)?;
    node.previous = reader.floats(width)?;
    let key = |reader: &mut Reader<'_>| Some(SharedKey::new(reader.array()?));
    node.secrets = match reader.byte()? {
        0 => {
            let count = reader.size()?;
            let mut keys = Vec::new();
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
    reader.0.is_empty().then_some(Ok(node))
}
