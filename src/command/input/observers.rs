//! Observers and protected sources.

use super::one_of;
use crate::command::session::Session;
use anyhow::{Context, bail};
use clap::Args;
use muffliato::prelude::*;
use muffliato_account::{Account, AccountBuilder, Choice, Knowledge, Observers, Sources};
use std::time::Instant;

/// Options that select observers and sources.
#[derive(Args)]
pub struct ObserverArgs {
    /// The observers: all nodes, sample:N for N evenly spaced nodes, or a list of names. By default
    /// all nodes observe; on graphs with more than 2000 nodes a sample of 16 does, which guarantees
    /// nothing about the others.
    #[arg(
        long,
        value_name = "all|sample:N|NODE,..",
        conflicts_with_all = ["observer", "coalition"]
    )]
    observers: Option<String>,
    /// Name of a node that observes; may be repeated.
    #[arg(long, value_name = "NODE")]
    observer: Vec<String>,
    /// Name of a node whose input is protected; may be repeated. By default all are.
    #[arg(long, value_name = "NODE", conflicts_with = "group")]
    source: Vec<String>,
    /// Nodes that share their observations.
    #[arg(long, value_name = "NODE,..", value_delimiter = ',', conflicts_with = "observer")]
    coalition: Vec<String>,
    /// Nodes whose inputs are protected together.
    #[arg(long, value_name = "NODE,..", value_delimiter = ',')]
    group: Vec<String>,
    /// Knowledge of an observer.
    #[arg(long, value_parser = one_of(VIEWS), default_value = "full")]
    view: Knowledge,
}

impl ObserverArgs {
    /// Returns the inputs of a linear system that are protected, and `true` if they are protected
    /// together; no inputs for all of them, each by itself.
    pub fn inputs(&self) -> anyhow::Result<(Vec<usize>, bool)> {
        let named = if self.group.is_empty() { &self.source } else { &self.group };
        let number = |name: &String| {
            name.parse().with_context(|| {
                format!("{name:?} is not the number of an input; inputs are counted from 0")
            })
        };
        let inputs = named.iter().map(number).collect::<anyhow::Result<_>>()?;
        Ok((inputs, !self.group.is_empty()))
    }
}

/// Names of the kinds of knowledge.
pub const VIEWS: &[(&str, &str, Knowledge)] = &[
    ("full", "The messages that it receives and the noise that it drew", Knowledge::Full),
    ("paper", "The messages that it receives, as in the paper", Knowledge::Paper),
    (
        "sum",
        "The sum of the messages of each step (secure summation) and the noise that it drew",
        Knowledge::Sum,
    ),
];

/// The selected observers and sources, as nodes of the graph.
#[derive(Clone)]
pub struct Selected {
    /// The observers.
    pub observers: Observers,
    /// The protected sources.
    pub sources: Sources,
    /// Knowledge of the observers.
    pub sight: Knowledge,
    /// Deadline after which a partial answer is given.
    pub until: Option<Instant>,
}

impl Selected {
    /// Returns the settings of the account of a protocol.
    pub fn of<'a>(&self, protocol: &'a Protocol, choice: Choice) -> AccountBuilder<'a> {
        self.about(Account::of(protocol), choice)
    }

    /// Adds the observers, the sources and the deadline to the settings of an account.
    pub fn about<'a>(&self, account: AccountBuilder<'a>, choice: Choice) -> AccountBuilder<'a> {
        let account = account
            .observers(self.observers.clone())
            .sources(self.sources.clone())
            .knowledge(self.sight)
            .engine(choice);
        match self.until {
            Some(deadline) => account.deadline(deadline),
            None => account,
        }
    }
}

impl ObserverArgs {
    /// Resolves the names. By default all nodes observe, or a sample on a large graph.
    pub fn asked(&self, graph: &Graph, session: &Session) -> anyhow::Result<Selected> {
        self.asked_of(graph, Observers::MOST, Observers::SAMPLE, session)
    }

    /// Resolves the names. By default all nodes observe, on a graph of any size.
    pub fn asked_by_calibration(
        &self,
        graph: &Graph,
        session: &Session,
    ) -> anyhow::Result<Selected> {
        self.asked_of(graph, usize::MAX, Observers::SAMPLE, session)
    }

    /// Resolves the names. By default all nodes observe on graphs of up to `most` nodes, and
    /// `sample` of them on larger ones.
    pub fn asked_of(
        &self,
        graph: &Graph,
        most: usize,
        sample: usize,
        session: &Session,
    ) -> anyhow::Result<Selected> {
        let nodes = graph.nodes();
        let observers = if !self.coalition.is_empty() {
            if self.view == Knowledge::Paper {
                bail!("--view paper applies to single observers; leave it out with --coalition");
            }
            Observers::Coalition(nodes_named(graph, &self.coalition)?)
        } else if !self.observer.is_empty() {
            Observers::Listed(nodes_named(graph, &self.observer)?)
        } else {
            match self.observers.as_deref() {
                Some("all") => Observers::All,
                Some(text) if text.starts_with("sample:") => text.parse()?,
                Some(text) => {
                    let names: Vec<String> = text.split(',').map(String::from).collect();
                    Observers::Listed(nodes_named(graph, &names)?)
                }
                None if nodes <= most => Observers::All,
                None => {
                    session.note(&format!(
                        "{sample} of {nodes} nodes observe, and nothing is promised about the others; --observers all takes all of them"
                    ));
                    Observers::Sample(sample)
                }
            }
        };
        Ok(Selected {
            observers,
            sources: match (&self.source[..], &self.group[..]) {
                ([], []) => Sources::All,
                ([], group) => Sources::Group(nodes_named(graph, group)?),
                (listed, _) => Sources::Listed(nodes_named(graph, listed)?),
            },
            sight: self.view,
            until: session.deadline,
        })
    }
}

/// Finds the node with this name.
pub fn node_named(graph: &Graph, name: &str) -> anyhow::Result<usize> {
    let name = name.trim();
    graph.node(name).with_context(|| unknown_node(graph, name))
}

/// Finds the nodes with these names, in increasing order and without duplicates.
pub fn nodes_named(graph: &Graph, names: &[String]) -> anyhow::Result<Vec<usize>> {
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
            format!("the graph has no node {name:?}; its nodes are called {}", some.join(", "))
        }
        None => format!("the graph has no node {name:?}; its nodes are 0 to {}", graph.nodes() - 1),
    }
}
