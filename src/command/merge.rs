//! `muffliato merge`: the parts that `account --shard` wrote, as one.

use super::input::NoiseArgs;
use super::output::{OutputArgs, Report, cell, fields, write_csv, write_json};
use super::session::Session;
use super::table;
use anyhow::Context;
use clap::Args;
use muffliato_account::{Class, NoiseLaw, Summary, rounded_up};
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
        self.noise.check(NoiseLaw::Gaussian, 1)?;
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
    /// The classes, and the epsilons towards the observers that were looked at.
    fn rows(&self) -> anyhow::Result<Vec<(&Class, f64)>> {
        let epsilon = |class| {
            let largest = self.summary.largest_of(class);
            Ok((class, self.noise.epsilon(largest.of_those_seen())?))
        };
        self.summary.classes().map(epsilon).collect()
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
        for (class, epsilon) in self.rows()? {
            let mut row = vec![table::distance(class.distance), class.pairs.to_string()];
            row.extend(class.upper.rounded_up());
            row.extend([self.summary.word_of(class).into(), rounded_up(epsilon)]);
            rows.push(row);
        }
        let head = "distance,pairs,loss min,mean,max,status,eps";
        Ok(write!(out, "{}", table::aligned(head, &rows))?)
    }

    fn json(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        let row = |(class, epsilon): (&Class, f64)| {
            let [min, mean, max] = class.upper.floats();
            json!({
                "distance": class.distance,
                "pairs": class.pairs,
                "loss": {"min": min, "mean": mean, "max": max},
                "status": self.summary.word_of(class),
                "epsilon": epsilon,
                "delta": self.noise.delta,
            })
        };
        let rows: Vec<Value> = self.rows()?.into_iter().map(row).collect();
        let fields = fields! {
            "observers": self.summary.observers(),
            "sample_of": self.summary.sample_of(),
            "classes": rows,
        };
        write_json(out, &fields)
    }

    fn csv(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        let rows = self.rows()?.into_iter().map(|(class, epsilon)| {
            let mut row = vec![cell(class.distance), class.pairs.to_string()];
            row.extend(class.upper.floats().map(|end| end.to_string()));
            row.extend([self.summary.word_of(class).into(), epsilon.to_string()]);
            row
        });
        let head = "distance,pairs,loss_min,loss_mean,loss_max,status,epsilon";
        write_csv(out, head, rows)
    }
}
