//! Certified losses where noise is drawn with the inputs only, with as many digits as it takes.
//!
//! Gram-Schmidt on the observed rows in fixed point, in which each stored vector knows its distance from
//! an exact vector of the row space (`space`), then a check in whole numbers that turns the basis into
//! losses (`projection`). Where a decision is unclear, everything is done again with twice the digits;
//! in the end each one is clear, because the weights are rational. Nothing is shared with the reference,
//! neither code nor integers.
//!
//! # Several rounds
//!
//! In gradient descent a row stretches over the draws of all rounds so far. Which of the messages are new is decided
//! round by round, by averaging on the network of the round alone. Let `phi(p) = p^T y` be the row of the combination p of
//! the states at the beginning of a round. Its messages are `phi(W^k e_w)` (or the same polynomials of the Chebyshev
//! recursion), whatever the rounds before were, and whatever the reactions are.
//!
//! - If `W^k e_w` is a combination of such vectors that come before it and of unit vectors `e_v` of observers who know their draws, the
//!   message is nothing new: phi is linear, and these observers know their own state, `phi(e_v)`.
//! - Otherwise it is new: on the draws of its own round, where the rows of earlier rounds vanish, its row is `W^k e_w`.
//!
//! So the rank of the view is the sum of the ranks of averaging on each network, and dependence is never looked for among the long rows.

mod basis;
mod denominators;
mod gossip;
mod limits;
mod masks;
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

/// Proved losses of all sources towards one observer, in multiprecision.
///
/// For protocols that draw noise with their inputs only: averaging with noise that is drawn once, and gradient
/// descent, with any number of gossip steps a round, reacting or not, accelerated or not, on any networks. For fresh noise at
/// every step [`GramView`](crate::GramView) certifies at a fraction of the cost.
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
    /// One for each node: where nothing has to be computed, exact.
    ends: Vec<Enclosure>,
    /// Whether nodes share masks: then those who know all states do not know all inputs.
    masked: bool,
    known_masks: usize,
    projection: Projection,
    precision: usize,
    losses: Vec<Option<Loss>>,
}

impl CertifiedView {
    /// Encloses the losses of all sources towards `observer` and proves the rank of what is observed. With one
    /// input a node each enclosure is at most `1e-12` wide; with k inputs it sums `k^2` numbers of that width.
    ///
    /// A protocol with fresh noise, or with masks in several rounds, is refused with [`FastError::NotApplicable`]; one that takes more digits
    /// than the limits allow with [`FastError::TooMuchWork`] or [`FastError::TooMuchMemory`].
    pub fn of(
        protocol: &Protocol,
        observer: &Observer,
        limits: &MultiprecisionLimits,
    ) -> Result<Self, FastError> {
        Self::watched(protocol, observer, limits, &())
    }

    /// The same; `progress` is told the number of gossip steps that are done, again where more digits are needed, and after each
    /// round by itself.
    pub fn watched(
        protocol: &Protocol,
        observer: &Observer,
        limits: &MultiprecisionLimits,
        progress: &dyn Progress,
    ) -> Result<Self, FastError> {
        let formula = "leakage in multiprecision";
        let reason = "noise is refreshed at every step; use GramView";
        checks::applies(protocol.refresh().is_none(), formula, reason)?;
        let fits = protocol.masks().is_none() || protocol.rounds() == 1;
        let reason =
            "two nodes share masks in several rounds; use MaskedBounds, which hold for any losses";
        checks::applies(fits, formula, reason)?;
        let task = Task {
            observer,
            limits,
            progress,
        };
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
        view.losses = sources
            .map(|u| (!observer.contains(u)).then(|| view.loss_of(&[u])))
            .collect();
        view
    }

    /// The loss of distinct sources that do not observe.
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

    /// The loss of every node; `None` for the observers themselves.
    pub fn losses(&self) -> &[Option<Loss>] {
        &self.losses
    }

    /// The loss of all inputs of `sources` together: a group of users. Sources are counted once; an
    /// empty group loses nothing. A source that observes or is not a node is an error.
    pub fn group_loss(&self, sources: &[usize]) -> Result<Loss, FastError> {
        let distinct = checks::sources(sources, self.ends.len(), &self.observer)?;
        gram::check_memory(distinct.len() * self.rounds, 0)?;
        Ok(self.loss_of(&distinct))
    }

    /// The rank of what is observed (messages and known draws): proved.
    pub fn rank(&self) -> usize {
        self.projection.rank() + self.known_masks
    }

    /// How many bits after the binary point it took.
    pub fn precision(&self) -> usize {
        self.precision
    }
}
