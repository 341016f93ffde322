//! Privacy accounting for gossip protocols: how much each node of a graph leaks to each other node.
//!
//! An [`Account`](account::Account) answers for a [`Protocol`](model::Protocol): the loss of a pair,
//! the [`Guarantee`](account::Guarantee) with all its conditions, losses by distance, the noise that
//! meets a target.
//!
//! ```
//! use muffliato::prelude::*;
//!
//! let network = Network::metropolis("karate".parse()?)?;
//! let protocol = Protocol::one_shot(network, 4)?.refreshed("0.1".parse()?)?;
//! let account = Account::of(&protocol).build()?;
//! let (sigma, sensitivity) = (2.0, 1.0);
//! let epsilon = account.guarantee(33, 3)?.at(sigma, sensitivity)?.epsilon(1e-6)?;
//! assert!(epsilon < 1.3);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The guide is in the folder `docs/guide` of the repository: the model, choosing a protocol, the
//! ledger of the paper's claims, trusting the numbers, graph files, certificates, running it.
//!
//! This crate is a facade; crates without a module are used by themselves:
//!
//! | module | crate | what it is |
//! | --- | --- | --- |
//! | [`account`] | `muffliato-account` | the accountant: who leaks how much to whom, guarantees, calibration |
//! | [`model`] | `muffliato-model` | graphs, weight schemes, protocols, observers |
//! | [`reference`](mod@reference) | `muffliato-reference` | the exact rational engine |
//! | [`fast`] | `muffliato-fast` | the sparse floating-point engine: simulation, certified accounting at scale |
//! | [`certificate`] | `muffliato-certificate` | claims on file with their proofs, and the checker |
//! | | `muffliato-design` | the best noise for a graph, a size for every draw, with a proof |
//! | | `muffliato-node` | one node of a run, without I/O |
//! | `io` | `muffliato-io` | readers of graph files, with the feature `readers` |
//! | `plot` | `muffliato-plot` | charts as SVG and PNG, with the feature `plot` |
//!
//! | feature | what it adds |
//! | --- | --- |
//! | `cli` (default) | the command `muffliato`; a library sets `default-features = false` |
//! | `readers`, `plot` | graph files; charts |
//! | `petgraph` | conversions from and to petgraph |
//!
//! The paper *Muffliato* (Cyffers, Even, Bellet, Massoulié, NeurIPS 2022) bounds these losses. Its
//! bounds are in [`PaperBounds`](reference::PaperBounds), and the exact losses exceed them:
//!
//! ```
//! use muffliato::prelude::*;
//!
//! let graph = "karate".parse::<GraphSpec>()?.build()?;
//! let protocol = Protocol::one_shot(Network::try_new(graph, WeightScheme::Metropolis)?, 2)?;
//! let observer = Observer::full(3);
//!
//! // The paper promises member 33 less than 0.9 % of the local loss towards member 3 ...
//! let bounds = PaperBounds::of(&protocol)?;
//! assert_eq!(bounds.pairwise(33, &observer)?.to_string(), "42837025/4854427082");
//! // ... and member 3 learns all of it.
//! let process = Process::run(&protocol)?;
//! assert_eq!(process.view(&observer)?.leakage(33)?.to_string(), "1");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub use muffliato_account as account;
pub use muffliato_certificate as certificate;
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
