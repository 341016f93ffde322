//! `muffliato audit`.

use super::output::{OutputArgs, Report, write_csv};
use super::session::{CheckFailed, Session};
use clap::Args;
use muffliato_conformance::{Audit as Verdicts, Ledger};
use std::io::Write;

/// The claims of the paper, decided.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Audit {
    /// One claim by its name; without it all of them.
    #[arg(long, value_name = "ID")]
    claim: Option<String>,
    #[command(flatten)]
    output: OutputArgs,
}

const EXAMPLES: &str = "\
Without --claim all claims are decided, which takes a few seconds.

Examples:
  muffliato audit --claim theorem-1
  muffliato audit --claim average-loss --format json --output verdict.json
";

impl Audit {
    /// Decides, and fails if a verdict is not the one on record.
    pub fn run(self, session: &Session) -> anyhow::Result<()> {
        self.output.check()?;
        let ledger = match &self.claim {
            Some(id) => Ledger::only(id)?,
            None => Ledger::complete(),
        };
        let verdicts = ledger.run_watched(&session.progress("deciding claims"))?;
        self.output.deliver(&verdicts)?;
        match verdicts.is_as_recorded() {
            true => Ok(()),
            false => Err(CheckFailed("a verdict is not the one on record".into()).into()),
        }
    }
}

impl Report for Verdicts {
    fn table(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        Ok(write!(out, "{}", self.text())?)
    }

    fn json(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        Ok(writeln!(out, "{:#}", Verdicts::json(self))?)
    }

    fn csv(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        let rows = self.entries.iter().map(|entry| {
            [
                entry.claim.id.to_string(),
                entry.claim.place.to_string(),
                entry.verdict.standing().to_string(),
                entry.is_as_recorded().to_string(),
                entry.verdict.evidence(),
            ]
        });
        write_csv(out, "claim,place,verdict,as_recorded,evidence", rows)
    }
}
