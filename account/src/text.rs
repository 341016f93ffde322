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

/// Lipschitz constants: one fraction for all nodes, or a list with one for each node.
pub(crate) mod lipschitz {
    use muffliato_model::{Fraction, Lipschitz};
    use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};

    #[derive(Serialize, Deserialize)]
    #[serde(untagged)]
    enum Constants {
        Everywhere(String),
        OfNodes(Vec<String>),
    }

    pub fn serialize<S: Serializer>(value: &Lipschitz, to: S) -> Result<S::Ok, S::Error> {
        match value.of(usize::MAX) {
            Some(constant) => Constants::Everywhere(constant.to_string()),
            None => {
                let all = (0..).map_while(|node| value.of(node));
                Constants::OfNodes(all.map(|constant| constant.to_string()).collect())
            }
        }
        .serialize(to)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Lipschitz, D::Error> {
        let fraction = |text: String| text.parse::<Fraction>().map_err(D::Error::custom);
        match Constants::deserialize(from)? {
            Constants::Everywhere(text) => Lipschitz::everywhere(fraction(text)?),
            Constants::OfNodes(texts) => {
                Lipschitz::of_nodes(texts.into_iter().map(fraction).collect::<Result<_, _>>()?)
            }
        }
        .map_err(D::Error::custom)
    }
}

/// A loss model, by its name.
pub(crate) mod model {
    use muffliato_model::LossModel;
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    const ALL: [LossModel; 4] = [
        LossModel::SingleInput,
        LossModel::GradientsAsInputs,
        LossModel::QuadraticLosses,
        LossModel::LipschitzSteps,
    ];

    pub fn serialize<S: Serializer>(value: &LossModel, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(value)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<LossModel, D::Error> {
        let name = String::deserialize(from)?;
        let found = ALL.into_iter().find(|model| model.to_string() == name);
        found.ok_or_else(|| D::Error::custom(format_args!("there is no model {name:?}")))
    }
}
