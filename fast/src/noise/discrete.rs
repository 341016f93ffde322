//! Discrete Gaussian noise on a grid, for real data.

#[cfg(doc)]
use super::{Grid, NoiseSource};
use super::{GridNoise, IntegerGaussian, on_grid::Law};
use crate::FastError;
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
pub type DiscreteGaussian = GridNoise<IntegerGaussian>;

impl Law for IntegerGaussian {
    const NOISE: &'static str = "discrete noise";
    const MASKS: Option<&'static str> = None;

    fn of(steps: f64) -> Result<Self, FastError> {
        Self::of_deviation(steps)
    }

    fn sample(self, generator: &mut impl Rng) -> i128 {
        Self::sample(self, generator)
    }
}

#[cfg(test)]
mod tests {
    use crate::noise::Grid;

    const STEP: f64 = 1.0 / 1024.0;

    /// On a path of three, a sum of one step or of two over three nodes: rounding takes one down
    /// and the other up, in each coordinate.
    #[test]
    fn rounding_moves_every_coordinate_of_a_mixture() {
        const COORDINATES: usize = 100;
        let grid = Grid::try_new(STEP).unwrap();
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
}
