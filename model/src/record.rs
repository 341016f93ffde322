//! Protocols on file: one serde form, shared by certificates, test vectors and saved cases.

mod write;

use crate::{
    CustomWeights, Fraction, Graph, GraphError, Network, NoisePlan, Protocol, ProtocolError,
    WeightError, WeightScheme,
};
use serde::de;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A protocol on file, the form in which [`Protocol`] is serialized. Reading a record checks its fields
/// but not their meaning; [`ProtocolRecord::build`] does.
///
/// | field | meaning |
/// | --- | --- |
/// | `nodes`, `rounds`, `gossip_steps` | n, the rounds R, the gossip steps K of each; T = R K |
/// | `labels` | the names of the nodes, in order and all different; without them nodes are called by their numbers |
/// | `network` | `edges`, a list of pairs, and `weights`: the name of a scheme, such as `"metropolis"`, `{"denominator": d, "entries": [[row, column, numerator], ...]}` with all entries that are not 0, or `{"lazy": WEIGHTS}` for the lazy version of such a matrix |
/// | `networks`, `each` | or: one network after the other, each for this many steps |
/// | `averages` | or: the edge that averages at each step, with `network` for the graph |
/// | `refresh` | tau: fresh noise of deviation `tau sigma` at every step without inputs |
/// | `acceleration` | g of the Chebyshev recursion |
/// | `masks` | `kappa`: neighbours share masks of deviation `kappa sigma` at inputs; `edges`: the mask graph, if it is not the network's |
/// | `plan` | in place of `refresh` and `masks`, variances in units of `sigma^2`: `nodes`: of the noise of each node at inputs; `masks`: `[a, b, variance]` with a < b, for each edge of the mask graph, which may be left out beside `masks`; `fresh`: of the fresh noise of each node |
/// | `reaction` | a factor for each node that multiplies its state at inputs (quadratic losses) |
/// | `every` | b: the data of a user is used in every b-th round, that is in the rounds r with r mod b its phase |
/// | `sample` | the rate of secret sampling |
///
/// All but the first three and the network are optional. Numbers that may be fractions are strings such
/// as `"3/4"` or `"0.75"`, and so are whole numbers of more than 64 bits.
///
/// ```
/// use muffliato_model::Protocol;
///
/// let text = r#"{"nodes":3,"rounds":1,"gossip_steps":2,"network":{"edges":[[0,1],[1,2]],"weights":"metropolis"},"refresh":"1/10"}"#;
/// let protocol: Protocol = serde_json::from_str(text)?;
/// assert_eq!((protocol.nodes(), protocol.steps()), (3, 2));
/// assert_eq!(serde_json::to_string(&protocol)?, text);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs, reason = "the table says what the fields are")]
pub struct ProtocolRecord {
    pub nodes: usize,
    pub rounds: usize,
    pub gossip_steps: usize,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub labels: Option<Vec<String>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub network: Option<NetworkRecord>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub networks: Option<Vec<NetworkRecord>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub each: Option<usize>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub averages: Option<Vec<(usize, usize)>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refresh: Option<Fraction>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub acceleration: Option<Fraction>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub masks: Option<MasksRecord>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plan: Option<NoisePlan>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reaction: Option<Vec<Fraction>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub every: Option<usize>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sample: Option<Fraction>,
}

/// A network on file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NetworkRecord {
    /// The edges as pairs of nodes.
    pub edges: Vec<(usize, usize)>,
    /// The weights.
    pub weights: WeightsRecord,
}

/// Weights on file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(
    untagged,
    deny_unknown_fields,
    expecting = "weights are the name of a weight scheme, or an object with a denominator and entries [row, column, \
                 numerator] (whole numbers, as strings if they have more than 64 bits), or with lazy weights"
)]
pub enum WeightsRecord {
    /// The name of a scheme.
    Scheme(String),
    /// A matrix over a common denominator; entries that are not given are 0.
    Custom {
        /// The denominator.
        denominator: Whole,
        /// Row, column and numerator.
        entries: Vec<(usize, usize, Whole)>,
    },
    /// The lazy version of other weights.
    Lazy {
        /// The other weights.
        lazy: Box<WeightsRecord>,
    },
}

/// Masks on file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MasksRecord {
    /// The standard deviation of a mask, in units of sigma.
    pub kappa: Fraction,
    /// The edges of the mask graph, if it is not the network's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub edges: Option<Vec<(usize, usize)>>,
}

/// Variances of masks on file: the two ends of each edge, and the variance.
pub(crate) mod of_edges {
    use super::{Deserialize, Deserializer, Fraction, Serializer};

    type Masks = Vec<((usize, usize), Fraction)>;

    pub fn serialize<S: Serializer>(masks: &Masks, to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(masks.iter().map(|&((a, b), variance)| (a, b, variance)))
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Masks, D::Error> {
        let read = Vec::<(usize, usize, Fraction)>::deserialize(from)?.into_iter();
        Ok(read.map(|(a, b, variance)| ((a, b), variance)).collect())
    }
}

/// A record that does not describe a protocol.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RecordError {
    /// The edges or the labels are invalid.
    #[error(transparent)]
    Graph(#[from] GraphError),
    /// The weights are invalid.
    #[error(transparent)]
    Weights(#[from] WeightError),
    /// A parameter is invalid.
    #[error(transparent)]
    Protocol(#[from] ProtocolError),
    /// Neither or both of `network` and `networks` are given.
    #[error("a protocol has either a network or networks; give one of the two fields")]
    Schedule,
    /// The numbers of networks, rounds and steps do not fit.
    #[error("give one of networks for each round, or one for each step of one round")]
    Networks,
    /// A noise plan and another field give sizes of the same draws.
    #[error(
        "a plan gives the sizes of fresh noise and masks; leave out refresh, and masks or those of the plan"
    )]
    Plan,
    /// The numbers of averages and steps do not fit.
    #[error("give one of averages for each step of one round")]
    Averages,
}

impl ProtocolRecord {
    /// Creates the record of `rounds` rounds of `gossip_steps` steps on one network.
    pub fn on_network(
        nodes: usize,
        network: NetworkRecord,
        rounds: usize,
        gossip_steps: usize,
    ) -> Self {
        Self { nodes, rounds, gossip_steps, network: Some(network), ..Self::default() }
    }

    /// Builds the protocol. Takes time and memory in proportion to `nodes`, which callers bound for files of strangers.
    ///
    /// # Errors
    ///
    /// Returns an error if the record does not describe a protocol.
    pub fn build(&self) -> Result<Protocol, RecordError> {
        let mut labels = self.labels.as_ref();
        let mut network =
            |record: &NetworkRecord| record.labelled(self.nodes, labels.take().cloned());
        let mut protocol = match (&self.network, &self.networks) {
            (Some(record), None) if self.each.is_none() => {
                let network = network(record)?;
                match &self.averages {
                    None => Protocol::gradient_descent(network, self.rounds, self.gossip_steps)?,
                    Some(edges) if self.rounds == 1 && edges.len() == self.gossip_steps => {
                        Protocol::randomized(network.shared_graph(), edges.clone())?
                    }
                    Some(_) => return Err(RecordError::Averages),
                }
            }
            (None, Some(records)) if self.averages.is_none() => {
                let networks = records.iter().map(network).collect::<Result<Vec<_>, _>>()?;
                match self.each {
                    Some(1) if self.rounds == 1 && networks.len() == self.gossip_steps => {
                        Protocol::time_varying(networks)?
                    }
                    Some(each) if each == self.gossip_steps && networks.len() == self.rounds => {
                        Protocol::gradient_descent_on(networks, each)?
                    }
                    _ => return Err(RecordError::Networks),
                }
            }
            _ => return Err(RecordError::Schedule),
        };
        if let Some(plan) = &self.plan {
            if self.refresh.is_some() || (self.masks.is_some() && !plan.masks.is_empty()) {
                return Err(RecordError::Plan);
            }
            protocol = protocol.with_plan(plan.clone())?;
        }
        if let Some(tau) = self.refresh {
            protocol = protocol.refreshed(tau)?;
        }
        if let Some(g) = self.acceleration {
            protocol = protocol.accelerated(g)?;
        }
        if let Some(MasksRecord { kappa, edges }) = &self.masks {
            protocol = match edges {
                None => protocol.masked(*kappa)?,
                Some(edges) => {
                    let graph = Graph::try_new(self.nodes, edges.iter().copied())?;
                    protocol.masked_on(graph, *kappa)?
                }
            };
        }
        if let Some(factors) = &self.reaction {
            protocol = protocol.reacting(factors.clone())?;
        }
        if let Some(period) = self.every {
            protocol = protocol.every(period)?;
        }
        if let Some(rate) = self.sample {
            protocol = protocol.sampled(rate)?;
        }
        Ok(protocol)
    }
}

impl<'de> Deserialize<'de> for Protocol {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        ProtocolRecord::deserialize(from)?.build().map_err(de::Error::custom)
    }
}

impl NetworkRecord {
    /// Builds the network.
    ///
    /// # Errors
    ///
    /// Returns an error if the edges or the weights are invalid.
    pub fn build(&self, nodes: usize) -> Result<Network, RecordError> {
        self.labelled(nodes, None)
    }

    fn labelled(&self, nodes: usize, labels: Option<Vec<String>>) -> Result<Network, RecordError> {
        let mut graph = Graph::try_new(nodes, self.edges.iter().copied())?;
        if let Some(labels) = labels {
            graph = graph.with_labels(labels)?;
        }
        let scheme = self.weights.build(&graph)?;
        Ok(Network::try_new(graph, scheme)?)
    }
}

impl WeightsRecord {
    /// Builds the weights of a graph.
    ///
    /// # Errors
    ///
    /// Returns an error if the name is unknown or the matrix is not symmetric and stochastic on the graph.
    pub fn build(&self, graph: &Graph) -> Result<WeightScheme, WeightError> {
        Ok(match self {
            Self::Scheme(name) => name.parse()?,
            Self::Custom { denominator, entries } => WeightScheme::Custom(CustomWeights::try_new(
                graph,
                denominator.0,
                entries.iter().map(|&(v, w, Whole(numerator))| (v, w, numerator)),
            )?),
            Self::Lazy { lazy } => WeightScheme::Lazy(Box::new(lazy.build(graph)?)),
        })
    }
}

/// A whole number on file: a string if it has more than 64 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Digits", into = "Digits")]
pub struct Whole(pub i128);

#[derive(Serialize, Deserialize)]
#[serde(untagged, expecting = "a whole number, as a string if it has more than 64 bits")]
enum Digits {
    Short(i64),
    Unsigned(u64),
    Long(String),
}

impl TryFrom<Digits> for Whole {
    type Error = String;

    fn try_from(digits: Digits) -> Result<Self, String> {
        match digits {
            Digits::Short(number) => Ok(Self(number.into())),
            Digits::Unsigned(number) => Ok(Self(number.into())),
            Digits::Long(text) => {
                text.parse().map(Self).map_err(|_| format!("{text:?} is no whole number"))
            }
        }
    }
}

impl<'de> Deserialize<'de> for Fraction {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        String::deserialize(from)?.parse().map_err(de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::families;

    #[derive(Deserialize)]
    #[serde(tag = "ask", rename_all = "lowercase")]
    enum Question {
        Loss { protocol: Protocol },
    }

    /// Covers every kind of protocol with all its options.
    #[test]
    fn protocols_survive_a_round_trip() {
        let fraction = |text: &str| text.parse::<Fraction>().unwrap();
        let names = ["a", "b", "c", "d", "e"].map(String::from);
        let graph = families::ring(5).unwrap().with_labels(names.to_vec()).unwrap();
        let half = (0..5).flat_map(|v| [(v, v, 2), (v, (v + 1) % 5, 1), ((v + 1) % 5, v, 1)]);
        let custom = WeightScheme::Custom(CustomWeights::try_new(&graph, 4, half).unwrap());
        let lazy = WeightScheme::Lazy(Box::new(custom.clone()));
        let long = 1 << 100;
        let entries =
            (0..5).flat_map(|v| [(v, v, 2 * long), (v, (v + 1) % 5, long), ((v + 1) % 5, v, long)]);
        let long = WeightScheme::Custom(CustomWeights::try_new(&graph, 4 * long, entries).unwrap());
        let plain = families::ring(5).unwrap();
        let network = |weights| Network::try_new(graph.clone(), weights).unwrap();
        let second = Network::try_new(plain, lazy).unwrap();
        let networks = vec![network(WeightScheme::Metropolis), second];
        let fixed = Protocol::gradient_descent(network(custom), 4, 2).unwrap();
        let plan = NoisePlan {
            nodes: ["1", "0", "2/3", "1", "5"].map(fraction).to_vec(),
            masks: vec![((0, 3), fraction("2")), ((1, 2), fraction("1/7"))],
            fresh: ["1", "0", "0", "1/9", "2"].map(fraction).to_vec(),
        };
        let reacting = fixed.clone().reacting(vec![fraction("-1/2"); 5]).unwrap();
        let protocols = [
            fixed.clone(),
            Protocol::one_shot(network(long), 3).unwrap(),
            fixed.clone().every(3).unwrap(),
            fixed.clone().sampled(fraction("1/10")).unwrap(),
            fixed.clone().masked(fraction("3/2")).unwrap(),
            fixed.clone().with_plan(plan.clone()).unwrap(),
            Protocol::gradient_descent_on(networks.clone(), 3)
                .unwrap()
                .with_plan(NoisePlan { masks: vec![], ..plan })
                .unwrap()
                .masked(fraction("2"))
                .unwrap(),
            reacting.accelerated(fraction("5/4")).unwrap(),
            Protocol::time_varying(networks.clone()).unwrap(),
            Protocol::gradient_descent_on(networks, 3).unwrap(),
            Protocol::randomized(graph, vec![(0, 1), (4, 0), (0, 1)])
                .unwrap()
                .masked_on(families::complete(5).unwrap(), fraction("2"))
                .unwrap(),
        ];
        for plain in protocols {
            let refreshed = plain.clone().refreshed(fraction("1/10")).unwrap();
            for protocol in [plain, refreshed] {
                let text = serde_json::to_string(&protocol).unwrap();
                assert_eq!(serde_json::from_str::<Protocol>(&text).unwrap(), protocol, "{text}");
                // Tagged forms read their fields from a buffer.
                let text = format!(r#"{{"ask":"loss","protocol":{text}}}"#);
                let Question::Loss { protocol: read } = serde_json::from_str(&text).unwrap();
                assert_eq!(read, protocol, "{text}");
            }
        }
    }

    #[test]
    fn wrong_records_are_refused() {
        let with = |fields: &str| {
            let text = format!(r#"{{"nodes":3,"gossip_steps":2,{fields}}}"#);
            serde_json::from_str::<Protocol>(&text).unwrap_err().to_string()
        };
        let path = r#""edges":[[0,1],[1,2]]"#;
        let network = format!(r#""rounds":1,"network":{{{path},"weights":"metropolis"}}"#);
        for (fields, named) in [
            (r#""rounds":1"#.into(), "either a network or networks"),
            (format!("{network},\"networks\":[]"), "either a network or networks"),
            (format!("{network},\"each\":2"), "either a network or networks"),
            (r#""rounds":1,"networks":[],"each":2"#.into(), "one of networks for each"),
            (format!("{network},\"averages\":[[0,1]]"), "one of averages for each"),
            (format!("{network},\"averages\":[[0,1],[0,2]]"), "0-2"),
            (network.replace("metropolis", "metro"), "not a weight scheme"),
            (network.replace("\"metropolis\"", "{\"entries\":[]}"), "denominator"),
            (network.replace("\"metropolis\"", "{\"denominator\":3}"), "entries"),
            (network.replace("\"metropolis\"", "3"), "name of a weight scheme"),
            (
                network.replace("\"metropolis\"", r#"{"denominator":"x","entries":[]}"#),
                "whole number",
            ),
            (network.replace("[1,2]", "[1,3]"), "3"),
            (format!("{network},\"labels\":[\"a\"]"), "label"),
            (format!("{network},\"refresh\":0.1"), "a string"),
            (format!("{network},\"refresh\":\"0\""), "must be positive"),
            (format!("{network},\"masks\":{{\"kappa\":\"1/0\"}}"), "1/0"),
            (format!("{network},\"plan\":{{\"nodes\":[\"1\"]}}"), "1 node variances"),
            (
                format!("{network},\"refresh\":\"1\",\"plan\":{{\"nodes\":[\"1\",\"1\",\"1\"]}}"),
                "leave out refresh",
            ),
            (format!("{network},\"period\":3"), "unknown field `period`"),
            (network.replace("\"rounds\":1,", ""), "missing field `rounds`"),
            (format!("{network},\"rounds\":1"), "duplicate field `rounds`"),
        ] {
            let refused = with(&fields);
            assert!(refused.contains(named), "{fields}: {refused}");
        }
    }
}
