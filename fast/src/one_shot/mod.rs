//! Leakage of one-shot protocols: noise is added once, at time 0.
//!
//! ```text
//! leakage(u -> v) = || Pi e_u ||^2,   Pi the projector onto the row space of what v observes
//! ```
//!
//! [`OneShot::towards`] finds an orthonormal basis of that space in floating point. The observed
//! rows are nearly dependent, so the result is an **estimate**: certified are only 0 for sources
//! that cannot be heard, 1 for those heard directly, and [0, 1] otherwise; the pivots tell how
//! clear the rank decisions were. [`OneShot::attacked`] adds certified **lower** ends, at the same
//! sizes: it recomputes the strength of the attacks that the basis represents with directed
//! rounding (`attacks`, the only trusted module). [`CertifiedView`](crate::CertifiedView) uses as
//! many digits as needed to **prove** the rank and enclose every leakage, for up to some hundreds
//! of messages.
//!
//! | schedule | row space in floating point | cost for n nodes, m messages |
//! | --- | --- | --- |
//! | fixed network, plain or accelerated | block Krylov space, one pass over it for each step | `n m^2` multiply-adds, `8 n m` bytes (n: nodes within distance T) |
//! | changing networks, edge sequences | backwards, orthonormalised at each step | up to `T` times that, 3 times the bytes |

mod attacks;
mod backward;
mod ball;
mod basis;
mod krylov;

pub use basis::Pivots;

use crate::{
    Approximation, Enclosure, FastError, Loss, Progress, checks, memory, progress::Watcher, reach,
    steps::Steps,
};
use backward::Changing;
use ball::Ball;
use krylov::Krylov;
use muffliato_model::{Observer, Protocol, Schedule};

/// Resources of a floating-point computation, and its rank threshold.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OneShotOptions {
    /// A direction is new if a unit vector of the space contributes at least this much of it in one
    /// gossip step; between 0 and 1.
    pub threshold: f64,
    /// Maximum number of bytes of all bases in progress.
    pub memory_limit: u128,
}

impl Default for OneShotOptions {
    /// A threshold of `1e-9`, between rounding noise and meaningful pivots, and [`memory::limit`].
    fn default() -> Self {
        Self { threshold: 1e-9, memory_limit: memory::limit() }
    }
}

/// A one-shot protocol prepared for leakage estimates.
///
/// ```
/// use muffliato_fast::{OneShot, OneShotOptions};
/// use muffliato_model::{Network, Observer, Protocol};
///
/// let network = Network::metropolis("hypercube:4".parse()?)?;
/// let protocol = Protocol::one_shot(network, 4)?;
/// let one_shot = OneShot::try_new(&protocol, OneShotOptions::default())?;
/// let view = one_shot.towards(&Observer::full(0))?;
/// let estimate = |u: usize| view.losses()[u].expect("0 alone observes").scalars.estimate;
/// // More distance is not more privacy: 1, 2/3, 1, 1 at distances 1 to 4.
/// assert!((estimate(0b0011) - 2.0 / 3.0).abs() < 1e-12);
/// assert!((estimate(0b0111) - 1.0).abs() < 1e-12);
/// assert_eq!(one_shot.towards(&Observer::full(5))?.rank(), view.rank());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct OneShot<'a> {
    protocol: &'a Protocol,
    options: OneShotOptions,
    steps: Steps,
    watcher: Watcher<'a>,
}

/// The leakage of every source to one observer of a one-shot protocol, in floating point.
///
/// ```
/// use muffliato_fast::{OneShot, OneShotOptions};
/// use muffliato_model::{Network, Observer, Protocol};
///
/// let network = Network::metropolis("path:3".parse()?)?;
/// let protocol = Protocol::one_shot(network, 2)?;
/// let view = OneShot::try_new(&protocol, OneShotOptions::default())?.towards(&Observer::full(0))?;
/// assert_eq!(view.rank(), 3);
/// assert!((view.losses()[2].unwrap().scalars.estimate - 1.0).abs() < 1e-12);
/// assert!(view.losses()[0].is_none()); // it observes
/// // Node 1 contributes W_12 = 1/3 of node 2 in one step.
/// let smallest = view.pivots().smallest_accepted.unwrap();
/// assert!((smallest - 1.0 / 3.0).abs() < 1e-12);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct OneShotView {
    losses: Vec<Option<Loss>>,
    rank: usize,
    pivots: Pivots,
}

impl<'a> OneShot<'a> {
    /// Prepares a protocol. Errors if it has several rounds, masks or fresh noise, or if the
    /// threshold is not between 0 and 1.
    pub fn try_new(protocol: &'a Protocol, options: OneShotOptions) -> Result<Self, FastError> {
        let applies = |holds, reason| checks::applies(holds, "one-shot leakage", reason);
        let reason = "inputs enter in several rounds; use CertifiedView, or GramView";
        applies(protocol.rounds() == 1, reason)?;
        let reason = "noise is refreshed at every step; use the leakage of refreshed protocols";
        applies(!protocol.is_refreshed(), reason)?;
        let reason = "two nodes share a mask; use GramView";
        applies(protocol.masks().is_none(), reason)?;
        protocol.uniform()?;
        let (threshold, expected) =
            (options.threshold, "it must lie between 0 and 1, such as 1e-9");
        let inside = threshold > 0.0 && threshold < 1.0;
        checks::require(inside, "threshold", threshold, expected)?;
        Ok(Self { protocol, options, steps: Steps::of(protocol)?, watcher: Watcher::default() })
    }

    /// Sets the receiver of progress reports.
    pub fn watched(mut self, progress: &'a dyn Progress) -> Self {
        self.watcher = Watcher(progress);
        self
    }

    /// Estimates the leakage of every source to `observer`, with the certified ends that need no
    /// arithmetic.
    pub fn towards(&self, observer: &Observer) -> Result<OneShotView, FastError> {
        self.check(observer, 1)?;
        self.view(observer, false)
    }

    /// Estimates the leakage with certified lower ends: the strength of an attack on each source,
    /// recomputed with directed rounding. It takes about twice the time and memory of
    /// [`OneShot::towards`], and as many passes through the protocol as there are messages.
    pub fn attacked(&self, observer: &Observer) -> Result<OneShotView, FastError> {
        self.check(observer, 2)?;
        self.view(observer, true)
    }

    /// Errors if the observer is not part of the protocol, or `at_once` such bases do not fit into
    /// memory.
    fn check(&self, observer: &Observer, at_once: usize) -> Result<(), FastError> {
        checks::single_messages(observer, "the one-shot view")?;
        let bytes = self.bytes(observer)?.saturating_mul(at_once as u128);
        let remedy = "take fewer steps, or an observer with fewer neighbours";
        memory::check_within(bytes, self.options.memory_limit, remedy)
    }

    /// Bounds the bytes of this observer's basis; with carried coefficients, less than twice as
    /// many.
    fn bytes(&self, observer: &Observer) -> Result<u128, FastError> {
        let messages = self.protocol.messages_to(observer)? as u128;
        let (rows, copies) = match self.protocol.schedule() {
            Schedule::Fixed(network) => {
                let distances = network.graph().distances_from_any(observer.members());
                let near = |distance: &&Option<usize>| {
                    distance.is_some_and(|distance| distance <= self.protocol.steps())
                };
                (distances.iter().filter(near).count() as u128, 1)
            }
            _ if self.protocol.acceleration().is_some() => (2 * self.protocol.nodes() as u128, 3),
            _ => (self.protocol.nodes() as u128, 3),
        };
        let columns = rows.min(messages + observer.members().len() as u128);
        Ok(8 * copies * rows * (columns + 64))
    }

    /// Computes the view of a checked observer, with the lower ends of attacks if requested.
    fn view(&self, observer: &Observer, attacked: bool) -> Result<OneShotView, FastError> {
        let going = &|| self.watcher.0.check(0, 1);
        let nodes = self.protocol.nodes();
        let threshold = self.options.threshold;
        let mut ends = reach::certain_ends(self.protocol, observer);
        let (rows, (basis, pivots), lower) = if let Some(weights) = self.steps.fixed() {
            let (members, steps) = (observer.members(), self.protocol.steps());
            let ball = Ball::around(members, steps, weights);
            let first = if observer.knows_own_noise() { 0 } else { members.len() };
            let krylov =
                Krylov { generators: (first..ball.within(1)).collect(), ball, weights, steps };
            let found = krylov.basis(attacked, threshold, going)?;
            let lower = attacked.then(|| attacks::lower_ends(&found.0, &krylov, going));
            (krylov.ball.nodes().to_vec(), found, lower)
        } else {
            let changing = Changing::of(&self.steps, observer);
            let found = changing.basis(attacked, threshold, going)?;
            let lower = attacked.then(|| attacks::lower_ends(&found.0, &changing, going));
            ((0..nodes as u32).collect(), found, lower)
        };
        let mut squares = vec![0.0; nodes];
        for (&node, square) in rows.iter().zip(basis.squared_rows()) {
            squares[node as usize] = square;
        }
        for (&node, lower) in rows.iter().zip(lower.transpose()?.unwrap_or_default()) {
            raise(&mut ends[node as usize], lower);
        }
        let model = self.protocol.loss_model();
        let known = ends.into_iter().zip(squares).enumerate();
        Ok(OneShotView {
            losses: known
                .map(|(u, (certified, square))| {
                    let leakage = Approximation {
                        estimate: square.max(certified.lower()).min(certified.upper()),
                        certified,
                    };
                    (!observer.contains(u)).then(|| Loss::of_one_input(leakage, model))
                })
                .collect(),
            rank: basis.columns(),
            pivots,
        })
    }
}

/// Raises the lower end to at least `lower`.
fn raise(ends: &mut Enclosure, lower: f64) {
    let lower = lower.max(ends.lower()).min(ends.upper());
    *ends = Enclosure::try_new(lower, ends.upper()).unwrap_or(*ends);
}

impl OneShotView {
    /// Returns the loss of every node; `None` for the observers.
    pub fn losses(&self) -> &[Option<Loss>] {
        &self.losses
    }

    /// Returns the estimated rank of the view (messages and known draws).
    pub fn rank(&self) -> usize {
        self.rank
    }

    /// Returns the pivots. The estimate is reliable if the smallest accepted pivot is many orders
    /// of magnitude above the largest rejected one.
    pub fn pivots(&self) -> Pivots {
        self.pivots
    }
}
