//! The question of an account, the conditions of its guarantees, and what is promised for each pair.

use crate::engine::Proved;
use crate::guarantee::{
    Against, Conditions, Epsilons, Guarantee, Losses, PairEpsilons, Participation, Protected,
    ScheduleScope, Unit,
};
use crate::noise_law::ProvedFor;
use crate::number::at_most;
use crate::shard::fingerprint;
use crate::{AccountBuilder, AccountError, Knowledge, Loss, NoiseLaw, Number, Schedules};
use muffliato_model::{Graph, Lipschitz, LossModel, Masks, Observer};
use std::sync::Arc;

impl<'a> AccountBuilder<'a> {
    /// Returns the masks that guarantees can use.
    pub(crate) fn masks(&self) -> Option<&'a Masks> {
        let hold = self.every.is_none_or(Schedules::masks_hold);
        self.protocol.masks().filter(|_| hold)
    }

    /// Returns the Lipschitz constants that guarantees assume, if any.
    pub(crate) fn assumed(&self) -> Option<&Lipschitz> {
        let descent = self.protocol.rounds() > 1 && self.noise.0 == NoiseLaw::Gaussian;
        // Deviations outlive a round, so secret sampling does not amplify what is absorbed.
        let absorbs = descent && self.protocol.sampling().is_none();
        self.lipschitz.as_ref().filter(|_| absorbs)
    }

    /// Returns the conditions of all guarantees of the account.
    pub(crate) fn conditions(
        &self,
        noise: ProvedFor,
        protected: Protected,
        against: Against,
    ) -> Conditions {
        let protocol = self.protocol;
        let fingerprint = match self.every {
            None => fingerprint(protocol),
            Some(every) => fingerprint(&(every.record(), protocol)),
        };
        Conditions {
            protected,
            against,
            view: self.knowledge,
            schedule: match (self.every, protocol.fixed_network()) {
                (Some(_), _) => ScheduleScope::Every,
                (None, Some(_)) => ScheduleScope::Fixed,
                (None, None) => ScheduleScope::One,
            },
            losses: match (protocol.rounds(), self.assumed()) {
                (1, _) => Losses::None,
                (_, Some(lipschitz)) => Losses::Lipschitz(lipschitz.clone()),
                (_, None) => Losses::Any,
            },
            masked_state_only: protocol.rounds() > 1 && self.masks().is_some(),
            unit: match protocol.sampling() {
                Some(_) => Unit::RecordAddedOrRemoved,
                None => Unit::NodeReplaced,
            },
            participation: Participation { rounds: protocol.rounds(), every: protocol.period() },
            ..Conditions::new(protocol.describe(), fingerprint, noise)
        }
    }
}

/// The observers, sources and conditions of an account. It decides what is promised.
#[derive(Clone, Debug)]
pub struct Question {
    pub(crate) observers: Vec<Observer>,
    pub(crate) sources: Vec<Vec<usize>>,
    pub(crate) sample_of: Option<usize>,
    pub(crate) conditions: Conditions,
    /// The largest number of inputs of a set of sources.
    pub(crate) inputs: usize,
    /// An upper bound on the local loss of every set of sources: `1 / s_u^2` for each input.
    pub(crate) local: f64,
    pub(crate) graph: Arc<Graph>,
}

impl Question {
    /// Returns the observers.
    pub fn observers(&self) -> &[Observer] {
        &self.observers
    }

    /// Returns the sets of nodes that are protected together: single nodes, or one group.
    pub fn sources(&self) -> &[Vec<usize>] {
        &self.sources
    }

    /// Returns the number of all observers if these are a sample.
    pub fn sample_of(&self) -> Option<usize> {
        self.sample_of
    }

    /// Returns the conditions that all guarantees of the answer share.
    pub fn conditions(&self) -> &Conditions {
        &self.conditions
    }

    /// Returns the sets of sources that do not contain the observer, with their indices.
    pub fn sources_for<'b>(
        &'b self,
        observer: &'b Observer,
    ) -> impl Iterator<Item = (usize, &'b [usize])> {
        let outside = |set: &&[usize]| !set.iter().any(|&node| observer.contains(node));
        let sets = self.sources.iter().map(Vec::as_slice).enumerate();
        sets.filter(move |(_, set)| outside(set))
    }

    /// Derives the guaranteed bounds from a computed loss. No other place does.
    ///
    /// A loss in a model of training promises nothing. The guarantee is then the `local` loss (local
    /// differential privacy), for any loss functions, or the absorption bound `absorbed` if
    /// that is smaller and steps are assumed to be Lipschitz.
    pub(crate) fn promise(&self, loss: &Loss, absorbed: Option<Proved>, local: f64) -> Promises {
        let any_losses = match loss.model() {
            LossModel::SingleInput => loss.number().clone(),
            _ => at_most(local),
        };
        let lipschitz = match (&self.conditions.losses, loss.model(), absorbed) {
            (Losses::Lipschitz(_), LossModel::LipschitzSteps, _) => Some(Proved::of(loss.number())),
            (Losses::Lipschitz(_), _, absorbed) => absorbed,
            _ => None,
        };
        Promises {
            promised: match lipschitz.filter(|bound| bound.upper() < any_losses.upper()) {
                Some(bound) => at_most(bound.upper()),
                None => any_losses.clone(),
            },
            any_losses: (self.conditions.losses != Losses::None).then_some(any_losses),
        }
    }

    /// Returns the names of nodes.
    pub(crate) fn names(&self, nodes: &[usize]) -> Vec<String> {
        let label = |&node: &usize| self.graph.label(node);
        nodes.iter().map(label).collect()
    }

    /// Returns the conditions for one set of sources and one observer.
    pub(crate) fn of_pair(&self, sources: &[usize], observer: &Observer) -> Conditions {
        Conditions {
            protected: match sources {
                [_] => Protected::Nodes(self.names(sources)),
                _ => Protected::Group(self.names(sources)),
            },
            against: match observer.members() {
                [_] => Against::Nodes(self.names(observer.members())),
                members => Against::Coalition(self.names(members)),
            },
            view: match (observer.knows_own_noise(), observer.sees_sums()) {
                (_, true) => Knowledge::Sum,
                (true, false) => Knowledge::Full,
                (false, false) => Knowledge::Paper,
            },
            ..self.conditions.clone()
        }
    }
}

/// The guaranteed bounds of a pair.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Promises {
    /// The guaranteed bound.
    pub promised: Number,
    /// The guaranteed bound for any loss functions; `None` for averaging.
    pub any_losses: Option<Number>,
}

impl Promises {
    /// Returns the guarantee, without the assumption on loss functions if the bound holds without
    /// it.
    pub(crate) fn under(&self, mut conditions: Conditions) -> Guarantee {
        if self.any_losses.as_ref() == Some(&self.promised) {
            conditions.losses = Losses::Any;
        }
        Guarantee::new(self.promised.clone(), conditions)
    }
}

/// The losses of one source, or one group, to one observer, in units of L, and the guarantee that
/// follows.
///
/// Its nodes and its guarantee cannot be changed:
///
/// ```compile_fail
/// use muffliato_account::Account;
/// use muffliato_model::{Network, Protocol};
///
/// let protocol = Protocol::one_shot(Network::metropolis("path:5".parse()?)?, 2)?;
/// let mut far = Account::of(&protocol).build()?.pairs()?[0].pairs[3].clone();
/// far.source = 1;
/// let forged = far.guarantee();
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Pair {
    pub(crate) source: usize,
    pub(crate) observer: usize,
    /// The smallest distance on [`Protocol::graph`](muffliato_model::Protocol::graph); `None` if
    /// there is no path.
    pub distance: Option<usize>,
    /// The refuted bound of Theorem 1 for the protocol without fresh noise or acceleration.
    pub theorem_1: Option<Number>,
    /// The refuted bound of Corollary 1, where it is defined.
    pub corollary_1: Option<Number>,
    /// The proved closed-form bound. For gradient descent under Gaussian noise it is the absorption
    /// bound for the assumed [Lipschitz constants](crate::AccountBuilder::lipschitz); otherwise it holds
    /// for any loss functions.
    pub proved: Option<f64>,
    /// The loss, which may hold in a model only.
    pub loss: Loss,
    pub(crate) promises: Promises,
    pub(crate) question: Arc<Question>,
}

impl Pair {
    /// Returns the index of the protected set in [`Question::sources`].
    pub fn source(&self) -> usize {
        self.source
    }

    /// Returns the index of the observer in [`Question::observers`].
    pub fn observer(&self) -> usize {
        self.observer
    }

    /// Returns the guarantee.
    pub fn guarantee(&self) -> Guarantee {
        let question = &self.question;
        let sources = &question.sources[self.source];
        self.promises.under(question.of_pair(sources, &question.observers[self.observer]))
    }

    /// Returns the guaranteed upper bound, in units of L.
    pub fn promised_upper(&self) -> f64 {
        self.promises.promised.upper()
    }

    /// Returns the guaranteed upper bound as a short decimal, rounded up.
    pub fn promised_text(&self) -> String {
        self.promises.promised.rounded_up()
    }

    /// Converts the guaranteed bounds to epsilons.
    ///
    /// # Errors
    ///
    /// Fails if sigma, the sensitivity or the delta is out of range.
    pub fn epsilons(&self, epsilons: &mut Epsilons) -> Result<PairEpsilons, AccountError> {
        epsilons.of_promises(&self.promises, &self.loss, self.question.conditions.noise)
    }
}

/// The view of one observer and the losses to it.
#[derive(Clone, Debug)]
pub struct ObserverReport {
    /// The index of the observer in [`Question::observers`].
    pub observer: usize,
    /// The number of received messages, T_v.
    pub messages: usize,
    /// The rank of the view, if the engine found it. No loss depends on it.
    pub rank: Option<usize>,
    /// The losses, in increasing order of the sources.
    pub pairs: Vec<Pair>,
}

/// Sorts nodes and removes duplicates.
pub(crate) fn distinct(nodes: &[usize]) -> Vec<usize> {
    let mut nodes = nodes.to_vec();
    nodes.sort_unstable();
    nodes.dedup();
    nodes
}
