//! Progress reports and cancellation of long computations.

use crate::FastError;
use std::fmt;

/// Receiver of progress reports; it may ask the computation to stop.
///
/// Closures `Fn(usize, usize) -> bool` implement it. Reports may come from any thread and out of
/// order; they never influence a result.
///
/// ```
/// use muffliato_fast::{FastError, Progress, bounds::PaperBounds};
/// use muffliato_model::{Network, Protocol};
///
/// let network = Network::metropolis("path:3".parse()?)?;
/// struct Impatient;
/// impl Progress for Impatient {
///     fn report(&self, _done: usize, _total: usize) -> bool {
///         false
///     }
/// }
/// let bounds = PaperBounds::of(&Protocol::one_shot(network, 2)?)?;
/// assert_eq!(bounds.watched(&Impatient).all_pairs().unwrap_err(), FastError::Cancelled);
/// assert!(bounds.all_pairs().is_ok());
/// assert_eq!(Impatient.check(1, 2), Err(FastError::Cancelled));
/// assert!(().report(1, 2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Progress: Sync {
    /// Reports that `done` of `total` units are finished; returns `false` to stop.
    fn report(&self, done: usize, total: usize) -> bool;

    /// Reports progress and returns [`FastError::Cancelled`] if asked to stop.
    fn check(&self, done: usize, total: usize) -> Result<(), FastError> {
        if self.report(done, total) { Ok(()) } else { Err(FastError::Cancelled) }
    }
}

impl Progress for () {
    fn report(&self, _done: usize, _total: usize) -> bool {
        true
    }
}

impl<F: Fn(usize, usize) -> bool + Sync> Progress for F {
    fn report(&self, done: usize, total: usize) -> bool {
        self(done, total)
    }
}

/// The progress receiver of a computation; by default reports are ignored.
#[derive(Clone, Copy)]
pub(crate) struct Watcher<'a>(pub &'a dyn Progress);

impl Default for Watcher<'_> {
    fn default() -> Self {
        Self(&())
    }
}

impl fmt::Debug for Watcher<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Watcher")
    }
}
