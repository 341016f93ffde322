//! `muffliato verify`: certificates, checked.

use super::session::{CheckFailed, Session};
use anyhow::Context;
use clap::Args;
use muffliato_certificate::{Certificate, MAX_BYTES};
use std::{fs, io::Read, path::PathBuf};

/// Checks certificates from the graph alone, in whole numbers.
#[derive(Args)]
#[command(after_long_help = EXAMPLES)]
pub struct Verify {
    /// Files that account --certificate wrote, or somebody else.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
}

const EXAMPLES: &str = "\
Examples:
  muffliato account karate --protocol gd:10x1 --observer 3 --source 33 --certificate claim.json
  muffliato verify claim.json
";

impl Verify {
    /// Says of each file whether it holds; exit code 1 if one does not.
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
