//! Rounding of messages on the wire.

use std::{fmt, str::FromStr};

/// Rounding of the messages that the observer receives. The nodes continue with their unrounded
/// values.
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
    /// 64-bit floats, as simulated.
    #[default]
    Double,
    /// 32-bit floats.
    Single,
    /// This many decimals, at most [`Rounding::MAX_DECIMALS`].
    Decimals(u32),
}

/// The text is not a rounding.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{text:?} is not a rounding; write f64, f32, or a number of decimals from 0 to {}",
    Rounding::MAX_DECIMALS
)]
pub struct RoundingError {
    /// The text.
    pub text: String,
}

impl Rounding {
    /// Largest number of decimals.
    pub const MAX_DECIMALS: u32 = 15;

    /// Returns `10^digits`.
    fn scale(digits: u32) -> f64 {
        10_f64.powi(digits.min(Self::MAX_DECIMALS) as i32)
    }

    /// Rounds a message.
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

    /// Returns the error variance that the observer assumes for messages of size about 1. It only
    /// guides the choice of a statistic.
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
