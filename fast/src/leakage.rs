//! What is known about a leakage in floating point.

use crate::Enclosure;

/// The leakage of one source towards one observer, in units of L: an estimate, and certified ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Leakage {
    /// The best guess. It is never a promise.
    pub estimate: f64,
    /// Provably contains the exact leakage; its upper end is what can be promised.
    pub certified: Enclosure,
}

impl Leakage {
    /// Whether the certified ends are within `tolerance` of each other, so that the value is known
    /// and not only estimated.
    pub fn is_certified(&self, tolerance: f64) -> bool {
        self.certified.upper() - self.certified.lower() <= tolerance
    }
}
