//! Sources of Gaussian noise.
//!
//! | source | draws | for |
//! | --- | --- | --- |
//! | [`RoundedGaussian`] | exactly, rounded to a grid, under fresh keys from the operating system; masks from [shared keys](SharedKey) | **real data** |
//! | [`DiscreteGaussian`] | exactly, on a grid, under fresh keys from the operating system | real data, with the Renyi bounds only |
//! | [`SeededNoise`] | floats, ChaCha12 under a seed, one stream for each (node, step) | simulation |
//! | [`GivenNoise`] | predetermined values | tests, conformance, replay |
//!
//! Simulations, learning and the per-node protocol take any of them, and any other [`NoiseSource`].
//!
//! # What floating-point Gaussian noise does not protect against
//!
//! The guarantees of this crate are about real numbers: `x + eta` with eta exactly normal.
//! [`SeededNoise`] returns floats, made by the ziggurat method of `rand_distr` and then rounded:
//!
//! - **The gaps between floats.** The floats that `x + eta` can be depend on x, so the low bits of
//!   a released sum can reveal x, whatever sigma is (I. Mironov, "On significance of the least
//!   significant bits for differential privacy", 2012, for Laplace noise; J. Jin, E. McMurtry, B.
//!   Rubinstein and O. Ohrimenko, "Are we there yet? Timing and floating-point attacks on
//!   differential privacy systems", 2022, for Gaussian noise).
//! - **Bounded tails.** A float sampler cannot return values beyond about 14 deviations, so some
//!   outputs are possible under one input only: a tiny failure probability, but not zero.
//! - **Time.** The time of a draw depends on its value.
//!
//! None of this matters in simulations. To release real data, use [`RoundedGaussian`], which
//! removes the first two and states what is then proved; it does not hide time.

mod discrete;
mod exact;
pub(crate) mod grid;
mod on_grid;
pub(crate) mod rounded;
mod simulated;

pub use discrete::DiscreteGaussian;
pub use exact::{IntegerGaussian, VARIANCE_LIMIT};
pub use grid::Grid;
pub use on_grid::GridNoise;
pub use rounded::RoundedGaussian;
pub use simulated::{GivenNoise, SeededNoise};

use crate::FastError;
use rand::{SeedableRng, rngs::ChaCha20Rng};
use std::fmt;

/// A 256-bit secret of two neighbours, from which both derive the same masks by ChaCha20: one
/// stream for each step.
///
/// Masks are as secret as the key. Use a key for **one run**: two runs under one key share their
/// masks, so the difference of their messages is free of them. Feature `link` of `muffliato-node`
/// derives one for each run. With the feature `zeroize` the bytes are overwritten when it is
/// dropped.
///
/// ```
/// use muffliato_fast::noise::{NoiseOf, NoiseSource, SeededNoise, SharedKey};
///
/// let key = SharedKey::new([1; 32]);
/// let (mut ours, mut theirs, mut later) = ([0.0; 2], [0.0; 2], [0.0; 2]);
/// SeededNoise::new(1).draw(NoiseOf::Key(&key), 0, 1.0, &mut ours)?;
/// SeededNoise::new(2).draw(NoiseOf::Key(&key), 0, 1.0, &mut theirs)?;
/// SeededNoise::new(1).draw(NoiseOf::Key(&key), 5, 1.0, &mut later)?;
/// assert!(ours == theirs && ours != later);
/// # Ok::<(), muffliato_fast::FastError>(())
/// ```
#[derive(Clone)]
#[cfg_attr(feature = "zeroize", derive(zeroize::ZeroizeOnDrop))]
pub struct SharedKey([u8; 32]);

impl SharedKey {
    /// Creates a key from bytes.
    pub const fn new(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// Draws a key from the operating system.
    ///
    /// # Errors
    /// [`FastError::SystemRandomness`] if it has none, or without the feature `system-random`.
    pub fn random() -> Result<Self, FastError> {
        #[cfg(feature = "system-random")]
        {
            use rand::{TryRng, rngs::SysRng};
            let mut key = Self([0; 32]);
            SysRng
                .try_fill_bytes(&mut key.0)
                .map_err(|error| FastError::SystemRandomness { reason: error.to_string() })?;
            Ok(key)
        }
        #[cfg(not(feature = "system-random"))]
        {
            let reason = "enable the feature system-random of muffliato-fast".into();
            Err(FastError::SystemRandomness { reason })
        }
    }

    /// Returns the bytes. They are secret: compare them in constant time, and do not print them.
    pub const fn bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// Returns the random words of a step.
    fn stream(&self, step: usize) -> ChaCha20Rng {
        let mut generator = ChaCha20Rng::from_seed(self.0);
        generator.set_stream(step as u64);
        generator
    }
}

/// Hides the key.
impl fmt::Debug for SharedKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SharedKey(..)")
    }
}

/// The owner of a draw.
#[derive(Clone, Copy, Debug)]
pub enum NoiseOf<'a> {
    /// The noise that this node adds to its value.
    Node(usize),
    /// The mask shared by the ends of this edge, the smaller one first: the first adds it and the
    /// second subtracts it.
    Edge(usize, usize),
    /// The mask derived from this key: the same for both holders, whatever else the source draws.
    Key(&'a SharedKey),
}

impl NoiseOf<'_> {
    /// Returns the error of a source that has no such noise.
    pub fn refused(self) -> FastError {
        let (formula, reason) = match self {
            Self::Node(_) => {
                ("the noise of a node", "the source of noise draws none; use another one")
            }
            Self::Edge(..) => (
                "a mask that two nodes share",
                "the source of noise draws none; use one that does, such as SeededNoise",
            ),
            Self::Key(_) => (
                "a mask from a shared key",
                "the source of noise does not expand keys; use RoundedGaussian",
            ),
        };
        FastError::NotApplicable { formula, reason }
    }
}

/// The result of a draw.
pub type Drawn = Result<(), FastError>;

/// A source of the noise that nodes add and of the masks that they share.
///
/// The numbers must not depend on the order of calls, which may come from any thread; each draw is
/// requested once in a run and is independent of all others.
///
/// ```
/// use muffliato_fast::noise::{DiscreteGaussian, Grid, NoiseSource};
///
/// // A source with a grid rounds values to it before noise is added.
/// let mut value = [0.3];
/// DiscreteGaussian::on(Grid::try_new(0.25)?).prepare(&mut value)?;
/// assert_eq!(value, [0.25]);
/// # Ok::<(), muffliato_fast::FastError>(())
/// ```
pub trait NoiseSource: Sync {
    /// Fills `out` with independent noise of mean 0 and standard deviation `deviation` (finite, at
    /// least 0), one number per coordinate, at `step`. A source without such noise returns [an
    /// error](NoiseOf::refused).
    fn draw(&self, of: NoiseOf<'_>, step: usize, deviation: f64, out: &mut [f64]) -> Drawn;

    /// Draws the noise of a node.
    fn fill(&self, node: usize, step: usize, deviation: f64, out: &mut [f64]) -> Drawn {
        self.draw(NoiseOf::Node(node), step, deviation, out)
    }

    /// Rounds values to the grid of this source, if it has one. Callers do so before they add noise
    /// of a positive deviation, and before each message.
    fn prepare(&self, _values: &mut [f64]) -> Drawn {
        Ok(())
    }
}

impl<N: NoiseSource + ?Sized> NoiseSource for &N {
    fn draw(&self, of: NoiseOf<'_>, step: usize, deviation: f64, out: &mut [f64]) -> Drawn {
        (**self).draw(of, step, deviation, out)
    }

    fn prepare(&self, values: &mut [f64]) -> Drawn {
        (**self).prepare(values)
    }
}

/// Adds the noise of a node at `step` to its value, after rounding it to the source's grid, if any.
/// `drawn` receives the noise.
pub(crate) fn add_noise(
    source: &(impl NoiseSource + ?Sized),
    (node, step): (usize, usize),
    deviation: f64,
    value: &mut [f64],
    drawn: &mut Vec<f64>,
) -> Drawn {
    if deviation > 0.0 {
        source.prepare(value)?;
    }
    drawn.resize(value.len(), 0.0);
    source.fill(node, step, deviation, drawn)?;
    for (value, noise) in value.iter_mut().zip(drawn) {
        *value += *noise;
    }
    Ok(())
}

/// Creates a generator under a fresh key of the operating system.
pub(crate) fn system_generator() -> Result<ChaCha20Rng, FastError> {
    Ok(ChaCha20Rng::from_seed(*SharedKey::random()?.bytes()))
}
