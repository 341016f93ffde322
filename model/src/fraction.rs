//! Exact parameters.

use std::{fmt, str::FromStr};

/// An exact rational parameter (`tau`, `g`, a custom weight) in lowest terms.
///
/// It carries a number from the user to an engine; each engine has its own arithmetic. It is parsed from `3/4`,
/// `0.75`, `7.5e-1` or `2`, always exactly: `0.1` is one tenth, not the nearest binary float.
///
/// ```
/// use muffliato_model::Fraction;
///
/// let tau: Fraction = "0.05".parse()?;
/// assert_eq!(tau, Fraction::try_new(1, 20)?);
/// assert_eq!(tau.to_string(), "1/20");
/// # Ok::<(), muffliato_model::FractionError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Fraction {
    numerator: i128,
    denominator: i128,
}

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
    /// The number 0.
    pub const ZERO: Self = Self::integer(0);
    /// The number 1.
    pub const ONE: Self = Self::integer(1);

    /// Creates a whole number.
    pub const fn integer(value: i64) -> Self {
        Self { numerator: value as i128, denominator: 1 }
    }

    /// Creates `numerator / denominator` in lowest terms.
    ///
    /// # Errors
    ///
    /// Returns an error if the denominator is zero or the reduced fraction does not fit into 127
    /// bits.
    ///
    /// ```
    /// use muffliato_model::Fraction;
    ///
    /// let half = Fraction::try_new(-3, -6)?;
    /// assert_eq!((half.numerator(), half.denominator()), (1, 2));
    /// # Ok::<(), muffliato_model::FractionError>(())
    /// ```
    pub fn try_new(numerator: i128, denominator: i128) -> Result<Self, FractionError> {
        if denominator == 0 {
            return Err(FractionError::ZeroDenominator { numerator });
        }
        let too_long = || FractionError::TooLong { text: format!("{numerator}/{denominator}") };
        // `i128::MIN` has no positive counterpart.
        let negative = (numerator < 0) != (denominator < 0);
        let (above, below) = (numerator.unsigned_abs(), denominator.unsigned_abs());
        let divisor = greatest_common_divisor(above, below);
        let above = i128::try_from(above / divisor).map_err(|_| too_long())?;
        let below = i128::try_from(below / divisor).map_err(|_| too_long())?;
        Ok(Self { numerator: if negative { -above } else { above }, denominator: below })
    }

    /// Returns the numerator in lowest terms, which carries the sign.
    pub fn numerator(self) -> i128 {
        self.numerator
    }

    /// Returns the denominator in lowest terms, which is positive.
    pub fn denominator(self) -> i128 {
        self.denominator
    }

    /// Returns `true` if the number is below 0.
    pub fn is_negative(self) -> bool {
        self.numerator < 0
    }

    /// Returns the absolute value.
    pub fn abs(self) -> Self {
        Self {
            numerator: self.numerator.abs(), // never i128::MIN
            ..self
        }
    }

    /// Returns the square.
    ///
    /// # Errors
    ///
    /// Returns an error if it does not fit into 127 bits.
    ///
    /// ```
    /// use muffliato_model::Fraction;
    ///
    /// let tau: Fraction = "0.05".parse()?;
    /// assert_eq!(tau.square()?, Fraction::try_new(1, 400)?);
    /// assert_eq!(tau.square()?.square_root(), Some(tau));
    /// assert_eq!(Fraction::integer(2).square_root(), None);
    /// # Ok::<(), muffliato_model::FractionError>(())
    /// ```
    pub fn square(self) -> Result<Self, FractionError> {
        let square = |part: i128| {
            part.checked_mul(part)
                .ok_or_else(|| FractionError::TooLong { text: format!("({self})^2") })
        };
        Ok(Self { numerator: square(self.numerator)?, denominator: square(self.denominator)? })
    }

    /// Returns the square root, if it is rational.
    pub fn square_root(self) -> Option<Self> {
        let root = |part: i128| {
            let root = u128::try_from(part).ok()?.isqrt();
            (root * root == part.unsigned_abs()).then_some(root as i128)
        };
        Some(Self { numerator: root(self.numerator)?, denominator: root(self.denominator)? })
    }

    /// Returns `true` if the number is 0.
    pub fn is_zero(self) -> bool {
        self.numerator == 0
    }

    /// Returns a float near the number: both parts and their quotient are rounded to the nearest.
    pub fn to_f64(self) -> f64 {
        self.numerator as f64 / self.denominator as f64
    }

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

fn greatest_common_divisor(mut a: u128, mut b: u128) -> u128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
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
