//! Progress of long work, and how to stop it.

use crate::FastError;
use std::fmt;

/// Told how far long work has come; may ask it to stop.
///
/// Long work goes on in silence unless it is `watched`: what does it takes a progress by a method of that name, and a function has
/// a second form. A closure `Fn(usize, usize) -> bool` will do. Reports may come from any thread and out of order; they never
/// influence a result.
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
    /// `done` of `total` units are finished; `false` asks to stop.
    fn report(&self, done: usize, total: usize) -> bool;

    /// The same as an error to be passed on with `?`.
    fn check(&self, done: usize, total: usize) -> Result<(), FastError> {
        if self.report(done, total) {
            Ok(())
        } else {
            Err(FastError::Cancelled)
        }
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

/// Who watches: nobody, unless somebody is named.
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
