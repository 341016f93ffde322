//! The terminal: progress, notes and the last word. Everything here goes to stderr.

use super::interrupt;
use anstream::stream::IsTerminal;
use indicatif::{ProgressBar, ProgressStyle};
use muffliato::fast::{FastError, Progress};
use muffliato::reference::ReferenceError;
use std::{process::ExitCode, time::Duration};

/// How the command talks while it works.
pub struct Session {
    quiet: bool,
    terminal: bool,
}

/// A check that the command was asked for did not pass: exit code 1.
#[derive(Debug)]
pub struct CheckFailed(pub String);

impl std::fmt::Display for CheckFailed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for CheckFailed {}

const RED: &str = "\u{1b}[1;31m";
const YELLOW: &str = "\u{1b}[1;33m";
const PLAIN: &str = "\u{1b}[0m";

impl Session {
    /// A session that prints notes and, on a terminal, progress; neither where it is quiet.
    pub fn new(quiet: bool) -> Self {
        Self {
            quiet,
            terminal: std::io::stderr().is_terminal(),
        }
    }

    /// Listens for Ctrl-C and sets the number of threads.
    pub fn prepare(&self, threads: Option<usize>) -> anyhow::Result<()> {
        interrupt::listen();
        if threads == Some(0) {
            anyhow::bail!("--threads is 0; give at least 1, or leave it out to use all");
        }
        if let Some(threads) = threads {
            rayon::ThreadPoolBuilder::new()
                .num_threads(threads)
                .build_global()?;
        }
        Ok(())
    }

    /// Something worth knowing that is not part of the result.
    pub fn note(&self, text: &str) {
        if !self.quiet {
            anstream::eprintln!("{YELLOW}note:{PLAIN} {text}");
        }
    }

    /// A progress bar for `what`, to be given to an engine.
    pub fn progress(&self, what: &str) -> Bar {
        if self.quiet || !self.terminal {
            return Bar {
                bar: ProgressBar::hidden(),
            };
        }
        let bar = ProgressBar::new(0);
        let template = "{msg} {wide_bar} {pos}/{len} {eta}";
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        bar.set_message(what.to_string());
        bar.enable_steady_tick(Duration::from_millis(200));
        Bar { bar }
    }

    /// Tells what went wrong, and gives the exit code.
    pub fn conclude(&self, outcome: anyhow::Result<()>) -> ExitCode {
        let Err(error) = outcome else {
            return ExitCode::SUCCESS;
        };
        let closed_pipe = error.chain().any(|cause| {
            let cause = cause.downcast_ref::<std::io::Error>();
            cause.is_some_and(|cause| cause.kind() == std::io::ErrorKind::BrokenPipe)
        });
        if closed_pipe {
            return ExitCode::SUCCESS; // whoever reads has read enough
        }
        if interrupt::was_asked() {
            anstream::eprintln!("interrupted; the result was not written");
            return ExitCode::from(interrupt::EXIT_CODE);
        }
        anstream::eprintln!("{RED}error:{PLAIN} {}", explained(&error));
        match error.is::<CheckFailed>() {
            true => ExitCode::from(1),
            false => ExitCode::from(2),
        }
    }
}

/// The message of an error of an engine, with the flag that helps.
fn explained(error: &anyhow::Error) -> String {
    let message = format!("{error:#}");
    let mut causes = error.chain();
    let flag = causes.find_map(|cause| {
        if let Some(error) = cause.downcast_ref::<FastError>() {
            return match error {
                FastError::TooMuchMemory { bytes, .. } => Some(format!(
                    "That is {:.1} GB. Fewer --steps help, and fewer of --observer.",
                    *bytes as f64 / 1e9
                )),
                FastError::NoGap { .. } => Some(
                    "Give --steps N yourself, or --giant-component, or --weights metropolis."
                        .to_string(),
                ),
                _ => None,
            };
        }
        match cause.downcast_ref::<ReferenceError>() {
            Some(ReferenceError::TooLarge { .. }) => Some(
                "The exact engine keeps all fractions; --engine fast is made for this size."
                    .to_string(),
            ),
            _ => None,
        }
    });
    match flag {
        Some(flag) => format!("{message}\n{flag}"),
        None => message,
    }
}

/// A progress bar; it disappears when it is dropped.
pub struct Bar {
    bar: ProgressBar,
}

impl Progress for Bar {
    fn report(&self, done: usize, total: usize) -> bool {
        self.bar.set_length(total as u64);
        self.bar.set_position(done as u64);
        !interrupt::was_asked()
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

/// Only listens for Ctrl-C: for work that is one unit of a larger one.
pub struct Listening;

impl Progress for Listening {
    fn report(&self, _done: usize, _total: usize) -> bool {
        !interrupt::was_asked()
    }
}
