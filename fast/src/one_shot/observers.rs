//! Many observers: one thread for each, so that memory is bounded by the number of threads.

use super::{OneShot, ViewLeakage};
use crate::FastError;
use muffliato_model::Observer;
use std::sync::atomic::{AtomicUsize, Ordering};

impl OneShot<'_> {
    /// Estimates the leakage towards each observer and keeps what `summary` makes of it, in the order
    /// of the observers.
    ///
    /// At most one view for each thread is held at a time. Who watches is told the number of finished
    /// observers; where that says to stop, the result is [`FastError::Cancelled`]. All observers are checked
    /// before any work is done.
    pub fn leakages_of<S: Send>(
        &self,
        observers: &[Observer],
        summary: impl Fn(ViewLeakage) -> S + Sync,
    ) -> Result<Vec<S>, FastError> {
        #[cfg(feature = "parallel")]
        let threads = rayon::current_num_threads();
        #[cfg(not(feature = "parallel"))]
        let threads = 1;
        for observer in observers {
            self.check(observer, threads.min(observers.len()))?;
        }
        let total = observers.len();
        let done = AtomicUsize::new(0);
        let one = |observer: &Observer| {
            let going = || self.watcher.0.check(done.load(Ordering::Relaxed), total);
            let view = self.view(observer, false, false, &going)?;
            let finished = done.fetch_add(1, Ordering::Relaxed) + 1;
            self.watcher.0.check(finished, total)?;
            Ok(summary(view))
        };
        #[cfg(feature = "parallel")]
        {
            use rayon::prelude::*;
            observers.par_iter().with_max_len(1).map(one).collect()
        }
        #[cfg(not(feature = "parallel"))]
        observers.iter().map(one).collect()
    }
}
