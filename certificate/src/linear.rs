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

use crate::{CertificateError, Claim, MAX_BYTES, Refusal};
use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{Signed, Zero};
use serde_json::{Map, Value, json};
use std::fmt;

/// Largest number of entries of a system.
const MAX_ENTRIES: usize = 1 << 24;

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

fn wrong(field: &str, reason: impl fmt::Display) -> CertificateError {
    CertificateError::Value { field: field.into(), reason: reason.to_string() }
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
        let fields = value.as_object().ok_or_else(|| wrong("system", "it must be an object"))?;
        let names = ["A", "B", "std", "known"];
        if let Some(name) = fields.keys().find(|name| !names.contains(&name.as_str())) {
            return Err(wrong(name, "there is no such field; use A, B, std and known"));
        }
        let rows = |name: &str| -> Result<Vec<Vec<BigRational>>, CertificateError> {
            let rows = list(name, fields.get(name).unwrap_or(&Value::Null))?.iter().enumerate();
            rows.map(|(row, entries)| numbers(&format!("{name}[{row}]"), entries)).collect()
        };
        let known = match fields.get("known") {
            None => Vec::new(),
            Some(known) => places("known", known)?,
        };
        let deviations = numbers("std", fields.get("std").unwrap_or(&Value::Null))?;
        Self::try_new(rows("A")?, rows("B")?, deviations, &known)
    }

    /// Returns the system as JSON, exactly.
    pub fn to_value(&self) -> Value {
        let known: Vec<usize> = (0..self.known.len()).filter(|&draw| self.known[draw]).collect();
        let rows = |rows: &[Vec<BigRational>]| -> Vec<Value> {
            rows.iter().map(|row| texts(row)).collect()
        };
        json!({ "A": rows(&self.draws), "B": rows(&self.inputs), "std": texts(&self.deviations), "known": known })
    }

    /// Returns the smallest number that makes all entries whole.
    pub fn common_denominator<'a>(entries: impl IntoIterator<Item = &'a BigRational>) -> BigInt {
        entries.into_iter().fold(BigInt::from(1), |all, entry| all.lcm(entry.denom()))
    }

    /// Returns the numbers of observations, draws and inputs.
    pub fn size(&self) -> (usize, usize, usize) {
        (self.draws.len(), self.deviations.len(), self.inputs[0].len())
    }

    /// Returns the rows of A.
    pub fn draws(&self) -> &[Vec<BigRational>] {
        &self.draws
    }

    /// Returns the rows of B.
    pub fn inputs(&self) -> &[Vec<BigRational>] {
        &self.inputs
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
        let column = |rows: &[Vec<BigRational>], place: usize| -> BigRational {
            let parts = rows.iter().zip(attack).filter(|(row, _)| !row[place].is_zero());
            parts.map(|(row, c)| &row[place] * c).sum()
        };
        let signal: BigRational = inputs
            .iter()
            .zip(changes)
            .map(|(&input, change)| column(&self.inputs, input) * change)
            .sum();
        let variance: BigRational = (0..width)
            .filter_map(|draw| {
                let s = self.deviation(draw)?;
                let times = column(&self.draws, draw) * s;
                Some(&times * &times)
            })
            .sum();
        if variance.is_zero() {
            return match signal.is_zero() {
                true => Ok(BigRational::zero()),
                false => Err(Refusal::Question("the loss is infinite: no noise is left".into())),
            };
        }
        Ok(&signal * &signal / variance)
    }
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
        let bytes = text.len();
        if bytes > MAX_BYTES {
            return Err(CertificateError::TooLong { bytes });
        }
        let mut fields: Map<String, Value> = serde_json::from_str(text)
            .map_err(|error| CertificateError::Json { reason: error.to_string() })?;
        let mut take = |name: &str| fields.remove(name);
        if take("certificate") != Some(json!(1)) {
            return Err(wrong("certificate", "this checker reads version 1"));
        }
        let system = take("system").ok_or_else(|| wrong("system", "it is missing"))?;
        let inputs = take("inputs").ok_or_else(|| wrong("inputs", "they are missing"))?;
        let loss = |name: &str, value: Value| number(name, &value);
        let (claim, proof) = match (take("at_most"), take("at_least")) {
            (Some(most), None) => (Claim::AtMost(loss("at_most", most)?), "alibis"),
            (None, Some(least)) => (Claim::AtLeast(loss("at_least", least)?), "attack"),
            _ => return Err(wrong("at_most", "give either at_most or at_least")),
        };
        let rows = take(proof).ok_or_else(|| wrong(proof, "it is missing"))?;
        if let Some(name) = fields.keys().next() {
            return Err(wrong(name, "there is no such field"));
        }
        let rows = list(proof, &rows)?.iter().map(|row| numbers(proof, row));
        Ok(Self {
            system: LinearSystem::from_value(&system)?,
            inputs: places("inputs", &inputs)?,
            claim,
            proof: rows.collect::<Result<_, _>>()?,
        })
    }

    /// Formats the certificate as JSON.
    pub fn to_json(&self) -> String {
        let (bound, loss, proof) = match &self.claim {
            Claim::AtMost(loss) => ("at_most", loss, "alibis"),
            Claim::AtLeast(loss) => ("at_least", loss, "attack"),
        };
        let rows: Vec<Value> = self.proof.iter().map(|row| texts(row)).collect();
        json!({
            "certificate": 1,
            "system": self.system.to_value(),
            "inputs": self.inputs,
            bound: loss.to_string(),
            proof: rows,
        })
        .to_string()
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
        let proved = self.proved()?;
        let holds = match &self.claim {
            Claim::AtMost(loss) => proved <= *loss,
            Claim::AtLeast(loss) => proved >= *loss,
        };
        match holds {
            true => Ok(()),
            false => Err(Refusal::Question(format!("the proof proves {proved}"))),
        }
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

fn texts(row: &[BigRational]) -> Value {
    row.iter().map(|entry| Value::String(entry.to_string())).collect()
}

fn list<'a>(name: &str, value: &'a Value) -> Result<&'a Vec<Value>, CertificateError> {
    value.as_array().ok_or_else(|| wrong(name, "it must be a list"))
}

fn places(name: &str, value: &Value) -> Result<Vec<usize>, CertificateError> {
    let place = |entry: &Value| entry.as_u64().and_then(|place| usize::try_from(place).ok());
    let places: Option<Vec<usize>> = list(name, value)?.iter().map(place).collect();
    places.ok_or_else(|| wrong(name, "it must be a list of numbers from 0"))
}

fn numbers(name: &str, value: &Value) -> Result<Vec<BigRational>, CertificateError> {
    list(name, value)?.iter().map(|entry| number(name, entry)).collect()
}

/// Reads a number as it is in binary, or a fraction or decimal in quotes.
fn number(name: &str, value: &Value) -> Result<BigRational, CertificateError> {
    let read = match value {
        Value::String(text) => fraction(text),
        Value::Number(number) => match (number.as_i64(), number.as_f64()) {
            (Some(whole), _) => Some(BigRational::from_integer(whole.into())),
            (None, Some(float)) => BigRational::from_float(float),
            _ => None,
        },
        _ => None,
    };
    read.ok_or_else(|| wrong(name, format!("{value} is no number; write 0.5, \"1/3\" or \"-2\"")))
}

/// Reads `-12`, `3/4` or `0.25` exactly.
fn fraction(text: &str) -> Option<BigRational> {
    let whole = |text: &str| -> Option<BigInt> {
        let digits = text.strip_prefix('-').unwrap_or(text);
        let plain = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        if plain { text.parse().ok() } else { None }
    };
    if let Some((above, below)) = text.split_once('/') {
        let below = whole(below).filter(|below| below.is_positive())?;
        return Some(BigRational::new(whole(above)?, below));
    }
    match text.split_once('.') {
        None => Some(BigRational::from_integer(whole(text)?)),
        Some((above, decimals)) => {
            let below = BigInt::from(10).pow(u32::try_from(decimals.len()).ok()?);
            whole(decimals).filter(|part| !part.is_negative())?;
            Some(BigRational::new(whole(&format!("{above}{decimals}"))?, below))
        }
    }
}
