//! Ctrl-C and deadlines. Work is asked to stop, and unfinished files are removed.

use std::{
    path::{Path, PathBuf},
    sync::{
        Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

/// The exit code of an interrupted program.
pub const EXIT_CODE: u8 = 130;

/// Time in which work may stop by itself before the process ends.
pub const PATIENCE: Duration = Duration::from_millis(500);

static ASKED: AtomicBool = AtomicBool::new(false);

/// `true` while a result is being written.
static WRITING: AtomicBool = AtomicBool::new(false);

/// The file that is being written, which is removed if it stays unfinished.
static UNFINISHED: Mutex<Option<PathBuf>> = Mutex::new(None);

/// Listens for Ctrl-C. Engines are told through their progress callbacks. Work that does not stop
/// in time ends with the process.
pub fn listen() {
    // Without a handler Ctrl-C ends the process at once, which is acceptable.
    let _ = ctrlc::set_handler(|| {
        ASKED.store(true, Ordering::Relaxed);
        std::thread::sleep(PATIENCE);
        end(EXIT_CODE);
    });
}

/// Ends the process with `code` and a message at `time`, unless a result is being written.
pub fn end_at(time: Instant, code: u8, message: String) {
    std::thread::spawn(move || {
        std::thread::sleep(time.saturating_duration_since(Instant::now()));
        if !WRITING.load(Ordering::Relaxed) {
            anstream::eprintln!("{message}");
            end(code);
        }
    });
}

/// Marks the start of writing a result, which no deadline interrupts.
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

/// Returns `true` if work was asked to stop.
pub fn was_asked() -> bool {
    ASKED.load(Ordering::Relaxed)
}

/// Registers `path` as unfinished until the returned guard is dropped.
pub fn unfinished_file(path: &Path) -> Unfinished {
    *unfinished() = Some(path.to_owned());
    Unfinished
}

/// A guard of a file that is being written. Dropping it removes the file unless it was completed.
pub struct Unfinished;

impl Unfinished {
    /// Completes the file by `last` (a rename), which no interruption can split.
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
