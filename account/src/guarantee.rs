//! Guarantees: upper bounds on a loss together with everything that they depend on.
//!
//! Only an account creates a [`Guarantee`], from an exact or certified loss, and only a guarantee
//! has an epsilon. Numbers that promise nothing have other types: a [`Loss`](crate::Loss) may hold
//! in a model only or be an estimate, a [`Maximum`] may be over a sample, and a [`Number`] may be
//! the value of a refuted formula. `Question::promise` is the one place that decides what is
//! promised.
//!
//! ```compile_fail
//! use muffliato_account::Account;
//! use muffliato_model::{Network, Protocol};
//!
//! let protocol = Protocol::gradient_descent(Network::metropolis("karate".parse()?)?, 10, 1)?;
//! // A loss in the model of fixed gradients has no epsilon.
//! let epsilon = Account::of(&protocol).build()?.loss(33, 3)?.epsilon(1e-6)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! ```compile_fail
//! use muffliato_account::Loss;
//! use muffliato_model::LossModel;
//!
//! // Only engines create certified losses.
//! let certified = Loss::between(0.0, 0.1, LossModel::SingleInput);
//! ```
//!
//! ```compile_fail
//! use muffliato_account::Guarantee;
//!
//! // A guarantee cannot be read from a file.
//! let read: Guarantee = serde_json::from_str("{}")?;
//! # Ok::<(), serde_json::Error>(())
//! ```
//!
//! ```compile_fail
//! use muffliato_account::GuaranteeRecord;
//!
//! fn epsilon(read: GuaranteeRecord) -> f64 {
//!     read.at(1.0, 1.0).unwrap().epsilon(1e-6).unwrap()
//! }
//! ```

mod epsilons;
mod maximum;
mod words;

pub use epsilons::{Epsilons, PairEpsilons};
pub use maximum::{Maximum, Sample};
pub use words::GuaranteeRecord;

use crate::noise_law::{Curve, ProvedFor};
use crate::number::at_most;
use crate::{AccountError, Knowledge, Number, Status};
use muffliato_model::Lipschitz;
use muffliato_reference::BigRational;
use serde::{Deserialize, Serialize};

/// The inputs that a loss holds for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Inputs {
    /// Every input is one number.
    #[serde(rename = "scalars")]
    Scalars,
    /// Inputs are vectors of any dimension, numbers included.
    #[serde(rename = "vectors of any dimension")]
    Vectors,
}

/// The nodes that a guarantee protects, by name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Protected {
    /// Every node, each by itself.
    EveryNode,
    /// These nodes, each by itself.
    Nodes(Vec<String>),
    /// These nodes together.
    Group(Vec<String>),
    /// These inputs of a linear system, together.
    Inputs(Vec<String>),
}

/// The observers that a guarantee protects against, by name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Against {
    /// Every node, each by itself.
    EveryNode,
    /// These nodes, each by itself.
    Nodes(Vec<String>),
    /// These nodes, which combine their views.
    Coalition(Vec<String>),
    /// An observer of the view of a linear system.
    View,
    /// Every coalition of at most this many nodes.
    EveryCoalition(usize),
    /// A sample of the observers. Others may learn more.
    Sample {
        /// The size of the sample.
        observers: usize,
        /// The number of all observers.
        of: usize,
    },
}

/// The distances between the protected nodes and the observers that a guarantee is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Distances {
    /// Any distance.
    Any,
    /// This distance.
    Exactly(usize),
    /// This distance or more, including pairs without a path.
    AtLeast(usize),
    /// Pairs without a path.
    NoPath,
}

/// The schedules that a guarantee holds for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum ScheduleScope {
    /// All steps of a round use the same network.
    Fixed,
    /// One given or drawn schedule. Another one may lose more.
    One,
    /// Every schedule that may be drawn.
    Every,
}

/// The assumption on the loss functions that nodes minimise.
///
/// In JSON, `"none"`, `"any"`, `{"lipschitz": "3/2"}` or `{"lipschitz": ["1", "3/2"]}`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Losses {
    /// No loss functions: the protocol averages.
    None,
    /// Any loss functions.
    Any,
    /// Loss functions whose steps `x - nu grad f(x)` have these Lipschitz constants.
    Lipschitz(Lipschitz),
}

/// The difference between two neighbouring inputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Unit {
    /// The whole input of a node is replaced; its change is bounded by the sensitivity.
    NodeReplaced,
    /// An input of a linear system changes by at most the sensitivity.
    InputChanged,
    /// One record of a node is added or removed; the sensitivity bounds its part of the input.
    RecordAddedOrRemoved,
}

/// The use of a node's data.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Participation {
    /// The number of rounds.
    pub rounds: usize,
    /// The data of a node is used in one of this many rounds.
    pub every: usize,
}

/// Everything that a guarantee depends on, besides the size of the noise.
///
/// Two guarantees are about the same thing if their conditions are equal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Conditions {
    /// The [description](muffliato_model::Protocol::describe) of the protocol.
    pub protocol: String,
    /// A number that tells protocols apart, their graphs included.
    pub fingerprint: String,
    /// The nodes that are protected.
    pub protected: Protected,
    /// The observers that they are protected against.
    pub against: Against,
    /// The distances between them.
    pub distances: Distances,
    /// The knowledge of the observers.
    pub view: Knowledge,
    /// The schedules that the guarantee holds for.
    pub schedule: ScheduleScope,
    /// The noise that the guarantee is proved for.
    pub noise: ProvedFor,
    /// The assumption on loss functions.
    pub losses: Losses,
    /// `true` if nodes must keep only their masked state between rounds.
    pub masked_state_only: bool,
    /// The inputs that the guarantee holds for.
    pub inputs: Inputs,
    /// The difference between two neighbouring inputs.
    pub unit: Unit,
    /// The use of a node's data.
    pub participation: Participation,
    /// The number of runs with new noise and the same inputs.
    pub runs: usize,
}

impl Conditions {
    /// Creates the conditions of averaging once on a fixed network: every node against every other.
    pub(crate) fn new(protocol: String, fingerprint: String, noise: ProvedFor) -> Self {
        Self {
            protocol,
            fingerprint,
            protected: Protected::EveryNode,
            against: Against::EveryNode,
            distances: Distances::Any,
            view: Knowledge::Full,
            schedule: ScheduleScope::Fixed,
            noise,
            losses: Losses::None,
            masked_state_only: false,
            inputs: Inputs::Vectors,
            unit: Unit::NodeReplaced,
            participation: Participation { rounds: 1, every: 1 },
            runs: 1,
        }
    }
}

/// An exact or certified upper bound on a loss, with everything that it depends on.
///
/// Only an account creates one. [`Guarantee::at`] converts it to epsilons.
///
/// ```
/// use muffliato_account::{Account, GuaranteeRecord};
/// use muffliato_model::{Network, Protocol};
///
/// let protocol = Protocol::gradient_descent(Network::metropolis("karate".parse()?)?, 10, 1)?;
/// let account = Account::of(&protocol).build()?;
/// let guarantee = account.guarantee(33, 3)?;
/// // The loss in the model of fixed gradients is smaller, but promises nothing.
/// assert!(account.loss(33, 3)?.upper() < guarantee.upper());
/// assert!(guarantee.to_string().starts_with("node 33 loses at most 0.105 L"));
/// assert!(guarantee.to_string().contains("steps x - nu grad f(x) are 1-Lipschitz"));
/// let epsilon = guarantee.at(2.0, 1.0)?.epsilon(1e-6)?;
/// assert!(0.66 < epsilon && epsilon < 0.67);
///
/// // In a file it is a record, which promises nothing.
/// let text = serde_json::to_string(&guarantee)?;
/// let read: GuaranteeRecord = serde_json::from_str(&text)?;
/// assert_eq!((read.to_string(), &read.conditions), (guarantee.to_string(), guarantee.conditions()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(into = "GuaranteeRecord")]
pub struct Guarantee {
    number: Number,
    conditions: Conditions,
}

impl Guarantee {
    /// Creates a guarantee. Callers have proved that the bound holds on these conditions.
    pub(crate) fn new(number: Number, conditions: Conditions) -> Self {
        Self { number, conditions }
    }

    /// Returns the guarantee of local differential privacy for one input: a loss of 1, for any
    /// protocol.
    #[must_use]
    pub fn local(noise: ProvedFor) -> Self {
        let all = Conditions::new("any protocol".into(), String::new(), noise);
        let all = Conditions { schedule: ScheduleScope::Every, losses: Losses::Any, ..all };
        Self::new(at_most(1.0), all)
    }

    /// Returns the upper bound on the loss, in units of L.
    pub fn upper(&self) -> f64 {
        self.number.upper()
    }

    /// Returns the upper bound as a short decimal, rounded up.
    pub fn rounded_up(&self) -> String {
        self.number.rounded_up()
    }

    /// Returns the upper bound with its fraction, if there is one.
    pub(crate) fn number(&self) -> &Number {
        &self.number
    }

    /// Returns the loss as a fraction, if exact arithmetic computed it.
    pub fn fraction(&self) -> Option<&BigRational> {
        self.number.fraction()
    }

    /// Returns `Exact` for a fraction and `Certified` for an upper bound.
    pub fn status(&self) -> Status {
        match self.number.fraction() {
            Some(_) => Status::Exact,
            None => Status::Certified,
        }
    }

    /// Returns the conditions of the guarantee.
    pub fn conditions(&self) -> &Conditions {
        &self.conditions
    }

    /// Returns the guarantee for `runs` runs with new noise and the same inputs: losses add up. No
    /// runs count as one.
    #[must_use]
    pub fn repeated(&self, runs: usize) -> Self {
        let runs = runs.max(1);
        Self {
            number: self.number.times(runs),
            conditions: Conditions {
                runs: self.conditions.runs.saturating_mul(runs),
                noise: self.conditions.noise.repeated(runs),
                ..self.conditions.clone()
            },
        }
    }

    /// Returns the privacy curve for noise of standard deviation `sigma` and inputs that change by
    /// at most `sensitivity`.
    ///
    /// # Errors
    ///
    /// Fails unless both are positive and finite and, on a grid, the guarantee is for this
    /// sensitivity.
    pub fn at(&self, sigma: f64, sensitivity: f64) -> Result<Curve, AccountError> {
        let ends = self.number.enclosure();
        self.conditions.noise.curve(&ends, sensitivity, sigma)
    }

    /// Returns the smallest sigma that gives (epsilon, delta)-differential privacy; 0 for a loss
    /// of 0.
    ///
    /// # Errors
    ///
    /// Fails if a parameter is out of range or the noise does not fit its grid.
    pub fn sigma_for(
        &self,
        epsilon: f64,
        delta: f64,
        sensitivity: f64,
    ) -> Result<f64, AccountError> {
        let noise = self.conditions.noise;
        noise.sigma_for(self.upper(), epsilon, delta, sensitivity)
    }
}
