//! The paper's figures and tables, recomputed and compared with exact or certified leakage: `cargo
//! run --release -p muffliato-experiments -- all`.

mod authors;
mod averaging;
mod certificates;
mod curves;
mod descent;
mod descent_account;
mod descent_run;
mod dropout;
mod ego;
mod exhibit;
mod fig1a;
mod fig2;
mod fig3;
mod fig4;
mod files;
mod guarantee;
mod masks;
mod page;
mod plans;
mod refresh;
mod setting;
mod table1;

use clap::{Parser, ValueEnum};
use exhibit::Exhibit;
use files::DataFolder;
use muffliato::command::session::Session;
use setting::Setting;
use std::path::PathBuf;
use std::process::ExitCode;

/// Runs the experiments of the paper, with its bounds and with exact or certified leakage.
#[derive(Parser)]
#[command(
    name = "muffliato-experiments",
    max_term_width = 100,
    after_help = files::HELP,
    after_long_help = format!("{EXAMPLES}\n{}", files::HELP)
)]
struct Experiments {
    /// Experiment to run.
    #[arg(value_enum)]
    name: Name,
    /// Output folder. Files go to its folder `results`; `all` also writes results.md and
    /// results.html.
    #[arg(long, value_name = "DIR", default_value = env!("CARGO_MANIFEST_DIR"))]
    out: PathBuf,
    /// Number of trials of random experiments [default: as in the paper].
    #[arg(long, value_name = "N")]
    trials: Option<usize>,
    /// Use smaller graphs and fewer trials; takes a minute.
    #[arg(long)]
    quick: bool,
    /// Reproduce the deviations of the authors' public program, and so the published figures.
    #[arg(long)]
    as_authors: bool,
    /// Folder with facebook/*.edges and houses.csv.
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
    /// Seed of all random choices.
    #[arg(long, value_name = "SEED", default_value_t = 0)]
    seed: u64,
    /// Hide progress bars and notes.
    #[arg(long, short)]
    quiet: bool,
    /// Number of threads [default: all]. Results do not depend on it.
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
}

const EXAMPLES: &str = "\
Examples:
  cargo run --release -p muffliato-experiments -- fig1a --quick --out /tmp
  cargo run --release -p muffliato-experiments -- table3 --quick --trials 2 --as-authors --out /tmp
";

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Name {
    /// All experiments, and a page with their results.
    All,
    /// Loss by distance on a hypercube, an Erdos-Renyi graph, a geometric graph and a grid.
    Fig1a,
    /// One user of a Facebook ego network (also runs fig5).
    Fig1b,
    /// Logistic regression: accuracy, and a histogram of losses (also runs table2).
    Fig1c,
    /// Loss between one node and all others, drawn on four graphs.
    Fig2,
    /// Loss by distance on hypercubes of growing size.
    Fig3,
    /// Loss against Euclidean distance in a geometric graph.
    Fig4,
    /// One user of each Facebook ego network.
    Fig5,
    /// Dropout: loss and error by step (also runs table3).
    Fig6,
    /// Mean loss when 0, 10, 50 and 90 % of the nodes are away.
    Table3,
    /// Error under a given mean loss, and its exponents in n.
    Table1,
    /// Parameters of the logistic regression.
    Table2,
    /// Beyond the paper: privacy and error with fresh noise.
    Refresh,
    /// Beyond the paper: comparison of protocols, without and with shared secrets.
    Masks,
    /// Beyond the paper: the best noise for a graph.
    Plans,
    /// Beyond the paper: guarantees for gradient descent with real losses.
    Guarantee,
    /// Beyond the paper: sizes and times of certificates.
    Certificates,
}

type Run = fn(&Setting<'_>) -> anyhow::Result<Exhibit>;

/// The experiments, in the order of the page.
const EXPERIMENTS: &[(&[Name], Run)] = &[
    (&[Name::Fig1a], fig1a::run),
    (&[Name::Fig1b, Name::Fig5], ego::run),
    (&[Name::Fig1c, Name::Table2], descent::run),
    (&[Name::Fig2], fig2::run),
    (&[Name::Fig3], fig3::run),
    (&[Name::Fig4], fig4::run),
    (&[Name::Fig6, Name::Table3], dropout::run),
    (&[Name::Table1], table1::run),
    (&[Name::Refresh], refresh::run),
    (&[Name::Masks], masks::run),
    (&[Name::Plans], plans::run),
    (&[Name::Guarantee], guarantee::run),
    (&[Name::Certificates], certificates::run),
];

fn main() -> ExitCode {
    let experiments = Experiments::parse();
    let session = Session::new(experiments.quiet);
    let outcome =
        session.prepare(experiments.threads, None).and_then(|()| experiments.run(&session));
    session.conclude(outcome)
}

impl Experiments {
    /// Runs the selected experiments and writes the files of each when it is done.
    fn run(self, session: &Session) -> anyhow::Result<()> {
        if self.trials == Some(0) {
            anyhow::bail!("--trials is 0; give at least 1, or leave it out");
        }
        let setting = Setting {
            session,
            data: DataFolder::find(self.data.as_deref())?,
            quick: self.quick,
            as_authors: self.as_authors,
            trials: self.trials,
            seed: self.seed,
        };
        let folder = exhibit::prepare(&self.out)?;
        let mut exhibits = Vec::new();
        for &(names, run) in EXPERIMENTS {
            if self.name != Name::All && !names.contains(&self.name) {
                continue;
            }
            let exhibit = run(&setting)?;
            exhibit.write(&folder)?;
            muffliato::command::output::print(|out| {
                writeln!(out, "{}", exhibit.title)?;
                for finding in &exhibit.findings {
                    writeln!(out, "  {}", finding.lines().join("\n    "))?;
                }
                Ok(())
            })?;
            exhibits.push(exhibit);
        }
        if self.name == Name::All {
            page::write(&self.out, &exhibits)?;
        }
        session.note(&format!("files are in {}", folder.display()));
        Ok(())
    }
}
