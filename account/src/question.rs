//! The words of a question: who observes, what is seen, who is protected; and of its answer.

use crate::{AccountError, Loss, Number};
use muffliato_model::Observer;
use std::str::FromStr;

/// Who observes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Observers {
    /// Every node where there are at most 2000, else a sample of 16.
    #[default]
    Auto,
    /// Every node.
    All,
    /// So many nodes, spread over the graph. A maximum over them promises nothing about the others.
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

/// What an observer sees.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sight {
    /// The messages that it receives and the noise that it drew.
    #[default]
    Full,
    /// The messages that it receives, as in the paper.
    Paper,
}

impl Sight {
    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Full => "full",
            Self::Paper => "paper",
        }
    }

    /// One node that sees this.
    pub fn observer(self, node: usize) -> Observer {
        match self {
            Self::Full => Observer::full(node),
            Self::Paper => Observer::paper(node),
        }
    }
}

impl FromStr for Sight {
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

/// Whose losses towards whom, in nodes.
#[derive(Clone, Debug, PartialEq)]
pub struct Question {
    /// Those who observe.
    pub observers: Vec<Observer>,
    /// Sets of nodes that are protected together; single nodes unless a group was asked for.
    pub sources: Vec<Vec<usize>>,
    /// What each observer sees.
    pub sight: Sight,
    /// Of how many observers these are a sample; `None` if they are all who were asked about.
    pub sample_of: Option<usize>,
}

/// One source, or one group, towards one observer, in units of L.
#[derive(Clone, Debug, PartialEq)]
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
    /// What is proved beside the loss: for gradient descent under Gaussian noise the absorption bound, whatever the loss functions are within
    /// their [Lipschitz constants](crate::Account::lipschitz); else what closed forms prove for any loss functions.
    pub proved: Option<Loss>,
    /// The loss.
    pub loss: Loss,
}

/// What one observer sees and learns.
#[derive(Clone, Debug, PartialEq)]
pub struct Towards {
    /// Who observes: the number in [`Question::observers`].
    pub observer: usize,
    /// The messages that it receives, T_v.
    pub messages: usize,
    /// The rank of what it sees, where it is proved.
    pub rank: Option<usize>,
    /// The losses, sources in increasing order.
    pub pairs: Vec<Pair>,
}

impl Question {
    /// The sets that are protected and do not observe, with their numbers.
    pub fn sources_for<'b>(
        &'b self,
        observer: &'b Observer,
    ) -> impl Iterator<Item = (usize, &'b [usize])> {
        let outside = |set: &&[usize]| !set.iter().any(|&node| observer.contains(node));
        let sets = self.sources.iter().map(Vec::as_slice).enumerate();
        sets.filter(move |(_, set)| outside(set))
    }
}

/// In increasing order, each once.
pub(crate) fn distinct(nodes: &[usize]) -> Vec<usize> {
    let mut nodes = nodes.to_vec();
    nodes.sort_unstable();
    nodes.dedup();
    nodes
}
