//! Gaussian noise in floating point, for simulation.

use super::{Drawn, NoiseOf, NoiseSource};
use crate::stream::{edge_stream, stream};
use rand::Rng;
use rand_distr::{Distribution, StandardNormal};

/// Reproducible noise: a seed determines the numbers at each node and step, for any number of
/// threads and any order of calls.
///
/// For simulation only: the seed reveals the noise, and two runs under one seed share their noise,
/// so the difference of their messages is free of it. The bits come from ChaCha12 and are the same
/// on every platform; so are the samples, except where the platform's `exp` and `ln` round
/// differently (they decide about one sample in a hundred).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SeededNoise {
    seed: u64,
}

impl SeededNoise {
    /// Creates the noise of this seed.
    pub const fn new(seed: u64) -> Self {
        Self { seed }
    }
}

impl NoiseSource for SeededNoise {
    fn draw(&self, of: NoiseOf<'_>, step: usize, deviation: f64, out: &mut [f64]) -> Drawn {
        let (seed, draws) = (self.seed, (deviation, out));
        match of {
            NoiseOf::Node(node) => sample(stream("noise", seed, node, step), draws),
            NoiseOf::Edge(a, b) => sample(edge_stream("mask", seed, (a, b), step), draws),
            NoiseOf::Key(key) => sample(key.stream(step), draws),
        }
        Ok(())
    }
}

fn sample(mut generator: impl Rng, (deviation, out): (f64, &mut [f64])) {
    for value in out {
        let normal: f64 = StandardNormal.sample(&mut generator);
        *value = deviation * normal;
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// Asserts that the draws are normal: their Kolmogorov-Smirnov statistic exceeds 2.7 with
    /// probability `2 e^{-2 * 2.7^2}`, below the false-alarm rate 1e-6.
    pub(crate) fn assert_normal(mut draws: Vec<f64>, deviation: f64) {
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
}
