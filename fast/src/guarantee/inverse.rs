//! Inversion of monotone functions of floats, exact to the last bit.
//!
//! Positive floats are ordered as their bit patterns, so bisection on the patterns finds the point
//! where a monotone predicate flips in at most 63 evaluations, without a tolerance. The predicate
//! was evaluated at the returned float, whether or not it is monotone near the flip.

/// Finds some `x` in [0, upper] with `holds(x)`, such that `x` is 0 or `holds` fails for the float
/// before it; `None` if it fails for `upper` (or `upper` is negative or NaN).
pub(super) fn smallest_that_holds(upper: f64, holds: impl Fn(f64) -> bool) -> Option<f64> {
    if upper.is_nan() || upper < 0.0 || !holds(upper) {
        return None;
    }
    if holds(0.0) {
        return Some(0.0);
    }
    let (mut fails, mut fits) = (0_u64, upper.to_bits());
    while fits - fails > 1 {
        let middle = fails + (fits - fails) / 2;
        if holds(f64::from_bits(middle)) {
            fits = middle;
        } else {
            fails = middle;
        }
    }
    Some(f64::from_bits(fits))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_very_float() {
        for threshold in [f64::from_bits(1), 1e-300, 0.1, 1.0, 12345.678, 1e300] {
            assert_eq!(smallest_that_holds(f64::MAX, |x| x >= threshold), Some(threshold));
        }
        assert_eq!(smallest_that_holds(1.0, |_| true), Some(0.0));
        assert_eq!(smallest_that_holds(0.0, |_| true), Some(0.0));
        assert_eq!(smallest_that_holds(1.0, |x| x > 1.0), None);
        assert_eq!(smallest_that_holds(f64::NAN, |_| true), None);
        assert_eq!(smallest_that_holds(-1.0, |_| true), None);
    }
}
