//! `muffliato audit`: decides the claims of the paper again.

use super::output::{OutputArgs, Report, write_csv, write_value};
use super::session::{CheckFailed, Session};
use super::table::coloured_verdict;
use clap::Args;
use muffliato_conformance::{Audit as Verdicts, Ledger, claims::Standing};
use std::io::Write;

/// Arguments of `audit`.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Audit {
    /// Name of a claim, to print its full entry; by default all claims are listed.
    #[arg(long, value_name = "ID")]
    claim: Option<String>,
    #[command(flatten)]
    output: OutputArgs,
}

const EXAMPLES: &str = "\
All claims together take about ten seconds.

Examples:
  muffliato audit --claim theorem-1
  muffliato audit --claim average-loss --format json --output verdict.json
";

impl Audit {
    /// Decides the claims. Fails if a verdict differs from the recorded one.
    pub fn run(self, session: &Session) -> anyhow::Result<()> {
        self.output.check()?;
        let ledger = match &self.claim {
            Some(id) => Ledger::only(id)?,
            None => Ledger::complete(),
        };
        let verdicts = ledger.run(&session.progress("deciding claims"))?;
        self.output.deliver(&verdicts)?;
        if verdicts.is_as_recorded() {
            Ok(())
        } else {
            Err(CheckFailed("a verdict is not the one on record".into()).into())
        }
    }
}

impl Report for Verdicts {
    fn table(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        for line in self.text().split_inclusive('\n') {
            let verdicts =
                [Standing::HoldsCorrected, Standing::Holds, Standing::Refuted, Standing::Open];
            let found = verdicts.iter().find_map(|standing| {
                let rest = line.strip_prefix(&format!("  {standing}: "))?;
                Some((standing.to_string(), rest))
            });
            match found {
                Some((verdict, rest)) => {
                    write!(out, "  {}: {rest}", coloured_verdict(&verdict))?;
                }
                None => write!(out, "{line}")?,
            }
        }
        Ok(())
    }

    fn json(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        write_value(out, Verdicts::json(self))
    }

    fn csv(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        let rows = self.entries.iter().map(|entry| {
            [
                entry.claim.id.to_string(),
                entry.claim.place().to_string(),
                entry.verdict.standing.to_string(),
                entry.is_as_recorded().to_string(),
                entry.verdict.evidence.clone(),
            ]
        });
        write_csv(out, "claim,place,verdict,as_recorded,evidence", rows)
    }
}
