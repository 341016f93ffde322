//! Progress of long work, and how to stop it.

use crate::FastError;

/// Told how far long work has come; may ask it to stop.
///
/// A closure `Fn(usize, usize) -> bool` will do, and `()` goes on in silence. Reports may come from any
/// thread and out of order; they never influence a result.
///
/// ```
/// use muffliato_fast::{FastError, Progress, bounds::PaperBounds};
/// use muffliato_model::{GraphSpec, Network, Protocol, WeightScheme};
///
/// let graph = "path:3".parse::<GraphSpec>()?.build()?;
/// let network = Network::try_new(graph, WeightScheme::Metropolis)?;
/// struct Impatient;
/// impl Progress for Impatient {
///     fn report(&self, _done: usize, _total: usize) -> bool {
///         false
///     }
/// }
/// let bounds = PaperBounds::of(&Protocol::one_shot(network, 2)?)?;
/// assert_eq!(bounds.all_pairs(&Impatient).unwrap_err(), FastError::Cancelled);
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
