//! Checks of the numbers passed to entry points.

use crate::FastError;
use muffliato_model::{Fraction, Observer};

/// Returns the distinct sources in increasing order. Errors if there are none, or if one is not a
/// node or observes.
pub(crate) fn sources(
    sources: &[usize],
    nodes: usize,
    observer: &Observer,
) -> Result<Vec<usize>, FastError> {
    let mut distinct = sources.to_vec();
    distinct.sort_unstable();
    distinct.dedup();
    for &source_node in &distinct {
        if source_node >= nodes {
            return Err(FastError::SourceOutOfRange { source_node, nodes });
        }
        if observer.contains(source_node) {
            return Err(FastError::SourceObserves { node: source_node });
        }
    }
    if distinct.is_empty() {
        return Err(FastError::NoSource);
    }
    Ok(distinct)
}

/// Errors if the observer sees sums of messages, which `formula` does not cover.
pub(crate) fn single_messages(observer: &Observer, formula: &'static str) -> Result<(), FastError> {
    let reason = "it is about single messages; for secure summation use GramView, or Observer::with_messages as an upper bound";
    if observer.sees_sums() { Err(FastError::NotApplicable { formula, reason }) } else { Ok(()) }
}

/// Errors unless the formula `applies`.
pub(crate) fn applies(
    applies: bool,
    formula: &'static str,
    reason: &'static str,
) -> Result<(), FastError> {
    let refused = FastError::NotApplicable { formula, reason };
    applies.then_some(()).ok_or(refused)
}

/// Errors unless there are `expected` entries.
pub(crate) fn length(what: &'static str, given: usize, expected: usize) -> Result<(), FastError> {
    if given == expected {
        return Ok(());
    }
    Err(FastError::WrongLength { what, given, expected })
}

/// Errors at the first NaN or infinite entry of a block of `width` entries per node.
pub(crate) fn finite(what: &'static str, block: &[f64], width: usize) -> Result<(), FastError> {
    match block.iter().position(|value| !value.is_finite()) {
        None => Ok(()),
        Some(place) => {
            Err(FastError::NotFinite { what, node: place / width.max(1), value: block[place] })
        }
    }
}

/// Errors unless `value` is finite and at least 0.
pub(crate) fn not_negative(parameter: &'static str, value: f64) -> Result<(), FastError> {
    let fits = value.is_finite() && value >= 0.0;
    let expected = "it must be a finite number, at least 0";
    require(fits, parameter, value, expected)
}

/// Errors unless `value` is finite and above 0.
pub(crate) fn positive(parameter: &'static str, value: f64) -> Result<(), FastError> {
    let fits = value.is_finite() && value > 0.0;
    let expected = "it must be a finite number above 0";
    require(fits, parameter, value, expected)
}

/// Errors unless `value` is a probability.
pub(crate) fn probability(parameter: &'static str, value: f64) -> Result<(), FastError> {
    let fits = (0.0..=1.0).contains(&value);
    require(fits, parameter, value, "it is a probability, from 0 to 1")
}

/// Errors unless g is in the range of the Chebyshev recursion.
pub(crate) fn acceleration(g: Option<f64>) -> Result<(), FastError> {
    let (g, name) = (g.unwrap_or(1.0), "the acceleration g");
    let fits = (1.0..=2.0).contains(&g);
    require(fits, name, g, "it must lie between 1 and 2")
}

/// Errors unless the condition on the parameter `holds`.
pub(crate) fn require(
    holds: bool,
    parameter: &'static str,
    value: impl ToString,
    expected: &'static str,
) -> Result<(), FastError> {
    holds.then_some(()).ok_or_else(|| bad(parameter, value, expected))
}

/// Builds the error for a parameter outside its range.
pub(crate) fn bad(
    parameter: &'static str,
    value: impl ToString,
    expected: &'static str,
) -> FastError {
    FastError::BadParameter { parameter, value: value.to_string(), expected }
}

/// Returns the standard deviation of a draw of this `variance` in units of `sigma^2`: exact where it
/// is a float, and rounded up otherwise, never below what was accounted.
pub fn deviation(sigma: f64, variance: Fraction) -> f64 {
    let size = match variance.square_root() {
        Some(root) => size(root),
        None => float(variance).sqrt() * (1.0 + 4.0 * f64::EPSILON),
    };
    product(sigma, size)
}

/// Converts a fraction that is not negative to a float, rounded up unless it is one.
pub(crate) fn size(fraction: Fraction) -> f64 {
    let (above, below) = (fraction.numerator() as f64, fraction.denominator() as f64);
    let size = above / below;
    let are_floats =
        above as i128 == fraction.numerator() && below as i128 == fraction.denominator();
    if are_floats && size.mul_add(below, -above) == 0.0 {
        return size;
    }
    size * (1.0 + 4.0 * f64::EPSILON)
}

/// Returns a product of numbers that are not negative, rounded up unless it is a float.
pub(crate) fn product(a: f64, b: f64) -> f64 {
    let product = a * b;
    if a.mul_add(b, -product) > 0.0 { product.next_up() } else { product }
}

/// Converts a fraction to a float with at most three roundings.
pub fn float(fraction: Fraction) -> f64 {
    fraction.numerator() as f64 / fraction.denominator() as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use num_rational::BigRational;
    use num_traits::FromPrimitive;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn noise_is_never_smaller_than_accounted(
            above in 1..1_i128 << 60, below in 1..1_i128 << 60, square: bool, sigma in 1e-9..1e9,
        ) {
            let fraction = Fraction::try_new(above % (1 << 30) + 1, below % (1 << 30) + 1).unwrap();
            let variance = if square { fraction.square().unwrap() } else { Fraction::try_new(above, below).unwrap() };
            let exact = |x: f64| BigRational::from_float(x).unwrap();
            let drawn = exact(deviation(sigma, variance));
            let of = |x: i128| BigRational::from_i128(x).unwrap();
            let sigma = exact(sigma);
            let accounted = &sigma * &sigma * of(variance.numerator()) / of(variance.denominator());
            prop_assert!(&drawn * &drawn >= accounted);
            prop_assert!(&drawn * &drawn <= accounted * exact(1.0 + 2_f64.powi(-47)));
        }
    }

    #[test]
    fn sizes_that_are_floats_stay_exact() {
        for (sigma, variance, expected) in [(0.3, "1", 0.3), (4.0, "9", 12.0), (2.0, "25/4", 5.0)] {
            assert_eq!(deviation(sigma, variance.parse().unwrap()), expected);
        }
    }
}
