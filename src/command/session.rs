//! The terminal: progress, notes and errors, all on stderr.

use super::{atomic_file, interrupt, table::wrapped_help};
use anstream::stream::IsTerminal;
use indicatif::{ProgressBar, ProgressStyle};
use muffliato::fast::{FastError, Progress};
use muffliato::reference::ReferenceError;
use muffliato_account::{Account, AccountError};
use std::{
    process::ExitCode,
    str::FromStr,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

/// A run of the command: its deadline and its terminal.
pub struct Session {
    quiet: bool,
    terminal: bool,
    /// The time at which work ends, finished or not.
    pub deadline: Option<Instant>,
    /// Set when work is asked to stop at the deadline.
    stopped: Arc<AtomicBool>,
}

/// A failed check that the user asked for. The exit code is 1.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct CheckFailed(pub String);

/// A partial result, because `--max-time` expired. The exit code is 3.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct Partial(pub String);

/// An error with its remedy for work of which nothing was finished when `--max-time` expired. The
/// exit code is 3.
#[derive(Debug, thiserror::Error)]
#[error("the time of --max-time is up, and {0}")]
pub struct NothingFinished(pub &'static str);

/// The error of subcommands without partial results.
const NOTHING: NothingFinished =
    NothingFinished("no part of the result is finished; allow more time, or ask for less");

/// Shortest time after the deadline in which work may print its finished part.
const PART_PATIENCE: Duration = Duration::from_secs(2);

const RED: &str = "\u{1b}[1;31m";
const YELLOW: &str = "\u{1b}[1;33m";
const PLAIN: &str = "\u{1b}[0m";

impl Session {
    /// Creates a session that prints notes and, on a terminal, progress, unless `quiet` is set.
    pub fn new(quiet: bool) -> Self {
        Self {
            quiet,
            terminal: std::io::stderr().is_terminal(),
            deadline: None,
            stopped: Arc::default(),
        }
    }

    /// Sets the time limit.
    pub fn at_most(mut self, time: Option<Time>) -> Self {
        self.deadline = time.and_then(|Time(time)| Instant::now().checked_add(time));
        self
    }

    /// Listens for Ctrl-C, and sets the number of threads and the memory limit.
    pub fn prepare(&self, threads: Option<usize>, memory: Option<Bytes>) -> anyhow::Result<()> {
        interrupt::listen();
        if let Some(Bytes(bytes)) = memory.or_else(Bytes::default_limit) {
            muffliato::fast::memory::set_limit(bytes);
        }
        if threads == Some(0) {
            anyhow::bail!("--threads is 0; give at least 1, or leave it out to use all");
        }
        if let Some(threads) = threads {
            rayon::ThreadPoolBuilder::new().num_threads(threads).build_global()?;
        }
        Ok(())
    }

    /// Ends the process after the deadline, if there is one. Work that prints partial results has
    /// some extra time.
    pub fn enforce_deadline(&self, shows_parts: bool) {
        let Some(deadline) = self.deadline else {
            return;
        };
        let left = deadline.saturating_duration_since(Instant::now());
        let patience = if shows_parts { PART_PATIENCE.max(left / 10) } else { interrupt::PATIENCE };
        if let Some(end) = deadline.checked_add(patience) {
            interrupt::end_at(
                end,
                OUT_OF_TIME,
                wrapped_help(&format!("{RED}error:{PLAIN} {NOTHING}")),
            );
        }
    }

    /// Prints a note that is not part of the result.
    pub fn note(&self, text: &str) {
        if !self.quiet {
            self.say(YELLOW, "note", text);
        }
    }

    /// Prints a message, wrapped.
    fn say(&self, colour: &str, kind: &str, message: &str) {
        anstream::eprintln!("{}", wrapped_help(&format!("{colour}{kind}:{PLAIN} {message}")));
    }

    /// Prints the estimated time of an account before it starts, if the account is long. A search
    /// runs the account several times.
    pub fn announce(&self, account: &Account<'_>, searching: bool) -> anyhow::Result<()> {
        // Bounds of all pairs at once have no estimate.
        if self.quiet || account.bounds_all_at_once() {
            return Ok(());
        }
        let seconds = 3600.0 * account.hours()?;
        if seconds >= ANNOUNCED_FROM {
            let observers = match account.question().observers().len() {
                1 => "one observer takes".to_string(),
                observers => format!("{observers} observers take"),
            };
            let then = if searching {
                "a search needs this time for each protocol that it tries"
            } else {
                "--max-time stops earlier and keeps the finished ones"
            };
            let time = about(seconds);
            self.note(&format!("{observers} {time} (an estimate); {then}"));
        }
        Ok(())
    }

    /// Returns a progress reporter: a bar on a terminal, otherwise an occasional line.
    pub fn progress(&self, what: &str) -> Bar {
        Bar { shown: self.shown(what), deadline: self.deadline, stopped: Arc::clone(&self.stopped) }
    }

    fn shown(&self, what: &str) -> Shown {
        if self.quiet {
            return Shown::Nothing;
        }
        if !self.terminal {
            return Shown::Lines {
                what: what.to_string(),
                pace: Mutex::new(Pace::starting(Instant::now())),
            };
        }
        let bar = ProgressBar::new(0);
        let template = "{msg} {wide_bar} {pos}/{len} {eta}";
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        bar.set_message(what.to_string());
        bar.enable_steady_tick(Duration::from_millis(200));
        Shown::Drawn(bar)
    }

    /// Returns the reason why there is nothing to print, if the time expired.
    pub fn nothing_finished<'e>(&self, error: &'e anyhow::Error) -> Option<&'e NothingFinished> {
        let late = matches!(error.downcast_ref(), Some(AccountError::OutOfTime { .. }))
            || error.is::<NothingFinished>()
            || self.stopped.load(Ordering::Relaxed);
        late.then(|| error.downcast_ref().unwrap_or(&NOTHING))
    }

    /// Names the files that were written, prints the error, if any, and returns the exit code.
    pub fn conclude(&self, outcome: anyhow::Result<()>) -> ExitCode {
        for path in atomic_file::saved().iter().filter(|_| !self.quiet) {
            anstream::eprintln!("{YELLOW}note:{PLAIN} wrote {}", path.display());
        }
        let Err(error) = outcome else {
            return ExitCode::SUCCESS;
        };
        if is_closed_pipe(&error) {
            return ExitCode::SUCCESS; // the reader has read enough
        }
        if interrupt::was_asked() {
            anstream::eprintln!("interrupted; the result was not written");
            return ExitCode::from(interrupt::EXIT_CODE);
        }
        if error.is::<Partial>() {
            self.say(YELLOW, "partial", &error.to_string());
            return ExitCode::from(OUT_OF_TIME);
        }
        if let Some(reason) = self.nothing_finished(&error) {
            self.say(RED, "error", &reason.to_string());
            return ExitCode::from(OUT_OF_TIME);
        }
        self.say(RED, "error", &error_text(&error));
        ExitCode::from(if error.is::<CheckFailed>() { 1 } else { 2 })
    }
}

/// Returns `true` if the reader of the output has closed it, as `head` does.
fn is_closed_pipe(error: &anyhow::Error) -> bool {
    let kinds = error.chain().map(|cause| {
        let cause = cause.downcast_ref::<csv::Error>().map_or(cause, |error| match error.kind() {
            csv::ErrorKind::Io(error) => error,
            _ => cause,
        });
        if let Some(error) = cause.downcast_ref::<serde_json::Error>() {
            return error.io_error_kind();
        }
        cause.downcast_ref::<std::io::Error>().map(|e| e.kind())
    });
    kinds.flatten().any(|kind| kind == std::io::ErrorKind::BrokenPipe)
}

/// Formats an error with the option that avoids it.
fn error_text(error: &anyhow::Error) -> String {
    let message = format!("{error:#}");
    let mut causes = error.chain();
    let flag = causes.find_map(|cause| {
        let account = cause.downcast_ref::<AccountError>();
        let (fast, exact) = match account {
            Some(AccountError::Fast(error)) => (Some(error), None),
            Some(AccountError::Reference(error)) => (None, Some(error)),
            _ => (cause.downcast_ref(), cause.downcast_ref()),
        };
        Some(match (account, fast, exact) {
            (Some(AccountError::AllObserve), ..) => {
                "Name another --source, --group or --observer.".to_string()
            }
            (Some(AccountError::TooManyPairs { .. }), ..) => {
                "Use --format table, which does not keep pairs.".into()
            }
            (Some(AccountError::TooLongSearch { .. }), ..) => {
                "Set kappa with --protocol masked:3, and the steps with --steps.".into()
            }
            (_, Some(FastError::TooMuchMemory { bytes, .. }), _) => format!(
                "That is {}. Raise --memory, or use fewer --steps or observers.",
                memory_text(*bytes as f64)
            ),
            (_, Some(FastError::NoGap { .. }), _) => {
                "Give --steps N, --giant-component or --weights metropolis.".into()
            }
            (_, _, Some(ReferenceError::TooLarge { .. })) => {
                "Use --engine fast for graphs of this size.".into()
            }
            _ => return None,
        })
    });
    match flag {
        Some(flag) => format!("{message}\n{flag}"),
        None => message,
    }
}

/// Formats a number of bytes.
fn memory_text(bytes: f64) -> String {
    match bytes {
        bytes if bytes < 1e6 => format!("{:.1} kB", bytes / 1e3),
        bytes if bytes < 1e9 => format!("{:.1} MB", bytes / 1e6),
        bytes => format!("{:.1} GB", bytes / 1e9),
    }
}

/// The exit code after the time limit.
pub const OUT_OF_TIME: u8 = 3;

/// Estimated time in seconds from which work is announced.
const ANNOUNCED_FROM: f64 = 20.0;

/// Time before the first progress line.
const FIRST_LINE: Duration = Duration::from_secs(10);

/// Time between two progress lines.
const BETWEEN_LINES: Duration = Duration::from_secs(30);

/// A progress reporter, which also stops work on Ctrl-C and at the deadline.
pub struct Bar {
    shown: Shown,
    deadline: Option<Instant>,
    stopped: Arc<AtomicBool>,
}

/// A way to show progress.
enum Shown {
    Nothing,
    /// A bar on a terminal, which disappears when it is dropped.
    Drawn(ProgressBar),
    /// An occasional line with the remaining time, for logs.
    Lines {
        what: String,
        pace: Mutex<Pace>,
    },
}

/// The pace of work that may pass over the same units several times, as a search does.
struct Pace {
    /// The time of the first report of this pass.
    started: Option<Instant>,
    /// The time at which the next line is due.
    next: Instant,
    /// Number of finished passes.
    passes: usize,
    /// Number of finished units in this pass.
    done: usize,
}

impl Pace {
    fn starting(now: Instant) -> Self {
        Self { started: None, next: now + FIRST_LINE, passes: 0, done: 0 }
    }

    /// Returns `true` if a line is due, and schedules the next one.
    fn is_due(&mut self, now: Instant) -> bool {
        let due = now >= self.next;
        if due {
            self.next = now + BETWEEN_LINES;
        }
        due
    }

    /// Returns the next line, if one is due.
    fn line(&mut self, what: &str, done: usize, total: usize, now: Instant) -> Option<String> {
        // Threads report out of order. A new pass starts when the count drops to less than half.
        if 2 * done < self.done {
            (self.started, self.passes, self.done) = (None, self.passes + 1, done);
        }
        let started = *self.started.get_or_insert(now);
        self.done = self.done.max(done);
        if done >= total || !self.is_due(now) {
            return None;
        }
        let left = time_left(now - started, done, total);
        Some(match self.passes {
            0 => format!("{what}: {done} of {total}{left}"),
            passes => format!("{what}: {done} of {total} of pass {}{left}", passes + 1),
        })
    }
}

impl Bar {
    /// Shows how far work has come that has no count.
    pub fn show(&self, text: &str) {
        match &self.shown {
            Shown::Nothing => {}
            Shown::Drawn(bar) => {
                if let Ok(style) = ProgressStyle::with_template("{spinner} {msg}") {
                    bar.set_style(style);
                }
                bar.set_message(text.to_string());
            }
            Shown::Lines { what, pace } => {
                if let Ok(mut pace) = pace.try_lock()
                    && pace.is_due(Instant::now())
                {
                    anstream::eprintln!("{what}: {text}");
                }
            }
        }
    }
}

impl Progress for Bar {
    fn report(&self, done: usize, total: usize) -> bool {
        let now = Instant::now();
        match &self.shown {
            Shown::Nothing => {}
            Shown::Drawn(bar) => {
                bar.set_length(total as u64);
                bar.set_position(done as u64);
            }
            Shown::Lines { what, pace } => {
                if let Ok(mut pace) = pace.try_lock()
                    && let Some(line) = pace.line(what, done, total, now)
                {
                    anstream::eprintln!("{line}");
                }
            }
        }
        let late = self.deadline.is_some_and(|end| now >= end);
        if late {
            self.stopped.store(true, Ordering::Relaxed);
        }
        !late && !interrupt::was_asked()
    }
}

/// Formats the remaining time at the present pace; empty before the first unit is finished.
fn time_left(spent: Duration, done: usize, total: usize) -> String {
    if done == 0 {
        return String::new();
    }
    let left = spent.as_secs_f64() * (total - done) as f64 / done as f64;
    format!(", {} left", about(left))
}

/// Formats a duration in words.
fn about(seconds: f64) -> String {
    match seconds {
        seconds if seconds < 90.0 => format!("about {seconds:.0} s"),
        seconds if seconds < 5400.0 => format!("about {:.0} min", seconds / 60.0),
        seconds if seconds < 48.0 * 3600.0 => format!("about {:.1} h", seconds / 3600.0),
        seconds if seconds < 1000.0 * 86400.0 => format!("about {:.0} days", seconds / 86400.0),
        _ => "years".into(),
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        if let Shown::Drawn(bar) = &self.shown {
            bar.finish_and_clear();
        }
    }
}

/// An amount of memory, such as `512M`, `8G` or `1.5GiB`. Units are powers of 1024.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bytes(u64);

impl Bytes {
    /// Returns three quarters of the machine's memory, if that is known.
    fn default_limit() -> Option<Self> {
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
            _ => anyhow::bail!("not an amount of memory; write it like 512M or 8G"),
        }
    }
}

/// A duration, such as `90`, `30s`, `10min` or `1.5h`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Time(pub Duration);

impl FromStr for Time {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> anyhow::Result<Self> {
        let number = text.trim_end_matches(|letter: char| letter.is_ascii_alphabetic());
        let unit = match &text[number.len()..] {
            "" | "s" | "sec" => 1.0,
            "m" | "min" => 60.0,
            "h" => 3600.0,
            "d" => 86400.0,
            _ => f64::NAN,
        };
        match number.parse::<f64>().map(|number| number * unit) {
            Ok(seconds) if seconds > 0.0 && seconds < 1e9 => {
                Ok(Self(Duration::from_secs_f64(seconds)))
            }
            _ => anyhow::bail!("not a duration; write it like 30s, 10min or 2h"),
        }
    }
}

/// A progress listener that only stops work on Ctrl-C, for one unit of a larger job.
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
    fn times_are_read_as_people_write_them() {
        let read = |text: &str| text.parse::<Time>().map(|Time(time)| time.as_secs_f64());
        for (text, seconds) in [("90", 90.0), ("0.5s", 0.5), ("10min", 600.0), ("1.5h", 5400.0)] {
            assert_eq!(read(text).unwrap(), seconds);
        }
        for text in ["", "s", "-1s", "0", "nan", "inf", "1e99h", "3 weeks", "1h30"] {
            assert!(read(text).is_err(), "{text}");
        }
    }

    #[test]
    fn passes_are_counted_and_timed_by_themselves() {
        let start = Instant::now();
        let after = |seconds| start + Duration::from_secs(seconds);
        let mut pace = Pace::starting(start);
        // Preparation before the first report does not count.
        assert_eq!(pace.line("observers", 0, 34, after(5)), None);
        assert_eq!(pace.line("observers", 5, 34, after(9)), None);
        let first = pace.line("observers", 17, 34, after(25)).unwrap();
        assert_eq!(first, "observers: 17 of 34, about 20 s left");
        assert_eq!(pace.line("observers", 33, 34, after(40)), None);
        assert_eq!(pace.line("observers", 0, 34, after(50)), None);
        let second = pace.line("observers", 17, 34, after(60)).unwrap();
        assert_eq!(second, "observers: 17 of 34 of pass 2, about 10 s left");
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
