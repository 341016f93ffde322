//! Discrete Gaussian noise on a grid, for real data.

use super::{Drawn, Grid, IntegerGaussian, NoiseOf, NoiseSource, system_generator};
use crate::stream::stream;
use rand::Rng;

/// Exact discrete Gaussian noise on a [`Grid`], from the operating system's randomness.
///
/// Noise of standard deviation sigma is `step` times a draw of [`IntegerGaussian`] with parameter
/// between `(sigma / step)^2` and a factor `1 + 2^-30` more. Values are [rounded](Grid::round) to
/// the grid before noise is added and before each message: simulations and learning request this
/// through [`NoiseSource::prepare`]. Sums are then exact, and low bits reveal nothing.
///
/// ```
/// use muffliato_fast::noise::{DiscreteGaussian, Grid, NoiseSource};
///
/// let sigma = 0.1;
/// let noise = DiscreteGaussian::on(Grid::for_deviation(sigma)?);
/// let mut drawn = [0.0];
/// noise.fill(0, 0, sigma, &mut drawn)?;
/// assert_eq!(drawn[0] % noise.grid().step(), 0.0);
///
/// let (mut one, mut other) = ([0.0; 4], [0.0; 4]);
/// DiscreteGaussian::seeded(noise.grid(), 7).fill(0, 0, sigma, &mut one)?;
/// DiscreteGaussian::seeded(noise.grid(), 7).fill(0, 0, sigma, &mut other)?;
/// assert_eq!(one, other); // for tests: the seed determines the noise
/// # Ok::<(), muffliato_fast::FastError>(())
/// ```
///
/// # What is proved
///
/// Delta is the [sensitivity of rounded inputs](Grid::sensitivity). All losses are of Renyi order
/// alpha, in the unit `L = alpha Delta^2 / (2 sigma^2)`. Add `exp(-2^40)` for each draw to a delta
/// of (epsilon, delta) (limits of the [sampler](IntegerGaussian), and draws beyond [`Grid::REACH`],
/// which are moved back to it).
///
/// 1. **One message** `x + eta` costs at most L (Canonne, Kamath and Steinke 2020, Theorem 4; the
///    bound of continuous noise), coordinates together.
/// 2. **A whole run with input at step 0** costs at most L, towards all observers together:
///    everything that others see of u's input is computed from u's noisy value and from what does
///    not depend on the input. A leakage of 1 thus holds for discrete noise as for continuous.
///    Gradient descent with R rounds costs at most `R L`, by composition.
/// 3. **Refreshed, plain gossip (tau > 0)** costs observer v at most `[u in N(v)] + tau^-2
///    sum_{t=1..T-1} sum_{w in N(v)} ((W^t)_{w,u} + t sqrt(D) (step + r) / Delta)^2` in units of L,
///    for inputs of D coordinates: the closed form of
///    [`RefreshedBounds::walk_all`](crate::bounds::RefreshedBounds::walk_all) with a correction for
///    the rounding before each draw. Here r bounds twice the error of mixing in floats: `r <= (d +
///    2) 2^-51 M` for at most d neighbours and values up to M (add the probability that M is
///    exceeded to delta). *Proof.* Fix all noise but that of v's neighbours; a mixture over it is
///    not worse than the worst case. Given the messages so far, the next one is its rounded state
///    plus fresh noise, so 1. and adaptive composition give the squared shift of that state over
///    `tau^2 sigma^2`, summed. With the neighbours' messages given, a shift lives at the other
///    nodes only. Each mixing maps shifts by W, and each rounding adds less than a step in each
///    coordinate: after t steps, at most `(W^t)_{w,u} Delta + t sqrt(D) (step + r)` in norm.
///
/// # What is not proved
///
/// Any smaller number: the leakage of a one-shot protocol below 1, and the certified leakage of a
/// refreshed one below the closed form. They are theorems about normal noise. A weighted sum of
/// discrete Gaussians is not a discrete Gaussian: weights take it off the grid, and if the grid is
/// coarse, one sum can reveal all of its terms (`y_1 / 2 + y_2 / 3`, with noise of one step each).
/// On a fine grid, 2^20 steps to a deviation as of [`Grid::for_deviation`], it is plausible that
/// the difference cannot be exploited, and floats then round the sums anyway: a **heuristic**. The
/// time of a draw depends on its value and is not hidden.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DiscreteGaussian {
    grid: Grid,
    seed: Option<u64>,
}

impl DiscreteGaussian {
    /// Creates noise on this grid; each call draws a fresh 256-bit key from the operating system,
    /// and its samples from ChaCha20 under it.
    pub const fn on(grid: Grid) -> Self {
        Self { grid, seed: None }
    }

    /// Creates noise from ChaCha12 under a seed, one stream for each (node, step), **for tests and
    /// simulation**: the seed determines the noise. The bytes do not depend on the platform or the
    /// number of threads.
    pub const fn seeded(grid: Grid, seed: u64) -> Self {
        Self { grid, seed: Some(seed) }
    }

    /// Returns the grid.
    pub fn grid(&self) -> Grid {
        self.grid
    }

    fn sample(&self, law: IntegerGaussian, generator: &mut impl Rng, out: &mut [f64]) {
        let reach = i128::from(Grid::REACH);
        for value in out {
            let steps = law.sample(generator).clamp(-reach, reach);
            *value = steps as f64 * self.grid.step();
        }
    }
}

/// A deviation of 0 gives no noise; one outside `2^-10` to `2^30` steps is
/// [`FastError::BadParameter`](crate::FastError::BadParameter).
impl NoiseSource for DiscreteGaussian {
    fn draw(&self, of: NoiseOf<'_>, step: usize, deviation: f64, out: &mut [f64]) -> Drawn {
        let NoiseOf::Node(node) = of else {
            return Err(of.refused());
        };
        if deviation == 0.0 {
            out.fill(0.0);
            return Ok(());
        }
        let law = IntegerGaussian::of_deviation(deviation / self.grid.step())?;
        match self.seed {
            Some(seed) => self.sample(law, &mut stream("discrete noise", seed, node, step), out),
            None => self.sample(law, &mut system_generator()?, out),
        }
        Ok(())
    }

    fn prepare(&self, values: &mut [f64]) -> Drawn {
        self.grid.round(values)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::FastError;

    const STEP: f64 = 1.0 / 1024.0;

    fn seeded() -> DiscreteGaussian {
        DiscreteGaussian::seeded(Grid::try_new(STEP).unwrap(), 3)
    }

    /// On a path of three, a sum of one step or of two over three nodes: rounding takes one down
    /// and the other up, in each coordinate.
    #[test]
    fn rounding_moves_every_coordinate_of_a_mixture() {
        const COORDINATES: usize = 100;
        let grid = seeded().grid();
        let mixed = |sum: f64| {
            let mut values = [sum * STEP / 3.0; COORDINATES];
            grid.round(&mut values).unwrap();
            values
        };
        let (one, two) = (mixed(1.0), mixed(2.0));
        let shifts = one.iter().zip(&two).map(|(x, y)| (y - x) * (y - x));
        let shift = shifts.sum::<f64>().sqrt();
        let corner = (COORDINATES as f64).sqrt() * STEP;
        let delta = grid.sensitivity(corner, COORDINATES).unwrap();
        assert!(shift > delta / 3.0 + STEP, "one step for all is too little");
        assert!(shift <= delta / 3.0 + corner);
    }

    #[test]
    fn seeded_noise_repeats_and_system_noise_does_not() {
        let drawn = |source: DiscreteGaussian, node, step| {
            let mut out = [0.0; 4];
            source.fill(node, step, 1.0, &mut out).unwrap();
            out
        };
        assert_eq!(drawn(seeded(), 1, 2), drawn(seeded(), 1, 2));
        for other in [drawn(seeded(), 2, 2), drawn(seeded(), 1, 3)] {
            assert_ne!(drawn(seeded(), 1, 2), other);
        }
        let system = DiscreteGaussian::on(seeded().grid());
        assert_ne!(drawn(system, 0, 0), drawn(system, 0, 0));
        let multiple = |x: &f64| x % STEP == 0.0 && *x != 0.0;
        assert!(drawn(system, 0, 0).iter().any(multiple));
    }

    #[test]
    fn noise_outside_the_range_of_the_grid_is_refused() {
        let mut out = [1.0; 2];
        seeded().fill(0, 0, 0.0, &mut out).unwrap();
        assert_eq!(out, [0.0; 2]);
        for deviation in [1e-9, 1e9, f64::INFINITY, f64::NAN] {
            assert!(matches!(
                seeded().fill(0, 0, deviation, &mut out),
                Err(FastError::BadParameter { .. })
            ));
        }
        assert!(seeded().prepare(&mut [1e300]).is_err());
    }
}
