//! Gram matrices that are (nearly) singular: a small multiple of I more (trusted for lower ends, which
//! it lowers; upper ends do not come from here).

use super::guess;
use super::rows::Gram;
use super::whitening::Whitening;
use crate::UNIT_ROUNDOFF;

/// Computes the whitening of `G + delta I` for a small delta that makes it regular; the zero
/// matrix, which proves only losses >= 0, if none does.
pub(super) fn enlarged(mut gram: Gram) -> Whitening {
    let size = gram.size;
    let diagonal = |k: usize| k * (size + 1);
    let largest = (0..size).map(|k| gram.high[diagonal(k)]).fold(0.0, f64::max);
    let mut delta = largest * 2f64.powi(-48);
    for _ in 0..12 {
        for k in 0..size {
            let sum = gram.high[diagonal(k)] + delta;
            gram.error[diagonal(k)] += UNIT_ROUNDOFF * 1.01 * sum;
            gram.high[diagonal(k)] = sum;
        }
        if let Some(whitening) = guess::whitening(&gram) {
            return whitening;
        }
        delta *= 8.0;
    }
    Whitening::nothing(size)
}
