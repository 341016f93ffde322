//! Theorems of this project on gradient descent with real losses and on masks, and where each
//! assumption is needed.

pub(super) mod absorption;
pub(super) mod masks;

use crate::claims::prelude::*;
use muffliato_reference::solve_gram;

/// View of a linear run that is not one of the protocols.
struct Departure {
    /// Variance of each draw.
    variances: Vec<BigRational>,
    /// Observed rows: coefficients over the independent draws, then over the inputs of the source.
    rows: Vec<Vec<BigRational>>,
}

impl Departure {
    /// Returns the largest loss over signs of the inputs, exactly, and the strength of the attack
    /// that shows it in floats; `None` if the loss is infinite because the signal contains no
    /// noise.
    fn loss(&self) -> Result<Option<(BigRational, Enclosure)>, ClaimError> {
        let inner = |a: &[BigRational], b: &[BigRational]| -> BigRational {
            let terms = a.iter().zip(b).zip(&self.variances);
            terms.map(|((a, b), variance)| a * b * variance).sum()
        };
        let gram: Vec<Vec<BigRational>> =
            self.rows.iter().map(|a| self.rows.iter().map(|b| inner(a, b)).collect()).collect();
        let draws = self.variances.len();
        let inputs = self.rows.first().map_or(0, |row| row.len() - draws);
        let mut largest: Option<(BigRational, Enclosure)> = None;
        for signs in 0..1_usize << inputs {
            let signal = |row: &Vec<BigRational>| -> BigRational {
                let signed = row[draws..].iter().enumerate();
                signed
                    .map(|(bit, entry)| if signs >> bit & 1 == 1 { -entry } else { entry.clone() })
                    .sum()
            };
            let signal: Vec<BigRational> = self.rows.iter().map(signal).collect();
            let attack = solve_gram(&gram, &signal)?;
            let times = |row: &Vec<BigRational>| -> BigRational {
                row.iter().zip(&attack).map(|(entry, c)| entry * c).sum()
            };
            if gram.iter().map(times).ne(signal.iter().cloned()) {
                return Ok(None);
            }
            let loss = times(&signal);
            if largest.as_ref().is_none_or(|(most, _)| order(&loss, most).is_gt()) {
                let fast = self.strength(&attack, &signal);
                largest = Some((loss, estimate(fast)));
            }
        }
        Ok(largest)
    }

    /// Returns `(c^T a)^2 / sum s^2 (A^T c)^2` in floats.
    fn strength(&self, attack: &[BigRational], signal: &[BigRational]) -> f64 {
        let float = |value: &BigRational| value.to_f64().unwrap_or(f64::NAN);
        let mut noise = 0.0;
        for (draw, variance) in self.variances.iter().enumerate() {
            let rows = self.rows.iter().zip(attack);
            let weight: f64 = rows.map(|(row, c)| float(&row[draw]) * float(c)).sum();
            noise += weight * weight * float(variance);
        }
        let hit: f64 = signal.iter().zip(attack).map(|(a, c)| float(a) * float(c)).sum();
        hit * hit / noise
    }

    /// Ends a search with a witness if the loss exceeds the claimed one.
    fn search(
        &self,
        claimed: BigRational,
        fast: Enclosure,
        instance: Instance,
        lines: Vec<String>,
    ) -> Search {
        let Some((loss, shown)) = self.loss()? else {
            return Ok(());
        };
        Comparison::at_most(loss, claimed).search(|| Ok((instance, lines, [fast, shown])))
    }
}

/// Returns a unit vector.
fn unit(size: usize, place: usize) -> Vec<BigRational> {
    (0..size).map(|at| whole(usize::from(at == place))).collect()
}

/// Returns `a + factor b`.
fn plus(a: &[BigRational], factor: &BigRational, b: &[BigRational]) -> Vec<BigRational> {
    let terms = a.iter().zip(b);
    terms.map(|(a, b)| if b.is_zero() { a.clone() } else { a + factor * b }).collect()
}
