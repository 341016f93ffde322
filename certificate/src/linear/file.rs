//! Linear systems and claims about them as JSON.

use super::{LinearSystem, SystemCertificate};
use crate::{
    CertificateError, Claim,
    format::{Number, read, refused, wrong},
};
use num_bigint::BigInt;
use num_rational::BigRational;
use serde::{Deserialize, Serialize, Serializer};
use serde_json::{Map, Value};

/// End of the numbers that are read without quotes, `2^63`.
const LARGEST: f64 = 9_223_372_036_854_775_808.0;

/// Largest power of ten in a number, beyond that of every float.
const LARGEST_POWER: u32 = 5_000;

impl LinearSystem {
    /// Reads a system from the fields `A`, `B`, `std` and `known` (optional). Entries are numbers,
    /// taken as they are in binary, or strings such as `"1/3"`.
    ///
    /// # Errors
    ///
    /// Fails for other fields, entries that are not finite, and those of [`LinearSystem::try_new`].
    pub fn from_value(value: &Value) -> Result<Self, CertificateError> {
        SystemRecord::deserialize(value).map_err(refused)?.try_into()
    }

    /// Parses a system from JSON with the fields of [`LinearSystem::from_value`].
    ///
    /// # Errors
    ///
    /// Fails for a field that is given twice, and those of [`LinearSystem::from_value`].
    pub fn parse(text: &[u8]) -> Result<Self, CertificateError> {
        serde_json::from_slice::<SystemRecord>(text).map_err(refused)?.try_into()
    }

    /// Parses an entry exactly as it is written: a fraction, or a decimal with or without exponent;
    /// `None` for anything else and for powers of ten beyond 5000.
    ///
    /// ```
    /// use muffliato_certificate::LinearSystem;
    ///
    /// let number = |text| LinearSystem::number(text).map(|number| number.to_string());
    /// assert_eq!(number("-1.50e-2"), Some("-3/200".into()));
    /// assert_eq!(number("+1e3"), Some("1000".into()));
    /// assert_eq!(number("1/3"), Some("1/3".into()));
    /// assert!(number("nan").is_none() && number("1e99999").is_none() && number("1/3e2").is_none());
    /// ```
    pub fn number(text: &str) -> Option<BigRational> {
        let text = text.strip_prefix('+').unwrap_or(text);
        let (mantissa, exponent) = match text.split_once(['e', 'E']) {
            Some((decimal, exponent)) if !decimal.contains('/') => {
                (decimal, exponent.parse().ok()?)
            }
            Some(_) => return None,
            None => (text, 0_i32),
        };
        let power = Some(exponent.unsigned_abs()).filter(|power| *power <= LARGEST_POWER)?;
        let ten = BigRational::from_integer(BigInt::from(10).pow(power));
        let Number(mantissa) = Number::try_from(mantissa.to_string()).ok()?;
        Some(if exponent < 0 { mantissa / ten } else { mantissa * ten })
    }
}

impl SystemCertificate {
    /// Returns `true` if the text may be a certificate of a system.
    pub fn is_one(text: &str) -> bool {
        serde_json::from_str::<Map<String, Value>>(text)
            .is_ok_and(|fields| fields.contains_key("certificate") && fields.contains_key("system"))
    }

    /// Parses a certificate.
    ///
    /// # Errors
    ///
    /// Fails if the text is not a certificate of a system.
    pub fn parse(text: &str) -> Result<Self, CertificateError> {
        let file: File = read(text)?;
        let (claim, name, proof) = match (file.at_most, file.at_least, file.alibis, file.attack) {
            (Some(most), None, Some(alibis), None) => {
                (Claim::AtMost(number("at_most", &most)?), "alibis", alibis)
            }
            (None, Some(least), None, Some(attack)) => {
                (Claim::AtLeast(number("at_least", &least)?), "attack", attack)
            }
            _ => return Err(wrong("at_most", "give at_most and alibis, or at_least and attack")),
        };
        Ok(Self {
            system: file.system.try_into()?,
            inputs: file.inputs,
            claim,
            proof: rows(name, &proof)?,
        })
    }

    /// Formats the certificate as JSON.
    ///
    /// # Errors
    ///
    /// Returns an error if it cannot be written.
    pub fn to_json(&self) -> Result<String, CertificateError> {
        let proof = Some(self.proof.iter().map(|row| texts(row)).collect());
        let ((at_most, alibis), (at_least, attack)) = match &self.claim {
            Claim::AtMost(loss) => ((Some(text(loss)), proof), (None, None)),
            Claim::AtLeast(loss) => ((None, None), (Some(text(loss)), proof)),
        };
        let (system, inputs) = ((&self.system).into(), self.inputs.clone());
        let file = File { certificate: 1, system, inputs, at_most, at_least, alibis, attack };
        serde_json::to_string(&file).map_err(refused)
    }
}

/// A certificate of a system on file.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    certificate: usize,
    system: SystemRecord,
    inputs: Vec<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    at_most: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    at_least: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    alibis: Option<Vec<Vec<Value>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    attack: Option<Vec<Vec<Value>>>,
}

/// A system on file.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SystemRecord {
    #[serde(rename = "A")]
    draws: Vec<Vec<Value>>,
    #[serde(rename = "B")]
    inputs: Vec<Vec<Value>>,
    std: Vec<Value>,
    #[serde(default)]
    known: Vec<usize>,
}

impl TryFrom<SystemRecord> for LinearSystem {
    type Error = CertificateError;

    fn try_from(record: SystemRecord) -> Result<Self, CertificateError> {
        Self::try_new(
            rows("A", &record.draws)?,
            rows("B", &record.inputs)?,
            numbers("std", &record.std)?,
            &record.known,
        )
    }
}

impl Serialize for LinearSystem {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        SystemRecord::from(self).serialize(to)
    }
}

impl From<&LinearSystem> for SystemRecord {
    fn from(system: &LinearSystem) -> Self {
        let rows = |rows: &[Vec<BigRational>]| rows.iter().map(|row| texts(row)).collect();
        Self {
            draws: rows(&system.draws),
            inputs: rows(&system.inputs),
            std: texts(&system.deviations),
            known: (0..system.known.len()).filter(|&draw| system.known[draw]).collect(),
        }
    }
}

fn text(number: &BigRational) -> Value {
    Value::String(number.to_string())
}

fn texts(row: &[BigRational]) -> Vec<Value> {
    row.iter().map(text).collect()
}

/// Reads a number as it is in binary, or a fraction or decimal in quotes.
fn number(name: &str, value: &Value) -> Result<BigRational, CertificateError> {
    let read = match value {
        Value::String(text) => LinearSystem::number(text),
        Value::Number(number) => match (number.as_i64(), number.as_u64()) {
            (Some(whole), _) => Some(BigRational::from_integer(whole.into())),
            (_, Some(whole)) => Some(BigRational::from_integer(whole.into())),
            // Longer integers were rounded when they were read.
            _ => number.as_f64().filter(|x| x.abs() < LARGEST).and_then(BigRational::from_float),
        },
        _ => None,
    };
    let expected = "is no number that is read exactly; write 0.5, \"1/3\" or, in quotes, \"1e30\"";
    read.ok_or_else(|| wrong(name, format!("{value} {expected}")))
}

fn numbers(name: &str, row: &[Value]) -> Result<Vec<BigRational>, CertificateError> {
    row.iter().map(|entry| number(name, entry)).collect()
}

fn rows(name: &str, rows: &[Vec<Value>]) -> Result<Vec<Vec<BigRational>>, CertificateError> {
    let rows = rows.iter().enumerate();
    rows.map(|(row, entries)| numbers(&format!("{name}[{row}]"), entries)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const SYSTEM: &str = r#"{"A": [[1, 1]], "B": [[1]], "std": [1, 1]}"#;

    fn with_entry(entry: &str) -> Result<LinearSystem, CertificateError> {
        LinearSystem::parse(SYSTEM.replace("[[1]]", &format!("[[{entry}]]")).as_bytes())
    }

    #[test]
    fn entries_are_read_exactly_or_refused() {
        let entry = |text: &str| with_entry(text).unwrap().inputs[0][0].to_string();
        for whole in ["9223372036854775807", "9223372036854775809", "18446744073709551615"] {
            assert_eq!(entry(whole), whole);
            assert_eq!(entry(&format!("\"{whole}7\"")), format!("{whole}7"));
        }
        assert_eq!(entry("\"2.5e-1\""), "1/4");
        assert_eq!(entry("\"2.5e1\""), "25");
        assert_eq!(entry("-9007199254740993"), "-9007199254740993");
        for rounded in
            ["18446744073709551617", "-9223372036854775809", "1e30", "\"x\"", "\"1/3e2\"", "true"]
        {
            let refusal = with_entry(rounded).unwrap_err().to_string();
            assert!(refusal.contains("B[0]"), "{refusal}");
        }
    }

    #[test]
    fn a_field_is_given_once() {
        let text = format!(
            r#"{{"certificate": 1, "system": {SYSTEM}, "inputs": [0], "at_most": "1/2", "alibis": [["1/2", "1/2"]]}}"#
        );
        let parsed = SystemCertificate::parse(&text).unwrap();
        assert_eq!(parsed.check(), Ok(()));
        for (field, twice) in [
            (r#""inputs": [0]"#, r#""inputs": [0], "inputs": [0]"#),
            (r#""at_most": "1/2""#, r#""at_most": "1", "at_most": "1/2""#),
            (r#""B": [[1]]"#, r#""B": [[0]], "B": [[1]]"#),
        ] {
            assert!(SystemCertificate::parse(&text.replace(field, twice)).is_err(), "{twice}");
        }
        let twice = SYSTEM.replace(r#""B""#, r#""B": [[0]], "B""#);
        assert!(LinearSystem::parse(twice.as_bytes()).is_err());
    }
}
