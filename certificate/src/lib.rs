//! Certificates: claims about privacy losses with their proofs, and a checker.
//!
//! A certificate claims that some users lose *at most* or *at least* a number (in units of
//! `L = alpha Delta^2 / (2 sigma^2)`) to some observers of a protocol, and carries a proof: an
//! alibi or an attack. [`Certificate::check`] recomputes the proof from the graph in integers. It
//! uses no floats, no solver, and no code of the engines that find certificates. To audit a claim,
//! read this crate: each module is one rule.
//!
//! | proof | claim | check | module |
//! | --- | --- | --- | --- |
//! | `absorption` | at most, gradient descent with any Lipschitz steps | the fractions leave nothing that is heard; the sum of squares | `absorption` |
//! | `flows` | at most, masked protocols, any steps | amounts go along masks that no observer knows; the sum of squares | `flow` |
//! | `alibis` | at most, inputs that do not react, or linearly | the shifts explain each input exactly; the sum of squares | `alibi` |
//! | `attack` | at least, inputs that do not react, or linearly | the signal and the noise of a statistic | `attack` |
//!
//! A claim *at most* holds for scalars and for vectors of any dimension, a claim *at least* for
//! scalars and therefore for vectors. Claims are about Gaussian noise, real numbers, unless they
//! name a grid that noise is rounded to: `rounded` has the rules for `absorption` and `flows`
//! there. [`check_lower`] is the rule of another kind of file, noise plans: that no plan costs
//! less.
//!
//! Where the data of a user is used in every b-th round only, sources may have different phases. A
//! claim *at most* is about **all** assignments of phases to the sources, and each of them is
//! checked ([`Protocol::participations`]: in the order of a counter whose last digit is the phase
//! of the last source; beyond [`MAX_PARTICIPATIONS`](muffliato_model::MAX_PARTICIPATIONS) of them
//! the last sources count as taking part in every round, which only raises what is proved). A claim
//! *at least* is about one.
//!
//! # The format
//!
//! One JSON object. Nodes and times are numbered from 0; numbers that are not whole are strings
//! such as `"3/4"` or `"0.75"`. Unknown fields and fields that are given twice are refused.
//!
//! | field | meaning |
//! | --- | --- |
//! | `certificate` | the version of the format, 1 |
//! | `protocol` | a protocol [on file](muffliato_model::ProtocolRecord) |
//! | `observers` | the nodes that observe |
//! | `view` | `"full"` (they know their own noise; the default), `"paper"`, or `"sum"` (under secure summation: a message of an attack is `[t, v, c]` with the observer v that learns the sum) |
//! | `sources` | the users whose inputs are protected, together |
//! | `at_most` or `at_least` | the claim |
//! | `noise` | `{"rounded": {"sensitivity": k, "coordinates": D, "roundings": r}}`: Gaussian noise rounded to a grid, where inputs differ by at most k steps (optional; without it noise is Gaussian) |
//! | `absorption` | `fractions`: for each assignment of phases (or once for all) a list of `[time, node, fraction]`; `lipschitz`: the constant of all steps, or a list with one a node (optional, 1); `grid`: the bits that deviations are rounded up to (optional, 96); `flows`: for each assignment (or once for all), for each round (or once for all) a list of `[from, to, amount]` (optional) |
//! | `flows` | for each round (or once for all), for each source a list of `[from, to, amount]` |
//! | `alibis` | for each assignment of phases: `shifts`, for each of its inputs (round by round, within a round source by source) a list of `[time, node, shift]` of draws, where those who speak to an observer when they draw are left out (they absorb what arrives); `lambda`: a number for each input (optional) |
//! | `attack` | `inputs`: `[round, node, change]` with changes of at most 1, each source in the rounds of one phase; `messages`: `[time, sender, coefficient]`; `own_noise`: `[time, node, coefficient]` (optional); `masks`: `[round, a, b, coefficient]` with a < b, of masks that an observer shares (optional) |

mod absorption;
mod alibi;
mod attack;
mod error;
mod flow;
mod format;
mod linear;
mod matrix;
mod plan;
mod rounded;
mod rules;
mod run;
mod sentence;
mod system;

pub use absorption::absorption_bound;
pub use error::{CertificateError, Refusal};
pub use linear::{LinearSystem, SystemCertificate};
pub use plan::{LowerProof, LowerRefusal, Potential, check_lower, scaled_gain};
pub use rounded::{Law, Rounding};
pub use system::{Coefficients, Projections, Row, Statistic, System};

use self::{format::numbers, rules::is_at_most};
use muffliato_model::{
    Absorption, Draw, Fraction, Lipschitz, Observer, Participation, Protocol, Schedule,
};
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::Zero;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;

/// Largest size of a file, in bytes.
pub const MAX_BYTES: usize = 1 << 28;
/// Largest number of nodes.
pub const MAX_NODES: usize = 1 << 21;
/// Largest number of steps, and of nodes of all networks together.
pub const MAX_STEPS: usize = 1 << 24;
/// Largest number of digits of a number.
pub const MAX_DIGITS: usize = 1 << 15;
/// Largest number of products of a weight and a number in a check.
pub const MAX_WORK: u128 = 1 << 32;
/// Largest number of coefficients that are stored at a time.
pub const MAX_COEFFICIENTS: u128 = 50_000_000;
/// Largest number of bits of intermediate numbers.
pub const MAX_BITS: u64 = 1 << 20;
/// Finest grid of deviations, in bits.
pub const MAX_GRID: u32 = 4096;
/// Default grid of deviations, in bits.
pub const DEFAULT_GRID: u32 = 96;

/// A claim, in units of L.
///
/// ```
/// use muffliato_certificate::Claim;
///
/// let half = Claim::AtMost("1/2".parse()?);
/// assert_eq!(half.to_string(), "at most 1/2");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Claim {
    /// The loss is at most this.
    AtMost(BigRational),
    /// The loss is at least this.
    AtLeast(BigRational),
}

impl Claim {
    /// Checks that the claim follows from the bound that a proof proves.
    fn check(&self, proved: &BigRational) -> Result<(), Refusal> {
        let found = || format::decimal(proved);
        match self {
            Self::AtMost(loss) if !is_at_most(parts(proved), parts(loss)) => {
                Err(Refusal::CostsMore { found: found() })
            }
            Self::AtLeast(loss) if !is_at_most(parts(loss), parts(proved)) => {
                Err(Refusal::Weaker { found: found() })
            }
            _ => Ok(()),
        }
    }
}

impl std::fmt::Display for Claim {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::AtMost(loss) => write!(f, "at most {loss}"),
            Self::AtLeast(loss) => write!(f, "at least {loss}"),
        }
    }
}

/// A value at a time (or round) and a node.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "format::Triple", into = "format::Triple")]
pub struct Entry {
    /// The time, or the round for inputs.
    pub time: usize,
    /// The node.
    pub node: usize,
    /// The value.
    pub value: BigRational,
}

/// A flow between two nodes along the mask that they share.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "format::Triple", into = "format::Triple")]
pub struct Flow {
    /// The node that the amount leaves.
    pub from: usize,
    /// The node that the amount reaches.
    pub to: usize,
    /// The amount, in units of Delta.
    pub amount: BigRational,
}

/// A value at the mask of an edge.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "format::OfEdge", into = "format::OfEdge")]
pub struct MaskEntry {
    /// The round.
    pub round: usize,
    /// The edge; its smaller node, which adds the mask, comes first.
    pub edge: (usize, usize),
    /// The value.
    pub value: BigRational,
}

/// The alibis of one assignment of phases to the sources.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Alibis {
    /// The shifts of draws for each input, except those of senders to an observer.
    pub shifts: Vec<Vec<Entry>>,
    /// A dual vector; without it, the bound is the sum of all absolute inner products.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[serde(serialize_with = "numbers::write_list", deserialize_with = "numbers::read_list")]
    pub lambda: Option<Vec<BigRational>>,
}

/// A statistic of a view, and the change of inputs that it shows.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Attack {
    /// The changes of inputs, by at most 1 each; those of a source in the rounds of one phase.
    pub inputs: Vec<Entry>,
    /// Coefficients of messages, by time and sender.
    pub messages: Vec<Entry>,
    /// Coefficients of the observers' own draws.
    #[serde(default)]
    pub own_noise: Vec<Entry>,
    /// Coefficients of the masks that observers share.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub masks: Vec<MaskEntry>,
}

/// The proof of a claim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Proof {
    /// Fractions that absorb deviations: an upper bound for gradient descent with Lipschitz steps.
    Absorption {
        /// The Lipschitz constants of the steps.
        lipschitz: Lipschitz,
        /// The grid: deviations are rounded up to multiples of `2^-grid`.
        grid: u32,
        /// The fractions for each assignment of phases to the sources, or one choice for all.
        plans: Vec<Absorption>,
        /// The flows along masks, for each assignment (or once for all) and each round (or once for
        /// all); empty if there are none.
        flows: Vec<Vec<Vec<Flow>>>,
    },
    /// Flows along masks, in each round (or once for all) for each source: an upper bound for
    /// masked protocols and any loss functions.
    Flows(Vec<Vec<Vec<Flow>>>),
    /// Shifts of draws that explain the inputs, for each assignment of phases to the sources: an
    /// upper bound for inputs that do not react.
    Alibis(Vec<Alibis>),
    /// A statistic of the view: a lower bound for inputs that do not react.
    Attack(Attack),
}

/// A claim with its proof.
///
/// ```
/// use muffliato_certificate::{Certificate, Claim, Law, Proof, Refusal};
/// use muffliato_model::{Absorption, Lipschitz, Network, Observer, Protocol};
///
/// let path = Network::metropolis("path:3".parse()?)?;
/// let protocol = Protocol::gradient_descent(path, 2, 1)?;
/// let observer = Observer::full(0);
/// let plans = vec![Absorption::first_passage(&protocol, &observer)?];
/// let proof = Proof::Absorption { lipschitz: Lipschitz::default(), grid: 96, plans, flows: vec![] };
/// let (claim, noise) = (Claim::AtMost("139/1250".parse()?), Law::Gaussian);
/// let certificate = Certificate { protocol, noise, observer, sources: vec![2], claim, proof };
/// assert_eq!(certificate.check(), Ok(()));
/// assert_eq!(Certificate::parse(&certificate.to_json()?)?, certificate);
/// let lie = Certificate { claim: Claim::AtMost("1/10".parse()?), ..certificate };
/// assert!(matches!(lie.check(), Err(Refusal::CostsMore { .. })));
/// assert!(lie.proved()? > "1/9".parse()?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Certificate {
    /// The protocol.
    pub protocol: Protocol,
    /// The noise.
    pub noise: Law,
    /// The observer.
    pub observer: Observer,
    /// The users whose inputs are protected, together.
    pub sources: Vec<usize>,
    /// The claim.
    pub claim: Claim,
    /// The proof.
    pub proof: Proof,
}

impl Certificate {
    /// Checks that the proof proves the claim.
    ///
    /// # Errors
    ///
    /// Returns what is wrong with the certificate.
    pub fn check(&self) -> Result<(), Refusal> {
        self.claim.check(&self.proved()?)
    }

    /// Computes the best bound (upper or lower) that the proof proves, regardless of the claimed
    /// number.
    ///
    /// # Errors
    ///
    /// Fails if the proof is invalid.
    pub fn proved(&self) -> Result<BigRational, Refusal> {
        self.observer.check(self.protocol.nodes()).map_err(question)?;
        self.check_sources()?;
        if self.protocol.sampling().is_some() {
            return Err(question(
                "a certificate is about records that are used in every round; leave `sample` out",
            ));
        }
        self.noise.check()?;
        match (&self.claim, &self.proof) {
            (Claim::AtMost(_), Proof::Absorption { lipschitz, grid, plans, flows }) => {
                self.proved_by_absorption(lipschitz, *grid, plans, flows)
            }
            (Claim::AtMost(_), Proof::Flows(rounds)) => self.proved_by_flows(rounds),
            (Claim::AtMost(_), Proof::Alibis(_)) | (Claim::AtLeast(_), Proof::Attack(_))
                if !self.noise.is_gaussian() =>
            {
                Err(Refusal::NotOnGrid)
            }
            (Claim::AtMost(_), Proof::Alibis(runs)) => self.proved_by_alibis(runs),
            (Claim::AtLeast(_), Proof::Attack(attack)) => self.proved_by_attack(attack),
            _ => Err(Refusal::WrongKind),
        }
    }

    /// Returns the variance of a draw, in units of `sigma^2`.
    fn variance(&self, draw: Draw) -> BigRational {
        rational(self.protocol.variance(draw))
    }

    /// Returns the assignments of phases to the sources.
    fn participations(&self) -> impl ExactSizeIterator<Item = Participation> + Clone + use<> {
        self.protocol.participations(self.sources.len())
    }

    /// Checks that the sources are increasing, not empty, and nodes that do not observe.
    fn check_sources(&self) -> Result<(), Refusal> {
        if self.sources.is_empty() {
            return Err(question("no source is named"));
        }
        for (place, &source) in self.sources.iter().enumerate() {
            if source >= self.protocol.nodes() || self.observer.contains(source) {
                return Err(question(format!("source {source} is no node, or it observes")));
            }
            if place > 0 && self.sources[place - 1] >= source {
                return Err(question("sources are not in increasing order"));
            }
        }
        Ok(())
    }

    /// Checks that `passes` passes through all steps are within the limit of work.
    fn check_work(&self, passes: usize) -> Result<(), Refusal> {
        let protocol = &self.protocol;
        let edges = match protocol.schedule() {
            Schedule::Fixed(network) => network.graph().edge_count(),
            Schedule::Varying { networks, .. } => {
                let counts = networks.iter().map(|network| network.graph().edge_count());
                counts.max().unwrap_or(0)
            }
            _ => 1,
        };
        let masks = protocol.masks().and_then(|masks| masks.graph());
        let edges = edges.max(masks.map_or(0, |graph| graph.edge_count()));
        let step = protocol.nodes() as u128 + 2 * edges as u128;
        let work = step.saturating_mul(protocol.steps() as u128).saturating_mul(passes as u128);
        limited(work)
    }
}

/// Checks that a number of products is within the limit of work.
fn limited(work: u128) -> Result<(), Refusal> {
    if work > MAX_WORK {
        return Err(Refusal::TooLarge { work });
    }
    Ok(())
}

/// Returns the largest of some losses.
fn largest(losses: impl Iterator<Item = BigRational>) -> BigRational {
    losses.fold(BigRational::zero(), |most, loss| {
        if is_at_most(parts(&loss), parts(&most)) { most } else { loss }
    })
}

/// Returns the refusal of an invalid question.
fn question(what: impl ToString) -> Refusal {
    Refusal::Question(what.to_string())
}

/// Checks the length of a list.
fn count(what: &'static str, given: usize, expected: usize) -> Result<(), Refusal> {
    if given == expected {
        return Ok(());
    }
    Err(Refusal::Count { what, given, expected })
}

fn rational(fraction: Fraction) -> BigRational {
    BigRational::new(fraction.numerator().into(), fraction.denominator().into())
}

/// Sums of whole numbers by the variance of the draw that they belong to.
#[derive(Default)]
struct ByVariance(HashMap<Fraction, BigInt>);

impl ByVariance {
    fn add(&mut self, variance: Fraction, number: BigInt) {
        if !number.is_zero() {
            *self.0.entry(variance).or_default() += number;
        }
    }

    /// Returns the sum of `variance * number`.
    fn weighted(self) -> BigRational {
        self.0.into_iter().map(|(variance, sum)| rational(variance) * sum).sum()
    }

    /// Returns the sum of `number / variance`, or an error if one belongs to a draw without
    /// variance, even if such numbers cancel.
    fn divided(self) -> Result<BigRational, Refusal> {
        let mut sum = BigRational::zero();
        for (variance, number) in self.0 {
            if variance.is_zero() {
                return Err(no_variance());
            }
            sum += rational(variance).recip() * number;
        }
        Ok(sum)
    }
}

/// The refusal of a proof that shifts a draw without variance.
fn no_variance() -> Refusal {
    question("a draw without variance is shifted")
}

/// Returns the numerator and the positive denominator of a fraction.
fn parts(fraction: &BigRational) -> (&BigInt, &BigInt) {
    (fraction.numer(), fraction.denom())
}

/// Functions that `muffliato-proofs` verifies; not part of the interface.
#[cfg(feature = "proofs")]
#[doc(hidden)]
pub mod cores {
    pub use crate::plan::add_loads;
    pub use crate::rounded::{Corrections, of_whole_amount};
    pub use crate::rules::*;
}

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
