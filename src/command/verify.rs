//! `muffliato verify`: checks certificates.

use super::{
    input::text_file,
    plan,
    session::{CheckFailed, Session},
    table::{coloured_verdict, wrapped},
};
use anyhow::Context;
use clap::Args;
use muffliato_certificate::{Certificate, MAX_BYTES, SystemCertificate};
use std::path::PathBuf;

/// Checks certificates from the graph alone, in whole numbers.
#[derive(Args)]
#[command(after_long_help = EXAMPLES)]
pub struct Verify {
    /// Files written by account --certificate or plan --plan-out.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
}

const EXAMPLES: &str = "\
Examples:
  muffliato account karate --protocol gd:10x1 --observer 3 --source 33 --certificate claim.json
  muffliato verify claim.json
  muffliato plan karate --epsilon 1 --delta 1e-6 --plan-out plan.json
  muffliato verify plan.json
";

impl Verify {
    /// Prints the result of each file. Fails if a certificate does not hold.
    pub fn run(self, _session: &Session) -> anyhow::Result<()> {
        let mut wrong = 0;
        for path in &self.files {
            let name = path.display();
            let text = text_file(path, MAX_BYTES as u64)?;
            let checked = check(&text).with_context(|| name.to_string())?;
            wrong += usize::from(checked.is_err());
            let verdict = match checked {
                Ok(claim) => format!("{name}: {}: {claim}\n", coloured_verdict("holds")),
                Err(reason) => format!("{name}: {}: {reason}\n", coloured_verdict("does not hold")),
            };
            anstream::print!("{}", wrapped(&verdict));
        }
        match wrong {
            0 => Ok(()),
            _ => {
                let (all, does) = match self.files.len() {
                    1 => ("the file".into(), "does"),
                    files => (
                        format!("{wrong} of {files} files"),
                        if wrong == 1 { "does" } else { "do" },
                    ),
                };
                Err(CheckFailed(format!("{all} {does} not hold")).into())
            }
        }
    }
}

/// Checks a plan or a certificate: what holds in words, or why it does not. `Err` if it is neither.
fn check(text: &str) -> anyhow::Result<Result<String, String>> {
    if plan::is_plan(text) {
        return plan::checked(text).context("not a plan");
    }
    let (claim, checked) = if SystemCertificate::is_one(text) {
        let claim = SystemCertificate::parse(text).context("not a certificate")?;
        (claim.to_string(), claim.check().map_err(|reason| reason.to_string()))
    } else {
        let claim = Certificate::parse(text).context("not a certificate")?;
        (claim.to_string(), claim.check().map_err(|reason| reason.to_string()))
    };
    Ok(match checked {
        Ok(()) => Ok(claim),
        Err(reason) => Err(format!("{claim}\n  {reason}")),
    })
}
