//! Ctrl-C and deadlines: long work is asked to stop, and no half-written file stays behind.

use std::{
    path::{Path, PathBuf},
    sync::{
        Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

/// The exit code of a program that was interrupted.
pub const EXIT_CODE: u8 = 130;

/// How long work may take to stop by itself before the process ends.
pub const PATIENCE: Duration = Duration::from_millis(500);

static ASKED: AtomicBool = AtomicBool::new(false);

/// Whether a result is being written.
static WRITING: AtomicBool = AtomicBool::new(false);

/// The file that is being written, which must not stay behind unfinished.
static UNFINISHED: Mutex<Option<PathBuf>> = Mutex::new(None);

/// Listens for Ctrl-C. Engines hear of it through their progress callbacks; what has none, or does not
/// stop in time, ends with the process.
pub fn listen() {
    // Without a handler Ctrl-C ends the process at once, which is fine as well.
    let _ = ctrlc::set_handler(|| {
        ask();
        std::thread::sleep(PATIENCE);
        end(EXIT_CODE);
    });
}

/// Ends the process with `code` and a message at `time`, unless a result is being written by then.
pub fn end_at(time: Instant, code: u8, message: String) {
    std::thread::spawn(move || {
        std::thread::sleep(time.saturating_duration_since(Instant::now()));
        if !WRITING.load(Ordering::Relaxed) {
            anstream::eprintln!("{message}");
            end(code);
        }
    });
}

/// Records that a result is being written, which no deadline cuts short.
pub fn writing() {
    WRITING.store(true, Ordering::Relaxed);
}

/// Removes the file that is being written and ends the process.
fn end(code: u8) -> ! {
    if let Some(path) = unfinished().take() {
        let _ = std::fs::remove_file(path);
    }
    std::process::exit(code.into())
}

/// Asks work to stop, as Ctrl-C does.
pub fn ask() {
    ASKED.store(true, Ordering::Relaxed);
}

/// New work begins, which nobody has asked to stop yet.
pub fn forget() {
    ASKED.store(false, Ordering::Relaxed);
}

/// Whether Ctrl-C was pressed.
pub fn was_asked() -> bool {
    ASKED.load(Ordering::Relaxed)
}

/// Remembers that `path` is being written until the result is dropped.
pub fn unfinished_file(path: &Path) -> Unfinished {
    *unfinished() = Some(path.to_owned());
    Unfinished
}

/// A file that is being written; it is removed when this is dropped, unless it was completed.
pub struct Unfinished;

impl Unfinished {
    /// Does what completes the file (a rename) such that no interruption comes between.
    pub fn complete<T>(self, last: impl FnOnce(&Path) -> std::io::Result<T>) -> std::io::Result<T> {
        let mut path = unfinished();
        match path.as_deref() {
            Some(unfinished) => {
                let done = last(unfinished)?;
                *path = None;
                Ok(done)
            }
            None => Err(std::io::ErrorKind::Interrupted.into()),
        }
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        if let Some(path) = unfinished().take() {
            let _ = std::fs::remove_file(path);
        }
    }
}

fn unfinished() -> MutexGuard<'static, Option<PathBuf>> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}
