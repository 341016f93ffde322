//! One node of a gossip protocol, exactly as it was accounted for.
//!
//! [`NodeProtocol::of`] ties a [`Protocol`](muffliato_model::Protocol) to the numbers of a run;
//! every [`Node`] compares its [`Fingerprint`] with its neighbours' before anything is sent. A node
//! is a state machine: it opens no socket and no file. Its caller carries [`Message`]s, as bytes or
//! through an encrypted [link], and keeps [saved](Node::save) states.
//!
//! | topic | items |
//! | --- | --- |
//! | what was accounted, and who is there | [`NodeProtocol`], [`Terms`], [`Fingerprint`] |
//! | the state machine, rounds of training | [`Node`], [`Secrets`] |
//! | bytes | [`Message`], [`Header`], [`Body`] |
//! | crashes | [`Node::save`], [`Node::restore`], [`Node::ask`], [`Node::resend`] |
//! | drop-out | [`NodeProtocol::of_present`], [`Node::drop_out`], [`Record`] |
//! | the account of what nodes run (feature `account`) | [`Terms::account`] |
//! | keys and encryption (feature `link`) | [`link`] |
//!
//! `docs/guide/7-running.md` says who draws what, what is secret, what an operator checks and what
//! is not protected.
#![cfg_attr(docsrs, feature(doc_cfg))]

mod bytes;
mod error;
mod exchange;
mod fingerprint;
#[cfg(feature = "link")]
pub mod link;
mod message;
mod node;
mod protocol;
mod record;
mod sampling;
mod state;

pub use error::{DecodeError, NodeError, StateError};
pub use fingerprint::{Fingerprint, PARTS};
pub use message::{Body, HEADER, Header, Message, Run, VERSION};
pub use node::{Node, Secrets};
pub use protocol::{NodeProtocol, Terms};
pub use record::Record;

/// Code that `muffliato-proofs` verifies; not part of the interface.
#[cfg(feature = "proofs")]
#[doc(hidden)]
pub mod cores {
    pub use crate::exchange::{Exchange, Order, Phase, Refusal, admit};
}

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
