//! Threads and vector registers.

pub(crate) use muffliato_model::threads::*;

/// Runs `work` compiled for the widest vector registers of this machine. Only inlined code gains.
#[inline(always)]
pub(crate) fn vectorized<R>(work: impl FnOnce() -> R) -> R {
    #[cfg(feature = "simd")]
    return pulp::Arch::new().dispatch(work);
    #[cfg(not(feature = "simd"))]
    work()
}
