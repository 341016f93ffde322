//! `muffliato audit`.

use clap::{Args, ValueEnum};
use muffliato_conformance::Ledger;
use std::io::{IsTerminal, Write};

/// The claims of the paper, decided.
#[derive(Args)]
pub struct Audit {
    /// One claim by its name; without it all of them.
    #[arg(long, value_name = "ID")]
    claim: Option<String>,
    /// How to print the verdicts.
    #[arg(long, value_enum, default_value = "table")]
    format: Format,
}

#[derive(Clone, Copy, ValueEnum)]
pub enum Format {
    /// For people.
    Table,
    /// For programs.
    Json,
}

/// A verdict is not the one on record: what was to be printed.
#[derive(Debug)]
pub struct Changed(pub String);

impl std::fmt::Display for Changed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Changed {}

impl Audit {
    pub fn run(self) -> anyhow::Result<String> {
        let ledger = match &self.claim {
            Some(id) => Ledger::only(id)?,
            None => Ledger::complete(),
        };
        let shown = std::io::stderr().is_terminal();
        let audit = ledger.run(|done, all, claim| {
            if shown {
                let _ = write!(std::io::stderr(), "\r\x1b[K{done}/{all} {}", claim.id);
            }
        })?;
        if shown {
            let _ = write!(std::io::stderr(), "\r\x1b[K");
        }
        let text = match self.format {
            Format::Table => audit.text(),
            Format::Json => format!("{:#}\n", audit.json()),
        };
        if audit.is_as_recorded() {
            Ok(text)
        } else {
            Err(Changed(text).into())
        }
    }
}
