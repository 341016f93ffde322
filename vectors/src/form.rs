//! The JSON form of the vectors: files, cases, questions and answers.
//!
//! A protocol is a [`ProtocolRecord`], as in a certificate. Numbers that are not whole are strings such as `"3/4"`.

use muffliato_model::{NetworkRecord, Observer, ProtocolRecord};
use serde::{Deserialize, Serialize};
use std::error::Error;

/// A file of vectors about one topic.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct File {
    /// Version of the format.
    pub version: u32,
    /// Program that wrote the file.
    pub generator: String,
    /// Name of the topic; also the name of the file and of its schema.
    pub topic: String,
    /// Section of the specification that the topic tests.
    pub clause: String,
    /// One sentence about the topic.
    pub about: String,
    /// The cases.
    pub cases: Vec<Case>,
}

/// A question with its answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Case {
    /// Unique name of the case; it begins with the topic.
    pub id: String,
    /// Known errors that the case catches.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub flags: Vec<String>,
    /// Clause of the specification that it tests, where that is not the clause of the file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clause: Option<String>,
    /// The question to a program.
    pub question: Question,
    /// The right answer.
    pub answer: Answer,
}

/// A question, named by its field `ask`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "ask", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Question {
    /// The gossip matrix of a network, or a refusal.
    Weights {
        /// Number of nodes.
        nodes: usize,
        /// Graph and weights.
        network: NetworkRecord,
    },
    /// The coefficients of a node's state at a time over all draws.
    Coefficients {
        /// The protocol.
        protocol: ProtocolRecord,
        /// A time; the message of that time if it is below T, the output at T.
        time: usize,
        /// The node.
        node: usize,
    },
    /// The exact loss of the sources together, in units of L.
    Loss {
        /// The protocol.
        protocol: ProtocolRecord,
        /// View of the observers: with or without their own noise.
        view: ViewForm,
        /// The observing nodes.
        observers: Vec<usize>,
        /// The protected nodes.
        sources: Vec<usize>,
        /// Scalars in [-1, 1], or vectors of length at most 1 in any dimension.
        inputs: Inputs,
    },
    /// The bound for masked protocols and any losses, in units of L.
    MaskedBound {
        /// The protocol.
        protocol: ProtocolRecord,
        /// The observing nodes.
        observers: Vec<usize>,
        /// The protected nodes.
        sources: Vec<usize>,
    },
    /// The absorption bound for given fractions, in units of L, or a refusal if a deviation is heard.
    AbsorptionBound {
        /// The protocol.
        protocol: ProtocolRecord,
        /// The observing nodes.
        observers: Vec<usize>,
        /// The protected nodes.
        sources: Vec<usize>,
        /// The Lipschitz constant of every step.
        lipschitz: String,
        /// Time, node and the fraction that is absorbed there; 0 elsewhere.
        fractions: Vec<(usize, usize, String)>,
    },
    /// A formula of the paper, as printed, in units of L.
    Formula {
        /// Name of the formula.
        name: String,
        /// The protocol.
        protocol: ProtocolRecord,
        /// The observing nodes.
        observers: Vec<usize>,
        /// The protected nodes; empty for a mean over all of them.
        sources: Vec<usize>,
    },
    /// A guarantee of Gaussian noise, from a leakage.
    Guarantee {
        /// Loss in units of L.
        leakage: String,
        /// Sensitivity of an input.
        sensitivity: String,
        /// Standard deviation of the noise.
        sigma: String,
        /// Quantity that is asked for.
        want: Quantity,
    },
    /// The Renyi loss of rounds whose records are sampled in secret, from the leakage of a round.
    SampledRenyi {
        /// Loss of a round that uses the record, in units of L.
        leakage: String,
        /// Sensitivity of an input to one record.
        sensitivity: String,
        /// Standard deviation of the noise.
        sigma: String,
        /// Probability that a round uses a record.
        rate: String,
        /// Number of rounds.
        rounds: usize,
        /// The order, a whole number.
        order: usize,
    },
    /// The Renyi loss of order 2 of one record of the source, for fixed gradients and a sensitivity of sigma: added against left out.
    SampledLoss {
        /// The protocol, with its rate of sampling.
        protocol: ProtocolRecord,
        /// The observing nodes.
        observers: Vec<usize>,
        /// The protected node.
        source: usize,
    },
    /// The smallest delta at this epsilon of discrete Gaussian noise that is shifted by whole steps.
    DiscreteGaussian {
        /// Parameter of the noise, in steps.
        sigma: String,
        /// The shift, in steps.
        shift: u32,
        /// The epsilon.
        epsilon: String,
    },
    /// The largest difference of scalar inputs after rounding to a grid, in steps.
    RoundedInputs {
        /// The difference before rounding, in steps of the grid.
        steps: String,
    },
    /// A verdict on a certificate: "accept" if it proves its claim, otherwise "refuse".
    Certificate {
        /// The certificate, as text.
        text: String,
    },
    /// The graph that a file describes, or a refusal.
    GraphFile {
        /// The file, as text.
        text: String,
    },
}

/// Quantity that follows from a Gaussian shift.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Quantity {
    /// The Renyi loss of this order.
    Rdp(String),
    /// The zero-concentrated loss.
    Zcdp,
    /// The parameter of Gaussian differential privacy.
    Mu,
    /// The smallest delta at this epsilon.
    Delta(String),
    /// The smallest epsilon at this delta.
    Epsilon(String),
    /// The epsilon that Mironov's conversion gives at an order and a delta.
    MironovEpsilon(String, String),
    /// The epsilon that the conversion of Canonne, Kamath and Steinke gives at an order and a delta.
    RenyiEpsilon(String, String),
}

/// Knowledge of an observer beside its messages and masks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ViewForm {
    /// The noise that it drew itself.
    Full,
    /// Nothing, as printed in the paper.
    Paper,
    /// Only the weighted sum of the messages of each step, and the noise that it drew itself.
    Sum,
}

/// Inputs that a loss is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Inputs {
    /// Numbers that move by at most 1.
    Scalars,
    /// Vectors that move by at most 1, in any dimension.
    Vectors,
}

/// The right answer to a question.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Answer {
    /// A number.
    Number {
        /// The exact value, where it is rational and known.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        value: Option<String>,
        /// A decimal that is not above it.
        below: String,
        /// A decimal that is not below it.
        above: String,
    },
    /// The rows of a matrix, or one row of coefficients.
    Rows {
        /// The rows.
        rows: Vec<Vec<String>>,
    },
    /// A graph.
    Graph {
        /// Names of the nodes, in their order.
        nodes: Vec<String>,
        /// Edges as pairs of places in `nodes`.
        edges: Vec<(usize, usize)>,
        /// `true` if a refusal is right, too.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        or_refuse: bool,
    },
    /// Acceptance or refusal.
    Verdict {
        /// Which of the two.
        verdict: Verdict,
        /// Why.
        reason: String,
    },
}

impl Answer {
    /// Returns a refusal with its reason.
    pub(crate) fn refusal(reason: impl ToString) -> Self {
        Self::Verdict { verdict: Verdict::Refuse, reason: reason.to_string() }
    }
}

/// Acceptance or refusal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// The claim is proved.
    Accept,
    /// The question has no answer, or the claim is not proved.
    Refuse,
}

type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// Builds the observer of a view.
pub fn observer(view: ViewForm, members: &[usize]) -> Result<Observer> {
    match (view, members) {
        (ViewForm::Full, members) => Ok(Observer::coalition(members.iter().copied())?),
        (ViewForm::Paper, &[member]) => Ok(Observer::paper(member)),
        (ViewForm::Sum, members) => Ok(Observer::sums(members.iter().copied())?),
        (ViewForm::Paper, _) => Err("the paper's view is that of one observer".into()),
    }
}
