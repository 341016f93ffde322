//! The accountant of muffliato: the privacy losses of a protocol, and what is guaranteed.
//!
//! Three statements from a graph to an epsilon:
//!
//! ```
//! use muffliato_account::Account;
//! use muffliato_model::{Network, Protocol};
//!
//! let protocol = Protocol::one_shot(Network::metropolis("karate".parse()?)?, 4)?.refreshed("0.1".parse()?)?;
//! let account = Account::of(&protocol).build()?;
//! let epsilon = account.guarantee(33, 3)?.at(1.0, 1.0)?.epsilon(1e-6)?;
//! assert!(epsilon < 2.4);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | topic | items |
//! | --- | --- |
//! | observers, sources, coalitions, groups | [`AccountBuilder`], [`Observers`], [`Sources`], [`Question`] |
//! | guarantees with all their conditions, and their epsilons | [`Guarantee`], [`Conditions`], [`Curve`] |
//! | losses that an engine computed, possibly in a model | [`Loss`] |
//! | the noise, on a grid too | [`AccountBuilder::noise`], [`NoiseLaw`] |
//! | all pairs, and by distance | [`Account::pairs`], [`Account::summary`], [`Summary`] |
//! | shards of an account, and merging them | [`AccountBuilder::shard`], [`Summary::merge`], [`Summary::to_json`] |
//! | maxima, which may be over a sample | [`Maximum`] |
//! | the engines behind one trait | [`Engine`], [`Choice`] |
//! | number of steps to mix, protocols from plans | [`steps_to_mix`], [`planned`] |
//! | bounds for every schedule that a plan may draw | [`Account::of_every`], [`Schedules`] |
//! | the smallest noise for a target | [`Account::calibrate`], [`Target`], [`Calibration`] |
//! | the usual protocols beside each other | [`Account::compare`], [`Rival`] |
//! | the best plan, a size for every draw | [`PlanBrief`], [`best_plan`], [`Account::designed`] |
//! | coalitions of a given size | [`Account::coalitions`] |
//! | claims with proofs | [`Account::certificate`] |
//! | expected error | [`NoiseGain`] |

mod account;
mod calibration;
mod certificate;
mod choices;
mod coalitions;
mod comparison;
mod designed;
mod engine;
mod error;
mod expected_error;
mod guarantee;
mod loss;
mod noise_law;
mod number;
mod question;
mod schedules;
mod shard;
mod steps;
mod summary;
mod system;
mod text;

pub use account::{Account, AccountBuilder};
pub use calibration::{Calibration, MaskSearch, Protect, Target, Tried};
pub use choices::{Formulas, Knowledge, Observers, Sources};
pub use coalitions::{Coalitions, Collusion, Evidence, WorstFound};
pub use comparison::{Compared, Rival, Terms};
pub use designed::{Designed, OneMissing, PlanBrief, best_plan, deviation};
pub use engine::{Asked, Choice, Closed, Engine, Exact, Fast, Formula, Method, ViewLosses};
pub use error::AccountError;
pub use expected_error::NoiseGain;
pub use guarantee::{
    Against, Conditions, Distances, Epsilons, Guarantee, GuaranteeRecord, Inputs, Losses, Maximum,
    PairEpsilons, Participation, Protected, Sample, ScheduleScope, Unit,
};
pub use loss::Loss;
pub use noise_law::{Curve, NoiseLaw, ProvedFor};
pub use number::{Number, Status};
pub use question::{ObserverReport, Pair, Question};
pub use schedules::{ScheduleBound, Schedules};
pub use steps::{Sizes, gap_of, planned, steps_to_mix};
pub use summary::{Class, Row, Spread, Summary};
pub use system::SystemAccount;
pub use text::{rounded, rounded_up};
