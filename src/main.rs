//! The command `muffliato`: who leaks how much to whom. Run it without arguments for a tour.

mod command;

use clap::Parser;
use std::{
    io::{ErrorKind, Write},
    process::ExitCode,
};

fn main() -> ExitCode {
    let (text, code) = match command::Command::parse().run() {
        Ok(text) => (text, ExitCode::SUCCESS),
        Err(error) => match error.downcast() {
            Ok(command::Changed(text)) => (text, ExitCode::FAILURE),
            Err(error) => {
                // Nobody may be listening; the exit code says it all the same.
                let _ = writeln!(std::io::stderr(), "error: {error:#}");
                return ExitCode::from(2);
            }
        },
    };
    match std::io::stdout().write_all(text.as_bytes()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            let _ = writeln!(std::io::stderr(), "error: cannot write the result: {error}");
            ExitCode::from(2)
        }
        _ => code,
    }
}
