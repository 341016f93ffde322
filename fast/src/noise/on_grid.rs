//! Noise on a grid, of any law on the integers.

use super::{Drawn, Grid, NoiseOf, NoiseSource, system_generator};
use crate::{
    FastError,
    stream::{edge_stream, stream},
};
use rand::Rng;
use std::marker::PhantomData;

/// A law on the integers.
pub trait Law: Copy + Sync {
    /// Purpose of the stream of a node.
    const NOISE: &'static str;
    /// Purpose of the stream of an edge; `None` if masks are not drawn.
    const MASKS: Option<&'static str>;

    /// Creates the law of this deviation in steps. Errors if it is out of range.
    fn of(steps: f64) -> Result<Self, FastError>;

    /// Samples from a generator.
    fn sample(self, generator: &mut impl Rng) -> i128;
}

/// Noise of a law on a grid: [`RoundedGaussian`](super::RoundedGaussian) or
/// [`DiscreteGaussian`](super::DiscreteGaussian).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GridNoise<L> {
    grid: Grid,
    seed: Option<u64>,
    law: PhantomData<L>,
}

impl<L: Law> GridNoise<L> {
    /// Creates noise on this grid; each call draws a fresh 256-bit key from the operating system,
    /// and its samples from ChaCha20 under it.
    pub const fn on(grid: Grid) -> Self {
        Self { grid, seed: None, law: PhantomData }
    }

    /// Creates noise from ChaCha12 under a seed, one stream for each (node, step) and each (edge,
    /// step), **for tests and simulation**: the seed determines the noise. The bytes do not depend
    /// on the platform or the number of threads.
    pub const fn seeded(grid: Grid, seed: u64) -> Self {
        Self { grid, seed: Some(seed), law: PhantomData }
    }

    /// Returns the grid.
    pub fn grid(&self) -> Grid {
        self.grid
    }

    fn sample(&self, mut generator: impl Rng, deviation: f64, out: &mut [f64]) -> Drawn {
        if deviation == 0.0 {
            out.fill(0.0);
            return Ok(());
        }
        let law = L::of(deviation / self.grid.step())?;
        let reach = i128::from(Grid::REACH);
        for value in out {
            let steps = law.sample(&mut generator).clamp(-reach, reach);
            *value = steps as f64 * self.grid.step();
        }
        Ok(())
    }
}

/// A deviation of 0 gives no noise; one out of range of the law is [`FastError::BadParameter`].
impl<L: Law> NoiseSource for GridNoise<L> {
    fn draw(&self, of: NoiseOf<'_>, step: usize, deviation: f64, out: &mut [f64]) -> Drawn {
        match (of, self.seed, L::MASKS) {
            (NoiseOf::Edge(..) | NoiseOf::Key(_), _, None) => Err(of.refused()),
            (NoiseOf::Key(key), ..) => self.sample(key.stream(step), deviation, out),
            (NoiseOf::Node(node), Some(seed), _) => {
                self.sample(stream(L::NOISE, seed, node, step), deviation, out)
            }
            (NoiseOf::Edge(a, b), Some(seed), Some(masks)) => {
                self.sample(edge_stream(masks, seed, (a, b), step), deviation, out)
            }
            (_, None, _) => self.sample(system_generator()?, deviation, out),
        }
    }

    fn prepare(&self, values: &mut [f64]) -> Drawn {
        self.grid.round(values)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::noise::{DiscreteGaussian, RoundedGaussian};

    fn grid() -> Grid {
        Grid::try_new(1.0 / 1024.0).unwrap()
    }

    fn check<L: Law>(seeded: GridNoise<L>, out_of_range: &[f64]) {
        let drawn = |source: &GridNoise<L>, of, step| {
            let mut out = [0.0; 4];
            source.draw(of, step, 1.0, &mut out).map(|()| out)
        };
        let node = |source: &_, node, step| drawn(source, NoiseOf::Node(node), step).unwrap();
        assert_eq!(node(&seeded, 1, 2), node(&seeded, 1, 2));
        for other in [node(&seeded, 2, 2), node(&seeded, 1, 3)] {
            assert_ne!(node(&seeded, 1, 2), other);
        }
        let system = GridNoise::<L>::on(grid());
        assert_ne!(node(&system, 0, 0), node(&system, 0, 0));
        assert!(node(&system, 0, 0).iter().all(|x| x % grid().step() == 0.0));
        assert!(node(&system, 0, 0).iter().any(|x| *x != 0.0));
        let mask = |a, b| drawn(&seeded, NoiseOf::Edge(a, b), 2);
        match L::MASKS {
            None => assert!(mask(1, 2).is_err()),
            Some(_) => {
                assert_eq!(mask(1, 2), mask(1, 2));
                assert!(mask(1, 2) != mask(1, 3) && mask(1, 2) != Ok(node(&seeded, 1, 2)));
            }
        }
        let mut out = [1.0; 2];
        seeded.fill(0, 0, 0.0, &mut out).unwrap();
        assert_eq!(out, [0.0; 2]);
        for &steps in out_of_range.iter().chain(&[f64::NAN, f64::INFINITY, -1.0]) {
            let refused = seeded.fill(0, 0, steps * grid().step(), &mut out);
            assert!(matches!(refused, Err(FastError::BadParameter { .. })), "{steps}");
        }
        assert!(seeded.prepare(&mut [1e300]).is_err());
    }

    #[test]
    fn seeded_noise_repeats_system_noise_does_not_and_bad_deviations_are_refused() {
        check(DiscreteGaussian::seeded(grid(), 3), &[1e-6, 1e12]);
        check(RoundedGaussian::seeded(grid(), 9), &[2_f64.powi(-11), 2_f64.powi(41)]);
    }
}
