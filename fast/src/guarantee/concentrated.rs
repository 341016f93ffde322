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
//! plain floats. Check: the formula is evaluated there, rounded up, with logarithms confirmed by
//! the exponential function of this module.

use super::{
    calibrate, exponential, ln_inverse_upper, require_delta, require_epsilon, require_leakage,
    require_order, require_positive,
};
use crate::FastError;

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
pub struct ConcentratedPrivacy {
    r: f64,
}

impl ConcentratedPrivacy {
    /// Returns the guarantee of noise of parameter `sigma` for a proved leakage: `r = Delta^2
    /// leakage / (2 sigma^2)`, rounded up.
    pub fn of_leakage(leakage: f64, sensitivity: f64, sigma: f64) -> Result<Self, FastError> {
        require_positive("the sensitivity", sensitivity)?;
        require_positive("sigma", sigma)?;
        require_leakage(leakage)?;
        if leakage == 0.0 {
            return Ok(Self { r: 0.0 });
        }
        let ratio = (sensitivity / sigma).next_up();
        let r = ((ratio * ratio).next_up() * leakage).next_up() / 2.0;
        Ok(Self { r: r.next_up().max(f64::MIN_POSITIVE) })
    }

    /// Returns the zero-concentrated loss r.
    pub fn zcdp(&self) -> f64 {
        self.r
    }

    /// Returns the Renyi loss of order alpha > 1, rounded up.
    pub fn rdp(&self, alpha: f64) -> Result<f64, FastError> {
        require_order(alpha)?;
        Ok(if self.r == 0.0 { 0.0 } else { (alpha * self.r).next_up() })
    }

    /// Returns an eps guaranteed at this delta, rounded up: the smallest over the orders tried.
    pub fn epsilon(&self, delta: f64) -> Result<f64, FastError> {
        require_delta(delta)?;
        if self.r == 0.0 {
            return Ok(0.0);
        }
        if !self.r.is_finite() {
            return Ok(f64::INFINITY);
        }
        let log = ln_inverse_upper(delta);
        let about = |alpha: f64| {
            let rest = (log - libm::log(alpha)) / (alpha - 1.0);
            alpha * self.r + libm::log((alpha - 1.0) / alpha) + rest
        };
        let alpha = best_order(about);
        Ok(epsilon_at_order((alpha * self.r).next_up(), alpha, log))
    }

    /// Returns a delta guaranteed at this eps, rounded up; 1 if there is none.
    pub fn delta(&self, epsilon: f64) -> Result<f64, FastError> {
        require_epsilon(epsilon)?;
        if self.r == 0.0 {
            return Ok(0.0);
        }
        if !self.r.is_finite() {
            return Ok(1.0);
        }
        let about = |alpha: f64| {
            let minus = alpha - 1.0;
            minus * (alpha * self.r - epsilon) + minus * libm::log(minus) - alpha * libm::log(alpha)
        };
        let alpha = best_order(about);
        Ok(delta_at_order((alpha * self.r).next_up(), alpha, epsilon))
    }
}

/// Converts a Renyi loss of order `alpha` to an epsilon at a delta with `ln(1/delta) <= log`, rounded
/// up.
pub(super) fn epsilon_at_order(loss: f64, alpha: f64, log: f64) -> f64 {
    let minus = Ends::less_one(alpha);
    let over = log - ln_down(alpha);
    let share = if over.next_up() >= 0.0 {
        over.next_up() / minus.low
    } else {
        over.next_up() / minus.high
    };
    let inner = (ln_up(minus.high) - ln_down(alpha)).next_up();
    let sum = (loss + inner).next_up();
    (sum + share.next_up()).next_up().max(0.0)
}

/// Converts a Renyi loss of order `alpha` to a delta at `epsilon`, rounded up; 1 if there is none.
pub(super) fn delta_at_order(loss: f64, alpha: f64, epsilon: f64) -> f64 {
    let minus = Ends::less_one(alpha);
    let gap = (loss - epsilon).next_up();
    let first = gap * if gap >= 0.0 { minus.high } else { minus.low };
    let log = ln_up(minus.high);
    let second = log * if log >= 0.0 { minus.high } else { minus.low };
    let third = (alpha * ln_down(alpha)).next_down();
    let sum = (first.next_up() + second.next_up()).next_up() - third;
    let exponent = sum.next_up();
    if exponent >= 0.0 {
        return 1.0;
    }
    exponential::exp(exponent, 0.0, 0.0).upper().min(1.0)
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

/// Lower and upper ends of `alpha - 1`.
struct Ends {
    low: f64,
    high: f64,
}

impl Ends {
    fn less_one(alpha: f64) -> Self {
        let minus = alpha - 1.0;
        // The difference is exact if the two are within a factor of 2.
        let (low, high) =
            if alpha <= 2.0 { (minus, minus) } else { (minus.next_down(), minus.next_up()) };
        Self { low, high }
    }
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

/// Returns an upper bound on `ln x` for a positive float x.
pub(super) fn ln_up(x: f64) -> f64 {
    confirmed(x, 1.0, |y| exponential::exp(y, 0.0, 0.0).lower() >= x)
}

/// Returns a lower bound on `ln x` for a positive float x.
pub(super) fn ln_down(x: f64) -> f64 {
    confirmed(x, -1.0, |y| exponential::exp(y, 0.0, 0.0).upper() <= x)
}

/// Moves the library's logarithm in `direction` until `holds` confirms it.
fn confirmed(x: f64, direction: f64, holds: impl Fn(f64) -> bool) -> f64 {
    let mut y = libm::log(x);
    let mut step = 4.0 * f64::EPSILON * y.abs().max(f64::EPSILON);
    while !holds(y) {
        y += direction * step;
        step *= 2.0;
    }
    y
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
            let promised = ConcentratedPrivacy { r };
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

    #[test]
    fn logarithms_are_confirmed_on_both_sides() {
        for k in 1..400_i32 {
            let x = (f64::from(k) * 0.37 - 60.0).exp();
            let (down, up) = (ln_down(x), ln_up(x));
            assert!(down <= up && up - down < 1e-14 * down.abs().max(1.0), "{x}");
        }
    }
}
