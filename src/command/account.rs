//! `muffliato account`.

use super::table;
use anyhow::{Context, bail};
use clap::{Args, ValueEnum};
use muffliato::model::LossModel;
use muffliato::prelude::*;
use std::{fmt::Write, str::FromStr};

/// The account of a graph.
#[derive(Args)]
#[command(after_help = help_on_graphs())]
pub struct Account {
    /// The graph: a family such as hypercube:4, or a file's path.
    graph: String,
    /// The number of gossip steps; gd:ROUNDSxSTEPS says its own.
    #[arg(long, value_name = "N")]
    steps: Option<usize>,
    /// The weights: metropolis, max-degree-inverse, lazy or lazy:SCHEME.
    #[arg(long, value_name = "SCHEME", default_value = "metropolis")]
    weights: WeightScheme,
    /// The protocol: one-shot, refreshed:TAU or gd:ROUNDSxSTEPS.
    #[arg(long, value_name = "PROTOCOL", default_value = "one-shot")]
    protocol: Kind,
    /// The Chebyshev parameter g, between 1 and 2; without it gossip is plain.
    #[arg(long, value_name = "G")]
    accelerate: Option<Fraction>,
    /// A node that observes, by its name; may be repeated. Without it all nodes do.
    #[arg(long, value_name = "NODE")]
    observer: Vec<String>,
    /// What an observer sees.
    #[arg(long, value_enum, default_value = "full")]
    view: Sight,
    /// Keep only the largest connected component.
    #[arg(long)]
    giant_component: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum Sight {
    /// The messages that it receives and the noise that it drew.
    Full,
    /// The messages that it receives, as in the paper.
    Paper,
}

#[derive(Clone, Debug, PartialEq)]
enum Kind {
    OneShot,
    Refreshed(Fraction),
    GradientDescent { rounds: usize, steps: usize },
}

impl FromStr for Kind {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> anyhow::Result<Self> {
        if text == "one-shot" {
            return Ok(Self::OneShot);
        }
        if let Some(tau) = text.strip_prefix("refreshed:") {
            return Ok(Self::Refreshed(tau.parse()?));
        }
        let sizes = text
            .strip_prefix("gd:")
            .and_then(|sizes| sizes.split_once('x'));
        if let Some((rounds, steps)) = sizes
            && let (Ok(rounds), Ok(steps)) = (rounds.parse(), steps.parse())
        {
            return Ok(Self::GradientDescent { rounds, steps });
        }
        bail!(
            "no such protocol; use one-shot, refreshed:TAU (such as refreshed:0.05) or gd:ROUNDSxSTEPS (such as gd:3x2)"
        )
    }
}

fn help_on_graphs() -> String {
    let mut text = String::from("Graphs:\n");
    for family in GraphSpec::families() {
        let _ = writeln!(text, "  {:<32} {}", family.example, family.description);
    }
    text + "  ./club.mtx                       a file: edge list, Matrix Market, graph6 or node-link JSON"
}

impl Account {
    pub fn run(self) -> anyhow::Result<String> {
        let spec: GraphSpec = self.graph.parse()?;
        let mut graph = spec.build()?;
        if self.giant_component {
            graph = graph.giant_component()?;
        }
        let observers = self.observers(&graph)?;
        let names = graph.labels().map(<[String]>::to_vec);
        if graph.nodes() == 1 {
            bail!(
                "{spec} has a single node, which has nobody to leak to; give a graph of two nodes or more"
            );
        }
        let size = format!("{} nodes, {} edges", graph.nodes(), graph.edge_count());
        let protocol = self.protocol(graph)?;
        let account = muffliato::reference::Account::of(&protocol, &observers)?;

        let mut text = format!("{spec}: {size}, {} weights, ", self.weights);
        match &self.protocol {
            Kind::OneShot => write!(text, "{} steps", protocol.steps())?,
            Kind::Refreshed(tau) => write!(
                text,
                "{} steps, fresh noise of {tau} sigma",
                protocol.steps()
            )?,
            Kind::GradientDescent { rounds, steps } => {
                write!(
                    text,
                    "gradient descent of {rounds} rounds with {steps} steps each"
                )?;
            }
        }
        if let Some(g) = self.accelerate {
            write!(text, ", accelerated with g = {g}")?;
        }
        text += match self.view {
            Sight::Full => ".\nObservers know the noise that they drew. ",
            Sight::Paper => {
                ".\nObservers have forgotten the noise that they drew (the paper's view). "
            }
        };
        match account.model {
            LossModel::SingleInput => {
                text += "Exact losses in multiples of the local\n(LDP) loss, rounded up; paper: the bound of Theorem 1 for the plain protocol.\n\n";
            }
            model => writeln!(
                text,
                "Upper bounds on the loss, in multiples\nof the local (LDP) loss, in the model of {model}: other nodes do not react. Real losses can\n\
                 cost more; what holds for any loss function is {}, the number of rounds.\n",
                protocol.rounds()
            )?,
        }
        if let [observer] = &observers[..] {
            let node = observer.members()[0];
            let name = names.map_or(node.to_string(), |names| names[node].clone());
            let seen = &account.observers[0];
            writeln!(
                text,
                "Observer {name}: {} messages, rank {}.\n",
                seen.messages, seen.rank
            )?;
        }
        let rows: Vec<_> = account
            .by_distance()
            .iter()
            .map(|row| {
                let mut cells = vec![table::distance(row), row.pairs.to_string()];
                cells.extend(table::spread(row.paper_bound.as_ref()));
                cells.extend(table::spread(Some(&row.leakage)));
                cells
            })
            .collect();
        let loss = match account.model {
            LossModel::SingleInput => "exact min",
            _ => "loss min",
        };
        let head = [
            "distance",
            "pairs",
            "paper min",
            "mean",
            "max",
            loss,
            "mean",
            "max",
        ];
        Ok(text + &table::aligned(&head, &rows))
    }

    fn observers(&self, graph: &Graph) -> anyhow::Result<Vec<Observer>> {
        let mut nodes: Vec<usize> = if self.observer.is_empty() {
            (0..graph.nodes()).collect()
        } else {
            let named = |name: &String| graph.node(name).with_context(|| unknown_node(graph, name));
            self.observer.iter().map(named).collect::<Result<_, _>>()?
        };
        nodes.sort_unstable();
        nodes.dedup();
        Ok(nodes
            .into_iter()
            .map(match self.view {
                Sight::Full => Observer::full,
                Sight::Paper => Observer::paper,
            })
            .collect())
    }

    fn protocol(&self, graph: Graph) -> anyhow::Result<Protocol> {
        let network = Network::try_new(graph, self.weights.clone())?;
        let steps = || {
            self.steps
                .context("--steps is missing; give the number of gossip steps, such as --steps 3")
        };
        let mut protocol = match &self.protocol {
            Kind::OneShot => Protocol::one_shot(network, steps()?)?,
            Kind::Refreshed(tau) => Protocol::one_shot(network, steps()?)?.refreshed(*tau)?,
            Kind::GradientDescent { .. } if self.steps.is_some() => {
                bail!(
                    "--steps does not go with --protocol gd:ROUNDSxSTEPS, which says the steps itself; leave it out"
                )
            }
            Kind::GradientDescent { rounds, steps } => {
                Protocol::gradient_descent(network, *rounds, *steps)?
            }
        };
        if let Some(g) = self.accelerate {
            protocol = protocol.accelerated(g)?;
        }
        Ok(protocol)
    }
}

fn unknown_node(graph: &Graph, name: &str) -> String {
    match graph.labels() {
        Some(labels) => {
            let mut some: Vec<_> = labels.iter().take(5).map(String::as_str).collect();
            if labels.len() > some.len() {
                some.push("...");
            }
            format!(
                "the graph has no node {name:?}; its nodes are called {}",
                some.join(", ")
            )
        }
        None => format!(
            "the graph has no node {name:?}; its nodes are 0 to {}",
            graph.nodes() - 1
        ),
    }
}
