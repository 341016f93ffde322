//! The engines behind one trait, and which one answers.
//!
//! | method | where it is taken | what it gives |
//! | --- | --- | --- |
//! | exact ([`Exact`]) | where it takes moments, or on demand | fractions |
//! | Gram form ([`Fast`]) | noise is drawn at every step | certified ends, at any size |
//! | masks ([`Fast`]) | two nodes share a draw | certified upper ends, at any size and for any loss functions |
//! | multiprecision ([`Fast`]) | noise is drawn with the inputs only, within a budget of work | certified ends |
//! | one-shot, or the Gram form ([`Fast`]) | beyond the budget | estimates, with the ends that need no arithmetic |
//!
//! [`Choice::engine`] and [`Fast::method`] decide it; nobody else does.

mod exact;
mod fast;

pub use exact::Exact;
pub(crate) use fast::MOST_MASKED;
pub use fast::{Fast, Method};

use crate::{AccountError, Loss, Number};
use muffliato_fast::Progress;
use muffliato_model::{LossModel, Observer, Protocol};
use std::fmt;

/// Which engine is asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Choice {
    /// The exact one where that takes moments, else the fast one.
    #[default]
    Auto,
    /// Fractions; for small graphs.
    Exact,
    /// Certified floating point; for any size.
    Fast,
}

/// Up to so many nodes times steps times draws of noise at each node the exact engine is chosen.
const SMALL: usize = 600;

impl Choice {
    /// The engine that this choice means for a protocol: never [`Choice::Auto`].
    pub fn resolved(self, protocol: &Protocol) -> Self {
        let draws = match protocol.refresh() {
            Some(_) => protocol.steps(),
            None => protocol.rounds(),
        };
        // Each mask is a draw, too.
        let edges = protocol.masks().map_or(0, |masks| match masks.graph() {
            Some(graph) => graph.edge_count(),
            None => protocol.graph().map_or(0, |graph| graph.edge_count()),
        });
        let size = (protocol.nodes() + edges).saturating_mul(protocol.steps());
        match self {
            Self::Auto if size.saturating_mul(draws) <= SMALL => Self::Exact,
            Self::Auto => Self::Fast,
            chosen => chosen,
        }
    }

    /// The engine itself. `observers` is how many views it will be asked for, which share its budget of work; `memory` is
    /// the most bytes that a view may take.
    pub fn engine<'a>(
        self,
        protocol: &'a Protocol,
        observers: usize,
        memory: u128,
    ) -> Result<Box<dyn Engine + 'a>, AccountError> {
        Ok(match self.resolved(protocol) {
            Self::Exact => Box::new(Exact::of(protocol)?),
            _ => Box::new(Fast::of(protocol, observers, memory)?),
        })
    }
}

impl fmt::Display for Choice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Auto => "auto",
            Self::Exact => "reference",
            Self::Fast => "fast",
        })
    }
}

/// A closed form about the loss of sources towards an observer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Formula {
    /// Theorem 1 of the paper and its forms for coalitions and groups: refuted.
    Theorem1,
    /// Corollary 1 of the paper: refuted.
    Corollary1,
    /// The bound of the main text for gradient descent: refuted.
    DescentMainText,
    /// The bound of the appendix for gradient descent, as printed: refuted.
    DescentAppendix,
    /// The same with exponent K in place of K - 1: refuted.
    DescentAppendixFull,
    /// The first-passage bound for refreshed averaging, at most 1: proved.
    FirstPassage,
    /// The walk bound for refreshed averaging, at most 1: proved.
    RefreshedWalk,
    /// The bound for masked protocols, for any loss functions: proved.
    Masked,
}

/// What one observer sees, and what the sets of sources that were asked about lose to it.
#[derive(Clone, Debug, PartialEq)]
pub struct Seen {
    /// The messages that it receives, T_v.
    pub messages: usize,
    /// The rank of what it sees (messages and own draws), where it is proved.
    pub rank: Option<usize>,
    /// The losses, in the order of the sets.
    pub losses: Vec<Loss>,
}

/// What an engine answers about one protocol. Sets of sources are sorted, distinct and not empty; none of them observes.
///
/// ```
/// use muffliato_account::{Choice, Formula};
/// use muffliato_model::{Network, Observer, Protocol};
///
/// let protocol = Protocol::one_shot(Network::metropolis("path:3".parse()?)?, 2)?;
/// for choice in [Choice::Exact, Choice::Fast] {
///     let engine = choice.engine(&protocol, 1, 1 << 32)?;
///     let seen = engine.losses(&Observer::full(2), &[&[0], &[1]], &())?;
///     assert_eq!((seen.messages, seen.rank, seen.losses[0].upper()), (2, Some(3), 1.0));
///     let promised = engine.formula(Formula::Theorem1, &Observer::full(2), &[&[0]], &())?;
///     assert!(promised[0].as_ref().unwrap().upper() < 0.334);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Engine: Send + Sync {
    /// Which engine it is.
    fn choice(&self) -> Choice;

    /// The protocol it answers about.
    fn protocol(&self) -> &Protocol;

    /// How much the observer sees, and what each set of sources loses to it.
    fn losses(
        &self,
        observer: &Observer,
        sets: &[&[usize]],
        progress: &dyn Progress,
    ) -> Result<Seen, AccountError>;

    /// A closed form for each set, `None` where it is not defined (for groups, for observers without a neighbour); an error
    /// if it is not about such a protocol.
    fn formula(
        &self,
        formula: Formula,
        observer: &Observer,
        sets: &[&[usize]],
        progress: &dyn Progress,
    ) -> Result<Vec<Option<Number>>, AccountError>;

    /// The paper's mean loss towards an observer: `(1/n)` times the sum of Theorem 1 over the sources.
    fn mean_loss(
        &self,
        observer: &Observer,
        progress: &dyn Progress,
    ) -> Result<Number, AccountError>;

    /// The expected error of the output if all inputs are 0, in units of sigma^2: what of the noise is left.
    fn noise_error(&self, progress: &dyn Progress) -> Result<Number, AccountError>;

    /// About how many multiplications the view of an observer takes.
    fn work(&self, observer: &Observer) -> Result<f64, AccountError>;

    /// What is proved about each set by closed forms alone, for any loss functions: the number of its inputs (local
    /// differential privacy), or less.
    fn proved(
        &self,
        observer: &Observer,
        sets: &[&[usize]],
        progress: &dyn Progress,
    ) -> Result<Vec<Loss>, AccountError> {
        let protocol = self.protocol();
        let closed = match protocol.refresh().is_some() && protocol.rounds() == 1 {
            true if protocol.acceleration().is_none() => {
                self.formula(Formula::FirstPassage, observer, sets, progress)?
            }
            _ => vec![None; sets.len()],
        };
        let masked = match protocol.masks() {
            Some(_) => self.formula(Formula::Masked, observer, sets, progress)?,
            None => vec![None; sets.len()],
        };
        let proved = sets
            .iter()
            .zip(closed)
            .zip(masked)
            .map(|((set, closed), masked)| {
                let inputs = (set.len() * protocol.rounds()) as f64;
                let closed = closed.into_iter().chain(masked);
                let upper = closed.map(|closed| closed.upper()).fold(inputs, f64::min);
                Loss::between(0.0, upper, LossModel::SingleInput)
            });
        Ok(proved.collect())
    }
}
