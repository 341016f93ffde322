//! Gradients of bounded norm.
//!
//! The sensitivity of a node's messages is at most twice the bound C if norms are at most C as real
//! numbers. In floating point: with M the largest entry, `q = g / M` and s the computed norm of q,
//! each entry becomes `q (C / s) (1 - gamma)`. The exact norm of q is at most `s (1 - u)^-(D/2 +
//! 1)`, and three more roundings follow, so `gamma = 2 (D + 8) u` with `u = 2^-53` is more than
//! enough.

use crate::{FastError, UNIT_ROUNDOFF, checks};

/// Scales a finite `gradient` down to a Euclidean norm of at most `bound` > 0 in exact arithmetic.
/// A gradient that is shorter by more than rounding stays as it is.
///
/// # Errors
/// If the bound is not positive and finite or an entry is not finite; nothing changes.
///
/// ```
/// use muffliato_fast::learning::clip;
///
/// let mut gradient = [3.0, 4.0];
/// clip(&mut gradient, 1.0)?;
/// assert!((gradient[0] - 0.6).abs() < 1e-14 && (gradient[1] - 0.8).abs() < 1e-14);
/// let mut short = [0.3, 0.4];
/// clip(&mut short, 1.0)?;
/// assert_eq!(short, [0.3, 0.4]);
/// # Ok::<(), muffliato_fast::FastError>(())
/// ```
pub fn clip(gradient: &mut [f64], bound: f64) -> Result<(), FastError> {
    checks::positive("the clipping bound", bound)?;
    if let Some(&entry) = gradient.iter().find(|entry| !entry.is_finite()) {
        let expected = "it must be finite to be clipped";
        return Err(checks::bad("an entry of a gradient", entry, expected));
    }
    let largest = gradient.iter().fold(0.0_f64, |largest, entry| largest.max(entry.abs()));
    if largest == 0.0 {
        return Ok(());
    }
    let gamma = 2.0 * (gradient.len() as f64 + 8.0) * UNIT_ROUNDOFF;
    let scaled_norm =
        gradient.iter().map(|entry| (entry / largest) * (entry / largest)).sum::<f64>().sqrt();
    if largest * scaled_norm * (1.0 + gamma) <= bound {
        return Ok(());
    }
    let factor = bound / scaled_norm * (1.0 - gamma);
    for entry in gradient {
        *entry = *entry / largest * factor;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use num_rational::BigRational;
    use proptest::prelude::*;

    fn square_norm(gradient: &[f64]) -> BigRational {
        let exact = |&entry: &f64| BigRational::from_float(entry).unwrap();
        gradient.iter().map(exact).map(|entry| &entry * &entry).sum()
    }

    proptest! {
        #[test]
        fn norms_are_at_most_the_bound_in_exact_arithmetic(
            mut gradient in prop::collection::vec(prop_oneof![prop::num::f64::NORMAL, prop::num::f64::SUBNORMAL, -2.0..2.0], 1..12),
            bound in 1e-3..10.0,
        ) {
            clip(&mut gradient, bound).unwrap();
            let square = BigRational::from_float(bound).unwrap();
            prop_assert!(square_norm(&gradient) <= &square * &square);
        }

        #[test]
        fn the_direction_is_kept(gradient in prop::collection::vec(-9.0..9.0, 1..12), bound in 1e-3..10.0) {
            let mut clipped = gradient.clone();
            clip(&mut clipped, bound).unwrap();
            let norm = |x: &[f64]| x.iter().map(|entry| entry * entry).sum::<f64>().sqrt();
            let factor = (bound / norm(&gradient)).min(1.0);
            for (after, before) in clipped.iter().zip(&gradient) {
                prop_assert!((after - before * factor).abs() <= 1e-13 * bound);
            }
        }
    }

    #[test]
    fn bounds_that_rounding_would_miss() {
        // Without the margin, some of these norms exceed the bound in the last bit.
        for k in 1..2000 {
            let mut gradient = [1.0, k as f64 / 7.0, 3.0];
            clip(&mut gradient, 1.0).unwrap();
            assert!(square_norm(&gradient) <= BigRational::from_float(1.0).unwrap(), "{k}");
        }
    }

    #[test]
    fn bad_input_is_refused_and_extremes_are_not() {
        let mut gradient = [3.0, f64::INFINITY];
        assert!(clip(&mut gradient, 1.0).is_err());
        assert_eq!(gradient[0], 3.0);
        for bound in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert!(clip(&mut [1.0], bound).is_err());
        }
        let mut huge = [f64::MAX, f64::MAX];
        clip(&mut huge, 1.0).unwrap();
        assert!((huge[0] - 0.5_f64.sqrt()).abs() < 1e-12);
        let mut tiny = [f64::from_bits(1), 0.0];
        clip(&mut tiny, 1.0).unwrap();
        assert_eq!(tiny[0], f64::from_bits(1));
        clip(&mut [], 1.0).unwrap();
    }
}
