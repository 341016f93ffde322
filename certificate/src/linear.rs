//! Claims about any linear system.
//!
//! A view `A z + B x` holds observations of independent Gaussian draws z, draw d of standard
//! deviation `s_d sigma`, and of inputs x; some draws are known to an observer of the view. An alibi of
//! input i is a change `zeta` of draws that are not known, with `A zeta = B e_i`. Its cost, and with
//! several inputs the sum of `|Q_ij|`, `Q_ij = sum_d zeta_i zeta_j / s_d^2`, bounds the loss from
//! above, for scalars and for vectors. An attack is a statistic c of the view and the known draws;
//! its strength, `signal^2 / variance`, bounds the loss from below. Both are checked here in whole
//! numbers, whoever found them.
//!
//! ```
//! use muffliato_certificate::{LinearSystem, SystemCertificate};
//!
//! // Two releases of one input under noise that they share in part.
//! let text = r#"{"certificate": 1,
//!     "system": {"A": [[1, 0, 1], [0, 1, -1]], "B": [[1], [1]], "std": ["1", "1", "3"], "known": []},
//!     "inputs": [0], "at_most": "2", "alibis": [["1", "1", "0"]]}"#;
//! let certificate = SystemCertificate::parse(text)?;
//! assert_eq!(certificate.check(), Ok(()));
//! let wrong = text.replace("\"at_most\": \"2\"", "\"at_most\": \"1\"");
//! assert!(SystemCertificate::parse(&wrong)?.check().is_err());
//! # Ok::<(), muffliato_certificate::CertificateError>(())
//! ```

use crate::{
    CertificateError, Claim, Refusal, Row, Statistic, System,
    format::{Number, read, refused, wrong},
    matrix::common_multiple,
};
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{Signed, Zero};
use serde::{Deserialize, Serialize, Serializer};
use serde_json::{Map, Value};
use std::fmt;

/// Largest number of entries of a system.
const MAX_ENTRIES: usize = 1 << 24;

/// End of the numbers that are read without quotes, `2^63`.
const LARGEST: f64 = 9_223_372_036_854_775_808.0;

/// Largest power of ten in a number, beyond that of every float.
const LARGEST_POWER: u32 = 5_000;

/// A view `A z + B x` of draws z and inputs x.
#[derive(Clone, Debug, PartialEq)]
pub struct LinearSystem {
    /// A: a row for each observation, a column for each draw.
    draws: Vec<Vec<BigRational>>,
    /// B: a row for each observation, a column for each input.
    inputs: Vec<Vec<BigRational>>,
    deviations: Vec<BigRational>,
    known: Vec<bool>,
}

impl LinearSystem {
    /// Creates the system from A and B row by row, the standard deviation of each draw in units of
    /// sigma, and the draws that are known.
    ///
    /// # Errors
    ///
    /// Fails if sizes differ, there is no observation or input, a deviation is negative, or a known
    /// draw does not exist.
    pub fn try_new(
        draws: Vec<Vec<BigRational>>,
        inputs: Vec<Vec<BigRational>>,
        deviations: Vec<BigRational>,
        known: &[usize],
    ) -> Result<Self, CertificateError> {
        let (width, columns) = (deviations.len(), inputs.first().map_or(0, Vec::len));
        if draws.is_empty() || columns == 0 {
            return Err(wrong("A", "a system has at least one observation and one input"));
        }
        if inputs.len() != draws.len() {
            let reason = format!("it has {} rows, A has {}", inputs.len(), draws.len());
            return Err(wrong("B", reason));
        }
        for (name, rows, expected) in [("A", &draws, width), ("B", &inputs, columns)] {
            if let Some(row) = rows.iter().position(|row| row.len() != expected) {
                let reason = format!("{} entries in place of {expected}", rows[row].len());
                return Err(wrong(&format!("{name}, row {row}"), reason));
            }
        }
        if draws.len().saturating_mul(width.saturating_add(columns)) > MAX_ENTRIES {
            return Err(wrong("A", format!("more than {MAX_ENTRIES} entries")));
        }
        if let Some(draw) = deviations.iter().position(Signed::is_negative) {
            return Err(wrong("std", format!("that of draw {draw} is negative")));
        }
        let mut is_known = vec![false; width];
        for &draw in known {
            match is_known.get_mut(draw) {
                Some(known) => *known = true,
                None => return Err(wrong("known", format!("there is no draw {draw}"))),
            }
        }
        Ok(Self { draws, inputs, deviations, known: is_known })
    }

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

    /// Converts the system to the form that exact losses are computed from: each observation times
    /// a positive number, without draws that cannot change.
    ///
    /// # Errors
    ///
    /// Refuses numbers that are too long.
    pub fn in_whole_numbers(&self) -> Result<System, Refusal> {
        let (observations, draws, inputs) = self.size();
        let hidden: Vec<(usize, &BigRational)> =
            (0..draws).filter_map(|draw| Some((draw, self.deviation(draw)?))).collect();
        let row = |row: usize| {
            let scale = self.scale(row)?;
            let whole = |entry: &BigRational| entry.numer() * (&scale / entry.denom());
            Ok(Row {
                draws: hidden.iter().map(|(draw, _)| whole(&self.draws[row][*draw])).collect(),
                inputs: self.inputs[row].iter().map(whole).collect(),
            })
        };
        let rows = (0..observations).map(row).collect::<Result<_, Refusal>>()?;
        let variances = hidden.iter().map(|(_, s)| *s * *s).collect();
        System::new(rows, variances, inputs, draws - hidden.len())
    }

    /// Returns the smallest number that makes all entries of an observation whole.
    fn scale(&self, row: usize) -> Result<BigInt, Refusal> {
        let entries = self.draws[row].iter().chain(&self.inputs[row]);
        common_multiple(entries.map(|entry| entry.denom().clone()))
    }

    /// Returns the coefficient of each observation in a statistic of the system in whole numbers.
    ///
    /// # Errors
    ///
    /// Refuses a statistic of another system.
    pub fn coefficients(&self, statistic: &Statistic) -> Result<Vec<BigRational>, Refusal> {
        let mut all = vec![BigRational::zero(); self.draws.len()];
        for (row, numerator) in &statistic.coefficients {
            let c = all.get_mut(*row).filter(|_| statistic.denominator.is_positive());
            let c = c.ok_or(Refusal::NotExact)?;
            *c = BigRational::new(numerator * self.scale(*row)?, statistic.denominator.clone());
        }
        Ok(all)
    }

    /// Returns the numbers of observations, draws and inputs.
    pub fn size(&self) -> (usize, usize, usize) {
        (self.draws.len(), self.deviations.len(), self.inputs[0].len())
    }

    /// Returns the alibi of a statistic c, the change `S^2 A^T c` of each draw.
    pub fn alibi(&self, statistic: &[BigRational]) -> Vec<BigRational> {
        let change = |draw: usize| match self.deviation(draw) {
            None => BigRational::zero(),
            Some(s) => column(&self.draws, draw, statistic) * s * s,
        };
        (0..self.size().1).map(change).collect()
    }

    /// Returns alibis that change one draw each, a different one for each of `inputs`; `None` unless
    /// every input enters as such a draw does.
    pub fn own_draws(&self, inputs: &[usize]) -> Option<Vec<Vec<BigRational>>> {
        self.check_inputs(inputs).ok()?;
        let draws = 0..self.size().1;
        let mut used = vec![false; draws.len()];
        let of_input = |&input: &usize| {
            let alike = |draw: usize| {
                let mut rows = self.draws.iter().zip(&self.inputs);
                rows.all(|(row, signal)| row[draw] == signal[input])
            };
            let free = |&draw: &usize| !used[draw] && self.deviation(draw).is_some() && alike(draw);
            let own = draws.clone().find(free)?;
            used[own] = true;
            let whole = |draw| BigRational::from_integer(u8::from(draw == own).into());
            Some(draws.clone().map(whole).collect())
        };
        inputs.iter().map(of_input).collect()
    }

    /// Returns the standard deviation of a draw in units of sigma; `None` if the draw is known or is
    /// not drawn at all, so that it cannot change.
    pub fn deviation(&self, draw: usize) -> Option<&BigRational> {
        let hidden = !self.known.get(draw)?;
        self.deviations.get(draw).filter(|s| hidden && !s.is_zero())
    }

    fn check_inputs(&self, inputs: &[usize]) -> Result<(), Refusal> {
        let all = self.size().2;
        let increasing = inputs.windows(2).all(|pair| pair[0] < pair[1]);
        match inputs {
            [.., last] if increasing && *last < all => Ok(()),
            _ => Err(Refusal::Question(format!(
                "the inputs must be distinct, in increasing order and below {all}"
            ))),
        }
    }

    /// Computes the bound of alibis, one for each of `inputs`: the change of each draw.
    ///
    /// # Errors
    ///
    /// Refuses an alibi that does not explain its input or changes a draw that cannot change.
    pub fn at_most(
        &self,
        inputs: &[usize],
        alibis: &[Vec<BigRational>],
    ) -> Result<BigRational, Refusal> {
        self.check_inputs(inputs)?;
        let (observations, width, _) = self.size();
        if alibis.len() != inputs.len() || alibis.iter().any(|alibi| alibi.len() != width) {
            return Err(Refusal::Question(format!(
                "give {} alibis of {width} changes each",
                inputs.len()
            )));
        }
        for (&input, alibi) in inputs.iter().zip(alibis) {
            for (draw, change) in alibi.iter().enumerate() {
                if !change.is_zero() && self.deviation(draw).is_none() {
                    return Err(Refusal::Question(format!("draw {draw} cannot change")));
                }
            }
            for row in 0..observations {
                if dot(&self.draws[row], alibi) != self.inputs[row][input] {
                    return Err(Refusal::Question(format!(
                        "the alibi of input {input} is seen in observation {row}"
                    )));
                }
            }
        }
        let product = |one: &[BigRational], other: &[BigRational]| -> BigRational {
            let parts = one.iter().zip(other).enumerate();
            let parts = parts.filter(|(_, (a, b))| !a.is_zero() && !b.is_zero());
            parts.filter_map(|(d, (a, b))| self.deviation(d).map(|s| a * b / (s * s))).sum()
        };
        let pairs = alibis.iter().flat_map(|one| alibis.iter().map(move |other| (one, other)));
        Ok(pairs.map(|(one, other)| product(one, other).abs()).sum())
    }

    /// Computes the strength of an attack: coefficients of the observations, which the known draws
    /// are taken out of, against changes of `inputs` by at most 1.
    ///
    /// # Errors
    ///
    /// Refuses changes above 1 and lists of other lengths.
    pub fn at_least(
        &self,
        inputs: &[usize],
        changes: &[BigRational],
        attack: &[BigRational],
    ) -> Result<BigRational, Refusal> {
        self.check_inputs(inputs)?;
        let (observations, width, _) = self.size();
        if changes.len() != inputs.len() || attack.len() != observations {
            return Err(Refusal::Question(format!(
                "give {} changes and {observations} coefficients",
                inputs.len()
            )));
        }
        if changes.iter().any(|change| change.numer().abs() > *change.denom()) {
            return Err(Refusal::Question("an input changes by at most 1".into()));
        }
        let signal: BigRational = inputs
            .iter()
            .zip(changes)
            .map(|(&input, change)| column(&self.inputs, input, attack) * change)
            .sum();
        let variance: BigRational = (0..width)
            .filter_map(|draw| {
                let s = self.deviation(draw)?;
                let times = column(&self.draws, draw, attack) * s;
                Some(&times * &times)
            })
            .sum();
        if variance.is_zero() {
            return if signal.is_zero() {
                Ok(BigRational::zero())
            } else {
                Err(Refusal::Question("the loss is infinite: no noise is left".into()))
            };
        }
        Ok(&signal * &signal / variance)
    }
}

/// Returns a column times the coefficients of rows.
fn column(rows: &[Vec<BigRational>], place: usize, statistic: &[BigRational]) -> BigRational {
    let parts = rows.iter().zip(statistic).filter(|(row, _)| !row[place].is_zero());
    parts.map(|(row, c)| &row[place] * c).sum()
}

fn dot(one: &[BigRational], other: &[BigRational]) -> BigRational {
    let parts = one.iter().zip(other).filter(|(a, b)| !a.is_zero() && !b.is_zero());
    parts.map(|(a, b)| a * b).sum()
}

/// A claim about the loss of inputs of a linear system, with its proof.
#[derive(Clone, Debug, PartialEq)]
pub struct SystemCertificate {
    /// The system.
    pub system: LinearSystem,
    /// The protected inputs, in increasing order.
    pub inputs: Vec<usize>,
    /// The claimed bound, in units of L.
    pub claim: Claim,
    /// An alibi for each input, or the attack: the changes of the inputs, then the coefficients of
    /// the observations.
    pub proof: Vec<Vec<BigRational>>,
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

    /// Computes the bound that the proof proves.
    ///
    /// # Errors
    ///
    /// Refuses a proof that proves nothing.
    pub fn proved(&self) -> Result<BigRational, Refusal> {
        match (&self.claim, &self.proof[..]) {
            (Claim::AtMost(_), alibis) => self.system.at_most(&self.inputs, alibis),
            (Claim::AtLeast(_), [changes, attack]) => {
                self.system.at_least(&self.inputs, changes, attack)
            }
            _ => Err(Refusal::WrongKind),
        }
    }

    /// Checks the claim.
    ///
    /// # Errors
    ///
    /// Refuses a claim that the proof does not prove.
    pub fn check(&self) -> Result<(), Refusal> {
        self.claim.check(&self.proved()?)
    }
}

impl fmt::Display for SystemCertificate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let inputs: Vec<String> = self.inputs.iter().map(usize::to_string).collect();
        let (observations, draws, all) = self.system.size();
        write!(
            f,
            "input {} of a linear system ({observations} observations, {draws} draws, {all} inputs) loses {} L to an observer of the view, with Gaussian noise (real numbers), {}",
            inputs.join(", "),
            self.claim,
            match self.claim {
                Claim::AtMost(_) => "for vectors of any dimension",
                Claim::AtLeast(_) => "for inputs that are scalars",
            },
        )
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
    #[serde(skip_serializing_if = "Option::is_none")]
    known: Option<Vec<usize>>,
}

impl TryFrom<SystemRecord> for LinearSystem {
    type Error = CertificateError;

    fn try_from(record: SystemRecord) -> Result<Self, CertificateError> {
        Self::try_new(
            rows("A", &record.draws)?,
            rows("B", &record.inputs)?,
            numbers("std", &record.std)?,
            &record.known.unwrap_or_default(),
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
            known: Some((0..system.known.len()).filter(|&draw| system.known[draw]).collect()),
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
    use super::{LinearSystem, SystemCertificate};

    const SYSTEM: &str = r#"{"A": [[1, 1]], "B": [[1]], "std": [1, 1]}"#;

    fn with_entry(entry: &str) -> Result<LinearSystem, crate::CertificateError> {
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
        for rounded in ["18446744073709551617", "-9223372036854775809", "1e30", "\"x\"", "true"] {
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
