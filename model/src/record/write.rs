//! From protocols to their records.

use super::{Digits, MasksRecord, NetworkRecord, ProtocolRecord, WeightsRecord, Whole};
use crate::{Fraction, Graph, Network, Protocol, Schedule, UniformNoise, WeightScheme};
use serde::{Serialize, Serializer};

impl From<&Protocol> for ProtocolRecord {
    fn from(protocol: &Protocol) -> Self {
        let graph = protocol.masks().and_then(|masks| masks.graph());
        let edges = graph.map(|graph| graph.edges().collect());
        let (sizes, plan) = match protocol.uniform() {
            Ok(sizes) => (sizes, None),
            Err(_) => {
                let plan = protocol.plan_on(graph);
                // Masks on the edges that gossip have one size.
                let kappa = protocol.masks().filter(|masks| masks.graph().is_none());
                let kappa = kappa.and_then(|masks| masks.variances.deviation());
                (UniformNoise { tau: None, kappa }, Some(plan))
            }
        };
        let mut record = Self {
            nodes: protocol.nodes(),
            rounds: protocol.rounds(),
            gossip_steps: protocol.gossip_steps(),
            refresh: sizes.tau,
            acceleration: protocol.acceleration(),
            masks: sizes.kappa.map(|kappa| MasksRecord { kappa, edges }),
            plan,
            reaction: protocol.reaction().map(<[Fraction]>::to_vec),
            every: (protocol.period() > 1).then(|| protocol.period()),
            sample: protocol.sampling(),
            ..Self::default()
        };
        let first = match protocol.schedule() {
            Schedule::Fixed(network) => {
                record.network = Some(network.into());
                network.graph()
            }
            Schedule::Varying { networks, each } => {
                record.networks = Some(networks.iter().map(NetworkRecord::from).collect());
                record.each = Some(*each);
                networks[0].graph()
            }
            Schedule::EdgeSequence { graph, edges } => {
                record.network = Some(NetworkRecord::new(graph, "metropolis"));
                record.averages = Some(edges.clone());
                graph
            }
        };
        record.labels = first.labels().map(<[String]>::to_vec);
        record
    }
}

impl Serialize for Protocol {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        ProtocolRecord::from(self).serialize(to)
    }
}

impl From<&Network> for NetworkRecord {
    fn from(network: &Network) -> Self {
        let graph = network.graph();
        Self {
            edges: graph.edges().collect(),
            weights: WeightsRecord::new(graph, network.weights()),
        }
    }
}

impl NetworkRecord {
    /// Creates the record of a graph with a named weight scheme.
    pub fn new(graph: &Graph, scheme: &str) -> Self {
        Self { edges: graph.edges().collect(), weights: WeightsRecord::Scheme(scheme.into()) }
    }
}

impl WeightsRecord {
    /// Creates the record of the weights of a graph.
    pub fn new(graph: &Graph, weights: &WeightScheme) -> Self {
        match weights {
            WeightScheme::Custom(custom) => {
                let mut off_diagonal = custom.off_diagonal().iter();
                let mut entries = Vec::new();
                for (v, &own) in custom.diagonal().iter().enumerate() {
                    entries.push((v, v, Whole(own)));
                    entries.extend(
                        graph
                            .neighbours(v)
                            .zip(&mut off_diagonal)
                            .map(|(w, &numerator)| (v, w, Whole(numerator))),
                    );
                }
                Self::Custom { denominator: Whole(custom.denominator()), entries }
            }
            WeightScheme::Lazy(inner) => match Self::new(graph, inner) {
                Self::Scheme(_) => Self::Scheme(weights.to_string()),
                inner => Self::Lazy { lazy: Box::new(inner) },
            },
            scheme => Self::Scheme(scheme.to_string()),
        }
    }
}

impl Serialize for Fraction {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl From<Whole> for Digits {
    fn from(Whole(number): Whole) -> Self {
        i64::try_from(number).map_or_else(|_| Self::Long(number.to_string()), Self::Short)
    }
}
