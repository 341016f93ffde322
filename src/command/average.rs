//! `muffliato average`: averages values by gossip and accounts for the privacy loss.

use super::account::{AccountReport, Computed, EngineArgs};
use super::data;
use super::input::{GraphArgs, LawArgs, NoiseOptions, ObserverArgs, ProtocolArgs, help_on_graphs};
use super::output::{OutputArgs, PlotArgs, Report, fields, write_csv, write_json};
use super::session::Session;
use super::table;
use anyhow::bail;
use clap::Args;
use muffliato::fast::noise::{DiscreteGaussian, NoiseSource, RoundedGaussian, SeededNoise};
use muffliato::fast::simulation::Simulation;
use muffliato::model::Draw;
use muffliato::plot::{Axis, LineChart, Picture, Series};
use muffliato_account::{Formulas, NoiseLaw, rounded};
use serde_json::{Value, json};
use std::io::Write;

/// Arguments of `average`.
#[derive(Args)]
#[command(after_help = help_on_graphs(), after_long_help = format!("{EXAMPLES}\n{}", help_on_graphs()))]
pub struct Average {
    #[command(flatten)]
    graph: GraphArgs,
    /// The values: a CSV file (each row has a value, or a node and its value), synthetic:uniform or
    /// synthetic:spike.
    #[arg(long, value_name = "FILE|synthetic:..", default_value = "synthetic:uniform")]
    values: String,
    /// Seed of the noise and of synthetic values.
    #[arg(long, value_name = "SEED", default_value_t = 0)]
    seed: u64,
    #[command(flatten)]
    protocol: ProtocolArgs,
    #[command(flatten)]
    observers: ObserverArgs,
    #[command(flatten)]
    engine: EngineArgs,
    #[command(flatten)]
    noise: NoiseOptions,
    #[command(flatten)]
    law: LawArgs,
    #[command(flatten)]
    output: OutputArgs,
    #[command(flatten)]
    plot: PlotArgs,
}

/// Returns reproducible noise with the law for which losses are proved.
pub fn seeded_noise(law: NoiseLaw, seed: u64) -> Box<dyn NoiseSource> {
    match law {
        NoiseLaw::Gaussian => Box::new(SeededNoise::new(seed)),
        NoiseLaw::Rounded(grid) => Box::new(RoundedGaussian::seeded(grid, seed)),
        NoiseLaw::Discrete(grid) => Box::new(DiscreteGaussian::seeded(grid, seed)),
    }
}

/// Describes the noise of a simulated run, which the guarantee does not cover.
pub fn simulation(law: NoiseLaw) -> String {
    let noise = match law {
        NoiseLaw::Gaussian => "Gaussian noise in floating point".into(),
        law => law.described(),
    };
    format!(
        "This was a simulation: its {noise} came from a seed. The guarantee is about runs with secret noise; for real data see \
         muffliato::fast::noise."
    )
}

const EXAMPLES: &str = "\
Examples:
  muffliato average karate --steps 8 --sigma 0.5
  muffliato average hypercube:6 --steps 10 --protocol refreshed:0.1 --plot error.svg
";

/// Largest number of steps in the table; longer runs are thinned out.
const ROWS: usize = 20;

struct AverageReport<'a> {
    account: AccountReport<'a>,
    law: NoiseLaw,
    seed: u64,
    /// Mean of the values.
    mean: f64,
    /// Smallest and largest value after the last step.
    found: (f64, f64),
    /// Error at each step.
    errors: Vec<(usize, f64)>,
    /// Expected error of the mean of the noise at the inputs.
    floor: f64,
}

impl Average {
    /// Simulates the run, accounts for it and writes the result.
    pub fn run(self, session: &Session) -> anyhow::Result<()> {
        let noise = self.noise.with_plan(&self.protocol.sizes)?;
        noise.check(self.law.law, self.law.coordinates)?;
        self.output.check()?;
        self.plot.check()?;
        let loaded = self.graph.load(session)?;
        let values = data::values(&self.values, &loaded.graph, self.seed)?;
        let (lowest, highest) = smallest_and_largest(&values);
        if highest - lowest > noise.sensitivity {
            bail!(
                "the values span {} to {}, more than the sensitivity {}: the guarantee would not cover them; give a larger --sensitivity",
                lowest,
                highest,
                noise.sensitivity
            );
        }
        let asked = self.observers.asked(&loaded.graph, session)?;
        let (sensitivity, sigma) = (noise.sensitivity, noise.sigma);
        let protocol = self.protocol.protocol(&loaded, sensitivity, sigma, session)?;
        if protocol.rounds() > 1 {
            bail!("averaging has one round; use muffliato train for --protocol gd:ROUNDSxSTEPS");
        }
        let bar = session.progress("gossip");
        let outcome = Simulation::new(&protocol)
            .sigma(sigma)
            .recording_errors(1)
            .watched(&bar)
            .run(&values, 1, &*seeded_noise(self.law.law, self.seed))?;
        drop(bar);
        let account = asked
            .of(&protocol, self.engine.choice())
            .noise(self.law.law, sensitivity, self.law.coordinates)
            .formulas(Formulas { theorem_1: true, ..Formulas::NONE });
        let computed = Computed::of(account, session)?;
        let own = |node| protocol.variance(Draw::Own { time: 0, node }).to_f64();
        let variance: f64 = (0..values.len()).map(own).sum();
        let report = AverageReport {
            account: AccountReport::new(&loaded, &self.protocol, &protocol, &noise, &computed),
            law: self.law.law,
            seed: self.seed,
            mean: values.iter().sum::<f64>() / values.len() as f64,
            found: smallest_and_largest(&outcome.values),
            errors: outcome.errors,
            floor: sigma * sigma * variance / (2.0 * (values.len() * values.len()) as f64),
        };
        self.plot.deliver(|| Ok(report.picture()))?;
        self.output.deliver(&report)?;
        computed.complete()
    }
}

/// Returns the smallest and the largest value.
fn smallest_and_largest(values: &[f64]) -> (f64, f64) {
    let all = values.iter().copied();
    (all.clone().fold(f64::INFINITY, f64::min), all.fold(f64::NEG_INFINITY, f64::max))
}

impl AverageReport<'_> {
    fn picture(&self) -> Picture {
        let floor = |&(step, _): &(usize, f64)| (step as f64, self.floor);
        let error = |&(step, error): &(usize, f64)| (step as f64, error);
        Picture::from(LineChart {
            title: format!("Averaging on {}", self.account.loaded.title()),
            x: Axis::linear("gossip steps"),
            y: Axis::log("error (half the mean square)"),
            series: vec![
                Series::new("error", self.errors.iter().map(error).collect()),
                Series::new("noise of the mean", self.errors.iter().map(floor).collect()).dashed(),
            ],
        })
    }
}

impl Report for AverageReport<'_> {
    fn table(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        let by_distance = self.account.by_distance();
        writeln!(out, "{}", by_distance.introduction())?;
        let every = self.errors.len().div_ceil(ROWS).max(1);
        let last = self.errors.len() - 1;
        let shown = self.errors.iter().enumerate();
        let rows: Vec<_> = shown
            .filter(|(place, _)| place % every == 0 || *place == last)
            .map(|(_, &(step, error))| vec![step.to_string(), rounded(error)])
            .collect();
        let (lowest, highest) = self.found;
        writeln!(
            out,
            "Mean found: {} to {}, over the nodes after the last step. The mean of the values is {}.\n",
            rounded(lowest),
            rounded(highest),
            rounded(self.mean),
        )?;
        writeln!(
            out,
            "Error after each step, (1/2n) sum (y - mean)^2, with seed {}. The noise of the inputs alone costs {} on average.\n",
            self.seed,
            rounded(self.floor)
        )?;
        writeln!(out, "{}", table::aligned("steps,error", &rows))?;
        writeln!(out, "{}\n", simulation(self.law))?;
        writeln!(out, "Privacy loss of the run:\n")?;
        Ok(write!(out, "{}", by_distance.table()?)?)
    }

    fn json(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        let errors: Vec<Value> =
            self.errors.iter().map(|(step, error)| json!({"step": step, "error": error})).collect();
        let mut fields = self.account.about_run(self.seed);
        fields.extend(fields! {
            "mean": self.mean,
            "found": json!({"min": self.found.0, "max": self.found.1}),
            "errors": errors,
            "by_distance": self.account.by_distance().json()?,
        });
        write_json(out, &fields)
    }

    fn csv(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        let rows = self.errors.iter();
        let rows = rows.map(|(step, error)| [step.to_string(), error.to_string()]);
        write_csv(out, "step,error", rows)
    }
}
