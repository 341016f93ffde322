//! The question of an account (observers, their knowledge, sources) and its answer for each pair.

use crate::engine::Proved;
use crate::guarantee::{
    Against, Conditions, Epsilons, Guarantee, Losses, PairEpsilons, Promises, Protected,
};
use crate::number::at_most;
use crate::{AccountError, Loss, Number};
use muffliato_model::{Graph, LossModel, Observer};
use serde::{Deserialize, Serialize};
use std::{
    ops::{Deref, Range},
    str::FromStr,
    sync::Arc,
};

/// The observers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Observers {
    /// Every node on graphs of at most [`Observers::MOST`] nodes, otherwise a sample of
    /// [`Observers::SAMPLE`].
    #[default]
    Auto,
    /// Every node.
    All,
    /// A sample of this many evenly spaced nodes. It promises nothing about the others.
    Sample(usize),
    /// These nodes, each by itself.
    Listed(Vec<usize>),
    /// These nodes, which combine their views.
    Coalition(Vec<usize>),
}

impl Observers {
    /// Largest graph on which every node observes by default.
    pub const MOST: usize = 2000;
    /// Number of observers that are sampled on larger graphs by default.
    pub const SAMPLE: usize = 16;

    /// Returns the size of the sample on a graph of this many nodes, or `None` if it is no sample.
    pub fn sample(&self, nodes: usize) -> Option<usize> {
        match *self {
            Self::Auto if nodes > Self::MOST => Some(Self::SAMPLE),
            Self::Sample(count) if count < nodes => Some(count),
            _ => None,
        }
    }
}

/// The protected nodes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Sources {
    /// Every node, each by itself.
    #[default]
    All,
    /// These nodes, each by itself.
    Listed(Vec<usize>),
    /// These nodes together.
    Group(Vec<usize>),
}

/// The knowledge of an observer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Knowledge {
    /// The received messages and the noise that the observer drew.
    #[default]
    Full,
    /// The received messages only, as in the paper.
    Paper,
    /// The weighted sum of the messages of each step (secure summation) and the noise that the
    /// observer drew.
    Sum,
}

impl Knowledge {
    /// Returns the name of the view.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Full => "full",
            Self::Paper => "paper",
            Self::Sum => "sum",
        }
    }

    /// Returns the observer at a node with this knowledge.
    pub fn observer(self, node: usize) -> Observer {
        match self {
            Self::Full => Observer::full(node),
            Self::Paper => Observer::paper(node),
            Self::Sum => Observer::sum(node),
        }
    }
}

impl<const N: usize> From<[usize; N]> for Sources {
    fn from(nodes: [usize; N]) -> Self {
        Self::Listed(nodes.to_vec())
    }
}

impl From<Vec<usize>> for Sources {
    fn from(nodes: Vec<usize>) -> Self {
        Self::Listed(nodes)
    }
}

impl From<Range<usize>> for Sources {
    fn from(nodes: Range<usize>) -> Self {
        Self::Listed(nodes.collect())
    }
}

impl FromStr for Knowledge {
    type Err = AccountError;

    fn from_str(text: &str) -> Result<Self, AccountError> {
        match text {
            "full" => Ok(Self::Full),
            "paper" => Ok(Self::Paper),
            "sum" => Ok(Self::Sum),
            _ => Err(AccountError::bad("the view", text, "it is full, paper or sum")),
        }
    }
}

impl FromStr for Observers {
    type Err = AccountError;

    /// `auto`, `all` or `sample:N`.
    fn from_str(text: &str) -> Result<Self, AccountError> {
        let sample = text.strip_prefix("sample:").map(str::parse);
        match (text, sample) {
            ("auto", _) => Ok(Self::Auto),
            ("all", _) => Ok(Self::All),
            (_, Some(Ok(count))) if count > 0 => Ok(Self::Sample(count)),
            _ => {
                let expected = "it is all, auto, sample:N or a list of nodes";
                Err(AccountError::bad("observers", text, expected))
            }
        }
    }
}

/// The closed forms that are computed in addition to losses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Formulas {
    /// Theorem 1 of the paper.
    pub theorem_1: bool,
    /// Corollary 1 of the paper.
    pub corollary_1: bool,
    /// The proved closed-form bound.
    pub proved: bool,
}

impl Formulas {
    /// No closed form.
    pub const NONE: Self = Self { theorem_1: false, corollary_1: false, proved: false };
    /// All closed forms.
    pub const ALL: Self = Self { theorem_1: true, corollary_1: true, proved: true };
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

/// The numbers that were computed for one source, or one group, and one observer, in units of L.
#[derive(Clone, Debug)]
pub struct PairLoss {
    /// The index of the protected set in [`Question::sources`].
    pub source: usize,
    /// The index of the observer in [`Question::observers`].
    pub observer: usize,
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
}

/// The losses of one source, or one group, to one observer, and the guarantee that follows.
///
/// A pair cannot be changed, so its guarantee is about the nodes that were asked about:
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
    pub(crate) found: PairLoss,
    pub(crate) promises: Promises,
    pub(crate) question: Arc<Question>,
}

impl Deref for Pair {
    type Target = PairLoss;

    fn deref(&self) -> &PairLoss {
        &self.found
    }
}

impl Pair {
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
        epsilons.of_promises(&self.promises, &self.loss)
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
