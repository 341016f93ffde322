//! The question and its answer by pair: who observes, what observers know, who is protected, and what is promised.

use crate::guarantee::{
    Against, Conditions, Epsilons, Guarantee, Losses, PairEpsilons, Promises, Protected,
};
use crate::number::at_most;
use crate::{AccountError, Loss, Number};
use muffliato_model::{Graph, LossModel, Observer};
use serde::{Deserialize, Serialize};
use std::{ops::Range, str::FromStr, sync::Arc};

/// Who observes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Observers {
    /// Every node where there are at most 2000, else a sample of 16.
    #[default]
    Auto,
    /// Every node.
    All,
    /// A sample of evenly spaced nodes. A maximum over them promises nothing about the others.
    Sample(usize),
    /// These nodes, each by itself.
    Listed(Vec<usize>),
    /// These nodes, who put together what they see.
    Coalition(Vec<usize>),
}

/// Who is protected.
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

/// What an observer knows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Knowledge {
    /// The messages that it receives and the noise that it drew.
    #[default]
    Full,
    /// The messages that it receives, as in the paper.
    Paper,
}

impl Knowledge {
    /// Returns the word for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Full => "full",
            Self::Paper => "paper",
        }
    }

    /// Returns the observer who is this node and knows this.
    pub fn observer(self, node: usize) -> Observer {
        match self {
            Self::Full => Observer::full(node),
            Self::Paper => Observer::paper(node),
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
            _ => Err(AccountError::BadParameter {
                parameter: "the view",
                value: text.to_string(),
                expected: "it is full or paper",
            }),
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
            _ => Err(AccountError::BadParameter {
                parameter: "observers",
                value: text.to_string(),
                expected: "it is all, auto, sample:N or a list of nodes",
            }),
        }
    }
}

/// Which closed forms are computed beside the losses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Formulas {
    /// Theorem 1 of the paper.
    pub theorem_1: bool,
    /// Corollary 1 of the paper.
    pub corollary_1: bool,
    /// What is proved without computing the loss.
    pub proved: bool,
}

impl Formulas {
    /// None of them: where only losses count.
    pub const NONE: Self = Self {
        theorem_1: false,
        corollary_1: false,
        proved: false,
    };
    /// All of them.
    pub const ALL: Self = Self {
        theorem_1: true,
        corollary_1: true,
        proved: true,
    };
}

/// An immutable question: whose losses towards whom, on what conditions.
///
/// It decides what is promised, for all answers.
#[derive(Clone, Debug)]
pub struct Question {
    pub(crate) observers: Vec<Observer>,
    pub(crate) sources: Vec<Vec<usize>>,
    pub(crate) sample_of: Option<usize>,
    pub(crate) conditions: Conditions,
    /// The largest number of inputs of a set of sources.
    pub(crate) inputs: usize,
    pub(crate) graph: Arc<Graph>,
}

impl Question {
    /// Returns those who observe.
    pub fn observers(&self) -> &[Observer] {
        &self.observers
    }

    /// Returns the sets of nodes that are protected together; single nodes unless a group was asked for.
    pub fn sources(&self) -> &[Vec<usize>] {
        &self.sources
    }

    /// Returns the number of observers that these are a sample of; `None` if they are all who were asked about.
    pub fn sample_of(&self) -> Option<usize> {
        self.sample_of
    }

    /// Returns the conditions of all guarantees that answer it.
    pub fn conditions(&self) -> &Conditions {
        &self.conditions
    }

    /// Returns the sets that are protected and do not observe, with their numbers.
    pub fn sources_for<'b>(
        &'b self,
        observer: &'b Observer,
    ) -> impl Iterator<Item = (usize, &'b [usize])> {
        let outside = |set: &&[usize]| !set.iter().any(|&node| observer.contains(node));
        let sets = self.sources.iter().map(Vec::as_slice).enumerate();
        sets.filter(move |(_, set)| outside(set))
    }

    /// Decides what is promised if an engine found this loss: the one place that does.
    ///
    /// A loss in a model of training promises nothing. What is promised is then the number of inputs (local differential
    /// privacy), which holds for any loss functions, and no more than the absorption bound `absorbed`, if steps are assumed
    /// to be Lipschitz.
    pub(crate) fn promise(&self, loss: &Loss, absorbed: Option<f64>) -> Promises {
        let any_losses = match loss.model() {
            LossModel::SingleInput => loss.number().clone(),
            _ => at_most(self.inputs as f64),
        };
        let lipschitz = match (&self.conditions.losses, loss.model(), absorbed) {
            (Losses::Lipschitz(_), LossModel::LipschitzSteps, _) => Some(loss.upper()),
            (Losses::Lipschitz(_), _, absorbed) => absorbed,
            _ => None,
        };
        Promises {
            promised: match lipschitz.filter(|&upper| upper < any_losses.upper()) {
                Some(upper) => at_most(upper),
                None => any_losses.clone(),
            },
            any_losses: (self.conditions.losses != Losses::None).then_some(any_losses),
        }
    }

    /// Returns the guarantee of this bound on these conditions.
    pub(crate) fn guarantee(
        &self,
        number: &Number,
        change: impl FnOnce(&mut Conditions),
    ) -> Guarantee {
        Guarantee::new(number.clone(), self.conditions.clone()).under(change)
    }

    /// Returns the names of nodes.
    pub(crate) fn names(&self, nodes: &[usize]) -> Vec<String> {
        let label = |&node: &usize| self.graph.label(node);
        nodes.iter().map(label).collect()
    }

    /// Returns the conditions for one set of sources towards one observer.
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
            view: match observer.knows_own_noise() {
                true => Knowledge::Full,
                false => Knowledge::Paper,
            },
            ..self.conditions.clone()
        }
    }
}

/// One source, or one group, towards one observer, in units of L.
#[derive(Clone, Debug)]
pub struct Pair {
    /// Who is protected: the number of the set in [`Question::sources`].
    pub source: usize,
    /// Who observes: the number in [`Question::observers`].
    pub observer: usize,
    /// The smallest distance between them on [`Protocol::graph`](muffliato_model::Protocol::graph); `None` if there is no path.
    pub distance: Option<usize>,
    /// What Theorem 1 says of the plain protocol, without fresh noise or acceleration. Refuted: it promises nothing.
    pub theorem_1: Option<Number>,
    /// What Corollary 1 says, where it is defined. Refuted, too.
    pub corollary_1: Option<Number>,
    /// The upper bound that is proved beside the loss: for gradient descent under Gaussian noise the absorption bound, whatever the loss
    /// functions are within their [Lipschitz constants](crate::Account::lipschitz); else what closed forms prove for any loss functions.
    pub proved: Option<f64>,
    /// The loss, which may be that of a model.
    pub loss: Loss,
    pub(crate) promises: Promises,
    pub(crate) question: Arc<Question>,
}

impl Pair {
    /// Returns what is promised.
    pub fn guarantee(&self) -> Guarantee {
        self.guarantee_of(&self.promises.promised, |conditions| {
            self.promises.refine(conditions);
        })
    }

    /// Returns what is promised for any loss functions; `None` for averaging, where there are none.
    pub fn guarantee_for_any_losses(&self) -> Option<Guarantee> {
        let number = self.promises.any_losses.as_ref()?;
        Some(self.guarantee_of(number, |conditions| conditions.losses = Losses::Any))
    }

    fn guarantee_of(&self, number: &Number, change: impl FnOnce(&mut Conditions)) -> Guarantee {
        let question = &self.question;
        let (sources, observer) = (
            &question.sources[self.source],
            &question.observers[self.observer],
        );
        let conditions = question.of_pair(sources, observer);
        Guarantee::new(number.clone(), conditions).under(change)
    }

    /// Returns the upper bound that is promised, in units of L.
    pub fn promised_upper(&self) -> f64 {
        self.promises.promised.upper()
    }

    /// Returns the upper bound that is promised as a short decimal, rounded up.
    pub fn promised_text(&self) -> String {
        self.promises.promised.rounded_up()
    }

    /// Converts what is promised to epsilons.
    ///
    /// # Errors
    ///
    /// If the size of the noise, the sensitivity or the delta is outside its range.
    pub fn epsilons(&self, epsilons: &mut Epsilons) -> Result<PairEpsilons, AccountError> {
        epsilons.of_promises(&self.promises, &self.loss)
    }
}

/// What one observer sees and learns.
#[derive(Clone, Debug)]
pub struct ObserverReport {
    /// Who observes: the number in [`Question::observers`].
    pub observer: usize,
    /// The messages that it receives, T_v.
    pub messages: usize,
    /// The rank of what it sees, where it is proved.
    pub rank: Option<usize>,
    /// The losses, sources in increasing order.
    pub pairs: Vec<Pair>,
}

/// Returns the nodes in increasing order, each once.
pub(crate) fn distinct(nodes: &[usize]) -> Vec<usize> {
    let mut nodes = nodes.to_vec();
    nodes.sort_unstable();
    nodes.dedup();
    nodes
}
