//! `muffliato attack`: simulates an attack.

use super::input::{GraphArgs, SizeArgs, VIEWS, node_named, one_of};
use super::output::{OutputArgs, Report, write_csv, write_value};
use super::session::Session;
use anyhow::bail;
use clap::Args;
use muffliato::model::ProtocolSpec;
use muffliato::prelude::*;
use muffliato_account::Knowledge;
use muffliato_conformance::attack::{self, AttackReport, Rounding};
use std::io::Write;

/// Arguments of `attack`.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Attack {
    #[command(flatten)]
    graph: GraphArgs,
    /// Name of the node whose input is attacked.
    #[arg(long, value_name = "NODE")]
    source: String,
    /// Name of the node that attacks.
    #[arg(long, value_name = "NODE")]
    observer: String,
    /// Number of gossip steps; by default one more than the distance of the two nodes.
    #[arg(long, value_name = "T")]
    steps: Option<usize>,
    /// Number of simulated runs, half of them with each input.
    #[arg(long, value_name = "N", default_value_t = 20_000)]
    trials: usize,
    /// Seed of the noise.
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Standard deviation of the noise; the two inputs are 0 and 1.
    #[arg(long, value_name = "SIGMA", default_value_t = 1.0)]
    sigma: f64,
    /// The delta at which eps is bounded from below.
    #[arg(long, value_name = "DELTA", default_value_t = 1e-5)]
    delta: f64,
    /// The protocol: one-shot, refreshed:TAU, masked:KAPPA, or both joined by +.
    #[arg(long, value_name = "PROTOCOL", default_value = "one-shot")]
    protocol: ProtocolSpec,
    #[command(flatten)]
    sizes: SizeArgs,
    /// Knowledge of the attacker.
    #[arg(long, value_parser = one_of(VIEWS), default_value = "full")]
    view: Knowledge,
    /// Rounding of messages: f32, or a number of decimals.
    #[arg(long, value_name = "f32|DIGITS", default_value = "f64")]
    round: Rounding,
    #[command(flatten)]
    output: OutputArgs,
}

const EXAMPLES: &str = "\
Examples:
  muffliato attack karate --source 33 --observer 3 --steps 2
  muffliato attack karate --source 33 --observer 3 --steps 2 --protocol refreshed:0.1
  muffliato attack path:4 --source 0 --observer 1 --steps 2 --view sum
  muffliato attack karate --source 11 --observer 0 --plan plan.json
";

impl Attack {
    /// Simulates the attack and writes the result.
    pub fn run(self, session: &Session) -> anyhow::Result<()> {
        self.output.check()?;
        let graph = self.graph.load(session)?.graph;
        let source = node_named(&graph, &self.source)?;
        let observer = node_named(&graph, &self.observer)?;
        let distance = graph.distances_from(source)[observer];
        let steps = self.steps.unwrap_or(distance.unwrap_or(0) + 1);
        let name = |node: usize| match graph.labels() {
            Some(labels) => labels[node].clone(),
            None => format!("node {node}"),
        };
        let (attacked, attacker) = (name(source), name(observer));
        let labels = [graph.label(source), graph.label(observer)];
        let network = Network::try_new(graph, WeightScheme::Metropolis)?;
        if self.protocol.rounds.is_some() || self.protocol.is_random() {
            bail!(
                "--protocol {} cannot be attacked; use one-shot, refreshed:TAU or masked:KAPPA",
                self.protocol
            );
        }
        let protocol = self.protocol.on_fixed(network.clone(), steps)?;
        let protocol = self.sizes.on(network.graph())?.apply(protocol, &self.protocol)?;
        let attack = attack::Attack {
            sigma: self.sigma,
            delta: self.delta,
            trials: self.trials,
            seed: self.seed,
            rounding: self.round,
            ..attack::Attack::new(&protocol, source, self.view.observer(observer))
        };
        let report = attack.run(&session.progress("simulating"))?;
        self.output.deliver(&NamedReport { report, attacked, attacker, labels })
    }
}

/// An attack report with the names of the nodes.
struct NamedReport {
    report: AttackReport,
    attacked: String,
    attacker: String,
    /// The labels of the source and the observer.
    labels: [String; 2],
}

impl Report for NamedReport {
    fn table(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        let text = self.report.text_naming(&self.attacked, &self.attacker);
        Ok(write!(out, "{text}")?)
    }

    fn json(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        let mut value = self.report.json();
        value["source"] = self.labels[0].clone().into();
        value["observer"] = self.labels[1].clone().into();
        write_value(out, value)
    }

    fn csv(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        let report = &self.report;
        let measured =
            [("accuracy", &report.accuracy), ("hits", &report.hits), ("alarms", &report.alarms)]
                .map(|(name, found)| {
                    let [share, lower, upper] = [found.share(), found.lower, found.upper];
                    [name.into(), share.to_string(), lower.to_string(), upper.to_string()]
                });
        let paper = report.theorem_1.iter().flat_map(|paper| {
            [("theorem_1_accuracy", paper.accuracy), ("theorem_1_epsilon", paper.epsilon)]
        });
        let computed = [
            ("exact_accuracy", report.exact_accuracy),
            ("epsilon_lower", report.epsilon_lower),
            ("exact_epsilon", report.exact_epsilon),
        ];
        let computed = computed
            .into_iter()
            .chain(paper)
            .map(|(name, value)| [name.into(), value.to_string(), String::new(), String::new()]);
        write_csv(out, "quantity,value,lower,upper", measured.into_iter().chain(computed))
    }
}
