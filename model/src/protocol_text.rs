//! The textual form of a complete protocol, one fact per line.
//!
//! | line | what |
//! | --- | --- |
//! | `network GRAPH6 WEIGHTS` | the network of all steps |
//! | `changing GRAPH6 WEIGHTS`, repeated | one network after the other, each for a step (one round) or for a round |
//! | `graph GRAPH6`, `edges 0-1 1-2` | randomized gossip along these edges, in place of networks |
//! | `rounds R`, `gossip-steps K` | R rounds of K steps; edges say it by themselves |
//! | `tau 1/10`, `g 5/4`, `reactions 1/2 0 1` | refreshed, accelerated, reacting |
//! | `every 3` | the data of a user is used in every third round |
//! | `masks 3`, `masks 3 GRAPH6` | masks of 3 sigma, on the graph itself or on another one |
//!
//! WEIGHTS is a scheme (`metropolis`, `lazy:max-degree-inverse`) or
//! `custom:DENOMINATOR:0-1=5,1-2=3` with the numerators of the edges; the diagonal completes each
//! row to 1. Either may be prefixed by `lazy:`.

use crate::graph6::{Graph6Error, from_graph6, from_sparse6, graph6, sparse6};
use crate::{CustomWeights, Fraction, Graph, Network, Protocol, Schedule, WeightScheme};
use std::fmt::{self, Display};
use std::str::FromStr;

/// An invalid textual form of a protocol.
///
/// ```
/// use muffliato_model::{Protocol, ProtocolTextError};
///
/// let misspelt = "network Bg metropolis\nstep 2".parse::<Protocol>();
/// assert!(matches!(misspelt, Err(ProtocolTextError::Line { line: 2, .. })));
/// let endless = "network Bg metropolis\nrounds 1".parse::<Protocol>();
/// assert!(matches!(endless, Err(ProtocolTextError::Incomplete { .. })));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ProtocolTextError {
    /// A line is invalid.
    #[error("line {line}, {text:?}: {reason}")]
    Line {
        /// Its number, from 1.
        line: usize,
        /// The line.
        text: String,
        /// The error.
        reason: String,
    },
    /// The lines do not describe a protocol.
    #[error("the lines do not describe a protocol: {reason}")]
    Incomplete {
        /// The missing or inconsistent part.
        reason: String,
    },
}

/// Encodes a graph as graph6, or as sparse6 if it has more than 62 nodes.
fn encode_graph(graph: &Graph) -> String {
    match graph.nodes() {
        ..=62 => graph6(graph),
        _ => sparse6(graph),
    }
}

fn decode_graph(text: &str) -> Result<Graph, Graph6Error> {
    if text.starts_with(':') {
        from_sparse6(text)
    } else {
        from_graph6(text)
    }
}

impl Display for Protocol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rounds = |f: &mut fmt::Formatter<'_>| {
            writeln!(f, "rounds {}", self.rounds())?;
            writeln!(f, "gossip-steps {}", self.gossip_steps())
        };
        match self.schedule() {
            Schedule::EdgeSequence { graph, edges } => {
                let pairs = edges.iter().map(|(u, v)| format!("{u}-{v}"));
                writeln!(f, "graph {}", encode_graph(graph))?;
                writeln!(f, "edges {}", join(pairs, " "))?;
            }
            Schedule::Varying { networks, .. } => {
                for network in networks {
                    write_network(f, "changing", network)?;
                }
                rounds(f)?;
            }
            Schedule::Fixed(network) => {
                write_network(f, "network", network)?;
                rounds(f)?;
            }
        }
        if let Some(tau) = self.refresh() {
            writeln!(f, "tau {tau}")?;
        }
        if let Some(g) = self.acceleration() {
            writeln!(f, "g {g}")?;
        }
        if let Some(factors) = self.reaction() {
            writeln!(f, "reactions {}", join(factors, " "))?;
        }
        if self.period() > 1 {
            writeln!(f, "every {}", self.period())?;
        }
        match self.masks().map(|masks| (masks.kappa(), masks.graph())) {
            Some((kappa, Some(graph))) => writeln!(f, "masks {kappa} {}", encode_graph(graph)),
            Some((kappa, None)) => writeln!(f, "masks {kappa}"),
            None => Ok(()),
        }
    }
}

fn join<T: ToString>(items: impl IntoIterator<Item = T>, between: &str) -> String {
    let texts: Vec<String> = items.into_iter().map(|item| item.to_string()).collect();
    texts.join(between)
}

fn write_network(f: &mut fmt::Formatter<'_>, key: &str, network: &Network) -> fmt::Result {
    let graph = network.graph();
    let weights = weights_text(graph, network.weights());
    writeln!(f, "{key} {} {weights}", encode_graph(graph))
}

fn weights_text(graph: &Graph, weights: &WeightScheme) -> String {
    match weights {
        WeightScheme::Lazy(inner) => format!("lazy:{}", weights_text(graph, inner)),
        WeightScheme::Custom(custom) => {
            let (offsets, targets) = graph.adjacency();
            let entries = (0..graph.nodes()).flat_map(|u| {
                let places = offsets[u]..offsets[u + 1];
                places.map(move |place| (u, targets[place] as usize, place))
            });
            let upper = entries.filter(|&(u, v, _)| u < v);
            let shown =
                upper.map(|(u, v, place)| format!("{u}-{v}={}", custom.off_diagonal()[place]));
            format!("custom:{}:{}", custom.denominator(), join(shown, ","))
        }
        scheme => scheme.to_string(),
    }
}

#[derive(Default)]
struct Lines {
    network: Option<Network>,
    changing: Vec<Network>,
    graph: Option<Graph>,
    edges: Option<Vec<(usize, usize)>>,
    rounds: usize,
    gossip_steps: usize,
    tau: Option<Fraction>,
    g: Option<Fraction>,
    reactions: Option<Vec<Fraction>>,
    every: Option<usize>,
    masks: Option<(Fraction, Option<Graph>)>,
}

impl FromStr for Protocol {
    type Err = ProtocolTextError;

    /// Parses the textual form. Empty lines and lines that begin with `#` are ignored.
    ///
    /// ```
    /// use muffliato_model::Protocol;
    ///
    /// let text = "network Bg metropolis\nrounds 1\ngossip-steps 2\ntau 1/10\n";
    /// let protocol: Protocol = text.parse()?;
    /// assert_eq!((protocol.nodes(), protocol.steps()), (3, 2));
    /// assert_eq!(protocol.to_string(), text);
    /// # Ok::<(), muffliato_model::ProtocolTextError>(())
    /// ```
    fn from_str(text: &str) -> Result<Self, ProtocolTextError> {
        let mut lines = Lines::default();
        for (number, line) in text.lines().map(str::trim).enumerate() {
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let (key, value) = line.split_once(' ').unwrap_or((line, ""));
            lines
                .read(key, value)
                .map_err(|reason| ProtocolTextError::Line {
                    line: number + 1,
                    text: line.into(),
                    reason,
                })?;
        }
        lines
            .protocol()
            .map_err(|reason| ProtocolTextError::Incomplete { reason })
    }
}

fn message<E: Display>(error: E) -> String {
    error.to_string()
}

fn pair(text: &str) -> Result<(usize, usize), String> {
    let (u, v) = text.split_once('-').ok_or("an edge is written like 0-1")?;
    Ok((u.parse().map_err(message)?, v.parse().map_err(message)?))
}

fn weights(graph: &Graph, text: &str) -> Result<WeightScheme, String> {
    if let Some(inner) = text.strip_prefix("lazy:")
        && text.contains("custom")
    {
        return Ok(WeightScheme::Lazy(Box::new(weights(graph, inner)?)));
    }
    let Some(custom) = text.strip_prefix("custom:") else {
        return text.parse().map_err(message);
    };
    let (denominator, entries) = custom
        .split_once(':')
        .ok_or("custom weights are written like custom:12:0-1=5")?;
    let denominator: i128 = denominator.parse().map_err(message)?;
    let mut own = vec![denominator; graph.nodes()];
    let mut all = Vec::new();
    for entry in entries.split(',').filter(|entry| !entry.is_empty()) {
        let (edge, weight) = entry
            .split_once('=')
            .ok_or("a weight is written like 0-1=5")?;
        let (u, v) = pair(edge)?;
        let weight: i128 = weight.parse().map_err(message)?;
        for (row, column) in [(u, v), (v, u)] {
            let own = own.get_mut(row).ok_or("the edge is outside the graph")?;
            *own = own.checked_sub(weight).ok_or("the weight is too long")?;
            all.push((row, column, weight));
        }
    }
    all.extend(own.into_iter().enumerate().map(|(v, own)| (v, v, own)));
    let custom = CustomWeights::try_new(graph, denominator, all).map_err(message)?;
    Ok(WeightScheme::Custom(custom))
}

fn network(text: &str) -> Result<Network, String> {
    let (graph, scheme) = text
        .split_once(' ')
        .ok_or("a network is written like: network Bg metropolis")?;
    let graph = decode_graph(graph).map_err(message)?;
    let scheme = weights(&graph, scheme)?;
    Network::try_new(graph, scheme).map_err(message)
}

impl Lines {
    fn read(&mut self, key: &str, value: &str) -> Result<(), String> {
        match key {
            "network" => self.network = Some(network(value)?),
            "changing" => self.changing.push(network(value)?),
            "graph" => self.graph = Some(decode_graph(value).map_err(message)?),
            "edges" => {
                let edges = value.split_whitespace().map(pair);
                self.edges = Some(edges.collect::<Result<_, _>>()?);
            }
            "rounds" => self.rounds = value.parse().map_err(message)?,
            "gossip-steps" => self.gossip_steps = value.parse().map_err(message)?,
            "tau" => self.tau = Some(value.parse().map_err(message)?),
            "g" => self.g = Some(value.parse().map_err(message)?),
            "reactions" => {
                let factors = value.split_whitespace().map(|factor| factor.parse());
                self.reactions = Some(factors.collect::<Result<_, _>>().map_err(message)?);
            }
            "every" => self.every = Some(value.parse().map_err(message)?),
            "masks" => {
                let (kappa, graph) = match value.split_once(' ') {
                    Some((kappa, graph)) => (kappa, Some(decode_graph(graph).map_err(message)?)),
                    None => (value, None),
                };
                self.masks = Some((kappa.parse().map_err(message)?, graph));
            }
            _ => return Err("no such fact; see the table of the textual form".into()),
        }
        Ok(())
    }

    fn protocol(self) -> Result<Protocol, String> {
        let mut protocol = match (self.network, self.graph, self.edges) {
            (Some(network), ..) => {
                Protocol::gradient_descent(network, self.rounds, self.gossip_steps)
            }
            (None, Some(graph), Some(edges)) => Protocol::randomized(graph, edges),
            _ if self.changing.len() == self.rounds => {
                Protocol::gradient_descent_on(self.changing, self.gossip_steps)
            }
            _ => Protocol::time_varying(self.changing),
        }
        .map_err(message)?;
        if let Some(tau) = self.tau {
            protocol = protocol.refreshed(tau).map_err(message)?;
        }
        if let Some(g) = self.g {
            protocol = protocol.accelerated(g).map_err(message)?;
        }
        if let Some(factors) = self.reactions {
            protocol = protocol.reacting(factors).map_err(message)?;
        }
        if let Some(period) = self.every {
            protocol = protocol.every(period).map_err(message)?;
        }
        match self.masks {
            Some((kappa, Some(graph))) => protocol.masked_on(graph, kappa).map_err(message),
            Some((kappa, None)) => protocol.masked(kappa).map_err(message),
            None => Ok(protocol),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::families;

    /// Covers every kind of protocol with all its options.
    #[test]
    fn protocols_survive_a_round_trip() {
        let fraction = |text: &str| text.parse::<Fraction>().unwrap();
        let graph = families::ring(5).unwrap();
        let half = (0..5).flat_map(|v| [(v, v, 2), (v, (v + 1) % 5, 1), ((v + 1) % 5, v, 1)]);
        let custom = WeightScheme::Custom(CustomWeights::try_new(&graph, 4, half).unwrap());
        let lazy = WeightScheme::Lazy(Box::new(custom.clone()));
        let network = |weights| Network::try_new(graph.clone(), weights).unwrap();
        let networks = vec![network(WeightScheme::Metropolis), network(lazy)];
        let fixed = Protocol::gradient_descent(network(custom), 4, 2).unwrap();
        let reacting = fixed.clone().reacting(vec![fraction("-1/2"); 5]).unwrap();
        let protocols = [
            fixed.clone(),
            fixed.clone().every(3).unwrap(),
            fixed.masked(fraction("3/2")).unwrap(),
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
                assert_eq!(protocol.to_string().parse(), Ok(protocol));
            }
        }
    }

    #[test]
    fn invalid_texts_are_named() {
        for (text, named) in [
            ("network Bg", "like: network"),
            (
                "network Bg metropolis\nrounds 1\ngossip-steps 0",
                "0 gossip steps",
            ),
            ("graph Bg\nedges 0-2", "0-2"),
            ("network Bg custom:3:0-9=1", "outside"),
            ("network Bg metropolis\nmasks 0", "do not describe"),
            ("", "do not describe"),
        ] {
            let refused = text.parse::<Protocol>().unwrap_err().to_string();
            assert!(refused.contains(named), "{text}: {refused}");
        }
    }
}
