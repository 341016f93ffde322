//! The view of one observer: losses of all sources, or of groups.

use super::assembly::{in_floats, view, whiten};
use super::cost::check_memory;
use super::loss::{self, Reach, WhitenedColumns, WhitenedInputs, column_spread, whitened};
use super::pair::Pair;
use super::rows::{Columns, Messages, Rows};
use super::whitening::Whitening;
use crate::{
    FastError, Loss, Progress, arithmetic::Real, checks, progress::Watcher, reach, threads,
};
use muffliato_model::{LossModel, Observer, Protocol};

/// Target width of the enclosure of one `P_ij`; losses of several inputs sum them.
pub const TARGET_WIDTH: f64 = 1e-9;

/// Number of sources whitened together, independent of the number of threads; fewer if they have
/// many inputs.
const BATCH: usize = 64;

/// Number of floats of columns that fit into the cache.
const CACHED_FLOATS: usize = 1 << 18;

/// Maximum number of floats of sources whitened together.
const BATCH_FLOATS: usize = 1 << 22;

/// The view of one observer, reduced so that the losses of all sources can be read off.
///
/// Memory is `O(n (d_v + T) + (T d_v)^2)` for protocols on a fixed network, and `O(n T)` per thread
/// plus `O((T d_v)^2)` otherwise; a view beyond [`crate::memory::limit`] is refused.
///
/// ```
/// use muffliato_fast::GramView;
/// use muffliato_model::{LossModel, Network, Observer, Protocol};
///
/// let network = Network::metropolis("hypercube:4".parse()?)?;
/// let protocol = Protocol::one_shot(network, 6)?.refreshed("0.1".parse()?)?;
/// let view = GramView::of(&protocol, &Observer::full(0))?;
/// assert_eq!((view.messages(), view.model()), (4 * 6, LossModel::SingleInput));
/// let far = view.losses()?[15].expect("15 does not observe").scalars;
/// assert!(far.is_certified(1e-9) && far.certified.upper() < 0.46);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct GramView<'a> {
    protocol: Protocol,
    observer: Observer,
    messages: Messages,
    whitening: Whitening,
    reach: Reach,
    watcher: Watcher<'a>,
}

impl<'a> GramView<'a> {
    /// Computes the view of `observer`.
    ///
    /// # Errors
    /// For an observer outside the protocol, an unknown weight scheme, or a view beyond
    /// [`crate::memory::limit`].
    pub fn of(protocol: &Protocol, observer: &Observer) -> Result<Self, FastError> {
        Self::watched(protocol, observer, &())
    }

    /// Computes the view of `observer`, reporting to `progress` now and in later calls.
    pub fn watched(
        protocol: &Protocol,
        observer: &Observer,
        progress: &'a dyn Progress,
    ) -> Result<Self, FastError> {
        check_memory(protocol, observer)?;
        let messages = Messages::of(protocol, observer)?;
        let (whitening, reach) = threads::inside(|| whiten(protocol, &messages, progress))?;
        Ok(Self {
            protocol: protocol.clone(),
            observer: observer.clone(),
            messages,
            whitening,
            reach,
            watcher: Watcher(progress),
        })
    }

    /// Returns the loss model of this view.
    pub fn model(&self) -> LossModel {
        self.protocol.loss_model()
    }

    /// Returns the number of messages that the observer receives.
    pub fn messages(&self) -> usize {
        self.messages.size()
    }

    /// Returns `true` if the Gram matrix was proved regular, so that both ends of all losses are
    /// certified. Otherwise values are estimates with a certified lower and a trivial upper end.
    pub fn is_certified(&self) -> bool {
        self.reach == Reach::Both
    }

    /// Computes the loss of every node; `None` for the observers.
    ///
    /// Sources that cannot reach the observer have exactly 0. With one input per node and no masks,
    /// sources that send it directly to the observer have `1 / s_u^2`.
    pub fn losses(&self) -> Result<Vec<Option<Loss>>, FastError> {
        threads::inside(|| self.all_losses())
    }

    fn all_losses(&self) -> Result<Vec<Option<Loss>>, FastError> {
        let (mut losses, unknown) = reach::certain_losses(&self.protocol, &self.observer);
        let single = in_floats(&self.protocol, &self.messages)?;
        if column_spread(&self.whitening, single.column_error(), f64::UNIT) <= TARGET_WIDTH {
            self.fill(&*single, &unknown, &mut losses)?;
        }
        let poor = |u: &usize| {
            // If signs differ, the enclosure of the loss is wider than that of the sum in any
            // precision.
            losses[*u]
                .map(|found| found.absolute_sum)
                .is_none_or(|sum| !sum.is_certified(TARGET_WIDTH * sum.estimate.max(1.0)))
        };
        let poor: Vec<_> = match self.reach {
            Reach::Both => unknown.iter().copied().filter(poor).collect(),
            Reach::LowerEnd => unknown.iter().copied().filter(|&u| losses[u].is_none()).collect(),
        };
        if !poor.is_empty() {
            let double = view::<Pair>(&self.protocol, &self.messages)?;
            self.fill(&*double, &poor, &mut losses)?;
        }
        Ok(losses)
    }

    /// Computes the loss of all inputs of a group of users together. Duplicates count once.
    ///
    /// # Errors
    /// For an empty group, a source that observes, or one that is not a node.
    pub fn group_loss(&self, sources: &[usize]) -> Result<Loss, FastError> {
        let nodes = self.protocol.nodes();
        let mut distinct = checks::sources(sources, nodes, &self.observer)?;
        let reachable = reach::reached(&self.protocol, &self.observer);
        distinct.retain(|&source| reachable[source]);
        let inputs = distinct.len() * self.protocol.rounds();
        loss::check_memory(inputs, 3 * self.messages.size())?;
        if distinct.is_empty() {
            return Ok(Loss::exactly(0.0, self.model()));
        }
        let view = view::<Pair>(&self.protocol, &self.messages)?;
        let columns = view.columns(&distinct, self.watcher.0)?;
        let all: Vec<_> = (0..distinct.len()).collect();
        let found = self.whitened(&*view, &columns, &all);
        Ok(self.loss_of(&found, &all, &distinct))
    }

    /// Computes the losses of `sources` in this precision, as many at a time as memory allows.
    fn fill(
        &self,
        view: &dyn Rows,
        sources: &[usize],
        losses: &mut [Option<Loss>],
    ) -> Result<(), FastError> {
        let width = self.messages.senders.iter().map(Vec::len).max().unwrap_or(0);
        let linear = self.protocol.nodes() * (width + self.protocol.steps());
        let column = view.column_floats().max(1);
        let inputs = (self.messages.size() * self.protocol.rounds()).max(1);
        let batch = (BATCH_FLOATS / inputs).clamp(1, BATCH);
        let floats = if view.at_hand() { CACHED_FLOATS } else { (2 * linear).max(1 << 21) };
        let at_once = (floats / column).max(batch);
        for (pass, chunk) in sources.chunks(at_once).enumerate() {
            let columns = view.columns(chunk, self.watcher.0)?;
            let mut order: Vec<usize> = (0..chunk.len()).collect();
            order.sort_by_cached_key(|&place| columns.silent(0, place));
            let batches: Vec<&[usize]> = order.chunks(batch).collect();
            let found = threads::in_order(batches.len(), |batch| {
                let whitened = self.whitened(view, &columns, batches[batch]);
                let loss =
                    |(k, &place): (usize, &usize)| self.loss_of(&whitened, &[k], &[chunk[place]]);
                batches[batch].iter().enumerate().map(loss).collect::<Vec<_>>()
            });
            for (&place, loss) in order.iter().zip(found.into_iter().flatten()) {
                losses[chunk[place]] = Some(loss);
            }
            self.watcher.0.check(pass * at_once + chunk.len(), sources.len())?;
        }
        Ok(())
    }

    fn whitened(
        &self,
        view: &dyn Rows,
        columns: &Columns,
        places: &[usize],
    ) -> Vec<WhitenedColumns> {
        let rounds = &self.messages.first_rows;
        let errors = (view.column_error(), view.underflow());
        whitened(&self.whitening, columns, rounds, places, errors)
    }

    /// Computes the joint loss of `sources`, at these indices of a whitened batch, in the worst
    /// assignment of phases.
    fn loss_of(&self, whitened: &[WhitenedColumns], places: &[usize], sources: &[usize]) -> Loss {
        Loss::of_group(&self.protocol, places.len(), |participation| {
            let inputs = participation.inputs();
            let inputs = inputs.map(|(round, member)| whitened[round].get(places[member]));
            let (entries, errors) = inputs.unzip();
            let local = reach::local_loss(&self.protocol, sources, participation);
            let (defect, inputs) = (self.whitening.defect(), WhitenedInputs { entries, errors });
            inputs.loss(local, defect, self.reach, self.model())
        })
    }
}
