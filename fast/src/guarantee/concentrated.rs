//! Guarantees of noise that has the Renyi bounds of a Gaussian but not its curve.
//!
//! The discrete Gaussian of parameter `sigma` (Canonne, Kamath and Steinke 2020) loses at most
//! `alpha r` of every order alpha > 1, `r = Delta^2 rho / (2 sigma^2)`, as the continuous one does;
//! its (eps, delta) curve lies above the Gaussian one: with one step = sigma = Delta, delta at eps
//! 6.35 is 8.5e-10, not 3.4e-10. Renyi losses give
//!
//! ```text
//! eps   = alpha r + ln(1 - 1/alpha) - (ln delta + ln alpha) / (alpha - 1)
//! delta = exp( (alpha - 1)(alpha r - eps) + (alpha - 1) ln(alpha - 1) - alpha ln alpha )
//! ```
//!
//! at any alpha > 1 (ibid., Proposition 12; Balle et al. 2020). Find: alpha is searched for in
//! plain floats. Check: the formula is evaluated there in balls.

use super::{
    GaussianPrivacy,
    ball::Ball,
    calibrate,
    exponential::{exp, ln, ln_inverse_upper},
    not_negative, require_delta,
};
use crate::{Enclosure, FastError};

/// Zero-concentrated differential privacy: losses of at most `alpha r` of every order alpha.
///
/// ```
/// use muffliato_fast::{ConcentratedPrivacy, GaussianPrivacy};
///
/// // Noise of one step where inputs differ by one step: r = 1/2.
/// // The Gaussian curve does not hold for it.
/// let discrete = ConcentratedPrivacy::of_leakage(1.0, 1.0, 1.0)?;
/// assert!(discrete.delta(6.35)? > 8.5e-10);
/// assert!(GaussianPrivacy::of_mu(1.0)?.delta(6.35)?.upper() < 3.5e-10);
/// let epsilon = discrete.epsilon(1e-6)?;
/// assert!(discrete.delta(epsilon)? <= 1e-6 * (1.0 + 1e-9));
/// assert!(epsilon > GaussianPrivacy::of_mu(1.0)?.epsilon_upper(1e-6)?);
/// # Ok::<(), muffliato_fast::FastError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ConcentratedPrivacy(GaussianPrivacy);

impl ConcentratedPrivacy {
    /// Returns the guarantee of noise of parameter `sigma` for a proved leakage: `r = Delta^2
    /// leakage / (2 sigma^2)`, rounded up.
    pub fn of_leakage(leakage: f64, sensitivity: f64, sigma: f64) -> Result<Self, FastError> {
        not_negative("the leakage", leakage)?;
        GaussianPrivacy::of_leakage(&Enclosure::exact(leakage), sensitivity, sigma).map(Self)
    }

    /// Returns the zero-concentrated loss r.
    pub fn zcdp(&self) -> f64 {
        self.0.zcdp()
    }

    /// Returns the Renyi loss of order alpha > 1, rounded up.
    pub fn rdp(&self, alpha: f64) -> Result<f64, FastError> {
        self.0.rdp(alpha)
    }

    /// Returns an eps guaranteed at this delta, rounded up.
    pub fn epsilon(&self, delta: f64) -> Result<f64, FastError> {
        require_delta(delta)?;
        let r = self.zcdp();
        if r == 0.0 || r == f64::INFINITY {
            return Ok(r);
        }
        let log = ln_inverse_upper(delta);
        let alpha = best_order(|alpha| {
            let rest = (log - libm::log(alpha)) / (alpha - 1.0);
            alpha * r + libm::log((alpha - 1.0) / alpha) + rest
        });
        Ok(epsilon_at_order(self.rdp(alpha)?, alpha, log))
    }

    /// Returns a delta guaranteed at this eps, rounded up; 1 if there is none.
    pub fn delta(&self, epsilon: f64) -> Result<f64, FastError> {
        not_negative("epsilon", epsilon)?;
        let r = self.zcdp();
        if r == 0.0 || r == f64::INFINITY {
            return Ok(r.min(1.0));
        }
        let alpha = best_order(|alpha| {
            let minus = alpha - 1.0;
            minus * (alpha * r - epsilon) + minus * libm::log(minus) - alpha * libm::log(alpha)
        });
        Ok(delta_of_log(log_delta_at_order(self.rdp(alpha)?, alpha, epsilon)))
    }
}

/// Converts a Renyi loss of order `alpha` to an epsilon at a delta with `ln(1/delta) <= log`, rounded
/// up.
pub(super) fn epsilon_at_order(loss: f64, alpha: f64, log: f64) -> f64 {
    let minus = Ball::exact(alpha) - Ball::exact(1.0);
    let ln_alpha = ln(Ball::exact(alpha));
    let share = (Ball::exact(log) - ln_alpha) / minus;
    known(Ball::exact(loss) + (ln(minus) - ln_alpha) + share).max(0.0)
}

/// Converts a Renyi loss of order `alpha` to the logarithm of a delta at `epsilon`, rounded up.
pub(super) fn log_delta_at_order(loss: f64, alpha: f64, epsilon: f64) -> f64 {
    let minus = Ball::exact(alpha) - Ball::exact(1.0);
    let gap = Ball::exact(loss) - Ball::exact(epsilon);
    let exact = Ball::exact(alpha);
    known(gap * minus + ln(minus) * minus - exact * ln(exact))
}

/// Returns the upper end of a ball; infinity where nothing is known.
fn known(ball: Ball) -> f64 {
    let upper = ball.upper();
    if upper.is_nan() { f64::INFINITY } else { upper }
}

/// Returns an upper bound on `e^log` and 1.
pub(super) fn delta_of_log(log: f64) -> f64 {
    if log >= 0.0 { 1.0 } else { exp(log, 0.0, 0.0).upper().min(1.0) }
}

/// Returns the smallest certified parameter sigma at which noise with the Renyi bounds of a
/// Gaussian makes a leakage of at most `leakage` (epsilon, delta)-differentially private; 0 if
/// nothing leaks.
pub fn calibrate_concentrated(
    leakage: f64,
    sensitivity: f64,
    epsilon: f64,
    delta: f64,
) -> Result<f64, FastError> {
    let delta_at =
        |sigma: f64| ConcentratedPrivacy::of_leakage(leakage, sensitivity, sigma)?.delta(epsilon);
    calibrate(leakage, sensitivity, epsilon, delta, 1e150, delta_at)
}

/// Finds the order above 1 that approximately minimises a unimodal function.
fn best_order(about: impl Fn(f64) -> f64) -> f64 {
    let order = |exponent: f64| 1.0 + exponent.exp2();
    let (mut low, mut high) = (-30.0_f64, 60.0_f64);
    for _ in 0..100 {
        let third = (high - low) / 3.0;
        if about(order(low + third)) <= about(order(high - third)) {
            high -= third;
        } else {
            low += third;
        }
    }
    order(f64::midpoint(low, high))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Computes the exact delta of the discrete Gaussian of parameter s steps, for a shift of k
    /// steps: `sum max(0, p(x) - e^eps p(x - k))`.
    fn exact_delta(s: f64, k: i32, epsilon: f64) -> f64 {
        let weight = |x: i32| (-f64::from(x) * f64::from(x) / (2.0 * s * s)).exp();
        let reach = (40.0 * s) as i32;
        let total: f64 = (-reach..=reach).map(weight).sum();
        let excess = (-reach..=reach).map(|x| weight(x) - epsilon.exp() * weight(x - k));
        excess.map(|part| part.max(0.0)).sum::<f64>() / total
    }

    #[test]
    fn the_guaranteed_delta_is_never_below_the_exact_one() {
        for s in [0.5, 1.0, 2.0, 5.0, 20.0] {
            for k in [1, 2, 7, 30] {
                let steps = f64::from(k);
                let promised = ConcentratedPrivacy::of_leakage(1.0, steps, s).unwrap();
                for tenth in 0..80 {
                    let epsilon = f64::from(tenth) / 5.0;
                    let (found, exact) =
                        (promised.delta(epsilon).unwrap(), exact_delta(s, k, epsilon));
                    assert!(found >= exact * (1.0 - 1e-9), "{s} {k} {epsilon}: {found} {exact}");
                }
            }
        }
    }

    /// The two directions are one formula, and a quarter of the leakage needs half the noise.
    #[test]
    fn epsilon_and_delta_are_inverse() {
        for r in [1e-4, 0.01, 0.5, 8.0, 300.0] {
            let promised = ConcentratedPrivacy::of_leakage(2.0 * r, 1.0, 1.0).unwrap();
            for delta in [1e-3, 1e-6, 1e-12, 1e-100] {
                let epsilon = promised.epsilon(delta).unwrap();
                if epsilon > 0.0 {
                    let back = promised.delta(epsilon).unwrap();
                    assert!((back.ln() / delta.ln() - 1.0).abs() < 1e-6, "{r} {delta} {back}");
                }
            }
        }
        let whole = calibrate_concentrated(1.0, 1.0, 1.0, 1e-6).unwrap();
        let quarter = calibrate_concentrated(0.25, 1.0, 1.0, 1e-6).unwrap();
        assert!((whole / quarter - 2.0).abs() < 1e-6);
        assert_eq!(calibrate_concentrated(0.0, 1.0, 1.0, 1e-6), Ok(0.0));
        assert!(ConcentratedPrivacy::of_leakage(-1.0, 1.0, 1.0).is_err());
        assert!(calibrate_concentrated(1.0, 1.0, -1.0, 1e-6).is_err());
    }
}
