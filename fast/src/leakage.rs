//! What is known about a leakage in floating point.

use crate::Enclosure;

/// The leakage of one source towards one observer, in units of L: an estimate, and certified ends.
///
/// ```
/// use muffliato_fast::{Enclosure, Leakage};
///
/// let certified = Enclosure::try_new(0.0, 1.0).unwrap();
/// let guess = Leakage { estimate: 0.01, certified };
/// assert!(!guess.is_certified(1e-9)); // nothing below 1 may be promised
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Leakage {
    /// The best guess. It is never a promise.
    pub estimate: f64,
    /// Provably contains the exact leakage; its upper end is what can be promised.
    pub certified: Enclosure,
}

impl Leakage {
    /// A leakage that is known exactly.
    #[cfg(feature = "leakage")]
    pub(crate) fn exactly(value: f64) -> Self {
        Self {
            estimate: value,
            certified: Enclosure::exact(value),
        }
    }

    /// Whether the certified ends are within `tolerance` of each other, so that the value is known
    /// and not only estimated.
    pub fn is_certified(&self, tolerance: f64) -> bool {
        self.certified.upper() - self.certified.lower() <= tolerance
    }
}
