//! `muffliato account`: computes how much each node leaks to each other node.

mod by_distance;
pub mod chart;
mod report;
mod system;

pub use by_distance::{ByDistance, Subject};
pub use report::AccountReport;

use super::atomic_file::{check_folder, save_text};
use super::input::{
    GraphArgs, LawArgs, NoiseOptions, ObserverArgs, ProtocolArgs, Selected, SizeArgs,
    help_on_graphs, one_of, text_file,
};
use super::output::{Format, OutputArgs, PlotArgs};
use super::session::{Partial, Session};
use super::table::counted;
use anyhow::Context;
use clap::{Args, builder::ArgPredicate};
use muffliato::model::{Lipschitz, ProtocolSpec};
use muffliato::prelude::{Fraction, Protocol};
use muffliato_account::{
    Account, AccountBuilder, Choice, Formulas, NoiseLaw, ObserverReport, Pair, Question, Summary,
};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;

/// Arguments of `account`.
#[derive(Args)]
#[command(
    after_help = help_on_graphs(),
    after_long_help = format!("{EXAMPLES}\n{}", help_on_graphs()),
    mut_arg("graph", |graph| {
        let absent = graph.required(false).required_unless_present("system");
        absent.default_value_if("system", ArgPredicate::IsPresent, Some("-"))
    })
)]
pub struct AccountCommand {
    #[command(flatten)]
    graph: GraphArgs,
    /// Account for a linear view A z + B x of draws z and inputs x in place of a protocol: a JSON file
    /// with A, B, std and known, or two Matrix Market files A,B. --source and --group are numbers of
    /// inputs.
    #[arg(long, value_name = "FILE|A.mtx,B.mtx", conflicts_with_all = [
        "graph", "shard", "plot", "observers", "observer", "coalition", "protocol", "steps", "weights", "view",
        "accelerate", "plan", "mask_graph", "engine", "took_place", "beside", "lipschitz",
    ])]
    system: Option<String>,
    #[command(flatten)]
    protocol: ProtocolArgs,
    /// Accounts for a recorded run, given as the JSON file that muffliato-node writes.
    #[arg(long, value_name = "FILE", conflicts_with = "shard")]
    took_place: Option<PathBuf>,
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
    noise: NoiseOptions,
    #[command(flatten)]
    law: LawArgs,
    #[command(flatten)]
    output: OutputArgs,
    #[command(flatten)]
    plot: PlotArgs,
    /// Show the losses of another protocol as well, in the table and in the plot; may be repeated.
    #[arg(long, value_name = "PROTOCOL", help_heading = "Output")]
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
  paper_theorem_1     the value of the paper's Theorem 1 (refuted; not a bound)
  paper_corollary_1   the value of its Corollary 1 (refuted; not a bound)
  proved_bound        a closed-form upper bound on the loss. For gradient descent it requires steps with the Lipschitz constant
                      given by --lipschitz
  leakage             the loss in units of L: exact or an upper end, rounded up; a guess where the status is estimate
  leakage_lower, leakage_upper, leakage_exact   certified ends, and the fraction
  scalars_exact       the exact loss if every input is one number, where that is less than for vectors
  status              exact, certified or estimate
  epsilon             the guarantee at the delta, sigma and sensitivity in the head, from leakage_upper or, for gradient descent,
                      from proved_bound if steps have the Lipschitz constant in the head
  model_epsilon       for gradient descent without masks, the epsilon of leakage_upper if gradients were fixed inputs (the
                      leakage_model in the head). Not a guarantee: real losses can exceed it
  any_loss_epsilon    for gradient descent, the guarantee for any loss functions: from leakage_upper with masks or on a grid,
                      otherwise from the number of inputs (local differential privacy)
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

/// Largest record of a run, in bytes.
const MAX_RECORD_BYTES: u64 = 1 << 28;

/// The record of a run, as `muffliato_node::Record` writes it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Record {
    absent: Vec<usize>,
    missing: Vec<usize>,
    ended: Vec<((usize, usize), usize)>,
    /// Masks count for the accuracy of the sum only.
    #[serde(rename = "masks")]
    _masks: Vec<(usize, usize)>,
    #[serde(default)]
    rounds: Option<usize>,
}

impl Record {
    /// Returns what took place of a planned protocol.
    fn applied(path: &Path, planned: &Protocol, law: NoiseLaw) -> anyhow::Result<Protocol> {
        let text = text_file(path, MAX_RECORD_BYTES)?;
        let Self { absent, missing, ended, rounds, .. } = serde_json::from_str(&text)?;
        let is_unknown = |((u, v), end): &((usize, usize), usize)| {
            *end < planned.steps() && (missing.contains(u) || missing.contains(v))
        };
        anyhow::ensure!(
            law.grid().is_some() || !ended.iter().any(is_unknown),
            "a node is missing, and which messages it used itself is not known; give --noise rounded:STEP, whose bounds hold whatever it used"
        );
        Ok(planned.took_place(&absent, &missing, &ended, rounds)?)
    }
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
    /// The engine. By default the exact one where it is quick, otherwise the fast one.
    #[arg(long, value_parser = one_of(ENGINES))]
    engine: Option<Choice>,
}

const ENGINES: &[(&str, &str, Choice)] = &[
    ("reference", "Exact, in fractions; for small graphs", Choice::Exact),
    ("fast", "Certified, in floating point; for any size", Choice::Fast),
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
                "the time is up after {sample}; nothing is guaranteed against the others"
            ))
            .into()),
            _ => Ok(()),
        }
    }

    /// Iterates over the losses of each pair.
    pub fn pairs(&self) -> impl Iterator<Item = &Pair> {
        self.towards.iter().flat_map(|towards| &towards.pairs)
    }

    /// Computes an account by distance, with progress and the estimated time.
    pub fn of(account: AccountBuilder<'_>, session: &Session) -> anyhow::Result<Self> {
        let bar = session.progress("observers");
        let account = account.progress(&bar).build()?;
        session.announce(&account, false)?;
        Self::by_distance(&account)
    }

    /// Computes the losses of each pair and by distance.
    pub fn of_pairs(account: &Account<'_>) -> anyhow::Result<Self> {
        let (towards, summary) = account.pairs_and_summary()?;
        Ok(Self {
            question: Arc::clone(account.question()),
            engine: account.answering()?.name(),
            summary,
            towards,
        })
    }

    /// Computes the losses by distance, on graphs of any size. The losses of each pair are kept if
    /// there is a single observer.
    pub fn by_distance(account: &Account<'_>) -> anyhow::Result<Self> {
        if account.question().observers().len() == 1 {
            return Self::of_pairs(account);
        }
        Ok(Self {
            engine: account.answering()?.name(),
            summary: account.summary()?,
            question: Arc::clone(account.question()),
            towards: Vec::new(),
        })
    }
}

impl AccountCommand {
    /// Returns the settings of the account of a protocol.
    fn settings<'a>(
        &self,
        asked: &Selected,
        protocol: &'a Protocol,
        sensitivity: f64,
    ) -> anyhow::Result<AccountBuilder<'a>> {
        let account = asked.of(protocol, self.engine.choice());
        let account = account.lipschitz(self.descent.constants()?);
        Ok(account.noise(self.law.law, sensitivity, self.law.coordinates))
    }

    /// Computes the account, plots it and writes the result.
    pub fn run(self, session: &Session) -> anyhow::Result<()> {
        let noise = self.noise.with_plan(&self.protocol.sizes)?;
        noise.check(self.law.law, self.law.coordinates)?;
        self.output.check()?;
        self.plot.check()?;
        self.certificate.as_deref().map_or(Ok(()), check_folder)?;
        if let Some(files) = &self.system {
            anyhow::ensure!(
                self.law.law == NoiseLaw::Gaussian,
                "--system is about gaussian noise; leave --noise out"
            );
            let inputs = self.observers.inputs()?;
            let path = self.certificate.as_ref();
            return system::run(files, inputs, path, self.at_least, &noise, &self.output);
        }
        let loaded = self.graph.load(session)?;
        let plan = &self.protocol.protocol;
        // Masks bound all pairs of a fixed graph at once.
        let masked = plan.masks.is_some() || self.protocol.sizes.plan.is_some();
        let asked = if masked && !plan.is_random() && self.took_place.is_none() {
            self.observers.asked_by_calibration(&loaded.graph, session)?
        } else {
            self.observers.asked(&loaded.graph, session)?
        };
        let (sensitivity, sigma) = (noise.sensitivity, noise.sigma);
        let mut protocol = self.protocol.protocol(&loaded, sensitivity, sigma, session)?;
        if let Some(path) = &self.took_place {
            protocol = Record::applied(path, &protocol, self.law.law)
                .with_context(|| format!("--took-place {}", path.display()))?;
        }
        let bar = session.progress("observers");
        let account = self.settings(&asked, &protocol, sensitivity)?.progress(&bar).build()?;
        session.announce(&account, false)?;
        if let Some(path) = &self.certificate {
            let certificate = if self.at_least {
                account.attack_certificate()?
            } else {
                account.certificate()?
            };
            save_text(path, &certificate.to_json()?)?;
            if let Some(rate) = protocol.sampling() {
                let rounds = protocol.rounds_of_phase(0).count();
                session.note(&format!(
                    "it proves the loss of {} without sampling. Each of them loses 1/{rounds} of it: with mu^2 = that part times (sensitivity / sigma)^2, it is a Gaussian of noise multiplier 1/mu, sampled with probability {rate}. eps is that of their composition",
                    counted(rounds, "round")
                ));
            }
        }
        if let Some(PartNumber(index, of)) = self.shard {
            let formulas = Formulas { proved: protocol.rounds() > 1, ..Formulas::NONE };
            let account = account.settings().formulas(formulas).shard(index, of).build()?;
            let summary = account.summary()?;
            let engine = account.answering()?.name();
            let part =
                Part { subject: Subject::new(&loaded, &self.protocol, &protocol, engine), summary };
            let text = serde_json::to_string(&part)?;
            return self.output.write(|out| Ok(writeln!(out, "{text}")?));
        }
        let computed = match self.output.format {
            Format::Table => Computed::by_distance(&account)?,
            _ => Computed::of_pairs(&account.settings().formulas(Formulas::ALL).build()?)?,
        };
        drop(account);
        drop(bar);
        let mut beside = Vec::new();
        for plan in &self.beside {
            let sizes = SizeArgs::default();
            let arguments = ProtocolArgs { protocol: plan.clone(), sizes, ..self.protocol.clone() };
            let protocol = arguments.protocol(&loaded, sensitivity, sigma, session)?;
            let settings = self.settings(&asked, &protocol, sensitivity)?;
            beside.push((plan.to_string(), Computed::of(settings, session)?.summary));
        }
        let report = AccountReport::new(&loaded, &self.protocol, &protocol, &noise, &computed);
        let report = AccountReport { beside: &beside, ..report };
        self.plot.deliver(|| Ok(chart::beside(&report)))?;
        self.output.deliver(&report)?;
        computed.complete()
    }
}
