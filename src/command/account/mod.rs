//! `muffliato account`: who leaks how much to whom.

mod certified;
mod chart;
mod exact;
mod report;
mod summary;

pub use report::AccountReport;
pub use summary::{Spread, Summary};

use super::input::{GraphArgs, NoiseArgs, ObserverArgs, ProtocolArgs, Question, help_on_graphs};
use super::number::Quantity;
use super::output::{OutputArgs, PlotArgs};
use super::session::Session;
use anyhow::bail;
use clap::{Args, ValueEnum};
use muffliato::prelude::*;
use std::sync::Arc;

/// The account of a graph.
#[derive(Args)]
#[command(after_help = help_on_graphs(), after_long_help = format!("{EXAMPLES}\n{}", help_on_graphs()))]
pub struct AccountCommand {
    #[command(flatten)]
    graph: GraphArgs,
    #[command(flatten)]
    protocol: ProtocolArgs,
    #[command(flatten)]
    observers: ObserverArgs,
    #[command(flatten)]
    engine: EngineArgs,
    #[command(flatten)]
    noise: NoiseArgs,
    #[command(flatten)]
    output: OutputArgs,
    #[command(flatten)]
    plot: PlotArgs,
}

const EXAMPLES: &str = "\
Examples:
  muffliato account path:3 --steps 2
  muffliato account karate --steps 4 --protocol refreshed:0.1 --plot karate.svg
  muffliato account hypercube:11 --steps 12 --protocol refreshed:0.02 --observer 0
  muffliato account florentine --steps 3 --observer Medici --format json
  muffliato account florentine --steps 2 --coalition Medici,Pazzi --group Ginori,Bischeri
";

/// Which engine computes.
#[derive(Args)]
pub struct EngineArgs {
    /// The engine. By default the exact one where that takes moments, else the fast one.
    #[arg(long, value_enum)]
    engine: Option<Engine>,
}

/// Which engine computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Engine {
    /// Exact, in fractions; for small graphs.
    Reference,
    /// Certified, in floating point; for any size.
    Fast,
}

/// Up to so many nodes times steps times draws of noise at each node the exact engine is the default.
const SMALL: usize = 600;

/// The most pairs that are kept, some 2 GB.
const MOST_PAIRS: usize = 16_000_000;

impl EngineArgs {
    /// The engine asked for, or the fast one: for questions that are asked many times.
    pub fn engine_or_fast(&self) -> Engine {
        self.engine.unwrap_or(Engine::Fast)
    }

    /// The engine for a protocol.
    pub fn engine_for(&self, protocol: &Protocol) -> Engine {
        let draws = match protocol.refresh() {
            Some(_) => protocol.steps(),
            None => protocol.rounds(),
        };
        let size = protocol.nodes().saturating_mul(protocol.steps());
        let size = size.saturating_mul(draws);
        self.engine.unwrap_or(match size <= SMALL {
            true => Engine::Reference,
            false => Engine::Fast,
        })
    }
}

/// Who leaks how much to whom.
pub struct Account {
    /// Which engine found it.
    pub engine: Engine,
    /// Who was asked about.
    pub question: Question,
    /// What each observer sees.
    pub seen: Vec<Seen>,
    /// The losses, observer by observer.
    pub pairs: Vec<Pair>,
}

/// How much an observer sees.
pub struct Seen {
    /// The messages that it receives.
    pub messages: usize,
    /// The rank of what it sees (messages and own draws), where it is known.
    pub rank: Option<usize>,
}

/// One source, or one group, towards one observer, in units of L.
pub struct Pair {
    /// Who is protected: the number of the set in [`Question::sources`].
    pub source: usize,
    /// Who observes: the number in [`Question::observers`].
    pub observer: usize,
    /// The smallest distance between them.
    pub distance: Option<usize>,
    /// What Theorem 1 promises for the plain protocol.
    pub paper_bound: Option<Quantity>,
    /// What Corollary 1 promises, where it is defined and was asked for.
    pub random_walk_bound: Option<Quantity>,
    /// The loss.
    pub leakage: Quantity,
}

/// What both engines need to place a pair.
struct Places<'a> {
    question: &'a Question,
    graph: Arc<Graph>,
}

impl Places<'_> {
    /// The sets that are protected from one observer: their numbers, members and distances.
    fn of(&self, observer: &Observer) -> Vec<(usize, &[usize], Option<usize>)> {
        let distances = self.graph.distances_from_any(observer.members());
        let sets = self.question.sources.iter().enumerate();
        sets.filter(|(_, set)| !set.iter().any(|&node| observer.contains(node)))
            .map(|(number, set)| {
                let nearest = set.iter().filter_map(|&node| distances[node]).min();
                (number, set.as_slice(), nearest)
            })
            .collect()
    }
}

impl Account {
    /// The account of `protocol`, by the engine asked for. `random_walk` asks for Corollary 1 beside Theorem 1.
    pub fn of(
        protocol: &Protocol,
        question: Question,
        engine: Engine,
        random_walk: bool,
        session: &Session,
    ) -> anyhow::Result<Self> {
        let pairs = question
            .sources
            .len()
            .saturating_mul(question.observers.len());
        if pairs > MOST_PAIRS {
            bail!(
                "{pairs} pairs would take about {} GB of memory; name fewer with --observer or --source",
                pairs / 8_000_000
            );
        }
        match engine {
            Engine::Reference => exact::account(protocol, question, random_walk, session),
            Engine::Fast => certified::account(protocol, question, random_walk, session),
        }
    }
}

impl AccountCommand {
    /// Accounts, draws and writes.
    pub fn run(self, session: &Session) -> anyhow::Result<()> {
        self.noise.check()?;
        self.output.check()?;
        self.plot.check()?;
        let loaded = self.graph.load(session)?;
        let question = self.observers.question(&loaded.graph, session)?;
        let (sensitivity, sigma) = (self.noise.sensitivity, self.noise.sigma);
        let protocol = self
            .protocol
            .protocol(&loaded, sensitivity, sigma, session)?;
        let engine = self.engine.engine_for(&protocol);
        let random_walk = self.output.format != super::output::Format::Table;
        let account = Account::of(&protocol, question, engine, random_walk, session)?;
        let report = AccountReport {
            loaded: &loaded,
            arguments: &self.protocol,
            protocol: &protocol,
            noise: &self.noise,
            summaries: account.by_distance(),
            account: &account,
        };
        self.plot.deliver(|| Ok(chart::by_distance(&report)))?;
        self.output.deliver(&report)
    }
}
