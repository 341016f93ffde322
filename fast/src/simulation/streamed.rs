//! Runs on networks that are generated one by one and not stored.

use super::{GossipState, NetworkSequence, mean};
use crate::{FastError, SparseWeights, checks, noise::NoiseSource};
use muffliato_model::Network;

/// Muffliato on a [`NetworkSequence`], one network at a time: memory for the values and one
/// network, regardless of the number of steps.
///
/// ```
/// use muffliato_fast::noise::SeededNoise;
/// use muffliato_fast::simulation::{Dropout, ErdosRenyiSequence, StreamedRun};
/// use muffliato_model::WeightScheme;
///
/// let graphs = ErdosRenyiSequence::try_new(100, 0.02, WeightScheme::Metropolis, 7)?;
/// let dropout = Dropout::try_new(graphs, 0.5, 8)?;
/// let run = StreamedRun {
///     sigma: 1.0,
///     most_steps: 5000,
///     until: Some(3.0 / 100.0),
///     ..StreamedRun::default()
/// };
/// let inputs = vec![0.5; 100];
/// let mut messages = 0;
/// let outcome = run.run(&dropout, &inputs, 1, &SeededNoise::new(9), |step| {
///     messages += 2 * step.network.graph().edge_count();
///     Ok(())
/// })?;
/// assert!(outcome.steps < 5000 && messages > 0);
/// # Ok::<(), muffliato_fast::FastError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StreamedRun {
    /// Standard deviation of the noise at step 0; at least 0.
    pub sigma: f64,
    /// Standard deviation of the fresh noise at each later step, in units of sigma; 0 for none.
    pub tau: f64,
    /// Chebyshev parameter g, from 1 to 2; `None` for plain gossip.
    pub acceleration: Option<f64>,
    /// Maximum number of steps.
    pub most_steps: usize,
    /// Stops once the error `(1/2n) sum_v ||y_v - c||^2` against the mean c of the current values
    /// is at most this.
    pub until: Option<f64>,
}

impl Default for StreamedRun {
    /// Plain gossip of one step with `sigma` = 1.
    fn default() -> Self {
        Self { sigma: 1.0, tau: 0.0, acceleration: None, most_steps: 1, until: None }
    }
}

/// One step in progress: the values are those sent at this step.
#[derive(Clone, Copy, Debug)]
pub struct StreamedStep<'a> {
    /// Number of the step, from 0.
    pub step: usize,
    /// The network of the step.
    pub network: &'a Network,
    /// Its gossip matrix.
    pub weights: &'a SparseWeights,
    /// The state, including the noise of this step, before it is mixed.
    pub state: &'a GossipState,
}

/// Results of a [`StreamedRun`].
#[derive(Clone, Debug, PartialEq)]
pub struct StreamedOutcome {
    /// Values of all nodes after the last step.
    pub values: Vec<f64>,
    /// Number of steps.
    pub steps: usize,
    /// Whether the stopping condition was met within `most_steps`.
    pub stopped: bool,
    /// Error against the mean of the inputs after each step.
    pub errors: Vec<f64>,
}

impl StreamedRun {
    /// Runs on `inputs`, `width` per node, and calls `visit` before each step is mixed (for
    /// accounting, recording, progress); an error from it ends the run.
    pub fn run(
        &self,
        networks: &dyn NetworkSequence,
        inputs: &[f64],
        width: usize,
        noise: &dyn NoiseSource,
        mut visit: impl FnMut(StreamedStep<'_>) -> Result<(), FastError>,
    ) -> Result<StreamedOutcome, FastError> {
        checks::not_negative("sigma", self.sigma)?;
        checks::not_negative("tau", self.tau)?;
        if let Some(level) = self.until {
            checks::not_negative("the error to stop at", level)?;
        }
        let nodes = networks.nodes();
        checks::length("inputs", inputs.len(), nodes.saturating_mul(width))?;
        let mut state =
            GossipState::try_new(inputs.to_vec(), width)?.accelerated(self.acceleration)?;
        let target = mean(inputs, width);
        let mut known: Option<(Network, SparseWeights)> = None;
        let mut errors = Vec::new();
        let mut stopped = false;
        for step in 0..self.most_steps {
            if step == 0 {
                state.add_noise(step, self.sigma, noise)?;
            } else if self.tau > 0.0 {
                state.add_noise(step, self.tau * self.sigma, noise)?;
            } else {
                state.round_to(noise)?;
            }
            let (network, weights) = match known.take().filter(|_| networks.is_fixed()) {
                Some(known) => known,
                None => {
                    let network = networks.network(step)?;
                    let weights = SparseWeights::of_network(&network)?;
                    (network, weights)
                }
            };
            visit(StreamedStep { step, network: &network, weights: &weights, state: &state })?;
            state.mix(&weights)?;
            known = Some((network, weights));
            errors.push(state.error(&target)?);
            stopped = self.until.is_some_and(|level| state.disagreement() <= level);
            if stopped {
                break;
            }
        }
        state.check_finite()?;
        Ok(StreamedOutcome { values: state.into_values(), steps: errors.len(), stopped, errors })
    }
}
