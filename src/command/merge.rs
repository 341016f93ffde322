//! `muffliato merge`: merges the parts written by `account --shard`.

use super::account::{ByDistance, Part};
use super::input::{NoiseOptions, SizeArgs, text_file};
use super::output::{OutputArgs, Report, cell, fields, write_csv, write_json};
use super::session::{CheckFailed, Session};
use anyhow::{Context, bail};
use clap::Args;
use muffliato_account::{NoiseLaw, Summary};
use std::io::Write;
use std::path::PathBuf;

/// Arguments of `merge`.
#[derive(Args)]
#[command(after_long_help = EXAMPLES)]
pub struct Merge {
    /// The part files, in any order.
    #[arg(required = true, value_name = "FILE")]
    parts: Vec<PathBuf>,
    #[command(flatten)]
    noise: NoiseOptions,
    #[command(flatten)]
    output: OutputArgs,
}

const EXAMPLES: &str = "\
Example:
  for i in 0 1 2 3; do muffliato account big.edges --steps 4 --protocol refreshed:0.1 --observers all --shard $i/4 -o part$i.json; done
  muffliato merge part*.json
";

/// Largest file of a part, in bytes.
const MAX_PART_BYTES: u64 = 1 << 30;

impl Merge {
    /// Merges the parts and writes the result.
    pub fn run(self, _session: &Session) -> anyhow::Result<()> {
        let noise = self.noise.with_plan(&SizeArgs::default())?;
        noise.check(NoiseLaw::Gaussian, 1)?;
        self.output.check()?;
        let mut merged: Option<Part> = None;
        for path in &self.parts {
            let name = path.display();
            let text = text_file(path, MAX_PART_BYTES)?;
            let part = read(&text).with_context(|| name.to_string())?;
            match &mut merged {
                Some(known) => {
                    let joined = known.summary.merge(part.summary);
                    joined.with_context(|| name.to_string())?;
                    if !known.subject.is_like(&part.subject) {
                        bail!(
                            "{name}: its engine or protocol differs from the parts before it; merge parts of one account only"
                        );
                    }
                }
                None => merged = Some(part),
            }
        }
        let part = merged.context("nothing to merge; name a file")?;
        let summary = &part.summary;
        self.output.deliver(&ByDistance { subject: part.subject, summary, noise: &noise })?;
        match part.summary.sample() {
            Some(sample) if sample.partial => {
                Err(CheckFailed(format!("the parts cover {sample}; merge the missing parts, too"))
                    .into())
            }
            _ => Ok(()),
        }
    }
}

/// Parses a part that `account --shard` wrote.
fn read(text: &str) -> anyhow::Result<Part> {
    let file: serde_json::Value = serde_json::from_str(text)?;
    let subject = file.get("subject").cloned();
    let subject = subject.context(
        "it has no subject (graph and protocol); write it with muffliato account --shard",
    )?;
    let summary =
        file.get("summary").context("it has no losses; write it with muffliato account --shard")?;
    Ok(Part {
        subject: serde_json::from_value(subject)?,
        summary: Summary::from_json(&summary.to_string())?,
    })
}

impl Report for ByDistance<'_> {
    fn table(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        writeln!(out, "{}", self.introduction())?;
        Ok(write!(out, "{}", ByDistance::table(self)?)?)
    }

    fn json(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        let mut fields = self.about();
        fields.extend(fields! {
            "by_distance": ByDistance::json(self)?,
        });
        write_json(out, &fields)
    }

    fn csv(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        for (key, value) in self.about() {
            writeln!(out, "# {key}: {value}")?;
        }
        let mut rows = Vec::new();
        let mut epsilons = self.noise.epsilons(0);
        for row in self.summary.rows() {
            let found = row.epsilons(&mut epsilons)?;
            let mut cells = vec![cell(row.distance), row.pairs.to_string()];
            cells.extend(row.upper.floats().map(|end| end.to_string()));
            cells.extend([
                row.as_str().into(),
                found.epsilon.to_string(),
                cell(found.model_epsilon),
                cell(found.any_loss_epsilon),
            ]);
            rows.push(cells);
        }
        let head = "distance,pairs,loss_min,loss_mean,loss_max,status,epsilon,model_epsilon,any_loss_epsilon";
        write_csv(out, head, rows)
    }
}
