//! The largest of some losses, and the epsilons of pairs.

use super::{Conditions, Guarantee, Losses};
use crate::noise_law::{Curve, ProvedFor};
use crate::number::at_most;
use crate::summary::Origin;
use crate::{AccountError, Loss, Number};
use std::{collections::HashMap, fmt};

/// The largest of some losses, with its conditions.
///
/// It is a guarantee only if it covers all observers and is not a mean.
///
/// ```
/// use muffliato_account::{Account, AccountError, Observers};
/// use muffliato_model::{Network, Protocol};
///
/// let protocol = Protocol::one_shot(Network::metropolis("karate".parse()?)?, 3)?.refreshed("0.1".parse()?)?;
/// let sample = Account::of(&protocol).observers(Observers::Sample(4)).build()?.summary()?;
/// let found = sample.largest(2)?;
/// let seen = found.sample().unwrap();
/// assert_eq!((seen.observers, seen.of), (4, 34));
/// assert!(matches!(found.clone().promised(), Err(AccountError::Sampled { .. })));
///
/// let all = Account::of(&protocol).observers(Observers::All).build()?.summary()?;
/// assert!(all.largest(2)?.promised()?.upper() > found.upper());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Maximum {
    pub(crate) bound: Guarantee,
    pub(crate) sample: Option<Sample>,
    pub(crate) is_mean: bool,
    pub(crate) origin: Origin,
}

/// The observers that were examined, if not all were.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sample {
    /// The number of observers that were examined.
    pub observers: usize,
    /// The number of all observers.
    pub of: usize,
    /// `true` if more observers were requested: this is a shard, or the deadline passed.
    pub partial: bool,
}

impl fmt::Display for Sample {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {} observers", self.observers, self.of)
    }
}

impl Maximum {
    /// Returns the guarantee.
    ///
    /// # Errors
    ///
    /// [`AccountError::Sampled`] for a sample, [`AccountError::MeanIsNoPromise`] for a mean,
    /// [`AccountError::OnFile`] if a part of it was read from a file.
    pub fn promised(self) -> Result<Guarantee, AccountError> {
        match self.sample {
            Some(Sample { observers, of, .. }) => Err(AccountError::Sampled { observers, of }),
            None if self.is_mean => Err(AccountError::MeanIsNoPromise),
            None if self.origin.on_file => Err(AccountError::OnFile),
            None => Ok(self.bound),
        }
    }

    /// Returns the upper bound for the observers that were examined.
    pub fn upper(&self) -> f64 {
        self.bound.upper()
    }

    /// Returns the upper bound as a short decimal, rounded up.
    pub fn rounded_up(&self) -> String {
        self.bound.rounded_up()
    }

    /// Returns the observers that were examined; `None` if all were.
    pub fn sample(&self) -> Option<Sample> {
        self.sample
    }

    /// Returns the conditions of the bound, including the sample.
    pub fn conditions(&self) -> &Conditions {
        self.bound.conditions()
    }

    /// Returns the name of the status: `sampled` for a sample, `partial` for a shard or after a
    /// timeout.
    pub fn as_str(&self) -> &'static str {
        match self.sample {
            None => self.bound.status().as_str(),
            Some(Sample { partial: true, .. }) => "partial",
            Some(_) => "sampled",
        }
    }

    /// Returns the privacy curve for the observers that were examined, which says nothing about
    /// others. For a mean, only the Renyi losses of the curve are meaningful.
    ///
    /// # Errors
    ///
    /// Those of [`Guarantee::at`].
    pub fn over_sample(&self, sigma: f64, sensitivity: f64) -> Result<Curve, AccountError> {
        self.bound.at(sigma, sensitivity)
    }
}

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

/// The guaranteed bounds of a pair.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Promises {
    /// The guaranteed bound.
    pub promised: Number,
    /// The guaranteed bound for any loss functions; `None` for averaging.
    pub any_losses: Option<Number>,
}

impl Promises {
    /// Returns the guarantee, without the assumption on loss functions if the bound holds without
    /// it.
    pub(crate) fn under(&self, mut conditions: Conditions) -> Guarantee {
        if self.any_losses.as_ref() == Some(&self.promised) {
            conditions.losses = Losses::Any;
        }
        Guarantee::new(self.promised.clone(), conditions)
    }
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
    known: HashMap<u64, f64>,
}

/// Largest number of losses that are not rounded.
const FEW: usize = 10_000;

impl Epsilons {
    /// Creates a converter for about `losses` losses of `runs` runs each, with noise of standard
    /// deviation `sigma` and inputs that change by at most `sensitivity`.
    pub fn of(losses: usize, sigma: f64, sensitivity: f64, delta: f64, runs: usize) -> Self {
        Self { many: losses > FEW, sigma, sensitivity, delta, runs, known: HashMap::new() }
    }

    fn epsilon(&mut self, loss: &Number, noise: ProvedFor) -> Result<f64, AccountError> {
        let loss = loss.times(self.runs);
        let upper = if self.many { four_digits_up(loss.upper()) } else { loss.upper() };
        if let Some(&known) = self.known.get(&upper.to_bits()) {
            return Ok(known);
        }
        let ends = at_most(upper).enclosure();
        let curve = noise.repeated(self.runs).curve(&ends, self.sensitivity, self.sigma)?;
        let epsilon = curve.epsilon(self.delta)?;
        self.known.insert(upper.to_bits(), epsilon);
        Ok(epsilon)
    }

    pub(crate) fn of_promises(
        &mut self,
        promises: &Promises,
        loss: &Loss,
    ) -> Result<PairEpsilons, AccountError> {
        let noise = loss.noise();
        let any_losses = promises.any_losses.as_ref();
        Ok(PairEpsilons {
            epsilon: self.epsilon(&promises.promised, noise)?,
            model_epsilon: if loss.is_of_a_model() {
                Some(self.epsilon(loss.number(), noise)?)
            } else {
                None
            },
            any_loss_epsilon: any_losses.map(|any| self.epsilon(any, noise)).transpose()?,
        })
    }
}

/// Rounds a number up to four digits, by at most a thousandth of it.
fn four_digits_up(number: f64) -> f64 {
    let digits = format!("{:.3e}", number * 1.0006);
    digits.parse().map_or(f64::INFINITY, |up: f64| up.max(number))
}
