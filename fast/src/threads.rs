//! Parallel work whose result does not depend on the number of threads: tasks are always cut the
//! same way, and results come back in their order.

/// Returns the result of `work` on each item, in order, with scratch space that each thread creates
/// as needed.
pub(crate) fn each<A: Send, S, R: Send>(
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
pub(crate) fn in_order<R: Send>(count: usize, work: impl Fn(usize) -> R + Sync + Send) -> Vec<R> {
    each(vec![(); count], || (), |(), index, ()| work(index))
}

/// Calls `work(index, chunk)` for each chunk of `size` items, with per-thread scratch space.
pub(crate) fn on_chunks<A: Send, S>(
    items: &mut [A],
    size: usize,
    workplace: impl Fn() -> S + Sync + Send,
    work: impl Fn(&mut S, usize, &mut [A]) + Sync + Send,
) {
    each(items.chunks_mut(size).collect(), workplace, work);
}

/// Calls fallible `work` for each chunk and returns the error of the first chunk that fails. A
/// thread takes `at_once` chunks at a time.
pub(crate) fn try_on_chunks<A: Send, S, E: Send>(
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
pub(crate) fn on_two<A: Send, B: Send, R: Send>(
    a: &mut [A],
    b: &mut [B],
    size: usize,
    work: impl Fn(usize, &mut [A], &mut [B]) -> R + Sync + Send,
) -> Vec<R> {
    let chunks = a.chunks_mut(size).zip(b.chunks_mut(size)).collect();
    each(chunks, || (), |(), index, (a, b)| work(index, a, b))
}

/// Returns the number of threads.
pub(crate) fn count() -> usize {
    #[cfg(feature = "parallel")]
    {
        rayon::current_num_threads()
    }
    #[cfg(not(feature = "parallel"))]
    1
}

/// Runs the work on a pool thread, so that many small parallel parts start without a hand-over
/// each.
pub(crate) fn inside<R: Send>(work: impl FnOnce() -> R + Send) -> R {
    #[cfg(feature = "parallel")]
    return rayon::scope(|_| work());
    #[cfg(not(feature = "parallel"))]
    work()
}

/// Runs `work` compiled for the widest vector registers of this machine. Only inlined code gains.
#[inline(always)]
pub(crate) fn vectorized<R>(work: impl FnOnce() -> R) -> R {
    #[cfg(feature = "simd")]
    return pulp::Arch::new().dispatch(work);
    #[cfg(not(feature = "simd"))]
    work()
}
