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
//! let epsilon = Account::of(&protocol)?.loss(33, 3)?.epsilon(1e-6)?;
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

use crate::noise_law::{Curve, ProvedFor};
use crate::number::at_most;
use crate::summary::Origin;
use crate::{AccountError, Knowledge, Loss, Number, Status, text};
use muffliato_model::{Fraction, Lipschitz};
use serde::{Deserialize, Serialize};
use std::{collections::HashMap, fmt};

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

impl fmt::Display for Inputs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Scalars => "scalars",
            Self::Vectors => "vectors of any dimension",
        })
    }
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
    Lipschitz(#[serde(with = "text::lipschitz")] Lipschitz),
}

/// The difference between two neighbouring inputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Unit {
    /// The whole input of a node is replaced; its change is bounded by the sensitivity.
    NodeReplaced,
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
    /// Whether the guarantee requires that nodes keep only their masked state between rounds.
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
    /// Returns the clauses of the sentence that follow the nodes and precede the protocol.
    fn clauses(&self) -> Vec<String> {
        let who = match self.against {
            Against::Sample { .. } => "each of whom",
            _ => "who",
        };
        let mut clauses = vec![match self.view {
            Knowledge::Full => format!("{who} knows the noise that it drew"),
            Knowledge::Paper => format!(
                "{who} forgets the noise that it drew (no promise against those who know it)"
            ),
        }];
        match self.schedule {
            ScheduleScope::Fixed => {}
            ScheduleScope::One => {
                clauses
                    .push("for the one schedule that was drawn (another one may lose more)".into());
            }
            ScheduleScope::Every => clauses.push("for every schedule that may be drawn".into()),
        }
        match &self.losses {
            Losses::None => {}
            Losses::Any => clauses.push("for any loss functions, clipped or not".into()),
            Losses::Lipschitz(constants) => {
                let constants = match constants.of(usize::MAX) {
                    Some(constant) => format!("{constant}-Lipschitz"),
                    None => "Lipschitz with a constant for each node".into(),
                };
                let convex = if self.losses.constant() == Some(Fraction::ONE) {
                    " (as for convex beta-smooth losses and nu at most 2/beta)"
                } else {
                    ""
                };
                clauses.push(format!(
                    "for loss functions whose steps x - nu grad f(x) are {constants}{convex}"
                ));
            }
        }
        if self.masked_state_only {
            clauses.push(
                "as long as a node carries nothing but its masked state from round to round".into(),
            );
        }
        clauses.push(format!("for inputs that are {}", self.inputs));
        clauses.push(match self.unit {
            Unit::NodeReplaced => "where a node's whole input is replaced".into(),
        });
        clauses.push(format!("with {}", self.noise.described()));
        if self.runs > 1 {
            clauses.push(format!("in {} runs with new noise together", self.runs));
        }
        clauses
    }

    /// Formats who loses `loss` to whom, with all conditions except the protocol.
    fn sentence(&self, loss: &str) -> String {
        let who = match &self.protected {
            Protected::EveryNode => "each node".to_string(),
            Protected::Nodes(nodes) => names("node", "each of the nodes", nodes),
            Protected::Group(nodes) => names("node", "the group", nodes),
        };
        let far = match self.distances {
            Distances::Any => String::new(),
            Distances::Exactly(distance) => format!(" at distance {distance}"),
            Distances::AtLeast(distance) => format!(" at distance {distance} or more"),
            Distances::NoPath => " that no path joins to the observer".into(),
        };
        let whom = match &self.against {
            Against::EveryNode => "every other node".to_string(),
            Against::Nodes(nodes) => names("node", "each of the nodes", nodes),
            Against::Coalition(nodes) => names("node", "the coalition", nodes),
            Against::EveryCoalition(size) => format!("every coalition of {size}"),
            Against::Sample { observers, of } => {
                format!(
                    "the {observers} of {of} observers that were looked at (others may learn more)"
                )
            }
        };
        let clauses = self.clauses().join(", ");
        format!("{who}{far} loses {loss} to {whom}, {clauses}")
    }

    /// Formats all conditions except the protocol.
    pub fn scope(&self) -> String {
        self.sentence("at most this")
    }
}

impl fmt::Display for Conditions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}; {}", self.scope(), self.protocol)
    }
}

/// Largest number of names that are written out.
const MOST_NAMES: usize = 12;

/// Formats a list of nodes, such as "node 3" or "the group 3, 4 and 5".
fn names(one: &str, several: &str, nodes: &[String]) -> String {
    // Escapes terminal control characters.
    let escaped = |name: &String| name.escape_debug().to_string();
    let shown: Vec<String> = nodes.iter().take(MOST_NAMES + 1).map(escaped).collect();
    match &shown[..] {
        [node] => format!("{one} {node}"),
        _ if nodes.len() > MOST_NAMES => format!(
            "{several} {} and {} others",
            shown[..MOST_NAMES].join(", "),
            nodes.len() - MOST_NAMES
        ),
        [others @ .., last] => format!("{several} {} and {last}", others.join(", ")),
        [] => "nobody".into(),
    }
}

impl Losses {
    /// Returns the Lipschitz constant of all steps, if one is assumed.
    pub fn constant(&self) -> Option<Fraction> {
        match self {
            Self::Lipschitz(constants) => constants.of(usize::MAX),
            _ => None,
        }
    }
}

/// A guarantee in a file: the loss and its conditions.
///
/// A record can be printed, compared and written, but promises nothing, since anybody can write a
/// file. Recompute it with an [`Account`](crate::Account), or check its
/// [certificate](crate::Account::certificate).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct GuaranteeRecord {
    /// The upper bound on the loss, in units of L.
    #[serde(with = "text::float")]
    pub upper: f64,
    /// The loss as a fraction, if exact arithmetic computed it.
    #[serde(with = "text::fraction")]
    pub exact: Option<Box<muffliato_reference::BigRational>>,
    /// The conditions of the guarantee.
    pub conditions: Conditions,
}

impl fmt::Display for GuaranteeRecord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let loss = match &self.exact {
            Some(exact) => Number::from((**exact).clone()),
            None => at_most(self.upper),
        };
        f.write_str(&sentence(&loss, &self.conditions))
    }
}

fn sentence(loss: &Number, conditions: &Conditions) -> String {
    let loss = format!(
        "at most {} L ({})",
        loss.rounded_up(),
        status_of(loss).as_str()
    );
    format!("{}; {}", conditions.sentence(&loss), conditions.protocol)
}

fn status_of(loss: &Number) -> Status {
    match loss.fraction() {
        Some(_) => Status::Exact,
        None => Status::Certified,
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
/// let account = Account::of(&protocol)?;
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
        Self::new(
            at_most(1.0),
            Conditions {
                protocol: "any protocol".into(),
                fingerprint: String::new(),
                protected: Protected::EveryNode,
                against: Against::EveryNode,
                distances: Distances::Any,
                view: Knowledge::Full,
                schedule: ScheduleScope::Every,
                noise,
                losses: Losses::Any,
                masked_state_only: false,
                inputs: Inputs::Vectors,
                unit: Unit::NodeReplaced,
                participation: Participation {
                    rounds: 1,
                    every: 1,
                },
                runs: 1,
            },
        )
    }

    /// Returns the upper bound on the loss, in units of L.
    pub fn upper(&self) -> f64 {
        self.number.upper()
    }

    /// Returns the upper bound as a short decimal, rounded up.
    pub fn rounded_up(&self) -> String {
        self.number.rounded_up()
    }

    pub(crate) fn number(&self) -> &Number {
        &self.number
    }

    /// Returns the loss as a fraction, if exact arithmetic computed it.
    pub fn fraction(&self) -> Option<&muffliato_reference::BigRational> {
        self.number.fraction()
    }

    /// Returns `Exact` for a fraction and `Certified` for an upper bound.
    pub fn status(&self) -> Status {
        status_of(&self.number)
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

    /// Changes the conditions. The bound must hold on the new ones.
    pub(crate) fn under(self, change: impl FnOnce(&mut Conditions)) -> Self {
        let mut conditions = self.conditions;
        change(&mut conditions);
        Self { conditions, ..self }
    }
}

impl fmt::Display for Guarantee {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&sentence(&self.number, &self.conditions))
    }
}

impl From<Guarantee> for GuaranteeRecord {
    fn from(guarantee: Guarantee) -> Self {
        Self {
            upper: guarantee.upper(),
            exact: guarantee.fraction().cloned().map(Box::new),
            conditions: guarantee.conditions,
        }
    }
}

/// The largest of some losses, with its conditions.
///
/// It is a guarantee only if it covers all observers and is not a mean.
///
/// ```
/// use muffliato_account::{Account, AccountError, Observers};
/// use muffliato_model::{Network, Protocol};
///
/// let protocol = Protocol::one_shot(Network::metropolis("karate".parse()?)?, 3)?.refreshed("0.1".parse()?)?;
/// let sample = Account::of(&protocol)?.observers(Observers::Sample(4)).summary()?;
/// let found = sample.largest(2)?;
/// let seen = found.sample().unwrap();
/// assert_eq!((seen.observers, seen.of), (4, 34));
/// assert!(matches!(found.clone().promised(), Err(AccountError::Sampled { .. })));
///
/// let all = Account::of(&protocol)?.observers(Observers::All).summary()?;
/// assert!(all.largest(2)?.promised()?.upper() > found.upper());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Maximum {
    pub(crate) bound: Guarantee,
    pub(crate) status: Status,
    pub(crate) sample: Option<Sample>,
    pub(crate) is_mean: bool,
    pub(crate) origin: Origin,
}

/// The observers that were examined, if not all were.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sample {
    /// The number of observers that were examined.
    pub observers: usize,
    /// The number of all observers.
    pub of: usize,
    /// Whether more observers were requested: this is a shard, or the deadline passed.
    pub partial: bool,
}

impl fmt::Display for Sample {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {} observers", self.observers, self.of)
    }
}

impl Maximum {
    /// Returns the guarantee.
    ///
    /// # Errors
    ///
    /// [`AccountError::Sampled`] for a sample, [`AccountError::MeanIsNoPromise`] for a mean,
    /// [`AccountError::OnFile`] if a part of it was read from a file.
    pub fn promised(self) -> Result<Guarantee, AccountError> {
        match self.sample {
            Some(Sample { observers, of, .. }) => Err(AccountError::Sampled { observers, of }),
            None if self.is_mean => Err(AccountError::MeanIsNoPromise),
            None if self.origin.on_file => Err(AccountError::OnFile),
            None => Ok(self.bound),
        }
    }

    /// Returns the upper bound for the observers that were examined.
    pub fn upper(&self) -> f64 {
        self.bound.upper()
    }

    /// Returns the upper bound as a short decimal, rounded up.
    pub fn rounded_up(&self) -> String {
        self.bound.rounded_up()
    }

    /// Returns the observers that were examined; `None` if all were.
    pub fn sample(&self) -> Option<Sample> {
        self.sample
    }

    /// Returns the conditions of the bound, including the sample.
    pub fn conditions(&self) -> &Conditions {
        self.bound.conditions()
    }

    /// Returns the name of the status: `sampled` for a sample, `partial` for a shard or after a
    /// timeout.
    pub fn as_str(&self) -> &'static str {
        match self.sample {
            None => self.status.as_str(),
            Some(Sample { partial: true, .. }) => "partial",
            Some(_) => "sampled",
        }
    }

    /// Returns the privacy curve for the observers that were examined, which says nothing about
    /// others. For a mean, only the Renyi losses of the curve are meaningful.
    ///
    /// # Errors
    ///
    /// Those of [`Guarantee::at`].
    pub fn over_sample(&self, sigma: f64, sensitivity: f64) -> Result<Curve, AccountError> {
        self.bound.at(sigma, sensitivity)
    }
}

/// The epsilons of one pair, or of one class of pairs, at one noise level.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct PairEpsilons {
    /// The guaranteed epsilon; for a class of pairs, towards the observers that were examined.
    pub epsilon: f64,
    /// The epsilon of the computed loss in its model of training; `None` if it needs no model.
    pub model_epsilon: Option<f64>,
    /// The guaranteed epsilon for any loss functions; `None` for averaging.
    pub any_loss_epsilon: Option<f64>,
}

/// The guaranteed bounds of a pair.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Promises {
    /// The guaranteed bound.
    pub promised: Number,
    /// The guaranteed bound for any loss functions; `None` for averaging.
    pub any_losses: Option<Number>,
}

impl Promises {
    /// Drops the assumption on loss functions if the bound holds without it.
    pub(crate) fn refine(&self, conditions: &mut Conditions) {
        if self.any_losses.as_ref() == Some(&self.promised) {
            conditions.losses = Losses::Any;
        }
    }
}

/// A converter of many losses to epsilons.
///
/// If there are very many, losses are first rounded up to four digits, so that each distinct
/// epsilon is computed once.
pub struct Epsilons {
    many: bool,
    sigma: f64,
    sensitivity: f64,
    delta: f64,
    runs: usize,
    known: HashMap<u64, f64>,
}

/// Largest number of losses that are not rounded.
const FEW: usize = 10_000;

impl Epsilons {
    /// Creates a converter for about `losses` losses of `runs` runs each, with noise of standard
    /// deviation `sigma` and inputs that change by at most `sensitivity`.
    pub fn of(losses: usize, sigma: f64, sensitivity: f64, delta: f64, runs: usize) -> Self {
        Self {
            many: losses > FEW,
            sigma,
            sensitivity,
            delta,
            runs,
            known: HashMap::new(),
        }
    }

    fn epsilon(&mut self, loss: &Number, noise: ProvedFor) -> Result<f64, AccountError> {
        let loss = loss.times(self.runs);
        let upper = if self.many {
            four_digits_up(loss.upper())
        } else {
            loss.upper()
        };
        if let Some(&known) = self.known.get(&upper.to_bits()) {
            return Ok(known);
        }
        let ends = at_most(upper).enclosure();
        let curve = noise.curve(&ends, self.sensitivity, self.sigma)?;
        let epsilon = curve.epsilon(self.delta)?;
        self.known.insert(upper.to_bits(), epsilon);
        Ok(epsilon)
    }

    pub(crate) fn of_promises(
        &mut self,
        promises: &Promises,
        loss: &Loss,
    ) -> Result<PairEpsilons, AccountError> {
        let noise = loss.noise();
        let any_losses = promises.any_losses.as_ref();
        Ok(PairEpsilons {
            epsilon: self.epsilon(&promises.promised, noise)?,
            model_epsilon: if loss.is_of_a_model() {
                Some(self.epsilon(loss.number(), noise)?)
            } else {
                None
            },
            any_loss_epsilon: any_losses.map(|any| self.epsilon(any, noise)).transpose()?,
        })
    }
}

/// Rounds a number up to four digits, by at most a thousandth of it.
fn four_digits_up(number: f64) -> f64 {
    let digits = format!("{:.3e}", number * 1.0006);
    digits
        .parse()
        .map_or(f64::INFINITY, |up: f64| up.max(number))
}
