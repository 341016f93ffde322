//! Who observes, and whose input is protected.

use super::one_of;
use crate::command::session::Session;
use anyhow::{Context, bail};
use clap::Args;
use muffliato::prelude::*;
use muffliato_account::{Account, Choice, Knowledge, Observers, Sources};
use std::{str::FromStr, time::Instant};

/// Up to so many nodes all of them observe, unless something else is asked for.
const MOST_OBSERVERS: usize = 2000;

/// How many observe on larger graphs.
const SAMPLE: usize = 16;

/// Who observes whom.
#[derive(Args)]
pub struct ObserverArgs {
    /// Who observes: all nodes, so many of them spread over the graph, or a list of names. By default all nodes do, and
    /// where there are more than 2000 a sample of 16, which promises nothing about the others.
    #[arg(
        long,
        value_name = "all|sample:N|NODE,..",
        conflicts_with_all = ["observer", "coalition"]
    )]
    observers: Option<Wanted>,
    /// A node that observes, by its name; may be repeated.
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
    #[arg(long, value_parser = one_of(VIEWS), default_value = "full")]
    view: Knowledge,
}

/// What an observer sees, by name.
pub const VIEWS: &[(&str, &str, Knowledge)] = &[
    (
        "full",
        "The messages that it receives and the noise that it drew",
        Knowledge::Full,
    ),
    (
        "paper",
        "The messages that it receives, as in the paper",
        Knowledge::Paper,
    ),
];

/// Which observers are wanted.
#[derive(Clone, Debug, PartialEq)]
enum Wanted {
    All,
    Sample(usize),
    Listed(Vec<String>),
}

impl FromStr for Wanted {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> anyhow::Result<Self> {
        match (text, text.strip_prefix("sample:")) {
            ("all", _) => Ok(Self::All),
            (_, Some(count)) => match count.parse() {
                Ok(count) if count > 0 => Ok(Self::Sample(count)),
                _ => bail!("a sample has a whole number of nodes, such as sample:16"),
            },
            _ => Ok(Self::Listed(text.split(',').map(String::from).collect())),
        }
    }
}

/// Whose losses towards whom are wanted: in nodes, for any protocol on the graph.
#[derive(Clone)]
pub struct Asked {
    /// Those who observe.
    pub observers: Observers,
    /// Those who are protected.
    pub sources: Sources,
    /// What observers see.
    pub sight: Knowledge,
    /// When a part of them will do.
    pub until: Option<Instant>,
}

impl Asked {
    /// The accountant that answers.
    pub fn of<'a>(&self, protocol: &'a Protocol, choice: Choice) -> anyhow::Result<Account<'a>> {
        Ok(self.about(Account::of(protocol)?, choice))
    }

    /// The same by an accountant of one's own.
    pub fn about<'a>(&self, account: Account<'a>, choice: Choice) -> Account<'a> {
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
    /// Looks the names up. Where nothing is asked for all observe, or some where there are many.
    pub fn asked(&self, graph: &Graph, session: &Session) -> anyhow::Result<Asked> {
        self.asked_of(graph, MOST_OBSERVERS, SAMPLE, session)
    }

    /// The same where all observe unless something else is asked for, however many there are.
    pub fn asked_by_calibration(&self, graph: &Graph, session: &Session) -> anyhow::Result<Asked> {
        self.asked_of(graph, usize::MAX, SAMPLE, session)
    }

    /// The same, where up to `most` nodes all observe, and else `sample` of them.
    pub fn asked_of(
        &self,
        graph: &Graph,
        most: usize,
        sample: usize,
        session: &Session,
    ) -> anyhow::Result<Asked> {
        let nodes = graph.nodes();
        let observers = if !self.coalition.is_empty() {
            if self.view == Knowledge::Paper {
                bail!("--view paper is about one observer; leave it out with --coalition");
            }
            Observers::Coalition(nodes_named(graph, &self.coalition)?)
        } else if !self.observer.is_empty() {
            Observers::Listed(nodes_named(graph, &self.observer)?)
        } else {
            match &self.observers {
                Some(Wanted::All) => Observers::All,
                Some(Wanted::Sample(count)) => Observers::Sample(*count),
                Some(Wanted::Listed(names)) => Observers::Listed(nodes_named(graph, names)?),
                None if nodes <= most => Observers::All,
                None => {
                    session.note(&format!(
                        "{sample} of {nodes} nodes observe, and nothing is promised about the others; --observers all takes all of them"
                    ));
                    Observers::Sample(sample)
                }
            }
        };
        Ok(Asked {
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

/// The node of this name.
pub fn node_named(graph: &Graph, name: &str) -> anyhow::Result<usize> {
    let name = name.trim();
    graph.node(name).with_context(|| unknown_node(graph, name))
}

/// The nodes of these names, in increasing order, each once.
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
