//! How much memory this engine takes: one limit for the whole process.
//!
//! What would take more is refused with [`FastError::TooMuchMemory`] before anything is allocated.

use crate::FastError;
use std::sync::atomic::{AtomicU64, Ordering};

static LIMIT: AtomicU64 = AtomicU64::new(4 << 30);

/// The most bytes that a function of this crate takes: 4 GiB, unless [`set_limit`] said otherwise.
///
/// ```
/// assert_eq!(muffliato_fast::memory::limit(), 4 << 30);
/// ```
pub fn limit() -> u128 {
    LIMIT.load(Ordering::Relaxed).into()
}

/// Sets the limit for everything that begins after this call, on all threads.
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

/// `Err` if `bytes` are more than [`limit`].
pub(crate) fn check(bytes: u128, remedy: &'static str) -> Result<(), FastError> {
    check_within(bytes, limit(), remedy)
}

/// `Err` if `bytes` are more than `limit`.
pub(crate) fn check_within(
    bytes: u128,
    limit: u128,
    remedy: &'static str,
) -> Result<(), FastError> {
    if bytes <= limit {
        return Ok(());
    }
    Err(FastError::TooMuchMemory {
        bytes,
        limit,
        remedy,
    })
}
