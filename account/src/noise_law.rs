//! The noise of a run, and what is proved for it.
//!
//! Implementations draw noise on a grid, the multiples of a step h: the Gaussian *rounded* to it
//! ([`RoundedGaussian`](muffliato_fast::noise::RoundedGaussian)) or the *discrete* Gaussian
//! ([`DiscreteGaussian`](muffliato_fast::noise::DiscreteGaussian)). Losses of Gaussian noise do not
//! hold on a grid. The following does, for inputs of D coordinates that are rounded to it first, in
//! units of `L = alpha Delta'^2 / (2 sigma^2)` with the [sensitivity of rounded
//! inputs](muffliato_fast::noise::Grid::sensitivity) `Delta'`: at most `Delta + sqrt(D) h`.
//!
//! # Whole steps
//!
//! An alibi on a grid shifts each draw by a whole number of steps in each coordinate. *Rounded:* a
//! shift by whole steps commutes with rounding, so that the shifted draw against the draw is a
//! function of two Gaussians that far apart; composed adaptively, all draws together are mu-GDP,
//! `mu` the length of all shifts over their deviations: the full Gaussian curve. *Discrete:* each
//! shift of length k loses at most `alpha k^2 / (2 sigma^2)` of every order; the sum is a Renyi
//! loss, and (epsilon, delta) come from it alone ([`ConcentratedPrivacy`]). The Gaussian curve is
//! not valid for it.
//!
//! # The cost of alibis in whole steps
//!
//! 1. **Local.** The source's own draw takes the whole difference, which is whole: 1 for each
//!    input, for any protocol and any arithmetic afterwards.
//! 2. **Nothing heard.** A source beyond distance T loses 0: no message depends on it, in any
//!    arithmetic.
//! 3. **Masked.** A difference of any number of steps up to the largest leaves through nodes and
//!    masks as a flow in whole steps, which costs at most a quarter of a step^2 more for each draw
//!    and coordinate ([`MaskedBounds::on_grid`](muffliato_fast::MaskedBounds::on_grid) has the
//!    proof). What is computed from masked states afterwards does not matter, rounded messages
//!    included. Rounds add up, for any loss functions. Only rounded Gaussians are drawn as masks.
//! 4. **Refreshed**, plain averaging on a fixed graph. States are rounded to the grid before each
//!    draw. Let the senders to the observers absorb all that arrives. Two runs deviate at w before
//!    the t-th draw by at most `f_{t,w} Delta' + 2 t sqrt(D) h`: mixing maps deviations by W
//!    without those who absorbed, and each mixing in floats and rounding adds less than two steps
//!    in each coordinate where anything deviates (one for the rounding and, for states within
//!    `2^40` steps and at most 2000 neighbours, one for twice the error of the floats). What is
//!    absorbed is a difference of grid points, so whole. By Minkowski's inequality, with `d`
//!    senders to the observers,
//!
//! ```text
//! loss <= ( sqrt(first passage) + (2 h / (tau Delta')) sqrt( D d sum_{t=1..T-1} t^2 ) )^2 ,      1 for neighbours
//! ```
//!
//! Nothing else is claimed on a grid: not the leakage of one-shot noise below 1 (weights take sums
//! off the grid), not certified leakages below these forms, and for gradient descent without masks
//! the number of rounds. To delta, add `e^-2000` for each draw, for what the samplers move back
//! into their range; it is below every float.

use crate::{AccountError, rounded_up};
use muffliato_fast::{
    ConcentratedPrivacy, Enclosure, GaussianPrivacy, SampledPrivacy, calibrate_concentrated,
    calibrate_sampled, calibrate_sigma, noise::Grid,
};
use muffliato_model::{Fraction, Protocol};
use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};

/// The noise distribution that a loss is proved for.
///
/// ```
/// use muffliato_account::{Account, NoiseLaw};
/// use muffliato_model::{Network, Protocol};
///
/// let protocol = Protocol::one_shot(Network::metropolis("hypercube:5".parse()?)?, 8)?.masked("3".parse()?)?;
/// let ideal = Account::of(&protocol).build()?.loss(1, 0)?;
/// let rounded: NoiseLaw = "rounded:2^-20".parse()?;
/// let shipped = Account::of(&protocol).noise(rounded, 1.0, 1).build()?.loss(1, 0)?;
/// assert!(shipped.upper() > ideal.upper() && shipped.upper() < 1.001 * ideal.upper());
/// assert_eq!(shipped.noise().law(), rounded);
/// assert_eq!(rounded, "rounded:0.00000095367431640625".parse()?);
/// assert!("rounded:0.1".parse::<NoiseLaw>().is_err()); // not a power of two
/// // On a grid, nothing below LDP is proved without masks or fresh noise.
/// let plain = Protocol::one_shot(Network::metropolis("hypercube:5".parse()?)?, 8)?;
/// assert_eq!(Account::of(&plain).noise(rounded, 1.0, 1).build()?.loss(3, 0)?.upper(), 1.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum NoiseLaw {
    /// Gaussian noise on real numbers, as in the theorems.
    #[default]
    Gaussian,
    /// Gaussian noise rounded to a grid.
    Rounded(Grid),
    /// The discrete Gaussian on a grid.
    Discrete(Grid),
}

/// Parses the step of a grid, a power of two such as `2^-20` or a decimal.
fn grid_of(text: &str) -> Result<Grid, AccountError> {
    let step = match text.strip_prefix("2^") {
        Some(exponent) => exponent.parse::<i32>().ok().map(|k| 2_f64.powi(k)),
        None => text.parse().ok(),
    };
    match step.map(Grid::try_new) {
        Some(Ok(grid)) => Ok(grid),
        _ => {
            let expected = "it must be a power of two, such as 2^-20 or 0.0009765625";
            Err(AccountError::bad("the step of the grid", format!("{text:?}"), expected))
        }
    }
}

/// Formats the step of a grid.
fn step_of(grid: &Grid) -> String {
    format!("2^{}", grid.step().log2().round())
}

impl FromStr for NoiseLaw {
    type Err = AccountError;

    /// Parses `gaussian`, `rounded:STEP` or `discrete:STEP`.
    fn from_str(text: &str) -> Result<Self, AccountError> {
        match text.split_once(':') {
            None if text == "gaussian" => Ok(Self::Gaussian),
            Some(("rounded", step)) => Ok(Self::Rounded(grid_of(step)?)),
            Some(("discrete", step)) => Ok(Self::Discrete(grid_of(step)?)),
            _ => {
                let expected = "it must be gaussian, rounded:STEP or discrete:STEP with a power of two, such as 'rounded:2^-20'";
                Err(AccountError::bad("the noise", format!("{text:?}"), expected))
            }
        }
    }
}

impl fmt::Display for NoiseLaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Gaussian => f.write_str("gaussian"),
            Self::Rounded(grid) => write!(f, "rounded:{}", step_of(grid)),
            Self::Discrete(grid) => write!(f, "discrete:{}", step_of(grid)),
        }
    }
}

impl NoiseLaw {
    /// Returns the grid, if there is one.
    pub fn grid(self) -> Option<Grid> {
        match self {
            Self::Gaussian => None,
            Self::Rounded(grid) | Self::Discrete(grid) => Some(grid),
        }
    }

    /// Describes the distribution in words.
    pub fn described(self) -> String {
        match self {
            Self::Gaussian => "Gaussian noise (real numbers)".into(),
            Self::Rounded(grid) => {
                format!("Gaussian noise rounded to multiples of {}", step_of(&grid))
            }
            Self::Discrete(grid) => format!(
                "discrete Gaussian noise on multiples of {}, by its Renyi losses",
                step_of(&grid)
            ),
        }
    }
}

/// Secret sampling of records.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Sampling {
    /// The probability that a record is used in a round.
    pub rate: Fraction,
    /// The number of rounds in which a record may be used.
    pub rounds: usize,
}

/// A noise distribution together with the inputs that its corrections were computed for, and the
/// sampling that its curve takes into account.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "ProvedForOnFile")]
pub struct ProvedFor {
    #[serde(with = "crate::text::display")]
    law: NoiseLaw,
    /// The sensitivity of inputs before rounding; 0 without a grid.
    sensitivity: f64,
    coordinates: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) sampling: Option<Sampling>,
}

#[derive(Deserialize)]
struct ProvedForOnFile {
    #[serde(with = "crate::text::display")]
    law: NoiseLaw,
    sensitivity: f64,
    coordinates: usize,
    #[serde(default)]
    sampling: Option<Sampling>,
}

impl TryFrom<ProvedForOnFile> for ProvedFor {
    type Error = AccountError;

    fn try_from(read: ProvedForOnFile) -> Result<Self, AccountError> {
        let noise = match read.law {
            NoiseLaw::Gaussian => Self::default(),
            law => Self::try_new(law, read.sensitivity, read.coordinates)?,
        };
        Ok(Self { sampling: read.sampling, ..noise })
    }
}

impl ProvedFor {
    /// Creates the noise for inputs of this many coordinates that change by at most `sensitivity`.
    ///
    /// # Errors
    ///
    /// Fails unless the sensitivity is positive and finite and there is a coordinate.
    pub fn try_new(
        law: NoiseLaw,
        sensitivity: f64,
        coordinates: usize,
    ) -> Result<Self, AccountError> {
        if !(sensitivity > 0.0 && sensitivity.is_finite()) {
            let expected = "it must be positive and finite";
            return Err(AccountError::bad("the sensitivity", sensitivity, expected));
        }
        if coordinates == 0 {
            let expected = "an input has at least one";
            return Err(AccountError::bad("the number of coordinates", 0, expected));
        }
        Ok(match law {
            NoiseLaw::Gaussian => Self::default(),
            _ => Self { law, sensitivity, coordinates, sampling: None },
        })
    }

    /// Sets the secret sampling of a protocol.
    pub(crate) fn sampled_by(self, protocol: &Protocol) -> Self {
        let rounds = protocol.rounds_of_phase(0).count();
        Self { sampling: protocol.sampling().map(|rate| Sampling { rate, rounds }), ..self }
    }

    /// Returns the noise of several runs: a record may be used in the rounds of each.
    pub(crate) fn repeated(self, runs: usize) -> Self {
        let more =
            |one: Sampling| Sampling { rounds: one.rounds.saturating_mul(runs.max(1)), ..one };
        Self { sampling: self.sampling.map(more), ..self }
    }

    /// Returns the rate of secret sampling, if records are sampled.
    pub fn sampling_rate(self) -> Option<Fraction> {
        self.sampling.map(|sampling| sampling.rate)
    }

    /// Returns the distribution.
    pub fn law(self) -> NoiseLaw {
        self.law
    }

    /// Returns the sensitivity of inputs before rounding; 0 without a grid.
    pub fn sensitivity(self) -> f64 {
        self.sensitivity
    }

    /// Returns the number of coordinates; 0 without a grid.
    pub fn coordinates(self) -> usize {
        self.coordinates
    }

    /// Returns the step in units of the sensitivity of rounded inputs, rounded up; `None` without a
    /// grid.
    pub(crate) fn ratio(self) -> Result<Option<f64>, AccountError> {
        let Some(grid) = self.law.grid() else {
            return Ok(None);
        };
        let delta = grid.sensitivity(self.sensitivity, self.coordinates)?;
        Ok(Some((grid.step() / delta).next_up()))
    }

    /// Returns the sensitivity of inputs after rounding.
    fn rounded_sensitivity(self, sensitivity: f64) -> Result<f64, AccountError> {
        let Some(grid) = self.law.grid() else {
            return Ok(sensitivity);
        };
        if sensitivity != self.sensitivity {
            let expected =
                "a loss on a grid is proved for the sensitivity that its account was given";
            return Err(AccountError::bad("the sensitivity", sensitivity, expected));
        }
        Ok(grid.sensitivity(sensitivity, self.coordinates)?)
    }

    /// Checks that the noise is in the range of the grid that the proof covers.
    fn check(self, sigma: f64) -> Result<(), AccountError> {
        let Some(grid) = self.law.grid() else {
            return Ok(());
        };
        let steps = sigma / grid.step();
        if sigma == 0.0 || (2_f64.powi(-10)..=2_f64.powi(30)).contains(&steps) {
            return Ok(());
        }
        let expected = "it must be from 2^-10 to 2^30; choose another grid";
        Err(AccountError::bad("sigma in steps of the grid", steps, expected))
    }

    /// Describes the noise in words.
    pub fn described(self) -> String {
        let law = self.law().described();
        let mut text = match (self.law(), self.coordinates()) {
            (NoiseLaw::Gaussian, _) => law,
            (_, coordinates) => format!(
                "{law}, in {} that change by at most {} together",
                match coordinates {
                    1 => "1 coordinate".to_string(),
                    _ => format!("{coordinates} coordinates"),
                },
                rounded_up(self.sensitivity()),
            ),
        };
        if let Some(Sampling { rate, rounds }) = self.sampling {
            text += &format!(
                ", each record used with probability {rate} in each of {rounds} rounds by a secret coin of its own"
            );
        }
        text
    }

    /// Returns the loss of each round from that of all rounds, rounded up, and the sampling; `None`
    /// without sampling. No round of a sampled protocol loses more: the loss of all states is the
    /// same in each, and [`MaskedBounds::bound`](muffliato_fast::MaskedBounds::bound) is a multiple
    /// of the worst round.
    fn by_round(self, loss: f64) -> Result<Option<(f64, Sampling)>, AccountError> {
        let Some(sampling) = self.sampling else {
            return Ok(None);
        };
        if let NoiseLaw::Discrete(_) = self.law {
            let expected = "secret sampling is proved for gaussian and rounded noise";
            return Err(AccountError::bad("the noise", self.law, expected));
        }
        let each = loss / sampling.rounds as f64;
        Ok(Some((if loss == 0.0 { 0.0 } else { each.next_up() }, sampling)))
    }

    /// Returns the privacy curve of a loss.
    pub(crate) fn curve(
        self,
        loss: &Enclosure,
        sensitivity: f64,
        sigma: f64,
    ) -> Result<Curve, AccountError> {
        self.check(sigma)?;
        let delta = self.rounded_sensitivity(sensitivity)?;
        if let Some((each, Sampling { rate, rounds })) = self.by_round(loss.upper())? {
            let privacy = SampledPrivacy::of_leakage(each, delta, sigma, rate, rounds)?;
            return Ok(Curve(Privacy::Sampled(privacy)));
        }
        Ok(Curve(match self.law {
            NoiseLaw::Discrete(_) => {
                let upper = loss.upper();
                Privacy::Concentrated(ConcentratedPrivacy::of_leakage(upper, delta, sigma)?)
            }
            _ => Privacy::Gaussian(GaussianPrivacy::of_leakage(loss, delta, sigma)?),
        }))
    }

    /// Returns the smallest sigma at which a loss gives (epsilon, delta)-differential privacy.
    pub(crate) fn sigma_for(
        self,
        loss: f64,
        epsilon: f64,
        delta: f64,
        sensitivity: f64,
    ) -> Result<f64, AccountError> {
        let changed = self.rounded_sensitivity(sensitivity)?;
        let sigma = match (self.by_round(loss)?, self.law) {
            (Some((each, Sampling { rate, rounds })), _) => {
                calibrate_sampled(each, changed, rate, rounds, epsilon, delta)?
            }
            (None, NoiseLaw::Discrete(_)) => calibrate_concentrated(loss, changed, epsilon, delta)?,
            (None, _) => calibrate_sigma(&Enclosure::exact(loss), changed, epsilon, delta)?,
        };
        self.check(sigma)?;
        Ok(sigma)
    }
}

/// The privacy curve of a guarantee at one noise level. Every number rounds up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Curve(Privacy);

#[derive(Clone, Copy, Debug, PartialEq)]
enum Privacy {
    Gaussian(GaussianPrivacy),
    Concentrated(ConcentratedPrivacy),
    Sampled(SampledPrivacy),
}

impl Curve {
    /// Returns the epsilon at a delta.
    ///
    /// # Errors
    ///
    /// Fails unless the delta is between 0 and 1.
    pub fn epsilon(&self, delta: f64) -> Result<f64, AccountError> {
        Ok(match self.0 {
            Privacy::Gaussian(privacy) => privacy.epsilon_upper(delta)?,
            Privacy::Concentrated(privacy) => privacy.epsilon(delta)?,
            Privacy::Sampled(privacy) => privacy.epsilon(delta)?,
        })
    }

    /// Returns the delta at an epsilon.
    ///
    /// # Errors
    ///
    /// Fails for a negative epsilon.
    pub fn delta(&self, epsilon: f64) -> Result<f64, AccountError> {
        Ok(match self.0 {
            Privacy::Gaussian(privacy) => privacy.delta_upper(epsilon)?,
            Privacy::Concentrated(privacy) => privacy.delta(epsilon)?,
            Privacy::Sampled(privacy) => privacy.delta(epsilon)?,
        })
    }

    /// Returns the Renyi loss of order `alpha`.
    ///
    /// # Errors
    ///
    /// Fails unless `alpha` is above 1 and, under secret sampling, a whole number.
    pub fn rdp(&self, alpha: f64) -> Result<f64, AccountError> {
        Ok(match self.0 {
            Privacy::Gaussian(privacy) => privacy.rdp(alpha)?,
            Privacy::Concentrated(privacy) => privacy.rdp(alpha)?,
            Privacy::Sampled(privacy) if alpha.fract() == 0.0 => privacy.rdp(alpha as usize)?,
            Privacy::Sampled(_) => {
                let expected = "secret sampling has Renyi losses of whole orders, such as 2";
                return Err(AccountError::bad("alpha", alpha, expected));
            }
        })
    }

    /// Returns the zero-concentrated loss; `None` under secret sampling, which has Renyi losses of
    /// integer orders only.
    pub fn zcdp(&self) -> Option<f64> {
        match self.0 {
            Privacy::Gaussian(privacy) => Some(privacy.zcdp()),
            Privacy::Concentrated(privacy) => Some(privacy.zcdp()),
            Privacy::Sampled(_) => None,
        }
    }

    /// Returns the curve of secret sampling, if records are sampled: what other accountants call a
    /// Poisson-sampled Gaussian.
    pub fn sampled(&self) -> Option<SampledPrivacy> {
        match self.0 {
            Privacy::Sampled(privacy) => Some(privacy),
            _ => None,
        }
    }

    /// Returns the parameter of Gaussian differential privacy; `None` for the discrete Gaussian and
    /// under secret sampling, which have Renyi losses only.
    pub fn mu(&self) -> Option<f64> {
        match self.0 {
            Privacy::Gaussian(privacy) => Some(privacy.mu()),
            Privacy::Concentrated(_) | Privacy::Sampled(_) => None,
        }
    }
}
