//! Messages and their bytes.
//!
//! ```text
//! version  kind   length        run           sender   step      payload
//! 2 bytes  2      4             16 bytes      4        4         kind 1: fingerprint, 7 x 32 bytes
//! 1        1..3   of all bytes                         else 0    kind 2: values, 8 bytes each
//!                                                                kind 3: nothing
//! ```
//!
//! Numbers are little-endian. Values are signed integers, in steps of the grid. The decoder accepts
//! exactly what the encoder writes.

use crate::{
    DecodeError, Fingerprint,
    bytes::{Reader, put_integers},
};
use std::fmt;

/// Version of the byte forms.
pub const VERSION: u16 = 1;

/// Number of bytes before the payload.
pub const HEADER: usize = 32;

/// The kind of greetings.
pub(crate) const HELLO: u16 = 1;

/// The number of a run, by which its messages are told from those of any other.
///
/// Draw it at random or count, but never use one twice with the same keys.
pub type Run = [u8; 16];

/// What a node tells a neighbour.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Message {
    /// The run.
    pub run: Run,
    /// The sender.
    pub from: u32,
    /// The content.
    pub body: Body,
}

/// The content of a message.
#[derive(Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Body {
    /// The fingerprint of everything that the sender runs.
    Hello(Fingerprint),
    /// The state of the sender at a step, in steps of the grid.
    Values {
        /// The step.
        step: u32,
        /// One number per coordinate.
        values: Vec<i64>,
    },
    /// A request for the receiver's message of a step.
    Ask {
        /// The step.
        step: u32,
    },
}

/// Hides values.
impl fmt::Debug for Body {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Hello(fingerprint) => f.debug_tuple("Hello").field(fingerprint).finish(),
            Self::Values { step, values } => {
                write!(f, "Values {{ step: {step}, values: {} numbers }}", values.len())
            }
            Self::Ask { step } => write!(f, "Ask {{ step: {step} }}"),
        }
    }
}

/// The fields before the payload.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    /// The kind of the message, from 1 to 3.
    pub kind: u16,
    /// Number of bytes of the message, this header included.
    pub length: usize,
    /// The run.
    pub run: Run,
    /// The sender.
    pub from: u32,
    /// The step; 0 in greetings.
    pub step: u32,
}

impl Header {
    /// Reads the first [`HEADER`] bytes of a message that has `most` bytes at most, so that a
    /// reader of a stream knows how many bytes to wait for.
    ///
    /// # Errors
    /// [`DecodeError`] for too few bytes, another version, an unknown kind, and a length that no
    /// message of that kind has.
    pub fn read(bytes: &[u8], most: usize) -> Result<Self, DecodeError> {
        let given = bytes.len();
        let short = DecodeError::TooShort { given, needed: HEADER };
        let mut reader = Reader(bytes);
        let version = u16::from_le_bytes(reader.array().ok_or(short)?);
        let kind = u16::from_le_bytes(reader.array().ok_or(short)?);
        let stated = reader.u32().ok_or(short)? as usize;
        let run = reader.array().ok_or(short)?;
        let from = reader.u32().ok_or(short)?;
        let step = reader.u32().ok_or(short)?;
        if version != VERSION {
            return Err(DecodeError::Version { version });
        }
        if stated > most {
            return Err(DecodeError::TooLong { stated, most });
        }
        let given = stated.checked_sub(HEADER).ok_or(DecodeError::Length { stated, given })?;
        let fits = match kind {
            HELLO => given == Fingerprint::BYTES && step == 0,
            2 => given % 8 == 0,
            3 => given == 0,
            _ => return Err(DecodeError::Kind { kind }),
        };
        if !fits {
            return Err(DecodeError::Payload { given });
        }
        Ok(Self { kind, length: stated, run, from, step })
    }
}

impl Message {
    /// Returns the bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let (kind, step, payload) = match &self.body {
            Body::Hello(_) => (HELLO, 0, Fingerprint::BYTES),
            Body::Values { step, values } => (2, *step, 8 * values.len()),
            Body::Ask { step } => (3, *step, 0),
        };
        let mut bytes = Vec::with_capacity(HEADER + payload + 16);
        bytes.extend_from_slice(&VERSION.to_le_bytes());
        bytes.extend_from_slice(&kind.to_le_bytes());
        bytes.extend_from_slice(&((HEADER + payload) as u32).to_le_bytes());
        bytes.extend_from_slice(&self.run);
        bytes.extend_from_slice(&self.from.to_le_bytes());
        bytes.extend_from_slice(&step.to_le_bytes());
        match &self.body {
            Body::Hello(fingerprint) => bytes.extend_from_slice(&fingerprint.to_bytes()),
            Body::Values { values, .. } => put_integers(&mut bytes, values),
            Body::Ask { .. } => {}
        }
        bytes
    }

    /// Reads a message of at most `most` bytes (see
    /// [`NodeProtocol::longest_message`](crate::NodeProtocol::longest_message)). It needs no more
    /// memory than the bytes have.
    ///
    /// # Errors
    /// [`DecodeError`], unless the bytes are what [`Message::to_bytes`] writes for some message.
    ///
    /// ```
    /// use muffliato_node::{Body, DecodeError, Message};
    ///
    /// let message = Message { run: [7; 16], from: 3, body: Body::Values { step: 0, values: vec![-5, 9] } };
    /// let bytes = message.to_bytes();
    /// assert_eq!(bytes.len(), 32 + 2 * 8);
    /// assert_eq!(Message::from_bytes(&bytes, 100)?, message);
    /// let cut = DecodeError::Length { stated: 48, given: 47 };
    /// assert_eq!(Message::from_bytes(&bytes[..47], 100), Err(cut));
    /// # Ok::<(), DecodeError>(())
    /// ```
    pub fn from_bytes(bytes: &[u8], most: usize) -> Result<Self, DecodeError> {
        let Header { kind, length: stated, run, from, step } = Header::read(bytes, most)?;
        let given = bytes.len();
        if stated != given {
            return Err(DecodeError::Length { stated, given });
        }
        let mut payload = Reader(&bytes[HEADER..]);
        let damaged = DecodeError::Payload { given: given - HEADER };
        let body = match kind {
            HELLO => Body::Hello(Fingerprint::from_bytes(payload.array().ok_or(damaged)?)),
            2 => {
                let values = payload.integers((given - HEADER) / 8).ok_or(damaged)?;
                Body::Values { step, values }
            }
            _ => Body::Ask { step },
        };
        Ok(Self { run, from, body })
    }
}
