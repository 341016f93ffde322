//! `muffliato verify`: checks certificates.

use super::{
    plan,
    session::{CheckFailed, Session},
    table::wrapped,
};
use anyhow::Context;
use clap::Args;
use muffliato_certificate::{Certificate, MAX_BYTES, SystemCertificate};
use std::{fs, io::Read, path::PathBuf};

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
            let file =
                fs::File::open(path).with_context(|| format!("{name}: it cannot be read"))?;
            let mut text = String::new();
            let most = MAX_BYTES as u64 + 1;
            let read = file.take(most).read_to_string(&mut text);
            read.with_context(|| format!("{name}: it is no text"))?;
            if plan::is_plan(&text) {
                let checked = plan::checked(&text);
                let checked = checked.with_context(|| format!("{name}: it is no plan"))?;
                wrong += usize::from(checked.is_err());
                let verdict = match checked {
                    Ok(described) => format!("{name}: holds: {described}\n"),
                    Err(reason) => format!("{name}: does not hold: {reason}\n"),
                };
                anstream::print!("{}", wrapped(&verdict));
                continue;
            }
            if SystemCertificate::is_one(&text) {
                let claim = SystemCertificate::parse(&text)
                    .with_context(|| format!("{name}: it is no certificate"))?;
                match claim.check() {
                    Ok(()) => anstream::println!("{name}: holds: {claim}"),
                    Err(reason) => {
                        wrong += 1;
                        anstream::println!("{name}: does not hold: {claim}\n  {reason}");
                    }
                }
                continue;
            }
            let certificate = Certificate::parse(&text)
                .with_context(|| format!("{name}: it is no certificate"))?;
            match certificate.check() {
                Ok(()) => anstream::println!("{name}: holds: {certificate}"),
                Err(reason) => {
                    wrong += 1;
                    anstream::println!("{name}: does not hold: {certificate}\n  {reason}");
                }
            }
        }
        match wrong {
            0 => Ok(()),
            _ => Err(CheckFailed(format!("{wrong} of {} do not hold", self.files.len())).into()),
        }
    }
}
