//! The largest of some losses.

use super::{Conditions, Guarantee};
use crate::{AccountError, noise_law::Curve, summary::Origin};
use std::fmt;

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
