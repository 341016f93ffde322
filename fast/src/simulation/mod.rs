//! Runs of protocols on numbers.
//!
//! | what | where |
//! | --- | --- |
//! | any [`Protocol`](muffliato_model::Protocol), with errors and messages on record | [`Simulation`] |
//! | networks that come one by one, until a condition holds | [`StreamedRun`] |
//! | one step at a time | [`GossipState`] |
//! | graphs redrawn at each step, dropout | [`NetworkSequence`], [`ErdosRenyiSequence`], [`Dropout`] |
//! | random edges for randomized gossip | [`EdgeActivation`] |
//!
//! Everything random comes from a seed and a place, so that a run gives the same bytes for any number of
//! threads.

mod edges;
mod networks;
mod run;
mod state;
mod streamed;

pub use edges::{ActivatedEdges, EdgeActivation};
pub use networks::{Dropout, ErdosRenyiSequence, NetworkSequence};
pub use run::{Message, Outcome, Simulation};
pub use state::GossipState;
pub(crate) use state::{mean, spread};
pub use streamed::{StreamedOutcome, StreamedRun, StreamedStep};
