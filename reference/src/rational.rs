//! From the exact parameters of the model to rationals.

use crate::{ExactInteger, ReferenceError};
use muffliato_model::Fraction;
use num_rational::Ratio;

/// The integer `value`; an error if it does not fit a machine type.
pub(crate) fn fitted<I: ExactInteger>(value: i128) -> Result<I, ReferenceError> {
    I::from_i128(value).ok_or_else(|| ReferenceError::DoesNotFit {
        value: value.to_string(),
    })
}

/// The integer `value`; an error if it does not fit a machine type.
pub(crate) fn whole<I: ExactInteger>(value: usize) -> Result<I, ReferenceError> {
    fitted(value as i128)
}

/// The rational number that the fraction stands for; an error if it does not fit a machine type.
pub fn rational<I: ExactInteger>(fraction: Fraction) -> Result<Ratio<I>, ReferenceError> {
    Ok(Ratio::new(
        fitted(fraction.numerator())?,
        fitted(fraction.denominator())?,
    ))
}
