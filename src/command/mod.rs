//! What the command understands.

mod account;
mod attack;
mod audit;
mod table;
mod tour;

pub use audit::Changed;

use clap::{Parser, Subcommand};

/// Privacy accounting for gossip averaging: what each node of a graph leaks to each other node.
///
/// Without a subcommand it takes you on a tour of the karate club. Losses are multiples of the local
/// (LDP) loss L = alpha Delta^2 / (2 sigma^2): for averaging, 0 is perfect privacy and 1 is no better
/// than telling the noisy value to everybody; these are exact, and rounded up where they are printed.
#[derive(Parser)]
#[command(version, max_term_width = 100)]
pub struct Command {
    #[command(subcommand)]
    topic: Option<Topic>,
}

#[derive(Subcommand)]
enum Topic {
    /// The tour: the paper's promise, the exact loss and the repair, on the karate club.
    Tour,
    /// The account of a graph: the paper's bound and the exact loss, by distance.
    Account(Box<account::Account>),
    /// The claims of the paper, decided: 0 if every verdict is as recorded, 1 if one changed.
    Audit(audit::Audit),
    /// A break-in: simulated runs, and how well an observer tells two inputs of a node apart.
    Attack(Box<attack::Attack>),
}

impl Command {
    /// Runs the command; returns what it prints.
    pub fn run(self) -> anyhow::Result<String> {
        match self.topic {
            None | Some(Topic::Tour) => tour::run(),
            Some(Topic::Account(account)) => account.run(),
            Some(Topic::Audit(audit)) => audit.run(),
            Some(Topic::Attack(attack)) => attack.run(),
        }
    }
}
