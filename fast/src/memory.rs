//! Memory limit of the engine, one for the whole process.
//!
//! A computation that would need more is refused with [`FastError::TooMuchMemory`] before
//! allocating.

use crate::FastError;
use std::sync::atomic::{AtomicU64, Ordering};

static LIMIT: AtomicU64 = AtomicU64::new(4 << 30);

/// Returns the limit in bytes: 4 GiB unless [`set_limit`] changed it.
pub fn limit() -> u128 {
    LIMIT.load(Ordering::Relaxed).into()
}

/// Sets the limit in bytes for all computations that start after this call, on all threads.
///
/// ```
/// use muffliato_fast::memory;
///
/// memory::set_limit(1 << 30);
/// assert_eq!(memory::limit(), 1 << 30);
/// ```
pub fn set_limit(bytes: u64) {
    LIMIT.store(bytes, Ordering::Relaxed);
}

/// Errors if `bytes` exceeds [`limit`].
pub(crate) fn check(bytes: u128, remedy: &'static str) -> Result<(), FastError> {
    check_within(bytes, limit(), remedy)
}

/// Errors if `bytes` exceeds `limit`.
pub(crate) fn check_within(
    bytes: u128,
    limit: u128,
    remedy: &'static str,
) -> Result<(), FastError> {
    if bytes <= limit {
        return Ok(());
    }
    Err(FastError::TooMuchMemory { bytes, limit, remedy })
}
