//! The `muffliato` command. Run it without arguments for a tour.

use muffliato::command::Command;
use std::process::ExitCode;

fn main() -> ExitCode {
    Command::from_arguments().run()
}
