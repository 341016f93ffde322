//! The epsilons of pairs.

use crate::noise_law::ProvedFor;
use crate::number::at_most;
use crate::question::Promises;
use crate::{AccountError, Loss, Number};
use std::collections::HashMap;

/// The epsilons of one pair, or of one class of pairs, at one noise level.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct PairEpsilons {
    /// The guaranteed epsilon; for a class of pairs, towards the observers that were examined.
    pub epsilon: f64,
    /// The epsilon of the computed loss in its model of training; `None` if it needs no model.
    pub model_epsilon: Option<f64>,
    /// The guaranteed epsilon for any loss functions; `None` for averaging.
    pub any_loss_epsilon: Option<f64>,
}

/// A converter of many losses to epsilons.
///
/// If there are very many, losses are first rounded up to four digits, so that each distinct
/// epsilon is computed once.
pub struct Epsilons {
    many: bool,
    sigma: f64,
    sensitivity: f64,
    delta: f64,
    runs: usize,
    /// The noise of the known epsilons.
    noise: ProvedFor,
    known: HashMap<u64, f64>,
}

/// Largest number of losses that are not rounded.
const FEW: usize = 10_000;

impl Epsilons {
    /// Creates a converter for about `losses` losses of `runs` runs each, with noise of standard
    /// deviation `sigma` and inputs that change by at most `sensitivity`.
    pub fn of(losses: usize, sigma: f64, sensitivity: f64, delta: f64, runs: usize) -> Self {
        let (many, noise) = (losses > FEW, ProvedFor::default());
        Self { many, sigma, sensitivity, delta, runs, noise, known: HashMap::new() }
    }

    fn epsilon(&mut self, loss: &Number, noise: ProvedFor) -> Result<f64, AccountError> {
        let loss = loss.times(self.runs);
        let upper = if self.many { four_digits_up(loss.upper()) } else { loss.upper() };
        if noise != self.noise {
            (self.noise, self.known) = (noise, HashMap::new());
        }
        if let Some(&known) = self.known.get(&upper.to_bits()) {
            return Ok(known);
        }
        let ends = at_most(upper).enclosure();
        let curve = noise.repeated(self.runs).curve(&ends, self.sensitivity, self.sigma)?;
        let epsilon = curve.epsilon(self.delta)?;
        self.known.insert(upper.to_bits(), epsilon);
        Ok(epsilon)
    }

    /// Converts the guaranteed bounds of a pair or a class, and its loss if that is of a model.
    pub(crate) fn of_promises(
        &mut self,
        promises: &Promises,
        loss: &Loss,
        noise: ProvedFor,
    ) -> Result<PairEpsilons, AccountError> {
        let modelled = loss.is_of_a_model().then(|| loss.number());
        let any_losses = promises.any_losses.as_ref();
        Ok(PairEpsilons {
            epsilon: self.epsilon(&promises.promised, noise)?,
            model_epsilon: modelled.map(|loss| self.epsilon(loss, noise)).transpose()?,
            any_loss_epsilon: any_losses.map(|any| self.epsilon(any, noise)).transpose()?,
        })
    }
}

/// Rounds a number up to four digits, by at most a thousandth of it.
fn four_digits_up(number: f64) -> f64 {
    let digits = format!("{:.3e}", number * 1.0006);
    digits.parse().map_or(f64::INFINITY, |up: f64| up.max(number))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn epsilons_of_one_noise_are_not_those_of_another() {
        let mut epsilons = Epsilons::of(1, 1.0, 1.0, 1e-6, 1);
        let coarse = ProvedFor::try_new("rounded:2^-3".parse().unwrap(), 1.0, 4).unwrap();
        let mut of = |noise| epsilons.epsilon(&at_most(1.0), noise).unwrap();
        let ideal = of(ProvedFor::default());
        assert!(of(coarse) > ideal);
        assert_eq!(of(ProvedFor::default()), ideal);
    }
}
