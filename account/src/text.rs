//! Numbers as text: short decimals, and JSON with numbers of any size and floats that may be infinite.

use crate::{Number, number::between};
use muffliato_model::Fraction;
use muffliato_reference::{BigRational, decimal, rational};
use serde::{Deserialize, Serialize};

/// Number of significant digits in tables.
const DIGITS: u32 = 3;

/// Formats a nonnegative float as a short decimal, rounded up.
///
/// ```
/// use muffliato_account::{rounded, rounded_up};
///
/// assert_eq!((rounded_up(0.1234), rounded(0.1234)), ("0.124".into(), "0.123".into()));
/// assert_eq!(rounded_up(f64::INFINITY), "unbounded");
/// ```
pub fn rounded_up(value: f64) -> String {
    match BigRational::from_float(value) {
        Some(value) => decimal::rounded_up(&value, DIGITS),
        None if value == f64::INFINITY => "unbounded".into(),
        None => "unknown".into(),
    }
}

/// Formats a float as a short decimal, rounded to nearest, for estimates.
pub fn rounded(value: f64) -> String {
    let short = format!("{value:.*e}", DIGITS as usize - 1);
    match short.parse::<Fraction>() {
        Ok(fraction) => decimal::rounded_up(&rational(fraction), DIGITS),
        Err(_) => short,
    }
}

impl Number {
    /// Returns the upper end as a short decimal, rounded up.
    pub fn rounded_up(&self) -> String {
        match self.fraction() {
            Some(fraction) => decimal::rounded_up(fraction, DIGITS),
            None => rounded_up(self.upper()),
        }
    }
}

/// The form of a number in JSON.
#[derive(Serialize, Deserialize)]
pub(crate) struct OnFile {
    #[serde(with = "float")]
    lower: f64,
    #[serde(with = "float")]
    value: f64,
    #[serde(with = "float")]
    upper: f64,
    #[serde(with = "fraction")]
    exact: Option<Box<BigRational>>,
}

impl From<Number> for OnFile {
    fn from(number: Number) -> Self {
        Self {
            lower: number.lower(),
            value: number.value(),
            upper: number.upper(),
            exact: number.fraction().cloned().map(Box::new),
        }
    }
}

impl TryFrom<OnFile> for Number {
    type Error = &'static str;

    fn try_from(OnFile { lower, value, upper, exact }: OnFile) -> Result<Self, &'static str> {
        match exact {
            _ if !(lower <= value && value <= upper) => {
                Err("the value of a loss is not between its ends")
            }
            Some(exact) => Ok(Self::from(*exact)),
            None => Ok(Self::estimated(value, between(lower, upper))),
        }
    }
}

/// A value with `Display` and `FromStr`, as a string.
pub(crate) mod display {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};
    use std::{fmt::Display, str::FromStr};

    pub fn serialize<T: Display, S: Serializer>(value: &T, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(value)
    }

    pub fn deserialize<'de, T, D>(from: D) -> Result<T, D::Error>
    where
        T: FromStr<Err: Display>,
        D: Deserializer<'de>,
    {
        let text = String::deserialize(from)?;
        text.parse()
            .map_err(|error| D::Error::custom(format_args!("{text:?} is not valid here: {error}")))
    }
}

/// An optional fraction, as a string or null.
pub(crate) mod fraction {
    use muffliato_reference::BigRational;
    use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};

    pub fn serialize<S: Serializer>(
        value: &Option<Box<BigRational>>,
        to: S,
    ) -> Result<S::Ok, S::Error> {
        value.as_ref().map(ToString::to_string).serialize(to)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(
        from: D,
    ) -> Result<Option<Box<BigRational>>, D::Error> {
        let text = Option::<String>::deserialize(from)?;
        let parsed = text.map(|text| {
            let parsed = text.parse().map(Box::new);
            parsed.map_err(|_| D::Error::custom(format_args!("{text:?} is not a fraction")))
        });
        parsed.transpose()
    }
}

/// An optional numerator and denominator, as two strings or null.
pub(crate) mod sum {
    use muffliato_reference::BigInt;
    use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};

    pub fn serialize<S: Serializer>(
        value: &Option<Box<(BigInt, BigInt)>>,
        to: S,
    ) -> Result<S::Ok, S::Error> {
        let parts = value.as_ref();
        parts.map(|parts| [parts.0.to_string(), parts.1.to_string()]).serialize(to)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(
        from: D,
    ) -> Result<Option<Box<(BigInt, BigInt)>>, D::Error> {
        let Some([above, below]) = Option::<[String; 2]>::deserialize(from)? else {
            return Ok(None);
        };
        let whole = |text: String| text.parse::<BigInt>().map_err(D::Error::custom);
        let (above, below) = (whole(above)?, whole(below)?);
        if below > BigInt::from(0) {
            Ok(Some(Box::new((above, below))))
        } else {
            Err(D::Error::custom("a denominator must be positive"))
        }
    }
}

/// A nonnegative float; infinity is the string `unbounded`. Floats are read back unchanged.
pub(crate) mod float {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Read {
        Number(f64),
        Word(String),
    }

    pub fn serialize<S: Serializer>(value: &f64, to: S) -> Result<S::Ok, S::Error> {
        if value.is_finite() { to.serialize_f64(*value) } else { to.serialize_str("unbounded") }
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<f64, D::Error> {
        match Read::deserialize(from)? {
            Read::Number(number) if number >= 0.0 => Ok(number),
            Read::Word(word) if word == "unbounded" => Ok(f64::INFINITY),
            _ => Err(D::Error::custom("a number that is at least 0 is needed here")),
        }
    }
}
