//! Gradient descent as the authors' program runs it.

use muffliato::fast::learning::{LocalLoss, LogisticLoss, accuracy, clip};
use muffliato::fast::noise::NoiseSource;
use muffliato::fast::simulation::GossipState;
use muffliato::fast::{FastError, SparseWeights};
use rayon::prelude::*;

/// Standard deviation of the noise on each gradient: 1.5 times the sensitivity 1/2.
pub const NOISE: f64 = 0.75;

/// Runs accelerated gossip from a previous state of zero: `y_1 = g W y_0` in place of `W y_0`.
pub fn gossip_from_zero(
    values: Vec<f64>,
    width: usize,
    weights: &SparseWeights,
    steps: usize,
    g: f64,
) -> Result<Vec<f64>, FastError> {
    let mut state = GossipState::try_new(values, width)?.accelerated(Some(g))?;
    let factors = vec![g; state.nodes()];
    for step in 0..steps {
        state.mix(weights)?;
        if step == 0 {
            state.scale(&factors)?;
        }
    }
    state.check_finite()?;
    Ok(state.into_values())
}

/// Moves every node along its noisy gradient, clipped to norm 1 together with the noise.
pub fn noisy_steps(
    loss: &LogisticLoss,
    parameters: &mut [f64],
    step_size: f64,
    round: usize,
    noise: &dyn NoiseSource,
) -> Result<(), FastError> {
    let width = loss.dimension();
    let nodes = parameters.par_chunks_mut(width).enumerate();
    nodes
        .map(|(node, theta)| {
            let (mut gradient, mut drawn) = (vec![0.0; width], vec![0.0; width]);
            loss.gradient(node, None, theta, &mut gradient);
            noise.fill(node, round, NOISE, &mut drawn)?;
            for (entry, drawn) in gradient.iter_mut().zip(&drawn) {
                *entry += drawn;
            }
            clip(&mut gradient, 1.0)?;
            for (theta, slope) in theta.iter_mut().zip(&gradient) {
                *theta -= step_size * slope;
            }
            Ok(())
        })
        .collect()
}

/// Returns the mean over the nodes of each node's accuracy.
pub fn mean_accuracy(
    parameters: &[f64],
    width: usize,
    features: &[f64],
    labels: &[f64],
) -> Result<f64, FastError> {
    let nodes = parameters.par_chunks(width);
    let count = nodes.len() as f64;
    let each: Result<Vec<f64>, _> = nodes.map(|theta| accuracy(theta, features, labels)).collect();
    Ok(each?.iter().sum::<f64>() / count)
}

#[cfg(test)]
mod tests {
    use super::*;
    use muffliato::fast::noise::GivenNoise;
    use muffliato::model::families;
    use muffliato::prelude::{Network, WeightScheme};

    fn weights() -> SparseWeights {
        let path = families::path(3).unwrap();
        let network = Network::try_new(path, WeightScheme::Metropolis).unwrap();
        SparseWeights::of_network(&network).unwrap()
    }

    /// The mean follows `m_{t+1} = g m_t + (1 - g) m_{t-1}` from 0 and m, so it tends to m / (2 -
    /// g). Ordinary gossip keeps it.
    #[test]
    fn a_zero_state_before_the_first_shrinks_or_swells_the_mean() {
        let (weights, g) = (weights(), 1.25);
        let means = [1, 2, 60].map(|steps| {
            let found = gossip_from_zero(vec![3.0, 0.0, 0.0], 1, &weights, steps, g).unwrap();
            found.iter().sum::<f64>() / 3.0
        });
        let expected = [g, g * g + 1.0 - g, 1.0 / (2.0 - g)];
        for (mean, expected) in means.into_iter().zip(expected) {
            assert!((mean - expected).abs() < 1e-12, "{means:?}");
        }
    }

    /// Two nodes hold one example each. The first draws noise that makes its gradient long. The
    /// second draws none: its gradient is -1/2 of its example at zero parameters.
    #[test]
    fn the_noise_is_clipped_with_the_gradient() {
        let loss = LogisticLoss::try_new(1, vec![1.0, 1.0], vec![1.0, 1.0], vec![1, 1]).unwrap();
        let noise = GivenNoise::try_new(2, 1, [(3, vec![40.0, 0.0])]).unwrap();
        let mut parameters = [0.0, 0.0];
        noisy_steps(&loss, &mut parameters, 0.5, 3, &noise).unwrap();
        assert!((parameters[0] + 0.5).abs() < 1e-12, "{parameters:?}");
        assert!((parameters[1] - 0.25).abs() < 1e-12, "{parameters:?}");
    }

    #[test]
    fn every_node_is_asked() {
        let (features, labels) = ([1.0, -1.0], [1.0, -1.0]);
        let found = mean_accuracy(&[2.0, -2.0, 1.0, 3.0], 1, &features, &labels).unwrap();
        assert_eq!(found, 0.75);
    }
}
