//! The command line.
//!
//! Every subcommand is a struct of arguments with a method `run(self, &Session)`. The shared
//! modules are `input` (graphs, protocols and observers), `session` (the terminal) and `output`
//! (results).

mod account;
pub mod atomic_file;
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
mod plan;
mod report;
pub mod session;
mod shell;
pub mod table;
mod tour;
mod train;
mod verify;

use clap::{Args, CommandFactory, FromArgMatches, Parser, builder::StyledStr};
use session::Session;
use std::process::ExitCode;
use table::wrapped_help;

/// Privacy accounting for gossip: nodes of a graph add noise to private values and average with
/// their neighbours; what does each learn about each other?
///
/// Without a subcommand, muffliato gives a tour on the karate club. Losses are multiples of
/// L = alpha Delta^2 / (2 sigma^2), what publishing the noisy value would lose (local differential
/// privacy, LDP): 0 is perfect privacy, 1 is no better than publishing. Every number that is printed
/// as a guarantee is exact or certified, and rounded up.
#[derive(Parser)]
#[command(
    name = "muffliato",
    version,
    max_term_width = 80,
    after_help = HELP
)]
pub struct Command {
    #[command(subcommand)]
    subcommand: Option<Subcommand>,
    #[command(flatten)]
    global: GlobalArgs,
}

/// Options of all subcommands.
#[derive(Args)]
#[command(next_help_heading = "Global options")]
pub struct GlobalArgs {
    /// Suppress progress and notes.
    #[arg(long, short, global = true)]
    quiet: bool,
    /// Number of threads; all cores by default. Results do not depend on it.
    #[arg(long, value_name = "N", global = true)]
    threads: Option<usize>,
    /// Memory limit, such as 512M or 8G; three quarters of the machine's memory by default.
    #[arg(long, value_name = "SIZE", global = true)]
    memory: Option<session::Bytes>,
    /// Time limit, such as 30s, 10min or 2h. When it expires, account, average, train,
    /// calibrate and plan print the finished part of the result, marked as partial; other commands print nothing. The
    /// exit code is 3.
    #[arg(long, value_name = "TIME", global = true)]
    max_time: Option<session::Time>,
}

const HELP: &str = "\
Start here, with a graph of yours (lines such as: ann bob) or a built-in one:
  muffliato account karate --steps 4           who learns how much about whom
  muffliato account my.edges --protocol masked:3 --sigma 4 --delta 1e-6
  muffliato calibrate my.edges --epsilon 1 --delta 1e-6   compares protocols
  muffliato plan my.edges --epsilon 1 --delta 1e-6 --plan-out plan.json
  muffliato verify plan.json
  muffliato account --help                     options, examples, graphs

Exit codes: 0 done, 1 a check failed, 2 bad input, 3 the time of --max-time is
up (what is shown is partial), 130 interrupted.";

#[derive(clap::Subcommand)]
enum Subcommand {
    /// Shows on the karate club what leaks, and what to do about it.
    Tour(tour::Tour),
    /// Computes how much each node leaks to each other node, with guarantees.
    Account(Box<account::AccountCommand>),
    /// Finds the smallest noise that meets a target (epsilon, delta), and its cost in accuracy.
    Calibrate(Box<calibrate::Calibrate>),
    /// Finds the best noise for a graph, a size for every draw, with a proof that no plan costs less.
    Plan(Box<plan::PlanCommand>),
    /// Writes an HTML report: the graph coloured by loss, charts and tables.
    Report(Box<report::ReportCommand>),
    /// Averages values by gossip; prints the error after each step and the privacy loss.
    Average(Box<average::Average>),
    /// Trains a model by decentralized gradient descent; prints accuracy and privacy loss.
    Train(Box<train::Train>),
    /// Simulates an attack in which an observer tells two inputs of a node apart.
    Attack(Box<attack::Attack>),
    /// Describes a graph (size, degrees, diameter, spectral gap, steps), or converts it.
    Graph(Box<graph::GraphCommand>),
    /// Decides the claims of the paper again; exit code 1 if a verdict has changed.
    Audit(audit::Audit),
    /// Checks certificates; exit code 1 if one does not hold.
    Verify(verify::Verify),
    /// Grades another program on the test vectors; exit code 1 if an answer is unsound.
    Conform(conform::Conform),
    /// Merges the parts written by account --shard; exit code 1 if parts are missing.
    Merge(Box<merge::Merge>),
    /// Prints a completion script for a shell.
    Completions(shell::Completions),
    /// Prints a manual page, in roff: muffliato man > muffliato.1.
    Man(shell::Man),
}

impl Command {
    /// Parses the arguments of the process. Help pages are wrapped to fit a terminal.
    pub fn from_arguments() -> Self {
        let help = |text: Option<&StyledStr>| text.map(|text| wrapped_help(&text.to_string()));
        let command = Self::command().mut_subcommands(|subcommand| {
            let short = help(subcommand.get_after_help());
            let long = help(subcommand.get_after_long_help());
            let subcommand = match short {
                Some(text) => subcommand.after_help(text),
                None => subcommand,
            };
            match long {
                Some(text) => subcommand.after_long_help(text),
                None => subcommand,
            }
        });
        let parsed = command.try_get_matches();
        let parsed = parsed.and_then(|matches| Self::from_arg_matches(&matches));
        parsed.unwrap_or_else(|error| {
            if error.use_stderr() {
                anstream::eprintln!("{}", wrapped_help(&error.render().ansi().to_string()));
                std::process::exit(error.exit_code());
            }
            error.exit()
        })
    }

    /// Runs the command and returns its exit code: 0 success, 1 a check failed, 2 bad input, 3 out
    /// of time, 130 interrupted.
    pub fn run(self) -> ExitCode {
        let session = Session::new(self.global.quiet).at_most(self.global.max_time);
        let subcommand = self.subcommand.unwrap_or_default();
        session.enforce_deadline(subcommand.shows_parts());
        let outcome = session
            .prepare(self.global.threads, self.global.memory)
            .and_then(|()| subcommand.run(&session));
        session.conclude(outcome)
    }
}

impl Default for Subcommand {
    fn default() -> Self {
        Self::Tour(tour::Tour::default())
    }
}

impl Subcommand {
    /// Returns `true` if the subcommand prints a partial result when `--max-time` expires.
    fn shows_parts(&self) -> bool {
        matches!(
            self,
            Self::Account(_)
                | Self::Calibrate(_)
                | Self::Plan(_)
                | Self::Average(_)
                | Self::Train(_)
        )
    }

    fn run(self, session: &Session) -> anyhow::Result<()> {
        match self {
            Self::Tour(command) => command.run(session),
            Self::Account(command) => command.run(session),
            Self::Calibrate(command) => command.run(session),
            Self::Plan(command) => command.run(session),
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
