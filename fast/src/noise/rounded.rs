//! The Gaussian rounded to a grid: the recommended noise.
//!
//! A normal variable is sampled *exactly*, bit by bit, and rounded to the nearest multiple of the
//! step as soon as its bits determine it (C. Karney, "Sampling exactly from the normal
//! distribution", ACM TOMS 2016, Algorithms N, B and H). A shift by whole steps commutes with
//! rounding, so two rounded Gaussians a whole number of steps apart are a function of two Gaussians
//! that far apart: every guarantee of the continuous one holds, including the full Gaussian curve,
//! in any dimension. (The *discrete* Gaussian has the Renyi bounds only.)
//!
//! ```text
//! fractions x in (0, 1) as words that are drawn when a comparison asks for them
//!      H: true with probability e^-1/2            a fraction below 1/2, a smaller one, ...: an even number of them
//!      B: true with probability e^(-x(2k+x)/(2k+2))      the same below x, each passed with probability (2k+x)/(2k+2)
//!      N: k + x with density e^(-(k+x)^2/2)       k by H, kept by k(k-1) more; x kept by k+1 times B
//! ```
//!
//! # Exactness
//!
//! No float decides anything: a deviation in steps is a float, so an integer m below `2^53` times a
//! power of two, and the rounding of `m (k + x)` is decided by comparing integers; a tie of 64 bits
//! with a rounding boundary is continued by long division. Integer parts k beyond 63, of
//! probability below `e^-2000`, are moved to 63; nothing else is approximated.

#[cfg(doc)]
use super::{Grid, NoiseSource};
use super::{
    GridNoise,
    exact::{Bits, Chance},
    on_grid::Law,
};
use crate::{FastError, checks};
use rand::Rng;

/// Gaussian noise rounded to a [`Grid`], from the operating system's randomness: the noise for
/// which guarantees about Gaussian noise are proved.
///
/// Values are [rounded](Grid::round) to the grid before noise is added and before each message;
/// the nodes of `muffliato-node`, simulations and learning request this through
/// [`NoiseSource::prepare`]. Sums of grid points are exact floats, so low bits reveal nothing.
///
/// # What is proved
///
/// Let Delta be the [sensitivity of rounded inputs](Grid::sensitivity). **One message** is mu-GDP
/// with `mu = Delta / sigma`, and so is **a whole run** with input at step 0, towards all observers
/// together: the guarantees of local noise. **Masked** protocols with masks of this law lose at
/// most [`on_grid`](crate::MaskedBounds::on_grid). For **refreshed** ones see the proof at
/// [`DiscreteGaussian`](super::DiscreteGaussian), which holds for this law with GDP in place of
/// Renyi losses. The accountant adds these corrections if it is told the noise (`Account::noise`,
/// `--noise rounded:STEP`). The time of a draw depends on its value and is not hidden.
///
/// ```
/// use muffliato_fast::noise::{Grid, NoiseOf, NoiseSource, RoundedGaussian, SharedKey};
///
/// let sigma = 0.1;
/// let noise = RoundedGaussian::on(Grid::for_deviation(sigma)?);
/// let mut drawn = [0.0; 3];
/// noise.fill(0, 0, sigma, &mut drawn)?;
/// assert!(drawn.iter().all(|x| x % noise.grid().step() == 0.0));
///
/// // Both holders of a key draw the same mask.
/// let (mut one, mut other) = ([0.0; 2], [0.0; 2]);
/// noise.draw(NoiseOf::Key(&SharedKey::new([7; 32])), 0, 3.0 * sigma, &mut one)?;
/// noise.draw(NoiseOf::Key(&SharedKey::new([7; 32])), 0, 3.0 * sigma, &mut other)?;
/// assert_eq!(one, other);
/// # Ok::<(), muffliato_fast::FastError>(())
/// ```
pub type RoundedGaussian = GridNoise<Scale>;

/// A deviation in steps: `mantissa 2^-shift`, the mantissa below `2^53`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scale {
    mantissa: u128,
    shift: u32,
}

/// Largest integer part of a normal variable.
const LARGEST: u128 = 63;

impl Law for Scale {
    const NOISE: &'static str = "rounded noise";
    const MASKS: Option<&'static str> = Some("rounded");

    fn of(steps: f64) -> Result<Self, FastError> {
        if !(steps >= 2_f64.powi(-10) && steps <= 2_f64.powi(40)) {
            let expected = "it must be from 2^-10 to 2^40 steps of the grid; choose another grid";
            let parameter = "the deviation of rounded noise, in steps,";
            return Err(checks::bad(parameter, steps, expected));
        }
        let bits = steps.to_bits();
        let exponent = (bits >> 52) as i32 - 1075; // -62 to -12
        Ok(Self {
            mantissa: u128::from(bits & ((1 << 52) - 1) | 1 << 52),
            shift: exponent.unsigned_abs(),
        })
    }

    /// Samples a normal variable of this deviation, rounded to the nearest integer.
    fn sample(self, generator: &mut impl Rng) -> i128 {
        let (k, mut x) = normal(generator);
        let size = self.nearest(k, &mut x, generator);
        if coin(generator) { size } else { -size }
    }
}

impl Scale {
    /// Computes `floor(mantissa 2^-shift (k + x) + 1/2)`.
    ///
    /// With X the first word of x and f in [0, 1) the rest, `2^64` times the product is `mantissa
    /// (2^64 k + X + f) 2^-shift`. All of this is below `2^(53 + 64 + 6)`, and one half is `2^(63 +
    /// shift) <= 2^125`.
    fn nearest(self, k: u128, x: &mut Fraction, generator: &mut impl Rng) -> i128 {
        let places = 64 + self.shift;
        let start = self.mantissa * ((k << 64) + u128::from(x.word(0, generator)));
        // As f grows to 1 the product grows by less than the mantissa, and less than one step.
        let (low, missing) = nearest_step(start, places);
        if missing >= self.mantissa || !x.is_at_least(missing, self.mantissa, generator) {
            low as i128
        } else {
            low as i128 + 1
        }
    }
}

/// Returns the integer nearest to `start 2^-places`, halves upwards, and the increase of `start`
/// that reaches the next one. For `places` up to 126 and `start` up to `2^126`.
pub fn nearest_step(start: u128, places: u32) -> (u128, u128) {
    let half = 1_u128 << (places - 1);
    let nearest = (start + half) >> places;
    let boundary = ((nearest + 1) << places) - half;
    (nearest, boundary - start)
}

/// A uniform number in (0, 1), with its words drawn on demand.
#[derive(Clone, Debug, Default)]
struct Fraction {
    first: Option<u64>,
    later: Vec<u64>,
}

impl Fraction {
    fn word(&mut self, place: usize, generator: &mut impl Rng) -> u64 {
        if place == 0 {
            return *self.first.get_or_insert_with(|| generator.next_u64());
        }
        while self.later.len() < place {
            self.later.push(generator.next_u64());
        }
        self.later[place - 1]
    }

    /// Returns `true` if it is below another one.
    fn is_below(&mut self, other: &mut Self, generator: &mut impl Rng) -> bool {
        let mut place = 0;
        loop {
            let (own, others) = (self.word(place, generator), other.word(place, generator));
            if own != others {
                return own < others;
            }
            place += 1;
        }
    }

    /// Returns `true` if the rest after the first word, read as a fraction, is at least `above /
    /// below`, for `above < below < 2^53`, by long division.
    fn is_at_least(&mut self, above: u128, below: u128, generator: &mut impl Rng) -> bool {
        let mut rest = above;
        let mut place = 1;
        while rest > 0 {
            let digit = ((rest << 64) / below) as u64;
            let own = self.word(place, generator);
            if own != digit {
                return own > digit;
            }
            rest = (rest << 64) % below;
            place += 1;
        }
        true
    }
}

fn coin(generator: &mut impl Rng) -> bool {
    generator.next_u64() >> 63 == 1
}

/// Runs Algorithm N without the sign: `k + x` is the absolute value of a normal variable.
fn normal(generator: &mut impl Rng) -> (u128, Fraction) {
    loop {
        let mut k = 0_u64;
        while half_exponential(generator) {
            k += 1;
        }
        // e^(-k(k-1)/2); beyond the largest integer part it never matters.
        let tests = k.saturating_mul(k.saturating_sub(1));
        if !(0..tests).all(|_| half_exponential(generator)) {
            continue;
        }
        let mut x = Fraction::default();
        if (0..=k).all(|_| keeps(k, &mut x, generator)) {
            return (u128::from(k).min(LARGEST), x);
        }
    }
}

/// Runs Algorithm H: returns `true` with probability `e^-1/2`. Fractions are drawn as long as each
/// is below the one before, the first below 1/2; their number is even with probability `1 - 1/2 +
/// (1/2)^2/2! - ...`.
fn half_exponential(generator: &mut impl Rng) -> bool {
    let mut last = Fraction::default();
    if last.word(0, generator) >> 63 == 1 {
        return true;
    }
    let mut even = false;
    loop {
        let mut next = Fraction::default();
        if !next.is_below(&mut last, generator) {
            return even;
        }
        last = next;
        even = !even;
    }
}

/// Runs Algorithm B: returns `true` with probability `e^(-x (2k+x)/(2k+2))`. Fractions are drawn as
/// long as each is below the one before, the first below x, and passes with probability
/// `(2k+x)/(2k+2)`: one of 2k+2 chances fails, one asks for a fraction below x, all others pass.
fn keeps(k: u64, x: &mut Fraction, generator: &mut impl Rng) -> bool {
    let mut even = true;
    let mut last: Option<Fraction> = None;
    loop {
        let mut next = Fraction::default();
        let below_last = match &mut last {
            None => next.is_below(x, generator),
            Some(last) => next.is_below(last, generator),
        };
        let passes = below_last
            && match Bits(generator).below(u128::from(2 * k + 2)) {
                0 => false,
                1 => Fraction::default().is_below(x, generator),
                _ => true,
            };
        if !passes {
            return even;
        }
        last = Some(next);
        even = !even;
    }
}

#[cfg(test)]
mod tests;
