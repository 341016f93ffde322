//! Shared vocabulary of the two engines of muffliato: graphs, weight schemes, protocols and
//! observers. It is data only. No arithmetic on weights happens here, so that the exact engine and
//! the floating-point engine stay independent of each other.
//!
//! | topic | items |
//! | --- | --- |
//! | a validated simple graph, its distances and components | [`Graph`] |
//! | graph6 and sparse6 | [`graph6`] |
//! | the textual form of a graph (`hypercube:11`, `karate`, a file's path) | [`GraphSpec`] |
//! | weights of a gossip matrix | [`WeightScheme`], [`CustomWeights`], [`Network`] |
//! | a protocol and its steps | [`Protocol`], [`Step`] |
//! | independent Gaussians and masks | [`Draw`], [`Masks`] |
//! | a variance for every draw | [`NoisePlan`] |
//! | a protocol without its graph (`refreshed:0.1`, `gd:3x2`) | [`ProtocolSpec`] |
//! | a protocol on file (feature `serde`) | `ProtocolRecord` |
//! | an observer and its view | [`Observer`] |
//! | the inputs that a loss is computed for | [`LossModel`] |
//! | parameters of the absorption bound | [`Lipschitz`], [`Absorption`] |
//! | exact parameters (`1/3`, `0.05`) | [`Fraction`] |
//! | parallel work in a fixed order (feature `parallel`) | [`threads`] |
//!
//! ```
//! use muffliato_model::{GraphSpec, Network, Observer, Protocol};
//!
//! let graph = "karate".parse::<GraphSpec>()?.build()?;
//! assert_eq!((graph.nodes(), graph.edge_count()), (34, 78));
//!
//! let network = Network::metropolis(graph)?;
//! let protocol = Protocol::one_shot(network, 2)?;
//! let observer = Observer::full(3);
//! assert_eq!(protocol.messages_to(&observer)?, 12); // six neighbours, two steps
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![cfg_attr(docsrs, feature(doc_cfg))]

mod absorption;
mod description;
mod dropout;
mod engine_error;
pub mod families;
mod fraction;
pub mod graph;
pub mod graph6;
mod loss_model;
mod masks;
mod noise;
mod observer;
mod participation;
#[cfg(feature = "petgraph")]
mod petgraph;
mod plan;
mod protocol;
mod protocol_spec;
#[cfg(feature = "serde")]
mod record;
mod spec;
mod split_mix;
pub mod threads;
mod weights;

pub use absorption::{Absorption, AbsorptionError, Lipschitz};
pub use dropout::DropoutError;
pub use fraction::{Fraction, FractionError};
pub use graph::{Graph, GraphError};
pub use loss_model::LossModel;
pub use masks::{Draw, Masks};
pub use observer::{Observer, ObserverError, shard};
pub use participation::{MAX_PARTICIPATIONS, Participation};
pub use plan::{NoisePlan, NotUniform, UniformNoise};
pub use protocol::{MAX_STEPS, Protocol, ProtocolError, Schedule, Step, check_steps};
pub use protocol_spec::{ProtocolSpec, ProtocolSpecError, ScheduleSpec};
#[cfg(feature = "serde")]
pub use record::{MasksRecord, NetworkRecord, ProtocolRecord, RecordError, WeightsRecord, Whole};
pub use spec::{Family, FamilyMember, GraphSpec, SpecError, edit_distance};
pub use split_mix::split_mix;
pub use weights::{CustomWeights, Network, WeightError, WeightScheme};

/// Items that `muffliato-proofs` verifies; not part of the interface.
#[cfg(feature = "proofs")]
#[doc(hidden)]
pub mod cores {
    pub use crate::graph::{adjacency::*, distances::fill_distances};
    pub use crate::weights::stochastic::{StochasticFlaw, check_stochastic};
}

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
