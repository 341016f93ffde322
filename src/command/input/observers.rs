//! Who observes, and whose input is protected.

use crate::command::session::Session;
use anyhow::{Context, bail};
use clap::{Args, ValueEnum};
use muffliato::prelude::*;

/// Up to so many nodes all of them observe, unless some are named.
const MOST_OBSERVERS: usize = 2000;

/// How many observe on larger graphs, unless some are named.
const SAMPLE: usize = 16;

/// Who observes whom.
#[derive(Args)]
pub struct ObserverArgs {
    /// A node that observes, by its name; may be repeated. By default all nodes do, and 16 spread over the
    /// graph where there are more than 2000.
    #[arg(long, value_name = "NODE")]
    observer: Vec<String>,
    /// A node whose input is protected; may be repeated. By default all are.
    #[arg(long, value_name = "NODE", conflicts_with = "group")]
    source: Vec<String>,
    /// Nodes that put together what they see.
    #[arg(
        long,
        value_name = "NODE,..",
        value_delimiter = ',',
        conflicts_with = "observer"
    )]
    coalition: Vec<String>,
    /// Nodes whose inputs are protected together.
    #[arg(long, value_name = "NODE,..", value_delimiter = ',')]
    group: Vec<String>,
    /// What an observer sees.
    #[arg(long, value_enum, default_value = "full")]
    view: Sight,
}

/// What an observer sees.
#[derive(Clone, Copy, PartialEq, ValueEnum)]
pub enum Sight {
    /// The messages that it receives and the noise that it drew.
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

/// Whose losses towards whom.
#[derive(Clone, Debug, PartialEq)]
pub struct Question {
    /// Those who observe.
    pub observers: Vec<Observer>,
    /// Sets of nodes that are protected together; single nodes unless a group was asked for.
    pub sources: Vec<Vec<usize>>,
    /// `full` or `paper`.
    pub view: &'static str,
    /// Whether these observers are a sample of all.
    pub sampled: bool,
}

impl Question {
    /// Those that are protected and do not observe.
    pub fn sources_for<'a>(&'a self, observer: &'a Observer) -> impl Iterator<Item = &'a [usize]> {
        let outside = |set: &&[usize]| !set.iter().any(|&node| observer.contains(node));
        self.sources.iter().map(Vec::as_slice).filter(outside)
    }
}

impl ObserverArgs {
    /// Looks the names up. Without names all observe, or some where there are many.
    pub fn question(&self, graph: &Graph, session: &Session) -> anyhow::Result<Question> {
        self.question_of(graph, MOST_OBSERVERS, SAMPLE, session)
    }

    /// The same, where up to `most` nodes all observe, and else `sample` of them.
    pub fn question_of(
        &self,
        graph: &Graph,
        most: usize,
        sample: usize,
        session: &Session,
    ) -> anyhow::Result<Question> {
        let single = |node| self.view.observer(node);
        let mut sampled = false;
        let observers = if !self.coalition.is_empty() {
            if self.view == Sight::Paper {
                bail!("--view paper is about one observer; leave it out with --coalition");
            }
            vec![Observer::coalition(named(graph, &self.coalition)?)?]
        } else if !self.observer.is_empty() {
            named(graph, &self.observer)?
                .into_iter()
                .map(single)
                .collect()
        } else if graph.nodes() <= most {
            (0..graph.nodes()).map(single).collect()
        } else {
            sampled = true;
            session.note(&format!(
                "{} nodes are more than {most}: {sample} of them observe; name others with --observer",
                graph.nodes()
            ));
            let spread = (0..sample).map(|k| k * graph.nodes() / sample);
            spread.map(single).collect()
        };
        let sources = if !self.group.is_empty() {
            vec![named(graph, &self.group)?]
        } else if !self.source.is_empty() {
            named(graph, &self.source)?
                .into_iter()
                .map(|node| vec![node])
                .collect()
        } else {
            (0..graph.nodes()).map(|node| vec![node]).collect()
        };
        let question = Question {
            observers,
            sources,
            view: self.view.word(),
            sampled,
        };
        let mut observers = question.observers.iter();
        if !observers.any(|observer| question.sources_for(observer).next().is_some()) {
            bail!(
                "all protected nodes observe, and a node keeps no secret from itself; name another --source, --group or --observer"
            );
        }
        Ok(question)
    }
}

/// The node of this name.
pub fn node_named(graph: &Graph, name: &str) -> anyhow::Result<usize> {
    let name = name.trim();
    graph.node(name).with_context(|| unknown_node(graph, name))
}

/// The nodes of these names, in increasing order, each once.
fn named(graph: &Graph, names: &[String]) -> anyhow::Result<Vec<usize>> {
    let find = |name: &String| node_named(graph, name);
    let mut nodes: Vec<usize> = names.iter().map(find).collect::<Result<_, _>>()?;
    nodes.sort_unstable();
    nodes.dedup();
    Ok(nodes)
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
