//! Fractions as text, and their errors.

use super::Fraction;
use std::{fmt, str::FromStr};

/// An invalid fraction.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the messages say what the fields are")]
pub enum FractionError {
    /// The denominator is zero.
    #[error("{numerator}/0 is not a number; give a denominator other than 0")]
    ZeroDenominator { numerator: i128 },
    /// The numerator or the denominator does not fit into 127 bits.
    #[error("{text:?} needs more than 127 bits as a fraction; give a shorter number")]
    TooLong { text: String },
    /// The text is not a number.
    #[error("{text:?} is not a number; write it like 3/4, 0.75 or 7.5e-1")]
    NotANumber { text: String },
}

impl Fraction {
    /// Returns the number as a decimal if that is exact and short, otherwise as a fraction.
    ///
    /// ```
    /// use muffliato_model::Fraction;
    ///
    /// let shown = |text: &str| text.parse().map(Fraction::decimal);
    /// assert_eq!((shown("23/5000")?, shown("1/3")?), ("0.0046".into(), "1/3".into()));
    /// # Ok::<(), muffliato_model::FractionError>(())
    /// ```
    pub fn decimal(self) -> String {
        const LONGEST: usize = 8;
        let text = self.to_f64().to_string();
        if text.len() <= LONGEST && text.parse() == Ok(self) { text } else { self.to_string() }
    }
}

impl fmt::Display for Fraction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.denominator == 1 {
            write!(f, "{}", self.numerator)
        } else {
            write!(f, "{}/{}", self.numerator, self.denominator)
        }
    }
}

impl FromStr for Fraction {
    type Err = FractionError;

    fn from_str(text: &str) -> Result<Self, FractionError> {
        let text = text.trim();
        match text.split_once('/') {
            Some((above, below)) => {
                Self::try_new(whole(above.trim(), text)?, whole(below.trim(), text)?)
            }
            None => decimal(text),
        }
    }
}

fn whole(digits: &str, text: &str) -> Result<i128, FractionError> {
    let unsigned = digits.strip_prefix(['+', '-']).unwrap_or(digits);
    if unsigned.is_empty() || !unsigned.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(FractionError::NotANumber { text: text.into() });
    }
    digits.parse().map_err(|_| FractionError::TooLong { text: text.into() })
}

/// Parses `mantissa[.digits][e exponent]` exactly.
fn decimal(text: &str) -> Result<Fraction, FractionError> {
    let not_a_number = || FractionError::NotANumber { text: text.into() };
    let too_long = || FractionError::TooLong { text: text.into() };
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, whole(exponent, text)?),
        None => (text, 0),
    };
    let (before, after) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    if !after.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(not_a_number());
    }
    let numerator = whole(&format!("{before}{after}"), text)?;
    if numerator == 0 {
        return Ok(Fraction::ZERO);
    }
    let shift = exponent.checked_sub(after.len() as i128).ok_or_else(too_long)?;
    let power = u32::try_from(shift.unsigned_abs())
        .ok()
        .and_then(|shift| 10_i128.checked_pow(shift))
        .ok_or_else(too_long)?;
    if shift < 0 {
        Fraction::try_new(numerator, power)
    } else {
        let numerator = numerator.checked_mul(power).ok_or_else(too_long)?;
        Fraction::try_new(numerator, 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn decimals_are_exact() {
        for (text, numerator, denominator) in [
            ("0.1", 1, 10),
            ("-2.50", -5, 2),
            ("7.5e-1", 3, 4),
            ("12E2", 1200, 1),
            (".5", 1, 2),
            ("+6/-8", -3, 4),
            ("0e999999999999", 0, 1),
        ] {
            let expected = Fraction::try_new(numerator, denominator);
            assert_eq!(text.parse(), expected, "{text}");
        }
    }

    #[test]
    fn what_is_not_a_number_is_said() {
        for text in ["", "x", "1/", "/2", "1..2", "1.2.3", "1e", "--1", "1/2/3", "NaN", "inf", "."]
        {
            assert!(
                matches!(text.parse::<Fraction>(), Err(FractionError::NotANumber { .. })),
                "{text}"
            );
        }
        assert!(matches!("1/0".parse::<Fraction>(), Err(FractionError::ZeroDenominator { .. })));
        for text in ["1e-99", "1e99", "1e-99999999999999999999", &"9".repeat(60)] {
            assert!(
                matches!(text.parse::<Fraction>(), Err(FractionError::TooLong { .. })),
                "{text}"
            );
        }
        assert!(Fraction::try_new(i128::MIN, 1).is_err());
        let lowest = Fraction::try_new(-i128::MAX, 2).unwrap();
        assert_eq!(lowest.abs().numerator(), i128::MAX);
        assert!(Fraction::try_new(i128::MIN, i128::MIN).is_ok());
    }

    proptest! {
        #[test]
        fn text_form_round_trips(numerator in any::<i64>(), denominator in 1..i64::MAX) {
            let fraction = Fraction::try_new(numerator.into(), denominator.into()).unwrap();
            prop_assert_eq!(fraction.to_string().parse(), Ok(fraction));
        }

        #[test]
        fn no_text_panics(text in ".{0,24}", number in "[-+0-9./eE]{0,24}") {
            let _ = (text.parse::<Fraction>(), number.parse::<Fraction>());
        }
    }
}
