//! `muffliato verify`: certificates, checked.

use super::{
    plan,
    session::{CheckFailed, Session},
    table::wrapped,
};
use anyhow::Context;
use clap::Args;
use muffliato::reference::decimal;
use muffliato_certificate::{Certificate, Claim, Law, MAX_BYTES, Proof};
use std::{fs, io::Read, path::PathBuf};

/// Checks certificates from the graph alone, in whole numbers.
#[derive(Args)]
#[command(after_long_help = EXAMPLES)]
pub struct Verify {
    /// Files that account --certificate or plan --plan-out wrote, or somebody else.
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
            let certificate = Certificate::parse(&text)
                .with_context(|| format!("{name}: it is no certificate"))?;
            match certificate.check() {
                Ok(()) => anstream::println!("{name}: holds: {}", described(&certificate)),
                Err(reason) => {
                    wrong += 1;
                    anstream::println!(
                        "{name}: does not hold: {}\n  {reason}",
                        described(&certificate)
                    );
                }
            }
        }
        match wrong {
            0 => Ok(()),
            _ => Err(CheckFailed(format!("{wrong} of {} do not hold", self.files.len())).into()),
        }
    }
}

/// Of a claim beside its fraction.
const DIGITS: u32 = 3;

/// The claim in a sentence, with a decimal that claims no more.
fn described(certificate: &Certificate) -> String {
    let names = |nodes: &[usize]| {
        nodes
            .iter()
            .map(usize::to_string)
            .collect::<Vec<_>>()
            .join(",")
    };
    let protocol = &certificate.protocol;
    let assumed = match (&certificate.proof, protocol.reaction()) {
        (Proof::Flows(_), _) => "whatever the losses are",
        (Proof::Absorption { .. }, _) if protocol.rounds() > 1 => {
            "if steps are Lipschitz with the constants of the file"
        }
        (_, Some(_)) => "with the reactions of the file",
        _ => "for inputs that do not react",
    };
    let noise = match &certificate.noise {
        Law::Gaussian => "Gaussian noise (real numbers)".into(),
        Law::Rounded(grid) => format!(
            "Gaussian noise rounded to a grid (inputs differ by at most {} steps, in {} coordinates; roundings add {} steps)",
            grid.sensitivity, grid.coordinates, grid.roundings
        ),
    };
    let about = match &certificate.claim {
        Claim::AtMost(loss) => decimal::rounded_up(loss, DIGITS),
        Claim::AtLeast(loss) => decimal::rounded_down(loss, DIGITS),
    };
    format!(
        "on {} nodes, {} rounds of {} steps, {} loses {} L ({about}) to {}, {assumed}, with {noise}",
        protocol.nodes(),
        protocol.rounds(),
        protocol.gossip_steps(),
        names(&certificate.sources),
        certificate.claim,
        names(certificate.observer.members()),
    )
}
