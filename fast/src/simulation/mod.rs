//! Runs of protocols on numbers.
//!
//! | topic | item |
//! | --- | --- |
//! | any [`Protocol`](muffliato_model::Protocol), recording errors and messages | [`Simulation`] |
//! | networks that come one by one, until a condition holds | [`StreamedRun`] |
//! | one step at a time | [`GossipState`] |
//! | graphs redrawn at each step, dropout | [`NetworkSequence`], [`ErdosRenyiSequence`], [`Dropout`] |
//! | random edges for randomized gossip | [`EdgeActivation`] |
//!
//! All randomness comes from a seed and a place, so a run gives the same bytes for any number of
//! threads.

mod edges;
mod networks;
mod run;
mod state;
mod streamed;

pub use edges::EdgeActivation;
pub use networks::{Dropout, ErdosRenyiSequence, NetworkSequence};
pub use run::{Message, Outcome, Simulation};
pub use state::GossipState;
pub(crate) use state::{mean, spread};
pub use streamed::{StreamedOutcome, StreamedRun, StreamedStep};
