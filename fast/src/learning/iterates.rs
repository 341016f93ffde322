//! The weighted mean of the iterates, `sum_{t<T} w_t theta^t / sum_{t<T} w_t`, as they come.
//!
//! Weights may grow without bound, so only the share of the newest in the sum of all is kept:
//!
//! ```text
//! mean <- mean + (w_t / S_t) (theta^t - mean),     S_t / w_t = 1 + (S_{t-1} / w_{t-1}) (w_{t-1} / w_t).
//! ```

use crate::{FastError, checks};

/// How much each iterate counts in the output of a descent.
///
/// ```
/// use muffliato_fast::learning::{Aggregation, Descent, IterateWeights, QuadraticLoss};
/// use muffliato_fast::noise::SeededNoise;
///
/// // The iterates before each of three rounds are 0, 4 and 6.
/// let loss = QuadraticLoss::try_new(1, vec![1.0], vec![8.0])?;
/// let output = |weights| {
///     let descent = Descent { rounds: 3, step_size: 0.5, sigma: 0.0, weights, ..Descent::default() };
///     let run = descent.run(&loss, &[0.0], Aggregation::TrustedAggregator, &SeededNoise::new(1));
///     run.map(|run| run.output[0])
/// };
/// assert!((output(IterateWeights::Linear)? - 26.0 / 6.0).abs() < 1e-14); // weights 1, 2, 3
/// let growing = output(IterateWeights::StronglyConvex { mu: 1.0 })?;
/// assert!((growing - 144.0 / 37.0).abs() < 1e-14); // weights 9, 12, 16
/// # Ok::<(), muffliato_fast::FastError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum IterateWeights {
    /// All alike.
    Uniform,
    /// `w_t = t + 1`.
    Linear,
    /// `w_t = (1 - mu nu / 2)^-(t + 1)` for mu-strongly convex losses and step size nu, the weights of
    /// the analysis that the paper builds on (A. Koloskova et al., "A unified theory of decentralized SGD", 2020).
    StronglyConvex {
        /// The strong convexity; at least 0, and below 2 / nu.
        mu: f64,
    },
}

impl IterateWeights {
    pub(super) fn check(&self, step_size: f64) -> Result<(), FastError> {
        match *self {
            Self::StronglyConvex { mu } if !(0.0..1.0).contains(&(mu * step_size / 2.0)) => {
                let expected = "it must be at least 0, and below 2 over the step size";
                Err(checks::bad("mu", mu, expected))
            }
            _ => Ok(()),
        }
    }

    /// `w_{t-1} / w_t` for t >= 1.
    fn decay(&self, t: usize, step_size: f64) -> f64 {
        match *self {
            Self::Uniform => 1.0,
            Self::Linear => t as f64 / (t as f64 + 1.0),
            Self::StronglyConvex { mu } => 1.0 - mu * step_size / 2.0,
        }
    }
}

/// The weighted mean so far.
#[derive(Clone, Debug)]
pub(super) struct RunningMean {
    weights: IterateWeights,
    step_size: f64,
    count: usize,
    /// `S_t / w_t`.
    total: f64,
    mean: Vec<f64>,
}

impl RunningMean {
    pub(super) fn new(weights: IterateWeights, step_size: f64, dimension: usize) -> Self {
        Self {
            weights,
            step_size,
            count: 0,
            total: 0.0,
            mean: vec![0.0; dimension],
        }
    }

    pub(super) fn add(&mut self, iterate: &[f64]) {
        self.total = 1.0 + self.total * self.weights.decay(self.count, self.step_size);
        self.count += 1;
        for (mean, entry) in self.mean.iter_mut().zip(iterate) {
            *mean += (entry - *mean) / self.total;
        }
    }

    pub(super) fn into_mean(self) -> Vec<f64> {
        self.mean
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_running_mean_is_the_weighted_mean() {
        let iterates = [3.0, -1.0, 4.0, 1.0, -5.0_f64];
        for weights in [
            IterateWeights::Uniform,
            IterateWeights::Linear,
            IterateWeights::StronglyConvex { mu: 0.8 },
        ] {
            let weight = |t: usize| match weights {
                IterateWeights::Uniform => 1.0,
                IterateWeights::Linear => t as f64 + 1.0,
                IterateWeights::StronglyConvex { mu } => {
                    (1.0 - mu * 0.5 / 2.0).powi(-(t as i32 + 1))
                }
            };
            let (mut above, mut below) = (0.0, 0.0);
            let mut running = RunningMean::new(weights, 0.5, 1);
            for (t, iterate) in iterates.iter().enumerate() {
                running.add(&[*iterate]);
                above += weight(t) * iterate;
                below += weight(t);
            }
            assert!(
                (running.into_mean()[0] - above / below).abs() < 1e-14,
                "{weights:?}"
            );
        }
    }

    #[test]
    fn many_growing_weights_do_not_overflow() {
        let mut running = RunningMean::new(IterateWeights::StronglyConvex { mu: 1.9 }, 1.0, 1);
        (0..10_000).for_each(|_| running.add(&[2.5]));
        assert_eq!(running.into_mean(), [2.5]);
        for mu in [-0.1, 2.0, f64::NAN] {
            assert!(IterateWeights::StronglyConvex { mu }.check(1.0).is_err());
        }
    }
}
