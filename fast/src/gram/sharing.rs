//! Work shared among threads, its answers in order.

/// `work` for each item. The answers do not depend on the number of threads.
pub(crate) fn in_order<T: Sync, R: Send>(
    items: &[T],
    work: impl Fn(&T) -> R + Sync + Send,
) -> Vec<R> {
    #[cfg(feature = "parallel")]
    {
        use rayon::prelude::*;
        items.par_iter().map(work).collect()
    }
    #[cfg(not(feature = "parallel"))]
    items.iter().map(work).collect()
}
