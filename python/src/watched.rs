//! Long-running work beside the interpreter.

use crate::refused;
use muffliato_fast::Progress;
use pyo3::prelude::*;
use std::fmt::Display;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

/// Interval at which Ctrl-C is checked.
const GLANCE: Duration = Duration::from_millis(100);

#[derive(Default)]
struct Watch {
    done: AtomicUsize,
    total: AtomicUsize,
    stop: AtomicBool,
}

impl Progress for Watch {
    fn report(&self, done: usize, total: usize) -> bool {
        self.done.store(done, Ordering::Relaxed);
        self.total.store(total, Ordering::Relaxed);
        !self.stop.load(Ordering::Relaxed)
    }
}

/// Runs `work` with the interpreter lock released. `shown(done, total)` is called from time to
/// time, and Ctrl-C stops the work through its progress.
pub fn watched<T: Send, E: Display + Send>(
    py: Python<'_>,
    shown: Option<&Bound<'_, PyAny>>,
    work: impl FnOnce(&dyn Progress) -> Result<T, E> + Send,
) -> PyResult<T> {
    let watch = Watch::default();
    let (answer, mut answers) = channel();
    std::thread::scope(|scope| {
        let watch = &watch;
        scope.spawn(move || answer.send(work(watch)));
        let mut interrupted = None;
        loop {
            let (back, answered) = py.detach(move || {
                let answered = answers.recv_timeout(GLANCE);
                (answers, answered)
            });
            answers = back;
            match answered {
                Ok(answer) => {
                    let answer = match interrupted {
                        Some(error) => return Err(error),
                        None => answer.map_err(refused)?,
                    };
                    // The last report always shows the end, even of short work.
                    let total = watch.total.load(Ordering::Relaxed);
                    if let Some(shown) = shown.filter(|_| total > 0) {
                        shown.call1((total, total))?;
                    }
                    return Ok(answer);
                }
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(refused(
                        "the library failed, which is a defect of it; please report what you called",
                    ));
                }
                Err(RecvTimeoutError::Timeout) if interrupted.is_none() => {
                    let seen =
                        (watch.done.load(Ordering::Relaxed), watch.total.load(Ordering::Relaxed));
                    let glance = py
                        .check_signals()
                        .and_then(|()| shown.map(|shown| shown.call1(seen)).transpose());
                    if let Err(error) = glance {
                        watch.stop.store(true, Ordering::Relaxed);
                        interrupted = Some(error);
                    }
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    })
}
