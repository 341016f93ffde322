//! The engines behind one trait, and the choice between them.
//!
//! | method | used for | result |
//! | --- | --- | --- |
//! | exact ([`Exact`]) | small protocols; others that draw noise with the inputs only, within a budget of work | fractions |
//! | Gram form ([`Fast`]) | noise is drawn at every step | certified ends, at any size |
//! | cheapest alibis ([`Fast`]) | averaging with noise at every step, where they take less work: long runs, hubs | certified ends |
//! | masks ([`Fast`]) | two nodes share a draw | certified upper ends, at any size and for any loss functions; averaging as below within the budgets |
//! | on a grid | noise is drawn on one ([`Account::noise`](crate::AccountBuilder::noise)) | closed forms with their corrections |
//! | for every schedule | random schedules ([`Account::of_every`](crate::Account::of_every)) | the smallest bound that holds for all of them |
//! | sums of messages | secure summation | fractions for small protocols, the Gram form with noise at every step, otherwise upper ends of the view of all messages |
//! | multiprecision ([`Fast`]) | noise is drawn with the inputs only, within a budget of work | certified ends |
//! | one-shot, or the Gram form ([`Fast`]) | beyond the budgets | estimates, with the ends that need no arithmetic; one-shot: certified lower ends by attacks |
//!
//! Only [`Choice::engine`] and [`Fast::method`] choose, by estimates of the cost. A method that
//! gives up is followed by the next one in the table.

pub(crate) mod bounds;
pub(crate) mod budgets;
mod closed;
mod exact;
mod fast;
mod formulas;
mod one_shot;
mod sums;

pub(crate) use bounds::{
    EverySchedule, OnGrid, Proved, ROUNDINGS, absorbs_on_grid, absorption::absorbed, local_loss,
};
pub(crate) use budgets::MOST_MASKED;
pub(crate) use closed::ClosedForms;
pub use exact::Exact;
pub(crate) use exact::{Accepted, Assignment, equations, forms, loss, proved};
pub use fast::{Fast, Method};
pub(crate) use sums::Sums;

use self::budgets::{EXACT_WORK, FORMULA_WORK, SMALL, is_within};
use crate::{AccountError, Loss, Number};
use muffliato_fast::{FastError, Progress};
use muffliato_model::{Observer, Protocol};

/// The choice of an engine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Choice {
    /// The exact engine if it takes at most seconds, otherwise the fast one.
    #[default]
    Auto,
    /// Fractions, for small graphs.
    Exact,
    /// Certified floating point, for any size.
    Fast,
}

impl Choice {
    /// Creates the engine for a protocol. `observers` views share its budget of work, and each
    /// takes at most `memory` bytes.
    ///
    /// # Errors
    ///
    /// Fails if the engine refuses the protocol.
    pub fn engine<'a>(
        self,
        protocol: &'a Protocol,
        observers: usize,
        memory: u128,
    ) -> Result<Box<dyn Engine + 'a>, AccountError> {
        let draws = if protocol.is_refreshed() { protocol.steps() } else { protocol.rounds() };
        // Each mask is a draw.
        let edges = protocol.masks().map_or(0, |masks| match masks.graph() {
            Some(graph) => graph.edge_count(),
            None => protocol.graph().map_or(0, |graph| graph.edge_count()),
        });
        let size = (protocol.nodes() + edges).saturating_mul(protocol.steps());
        let small = size.saturating_mul(draws) <= SMALL;
        let work = EXACT_WORK / observers.max(1) as u128;
        let exact_within = match Fast::method(protocol) {
            _ if small => Some(u128::MAX),
            Method::Multiprecision if is_within(EXACT_WORK, protocol) => Some(work),
            _ => None,
        };
        Ok(match (self, exact_within) {
            (Self::Exact, _) => Box::new(Exact::of(protocol, u128::MAX)?),
            (Self::Auto, Some(work)) => Box::new(ExactFirst {
                exact: Exact::of(protocol, work)?,
                fast: Fast::of(protocol, observers, memory)?,
                small,
            }),
            _ => Box::new(Fast::of(protocol, observers, memory)?),
        })
    }
}

/// The exact engine within a budget of work, and the fast engine for the rest.
struct ExactFirst<'a> {
    exact: Exact<'a>,
    fast: Fast<'a>,
    /// `true` if short formulas are exact too.
    small: bool,
}

impl Engine for ExactFirst<'_> {
    fn name(&self) -> &'static str {
        if self.small { "reference" } else { "reference, fast beyond its budget" }
    }

    fn protocol(&self) -> &Protocol {
        self.fast.protocol()
    }

    fn losses(&self, asked: Asked<'_>) -> Result<ViewLosses, AccountError> {
        match self.exact.losses(asked) {
            Err(AccountError::Refused(_) | AccountError::Fast(FastError::TooMuchWork { .. })) => {
                self.fast.losses(asked)
            }
            found => found,
        }
    }

    fn formula(&self, formula: Formula, asked: Asked<'_>) -> Result<Closed, AccountError> {
        let exact = match formula {
            Formula::Theorem1 if self.small => {
                self.exact.averaging()?.work(asked.observer)? <= FORMULA_WORK
            }
            _ => self.small,
        };
        if exact { self.exact.formula(formula, asked) } else { self.fast.formula(formula, asked) }
    }
}

/// A closed form for the loss of sources to an observer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Formula {
    /// Theorem 1 of the paper, also for coalitions and groups (refuted).
    Theorem1,
    /// Corollary 1 of the paper (refuted).
    Corollary1,
    /// The first-passage bound for refreshed averaging, at most 1 (proved).
    FirstPassage,
    /// The bound for masked protocols, for any loss functions and groups (proved).
    Masked,
}

/// The view of one observer, and the losses of sets of sources to it.
#[derive(Clone, Debug, PartialEq)]
pub struct ViewLosses {
    /// The number of received messages, T_v.
    pub messages: usize,
    /// The rank of the view (messages and own draws), if the engine found it. No loss depends on
    /// it.
    pub rank: Option<usize>,
    /// The losses, in the order of the sets.
    pub losses: Vec<Loss>,
}

/// A query to an engine.
#[derive(Clone, Copy)]
pub struct Asked<'a> {
    /// The observer.
    pub observer: &'a Observer,
    /// Sets of sources, each sorted, distinct, not empty and without observers.
    pub sets: &'a [&'a [usize]],
    /// Receives progress reports.
    pub progress: &'a dyn Progress,
}

impl<'a> Asked<'a> {
    /// Creates a query about the losses of these sets to an observer.
    pub fn new(
        observer: &'a Observer,
        sets: &'a [&'a [usize]],
        progress: &'a dyn Progress,
    ) -> Self {
        Self { observer, sets, progress }
    }

    /// Returns `true` if every set is a single source.
    fn are_single(&self) -> bool {
        self.sets.iter().all(|set| set.len() == 1)
    }

    /// Applies a function to each set.
    fn each<T>(&self, of: impl Fn(&[usize]) -> Result<T, FastError>) -> Result<Vec<T>, FastError> {
        self.sets.iter().map(|set| of(set)).collect()
    }
}

/// A closed form for each set; `None` where it is not defined.
pub type Closed = Vec<Option<Number>>;

/// An engine that computes losses of one protocol.
///
/// ```
/// use muffliato_account::{Asked, Choice, Formula};
/// use muffliato_model::{Network, Observer, Protocol};
///
/// let protocol = Protocol::one_shot(Network::metropolis("path:3".parse()?)?, 2)?;
/// for choice in [Choice::Exact, Choice::Fast] {
///     let engine = choice.engine(&protocol, 1, 1 << 32)?;
///     let seen = engine.losses(Asked::new(&Observer::full(2), &[&[0], &[1]], &()))?;
///     assert_eq!((seen.messages, seen.rank, seen.losses[0].upper()), (2, Some(3), 1.0));
///     let claimed = engine.formula(Formula::Theorem1, Asked::new(&Observer::full(2), &[&[0]], &()))?;
///     assert!(claimed[0].as_ref().unwrap().upper() < 0.334);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Engine: Send + Sync {
    /// Returns the name of the engine.
    fn name(&self) -> &'static str;

    /// Returns the protocol.
    fn protocol(&self) -> &Protocol;

    /// Computes the loss of each set.
    ///
    /// # Errors
    ///
    /// Fails if a node is outside the graph, a source observes, or the engine refuses.
    fn losses(&self, asked: Asked<'_>) -> Result<ViewLosses, AccountError>;

    /// Computes a closed form.
    ///
    /// # Errors
    ///
    /// Fails if the formula does not apply to the protocol.
    fn formula(&self, formula: Formula, asked: Asked<'_>) -> Result<Closed, AccountError>;

    /// Computes closed-form bounds for any loss functions: at most the local loss (local
    /// differential privacy).
    ///
    /// # Errors
    ///
    /// Those of [`Engine::formula`].
    fn proved(&self, asked: Asked<'_>) -> Result<Vec<Loss>, AccountError> {
        let protocol = self.protocol();
        let none = || Ok(vec![None; asked.sets.len()]);
        let refreshed = protocol.is_refreshed() && protocol.rounds() == 1;
        let uniform = protocol.uniform().is_ok();
        let passage = if refreshed && protocol.acceleration().is_none() && uniform {
            self.formula(Formula::FirstPassage, asked)?
        } else {
            none()?
        };
        let masked = match protocol.masks() {
            Some(_) => self.formula(Formula::Masked, asked),
            None => none(),
        }?;
        let found = asked.sets.iter().zip(passage).zip(masked);
        let proved = found.map(|((set, passage), masked)| {
            let closed = passage.iter().chain(&masked).map(Proved::of);
            bounds::smallest(protocol, set, closed)
        });
        Ok(proved.collect())
    }
}
