//! `muffliato merge`: the parts that `account --shard` wrote, as one.

use super::account::{Conditions, Told};
use super::input::NoiseArgs;
use super::output::{OutputArgs, Report, cell, fields, write_csv, write_json};
use super::session::{CheckFailed, Session};
use anyhow::Context;
use clap::Args;
use muffliato_account::{NoiseLaw, Summary};
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

struct Merged<'a>(Told<'a>);

impl Merge {
    /// Reads, merges and writes.
    pub fn run(self, _session: &Session) -> anyhow::Result<()> {
        self.noise.check(NoiseLaw::Gaussian, 1)?;
        self.output.check()?;
        let mut merged: Option<(Conditions, Summary)> = None;
        for path in &self.parts {
            let name = path.display();
            let text = std::fs::read_to_string(path)
                .with_context(|| format!("{name}: cannot be read; check the path"))?;
            let part = Summary::from_json(&text).with_context(|| name.to_string())?;
            let conditions = Conditions::read(&text).with_context(|| name.to_string())?;
            match &mut merged {
                Some((known, merged)) => {
                    known.check(&conditions).with_context(|| name.to_string())?;
                    merged.merge(part).with_context(|| name.to_string())?;
                }
                None => merged = Some((conditions, part)),
            }
        }
        let (conditions, summary) = merged.context("there is nothing to merge; name a file")?;
        self.output.deliver(&Merged(Told {
            conditions,
            summary: &summary,
            noise: &self.noise,
        }))?;
        if summary.is_partial() {
            return Err(CheckFailed(format!(
                "the parts cover {} of {} observers; merge the missing parts, too",
                summary.observers(),
                summary.sample_of().unwrap_or_default(),
            ))
            .into());
        }
        Ok(())
    }
}

impl Report for Merged<'_> {
    fn table(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        writeln!(out, "{}", self.0.introduction())?;
        Ok(write!(out, "{}", self.0.by_distance()?)?)
    }

    fn json(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        let mut fields = self.0.about();
        fields.extend(fields! {
            "observers": self.0.summary.observers(),
            "sample_of": self.0.summary.sample_of(),
            "classes": self.0.summary_json()?,
        });
        write_json(out, &fields)
    }

    fn csv(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        for (key, value) in self.0.about() {
            writeln!(out, "# {key}: {value}")?;
        }
        let mut rows = Vec::new();
        for class in self.0.summary.classes() {
            let (epsilon, model, any_loss) = self.0.epsilons_of(class)?;
            let mut row = vec![cell(class.distance), class.pairs.to_string()];
            row.extend(class.upper.floats().map(|end| end.to_string()));
            row.extend([
                self.0.summary.word_of(class).into(),
                epsilon.to_string(),
                cell(model),
                cell(any_loss),
            ]);
            rows.push(row);
        }
        let head = "distance,pairs,loss_min,loss_mean,loss_max,status,epsilon,model_epsilon,any_loss_epsilon";
        write_csv(out, head, rows)
    }
}
