//! Certified losses if noise is drawn with the inputs only, with as many digits as needed.
//!
//! Gram-Schmidt on the observed rows in fixed point, in which each stored vector knows its distance
//! from an exact vector of the row space (`space`), then a check in integers that turns the basis
//! into losses (`projection`). If a decision is unclear, everything is repeated with twice the
//! digits; eventually each one is clear, because the weights are rational. Nothing is shared with
//! the reference, neither code nor integers. All modules are trusted, except that the coefficients
//! chosen by Gram-Schmidt may be arbitrary.
//!
//! # Several rounds
//!
//! In gradient descent a row extends over the draws of all rounds so far. Which messages are new is
//! decided round by round, by averaging on the network of the round alone. Let `phi(p) = p^T y` be
//! the row of the combination p of the states at the beginning of a round. Its messages are
//! `phi(W^k e_w)` (or the same polynomials of the Chebyshev recursion), whatever the earlier rounds
//! and the reactions are.
//!
//! - If `W^k e_w` is a combination of earlier such vectors and of unit vectors `e_v` of observers
//!   who know their draws, the message is not new: phi is linear, and these observers know their
//!   own state, `phi(e_v)`.
//! - Otherwise it is new: on the draws of its own round, where the rows of earlier rounds vanish,
//!   its row is `W^k e_w`.
//!
//! The rank of the view is thus the sum of the ranks of averaging on each network, and dependence
//! is never searched for among the long rows.

mod basis;
mod gossip;
mod limits;
mod messages;
mod projection;
mod space;
mod vector;

pub use limits::MultiprecisionLimits;

use crate::{Enclosure, FastError, Loss, Progress, checks, gram, reach};
use basis::{Basis, Task};
use messages::News;
use muffliato_model::{LossModel, Observer, Protocol};
use projection::Projection;

/// Proved losses of all sources to one observer, in multiprecision.
///
/// For protocols that draw noise with their inputs only: averaging with one-shot noise, and
/// gradient descent with any number of gossip steps per round, reacting or not, accelerated or not,
/// on any networks. For fresh noise at every step [`GramView`](crate::GramView) certifies at a
/// fraction of the cost.
///
/// ```
/// use muffliato_fast::{CertifiedView, MultiprecisionLimits};
/// use muffliato_model::{Network, Observer, Protocol};
///
/// let network = Network::metropolis("path:5".parse()?)?;
/// let protocol = Protocol::gradient_descent(network, 2, 2)?;
/// let view = CertifiedView::of(&protocol, &Observer::full(0), &MultiprecisionLimits::default())?;
/// let certified = view.losses()[3].expect("3 does not observe").scalars.certified;
/// assert!(certified.contains(203.0 / 3524.0) && certified.upper() - certified.lower() < 1e-12);
/// assert_eq!(view.rank(), 6); // four messages and two draws of its own
/// assert!(view.losses()[0].is_none());
/// assert!(view.precision() >= 53); // bits
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct CertifiedView {
    observer: Observer,
    model: LossModel,
    rounds: usize,
    protocol: Protocol,
    /// One for each node; exact if nothing has to be computed.
    ends: Vec<Enclosure>,
    /// Whether nodes share masks: then knowing all states is not knowing all inputs.
    masked: bool,
    known_masks: usize,
    projection: Projection,
    precision: usize,
    losses: Vec<Option<Loss>>,
}

impl CertifiedView {
    /// Encloses the losses of all sources to `observer` and proves the rank of its view. With one
    /// input per node each enclosure is at most `1e-12` wide; with k inputs it sums `k^2` numbers
    /// of that width.
    ///
    /// # Errors
    /// [`FastError::NotApplicable`] for fresh noise, or masks in several rounds;
    /// [`FastError::TooMuchWork`] or [`FastError::TooMuchMemory`] beyond the limits.
    pub fn of(
        protocol: &Protocol,
        observer: &Observer,
        limits: &MultiprecisionLimits,
    ) -> Result<Self, FastError> {
        Self::watched(protocol, observer, limits, &())
    }

    /// Encloses the losses as [`CertifiedView::of`] does; `progress` receives the number of gossip
    /// steps done, restarting when more digits are needed and after each round alone.
    pub fn watched(
        protocol: &Protocol,
        observer: &Observer,
        limits: &MultiprecisionLimits,
        progress: &dyn Progress,
    ) -> Result<Self, FastError> {
        let formula = "leakage in multiprecision";
        let reason = "noise is refreshed at every step; use GramView";
        checks::applies(!protocol.is_refreshed(), formula, reason)?;
        protocol.uniform()?;
        let fits = protocol.masks().is_none() || protocol.rounds() == 1;
        let reason =
            "two nodes share masks in several rounds; use MaskedBounds, which hold for any losses";
        checks::applies(fits, formula, reason)?;
        let task = Task { observer, limits, progress };
        let basis = match protocol.rounds() {
            1 => task.of_one_round(protocol)?,
            rounds => {
                let different = match protocol.fixed_network() {
                    Some(_) => 1,
                    None => rounds,
                };
                let news = (0..different).map(|round| {
                    let network = protocol.round_network(round);
                    let network = network.ok_or(FastError::NotApplicable {
                        formula,
                        reason: "the network changes within a round; give each round one network",
                    })?;
                    let round = Protocol::one_shot(network.clone(), protocol.gossip_steps())?;
                    Ok(task.of_one_round(&round)?.news)
                });
                let news = news.collect::<Result<Vec<News>, FastError>>()?;
                task.of_rounds(protocol, &news)?
            }
        };
        Ok(Self::read_off(protocol, observer, basis))
    }

    fn read_off(protocol: &Protocol, observer: &Observer, basis: Basis) -> Self {
        let mut view = Self {
            observer: observer.clone(),
            model: protocol.loss_model(),
            rounds: protocol.rounds(),
            protocol: protocol.clone(),
            ends: reach::certain_ends(protocol, observer),
            masked: protocol.masks().is_some(),
            known_masks: basis.known_masks,
            projection: basis.projection,
            precision: basis.precision,
            losses: Vec::new(),
        };
        let sources = 0..protocol.nodes();
        view.losses =
            sources.map(|u| (!observer.contains(u)).then(|| view.loss_of(&[u]))).collect();
        view
    }

    /// Computes the loss of distinct sources that do not observe.
    fn loss_of(&self, sources: &[usize]) -> Loss {
        let nodes = self.ends.len();
        let heard = |&&source: &&usize| self.ends[source].upper() > 0.0;
        let heard: Vec<usize> = sources.iter().filter(heard).copied().collect();
        if self.projection.rank() == nodes * self.rounds && !self.masked {
            let used = self.protocol.rounds_of_phase(0).count();
            return Loss::exactly((heard.len() * used) as f64, self.model);
        }
        match heard[..] {
            [] => Loss::exactly(0.0, self.model),
            [source] if self.ends[source].lower() > 0.0 => {
                Loss::exactly(self.ends[source].lower(), self.model)
            }
            _ => Loss::of_group(&self.protocol, heard.len(), |participation| {
                let inputs = participation.inputs();
                let draws = inputs.map(|(round, member)| round * nodes + heard[member]);
                self.projection.loss(&draws.collect::<Vec<_>>(), self.model)
            }),
        }
    }

    /// Returns the loss of every node; `None` for the observers.
    pub fn losses(&self) -> &[Option<Loss>] {
        &self.losses
    }

    /// Computes the loss of all inputs of a group of users together. Duplicates count once.
    ///
    /// # Errors
    /// For an empty group, a source that observes, or one that is not a node.
    pub fn group_loss(&self, sources: &[usize]) -> Result<Loss, FastError> {
        let distinct = checks::sources(sources, self.ends.len(), &self.observer)?;
        gram::check_memory(distinct.len() * self.rounds, 0)?;
        Ok(self.loss_of(&distinct))
    }

    /// Returns the proved rank of the view (messages and known draws).
    pub fn rank(&self) -> usize {
        self.projection.rank() + self.known_masks
    }

    /// Returns the number of bits after the binary point that were needed.
    pub fn precision(&self) -> usize {
        self.precision
    }
}
