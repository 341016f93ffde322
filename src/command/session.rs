//! The terminal: progress, notes and the last word. Everything here goes to stderr.

use super::interrupt;
use anstream::stream::IsTerminal;
use indicatif::{ProgressBar, ProgressStyle};
use muffliato::fast::{FastError, Progress};
use muffliato::reference::ReferenceError;
use muffliato_account::AccountError;
use std::{
    process::ExitCode,
    str::FromStr,
    sync::Mutex,
    time::{Duration, Instant},
};

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

    /// Listens for Ctrl-C, and sets the number of threads and the limit of memory.
    pub fn prepare(&self, threads: Option<usize>, memory: Option<Bytes>) -> anyhow::Result<()> {
        interrupt::listen();
        if let Some(Bytes(bytes)) = memory.or_else(Bytes::most_of_this_machine) {
            muffliato::fast::memory::set_limit(bytes);
        }
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

    /// Progress of `what`, to be given to an engine: a bar on a terminal, else a line now and then.
    pub fn progress(&self, what: &str) -> Bar {
        if self.quiet {
            return Bar::Silent;
        }
        if !self.terminal {
            let started = Instant::now();
            return Bar::Lines {
                what: what.to_string(),
                started,
                next: Mutex::new(started + FIRST_LINE),
            };
        }
        let bar = ProgressBar::new(0);
        let template = "{msg} {wide_bar} {pos}/{len} {eta}";
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        bar.set_message(what.to_string());
        bar.enable_steady_tick(Duration::from_millis(200));
        Bar::Drawn(bar)
    }

    /// Tells what went wrong, and gives the exit code.
    pub fn conclude(&self, outcome: anyhow::Result<()>) -> ExitCode {
        let Err(error) = outcome else {
            return ExitCode::SUCCESS;
        };
        if is_closed_pipe(&error) {
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

/// Whether whoever reads the output has stopped, as `head` does.
fn is_closed_pipe(error: &anyhow::Error) -> bool {
    let kinds = error.chain().map(|cause| {
        let cause = cause
            .downcast_ref::<csv::Error>()
            .map_or(cause, |error| match error.kind() {
                csv::ErrorKind::Io(error) => error,
                _ => cause,
            });
        if let Some(error) = cause.downcast_ref::<serde_json::Error>() {
            return error.io_error_kind();
        }
        cause.downcast_ref::<std::io::Error>().map(|e| e.kind())
    });
    kinds
        .flatten()
        .any(|kind| kind == std::io::ErrorKind::BrokenPipe)
}

/// The message of an error of an engine, with the flag that helps.
fn explained(error: &anyhow::Error) -> String {
    let message = format!("{error:#}");
    let mut causes = error.chain();
    let flag = causes.find_map(|cause| {
        let (fast, exact) = match cause.downcast_ref::<AccountError>() {
            Some(AccountError::Fast(error)) => (Some(error), None),
            Some(AccountError::Reference(error)) => (None, Some(error)),
            Some(AccountError::AllObserve) => {
                return Some("Name another --source, --group or --observer.".to_string());
            }
            Some(AccountError::TooManyPairs { .. }) => {
                return Some("--format table keeps no pairs.".to_string());
            }
            _ => (cause.downcast_ref(), cause.downcast_ref()),
        };
        match (fast, exact) {
            (Some(FastError::TooMuchMemory { bytes, .. }), _) => Some(format!(
                "That is {:.1} GB. More --memory helps, fewer --steps, and fewer observers.",
                *bytes as f64 / 1e9
            )),
            (Some(FastError::NoGap { .. }), _) => Some(
                "Give --steps N yourself, or --giant-component, or --weights metropolis."
                    .to_string(),
            ),
            (_, Some(ReferenceError::TooLarge { .. })) => Some(
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

/// Work that is shorter than this goes on without a line.
const FIRST_LINE: Duration = Duration::from_secs(10);

/// The time between two lines.
const BETWEEN_LINES: Duration = Duration::from_secs(30);

/// How far some work has come, for people.
pub enum Bar {
    /// Not shown.
    Silent,
    /// On a terminal; it disappears when it is dropped.
    Drawn(ProgressBar),
    /// In a log: a line with the time left, now and then.
    Lines {
        /// The work.
        what: String,
        /// When it began.
        started: Instant,
        /// When the next line is due.
        next: Mutex<Instant>,
    },
}

impl Progress for Bar {
    fn report(&self, done: usize, total: usize) -> bool {
        match self {
            Self::Silent => {}
            Self::Drawn(bar) => {
                bar.set_length(total as u64);
                bar.set_position(done as u64);
            }
            Self::Lines {
                what,
                started,
                next,
            } => {
                let now = Instant::now();
                if let Ok(mut next) = next.try_lock()
                    && now >= *next
                    && done < total
                {
                    *next = now + BETWEEN_LINES;
                    let left = time_left(now - *started, done, total);
                    anstream::eprintln!("{what}: {done} of {total}{left}");
                }
            }
        }
        !interrupt::was_asked()
    }
}

/// The time that is left if work goes on as it did; nothing before some of it is done.
fn time_left(spent: Duration, done: usize, total: usize) -> String {
    if done == 0 {
        return String::new();
    }
    let left = spent.as_secs_f64() * (total - done) as f64 / done as f64;
    match left {
        left if left < 90.0 => format!(", about {left:.0} s left"),
        left if left < 5400.0 => format!(", about {:.0} min left", left / 60.0),
        left => format!(", about {:.1} h left", left / 3600.0),
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        if let Self::Drawn(bar) = self {
            bar.finish_and_clear();
        }
    }
}

/// An amount of memory: `512M`, `8G`, `1.5GiB`; the letters are powers of 1024.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bytes(u64);

impl Bytes {
    /// Three quarters of what the machine has, where that is known.
    fn most_of_this_machine() -> Option<Self> {
        let text = std::fs::read_to_string("/proc/meminfo").ok()?;
        let line = text.lines().find(|line| line.starts_with("MemTotal:"))?;
        let kilobytes: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
        Some(Self(kilobytes.checked_mul(1024)? / 4 * 3))
    }
}

impl FromStr for Bytes {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> anyhow::Result<Self> {
        let digits = text.trim_end_matches(|letter: char| letter.is_ascii_alphabetic());
        let unit = match text[digits.len()..].to_ascii_lowercase().as_str() {
            "" | "b" => 0,
            "k" | "kb" | "kib" => 10,
            "m" | "mb" | "mib" => 20,
            "g" | "gb" | "gib" => 30,
            "t" | "tb" | "tib" => 40,
            _ => u32::MAX,
        };
        match digits.parse::<f64>() {
            Ok(number) if number > 0.0 && number < 1e6 && unit <= 40 => {
                Ok(Self((number * (1_u64 << unit) as f64) as u64))
            }
            Ok(number) if (1.0..1e18).contains(&number) && unit == 0 => Ok(Self(number as u64)),
            _ => anyhow::bail!("it is no amount of memory; write it like 512M or 8G"),
        }
    }
}

/// Only listens for Ctrl-C: for work that is one unit of a larger one.
pub struct Listening;

impl Progress for Listening {
    fn report(&self, _done: usize, _total: usize) -> bool {
        !interrupt::was_asked()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_read_as_people_write_it() {
        let read = |text: &str| text.parse::<Bytes>().map(|Bytes(bytes)| bytes).ok();
        assert_eq!(read("512M"), Some(512 << 20));
        assert_eq!(read("1.5GiB"), Some(3 << 29));
        assert_eq!(read("4294967296"), Some(1 << 32));
        for text in ["", "G", "-1G", "8X", "nan", "inf", "1e9G", "0"] {
            assert_eq!(read(text), None, "{text}");
        }
    }

    #[test]
    fn the_time_left_is_in_proportion() {
        let minute = Duration::from_secs(60);
        assert_eq!(time_left(minute, 0, 10), "");
        assert_eq!(time_left(minute, 5, 10), ", about 60 s left");
        assert_eq!(time_left(minute, 1, 31), ", about 30 min left");
        assert_eq!(time_left(minute, 1, 241), ", about 4.0 h left");
    }
}
