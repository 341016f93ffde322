//! The paper's formulas in floating point, each as an [`Enclosure`] of its exact value in units of
//! `L = alpha Delta^2 / (2 sigma^2)`, and closed forms that do bound the loss of refreshed
//! protocols.
//!
//! The formulas of the paper ([`PaperBounds`], [`erdos_renyi_bound`]) are its *claims*: most of the
//! pairwise ones are refuted, because the messages that a node receives are correlated. The
//! enclosure contains the formula's value, not the loss. [`RefreshedBounds`] bounds the loss.
//!
//! A coalition is an [`Observer`] with several members: it receives the messages of their distinct
//! neighbours outside the coalition.

mod accuracy;
mod all_pairs;
mod gradient_descent;
mod lanes;
mod one_source;
mod random_graph;
mod random_walk;
mod refreshed;
mod steps;
mod streaming;
mod sweep;
mod varying_pairs;

pub use all_pairs::AllPairs;
pub use gradient_descent::RoundExponent;
pub use random_graph::{ErdosRenyiBound, erdos_renyi_bound};
pub use refreshed::RefreshedBounds;

use crate::{
    Enclosure, FastError, Progress, checks, memory, progress::Watcher, reach::reached, steps::Steps,
};
use accuracy::{Accuracy, Precision};
use muffliato_model::{Observer, Protocol};
use std::sync::Arc;
use streaming::Stream;
use sweep::Sweep;

/// Theorem 1 of the paper and its consequences, for one protocol.
///
/// Refreshed noise, masks and Chebyshev acceleration are ignored: the paper analyses the plain
/// protocol on the same matrices.
///
/// ```
/// use muffliato_fast::bounds::PaperBounds;
/// use muffliato_model::{Network, Observer, Protocol};
///
/// let network = Network::metropolis("path:3".parse()?)?;
/// let bounds = PaperBounds::of(&Protocol::one_shot(network, 2)?)?;
/// let f = bounds.pairwise(0, &Observer::full(2))?;
/// assert!(f.contains(1.0 / 3.0) && f.relative_width() < 1e-14);
/// assert!(bounds.with_memory_limit(8).all_pairs().is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// All sources at once, their mean, groups, and Corollary 1:
///
/// ```
/// # use muffliato_fast::bounds::PaperBounds;
/// # use muffliato_model::{Network, Observer, Protocol};
/// # let network = Network::metropolis("path:3".parse()?)?;
/// # let bounds = PaperBounds::of(&Protocol::one_shot(network, 2)?)?;
/// let observer = Observer::full(2);
/// let f = bounds.pairwise_all(&observer)?;
/// assert!(bounds.from_source(0)?[2].contains(f[0].value()));
/// let sum = f[0].value() + f[1].value();
/// assert!((bounds.group(&[0, 1], &observer)?.value() - sum).abs() < 1e-14);
/// let mean = bounds.mean_loss(&observer)?;
/// assert!((mean.value() - sum / 3.0).abs() < 1e-14 && mean.upper() < 2.0 / 3.0); // two messages, three nodes
///
/// // 3 * 3^2 times the squared probabilities to be at the observer after one and after two steps.
/// assert!(bounds.random_walk(0, &observer)?.contains(1.0 / 3.0)); // 0, 1/9
/// assert!(bounds.random_walk_all(&observer)?[1].contains(6.0)); // 1/3, 1/3
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct PaperBounds<'a> {
    steps: Arc<Steps>,
    memory_limit: u128,
    watcher: Watcher<'a>,
}

/// Terms summed over the messages to an observer, for each source.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Summed {
    /// Squared coefficients, each divided by the squared norm of the message.
    Shares,
    /// Squared coefficients; if `absorbing`, of walks that end at the first heard sender.
    Squares { absorbing: bool },
}

/// Sums for all sources before they are enclosed.
struct Sums {
    values: Vec<f64>,
    precision: Precision,
    /// Sources whose sum may have underflowed; elsewhere 0 is exact. `None` if nothing underflowed.
    heard: Option<Vec<bool>>,
}

impl Sums {
    fn enclose(&self, source: usize) -> Enclosure {
        match &self.heard {
            Some(heard) if !heard[source] => Enclosure::exact(0.0),
            _ => self.precision.enclose(self.values[source]),
        }
    }

    fn enclose_all(&self) -> Vec<Enclosure> {
        (0..self.values.len()).map(|u| self.enclose(u)).collect()
    }
}

impl PaperBounds<'_> {
    /// Prepares the gossip matrices of a protocol: `24 |E| + 32 n` bytes for each network.
    pub fn of(protocol: &Protocol) -> Result<Self, FastError> {
        protocol.uniform()?;
        Ok(Self {
            steps: Arc::new(Steps::of(protocol)?),
            memory_limit: memory::limit(),
            watcher: Watcher::default(),
        })
    }

    /// Sets the memory limit, in bytes, of one answer beside the matrices. Larger requests fail
    /// with [`FastError::TooMuchMemory`] before allocating.
    pub fn with_memory_limit(mut self, bytes: u128) -> Self {
        self.memory_limit = bytes;
        self
    }

    /// Returns these bounds with a receiver of progress reports.
    pub fn watched<'b>(&self, progress: &'b dyn Progress) -> PaperBounds<'b> {
        PaperBounds {
            steps: Arc::clone(&self.steps),
            memory_limit: self.memory_limit,
            watcher: Watcher(progress),
        }
    }

    /// Errors if an answer for one observer needs more than the limit.
    fn allow(&self, bytes: u128) -> Result<(), FastError> {
        let remedy = "raise the limit, or use a smaller graph";
        memory::check_within(bytes, self.memory_limit, remedy)
    }

    fn check_averaging(&self) -> Result<(), FastError> {
        let reason = "it is about one round of averaging; use the bounds for gradient descent";
        checks::applies(self.steps.protocol().rounds() == 1, "Theorem 1", reason)
    }

    /// Encloses Theorem 1 for one pair, or its extension to a coalition in the appendix: `f(u,v) =
    /// sum_{t<T} sum_{w in N_t(v)} (W_{0:t})_{w,u}^2 / ||(W_{0:t})_w||^2`.
    ///
    /// Takes as long as [`PaperBounds::pairwise_all`]. Errors if the source observes or is not a
    /// node.
    pub fn pairwise(&self, source: usize, observer: &Observer) -> Result<Enclosure, FastError> {
        self.check_sources(&[source], observer)?;
        Ok(self.sums(observer)?.enclose(source))
    }

    /// Encloses Theorem 1 for all sources at once, including the observers (which the mean-loss
    /// identity counts).
    ///
    /// Takes time `T d_v |E|` on a fixed network and `T_v T |E| / 2` on a changing one, and 150 to
    /// 2,400 bytes of memory per node regardless of T and d_v.
    pub fn pairwise_all(&self, observer: &Observer) -> Result<Vec<Enclosure>, FastError> {
        Ok(self.sums(observer)?.enclose_all())
    }

    /// Encloses the group bound: Theorem 1 with the numerator `sum_{u in U} (W_{0:t})_{w,u}^2`.
    /// Duplicate sources count once; an empty group is an error.
    pub fn group(&self, sources: &[usize], observer: &Observer) -> Result<Enclosure, FastError> {
        let distinct = self.check_sources(sources, observer)?;
        Ok(total(&self.sums(observer)?, &distinct, 1.0))
    }

    /// Encloses the paper's mean loss `(1/n) sum_{u not in V} f(u,V)`, which is at most `T_v / n`:
    /// with the observers included the sum is the number of messages.
    pub fn mean_loss(&self, observer: &Observer) -> Result<Enclosure, FastError> {
        let sums = self.sums(observer)?;
        let outside: Vec<_> = (0..self.steps.nodes()).filter(|&u| !observer.contains(u)).collect();
        Ok(total(&sums, &outside, self.steps.nodes() as f64))
    }

    fn check_sources(
        &self,
        sources: &[usize],
        observer: &Observer,
    ) -> Result<Vec<usize>, FastError> {
        observer.check(self.steps.nodes())?;
        checks::sources(sources, self.steps.nodes(), observer)
    }

    fn sums(&self, observer: &Observer) -> Result<Sums, FastError> {
        self.check_averaging()?;
        self.summed(observer, 0, Summed::Shares)
    }

    /// Sums over the messages to the observer from time `from` on, for a protocol of one round.
    fn summed(&self, observer: &Observer, from: usize, what: Summed) -> Result<Sums, FastError> {
        if self.steps.fixed().is_some() {
            let mut counts = vec![1.0; self.steps.count()];
            counts[..from].fill(0.0);
            return self.weighted_powers(observer, &counts, what);
        }
        observer.check(self.steps.nodes())?;
        let sweep = Sweep { steps: &self.steps, members: observer.members(), what };
        let messages = sweep.messages(from);
        self.allow(sweep::bytes(self.steps.nodes(), messages.len()))?;
        let accuracy = Accuracy::of_steps(&self.steps, false);
        let additions = sweep::sums(messages.len());
        Ok(Sums {
            values: sweep.run(&messages, self.watcher.0)?,
            precision: accuracy.of(what, messages.len() as f64, additions),
            heard: self.heard(&accuracy, observer),
        })
    }

    /// Computes `sum_t counts_t sum_{w in N(V)} (W^t)_{w,u}^2 / ||(W^t)_w||^2` on a fixed network;
    /// without the norms, counts are at most 1.
    fn weighted_powers(
        &self,
        observer: &Observer,
        counts: &[f64],
        what: Summed,
    ) -> Result<Sums, FastError> {
        observer.check(self.steps.nodes())?;
        let Some(weights) = self.steps.fixed() else {
            return Err(FastError::NotApplicable {
                formula: "this bound",
                reason: "it is stated for one fixed network; use the general bound",
            });
        };
        self.allow(streaming::bytes(weights.nodes()))?;
        let senders = self.steps.senders(0, observer.members());
        let stream = Stream { weights, senders: &senders, counts, what };
        let accuracy = Accuracy::of_powers(weights, counts.len() - 1);
        let counted = match what {
            Summed::Shares => counts.iter().sum::<f64>() * 1.001,
            Summed::Squares { .. } => counts.len() as f64,
        };
        Ok(Sums {
            values: stream.run(self.watcher.0)?,
            precision: accuracy.of(what, counted * senders.len() as f64, stream.sums()),
            heard: self.heard(&accuracy, observer),
        })
    }

    /// Returns the nodes that can be heard at all, if a computed 0 might be an underflow.
    fn heard(&self, accuracy: &Accuracy, observer: &Observer) -> Option<Vec<bool>> {
        (!accuracy.zeros_are_exact()).then(|| reached(self.steps.protocol(), observer))
    }
}

/// Computes `(1/divisor) sum_{u in sources} sums_u`, summed in groups.
fn total(sums: &Sums, sources: &[usize], divisor: f64) -> Enclosure {
    const GROUP: usize = 1024;
    let groups = sources.chunks(GROUP);
    let additions = GROUP.min(sources.len()) + groups.len() + 1;
    let sum_of = |group: &[usize]| group.iter().map(|&u| sums.values[u]).sum::<f64>();
    let sum: f64 = groups.map(sum_of).sum();
    let mut precision = sums.precision.and(additions);
    precision.lost *= sources.len() as f64;
    precision.enclose(sum / divisor)
}
