//! Guarantees of Gaussian noise under secret Poisson sampling.
//!
//! In each round a record takes part with probability q, by a secret coin of its own. A round is
//! then `(1 - q) N(0, 1) + q N(mu, 1)` against `N(0, 1)`, and R rounds compose adaptively. For every
//! integer alpha >= 2 and in both directions (Mironov, Talwar and Zhang 2019),
//!
//! ```text
//! (alpha - 1) eps(alpha) <= R ln( 1 + sum_{k=2..alpha} C(alpha,k) (1-q)^(alpha-k) q^k (e^(mu^2 k (k-1)/2) - 1) )
//! ```
//!
//! (the binomial weights sum to 1, and the terms of k = 0 and 1 vanish). No term is negative, so
//! each operation is rounded up. Epsilon and delta follow at the best integer order, as in
//! `concentrated`. There is no Gaussian or zero-concentrated form: for large orders the mixture
//! loses what its worse half loses.

use super::{
    GaussianPrivacy,
    ball::Ball,
    calibrate,
    concentrated::{delta_of_log, epsilon_at_order, log_delta_at_order},
    exponential::{confirmed, exp, ln_inverse_upper, ln_up, series},
    not_negative, require_delta,
};
use crate::{Enclosure, FastError, SMALLEST, arithmetic::ratio_up, checks};
use muffliato_model::Fraction;

/// Largest order that is tried.
const LARGEST_ORDER: usize = 4096;

/// A lower and an upper bound on ln 2 = 0.69314718055994530941...
const LN_2_DOWN: f64 = std::f64::consts::LN_2;
const LN_2_UP: f64 = LN_2_DOWN.next_up();

/// Privacy of one record that is added or removed, under secret Poisson sampling.
///
/// ```
/// use muffliato_fast::SampledPrivacy;
///
/// // A loss of 1 in each of 100 rounds, sigma = 2 Delta: each record is used in one of 100 rounds.
/// let privacy = SampledPrivacy::of_leakage(1.0, 1.0, 2.0, "1/100".parse()?, 100)?;
/// assert!(privacy.rdp(8)? < 0.02);
/// assert!(privacy.epsilon(1e-6)? < 1.0);
/// assert!(privacy.rdp(1).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SampledPrivacy {
    /// The shift of a round that uses the record.
    shift: GaussianPrivacy,
    /// The rate, rounded up.
    rate: f64,
    /// 1 less the rate, rounded up.
    rest: f64,
    rounds: usize,
}

impl SampledPrivacy {
    /// Creates the guarantee of `rounds` rounds that lose at most `leakage` each to an observer who
    /// knows that the record takes part, where each record is sampled at `rate`.
    ///
    /// The leakage must hold for everything that is carried on to later rounds: the bound for masked
    /// states, or the loss of all states. The loss of the messages of a round alone is too small.
    ///
    /// # Errors
    ///
    /// Fails unless sensitivity and sigma are positive and finite, 0 < rate <= 1, the leakage is
    /// not negative, and there is a round.
    pub fn of_leakage(
        leakage: f64,
        sensitivity: f64,
        sigma: f64,
        rate: Fraction,
        rounds: usize,
    ) -> Result<Self, FastError> {
        not_negative("the leakage", leakage)?;
        let leakage = Enclosure::exact(leakage);
        let shift = GaussianPrivacy::of_leakage(&leakage, sensitivity, sigma)?;
        checks::positive("the number of rounds", rounds as f64)?;
        let (part, whole) = (rate.numerator(), rate.denominator());
        if part <= 0 || part > whole {
            let expected = "it must be above 0 and at most 1";
            return Err(checks::bad("the sampling rate", rate, expected));
        }
        Ok(Self { shift, rate: ratio_up(part, whole), rest: ratio_up(whole - part, whole), rounds })
    }

    /// Returns the sampling rate, rounded up.
    pub fn rate(&self) -> f64 {
        self.rate
    }

    /// Returns the shift of a round that uses the record, rounded up: the Gaussian that is sampled
    /// has the noise multiplier `1 / mu`.
    pub fn mu(&self) -> f64 {
        self.shift.mu()
    }

    /// Returns the number of rounds.
    pub fn rounds(&self) -> usize {
        self.rounds
    }

    /// Returns the Renyi loss of an integer order of at least 2, rounded up.
    ///
    /// # Errors
    ///
    /// Fails for an order below 2 or above 2^20.
    pub fn rdp(&self, alpha: usize) -> Result<f64, FastError> {
        if !(2..=1 << 20).contains(&alpha) {
            let expected = "sampling has Renyi losses of the whole orders from 2 to 2^20";
            return Err(checks::bad("alpha", alpha, expected));
        }
        Ok(self.loss(alpha))
    }

    /// Returns an epsilon guaranteed at this delta, rounded up: the smallest over the integer
    /// orders tried.
    ///
    /// # Errors
    ///
    /// Fails unless the delta is between 0 and 1.
    pub fn epsilon(&self, delta: f64) -> Result<f64, FastError> {
        require_delta(delta)?;
        if self.mu() == 0.0 {
            return Ok(0.0);
        }
        let log = ln_inverse_upper(delta);
        Ok(smallest(|alpha| epsilon_at_order(self.loss(alpha), alpha as f64, log)))
    }

    /// Returns a delta guaranteed at this epsilon, rounded up; 1 if there is none.
    ///
    /// # Errors
    ///
    /// Fails for a negative epsilon.
    pub fn delta(&self, epsilon: f64) -> Result<f64, FastError> {
        not_negative("epsilon", epsilon)?;
        if self.mu() == 0.0 {
            return Ok(0.0);
        }
        let log = |alpha| log_delta_at_order(self.loss(alpha), alpha as f64, epsilon);
        Ok(delta_of_log(smallest(log)))
    }

    /// Returns the Renyi loss of order `alpha` >= 2, rounded up.
    fn loss(&self, alpha: usize) -> f64 {
        if self.mu() == 0.0 {
            return 0.0;
        }
        let square = 2.0 * self.shift.zcdp();
        let mut rests = vec![Wide::of(1.0)];
        for power in 0..alpha {
            rests.push(rests[power].times(Wide::of(self.rest)));
        }
        let mut choices = Wide::of(1.0);
        let mut rates = Wide::of(1.0);
        let mut sum = Wide::of(0.0);
        for k in 1..=alpha {
            let factor = ((alpha - k + 1) as f64 / k as f64).next_up();
            choices = choices.times(Wide::of(factor));
            rates = rates.times(Wide::of(self.rate));
            let pairs = k as f64 * (k - 1) as f64 / 2.0; // exact for k below 2^26
            let grown = exp_less_one_up((square * pairs).next_up());
            if k > 1 {
                sum = sum.plus(choices.times(rates).times(rests[alpha - k]).times(grown));
            }
        }
        let total = ((self.rounds as f64).next_up() * ln_one_plus_up(sum)).next_up();
        (total / (alpha - 1) as f64).next_up()
    }
}

/// Returns the smallest certified sigma at which `rounds` rounds of at most `leakage` each, with
/// records sampled at `rate`, are (epsilon, delta)-differentially private; 0 if nothing leaks.
///
/// # Errors
///
/// Fails for parameters out of range and if no finite sigma suffices.
pub fn calibrate_sampled(
    leakage: f64,
    sensitivity: f64,
    rate: Fraction,
    rounds: usize,
    epsilon: f64,
    delta: f64,
) -> Result<f64, FastError> {
    let delta_at = |sigma: f64| {
        SampledPrivacy::of_leakage(leakage, sensitivity, sigma, rate, rounds)?.delta(epsilon)
    };
    calibrate(leakage, sensitivity, epsilon, delta, 1e150, delta_at)
}

/// Returns the smallest value found over the integer orders, which is the minimum if the values
/// fall and then rise: steps of a factor
/// of 2, until they have risen twice, then a search by thirds between the neighbours of the
/// best.
fn smallest(value: impl Fn(usize) -> f64) -> f64 {
    let mut best = (f64::INFINITY, 2);
    let mut order = 2;
    while order <= LARGEST_ORDER && order <= 4 * best.1 {
        let found = value(order);
        if found < best.0 {
            best = (found, order);
        }
        order *= 2;
    }
    let (mut low, mut high) = ((best.1 / 2).max(2), (best.1 * 2).min(LARGEST_ORDER));
    while high - low > 2 {
        let third = (high - low) / 3;
        let (left, right) = (value(low + third), value(high - third));
        best.0 = best.0.min(left).min(right);
        if left <= right {
            high -= third.max(1);
        } else {
            low += third.max(1);
        }
    }
    (low..=high).map(value).fold(best.0, f64::min)
}

/// A non-negative number `mantissa 2^exponent`, beyond the range of floats. Every operation rounds
/// up.
#[derive(Clone, Copy, Debug)]
struct Wide {
    /// 0, infinity, or a number from 1/2 to 1.
    mantissa: f64,
    exponent: i64,
}

impl Wide {
    fn of(value: f64) -> Self {
        Self::scaled(value, 0)
    }

    /// Returns `value 2^exponent`.
    fn scaled(value: f64, exponent: i64) -> Self {
        if value == 0.0 || !value.is_finite() {
            return Self { mantissa: value, exponent: 0 };
        }
        let (mantissa, own) = libm::frexp(value);
        Self { mantissa, exponent: exponent.saturating_add(i64::from(own)) }
    }

    fn times(self, other: Self) -> Self {
        if self.mantissa == 0.0 || other.mantissa == 0.0 {
            return Self::of(0.0);
        }
        let product = (self.mantissa * other.mantissa).next_up();
        Self::scaled(product, self.exponent.saturating_add(other.exponent))
    }

    fn plus(self, other: Self) -> Self {
        if self.mantissa == 0.0 || other.mantissa == 0.0 {
            return if self.mantissa == 0.0 { other } else { self };
        }
        let (large, small) =
            if self.exponent >= other.exponent { (self, other) } else { (other, self) };
        // A number that is smaller by more than 2^-100 is below one unit in the last place.
        let shift = (large.exponent - small.exponent).min(100) as i32;
        let sum = (large.mantissa + libm::ldexp(small.mantissa, -shift)).next_up();
        Self::scaled(sum, large.exponent)
    }

    /// Returns the number as a float, rounded up.
    fn float(self) -> f64 {
        match self.exponent {
            ..-1000 if self.mantissa > 0.0 => 2_f64.powi(-1000),
            -1000..=1000 => libm::ldexp(self.mantissa, self.exponent as i32),
            _ if self.mantissa == 0.0 => 0.0,
            _ => f64::INFINITY,
        }
    }
}

/// Returns an upper bound on `e^x - 1` for x >= 0.
fn exp_less_one_up(x: f64) -> Wide {
    if x <= 0.5 {
        return Wide::of(small_exp_less_one(x).upper());
    }
    if x <= 600.0 {
        return Wide::of((exp(x, 0.0, 0.0).upper() - 1.0).next_up());
    }
    if x > 1e15 {
        return Wide::of(f64::INFINITY);
    }
    let halvings = (x / LN_2_DOWN).floor();
    let left = (x - (halvings * LN_2_DOWN).next_down()).next_up();
    Wide::scaled(exp(left, 0.0, 0.0).upper(), halvings as i64)
}

/// Encloses `e^x - 1` for x from 0 to 1/2.
fn small_exp_less_one(x: f64) -> Ball {
    series(Ball::exact(x), Ball::exact(x), 2..=15)
}

/// Returns an upper bound on `ln(1 + x)`.
fn ln_one_plus_up(x: Wide) -> f64 {
    let value = x.float();
    if value <= 0.5 {
        let guess = libm::log1p(value);
        let step = 4.0 * f64::EPSILON * guess + SMALLEST;
        return confirmed(guess, step, |y| small_exp_less_one(y).lower() >= value);
    }
    if value <= 1e300 {
        return ln_up((1.0 + value).next_up());
    }
    if !x.mantissa.is_finite() {
        return f64::INFINITY;
    }
    let doublings = (x.exponent as f64 * LN_2_UP).next_up();
    (ln_up(x.mantissa.next_up()) + doublings).next_up()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fraction(text: &str) -> Fraction {
        text.parse().unwrap()
    }

    /// Evaluates the formula in plain floats.
    fn formula(q: f64, mu: f64, rounds: f64, alpha: usize) -> f64 {
        let mut sum = 0.0;
        let mut choices = 1.0;
        for k in 0..=alpha {
            let weight = choices * (1.0 - q).powi((alpha - k) as i32) * q.powi(k as i32);
            sum += weight * (mu * mu * (k * k.saturating_sub(1)) as f64 / 2.0).exp_m1();
            choices = choices * (alpha - k) as f64 / (k + 1) as f64;
        }
        rounds * sum.ln_1p() / (alpha - 1) as f64
    }

    #[test]
    fn renyi_losses_are_those_of_the_formula_and_never_below() {
        for rate in ["1/1000", "1/100", "1/7", "1/2", "1"] {
            for mu in [0.01, 0.3, 1.0, 3.0] {
                let q = checks::float(fraction(rate));
                let privacy =
                    SampledPrivacy::of_leakage(mu * mu, 1.0, 1.0, fraction(rate), 10).unwrap();
                for alpha in [2, 3, 8, 12] {
                    let (found, about) = (privacy.rdp(alpha).unwrap(), formula(q, mu, 10.0, alpha));
                    assert!(found >= about * (1.0 - 1e-13), "{rate} {mu} {alpha}");
                    assert!(found <= about * (1.0 + 1e-12), "{rate} {mu} {alpha}: {found} {about}");
                }
            }
        }
    }

    /// Without sampling, `alpha mu^2 / 2`, also far beyond the range of floats.
    #[test]
    fn a_rate_of_one_is_the_gaussian() {
        for (mu, alpha) in [(0.1, 2), (1.0, 40), (30.0, 2000), (1e3, 4096)] {
            let privacy = SampledPrivacy::of_leakage(mu * mu, 1.0, 1.0, Fraction::ONE, 1).unwrap();
            let (found, exact) = (privacy.rdp(alpha).unwrap(), alpha as f64 * mu * mu / 2.0);
            assert!(found >= exact && found <= exact * (1.0 + 1e-11), "{mu} {alpha}: {found}");
        }
    }

    /// P3, K = 1, three rounds, source 2, observer 0, q = 1/2, Delta = sigma: the messages of the
    /// rounds lose 0, 1/10 and 2/15 (about) by themselves. What the observer learns in all is more
    /// than their amplified sum, and less than all states shown.
    #[test]
    fn one_coin_per_round_is_amplified_and_none_is_free() {
        let two = |leakage: f64, rounds| {
            let half = fraction("1/2");
            SampledPrivacy::of_leakage(leakage, 1.0, 1.0, half, rounds).unwrap().rdp(2).unwrap()
        };
        // ln(1 + q^2 (e^(mu^2) - 1)) for one round
        assert!((two(1.0, 1) - (1.0 + 0.25 * 1_f64.exp_m1()).ln()).abs() < 1e-14);
        assert!((two(1.0, 3) - 3.0 * two(1.0, 1)).abs() < 1e-14);
    }

    #[test]
    fn logarithms_and_exponentials_round_up() {
        for k in 1..3000 {
            let x = (f64::from(k) * 0.021 - 40.0).exp();
            let found = ln_one_plus_up(Wide::of(x));
            assert!(found >= x.ln_1p() * (1.0 - 2e-16), "{x}");
            assert!(found <= x.ln_1p() * (1.0 + 1e-14), "{x}: {found}");
            let x = f64::from(k) * 0.2;
            for x in [x, x * 1e-3, x * 1e-9] {
                let (found, about) = (exp_less_one_up(x), x.exp_m1());
                assert!(found.float() >= about * (1.0 - 4e-16), "{x}");
                assert!(found.float() <= about * (1.0 + 1e-14), "{x}");
            }
        }
        let far = ln_one_plus_up(exp_less_one_up(12345.0));
        assert!((12345.0..12345.0 * (1.0 + 1e-12)).contains(&far), "{far}");
    }

    #[test]
    fn epsilon_falls_with_the_rate_and_calibration_meets_its_target() {
        let epsilon = |rate: &str| {
            let privacy = SampledPrivacy::of_leakage(1.0, 1.0, 1.0, fraction(rate), 50).unwrap();
            privacy.epsilon(1e-6).unwrap()
        };
        assert!(epsilon("1/100") < epsilon("1/10") && epsilon("1/10") < epsilon("1"));
        let rate = fraction("1/20");
        let sigma = calibrate_sampled(0.5, 1.0, rate, 20, 1.0, 1e-6).unwrap();
        let at = |sigma| SampledPrivacy::of_leakage(0.5, 1.0, sigma, rate, 20).unwrap();
        assert!(at(sigma).delta(1.0).unwrap() <= 1e-6);
        assert!(at(sigma * 0.999).delta(1.0).unwrap() > 1e-6);
        assert!((at(sigma).epsilon(1e-6).unwrap() - 1.0).abs() < 1e-9);
        assert_eq!(calibrate_sampled(0.0, 1.0, rate, 20, 1.0, 1e-6), Ok(0.0));
        assert!(SampledPrivacy::of_leakage(1.0, 1.0, 1.0, Fraction::ZERO, 1).is_err());
        assert!(SampledPrivacy::of_leakage(1.0, 1.0, 1.0, Fraction::ONE, 0).is_err());
    }
}
