//! Parallel work whose result does not depend on the number of threads: tasks are always cut the
//! same way, and results come back in their order. Without the feature `parallel` it runs in the
//! calling thread.

/// Returns the result of `work` on each item, in order, with scratch space that each thread creates
/// as needed.
pub fn each<A: Send, S, R: Send>(
    items: Vec<A>,
    workplace: impl Fn() -> S + Sync + Send,
    work: impl Fn(&mut S, usize, A) -> R + Sync + Send,
) -> Vec<R> {
    #[cfg(feature = "parallel")]
    {
        use rayon::prelude::*;
        let items = items.into_par_iter().enumerate();
        items.map_init(workplace, |place, (index, item)| work(place, index, item)).collect()
    }
    #[cfg(not(feature = "parallel"))]
    {
        let mut place = workplace();
        let items = items.into_iter().enumerate();
        items.map(|(index, item)| work(&mut place, index, item)).collect()
    }
}

/// Returns `work(0), ..., work(count - 1)` in this order.
pub fn in_order<R: Send>(count: usize, work: impl Fn(usize) -> R + Sync + Send) -> Vec<R> {
    each(vec![(); count], || (), |(), index, ()| work(index))
}

/// Returns `work(0), ..., work(count - 1)` in this order, each a task of its own, or an error.
pub fn try_in_order<R: Send, E: Send>(
    count: usize,
    work: impl Fn(usize) -> Result<R, E> + Sync + Send,
) -> Result<Vec<R>, E> {
    #[cfg(feature = "parallel")]
    {
        use rayon::prelude::*;
        (0..count).into_par_iter().with_max_len(1).map(work).collect()
    }
    #[cfg(not(feature = "parallel"))]
    (0..count).map(work).collect()
}

/// Calls `work(index, chunk)` for each chunk of `size` items, with per-thread scratch space.
pub fn on_chunks<A: Send, S>(
    items: &mut [A],
    size: usize,
    workplace: impl Fn() -> S + Sync + Send,
    work: impl Fn(&mut S, usize, &mut [A]) + Sync + Send,
) {
    each(items.chunks_mut(size).collect(), workplace, work);
}

/// Calls fallible `work` for each chunk and returns the error of the first chunk that fails. A
/// thread takes `at_once` chunks at a time.
pub fn try_on_chunks<A: Send, S, E: Send>(
    items: &mut [A],
    size: usize,
    at_once: usize,
    workplace: impl Fn() -> S + Sync + Send,
    work: impl Fn(&mut S, usize, &mut [A]) -> Result<(), E> + Sync + Send,
) -> Result<(), E> {
    let some = |place: &mut S, index: usize, items: &mut [A]| {
        let chunks = items.chunks_mut(size).enumerate();
        { chunks }.try_for_each(|(k, chunk)| work(place, index * at_once + k, chunk))
    };
    each(items.chunks_mut(size * at_once).collect(), workplace, some).into_iter().collect()
}

/// Calls `work(index, chunk of a, chunk of b)` for chunks of `size` items of two equally long lists
/// and returns the results in order.
pub fn on_two<A: Send, B: Send, R: Send>(
    a: &mut [A],
    b: &mut [B],
    size: usize,
    work: impl Fn(usize, &mut [A], &mut [B]) -> R + Sync + Send,
) -> Vec<R> {
    let chunks = a.chunks_mut(size).zip(b.chunks_mut(size)).collect();
    each(chunks, || (), |(), index, (a, b)| work(index, a, b))
}

/// Returns the number of threads.
pub fn count() -> usize {
    #[cfg(feature = "parallel")]
    {
        rayon::current_num_threads()
    }
    #[cfg(not(feature = "parallel"))]
    1
}

/// Runs the work on a pool thread, so that many small parallel parts start without a hand-over
/// each.
pub fn inside<R: Send>(work: impl FnOnce() -> R + Send) -> R {
    #[cfg(feature = "parallel")]
    return rayon::scope(|_| work());
    #[cfg(not(feature = "parallel"))]
    work()
}

/// Runs the work on this many threads; `None` if the system does not start them.
pub fn on<R: Send>(threads: usize, work: impl FnOnce() -> R + Send) -> Option<R> {
    #[cfg(feature = "parallel")]
    {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        pool.ok().map(|pool| pool.install(work))
    }
    #[cfg(not(feature = "parallel"))]
    {
        let _ = threads;
        Some(work())
    }
}
