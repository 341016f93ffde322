//! The JSON form of the vectors: files, cases, questions and answers.
//!
//! A protocol has the form that it has in a certificate (`muffliato-certificate` documents its fields). Numbers that are not whole are strings such as `"3/4"`.

use muffliato_model::{CustomWeights, Fraction, Graph, Network, Observer, Protocol, WeightScheme};
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
    /// What a program is asked.
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
        network: NetworkForm,
    },
    /// The coefficients of a node's state at a time over all draws.
    Coefficients {
        /// The protocol.
        protocol: ProtocolForm,
        /// A time; the message of that time if it is below T, the output at T.
        time: usize,
        /// The node.
        node: usize,
    },
    /// The exact loss of the sources together, in units of L.
    Loss {
        /// The protocol.
        protocol: ProtocolForm,
        /// Whether the observers know their own noise.
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
        protocol: ProtocolForm,
        /// The observing nodes.
        observers: Vec<usize>,
        /// The protected nodes.
        sources: Vec<usize>,
    },
    /// The absorption bound for given fractions, in units of L, or a refusal if a deviation is heard.
    AbsorptionBound {
        /// The protocol.
        protocol: ProtocolForm,
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
        protocol: ProtocolForm,
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
    /// The smallest delta at this epsilon of discrete Gaussian noise that is shifted by whole steps.
    DiscreteGaussian {
        /// Parameter of the noise, in steps.
        sigma: String,
        /// The shift, in steps.
        shift: u32,
        /// The epsilon.
        epsilon: String,
    },
    /// By how many steps scalar inputs differ at most after they were rounded to a grid.
    RoundedInputs {
        /// By how much they differ before, in steps of the grid.
        steps: String,
    },
    /// Whether a certificate proves its claim: "accept" or "refuse".
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

/// What an observer knows beside its messages and masks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ViewForm {
    /// The noise that it drew itself.
    Full,
    /// Nothing, as printed in the paper.
    Paper,
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
        /// Whether a refusal is right, too.
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

/// Acceptance or refusal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// The claim is proved.
    Accept,
    /// The question has no answer, or the claim is not proved.
    Refuse,
}

/// Graph and weights.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NetworkForm {
    /// Edges as pairs of nodes.
    pub edges: Vec<(usize, usize)>,
    /// The weights.
    pub weights: WeightsForm,
}

/// Weights of a network.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum WeightsForm {
    /// `metropolis`, `max-degree-inverse`, or one of them after `lazy:`.
    Scheme(String),
    /// All entries that are not 0, over a common denominator.
    Custom {
        /// The denominator.
        denominator: i64,
        /// Row, column and numerator.
        entries: Vec<(usize, usize, i64)>,
    },
}

/// Masks of a protocol.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MasksForm {
    /// Standard deviation of a mask, in units of sigma.
    pub kappa: String,
    /// The mask graph, if it is not the network's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub edges: Option<Vec<(usize, usize)>>,
}

/// A protocol.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ProtocolForm {
    /// Number of nodes.
    pub nodes: usize,
    /// Number of rounds, each of which begins with an input.
    pub rounds: usize,
    /// Gossip steps of a round.
    pub gossip_steps: usize,
    /// The network of all steps, or the graph that `averages` run on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub network: Option<NetworkForm>,
    /// In place of `network`: one network after the other, each for so many steps.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub networks: Option<Vec<NetworkForm>>,
    /// For how many steps each of `networks` is used.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub each: Option<usize>,
    /// The edge that averages at each step (randomized gossip).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub averages: Option<Vec<(usize, usize)>>,
    /// Standard deviation of fresh noise at every step without an input, in units of sigma.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refresh: Option<String>,
    /// The factor g of the Chebyshev recursion.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub acceleration: Option<String>,
    /// Masks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub masks: Option<MasksForm>,
    /// A factor for each node that multiplies its state before the inputs of later rounds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reaction: Option<Vec<String>>,
    /// The data of a node is used in every so many rounds, in a phase of its own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub every: Option<usize>,
}

type Result<T> = std::result::Result<T, Box<dyn Error>>;

impl NetworkForm {
    /// Returns the form of a graph with a named scheme.
    pub fn of(graph: &Graph, scheme: &str) -> Self {
        Self {
            edges: graph.edges().collect(),
            weights: WeightsForm::Scheme(scheme.into()),
        }
    }

    /// Builds the network; an error names what is wrong with it.
    pub fn build(&self, nodes: usize) -> Result<Network> {
        let graph = Graph::try_new(nodes, self.edges.iter().copied())?;
        let scheme = match &self.weights {
            WeightsForm::Scheme(name) => name.parse()?,
            WeightsForm::Custom {
                denominator,
                entries,
            } => {
                let entries = entries.iter().map(|&(v, w, above)| (v, w, above.into()));
                let weights = CustomWeights::try_new(&graph, (*denominator).into(), entries)?;
                WeightScheme::Custom(weights)
            }
        };
        Ok(Network::try_new(graph, scheme)?)
    }
}

impl ProtocolForm {
    /// Returns the form of rounds of gossip steps on one network.
    pub fn rounds(nodes: usize, network: NetworkForm, rounds: usize, gossip_steps: usize) -> Self {
        Self {
            nodes,
            rounds,
            gossip_steps,
            network: Some(network),
            ..Self::default()
        }
    }

    /// Builds the protocol; an error names what is wrong with it.
    pub fn build(&self) -> Result<Protocol> {
        let network = self.network.as_ref();
        let network = network
            .map(|network| network.build(self.nodes))
            .transpose()?;
        let mut protocol = match (network, &self.networks, &self.averages) {
            (Some(network), None, None) => {
                Protocol::gradient_descent(network, self.rounds, self.gossip_steps)?
            }
            (Some(network), None, Some(edges)) => {
                Protocol::randomized(network.shared_graph(), edges.clone())?
            }
            (None, Some(networks), None) => {
                let networks = networks.iter().map(|network| network.build(self.nodes));
                let networks = networks.collect::<Result<Vec<_>>>()?;
                match self.each == Some(1) && self.rounds == 1 {
                    true => Protocol::time_varying(networks)?,
                    false => Protocol::gradient_descent_on(networks, self.gossip_steps)?,
                }
            }
            _ => return Err("a protocol has either a network or networks".into()),
        };
        if let Some(tau) = &self.refresh {
            protocol = protocol.refreshed(tau.parse()?)?;
        }
        if let Some(g) = &self.acceleration {
            protocol = protocol.accelerated(g.parse()?)?;
        }
        if let Some(masks) = &self.masks {
            let kappa = masks.kappa.parse()?;
            protocol = match &masks.edges {
                None => protocol.masked(kappa)?,
                Some(edges) => {
                    let graph = Graph::try_new(self.nodes, edges.iter().copied())?;
                    protocol.masked_on(graph, kappa)?
                }
            };
        }
        if let Some(factors) = &self.reaction {
            let factors = factors.iter().map(|factor| factor.parse());
            protocol =
                protocol.reacting(factors.collect::<std::result::Result<Vec<Fraction>, _>>()?)?;
        }
        if let Some(period) = self.every {
            protocol = protocol.every(period)?;
        }
        Ok(protocol)
    }
}

/// Builds the observer of a view.
pub fn observer(view: ViewForm, members: &[usize]) -> Result<Observer> {
    match (view, members) {
        (ViewForm::Full, members) => Ok(Observer::coalition(members.iter().copied())?),
        (ViewForm::Paper, &[member]) => Ok(Observer::paper(member)),
        (ViewForm::Paper, _) => Err("the paper's view is that of one observer".into()),
    }
}
