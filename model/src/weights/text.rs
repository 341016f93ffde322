//! The textual form of weight schemes.

use super::{WeightError, WeightScheme};
use std::{fmt, str::FromStr};

impl fmt::Display for WeightScheme {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Metropolis => f.write_str("metropolis"),
            Self::MaxDegreeInverse => f.write_str("max-degree-inverse"),
            Self::Lazy(inner) => write!(f, "lazy:{inner}"),
            Self::Custom(_) => f.write_str("custom"),
        }
    }
}

impl FromStr for WeightScheme {
    type Err = WeightError;

    fn from_str(text: &str) -> Result<Self, WeightError> {
        let mut inner = text;
        let mut lazy = 0;
        while let Some(rest) = inner.strip_prefix("lazy:") {
            inner = rest;
            lazy += 1;
        }
        let mut scheme = match inner {
            "metropolis" => Self::Metropolis,
            "max-degree-inverse" => Self::MaxDegreeInverse,
            "lazy" => Self::Lazy(Box::new(Self::Metropolis)),
            _ => return Err(WeightError::Unknown { text: text.into() }),
        };
        if lazy > Self::MAX_LAZY {
            return Err(WeightError::TooLazy { depth: lazy });
        }
        for _ in 0..lazy {
            scheme = Self::Lazy(Box::new(scheme));
        }
        Ok(scheme)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn schemes_have_a_textual_form() {
        for text in
            ["metropolis", "max-degree-inverse", "lazy:metropolis", "lazy:lazy:max-degree-inverse"]
        {
            assert_eq!(text.parse::<WeightScheme>().unwrap().to_string(), text);
        }
        assert_eq!("lazy".parse::<WeightScheme>(), "lazy:metropolis".parse());
        assert!("custom".parse::<WeightScheme>().is_err());
        assert!(format!("{}metropolis", "lazy:".repeat(100_000)).parse::<WeightScheme>().is_err());
    }
}
