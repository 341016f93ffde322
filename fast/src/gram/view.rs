//! The view of one observer: losses of all sources, or of groups.

use super::assembly::{check_memory, fixed_and_plain, in_floats, likely_in_pairs, view, whiten};
use super::loss::{self, Reach, WhitenedColumns, WhitenedInputs, column_spread, whitened};
use super::number::Number;
use super::pair::Pair;
use super::rows::{Columns, Messages, Rows};
use super::shared::Shared;
use super::whitening::Whitening;
use crate::{FastError, Loss, Progress, checks, progress::Watcher, reach, threads};
use muffliato_model::{LossModel, Observer, Protocol};
use std::sync::Arc;

/// The width of the enclosure of one `P_ij` that is aimed for; losses of several inputs sum them.
pub const TARGET_WIDTH: f64 = 1e-9;

/// Sources that are whitened together, whatever the number of threads; fewer where they have many inputs.
const BATCH: usize = 64;

/// The floats of columns that stay in the cache.
const CACHED_FLOATS: usize = 1 << 18;

/// The most floats of sources that are whitened together.
const BATCH_FLOATS: usize = 1 << 22;

/// Everything that an observer sees of a run, reduced so that the losses of all sources can be read
/// off.
///
/// Memory is `O(n (d_v + T) + (T d_v)^2)` for protocols on a fixed network, and `O(n T)` for each
/// thread plus `O((T d_v)^2)` otherwise; beyond [`crate::memory::limit`] a view is refused.
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

/// The views of many observers of one protocol: what they have in common is computed once, and memory is handed on from one to the next.
///
/// ```
/// use muffliato_fast::GramViews;
/// use muffliato_model::{Network, Observer, Protocol};
///
/// let network = Network::metropolis("hypercube:4".parse()?)?;
/// let protocol = Protocol::one_shot(network, 6)?.refreshed("0.1".parse()?)?;
/// let views = GramViews::of(&protocol);
/// for (v, opposite) in [(0, 15), (3, 12)] {
///     let far = views.towards(&Observer::full(v), &())?.group_loss(&[opposite])?.scalars;
///     assert!(far.is_certified(1e-9) && far.certified.upper() < 0.46);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct GramViews<'a> {
    protocol: &'a Protocol,
    shared: Arc<Shared>,
}

impl<'a> GramViews<'a> {
    /// The views of this protocol.
    pub fn of(protocol: &'a Protocol) -> Self {
        let shared = Arc::default();
        Self { protocol, shared }
    }

    /// What `observer` sees, watched by `progress` now and in all that the view is asked later. An observer outside the protocol, an unknown weight
    /// scheme and a view beyond [`crate::memory::limit`] are errors.
    pub fn towards<'b>(
        &self,
        observer: &Observer,
        progress: &'b dyn Progress,
    ) -> Result<GramView<'b>, FastError> {
        let protocol = self.protocol;
        check_memory(protocol, observer)?;
        let messages = Messages::sharing(protocol, observer, Arc::clone(&self.shared))?;
        let (whitening, reach) = threads::inside(|| whiten(protocol, &messages, progress))?;
        Ok(GramView {
            protocol: protocol.clone(),
            observer: observer.clone(),
            messages,
            whitening,
            reach,
            watcher: Watcher(progress),
        })
    }
}

impl<'a> GramView<'a> {
    /// What `observer` sees of `protocol`. An observer outside the protocol, an unknown weight
    /// scheme and a view beyond [`crate::memory::limit`] are errors.
    pub fn of(protocol: &Protocol, observer: &Observer) -> Result<Self, FastError> {
        Self::watched(protocol, observer, &())
    }

    /// The same, watched by `progress` now and in all that it is asked later.
    pub fn watched(
        protocol: &Protocol,
        observer: &Observer,
        progress: &'a dyn Progress,
    ) -> Result<Self, FastError> {
        GramViews::of(protocol).towards(observer, progress)
    }

    /// About how many nanoseconds the losses of all nodes take one core: with m messages, `m^3` for the whitening, `m^2` for each input, and the gossip
    /// of the coefficients, in pairs where roundings are likely to count. An estimate (`cargo bench --bench estimates` compares it with the clock).
    pub fn work(protocol: &Protocol, observer: &Observer) -> Result<f64, FastError> {
        let messages = protocol.messages_to(observer)? as f64;
        let (nodes, steps) = (protocol.nodes() as f64, protocol.steps() as f64);
        let graph = protocol.graph()?;
        let entries = 2.0 * graph.edge_count() as f64 + nodes;
        let pairs = likely_in_pairs(protocol, messages as usize)?;
        // Pairs are made of slices of floats only where matrices are large.
        let (whitening, gossip) = match pairs {
            true if messages < 256.0 => (3.0, 5.0),
            true => (0.2, 5.0),
            false => (0.08, 1.0),
        };
        let passes = match fixed_and_plain(protocol) {
            true => messages * entries,
            // Back and forth for each message.
            false => 2.0 * messages * steps * entries,
        };
        let columns = messages * messages * nodes * protocol.rounds() as f64;
        Ok(whitening * messages.powi(3) + 0.04 * columns + gossip * passes)
    }

    /// What the losses of this view are computed for.
    pub fn model(&self) -> LossModel {
        self.protocol.loss_model()
    }

    /// The number of messages that the observer receives.
    pub fn messages(&self) -> usize {
        self.messages.size()
    }

    /// Whether the Gram matrix was proved regular, so that both ends of all losses are certified.
    /// Otherwise values are estimates with a certified lower and a trivial upper end.
    pub fn is_certified(&self) -> bool {
        self.reach == Reach::Both
    }

    /// The loss of every node; `None` for the observers themselves.
    ///
    /// Sources that cannot reach the observer have exactly 0, and with one input a node those who
    /// send it to the observer at once, without masks, exactly 1.
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
            // Where signs differ the enclosure of the loss is wider than that of the sum, in any precision.
            losses[*u]
                .map(|found| found.absolute_sum)
                .is_none_or(|sum| !sum.is_certified(TARGET_WIDTH * sum.estimate.max(1.0)))
        };
        let poor: Vec<_> = match self.reach {
            Reach::Both => unknown.iter().copied().filter(poor).collect(),
            Reach::LowerEnd => unknown
                .iter()
                .copied()
                .filter(|&u| losses[u].is_none())
                .collect(),
        };
        if !poor.is_empty() {
            let double = view::<Pair>(&self.protocol, &self.messages)?;
            self.fill(&*double, &poor, &mut losses)?;
        }
        Ok(losses)
    }

    /// The loss of all inputs of `sources` together: a group of users. Sources are counted once; an
    /// empty group, a source that observes and one that is no node are errors.
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
        Ok(self.loss_of(&found, &all))
    }

    /// Computes the losses of `sources` in this precision, as many at a time as memory allows.
    fn fill(
        &self,
        view: &dyn Rows,
        sources: &[usize],
        losses: &mut [Option<Loss>],
    ) -> Result<(), FastError> {
        let width = self
            .messages
            .senders
            .iter()
            .map(Vec::len)
            .max()
            .unwrap_or(0);
        let linear = self.protocol.nodes() * (width + self.protocol.steps());
        let column = view.column_floats().max(1);
        let inputs = (self.messages.size() * self.protocol.rounds()).max(1);
        let batch = (BATCH_FLOATS / inputs).clamp(1, BATCH);
        let floats = match view.at_hand() {
            true => CACHED_FLOATS,
            false => (2 * linear).max(1 << 21),
        };
        let at_once = (floats / column).max(batch);
        for (pass, chunk) in sources.chunks(at_once).enumerate() {
            let columns = view.columns(chunk, self.watcher.0)?;
            let mut order: Vec<usize> = (0..chunk.len()).collect();
            order.sort_by_cached_key(|&place| columns.silent(0, place));
            let batches: Vec<&[usize]> = order.chunks(batch).collect();
            let found = threads::in_order(batches.len(), |batch| {
                let whitened = self.whitened(view, &columns, batches[batch]);
                (0..batches[batch].len())
                    .map(|k| self.loss_of(&whitened, &[k]))
                    .collect::<Vec<_>>()
            });
            for (&place, loss) in order.iter().zip(found.into_iter().flatten()) {
                losses[chunk[place]] = Some(loss);
            }
            self.watcher
                .0
                .check(pass * at_once + chunk.len(), sources.len())?;
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

    /// Computes the loss of the sources at these places of a whitened batch, taken together, in the assignment of phases that loses most.
    fn loss_of(&self, whitened: &[WhitenedColumns], places: &[usize]) -> Loss {
        Loss::of_group(&self.protocol, places.len(), |participation| {
            let inputs = participation.inputs();
            let inputs = inputs.map(|(round, member)| whitened[round].get(places[member]));
            let (entries, errors) = inputs.unzip();
            WhitenedInputs { entries, errors }.loss(self.whitening.defect, self.reach, self.model())
        })
    }
}
