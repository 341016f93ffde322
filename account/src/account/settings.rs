//! The settings of an account.

#[cfg(doc)]
use crate::{Account, AccountError};
use crate::{
    Choice, Formulas, Knowledge, NoiseLaw, Observers, Schedules, Sources, engine::MOST_MASKED,
};
use muffliato_fast::Progress;
use muffliato_model::{Graph, Lipschitz, LossModel, Protocol};
use std::time::Instant;

/// The settings of an account. [`AccountBuilder::build`] checks them.
#[derive(Clone)]
#[must_use]
pub struct AccountBuilder<'a> {
    pub(crate) protocol: &'a Protocol,
    /// The schedules, if losses hold for every one of them.
    pub(crate) every: Option<&'a Schedules>,
    pub(crate) observers: Observers,
    pub(crate) sources: Sources,
    pub(crate) knowledge: Knowledge,
    /// The assumed Lipschitz constants of gradient steps; `None` for any loss functions.
    pub(crate) lipschitz: Option<Lipschitz>,
    pub(crate) choice: Choice,
    pub(crate) formulas: Formulas,
    pub(crate) threads: Option<usize>,
    /// The law, the sensitivity and the number of coordinates.
    pub(crate) noise: (NoiseLaw, f64, usize),
    /// `true` if closed forms replace computed losses.
    pub(crate) closed: bool,
    /// The index of the shard, and the number of shards.
    pub(crate) shard: (usize, usize),
    pub(crate) deadline: Option<Instant>,
    pub(crate) progress: &'a dyn Progress,
}

impl<'a> AccountBuilder<'a> {
    pub(super) fn new(protocol: &'a Protocol) -> Self {
        Self {
            protocol,
            every: None,
            observers: Observers::Auto,
            sources: Sources::All,
            knowledge: Knowledge::Full,
            lipschitz: Some(Lipschitz::default()),
            choice: Choice::Auto,
            formulas: Formulas { theorem_1: true, proved: protocol.rounds() > 1, ..Formulas::NONE },
            threads: None,
            noise: (NoiseLaw::Gaussian, 1.0, 1),
            closed: false,
            shard: (0, 1),
            deadline: None,
            progress: &(),
        }
    }

    /// Sets the protocol.
    pub fn protocol(self, protocol: &'a Protocol) -> Self {
        Self { protocol, ..self }
    }

    /// Sets the observers.
    pub fn observers(self, observers: Observers) -> Self {
        Self { observers, ..self }
    }

    /// Replaces the default observers by all of them.
    pub(crate) fn every_observer(self) -> Self {
        match self.observers {
            Observers::Auto => self.observers(Observers::All),
            _ => self,
        }
    }

    /// Sets a coalition as the observer: its members combine their views.
    pub fn coalition(self, members: impl IntoIterator<Item = usize>) -> Self {
        self.observers(Observers::Coalition(members.into_iter().collect()))
    }

    /// Sets the protected nodes: a list of nodes, each by itself, or [`Sources`].
    pub fn sources(self, sources: impl Into<Sources>) -> Self {
        Self { sources: sources.into(), ..self }
    }

    /// Sets a group of nodes that are protected together.
    pub fn group(self, members: impl IntoIterator<Item = usize>) -> Self {
        self.sources(Sources::Group(members.into_iter().collect()))
    }

    /// Sets the knowledge of single observers.
    pub fn knowledge(self, knowledge: Knowledge) -> Self {
        Self { knowledge, ..self }
    }

    /// Sets the assumed Lipschitz constants of gradient steps. The default 1 holds for convex
    /// smooth losses and step sizes that are not too large. Guarantees depend on them; losses in a
    /// model do not.
    pub fn lipschitz(self, lipschitz: Lipschitz) -> Self {
        Self { lipschitz: Some(lipschitz), ..self }
    }

    /// Drops the assumption on gradient steps: guarantees hold for any loss functions.
    pub fn any_losses(self) -> Self {
        Self { lipschitz: None, ..self }
    }

    /// Sets the engine.
    pub fn engine(self, choice: Choice) -> Self {
        Self { choice, ..self }
    }

    /// Sets the closed forms that are computed in addition to losses; by default Theorem 1, and the
    /// proved bound for gradient descent.
    pub fn formulas(self, formulas: Formulas) -> Self {
        Self { formulas, ..self }
    }

    /// Sets the number of threads; by default all cores. Results do not depend on it.
    pub fn threads(self, threads: usize) -> Self {
        Self { threads: Some(threads), ..self }
    }

    /// Restricts the account to shard `index` of `of` shards of the observers. The summaries of all
    /// shards merge into that of the whole account, to the bit.
    pub fn shard(self, index: usize, of: usize) -> Self {
        Self { shard: (index, of), ..self }
    }

    /// Sets the noise, for inputs of this many coordinates that change by at most `sensitivity`.
    /// Losses are [proved](NoiseLaw) for it, and its curve converts them to epsilons.
    pub fn noise(self, law: NoiseLaw, sensitivity: f64, coordinates: usize) -> Self {
        Self { noise: (law, sensitivity, coordinates), ..self }
    }

    /// Replaces losses by closed-form bounds, which are cheap at any size. For masks they do not
    /// depend on the number of steps.
    pub fn closed_forms(self) -> Self {
        Self { closed: true, ..self }
    }

    /// Replaces losses in a model of training, which promise nothing, by closed forms.
    pub(crate) fn promising(self) -> Self {
        let in_a_model = self.protocol.loss_model() != LossModel::SingleInput;
        if in_a_model && self.protocol.masks().is_none() { self.closed_forms() } else { self }
    }

    /// Sets the receiver of progress reports, which count finished observers. It may cancel the
    /// work.
    pub fn progress(self, progress: &'a dyn Progress) -> Self {
        Self { progress, ..self }
    }

    /// Sets the deadline. After it, [`Account::summary`] and [`Account::pairs`] return the
    /// observers that are finished, and the summary [is partial](crate::Summary::is_partial).
    /// Methods that need every observer, or finished none, return [`AccountError::OutOfTime`].
    pub fn deadline(self, deadline: Instant) -> Self {
        Self { deadline: Some(deadline), ..self }
    }

    /// Returns the radius of the trees that bound all pairs of a masked protocol at once, or `None`
    /// if pairs are examined one by one. The trees have at most some billions of nodes in all.
    pub(super) fn radius(&self, graph: &Graph) -> Option<usize> {
        let all = matches!(self.observers, Observers::Auto | Observers::All);
        let everybody = all && matches!(self.sources, Sources::All) && self.shard.1 == 1;
        let nodes = self.protocol.nodes();
        let fixed = self.protocol.fixed_network().is_some();
        if !(self.masks().is_some() && everybody && fixed && nodes > MOST_MASKED) {
            return None;
        }
        let degree = 2.0 * graph.edge_count() as f64 / nodes as f64;
        let mut radius = 1;
        let mut ball = 1.0 + degree;
        while radius < nodes && ball * (degree - 1.0).max(1.0) * nodes as f64 <= 4e9 {
            ball *= (degree - 1.0).max(1.0);
            ball += 1.0;
            radius += 1;
        }
        Some(radius)
    }
}
