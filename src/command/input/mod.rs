//! Arguments for graphs, protocols, observers and noise.

mod bounded;
mod graph;
mod noise;
mod observers;
mod protocol;
mod weights;

pub use bounded::bounded;
pub use graph::{GraphArgs, Loaded, help_on_graphs, one_of};
pub use noise::{LawArgs, NoiseArgs};
pub use observers::{Asked, ObserverArgs, VIEWS, node_named, nodes_named};
pub use protocol::{Acceleration, ProtocolArgs, Steps};
pub use weights::Weights;
