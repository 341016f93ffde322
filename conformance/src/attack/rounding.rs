//! What is left of a message on the wire.

use std::{fmt, str::FromStr};

/// How the messages that the observer receives are rounded. The nodes go on with their unrounded values.
///
/// ```
/// use muffliato_conformance::attack::Rounding;
///
/// assert_eq!("3".parse(), Ok(Rounding::Decimals(3)));
/// assert_eq!("f32".parse(), Ok(Rounding::Single));
/// assert_eq!(Rounding::Decimals(3).to_string(), "3 decimals");
/// let refused = "16".parse::<Rounding>().unwrap_err();
/// assert!(refused.to_string().ends_with("from 0 to 15"));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Rounding {
    /// The 64-bit floats of the simulation.
    #[default]
    Double,
    /// 32-bit floats.
    Single,
    /// This many decimals; more than [`Rounding::MAX_DECIMALS`] count as that.
    Decimals(u32),
}

/// The text names no rounding.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{text:?} is no rounding; write f64, f32, or a number of decimals from 0 to {}",
    Rounding::MAX_DECIMALS
)]
pub struct RoundingError {
    /// What was given.
    pub text: String,
}

impl Rounding {
    /// More decimals than this are beyond the floats.
    pub const MAX_DECIMALS: u32 = 15;

    /// `10^digits`.
    fn scale(digits: u32) -> f64 {
        10_f64.powi(digits.min(Self::MAX_DECIMALS) as i32)
    }

    /// What arrives.
    pub(super) fn apply(self, value: f64) -> f64 {
        match self {
            Self::Double => value,
            Self::Single => f64::from(value as f32),
            Self::Decimals(digits) => {
                let scale = Self::scale(digits);
                (value * scale).round() / scale
            }
        }
    }

    /// The variance of the error that an observer reckons with, for messages of about size 1: a model for its
    /// choice of a statistic, on which no result rests.
    pub(super) fn variance(self) -> f64 {
        let step = match self {
            Self::Double => f64::EPSILON,
            Self::Single => f64::from(f32::EPSILON),
            Self::Decimals(digits) => 1.0 / Self::scale(digits),
        };
        step * step / 12.0
    }
}

impl FromStr for Rounding {
    type Err = RoundingError;

    fn from_str(text: &str) -> Result<Self, RoundingError> {
        match text {
            "f64" => Ok(Self::Double),
            "f32" => Ok(Self::Single),
            _ => match text.parse() {
                Ok(digits) if digits <= Self::MAX_DECIMALS => Ok(Self::Decimals(digits)),
                _ => Err(RoundingError { text: text.into() }),
            },
        }
    }
}

impl fmt::Display for Rounding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Double => f.write_str("f64"),
            Self::Single => f.write_str("f32"),
            Self::Decimals(digits) => write!(f, "{digits} decimals"),
        }
    }
}
