//! Encrypted links and mask keys from X25519 key pairs.
//!
//! ```text
//! s        = X25519(own secret, peer's public key)          refused if 0 (low order)
//! key      = HKDF-SHA256(salt = run, input = s, info = purpose | first | second | their public keys | ...)
//!              "muffliato 1 mask":  the smaller number first, one key for both ends
//!              "muffliato 1 hello": the sender first, one key for each direction
//!              "muffliato 1 link":  the same, and at the end the fingerprint
//! greeting = message | the first 16 bytes of HMAC-SHA256(hello key, message)
//! frame    = header | ChaCha20-Poly1305(link key, nonce = kind | 0 | step | 0, payload; the header is authenticated)
//! ```
//!
//! Numbers of nodes have 4 bytes. Greetings are authenticated, not encrypted: a node that was
//! refused and is corrected greets again under the same key. All else is under keys of one
//! fingerprint, and a nonce is used for one content only: that of a step is fixed once its state is
//! saved, and requests are always the same.

use crate::{Body, HEADER, Header, Message, NodeError, NodeProtocol, Run, message::HELLO};
use chacha20poly1305::{AeadInOut, ChaCha20Poly1305, KeyInit, Nonce, Tag};
use hkdf::Hkdf;
use muffliato_fast::{FastError, noise::SharedKey};
use sha2::Sha256;
use std::fmt;
use subtle::ConstantTimeEq;
use x25519_dalek::{PublicKey, StaticSecret};
use zeroize::{Zeroize, Zeroizing};

/// Number of bytes that sealing adds to a message.
pub const TAG: usize = 16;

/// Reasons why keys are refused or a frame does not open.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the messages say what the fields are")]
pub enum LinkError {
    /// A public key is of low order: the shared secret would be known to everybody.
    #[error("the public key of {peer} is of low order; it is not a key of X25519")]
    LowOrder { peer: usize },
    /// Two peers, or a peer and this node, have the same key.
    #[error("{first} and {second} have the same key; every node needs its own")]
    EqualKeys { first: usize, second: usize },
    /// The number of a node does not fit, or is given twice.
    #[error("node {peer} is this node, is given twice, or has a number above 2^32 - 1")]
    Peer { peer: usize },
    /// The message is of another sender or run than the link.
    #[error(
        "a message of node {from} is not sealed here: this link is of node {own} in its run; agree() on links for each run"
    )]
    NotOfLink { from: u32, own: u32 },
    /// The frame was altered, or sealed by another sender, for another receiver or run.
    #[error(
        "a frame that claims to be of {from} does not open with the key of {peer}; it is not used"
    )]
    Forged { from: u32, peer: u32 },
    /// The frame is not a message.
    #[error(transparent)]
    Node(#[from] NodeError),
}

/// The secret half of a node's key pair. It is overwritten when dropped.
pub struct SecretKey(StaticSecret);

impl SecretKey {
    /// Creates a secret from 32 random bytes.
    pub fn new(bytes: [u8; 32]) -> Self {
        Self(StaticSecret::from(bytes))
    }

    /// Draws a secret from the operating system.
    ///
    /// # Errors
    /// [`FastError::SystemRandomness`] if it has none.
    pub fn random() -> Result<Self, FastError> {
        Ok(Self::new(*SharedKey::random()?.bytes()))
    }

    /// Returns the public half.
    pub fn public(&self) -> [u8; 32] {
        PublicKey::from(&self.0).to_bytes()
    }
}

/// Hides the secret.
impl fmt::Debug for SecretKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SecretKey(..)")
    }
}

/// One end of an encrypted link between two nodes in one run.
pub struct Link {
    own: u32,
    peer: u32,
    run: Run,
    /// The keys of greetings to the peer and from it.
    greetings: [Zeroizing<[u8; 32]>; 2],
    sending: ChaCha20Poly1305,
    receiving: ChaCha20Poly1305,
}

/// Derives the mask key and the link of each peer of a node.
///
/// Public keys must be authentic: sign them, or exchange them over a channel that is.
///
/// # Errors
/// [`LinkError::LowOrder`], [`LinkError::EqualKeys`] and [`LinkError::Peer`].
///
/// ```
/// use muffliato_fast::noise::Grid;
/// use muffliato_model::{Network, Protocol};
/// use muffliato_node::{Body, Message, NodeProtocol, Terms, link::{LinkError, SecretKey, agree}};
///
/// let protocol = Protocol::one_shot(Network::metropolis("path:2".parse()?)?, 9)?.masked("3".parse()?)?;
/// let (grid, run) = (Grid::try_new(0.125)?, [7; 16]);
/// let terms = Terms { sigma: 1.0, sensitivity: 1.0, coordinates: 1, grid, run };
/// let agreed = NodeProtocol::of(&protocol, terms)?;
/// let (alice, bob) = (SecretKey::new([1; 32]), SecretKey::new([2; 32]));
/// let (mask_of_alice, from_alice) = agree(&agreed, 0, &alice, &[(1, bob.public())])?.remove(0);
/// let (mask_of_bob, from_bob) = agree(&agreed, 1, &bob, &[(0, alice.public())])?.remove(0);
/// assert_eq!(mask_of_alice.1.bytes(), mask_of_bob.1.bytes());
///
/// let message = Message { run, from: 0, body: Body::Ask { step: 3 } };
/// let frame = from_alice.seal(&message)?;
/// assert_eq!(from_bob.open(frame.clone(), 100)?, message);
/// let reflected = from_alice.open(frame, 100);
/// assert_eq!(reflected, Err(LinkError::Forged { from: 0, peer: 1 }));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[expect(clippy::type_complexity, reason = "a mask key as Secrets takes it, and a link")]
pub fn agree(
    agreed: &NodeProtocol,
    number: usize,
    secret: &SecretKey,
    peers: &[(usize, [u8; 32])],
) -> Result<Vec<((usize, SharedKey), Link)>, LinkError> {
    let (public, run) = (secret.public(), agreed.terms.run);
    let own = u32::try_from(number).map_err(|_| LinkError::Peer { peer: number })?;
    let mut shared: Vec<Zeroizing<[u8; 32]>> = Vec::with_capacity(peers.len());
    let mut links = Vec::with_capacity(peers.len());
    for (place, &(peer, theirs)) in peers.iter().enumerate() {
        let other = u32::try_from(peer).ok().filter(|other| *other != own);
        let other = other.filter(|_| peers[..place].iter().all(|(before, _)| *before != peer));
        let other = other.ok_or(LinkError::Peer { peer })?;
        if theirs == public {
            return Err(LinkError::EqualKeys { first: number, second: peer });
        }
        let both = secret.0.diffie_hellman(&PublicKey::from(theirs));
        if !both.was_contributory() {
            return Err(LinkError::LowOrder { peer });
        }
        let both = Zeroizing::new(both.to_bytes());
        for (before, (first, _)) in shared.iter().zip(peers) {
            if both.ct_eq(&**before).into() {
                return Err(LinkError::EqualKeys { first: *first, second: peer });
            }
        }
        let there = [(own, &public), (other, &theirs)];
        let back = [there[1], there[0]];
        let mask = derived_key(&both, run, b"muffliato 1 mask", there.min(back), &[]);
        let greeting = |ends| derived_key(&both, run, b"muffliato 1 hello", ends, &[]);
        let fingerprint = agreed.fingerprint.to_bytes();
        let cipher = |ends| {
            let key = derived_key(&both, run, b"muffliato 1 link", ends, &fingerprint);
            ChaCha20Poly1305::new((&*key).into())
        };
        let link = Link {
            own,
            peer: other,
            run,
            greetings: [greeting(there), greeting(back)],
            sending: cipher(there),
            receiving: cipher(back),
        };
        links.push(((peer, SharedKey::new(*mask)), link));
        shared.push(both);
    }
    Ok(links)
}

fn derived_key(
    shared: &[u8; 32],
    run: Run,
    purpose: &[u8],
    ends: [(u32, &[u8; 32]); 2],
    rest: &[u8],
) -> Zeroizing<[u8; 32]> {
    let mut info = purpose.to_vec();
    ends.iter().for_each(|(number, _)| info.extend_from_slice(&number.to_le_bytes()));
    ends.iter().for_each(|(_, public)| info.extend_from_slice(*public));
    info.extend_from_slice(rest);
    let mut key = Zeroizing::new([0; 32]);
    let (mut pseudorandom, hkdf) = Hkdf::<Sha256>::extract(Some(&run), shared);
    pseudorandom.as_mut_slice().zeroize();
    let expanded = hkdf.expand(&info, &mut *key);
    expanded.expect("32 bytes are one block of HKDF-SHA256");
    key
}

/// Returns the tag of a greeting: extraction by HKDF is HMAC.
fn greeting_tag(key: &[u8; 32], message: &[u8]) -> [u8; TAG] {
    let (code, _) = Hkdf::<Sha256>::extract(Some(key), message);
    let mut tag = [0; TAG];
    tag.copy_from_slice(&code[..TAG]);
    tag
}

fn nonce(kind: u16, step: u32) -> Nonce {
    let mut nonce = [0; 12];
    nonce[..2].copy_from_slice(&kind.to_le_bytes());
    nonce[4..8].copy_from_slice(&step.to_le_bytes());
    nonce.into()
}

impl Link {
    /// Returns the message as a frame: its header, the payload, which is encrypted unless it is a
    /// greeting, and a tag.
    ///
    /// The frame has [`TAG`] bytes more than the length in its header.
    ///
    /// # Errors
    /// [`LinkError::NotOfLink`] for a message of another sender or run: its nonce may be in use.
    pub fn seal(&self, message: &Message) -> Result<Vec<u8>, LinkError> {
        if message.from != self.own || message.run != self.run {
            return Err(LinkError::NotOfLink { from: message.from, own: self.own });
        }
        let mut frame = message.to_bytes();
        if let Body::Hello(_) = message.body {
            let tag = greeting_tag(&self.greetings[0], &frame);
            frame.extend_from_slice(&tag);
            return Ok(frame);
        }
        let (header, payload) = frame.split_at_mut(HEADER);
        let kind = u16::from_le_bytes([header[2], header[3]]);
        let step = u32::from_le_bytes([header[28], header[29], header[30], header[31]]);
        let sealed =
            self.sending.encrypt_inout_detached(&nonce(kind, step), header, payload.into());
        let tag = sealed.expect("a message is shorter than 2^38 bytes");
        frame.extend_from_slice(&tag);
        Ok(frame)
    }

    /// Opens a frame whose message has at most `most` bytes.
    ///
    /// # Errors
    /// [`LinkError::Node`] if it is not a frame, and [`LinkError::Forged`] unless the peer sealed it
    /// for this node in this run, and, but for greetings, under this fingerprint.
    pub fn open(&self, mut frame: Vec<u8>, most: usize) -> Result<Message, LinkError> {
        let header = Header::read(&frame, most).map_err(NodeError::from)?;
        let forged = LinkError::Forged { from: header.from, peer: self.peer };
        let is_ours = header.from == self.peer && header.run == self.run;
        if frame.len() != header.length + TAG || !is_ours {
            return Err(forged);
        }
        let tag = frame.split_off(header.length);
        if header.kind == HELLO {
            let expected = greeting_tag(&self.greetings[1], &frame);
            if !bool::from(expected.ct_eq(&tag[..])) {
                return Err(forged);
            }
            return Ok(Message::from_bytes(&frame, most).map_err(NodeError::from)?);
        }
        let tag = Tag::try_from(&tag[..]).map_err(|_| forged.clone())?;
        let (clear, payload) = frame.split_at_mut(HEADER);
        let nonce = nonce(header.kind, header.step);
        self.receiving
            .decrypt_inout_detached(&nonce, clear, payload.into(), &tag)
            .map_err(|_| forged)?;
        Ok(Message::from_bytes(&frame, most).map_err(NodeError::from)?)
    }
}

/// Prints the ends, not the keys.
impl fmt::Debug for Link {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Link({} to {})", self.own, self.peer)
    }
}
