//! Claims about privacy losses on file, each with what proves it, and their checker.
//!
//! A certificate says that some users lose *at most* or *at least* a number (in units of `L = alpha Delta^2 / (2 sigma^2)`) to some observers of a
//! protocol, and carries a proof: an alibi or an attack. [`Certificate::check`] recomputes it from the graph, in whole numbers; there are no
//! floats, no solver, and no code of the engines that find certificates. To audit a claim, read this crate: one rule a module.
//!
//! | proof | claim | what is checked | module |
//! | --- | --- | --- | --- |
//! | `absorption` | at most, gradient descent with any Lipschitz steps | the fractions leave nothing that is heard; the sum of squares | `absorption` |
//! | `flows` | at most, masked protocols, any steps | amounts go along masks that no observer knows; the sum of squares | `flow` |
//! | `alibis` | at most, inputs that do not react, or linearly | the shifts explain each input exactly; the sum of squares | `alibi` |
//! | `attack` | at least, inputs that do not react, or linearly | the signal and the noise of a statistic | `attack` |
//!
//! A claim *at most* holds for scalars and for vectors of any dimension, a claim *at least* for scalars and therefore for vectors. Claims are about Gaussian noise, real numbers, unless they name a grid that noise is
//! rounded to: `rounded` has the rules for `absorption` and `flows` there.
//!
//! Where the data of a user is used in every b-th round only, sources may have different phases. A claim *at most* is about **all** assignments of phases to the sources, and each of them is
//! checked ([`Protocol::participations`]: in the order of a counter whose last digit is the phase of the last source; beyond [`MAX_PARTICIPATIONS`](muffliato_model::MAX_PARTICIPATIONS) of them the last
//! sources count as taking part in every round, which only raises what is proved). A claim *at least* is about one.
//!
//! # The format
//!
//! One JSON object. Nodes and times are numbered from 0; numbers that are not whole are strings such as `"3/4"` or `"0.75"`. Unknown fields and fields that are given twice are refused.
//!
//! | field | meaning |
//! | --- | --- |
//! | `certificate` | the version of the format, 1 |
//! | `protocol.nodes`, `.rounds`, `.gossip_steps` | n, the rounds R, the gossip steps K of each; T = R K |
//! | `protocol.labels` | the names of the nodes, one each and all different (optional; without them nodes are called by their numbers) |
//! | `protocol.refresh` | tau: fresh noise of deviation `tau sigma` at every step without inputs (optional) |
//! | `protocol.acceleration` | g of the Chebyshev recursion (optional) |
//! | `protocol.masks` | `kappa`: neighbours share masks of deviation `kappa sigma` at inputs; `edges`: the mask graph, if it is not the network's (optional) |
//! | `protocol.reaction` | a factor for each node that multiplies its state at inputs (optional; quadratic losses) |
//! | `protocol.every` | b: the data of a user is used in every b-th round, that is in the rounds r with r mod b its phase (optional, 1) |
//! | `protocol.network` | `edges`, a list of pairs, and `weights`: `"metropolis"`, `"max-degree-inverse"`, `"lazy:..."`, or `{"denominator": d, "entries": [[v, w, numerator], ...]}` with all entries that are not 0 |
//! | `protocol.networks`, `.each` | or: one network after the other, each for so many steps |
//! | `protocol.averages` | or: the edge that averages at each step, with `network` for the graph |
//! | `observers` | the nodes that observe |
//! | `view` | `"full"` (they know their own noise; the default) or `"paper"` |
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
mod core;
mod error;
mod flow;
mod format;
mod matrix;
mod rounded;
mod sentence;

pub use absorption::absorption_bound;
pub use error::{CertificateError, Refusal};
pub use rounded::{Grid, Law};

use self::core::is_at_most;
use muffliato_model::{
    Absorption, Fraction, Lipschitz, Observer, Participation, Protocol, Schedule,
};
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::Zero;

/// The longest file that is read, in bytes.
pub const MAX_BYTES: usize = 1 << 28;
/// The most nodes.
pub const MAX_NODES: usize = 1 << 21;
/// The most steps, and the most nodes of all networks together.
pub const MAX_STEPS: usize = 1 << 24;
/// The most digits of a number.
pub const MAX_DIGITS: usize = 1 << 15;
/// The most products of a weight and a number that a check takes on.
pub const MAX_WORK: u128 = 1 << 32;
/// The most bits that numbers may grow to.
pub const MAX_BITS: u64 = 1 << 20;
/// The finest grid of deviations, in bits.
pub const MAX_GRID: u32 = 4096;
/// The grid of deviations unless another is given, in bits.
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

impl std::fmt::Display for Claim {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::AtMost(loss) => write!(f, "at most {loss}"),
            Self::AtLeast(loss) => write!(f, "at least {loss}"),
        }
    }
}

/// A number that goes with a time (or a round) and a node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// When: a time, or a round for inputs.
    pub time: usize,
    /// Who.
    pub node: usize,
    /// How much.
    pub value: BigRational,
}

/// An amount that goes from one node to another along the mask that they share.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flow {
    /// From whom.
    pub from: usize,
    /// To whom.
    pub to: usize,
    /// How much, in units of Delta.
    pub amount: BigRational,
}

/// A number that goes with the mask of an edge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MaskEntry {
    /// In which round.
    pub round: usize,
    /// Who shares it; the smaller node, which adds it, first.
    pub edge: (usize, usize),
    /// How much.
    pub value: BigRational,
}

/// The alibis of one assignment of phases to the sources.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Alibis {
    /// For each input, the shifts of draws that are not heard at once.
    pub shifts: Vec<Vec<Entry>>,
    /// A dual vector; without it the sum of all absolute inner products counts.
    pub lambda: Option<Vec<BigRational>>,
}

/// What proves a claim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Proof {
    /// Fractions that absorb deviations: at most, for gradient descent with Lipschitz steps.
    Absorption {
        /// How much steps can stretch a deviation.
        lipschitz: Lipschitz,
        /// Deviations are rounded up to multiples of `2^-grid`.
        grid: u32,
        /// The fractions for each assignment of phases to the sources, or one choice for all.
        plans: Vec<Absorption>,
        /// What flows along masks: for each assignment, or once for all, in each round, or in all rounds alike. Empty for nothing.
        flows: Vec<Vec<Vec<Flow>>>,
    },
    /// What flows along masks, in each round (or in all rounds alike) for each source: at most, for masked protocols, whatever the losses are.
    Flows(Vec<Vec<Vec<Flow>>>),
    /// Draws that explain the inputs, for each assignment of phases to the sources: at most, for inputs that do not react.
    Alibis(Vec<Alibis>),
    /// A statistic of the view: at least, for inputs that do not react.
    Attack {
        /// Which inputs change, by at most 1 each; those of a source in the rounds of one phase.
        inputs: Vec<Entry>,
        /// Coefficients of messages, by time and sender.
        messages: Vec<Entry>,
        /// Coefficients of the observers' own draws.
        own_noise: Vec<Entry>,
        /// Coefficients of the masks that observers share.
        masks: Vec<MaskEntry>,
    },
}

/// A claim with its proof.
///
/// ```
/// use muffliato_certificate::{Certificate, Claim, Law, Proof, Refusal};
/// use muffliato_model::{Absorption, Lipschitz, Network, Observer, Protocol, WeightScheme, families};
///
/// let path = Network::try_new(families::path(3)?, WeightScheme::Metropolis)?;
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
    /// Which protocol.
    pub protocol: Protocol,
    /// Which noise it draws.
    pub noise: Law,
    /// Who observes.
    pub observer: Observer,
    /// Whose inputs are protected.
    pub sources: Vec<usize>,
    /// How much they lose.
    pub claim: Claim,
    /// Why.
    pub proof: Proof,
}

impl Certificate {
    /// `Ok` if the proof proves the claim; otherwise what is wrong with it.
    pub fn check(&self) -> Result<(), Refusal> {
        let proved = self.proved()?;
        let found = || format::decimal(&proved);
        match &self.claim {
            Claim::AtMost(loss) if !is_at_most(parts(&proved), parts(loss)) => {
                Err(Refusal::CostsMore { found: found() })
            }
            Claim::AtLeast(loss) if !is_at_most(parts(loss), parts(&proved)) => {
                Err(Refusal::Weaker { found: found() })
            }
            _ => Ok(()),
        }
    }

    /// The best number of its kind (at most, or at least) that the proof proves, whatever number is claimed; `Err` if it proves nothing.
    pub fn proved(&self) -> Result<BigRational, Refusal> {
        self.observer
            .check(self.protocol.nodes())
            .map_err(|error| Refusal::Question(error.to_string()))?;
        self.check_sources()?;
        self.noise.check()?;
        match (&self.claim, &self.proof) {
            (
                Claim::AtMost(_),
                Proof::Absorption {
                    lipschitz,
                    grid,
                    plans,
                    flows,
                },
            ) => self.proved_by_absorption(lipschitz, *grid, plans, flows),
            (Claim::AtMost(_), Proof::Flows(rounds)) => self.proved_by_flows(rounds),
            (Claim::AtMost(_), Proof::Alibis(_)) | (Claim::AtLeast(_), Proof::Attack { .. })
                if self.noise != Law::Gaussian =>
            {
                Err(Refusal::NotOnGrid)
            }
            (Claim::AtMost(_), Proof::Alibis(runs)) => self.proved_by_alibis(runs),
            (
                Claim::AtLeast(_),
                Proof::Attack {
                    inputs,
                    messages,
                    own_noise,
                    masks,
                },
            ) => self.proved_by_attack(inputs, messages, own_noise, masks),
            _ => Err(Refusal::WrongKind),
        }
    }

    /// The assignments of phases to the sources: a claim holds for all of them.
    fn participations(&self) -> impl ExactSizeIterator<Item = Participation> + Clone + use<> {
        self.protocol.participations(self.sources.len())
    }

    /// At least one source, increasing, each a node that does not observe.
    fn check_sources(&self) -> Result<(), Refusal> {
        let wrong = |what: String| Err(Refusal::Question(what));
        if self.sources.is_empty() {
            return wrong("no source is named".into());
        }
        for (place, &source) in self.sources.iter().enumerate() {
            if source >= self.protocol.nodes() || self.observer.contains(source) {
                return wrong(format!("source {source} is no node, or it observes"));
            }
            if place > 0 && self.sources[place - 1] >= source {
                return wrong("sources are not in increasing order".into());
            }
        }
        Ok(())
    }

    /// `Err` if `passes` passes through all steps are more than the checker takes on.
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
        let work = step
            .saturating_mul(protocol.steps() as u128)
            .saturating_mul(passes as u128);
        limited(work)
    }
}

/// `Err` if so many products are more than the checker takes on.
fn limited(work: u128) -> Result<(), Refusal> {
    match work > MAX_WORK {
        true => Err(Refusal::TooLarge { work }),
        false => Ok(()),
    }
}

/// The largest of some losses.
fn largest(losses: impl Iterator<Item = BigRational>) -> BigRational {
    losses.fold(BigRational::zero(), |most, loss| {
        match is_at_most(parts(&loss), parts(&most)) {
            true => most,
            false => loss,
        }
    })
}

/// `Err` unless as many are given as are needed.
fn count(what: &'static str, given: usize, expected: usize) -> Result<(), Refusal> {
    match given == expected {
        true => Ok(()),
        false => Err(Refusal::Count {
            what,
            given,
            expected,
        }),
    }
}

fn rational(fraction: Fraction) -> BigRational {
    BigRational::new(fraction.numerator().into(), fraction.denominator().into())
}

/// A fraction's numerator and its denominator, which is positive.
fn parts(fraction: &BigRational) -> (&BigInt, &BigInt) {
    (fraction.numer(), fraction.denom())
}

/// What `muffliato-proofs` proves; no part of the interface.
#[cfg(feature = "proofs")]
#[doc(hidden)]
pub mod cores {
    pub use crate::core::*;
    pub use crate::rounded::{Corrections, of_whole_amount};
}

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
