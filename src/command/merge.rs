//! `muffliato merge`: the parts that `account --shard` wrote, as one.

use super::input::NoiseArgs;
use super::output::{OutputArgs, Report, write_json};
use super::session::Session;
use super::table;
use anyhow::Context;
use clap::Args;
use muffliato_account::{Class, Summary, rounded_up};
use serde_json::{Value, json};
use std::io::Write;
use std::path::PathBuf;

/// Parts of one account.
#[derive(Args)]
#[command(after_long_help = EXAMPLES)]
pub struct Merge {
    /// The files, in any order.
    #[arg(required = true, value_name = "FILE")]
    parts: Vec<PathBuf>,
    #[command(flatten)]
    noise: NoiseArgs,
    #[command(flatten)]
    output: OutputArgs,
}

const EXAMPLES: &str = "\
Example:
  for i in 0 1 2 3; do muffliato account big.edges --steps 4 --protocol refreshed:0.1 --observers all --shard $i/4 -o part$i.json; done
  muffliato merge part*.json
";

struct Merged<'a> {
    summary: Summary,
    noise: &'a NoiseArgs,
}

impl Merge {
    /// Reads, merges and writes.
    pub fn run(self, _session: &Session) -> anyhow::Result<()> {
        self.noise.check()?;
        self.output.check()?;
        let mut merged: Option<Summary> = None;
        for path in &self.parts {
            let name = path.display();
            let text = std::fs::read_to_string(path)
                .with_context(|| format!("{name}: cannot be read; check the path"))?;
            let part = Summary::from_json(&text).with_context(|| name.to_string())?;
            match &mut merged {
                Some(merged) => merged.merge(part).with_context(|| name.to_string())?,
                None => merged = Some(part),
            }
        }
        let summary = merged.context("there is nothing to merge; name a file")?;
        let noise = &self.noise;
        self.output.deliver(&Merged { summary, noise })
    }
}

impl Merged<'_> {
    /// `certified` only if every observer was looked at.
    fn status(&self, class: &Class) -> &'static str {
        match self.summary.sample_of() {
            Some(_) if self.summary.is_partial() => "partial",
            Some(_) => "sampled",
            None => class.status.word(),
        }
    }

    /// What holds towards the observers that were looked at.
    fn epsilon(&self, class: &Class) -> anyhow::Result<f64> {
        let largest = self.summary.largest_of(class);
        Ok(self.noise.epsilon(largest.of_those_seen())?)
    }
}

impl Report for Merged<'_> {
    fn table(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        match self.summary.sample_of() {
            Some(of) => writeln!(
                out,
                "{} of {of} observers: a part or a sample, which promises nothing about the others.\n",
                self.summary.observers()
            )?,
            None => writeln!(out, "All {} observers.\n", self.summary.observers())?,
        }
        let mut rows = Vec::new();
        for class in self.summary.classes() {
            let mut row = vec![table::distance(class.distance), class.pairs.to_string()];
            row.extend(class.upper.rounded_up());
            row.push(self.status(class).into());
            row.push(rounded_up(self.epsilon(class)?));
            rows.push(row);
        }
        let head = [
            "distance", "pairs", "loss min", "mean", "max", "status", "eps",
        ];
        Ok(write!(out, "{}", table::aligned(&head, &rows))?)
    }

    fn json(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        let mut rows: Vec<Value> = Vec::new();
        for class in self.summary.classes() {
            let [min, mean, max] = class.upper.floats();
            rows.push(json!({
                "distance": class.distance,
                "pairs": class.pairs,
                "loss": {"min": min, "mean": mean, "max": max},
                "status": self.status(class),
                "epsilon": self.epsilon(class)?,
                "delta": self.noise.delta,
            }));
        }
        let fields = [
            ("observers", self.summary.observers().into()),
            ("sample_of", json!(self.summary.sample_of())),
            ("classes", rows.into()),
        ];
        write_json(out, &fields)
    }

    fn csv(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        let mut csv = csv::Writer::from_writer(out);
        csv.write_record([
            "distance",
            "pairs",
            "loss_min",
            "loss_mean",
            "loss_max",
            "status",
            "epsilon",
        ])?;
        for class in self.summary.classes() {
            let mut row = vec![
                class.distance.map_or(String::new(), |d| d.to_string()),
                class.pairs.to_string(),
            ];
            row.extend(class.upper.floats().map(|end| end.to_string()));
            row.push(self.status(class).into());
            row.push(self.epsilon(class)?.to_string());
            csv.write_record(row)?;
        }
        Ok(csv.flush()?)
    }
}
