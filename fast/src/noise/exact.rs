//! The discrete Gaussian on the integers, sampled exactly.
//!
//! The method is that of C. Canonne, G. Kamath and T. Steinke, "The discrete Gaussian for differential privacy" (2020),
//! Algorithms 1 to 3. Everything is decided by comparing integers with uniformly random integers:
//!
//! ```text
//! uniform below d  ──▶  Bernoulli(n/d)  ──▶  Bernoulli(e^-g)  ──▶  discrete Laplace  ──▶  discrete Gaussian
//!   random bits          one compare        alternating series      uniform + geometric      rejection
//! ```
//!
//! # Exactness
//!
//! No float occurs. Numbers are unsigned integers of 128 bits, and two counts of trials saturate:
//! successes of `Bernoulli(e^-1)` in the Laplace at `2^64 - 1`, and the integer part of the
//! exponent `g` at `2^128 - 1`. Up to these counts every branch is taken with exactly its
//! probability, since `Bernoulli(e^-g)` uses `floor(g)` only as a number of trials of
//! `Bernoulli(e^-1)` that stop at the first failure: a saturated exponent matters only after
//! `2^128 - 1` successes in a row. With the same random bits, this sampler and one without limits return
//! the same number unless `2^64 - 1` independent trials of probability `1/e` all succeed, so the
//! laws differ by less than `exp(-2^63)` in total variation.

use crate::{FastError, checks};
use muffliato_model::Fraction;
use rand::Rng;

/// The largest numerator, and the largest denominator, of a variance: `2^60`.
///
/// Nothing overflows below it: with `sigma^2 = p/q` and `t = floor(sigma) + 1`, the exponents have
/// the denominator `2 p q t^2 <= 4 p^2 + 4 p q <= 2^123`.
pub const VARIANCE_LIMIT: u64 = 1 << 60;

const RANGE: &str = "its numerator and denominator must be from 1 to 2^60; choose another grid";

/// The discrete Gaussian on the integers: `P(y)` is proportional to `exp(-y^2 / (2 sigma^2))`.
///
/// Its mean is 0 and its variance at most `sigma^2`, the parameter (they agree to 1e-6 from
/// `sigma^2 = 1` on). Samples are exact.
///
/// ```
/// use muffliato_fast::noise::IntegerGaussian;
/// use rand::{SeedableRng, rngs::ChaCha12Rng};
///
/// let law = IntegerGaussian::try_new("7/2".parse()?)?;
/// let drawn: i128 = law.sample(&mut ChaCha12Rng::seed_from_u64(1));
/// assert!(drawn.abs() < 100);
/// assert_eq!(law.variance().to_string(), "7/2");
/// let wide = IntegerGaussian::of_deviation(0.3)?.variance(); // rounded up, never down
/// assert!(wide.numerator() as f64 / wide.denominator() as f64 >= 0.3 * 0.3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct IntegerGaussian {
    /// `sigma^2 = above / below`.
    above: u128,
    below: u128,
    /// `floor(sigma) + 1`, the scale of the Laplace proposals.
    scale: u128,
}

impl IntegerGaussian {
    /// Creates the law with parameter `sigma^2 = variance`. Errors unless numerator and denominator
    /// are from 1 to [`VARIANCE_LIMIT`].
    pub fn try_new(variance: Fraction) -> Result<Self, FastError> {
        let part = |part: i128| {
            u128::try_from(part)
                .ok()
                .filter(|part| (1..=u128::from(VARIANCE_LIMIT)).contains(part))
                .ok_or_else(|| checks::bad("the variance of discrete noise", variance, RANGE))
        };
        let (above, below) = (part(variance.numerator())?, part(variance.denominator())?);
        Ok(Self { above, below, scale: (above / below).isqrt() + 1 })
    }

    /// Creates the law whose `sigma^2` is between `deviation^2` and a factor `1 + 2^-30` more.
    /// Errors unless `deviation` is from `2^-10` to `2^30 (1 - 2^-30)`.
    pub fn of_deviation(deviation: f64) -> Result<Self, FastError> {
        let in_range = deviation >= 1.0 / 1024.0 && deviation < (1_u64 << 30) as f64 - 1.0;
        if !in_range {
            let expected = "it must be from 2^-10 to 2^30 steps of the grid; choose another grid";
            return Err(checks::bad(
                "the deviation of discrete noise, in steps,",
                deviation,
                expected,
            ));
        }
        // The product is rounded, so the next float is not below the square.
        let square = (deviation * deviation).next_up();
        let mut below = 1_u64;
        // Both factors are exact: a power of two, and less than 2^60 in the end.
        while below < 1 << 59 && square * ((below << 1) as f64) < VARIANCE_LIMIT as f64 {
            below <<= 1;
        }
        let above = (square * below as f64).ceil() as i128;
        let variance = Fraction::try_new(above, i128::from(below))
            .map_err(|_| checks::bad("the variance of discrete noise", square, RANGE))?;
        Self::try_new(variance)
    }

    /// Returns the parameter `sigma^2`.
    pub fn variance(self) -> Fraction {
        // Both are at most 2^60 and the denominator is not 0.
        Fraction::try_new(self.above as i128, self.below as i128).unwrap_or(Fraction::ZERO)
    }

    /// Samples from a generator, which must be cryptographic and secret if privacy depends on it.
    pub fn sample(self, generator: &mut impl Rng) -> i128 {
        let mut bits = Bits(generator);
        loop {
            if let Some(sample) = self.trial(&mut bits) {
                return sample;
            }
        }
    }

    /// Runs one trial of Algorithm 3: a Laplace candidate y is kept with probability `exp(-(|y| -
    /// sigma^2/t)^2 / (2 sigma^2))`, where the exponent is `(|y| q t - p)^2 / (2 p q t^2)`.
    fn trial(self, chance: &mut impl Chance) -> Option<i128> {
        let (p, q, t) = (self.above, self.below, self.scale);
        let (negative, size) = laplace_trial(chance, t)?;
        // q t^2 <= 2 p + 2 q <= 2^62 and size < 2^64 t, so this is below 2^126.
        let distance = (size * q * t).abs_diff(p);
        let denominator = 2 * p * q * t * t;
        let (whole, rest) = square_over(distance, denominator);
        let size = size as i128;
        exponential(chance, whole, rest, denominator).then_some(if negative { -size } else { size })
    }
}

/// Computes `(floor(z^2 / d), z^2 mod d)` for `d <= 2^125`; the quotient saturates.
fn square_over(z: u128, d: u128) -> (u128, u128) {
    let (whole, rest) = (z / d, z % d);
    let (mut quotient, mut remainder) = (0_u128, 0_u128);
    // z times z, by doubling and adding over the bits of z, from the highest, reducing by d.
    for bit in (0..128 - z.leading_zeros()).rev() {
        let add = z >> bit & 1 == 1;
        let sum = 2 * remainder + if add { rest } else { 0 };
        quotient = quotient
            .saturating_mul(2)
            .saturating_add(if add { whole } else { 0 })
            .saturating_add(sum / d);
        remainder = sum % d;
    }
    (quotient, remainder)
}

/// A source of decisions: random bits or, in tests, every decision in turn.
pub(super) trait Chance {
    /// Draws uniformly from `0..bound`, for a bound of at least 1.
    fn below(&mut self, bound: u128) -> u128;

    /// Returns `true` with probability `above / below`, at most 1.
    fn bernoulli(&mut self, above: u128, below: u128) -> bool {
        self.below(below) < above
    }
}

/// Rejection sampling from as many random bits as the bound has.
pub(super) struct Bits<'g, R>(pub &'g mut R);

impl<R: Rng> Chance for Bits<'_, R> {
    fn below(&mut self, bound: u128) -> u128 {
        let bits = 128 - (bound - 1).leading_zeros();
        loop {
            let drawn = match bits {
                0 => 0,
                1..=64 => u128::from(self.0.next_u64() >> (64 - bits)),
                _ => {
                    let high = u128::from(self.0.next_u64()) << 64;
                    (high | u128::from(self.0.next_u64())) >> (128 - bits)
                }
            };
            if drawn < bound {
                return drawn;
            }
        }
    }
}

/// Runs Algorithm 1: returns `true` with probability `exp(-(whole + above/below))`, for `above <=
/// below`.
fn exponential(chance: &mut impl Chance, whole: u128, above: u128, below: u128) -> bool {
    let mut tried = 0;
    while tried < whole {
        if !exponential_of_a_fraction(chance, 1, 1) {
            return false;
        }
        tried += 1;
    }
    exponential_of_a_fraction(chance, above, below)
}

/// Returns `true` with probability `e^-g`, `g = above/below <= 1`: the first k at which
/// `Bernoulli(g/k)` fails is odd with probability `1 - g + g^2/2 - ...`. `Bernoulli(g/k)` is
/// `Bernoulli(g)` and `Bernoulli(1/k)`, so no denominator grows.
fn exponential_of_a_fraction(chance: &mut impl Chance, above: u128, below: u128) -> bool {
    let mut k = 1;
    while chance.bernoulli(above, below) && chance.bernoulli(1, k) {
        k += 1;
    }
    k % 2 == 1
}

/// Runs one trial of Algorithm 2: the sign and the size of a number y with probability proportional
/// to `exp(-|y| / t)`. Size 0 comes with one sign only, so that it is not counted twice.
fn laplace_trial(chance: &mut impl Chance, t: u128) -> Option<(bool, u128)> {
    let within = chance.below(t);
    if !exponential_of_a_fraction(chance, within, t) {
        return None;
    }
    let mut times = 0_u64;
    while times < u64::MAX && exponential_of_a_fraction(chance, 1, 1) {
        times += 1;
    }
    let size = within + t * u128::from(times);
    let negative = chance.bernoulli(1, 2);
    (!negative || size > 0).then_some((negative, size))
}

#[cfg(test)]
mod tests;
