//! Sums and products of two floats with their exact error.

/// Computes `a + b` as a float and its exact error, if nothing overflows (Knuth).
#[inline(always)]
pub fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    let shadow = sum - a;
    (sum, (a - (sum - shadow)) + (b - shadow))
}

/// Computes `a + b` as a float and its exact error, for `|a| >= |b|` or `a = 0`.
#[inline(always)]
pub fn fast_two_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    (sum, b - (sum - a))
}

/// Splits `a` into the sum of two floats of 26 bits.
#[inline(always)]
fn split(a: f64) -> (f64, f64) {
    let shifted = a * 134_217_729.0; // 2^27 + 1
    let high = shifted - (shifted - a);
    (high, a - high)
}

/// Computes `a * b` as a float and its exact error, without overflow or underflow (Dekker; no fused
/// operation is needed).
#[inline(always)]
pub fn two_product(a: f64, b: f64) -> (f64, f64) {
    let product = a * b;
    let ((a1, a2), (b1, b2)) = (split(a), split(b));
    (product, ((a1 * b1 - product) + a1 * b2 + a2 * b1) + a2 * b2)
}
