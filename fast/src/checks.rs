//! What every entry point checks of its numbers.

use crate::FastError;
use muffliato_model::{Fraction, Observer};

/// The distinct sources in increasing order; `Err` if there is none, or unless each is a node that does not observe.
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

/// `Err` unless the formula `applies`.
pub(crate) fn applies(
    applies: bool,
    formula: &'static str,
    reason: &'static str,
) -> Result<(), FastError> {
    let refused = FastError::NotApplicable { formula, reason };
    applies.then_some(()).ok_or(refused)
}

/// `Err` unless there are `expected` entries.
pub(crate) fn length(what: &'static str, given: usize, expected: usize) -> Result<(), FastError> {
    if given == expected {
        return Ok(());
    }
    Err(FastError::WrongLength {
        what,
        given,
        expected,
    })
}

/// `Err` with the first entry that is NaN or infinite, in a block of `width` entries a node.
pub(crate) fn finite(what: &'static str, block: &[f64], width: usize) -> Result<(), FastError> {
    match block.iter().position(|value| !value.is_finite()) {
        None => Ok(()),
        Some(place) => Err(FastError::NotFinite {
            what,
            node: place / width.max(1),
            value: block[place],
        }),
    }
}

/// `Err` unless `value` is a finite number, at least 0.
pub(crate) fn not_negative(parameter: &'static str, value: f64) -> Result<(), FastError> {
    let fits = value.is_finite() && value >= 0.0;
    let expected = "it must be a finite number, at least 0";
    require(fits, parameter, value, expected)
}

/// `Err` unless `value` is a finite number above 0.
pub(crate) fn positive(parameter: &'static str, value: f64) -> Result<(), FastError> {
    let fits = value.is_finite() && value > 0.0;
    let expected = "it must be a finite number above 0";
    require(fits, parameter, value, expected)
}

/// `Err` unless `value` is a probability.
pub(crate) fn probability(parameter: &'static str, value: f64) -> Result<(), FastError> {
    let fits = (0.0..=1.0).contains(&value);
    require(fits, parameter, value, "it is a probability, from 0 to 1")
}

/// `Err` unless g is in the range of the Chebyshev recursion.
pub(crate) fn acceleration(g: Option<f64>) -> Result<(), FastError> {
    let (g, name) = (g.unwrap_or(1.0), "the acceleration g");
    let fits = (1.0..=2.0).contains(&g);
    require(fits, name, g, "it must lie between 1 and 2")
}

/// `Err` unless the parameter `holds` what is expected of it.
pub(crate) fn require(
    holds: bool,
    parameter: &'static str,
    value: impl ToString,
    expected: &'static str,
) -> Result<(), FastError> {
    holds
        .then_some(())
        .ok_or_else(|| bad(parameter, value, expected))
}

/// The error for a parameter outside its range.
pub(crate) fn bad(
    parameter: &'static str,
    value: impl ToString,
    expected: &'static str,
) -> FastError {
    FastError::BadParameter {
        parameter,
        value: value.to_string(),
        expected,
    }
}

/// The float next to a fraction, up to three roundings.
pub(crate) fn float(fraction: Fraction) -> f64 {
    fraction.numerator() as f64 / fraction.denominator() as f64
}
