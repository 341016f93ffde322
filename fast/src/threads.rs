//! Parallel work whose result does not depend on the number of threads: tasks are always cut the
//! same way, and results come back in their order.

/// Returns `work(0), ..., work(count - 1)` in this order.
pub(crate) fn in_order<R: Send>(count: usize, work: impl Fn(usize) -> R + Sync + Send) -> Vec<R> {
    #[cfg(feature = "parallel")]
    {
        use rayon::prelude::*;
        (0..count).into_par_iter().map(work).collect()
    }
    #[cfg(not(feature = "parallel"))]
    (0..count).map(work).collect()
}

/// Returns `work` of each index in order, with scratch space that each thread creates as needed.
#[cfg(feature = "leakage")]
pub(crate) fn in_order_at<S, R: Send>(
    count: usize,
    workplace: impl Fn() -> S + Sync + Send,
    work: impl Fn(&mut S, usize) -> R + Sync + Send,
) -> Vec<R> {
    #[cfg(feature = "parallel")]
    {
        use rayon::prelude::*;
        let tasks = (0..count).into_par_iter();
        tasks.map_init(workplace, work).collect()
    }
    #[cfg(not(feature = "parallel"))]
    {
        let mut place = workplace();
        (0..count).map(|index| work(&mut place, index)).collect()
    }
}

/// Calls `work(index, chunk)` for each chunk of `size` items, with per-thread scratch space.
pub(crate) fn on_chunks<A: Send, S>(
    items: &mut [A],
    size: usize,
    workplace: impl Fn() -> S + Sync + Send,
    work: impl Fn(&mut S, usize, &mut [A]) + Sync + Send,
) {
    #[cfg(feature = "parallel")]
    {
        use rayon::prelude::*;
        items
            .par_chunks_mut(size)
            .enumerate()
            .for_each_init(workplace, |place, (index, chunk)| work(place, index, chunk));
    }
    #[cfg(not(feature = "parallel"))]
    {
        let mut place = workplace();
        for (index, chunk) in items.chunks_mut(size).enumerate() {
            work(&mut place, index, chunk);
        }
    }
}

/// Calls fallible `work` for each chunk and returns the error of the first chunk that fails. A
/// thread takes at least `at_once` chunks.
pub(crate) fn try_on_chunks<A: Send, S, E: Send>(
    items: &mut [A],
    size: usize,
    at_once: usize,
    workplace: impl Fn() -> S + Sync + Send,
    work: impl Fn(&mut S, usize, &mut [A]) -> Result<(), E> + Sync + Send,
) -> Result<(), E> {
    #[cfg(feature = "parallel")]
    let failed = {
        use rayon::prelude::*;
        let chunks = items.par_chunks_mut(size).with_min_len(at_once).enumerate();
        let done = chunks.map_init(workplace, |place, (index, chunk)| work(place, index, chunk));
        done.find_map_first(Result::err)
    };
    #[cfg(not(feature = "parallel"))]
    let failed = {
        let (mut place, _) = (workplace(), at_once);
        let mut chunks = items.chunks_mut(size).enumerate();
        chunks.find_map(|(index, chunk)| work(&mut place, index, chunk).err())
    };
    failed.map_or(Ok(()), Err)
}

/// Calls `work(index, chunk of a, chunk of b)` for chunks of `size` items of two equally long lists
/// and returns the results in order.
pub(crate) fn on_two<A: Send, B: Send, R: Send>(
    a: &mut [A],
    b: &mut [B],
    size: usize,
    work: impl Fn(usize, &mut [A], &mut [B]) -> R + Sync + Send,
) -> Vec<R> {
    #[cfg(feature = "parallel")]
    {
        use rayon::prelude::*;
        a.par_chunks_mut(size)
            .zip(b.par_chunks_mut(size))
            .enumerate()
            .map(|(index, (a, b))| work(index, a, b))
            .collect()
    }
    #[cfg(not(feature = "parallel"))]
    a.chunks_mut(size)
        .zip(b.chunks_mut(size))
        .enumerate()
        .map(|(index, (a, b))| work(index, a, b))
        .collect()
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
#[cfg(feature = "leakage")]
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
