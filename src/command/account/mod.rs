//! `muffliato account`: computes how much each node leaks to each other node.

mod by_distance;
pub mod chart;
mod report;

pub use by_distance::{ByDistance, Subject};
pub use report::AccountReport;

use super::input::{
    Asked, GraphArgs, LawArgs, NoiseArgs, ObserverArgs, ProtocolArgs, help_on_graphs, one_of,
};
use super::output::{Format, OutputArgs, PlotArgs};
use super::session::{Partial, Session};
use anyhow::Context;
use clap::Args;
use muffliato::model::{Lipschitz, ProtocolSpec};
use muffliato::prelude::{Fraction, Protocol};
use muffliato_account::{Account, Choice, Formulas, ObserverReport, Pair, Question, Summary};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Arc;

/// Arguments of `account`.
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
    descent: StepArgs,
    /// Write the claim about one pair, group or coalition with its proof to this file; muffliato
    /// verify checks it.
    #[arg(long, value_name = "FILE")]
    certificate: Option<PathBuf>,
    /// Certify a lower bound on the loss, by an attack, instead of an upper bound.
    #[arg(long, requires = "certificate")]
    at_least: bool,
    #[command(flatten)]
    engine: EngineArgs,
    /// Account for part I of N parts of the observers, numbered from 0, and write a file for
    /// muffliato merge.
    #[arg(long, value_name = "I/N")]
    shard: Option<PartNumber>,
    #[command(flatten)]
    noise: NoiseArgs,
    #[command(flatten)]
    law: LawArgs,
    #[command(flatten)]
    output: OutputArgs,
    #[command(flatten)]
    plot: PlotArgs,
    /// Plot the losses of another protocol as well; may be repeated.
    #[arg(
        long,
        value_name = "PROTOCOL",
        requires = "plot",
        help_heading = "Output"
    )]
    beside: Vec<ProtocolSpec>,
}

const EXAMPLES: &str = "\
Examples:
  muffliato account path:3 --steps 2
  muffliato account karate --steps 4 --beside refreshed:0.1 --beside masked:3 --plot karate.svg
  muffliato account hypercube:11 --steps 12 --protocol refreshed:0.02 --observer 0
  muffliato account florentine --steps 3 --observer Medici --format json
  muffliato account karate --protocol gd:10x1 --observer 3 --source 33 --certificate claim.json
  muffliato account karate --steps 2 --observer 3 --source 33 --certificate attack.json --at-least
  muffliato account florentine --steps 2 --coalition Medici,Pazzi --group Ginori,Bischeri
  muffliato account hypercube:5 --protocol masked:3 --noise rounded:2^-20

Columns of CSV (lines that begin with # say what it is about; pandas: comment='#'), fields of JSON:
  source, observer    names of nodes; several for a group or a coalition
  distance            the smallest number of edges between them; empty where no path joins them
  paper_theorem_1     what the paper's Theorem 1 says: refuted, no promise
  paper_corollary_1   what its Corollary 1 says: refuted, no promise
  proved_bound        a bound that is proved without computing the leakage. For averaging: the closed form of the protocol. For
                      gradient descent with Gaussian noise: the absorption bound, if steps have the Lipschitz constant in the head
  leakage             the loss in units of L: exact or an upper end, rounded up; a guess where the status is estimate
  leakage_lower, leakage_upper, leakage_exact   certified ends, and the fraction
  scalars_exact       the exact loss if every input is one number, where that is less than for vectors
  status              exact, certified or estimate
  epsilon             what is promised at the delta, sigma and sensitivity in the head: by leakage_upper or, for gradient descent,
                      by proved_bound if steps have the Lipschitz constant in the head
  model_epsilon       for gradient descent without masks, what leakage_upper would promise if gradients were fixed inputs, the
                      leakage_model in the head: no promise, real losses can exceed it
  any_loss_epsilon    for gradient descent, what is promised for any loss functions: by leakage_upper with masks or on a grid,
                      by the number of inputs (local differential privacy) else
";

/// A part number I of N, counted from 0.
#[derive(Clone, Copy)]
struct PartNumber(usize, usize);

impl FromStr for PartNumber {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> anyhow::Result<Self> {
        let parts = text.split_once('/').map(|(i, n)| (i.parse(), n.parse()));
        match parts {
            Some((Ok(index), Ok(of))) if index < of => Ok(Self(index, of)),
            _ => anyhow::bail!("not a part number; write 0/4 to 3/4 for four parts"),
        }
    }
}

/// A part of an account, as `account --shard` writes and `merge` reads it.
#[derive(Serialize, Deserialize)]
pub struct Part {
    /// The graph and the protocol.
    pub subject: Subject,
    /// The losses and the guarantees.
    pub summary: Summary,
}

/// Assumptions about the steps of gradient descent.
#[derive(Args)]
pub struct StepArgs {
    /// Lipschitz constant of a gradient step x -> x - nu grad f(x): 1 for convex beta-smooth losses
    /// and nu at most 2/beta, 1 + nu beta without convexity.
    #[arg(
        long,
        value_name = "C",
        default_value = "1",
        allow_negative_numbers = true,
        help_heading = "Guarantee"
    )]
    pub lipschitz: Fraction,
}

impl StepArgs {
    /// Returns the constants of all nodes.
    pub fn constants(&self) -> anyhow::Result<Lipschitz> {
        Lipschitz::everywhere(self.lipschitz).context("--lipschitz")
    }
}

/// The choice of the engine.
#[derive(Args)]
pub struct EngineArgs {
    /// The engine. By default the exact one where it takes moments, otherwise the fast one.
    #[arg(long, value_parser = one_of(ENGINES))]
    engine: Option<Choice>,
}

const ENGINES: &[(&str, &str, Choice)] = &[
    (
        "reference",
        "Exact, in fractions; for small graphs",
        Choice::Exact,
    ),
    (
        "fast",
        "Certified, in floating point; for any size",
        Choice::Fast,
    ),
];

impl EngineArgs {
    /// Returns the requested engine, or the automatic choice.
    pub fn choice(&self) -> Choice {
        self.engine.unwrap_or_default()
    }
}

/// A computed account.
pub struct Computed {
    /// The sources and observers.
    pub question: Arc<Question>,
    /// The engine that answered.
    pub engine: &'static str,
    /// The losses by distance.
    pub summary: Summary,
    /// The losses of each pair; empty if only the summary was requested.
    pub towards: Vec<ObserverReport>,
}

impl Computed {
    /// Fails if the account is partial because the time expired. Called after the account is
    /// written.
    pub fn complete(&self) -> anyhow::Result<()> {
        match self.summary.sample() {
            Some(sample) if sample.partial => Err(Partial(format!(
                "the time is up after {sample}; nothing is promised about the others"
            ))
            .into()),
            _ => Ok(()),
        }
    }

    /// Iterates over the losses of each pair.
    pub fn pairs(&self) -> impl Iterator<Item = &Pair> {
        self.towards.iter().flat_map(|towards| &towards.pairs)
    }

    /// Computes the losses of a run by distance. Without Lipschitz constants, nothing is assumed
    /// about the loss functions.
    #[expect(clippy::too_many_arguments, reason = "one for each part of a run")]
    pub fn of_run(
        asked: &Asked,
        protocol: &Protocol,
        engine: &EngineArgs,
        noise: LawArgs,
        sensitivity: f64,
        formulas: Formulas,
        lipschitz: Option<Lipschitz>,
        session: &Session,
    ) -> anyhow::Result<Self> {
        let bar = session.progress("observers");
        let account = asked
            .of(protocol, engine.choice())?
            .noise(noise.law, sensitivity, noise.coordinates)?
            .formulas(formulas)
            .progress(&bar);
        let account = match lipschitz {
            Some(constants) => account.lipschitz(constants),
            None => account.any_losses(),
        };
        session.announce(&account, false)?;
        Self::by_distance(account)
    }

    /// Computes the losses of each pair and by distance.
    pub fn of_pairs(account: Account<'_>) -> anyhow::Result<Self> {
        let (towards, summary) = account.pairs_and_summary()?;
        Ok(Self {
            question: account.question()?,
            engine: account.answering()?.name(),
            summary,
            towards,
        })
    }

    /// Computes the losses by distance, on graphs of any size. The losses of each pair are kept if
    /// there is a single observer.
    pub fn by_distance(account: Account<'_>) -> anyhow::Result<Self> {
        let question = account.question()?;
        if question.observers().len() == 1 {
            return Self::of_pairs(account);
        }
        Ok(Self {
            engine: account.answering()?.name(),
            summary: account.summary()?,
            question,
            towards: Vec::new(),
        })
    }
}

impl AccountCommand {
    /// Computes the account, plots it and writes the result.
    pub fn run(self, session: &Session) -> anyhow::Result<()> {
        self.noise.check(self.law.law, self.law.coordinates)?;
        self.output.check()?;
        self.plot.check()?;
        let loaded = self.graph.load(session)?;
        let plan = &self.protocol.protocol;
        // Masks bound all pairs of a fixed graph at once.
        let asked = if plan.masks.is_some() && !plan.is_random() {
            self.observers
                .asked_by_calibration(&loaded.graph, session)?
        } else {
            self.observers.asked(&loaded.graph, session)?
        };
        let (sensitivity, sigma) = (self.noise.sensitivity, self.noise.sigma);
        let protocol = self
            .protocol
            .protocol(&loaded, sensitivity, sigma, session)?;
        let bar = session.progress("observers");
        let LawArgs { law, coordinates } = self.law;
        let account = asked
            .of(&protocol, self.engine.choice())?
            .lipschitz(self.descent.constants()?)
            .noise(law, sensitivity, coordinates)?
            .progress(&bar);
        session.announce(&account, false)?;
        if let Some(path) = &self.certificate {
            let certificate = if self.at_least {
                account.attack_certificate()?
            } else {
                account.certificate()?
            };
            let text = certificate.to_json()?;
            std::fs::write(path, text + "\n")
                .with_context(|| format!("--certificate {}", path.display()))?;
        }
        if let Some(PartNumber(index, of)) = self.shard {
            let formulas = Formulas {
                proved: protocol.rounds() > 1,
                ..Formulas::NONE
            };
            let account = account.formulas(formulas).shard(index, of)?;
            let summary = account.summary()?;
            let engine = account.answering()?.name();
            let part = Part {
                subject: Subject::new(&loaded, &self.protocol, &protocol, engine),
                summary,
            };
            let text = serde_json::to_string(&part)?;
            return self.output.write(|out| Ok(writeln!(out, "{text}")?));
        }
        let computed = match self.output.format {
            Format::Table => Computed::by_distance(account)?,
            _ => Computed::of_pairs(account.formulas(Formulas::ALL))?,
        };
        drop(bar);
        let report = AccountReport {
            loaded: &loaded,
            arguments: &self.protocol,
            protocol: &protocol,
            noise: &self.noise,
            computed: &computed,
        };
        self.plot.deliver(session, || {
            let mut beside = Vec::new();
            for plan in &self.beside {
                let arguments = ProtocolArgs {
                    protocol: plan.clone(),
                    ..self.protocol.clone()
                };
                let protocol = arguments.protocol(&loaded, sensitivity, sigma, session)?;
                let bar = session.progress("observers");
                let account = asked
                    .of(&protocol, self.engine.choice())?
                    .lipschitz(self.descent.constants()?)
                    .noise(law, sensitivity, coordinates)?
                    .progress(&bar);
                beside.push((plan.to_string(), Computed::by_distance(account)?.summary));
            }
            Ok(chart::by_distance(&report, &beside))
        })?;
        self.output.deliver(&report)?;
        computed.complete()
    }
}
