//! Where Gaussian noise comes from.
//!
//! | source | draws | for |
//! | --- | --- | --- |
//! | [`SeededNoise`] | ChaCha12 under a seed, one stream for each (node, step) | simulation |
//! | [`SystemNoise`] | ChaCha20 under a fresh key from the operating system for each draw | real use |
//! | [`GivenNoise`] | what was given | tests, conformance, replay |
//!
//! Any other sampler can be plugged in through [`NoiseSource`].
//!
//! # What floating-point Gaussian noise does not protect against
//!
//! The guarantees of this crate are about real numbers: `x + eta` with eta exactly normal. The sources here
//! return floats, made by the ziggurat method of `rand_distr` and then rounded:
//!
//! - **The gaps between floats.** The floats that `x + eta` can be depend on x, so that the low bits of a released
//!   sum can betray x, whatever sigma is (I. Mironov, "On significance of the least significant bits for differential
//!   privacy", 2012, for Laplace noise; J. Jin, E. McMurtry, B. Rubinstein and O. Ohrimenko, "Are we there yet? Timing
//!   and floating-point attacks on differential privacy systems", 2022, for Gaussian noise).
//! - **Bounded tails.** A float sampler cannot return values beyond about 14 deviations, so that some
//!   outputs are possible under one input only: a failure probability that is tiny, and not zero.
//! - **Time.** Drawing takes a time that depends on what is drawn.
//!
//! None of this matters in simulations. Where real data is released, use inputs and noise on a common grid: the
//! exact discrete Gaussian sampler of C. Canonne, G. Kamath and T. Steinke ("The discrete Gaussian for
//! differential privacy", 2020) as a [`NoiseSource`], with values rounded to its grid first. The gossip that follows
//! is post-processing of what was sent at step 0.

use crate::{FastError, checks, stream::stream};
use rand::{
    Rng, SeedableRng, TryRng,
    rngs::{ChaCha20Rng, SysRng},
};
use rand_distr::{Distribution, StandardNormal};
use std::{collections::BTreeMap, fmt};

/// Draws the noise that a node adds at a step.
///
/// The numbers must not depend on the order of calls, which may come from any thread; each (node, step)
/// is asked once in a run.
pub trait NoiseSource: Sync {
    /// Fills `out` with independent noise of mean 0 and standard deviation `deviation` (finite, at
    /// least 0), one number for each coordinate of the value of `node` at `step`.
    fn fill(
        &self,
        node: usize,
        step: usize,
        deviation: f64,
        out: &mut [f64],
    ) -> Result<(), FastError>;
}

impl<N: NoiseSource + ?Sized> NoiseSource for &N {
    fn fill(
        &self,
        node: usize,
        step: usize,
        deviation: f64,
        out: &mut [f64],
    ) -> Result<(), FastError> {
        (**self).fill(node, step, deviation, out)
    }
}

/// Reproducible noise: the same seed gives the same numbers at the same node and step, for any number of
/// threads and any order of calls.
///
/// For simulation only: whoever knows the seed knows the noise, and two runs under one seed share their noise, so that
/// the difference of their messages is free of it. The bits come from ChaCha12 and are the same on every
/// platform; the samples are too, except where the platform's `exp` and `ln` round differently (they decide on
/// about one sample in a hundred).
///
/// ```
/// use muffliato_fast::noise::{NoiseSource, SeededNoise};
///
/// let (mut once, mut again) = ([0.0; 3], [0.0; 3]);
/// SeededNoise::new(7).fill(4, 0, 1.0, &mut once)?;
/// SeededNoise::new(7).fill(4, 0, 1.0, &mut again)?;
/// assert_eq!(once, again);
/// # Ok::<(), muffliato_fast::FastError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SeededNoise {
    seed: u64,
}

impl SeededNoise {
    /// The noise of this seed.
    pub const fn new(seed: u64) -> Self {
        Self { seed }
    }
}

impl NoiseSource for SeededNoise {
    fn fill(
        &self,
        node: usize,
        step: usize,
        deviation: f64,
        out: &mut [f64],
    ) -> Result<(), FastError> {
        sample(&mut stream("noise", self.seed, node, step), deviation, out);
        Ok(())
    }
}

/// Noise from the operating system's generator: each call draws a fresh key of 256 bits from it, and its samples
/// from ChaCha20 under that key. Nothing is ever repeated.
///
/// [`FastError::SystemRandomness`] if the system has none. See the [module](self) for what
/// floating-point noise does not protect against.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SystemNoise;

impl NoiseSource for SystemNoise {
    fn fill(
        &self,
        _node: usize,
        _step: usize,
        deviation: f64,
        out: &mut [f64],
    ) -> Result<(), FastError> {
        let mut key = [0; 32];
        SysRng
            .try_fill_bytes(&mut key)
            .map_err(|error| FastError::SystemRandomness {
                reason: error.to_string(),
            })?;
        sample(&mut ChaCha20Rng::from_seed(key), deviation, out);
        Ok(())
    }
}

fn sample(generator: &mut impl Rng, deviation: f64, out: &mut [f64]) {
    for value in out {
        let normal: f64 = StandardNormal.sample(generator);
        *value = deviation * normal;
    }
}

/// Noise that was given in advance: for each step that draws, one block for all nodes. It is used as
/// it is, whatever the standard deviation asked for.
///
/// ```
/// use muffliato_fast::{FastError, noise::{GivenNoise, NoiseSource}};
///
/// // Two nodes, one coordinate, noise at step 0 only.
/// let given = GivenNoise::try_new(2, 1, [(0, vec![0.5, -1.5])])?;
/// let mut out = [0.0];
/// given.fill(1, 0, 1.0, &mut out)?;
/// assert_eq!(out, [-1.5]);
/// assert!(matches!(given.fill(1, 3, 1.0, &mut out), Err(FastError::NoiseNotGiven { step: 3, .. })));
/// # Ok::<(), FastError>(())
/// ```
#[derive(Clone, PartialEq)]
pub struct GivenNoise {
    width: usize,
    blocks: BTreeMap<usize, Vec<f64>>,
}

impl GivenNoise {
    /// The noise of `nodes` nodes with `width` coordinates each: pairs of a step and its block, node by
    /// node (`block[v * width + k]`). A later block for the same step replaces an earlier one.
    ///
    /// A block of another length, or a number that is not finite, is an error.
    pub fn try_new(
        nodes: usize,
        width: usize,
        blocks: impl IntoIterator<Item = (usize, Vec<f64>)>,
    ) -> Result<Self, FastError> {
        let blocks: BTreeMap<_, _> = blocks.into_iter().collect();
        for block in blocks.values() {
            checks::length("entries of a block of noise", block.len(), nodes * width)?;
            checks::finite("noise", block, width)?;
        }
        Ok(Self { width, blocks })
    }
}

/// Says what is held, not the noise.
impl fmt::Debug for GivenNoise {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("GivenNoise")
            .field("width", &self.width)
            .field("steps", &self.blocks.keys().collect::<Vec<_>>())
            .finish()
    }
}

impl NoiseSource for GivenNoise {
    fn fill(
        &self,
        node: usize,
        step: usize,
        _deviation: f64,
        out: &mut [f64],
    ) -> Result<(), FastError> {
        let width = out.len();
        let block = self.blocks.get(&step).filter(|_| width == self.width);
        let start = node.saturating_mul(width);
        match block.and_then(|block| block.get(start..start.saturating_add(width))) {
            Some(given) => out.copy_from_slice(given),
            None => return Err(FastError::NoiseNotGiven { node, step, width }),
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The Kolmogorov-Smirnov statistic of the draws against the normal law exceeds 2.7 with probability
    /// `2 e^{-2 * 2.7^2}`, below the false-alarm rate 1e-6.
    fn assert_normal(mut draws: Vec<f64>, deviation: f64) {
        draws.sort_by(f64::total_cmp);
        let count = draws.len() as f64;
        let distance = draws
            .iter()
            .enumerate()
            .fold(0.0_f64, |largest, (rank, x)| {
                let law = libm::erfc(-x / deviation / 2_f64.sqrt()) / 2.0;
                let (below, above) = (rank as f64 / count, (rank + 1) as f64 / count);
                largest.max((law - below).abs()).max((above - law).abs())
            });
        let statistic = distance * count.sqrt();
        assert!(
            statistic < 2.7,
            "Kolmogorov-Smirnov statistic {statistic} of {count} draws (false-alarm rate 1e-6)"
        );
    }

    #[test]
    fn seeded_noise_is_normal_within_and_across_streams() {
        let mut long = vec![0.0; 50_000];
        SeededNoise::new(1).fill(0, 0, 3.0, &mut long).unwrap();
        assert_normal(long, 3.0);
        let short = (0..50_000).map(|place| {
            let mut out = [0.0];
            let source = SeededNoise::new(2);
            source
                .fill(place % 250, place / 250, 0.5, &mut out)
                .unwrap();
            out[0]
        });
        assert_normal(short.collect(), 0.5);
    }

    #[test]
    fn system_noise_has_its_deviation_and_never_repeats() {
        let (mut once, mut again) = (vec![0.0; 50_000], vec![0.0; 50_000]);
        SystemNoise.fill(0, 0, 2.0, &mut once).unwrap();
        SystemNoise.fill(0, 0, 2.0, &mut again).unwrap();
        assert_ne!(once[..8], again[..8]);
        // It has no seed to fix: the tolerance is 16 standard deviations of the sample variance.
        let variance = once.iter().map(|x| x * x).sum::<f64>() / 50_000.0;
        assert!((variance / 4.0 - 1.0).abs() < 0.1, "variance {variance}");
    }

    #[test]
    fn given_noise_refuses_what_it_does_not_have() {
        assert!(GivenNoise::try_new(2, 1, [(0, vec![0.0])]).is_err());
        assert!(GivenNoise::try_new(1, 1, [(0, vec![f64::NAN])]).is_err());
        let given = GivenNoise::try_new(2, 2, [(1, vec![1.0, 2.0, 3.0, 4.0])]).unwrap();
        assert!(!format!("{given:?}").contains("3.0"));
        let mut out = [0.0; 2];
        given.fill(1, 1, 9.0, &mut out).unwrap();
        assert_eq!(out, [3.0, 4.0]);
        for (node, step, width) in [(2, 1, 2), (0, 0, 2), (0, 1, 1), (usize::MAX, 1, 2)] {
            let refused = given.fill(node, step, 1.0, &mut vec![0.0; width]);
            assert_eq!(refused, Err(FastError::NoiseNotGiven { node, step, width }));
        }
    }
}
