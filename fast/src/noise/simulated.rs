//! Noise for simulation: Gaussian in floating point under a seed, or predetermined.

use super::{Drawn, NoiseOf, NoiseSource};
use crate::{
    FastError, checks,
    stream::{edge_stream, stream},
};
use rand::Rng;
use rand_distr::{Distribution, StandardNormal};
use std::{collections::BTreeMap, fmt};

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

/// Predetermined noise: for each step that draws, one block for all nodes. It is used as it is,
/// regardless of the requested standard deviation.
#[derive(Clone, PartialEq)]
pub struct GivenNoise {
    width: usize,
    blocks: BTreeMap<usize, Vec<f64>>,
    masks: BTreeMap<(usize, (usize, usize)), Vec<f64>>,
}

impl GivenNoise {
    /// Creates the noise of `nodes` nodes with `width` coordinates each from pairs of a step and
    /// its block, node by node (`block[v * width + k]`). A later block for the same step replaces
    /// an earlier one. Errors for a block of another length, or a number that is not finite.
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
        Ok(Self { width, blocks, masks: BTreeMap::new() })
    }

    /// Adds masks: triples of a step, an edge with the smaller end first, and one finite number per
    /// coordinate.
    pub fn with_masks(
        mut self,
        masks: impl IntoIterator<Item = (usize, (usize, usize), Vec<f64>)>,
    ) -> Result<Self, FastError> {
        for (step, edge, values) in masks {
            checks::length("coordinates of a mask", values.len(), self.width)?;
            checks::finite("mask", &values, self.width)?;
            self.masks.insert((step, edge), values);
        }
        Ok(self)
    }
}

/// Prints the shape, not the noise.
impl fmt::Debug for GivenNoise {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("GivenNoise")
            .field("width", &self.width)
            .field("steps", &self.blocks.keys().collect::<Vec<_>>())
            .finish()
    }
}

impl NoiseSource for GivenNoise {
    fn draw(&self, of: NoiseOf<'_>, step: usize, _deviation: f64, out: &mut [f64]) -> Drawn {
        let width = out.len();
        let (node, given) = match of {
            NoiseOf::Node(node) => {
                let block = self.blocks.get(&step).filter(|_| width == self.width);
                let start = node.saturating_mul(width);
                let place = start..start.saturating_add(width);
                (node, block.and_then(|block| block.get(place)))
            }
            NoiseOf::Edge(a, b) => {
                let mask = self.masks.get(&(step, (a, b))).map(|mask| &mask[..]);
                (a, mask.filter(|mask| mask.len() == width))
            }
            NoiseOf::Key(_) => return Err(of.refused()),
        };
        out.copy_from_slice(given.ok_or(FastError::NoiseNotGiven { node, step, width })?);
        Ok(())
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
        let distance = draws.iter().enumerate().fold(0.0_f64, |largest, (rank, x)| {
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
            source.fill(place % 250, place / 250, 0.5, &mut out).unwrap();
            out[0]
        });
        assert_normal(short.collect(), 0.5);
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
