//! Privacy accounting for gossip averaging.
//!
//! The paper *Muffliato* (Cyffers, Even, Bellet, Massoulié, NeurIPS 2022) adds Gaussian noise at every
//! node of a graph, gossips, and bounds what each node u leaks to each node v. This library computes
//! its bounds, the exact loss, and the repair that makes distance count again. It is a facade:
//!
//! | module | crate | what it is |
//! | --- | --- | --- |
//! | [`model`] | `muffliato-model` | graphs, weight schemes, protocols, observers |
//! | [`reference`](mod@reference) | `muffliato-reference` | the exact rational engine |
//! | [`fast`] | `muffliato-fast` | the sparse floating-point engine: simulation, certified accounting at scale |
//! | [`account`] | `muffliato-account` | the accountant: who leaks how much to whom, guarantees, calibration |
//! | `io` | `muffliato-io` | readers of graph files, with the feature `readers` |
//! | `plot` | `muffliato-plot` | charts as SVG and PNG, with the feature `plot` |
//!
//! ```
//! use muffliato::prelude::*;
//!
//! let graph = "karate".parse::<GraphSpec>()?.build()?;
//! let network = Network::try_new(graph, WeightScheme::Metropolis)?;
//! let protocol = Protocol::one_shot(network, 2)?;
//! let observer = Observer::full(3);
//!
//! // The paper promises member 33 less than 0.9 % of the local loss towards member 3 ...
//! let bounds = PaperBounds::of(&protocol)?;
//! assert_eq!(bounds.pairwise(33, &observer)?.to_string(), "42837025/4854427082");
//! // ... and member 3 learns all of it.
//! let process = Process::run(&protocol)?;
//! assert_eq!(process.view(&observer)?.leakage(33)?.to_string(), "1");
//! // A twentieth of the noise, fresh at each step, hides almost half of it again.
//! let refreshed = protocol.refreshed("0.05".parse()?)?;
//! let process = Process::run(&refreshed)?;
//! let leakage = process.view(&observer)?.leakage(33)?;
//! assert_eq!(muffliato::reference::decimal::rounded_up(&leakage, 2), "0.56");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub use muffliato_account as account;
pub use muffliato_fast as fast;
pub use muffliato_model as model;
pub use muffliato_reference as reference;

extern crate self as muffliato;

#[cfg(feature = "readers")]
pub use muffliato_io as io;
#[cfg(feature = "plot")]
pub use muffliato_plot as plot;

/// The command line, for the binary and for the other programs of this workspace.
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod command;

/// The items that most programs need.
pub mod prelude {
    pub use muffliato_account::{Account, Loss, Observers, Status, Summary};
    pub use muffliato_fast::{
        Enclosure, GaussianPrivacy, GramView, OneShot, OneShotOptions, calibrate_sigma,
        noise::SeededNoise, simulation::Simulation,
    };
    pub use muffliato_model::{
        CustomWeights, Fraction, Graph, GraphSpec, LossModel, Network, Observer, Protocol,
        WeightScheme,
    };
    pub use muffliato_reference::{BigInt, BigRational, PaperBounds, Process, View};
}

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
