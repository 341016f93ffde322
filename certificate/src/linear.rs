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

mod file;
mod find;

use crate::{
    CertificateError, Claim, Refusal, Row, System,
    alibi::{Shifts, inner_products},
    format::wrong,
    matrix::common_multiple,
    question,
};
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{Signed, Zero};
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

    /// Returns the numbers of observations, draws and inputs.
    pub fn size(&self) -> (usize, usize, usize) {
        (self.draws.len(), self.deviations.len(), self.inputs[0].len())
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
            _ => Err(question(format!(
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
            return Err(question(format!("give {} alibis of {width} changes each", inputs.len())));
        }
        for (&input, alibi) in inputs.iter().zip(alibis) {
            for (draw, change) in alibi.iter().enumerate() {
                if !change.is_zero() && self.deviation(draw).is_none() {
                    return Err(question(format!("draw {draw} cannot change")));
                }
            }
            for row in 0..observations {
                if dot(&self.draws[row], alibi) != self.inputs[row][input] {
                    return Err(question(format!(
                        "the alibi of input {input} is seen in observation {row}"
                    )));
                }
            }
        }
        let shifted = |alibi: &Vec<BigRational>| -> Shifts<usize> {
            let changes = alibi.iter().cloned().enumerate();
            changes.filter(|(_, change)| !change.is_zero()).collect()
        };
        let alibis: Vec<_> = alibis.iter().map(shifted).collect();
        let variance = |&draw: &usize| &self.deviations[draw] * &self.deviations[draw];
        Ok(inner_products(&alibis, variance)?.iter().map(Signed::abs).sum())
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
            return Err(question(format!(
                "give {} changes and {observations} coefficients",
                inputs.len()
            )));
        }
        if changes.iter().any(|change| change.numer().abs() > *change.denom()) {
            return Err(question("an input changes by at most 1"));
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
                Err(question("the loss is infinite: no noise is left"))
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
