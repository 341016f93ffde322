//! Arguments for graphs, protocols, observers and noise.

mod bounded;
mod graph;
mod mask_graph;
mod noise;
mod observers;
mod protocol;
mod weights;

pub use bounded::{bounded, text_file};
pub use graph::{GraphArgs, Loaded, help_on_graphs, one_of};
pub use mask_graph::{MaskGraph, noise_on_file, plan_on_file};
pub use noise::{LawArgs, NoiseArgs, NoiseOptions};
pub use observers::{ObserverArgs, Selected, VIEWS, node_named, nodes_named};
pub use protocol::{Acceleration, GossipArgs, MaskArgs, ProtocolArgs, SizeArgs, Steps};
pub use weights::Weights;
