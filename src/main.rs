//! The command `muffliato`: who leaks how much to whom. Run it without arguments for a tour.

mod command;

use clap::Parser;
use std::process::ExitCode;

fn main() -> ExitCode {
    command::Command::parse().run()
}
