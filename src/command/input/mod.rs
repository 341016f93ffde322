//! What subcommands are asked about: graphs, protocols, observers and noise.

mod bounded;
mod graph;
mod kind;
mod noise;
mod observers;
mod protocol;

pub use bounded::bounded;
pub use graph::{GraphArgs, Loaded, help_on_graphs};
pub use noise::NoiseArgs;
pub use observers::{ObserverArgs, Question, Sight, node_named};
pub use protocol::{ProtocolArgs, gap_of, plain_steps};
