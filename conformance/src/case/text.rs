//! The textual form of a case: one fact a line.
//!
//! | line | what |
//! | --- | --- |
//! | `network GRAPH6 WEIGHTS` | the network of all steps |
//! | `changing GRAPH6 WEIGHTS`, repeated | one network after the other, each for a step (one round) or for a round |
//! | `graph GRAPH6`, `edges 0-1 1-2` | randomized gossip along these edges, in place of networks |
//! | `rounds R`, `gossip-steps K` | R rounds of K steps; edges say it by themselves |
//! | `tau 1/10`, `g 5/4`, `reactions 1/2 0 1`, `masks 3` | refreshed, accelerated, reacting, masked on the graph itself |
//! | `observer full:2`, `paper:2` or `coalition:1,2` | who observes |
//! | `group 0,3` | whose inputs are protected together |
//! | `seed 7` | everything else |
//!
//! WEIGHTS is a scheme (`metropolis`, `lazy:max-degree-inverse`) or `custom:DENOMINATOR:0-1=5,1-2=3`, numerators of the
//! edges (the diagonal is what is missing to 1); `lazy:` may stand before it.

use super::Case;
use muffliato_model::readers::{from_graph6, graph6};
use muffliato_model::{
    CustomWeights, Fraction, Graph, Network, Observer, Protocol, Schedule, Step, WeightScheme,
};
use std::fmt::{self, Display};
use std::str::FromStr;

/// Why a text is no case.
///
/// ```
/// use muffliato_conformance::case::{Case, CaseError};
///
/// let misspelt = "network Bg metropolis\nstep 2".parse::<Case>();
/// assert!(matches!(misspelt, Err(CaseError::Line { line: 2, .. })));
/// let unobserved = "network Bg metropolis\nrounds 1\ngossip-steps 2".parse::<Case>();
/// assert!(matches!(unobserved, Err(CaseError::Incomplete { .. })));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CaseError {
    /// A line that is not understood.
    #[error("line {line} of the case, {text:?}: {reason}")]
    Line {
        /// Its number, from 1.
        line: usize,
        /// What it says.
        text: String,
        /// What is wrong with it.
        reason: String,
    },
    /// The lines do not make a protocol with an observer.
    #[error("the case makes no protocol with an observer: {reason}")]
    Incomplete {
        /// What is missing or does not fit.
        reason: String,
    },
}

impl Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let protocol = &self.protocol;
        let rounds = |f: &mut fmt::Formatter<'_>| {
            writeln!(f, "rounds {}", protocol.rounds())?;
            writeln!(f, "gossip-steps {}", protocol.gossip_steps())
        };
        match protocol.schedule() {
            Schedule::EdgeSequence { graph, edges } => {
                let pairs = edges.iter().map(|(u, v)| format!("{u}-{v}"));
                writeln!(f, "graph {}", graph6(graph))?;
                writeln!(f, "edges {}", joined(pairs, " "))?;
            }
            Schedule::Varying { networks, .. } => {
                for network in networks {
                    write_network(f, "changing", network)?;
                }
                rounds(f)?;
            }
            _ => {
                if let Step::Network(network) = protocol.step(0) {
                    write_network(f, "network", network)?;
                }
                rounds(f)?;
            }
        }
        if let Some(tau) = protocol.refresh() {
            writeln!(f, "tau {tau}")?;
        }
        if let Some(g) = protocol.acceleration() {
            writeln!(f, "g {g}")?;
        }
        if let Some(factors) = protocol.reaction() {
            writeln!(f, "reactions {}", joined(factors, " "))?;
        }
        if let Some(masks) = protocol.masks() {
            writeln!(f, "masks {}", masks.kappa())?;
        }
        writeln!(f, "observer {}", self.observer)?;
        if !self.group.is_empty() {
            writeln!(f, "group {}", joined(&self.group, ","))?;
        }
        writeln!(f, "seed {}", self.seed)
    }
}

fn joined<T: ToString>(items: impl IntoIterator<Item = T>, between: &str) -> String {
    let texts: Vec<String> = items.into_iter().map(|item| item.to_string()).collect();
    texts.join(between)
}

fn write_network(f: &mut fmt::Formatter<'_>, key: &str, network: &Network) -> fmt::Result {
    let graph = network.graph();
    writeln!(
        f,
        "{key} {} {}",
        graph6(graph),
        shown_weights(graph, network.weights())
    )
}

fn shown_weights(graph: &Graph, weights: &WeightScheme) -> String {
    match weights {
        WeightScheme::Lazy(inner) => format!("lazy:{}", shown_weights(graph, inner)),
        WeightScheme::Custom(custom) => {
            let (offsets, targets) = graph.adjacency();
            let entries = (0..graph.nodes()).flat_map(|u| {
                let places = offsets[u]..offsets[u + 1];
                places.map(move |place| (u, targets[place] as usize, place))
            });
            let upper = entries.filter(|&(u, v, _)| u < v);
            let shown =
                upper.map(|(u, v, place)| format!("{u}-{v}={}", custom.off_diagonal()[place]));
            format!("custom:{}:{}", custom.denominator(), joined(shown, ","))
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
    masks: Option<Fraction>,
    observer: Option<Observer>,
    group: Vec<usize>,
    seed: u64,
}

impl FromStr for Case {
    type Err = CaseError;

    /// Reads the textual form; empty lines and lines that begin with `#` are passed over.
    fn from_str(text: &str) -> Result<Self, CaseError> {
        let mut lines = Lines::default();
        for (number, line) in text.lines().map(str::trim).enumerate() {
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let (key, value) = line.split_once(' ').unwrap_or((line, ""));
            lines.read(key, value).map_err(|reason| CaseError::Line {
                line: number + 1,
                text: line.into(),
                reason,
            })?;
        }
        lines
            .case()
            .map_err(|reason| CaseError::Incomplete { reason })
    }
}

fn said<E: Display>(error: E) -> String {
    error.to_string()
}

fn list<T: FromStr<Err: Display>>(text: &str, between: char) -> Result<Vec<T>, String> {
    let items = text.split(between).filter(|item| !item.is_empty());
    items.map(|item| item.parse().map_err(said)).collect()
}

fn pair(text: &str) -> Result<(usize, usize), String> {
    let (u, v) = text.split_once('-').ok_or("an edge is written like 0-1")?;
    Ok((u.parse().map_err(said)?, v.parse().map_err(said)?))
}

fn weights(graph: &Graph, text: &str) -> Result<WeightScheme, String> {
    if let Some(inner) = text.strip_prefix("lazy:")
        && text.contains("custom")
    {
        return Ok(WeightScheme::Lazy(Box::new(weights(graph, inner)?)));
    }
    let Some(custom) = text.strip_prefix("custom:") else {
        return text.parse().map_err(said);
    };
    let (denominator, entries) = custom
        .split_once(':')
        .ok_or("custom weights are written like custom:12:0-1=5")?;
    let denominator: i128 = denominator.parse().map_err(said)?;
    let mut own = vec![denominator; graph.nodes()];
    let mut all = Vec::new();
    for entry in entries.split(',').filter(|entry| !entry.is_empty()) {
        let (edge, weight) = entry
            .split_once('=')
            .ok_or("a weight is written like 0-1=5")?;
        let (u, v) = pair(edge)?;
        let weight: i128 = weight.parse().map_err(said)?;
        for (row, column) in [(u, v), (v, u)] {
            let own = own.get_mut(row).ok_or("the edge is outside the graph")?;
            *own = own.checked_sub(weight).ok_or("the weight is too long")?;
            all.push((row, column, weight));
        }
    }
    all.extend(own.into_iter().enumerate().map(|(v, own)| (v, v, own)));
    let custom = CustomWeights::try_new(graph, denominator, all).map_err(said)?;
    Ok(WeightScheme::Custom(custom))
}

fn network(text: &str) -> Result<Network, String> {
    let (graph, scheme) = text
        .split_once(' ')
        .ok_or("a network is written like: network Bg metropolis")?;
    let graph = from_graph6(graph).map_err(said)?;
    let scheme = weights(&graph, scheme)?;
    Network::try_new(graph, scheme).map_err(said)
}

impl Lines {
    fn read(&mut self, key: &str, value: &str) -> Result<(), String> {
        match key {
            "network" => self.network = Some(network(value)?),
            "changing" => self.changing.push(network(value)?),
            "graph" => self.graph = Some(from_graph6(value).map_err(said)?),
            "edges" => {
                let edges = value.split_whitespace().map(pair);
                self.edges = Some(edges.collect::<Result<_, _>>()?);
            }
            "rounds" => self.rounds = value.parse().map_err(said)?,
            "gossip-steps" => self.gossip_steps = value.parse().map_err(said)?,
            "tau" => self.tau = Some(value.parse().map_err(said)?),
            "g" => self.g = Some(value.parse().map_err(said)?),
            "reactions" => self.reactions = Some(list(value, ' ')?),
            "masks" => self.masks = Some(value.parse().map_err(said)?),
            "observer" => self.observer = Some(observer(value)?),
            "group" => self.group = list(value, ',')?,
            "seed" => self.seed = value.parse().map_err(said)?,
            _ => return Err("no such fact; see the table of the textual form".into()),
        }
        Ok(())
    }

    fn case(self) -> Result<Case, String> {
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
        .map_err(said)?;
        if let Some(tau) = self.tau {
            protocol = protocol.refreshed(tau).map_err(said)?;
        }
        if let Some(g) = self.g {
            protocol = protocol.accelerated(g).map_err(said)?;
        }
        if let Some(factors) = self.reactions {
            protocol = protocol.reacting(factors).map_err(said)?;
        }
        if let Some(kappa) = self.masks {
            protocol = protocol.masked(kappa).map_err(said)?;
        }
        let observer = self.observer.ok_or("no observer")?;
        observer.check(protocol.nodes()).map_err(said)?;
        let outside = |&u: &usize| u >= protocol.nodes() || observer.contains(u);
        if let Some(u) = self.group.iter().find(|u| outside(u)) {
            return Err(format!("{u} of the group observes or is no node"));
        }
        Ok(Case {
            protocol,
            observer,
            group: self.group,
            seed: self.seed,
        })
    }
}

fn observer(text: &str) -> Result<Observer, String> {
    let (kind, members) = text
        .split_once(':')
        .ok_or("an observer is written like full:2")?;
    let members: Vec<usize> = list(members, ',')?;
    match (kind, members.as_slice()) {
        ("full", &[node]) => Ok(Observer::full(node)),
        ("paper", &[node]) => Ok(Observer::paper(node)),
        ("coalition", members) => Observer::coalition(members.iter().copied()).map_err(said),
        _ => Err("an observer is full:V, paper:V or coalition:V,W".into()),
    }
}
