//! JSON forms of values: numbers of any size as text, and floats that may be infinite.

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
