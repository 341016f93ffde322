//! The acceleration that belongs to a gap, and numbers of steps to converge.

use crate::{
    FastError, UNIT_ROUNDOFF,
    checks::{self, bad, require},
};
use muffliato_model::Fraction;

/// Valid range of a gap.
const EXPECTED: &str = "it must be positive and at most 1";

/// Returns the Chebyshev parameter `g = 2 (1 - sqrt(l (1 - l/4))) / (1 - l/2)^2` of a gap l in (0,
/// 1]; g is in [1, 2].
///
/// With `s = sqrt(l (1 - l/4))` the denominator is `1 - s^2`, so `g = 2 / (1 + s)` without
/// cancellation.
///
/// ```
/// use muffliato_fast::acceleration;
///
/// assert!((acceleration(0.4)? - 1.25).abs() < 1e-15); // s = 3/5
/// assert!(acceleration(1e-12)? > 1.99);
/// assert!(acceleration(0.0).is_err());
/// # Ok::<(), muffliato_fast::FastError>(())
/// ```
pub fn acceleration(gap: f64) -> Result<f64, FastError> {
    check_gap(gap)?;
    Ok(2.0 / (1.0 + (gap * (1.0 - gap / 4.0)).sqrt()))
}

/// Returns the Chebyshev parameter as a fraction within `2^-32` of it, for an accelerated
/// [`Protocol`](muffliato_model::Protocol).
///
/// ```
/// use muffliato_fast::acceleration_fraction;
/// use muffliato_model::{Network, Protocol};
///
/// let g = acceleration_fraction(0.4)?;
/// assert_eq!(g.to_string(), "5/4");
/// let network = Network::metropolis("ring:8".parse()?)?;
/// let protocol = Protocol::one_shot(network, 6)?.accelerated(g)?;
/// assert_eq!(protocol.acceleration(), Some(g));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn acceleration_fraction(gap: f64) -> Result<Fraction, FastError> {
    let below = 1_i128 << 32;
    let above = (acceleration(gap)? * below as f64).round() as i128;
    Fraction::try_new(above.clamp(below, 2 * below), below)
        .map_err(|_| bad("the gap", gap, EXPECTED))
}

/// The rate of convergence that a number of steps is computed for.
///
/// ```
/// use muffliato_fast::{Rate, steps_to_converge};
///
/// // A thousand nodes, inputs that vary less than the noise, a gap of 1/100.
/// let steps = |rate| steps_to_converge(rate, 0.01, 1000, 0.0, 1.0);
/// assert_eq!(steps(Rate::Plain)?, 346); // ln(1000) / 0.02 = 345.4
/// assert_eq!(steps(Rate::Accelerated)?, 70); // ln(1000) / 0.1 = 69.1
/// assert_eq!(steps(Rate::Randomized)?, 691);
/// assert_eq!(steps(Rate::RandomizedHalved)?, 2 * 691);
/// // Inputs that vary more count: ln(4 * 1000) / 0.02 = 414.7.
/// assert_eq!(steps_to_converge(Rate::Plain, 0.01, 1000, 4.0, 1.0)?, 415);
/// # Ok::<(), muffliato_fast::FastError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rate {
    /// `2 lambda_W`: plain synchronous gossip, whose squared error falls like `(1 - lambda_W)^(2T)
    /// <= e^(-2 lambda_W T)`.
    Plain,
    /// `sqrt(lambda_W)`: accelerated synchronous gossip (Theorem 2), the rounds of GD.
    Accelerated,
    /// `lambda(p)`: randomized gossip as printed in the paper (Theorem 3), which is refuted.
    Randomized,
    /// `lambda(p) / 2`: randomized gossip at its actual rate of contraction.
    RandomizedHalved,
}

/// Computes `T_stop = ceil( ln( (n / sigma^2) max(sigma^2, variance) ) / rate )`, with `variance =
/// (1/n) sum_v ||x_v - xbar||^2` and the gap that belongs to the rate, rounded up.
///
/// With the lower end of a certified gap the number of steps is at least that of the formula (the
/// logarithm is charged four units in the last place). All numbers must be finite, n >= 1, the gap
/// in (0, 1], sigma positive, the variance non-negative.
pub fn steps_to_converge(
    rate: Rate,
    gap: f64,
    nodes: usize,
    variance: f64,
    sigma: f64,
) -> Result<usize, FastError> {
    check_gap(gap)?;
    check_nodes(nodes)?;
    checks::positive("sigma", sigma)?;
    checks::not_negative("the variance", variance)?;
    // ln n + max(0, 2 ln(std/sigma)) avoids the square of sigma, which could underflow.
    let ratio = variance.sqrt() / sigma;
    let excess = if ratio > 1.0 { 2.0 * libm::log(ratio) + 16.0 * UNIT_ROUNDOFF } else { 0.0 };
    steps(rate, gap, libm::log(nodes as f64) + excess)
}

/// Computes the gossip steps of each round of GD, `K = ceil( ln(max(n, zeta^2 / (D sigma^2 +
/// rho^2))) / sqrt(lambda_W) )`, at least 1, given the ratio; rounded up like
/// [`steps_to_converge`].
///
/// ```
/// use muffliato_fast::gossip_steps_per_round;
///
/// assert_eq!(gossip_steps_per_round(0.25, 2000, 1.0)?, 16); // ln(2000) / 0.5 = 15.2
/// assert_eq!(gossip_steps_per_round(0.25, 2000, 1e4)?, 19); // ln(10000) / 0.5 = 18.4
/// assert_eq!(gossip_steps_per_round(1.0, 1, 0.0)?, 1);
/// # Ok::<(), muffliato_fast::FastError>(())
/// ```
pub fn gossip_steps_per_round(
    gap: f64,
    nodes: usize,
    heterogeneity: f64,
) -> Result<usize, FastError> {
    check_gap(gap)?;
    check_nodes(nodes)?;
    checks::not_negative("the heterogeneity", heterogeneity)?;
    let logarithm = libm::log(heterogeneity.max(nodes as f64));
    Ok(steps(Rate::Accelerated, gap, logarithm)?.max(1))
}

fn steps(rate: Rate, gap: f64, logarithm: f64) -> Result<usize, FastError> {
    let rate = match rate {
        Rate::Plain => 2.0 * gap,
        Rate::Accelerated => gap.sqrt(),
        Rate::Randomized => gap,
        Rate::RandomizedHalved => gap / 2.0,
    };
    let steps = (logarithm / rate * (1.0 + 16.0 * UNIT_ROUNDOFF)).ceil();
    let expected = "it is so small that the steps cannot be counted";
    require(steps < 9e15, "the gap", gap, expected)?;
    Ok(steps as usize)
}

fn check_gap(gap: f64) -> Result<(), FastError> {
    require(gap > 0.0 && gap <= 1.0, "the gap", gap, EXPECTED)
}

fn check_nodes(nodes: usize) -> Result<(), FastError> {
    require(nodes > 0, "the number of nodes", nodes, "it must be positive")
}
