//! What the command understands.
//!
//! Every subcommand is a struct of arguments with `run(self, &Session)`. What they share: `input` reads
//! graphs, protocols and observers, `session` talks to the terminal, `output` writes results.

mod account;
mod attack;
mod audit;
mod average;
mod calibrate;
mod conform;
mod conversion;
pub mod data;
mod graph;
mod input;
mod interrupt;
mod merge;
mod number;
pub mod output;
mod report;
pub mod session;
mod shell;
mod table;
mod tour;
mod train;
mod verify;
pub mod written;

use clap::{Args, Parser, Subcommand};
use session::Session;
use std::process::ExitCode;

/// Privacy accounting for gossip averaging: what each node of a graph leaks to each other node.
///
/// Without a subcommand it takes you on a tour of the karate club. Losses are multiples of the local
/// (LDP) loss L = alpha Delta^2 / (2 sigma^2): for averaging, 0 is perfect privacy and 1 is no better
/// than telling the noisy value to everybody. What is printed as a guarantee is exact or certified, and
/// rounded up.
#[derive(Parser)]
#[command(
    name = "muffliato",
    version,
    max_term_width = 100,
    after_help = "Exit codes: 0 done, 1 a check failed, 2 bad input, 3 the time of --max-time was up (what is shown is partial), 130 interrupted."
)]
pub struct Command {
    #[command(subcommand)]
    topic: Option<Topic>,
    #[command(flatten)]
    habits: Habits,
}

/// What holds for all subcommands.
#[derive(Args)]
pub struct Habits {
    /// No progress bars and no notes.
    #[arg(long, short, global = true)]
    quiet: bool,
    /// How many threads to use; all by default. The numbers do not depend on it.
    #[arg(long, value_name = "N", global = true)]
    threads: Option<usize>,
    /// How much memory to use, such as 512M or 8G; three quarters of the machine's by default.
    #[arg(long, value_name = "SIZE", global = true)]
    memory: Option<session::Bytes>,
    /// How long to work, such as 30s, 10min or 2h. Then account, average, train and calibrate show what is finished, marked as partial.
    #[arg(long, value_name = "TIME", global = true)]
    max_time: Option<session::Time>,
}

#[derive(Subcommand)]
enum Topic {
    /// The tour: the paper's promise, the exact loss and the repair, on the karate club.
    Tour(tour::Tour),
    /// Who leaks how much to whom: the paper's bound, the leakage and the guarantee, by distance.
    Account(Box<account::AccountCommand>),
    /// The smallest noise that meets a target (epsilon, delta), and what it costs in accuracy.
    Calibrate(Box<calibrate::Calibrate>),
    /// The parts that account --shard wrote, as one.
    Merge(Box<merge::Merge>),
    /// Average values by gossip: the error after each step, and the account of the run.
    Average(Box<average::Average>),
    /// Train a model by decentralized gradient descent: accuracy after each round, and the account.
    Train(Box<train::Train>),
    /// A graph's size, degrees, diameter, spectral gap and steps; conversion between formats.
    Graph(Box<graph::GraphCommand>),
    /// The claims of the paper, decided: exit code 0 if every verdict is as recorded, 1 if one changed.
    Audit(audit::Audit),
    /// Checks certificates: exit code 0 if all hold, 1 if one does not.
    Verify(verify::Verify),
    /// Asks another program the test vectors: exit code 1 if one of its answers is unsound.
    Conform(conform::Conform),
    /// A break-in: simulated runs, and how well an observer tells two inputs of a node apart.
    Attack(Box<attack::Attack>),
    /// A page for the browser: the graph coloured by loss, charts, tables and the command that made it.
    Report(Box<report::ReportCommand>),
    /// A completion script for a shell.
    Completions(shell::Completions),
    /// The manual page, in roff: muffliato man > muffliato.1.
    Man(shell::Man),
}

impl Command {
    /// Runs the command and says how it went: 0 done, 1 a check failed, 2 bad input, 3 out of time, 130 interrupted.
    pub fn run(self) -> ExitCode {
        let session = Session::new(self.habits.quiet).at_most(self.habits.max_time);
        let outcome = session
            .prepare(self.habits.threads, self.habits.memory)
            .and_then(|()| self.topic.unwrap_or_default().run(&session));
        session.conclude(outcome)
    }
}

impl Default for Topic {
    fn default() -> Self {
        Self::Tour(tour::Tour::default())
    }
}

impl Topic {
    fn run(self, session: &Session) -> anyhow::Result<()> {
        match self {
            Self::Tour(command) => command.run(session),
            Self::Account(command) => command.run(session),
            Self::Calibrate(command) => command.run(session),
            Self::Merge(command) => command.run(session),
            Self::Average(command) => command.run(session),
            Self::Train(command) => command.run(session),
            Self::Graph(command) => command.run(session),
            Self::Audit(command) => command.run(session),
            Self::Verify(command) => command.run(session),
            Self::Conform(command) => command.run(session),
            Self::Attack(command) => command.run(session),
            Self::Report(command) => command.run(session),
            Self::Completions(command) => command.run(session),
            Self::Man(command) => command.run(session),
        }
    }
}

/// Runs a subcommand inside another program, silently: its errors are returned, and signals are left to that program, which
/// calls `interrupt` to stop it.
pub fn called(arguments: &[String]) -> anyhow::Result<()> {
    let name = [String::from("muffliato")];
    let command = Command::try_parse_from(name.iter().chain(arguments))?;
    interrupt::forget();
    let session = Session::new(true).at_most(command.habits.max_time);
    let outcome = match command.topic.unwrap_or_default() {
        Topic::Report(report) => report.write(&report::line(arguments.iter()), &session),
        topic => topic.run(&session),
    };
    match outcome {
        // What was written says so itself.
        Err(error) if error.is::<session::Partial>() => Ok(()),
        Err(error) => match session.nothing_finished(&error) {
            Some(reason) => anyhow::bail!("{reason}"),
            None => Err(error),
        },
        done => done,
    }
}

/// Asks what `called` runs to stop.
pub fn interrupt() {
    interrupt::ask();
}
