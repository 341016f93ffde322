//! Guarantees from leakages.
//!
//! A view of leakage rho distinguishes two inputs at distance Delta exactly as well as one Gaussian
//! of standard deviation 1 shifted by `mu = Delta sqrt(rho) / sigma`. Everything else follows from
//! `mu`:
//!
//! | guarantee | formula | here |
//! | --- | --- | --- |
//! | Renyi, order alpha | `alpha mu^2 / 2` | [`GaussianPrivacy::rdp`], rounded up |
//! | zero-concentrated | `mu^2 / 2` | [`GaussianPrivacy::zcdp`], rounded up |
//! | Gaussian | `mu` | [`GaussianPrivacy::mu`], rounded up |
//! | (eps, delta), exact | `delta = Phi(mu/2 - eps/mu) - e^eps Phi(-mu/2 - eps/mu)` | [`GaussianPrivacy::delta`], [`GaussianPrivacy::epsilon`]: enclosures |
//! | (eps, delta), from Renyi losses alone | `eps = alpha r + ln(1 - 1/alpha) - (ln delta + ln alpha)/(alpha-1)` | [`ConcentratedPrivacy`], rounded up |
//! | (eps, delta), records sampled in secret | the same, from Renyi losses of integer orders | [`SampledPrivacy`], rounded up |
//! | (eps, delta), Mironov | `eps = alpha mu^2/2 + ln(1/delta)/(alpha-1)` | [`mironov_epsilon`], rounded up |
//!
//! Every float operation behind these numbers is one of `+ - * /`, the square root and the fused
//! product, whose roundings are bounded one by one; the exponential function is our own
//! (`exponential.rs`). Upper ends are guarantees for the *given* leakage: pass the upper end of its
//! [`Enclosure`], as [`GaussianPrivacy::of_leakage`] does.
//!
//! # Groups, vectors, several inputs
//!
//! For several protected inputs, `rho = max { d^T P d : |d_i| <= 1 }` replaces the leakage, and for
//! vectors of norm at most Delta the upper bound `sum_ij |P_ij|`; such a rho exceeds 1. The curve
//! is exact for the worst pair of inputs, also for vectors, as only the direction of the shift
//! counts.

mod ball;
mod concentrated;
mod curve;
mod exponential;
mod mills;
mod sampled;

#[cfg(feature = "proofs")]
pub use ball::Ball;

pub use concentrated::{ConcentratedPrivacy, calibrate_concentrated};
pub use sampled::{SampledPrivacy, calibrate_sampled};

use crate::{
    Enclosure, FastError, Loss,
    arithmetic::{add_up, times_up},
    checks::{self, bad, require},
};
use exponential::ln_inverse_upper;

/// Privacy against an observer who sees a Gaussian shifted by `mu`.
///
/// ```
/// use muffliato_fast::{Enclosure, GaussianPrivacy};
///
/// // A leakage of 1/4, inputs in an interval of length 1, sigma = 2.
/// let privacy = GaussianPrivacy::of_leakage(&Enclosure::exact(0.25), 1.0, 2.0)?;
/// assert!((privacy.mu() - 0.25).abs() < 1e-15);
/// assert!((privacy.rdp(3.0)? - 3.0 / 32.0).abs() < 1e-15);
/// let epsilon = privacy.epsilon(1e-6)?;
/// assert!(epsilon.relative_width() < 1e-11);
/// assert!(privacy.delta(epsilon.upper())?.upper() <= 1e-6);
/// # Ok::<(), muffliato_fast::FastError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GaussianPrivacy {
    mu: f64,
}

impl GaussianPrivacy {
    /// Creates the guarantee of a shift `mu` >= 0; infinity is no privacy. A positive `mu` below
    /// `1e-290` is rounded up to it.
    pub fn of_mu(mu: f64) -> Result<Self, FastError> {
        not_negative("mu", mu)?;
        let mu = if mu > 0.0 { mu.max(curve::MIN_MU) } else { 0.0 };
        Ok(Self { mu })
    }

    /// Creates the guarantee for every leakage in the enclosure: `mu = Delta sqrt(rho) / sigma`
    /// with the upper end of rho, rounded up (at most five units in the last place). Delta and
    /// sigma must be positive and finite.
    pub fn of_leakage(
        leakage: &Enclosure,
        sensitivity: f64,
        sigma: f64,
    ) -> Result<Self, FastError> {
        checks::positive("the sensitivity", sensitivity)?;
        checks::positive("sigma", sigma)?;
        let rho = leakage.upper();
        not_negative("the leakage", rho)?;
        if rho == 0.0 {
            return Self::of_mu(0.0);
        }
        let shift = rho.sqrt().next_up();
        // Powers of two scale exactly, so that only the ratio of the two counts.
        let is_power_of_two = sensitivity.to_bits().trailing_zeros() >= 52;
        let exact = is_power_of_two && sensitivity * shift >= f64::MIN_POSITIVE;
        let scaled = if exact { sensitivity * shift } else { times_up(sensitivity, shift) };
        let mu = scaled / sigma.next_down();
        // A shift that underflows is not 0.
        Self::of_mu(mu.max(curve::MIN_MU))
    }

    /// Creates the guarantee of a loss from its certified upper end, for vectors of any dimension.
    pub fn promised(loss: &Loss, sensitivity: f64, sigma: f64) -> Result<Self, FastError> {
        Self::of_leakage(&loss.vectors.certified, sensitivity, sigma)
    }

    /// Returns the `mu` of Gaussian differential privacy.
    pub fn mu(&self) -> f64 {
        self.mu
    }

    /// Returns the zero-concentrated loss `mu^2 / 2`, rounded up.
    pub fn zcdp(&self) -> f64 {
        times_up(0.5, times_up(self.mu, self.mu))
    }

    /// Returns the Renyi loss `alpha mu^2 / 2` of order alpha > 1, rounded up.
    pub fn rdp(&self, alpha: f64) -> Result<f64, FastError> {
        require_order(alpha)?;
        Ok(times_up(alpha, self.zcdp()))
    }

    /// Encloses the smallest delta of (eps, delta)-differential privacy at this `eps >= 0`; the
    /// upper end is a guarantee. The relative width is below 1e-11 for mu in [1e-6, 1e3] and delta
    /// down to 1e-300; the upper end never falls below about 1e-306.
    pub fn delta(&self, epsilon: f64) -> Result<Enclosure, FastError> {
        not_negative("epsilon", epsilon)?;
        Ok(curve::delta(self.mu, epsilon))
    }

    /// Returns the upper end of [`GaussianPrivacy::delta`]: never below the exact delta.
    pub fn delta_upper(&self, epsilon: f64) -> Result<f64, FastError> {
        Ok(self.delta(epsilon)?.upper())
    }

    /// Encloses the smallest eps >= 0 with `delta(eps) <= delta`, for 0 < delta < 1. The upper end
    /// is a guarantee: the certified delta there is at most the given one.
    ///
    /// The width is that of the enclosure of delta divided by `|delta'(eps)|`, narrow relative to
    /// eps except near 0. The upper end is infinite if `mu` is, or if delta is below about 1e-306.
    pub fn epsilon(&self, delta: f64) -> Result<Enclosure, FastError> {
        require_delta(delta)?;
        if self.mu == f64::INFINITY {
            return Ok(Enclosure::exact(f64::INFINITY));
        }
        let at = |epsilon| curve::delta(self.mu, epsilon);
        let found = |holds: &dyn Fn(f64) -> bool| smallest_that_holds(f64::MAX, holds);
        let upper = found(&|epsilon| at(epsilon).upper() <= delta).unwrap_or(f64::INFINITY);
        // The first eps at which delta may be small enough.
        let lower = found(&|epsilon| at(epsilon).lower() <= delta).map_or(0.0, f64::next_down);
        Ok(Enclosure::try_new(lower.max(0.0).min(upper), upper).unwrap_or(Enclosure::UNKNOWN))
    }

    /// Returns the upper end of [`GaussianPrivacy::epsilon`]: never below the exact eps.
    pub fn epsilon_upper(&self, delta: f64) -> Result<f64, FastError> {
        Ok(self.epsilon(delta)?.upper())
    }
}

/// Converts a Renyi loss of order alpha > 1 to (epsilon, delta) as Mironov does: `epsilon = loss +
/// ln(1/delta) / (alpha - 1)`, rounded up.
pub fn mironov_epsilon(loss: f64, alpha: f64, delta: f64) -> Result<f64, FastError> {
    not_negative("the Renyi loss", loss)?;
    require_order(alpha)?;
    require_delta(delta)?;
    let order = (alpha - 1.0).next_down(); // positive: at least 2^-52 less one unit
    Ok(add_up(loss, (ln_inverse_upper(delta) / order).next_up()))
}

/// Returns the smallest certified sigma at which a leakage in the enclosure is (epsilon,
/// delta)-differentially private: `of_leakage(...).delta_upper(epsilon) <= delta` holds at the
/// returned sigma.
///
/// The leakage does not depend on sigma as long as the refresh noise is a multiple of it. Returns 0
/// if nothing leaks, and an error if no finite sigma suffices.
///
/// ```
/// use muffliato_fast::{Enclosure, GaussianPrivacy, calibrate_sigma};
///
/// let leakage = Enclosure::exact(0.25);
/// let sigma = calibrate_sigma(&leakage, 1.0, 1.0, 1e-6)?;
/// assert!(GaussianPrivacy::of_leakage(&leakage, 1.0, sigma)?.delta_upper(1.0)? <= 1e-6);
/// let less = sigma * (1.0 - 1e-9);
/// assert!(GaussianPrivacy::of_leakage(&leakage, 1.0, less)?.delta_upper(1.0)? > 1e-6);
/// // A quarter of the loss takes half of the noise.
/// let local = calibrate_sigma(&Enclosure::exact(1.0), 1.0, 1.0, 1e-6)?;
/// assert!((local / sigma - 2.0).abs() < 1e-9);
/// # Ok::<(), muffliato_fast::FastError>(())
/// ```
pub fn calibrate_sigma(
    leakage: &Enclosure,
    sensitivity: f64,
    epsilon: f64,
    delta: f64,
) -> Result<f64, FastError> {
    let delta_at =
        |sigma: f64| GaussianPrivacy::of_leakage(leakage, sensitivity, sigma)?.delta_upper(epsilon);
    calibrate(leakage.upper(), sensitivity, epsilon, delta, f64::MAX, delta_at)
}

/// Finds the smallest sigma up to `largest` with `delta_at(sigma) <= delta`; 0 if nothing leaks.
fn calibrate(
    leakage: f64,
    sensitivity: f64,
    epsilon: f64,
    delta: f64,
    largest: f64,
    delta_at: impl Fn(f64) -> Result<f64, FastError>,
) -> Result<f64, FastError> {
    checks::positive("the sensitivity", sensitivity)?;
    not_negative("epsilon", epsilon)?;
    require_delta(delta)?;
    not_negative("the leakage", leakage)?;
    if leakage == 0.0 {
        return Ok(0.0);
    }
    let private = |sigma: f64| delta_at(sigma).is_ok_and(|reached| reached <= delta);
    smallest_that_holds(largest, private)
        .ok_or_else(|| bad("delta", delta, "no finite sigma reaches it"))
}

/// Finds some `x` in [0, upper] with `holds(x)`, such that `x` is 0 or `holds` fails for the float
/// before it; `None` if it fails for `upper`.
///
/// Positive floats are ordered as their bit patterns, so bisection on these needs at most 63
/// evaluations and no tolerance. `holds` was evaluated at the returned float, whether or not it is
/// monotone near it.
fn smallest_that_holds(upper: f64, holds: impl Fn(f64) -> bool) -> Option<f64> {
    if !holds(upper) {
        return None;
    }
    if holds(0.0) {
        return Some(0.0);
    }
    let (mut fails, mut fits) = (0_u64, upper.to_bits());
    while fits - fails > 1 {
        let middle = fails + (fits - fails) / 2;
        if holds(f64::from_bits(middle)) {
            fits = middle;
        } else {
            fails = middle;
        }
    }
    Some(f64::from_bits(fits))
}

/// Returns the squared error of local differential privacy at the Renyi loss `epsilon` of order
/// alpha > 1: `alpha Delta^2 / (2 n epsilon)`, in plain floats. Delta and epsilon must be positive
/// and finite, n >= 1.
///
/// ```
/// use muffliato_fast::local_error;
///
/// assert_eq!(local_error(128, 2.0, 1.0, 0.5)?, 1.0 / 64.0); // 2 / (2 * 128 * 0.5)
/// assert!(local_error(128, 1.0, 1.0, 0.5).is_err());
/// # Ok::<(), muffliato_fast::FastError>(())
/// ```
pub fn local_error(
    nodes: usize,
    alpha: f64,
    sensitivity: f64,
    epsilon: f64,
) -> Result<f64, FastError> {
    require_order(alpha)?;
    checks::positive("the sensitivity", sensitivity)?;
    checks::positive("epsilon", epsilon)?;
    let n = nodes as f64;
    require(nodes > 0, "the number of nodes", n, "it must be positive")?;
    Ok(alpha * sensitivity * sensitivity / (2.0 * n * epsilon))
}

/// Returns the squared error of a trusted aggregator at the same loss: `alpha Delta^2 / (2 n^2
/// epsilon)`.
pub fn central_error(
    nodes: usize,
    alpha: f64,
    sensitivity: f64,
    epsilon: f64,
) -> Result<f64, FastError> {
    Ok(local_error(nodes, alpha, sensitivity, epsilon)? / nodes as f64)
}

/// Errors for a negative number; unlike in [`checks::not_negative`], infinity is one.
fn not_negative(parameter: &'static str, value: f64) -> Result<(), FastError> {
    require(value >= 0.0, parameter, value, "it must not be negative")
}

fn require_order(alpha: f64) -> Result<(), FastError> {
    let fits = alpha > 1.0 && alpha.is_finite();
    require(fits, "alpha", alpha, "it must be above 1 and finite")
}

fn require_delta(delta: f64) -> Result<(), FastError> {
    let fits = delta > 0.0 && delta < 1.0;
    require(fits, "delta", delta, "it must lie strictly between 0 and 1")
}

#[cfg(test)]
#[test]
fn bisection_finds_the_very_float() {
    for threshold in [f64::from_bits(1), 1e-300, 0.1, 1.0, 12345.678, 1e300] {
        assert_eq!(smallest_that_holds(f64::MAX, |x| x >= threshold), Some(threshold));
    }
    assert_eq!(smallest_that_holds(1.0, |_| true), Some(0.0));
    assert_eq!(smallest_that_holds(0.0, |_| true), Some(0.0));
    assert_eq!(smallest_that_holds(1.0, |x| x > 1.0), None);
}
