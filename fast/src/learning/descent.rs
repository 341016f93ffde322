//! Rounds of a local gradient step and an aggregation.

use super::{
    Aggregation, LocalLoss,
    aggregation::{Noise, Report},
    clip,
};
use crate::{
    FastError, Progress, checks,
    noise::NoiseSource,
    simulation::{mean, spread},
    stream::{Coins, below, stream},
    threads,
};
use muffliato_model::{Fraction, Protocol};

/// The examples on which a node computes its gradient.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Sampling {
    /// All examples: Muffliato-GD.
    AllExamples,
    /// One uniformly random example in each round: Muffliato-SGD. A seed determines the examples.
    OneExample {
        /// The seed.
        seed: u64,
    },
    /// Each example by itself with this probability in each round ([`Protocol::sampled`]). The
    /// gradient is the sum of the gradients of the sampled examples, each over `divisor`, clipped,
    /// and on a grid rounded to it. One example changes it by at most the clipping bound over
    /// `divisor`.
    EachExample {
        /// The seed of the coins.
        seed: u64,
        /// The probability.
        rate: Fraction,
        /// A positive number that depends neither on the coins nor on the number of examples of
        /// the node.
        divisor: f64,
    },
}

/// Muffliato-GD and -SGD (Algorithm 3). [`Descent::of`] and [`Aggregation::of`] take the parameters
/// from a protocol.
///
/// ```
/// use muffliato_fast::learning::{Aggregation, Descent, QuadraticLoss};
/// use muffliato_fast::noise::SeededNoise;
/// use muffliato_model::{Network, Protocol};
///
/// let network = Network::metropolis("hypercube:4".parse()?)?;
/// let protocol = Protocol::gradient_descent(network, 30, 8)?;
/// let centres = (0..16).map(f64::from).collect();
/// let loss = QuadraticLoss::try_new(1, vec![1.0; 16], centres)?;
///
/// let descent = Descent { step_size: 0.5, sigma: 0.1, ..Descent::of(&protocol)? };
/// let gossip = Aggregation::of(&protocol)?;
/// let trajectory = descent.run(&loss, &[0.0; 16], gossip, &SeededNoise::new(1))?;
/// assert!((trajectory.means[30][0] - 7.5).abs() < 0.2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Descent {
    /// Number T of rounds.
    pub rounds: usize,
    /// Step size nu > 0.
    pub step_size: f64,
    /// Standard deviation of the noise on each gradient, at least 0; on the updates it is `nu
    /// sigma`.
    pub sigma: f64,
    /// Bound to which gradients (of all examples, or of each one drawn) are [clipped](clip). The
    /// sensitivity of a gradient is then at most twice this, or one over the divisor of
    /// [`Sampling::EachExample`].
    pub clip: Option<f64>,
    /// The examples on which gradients are computed.
    pub sampling: Sampling,
    /// Period in which a node uses its data, at least 1: node v in the rounds of phase `v mod
    /// every` ([`Protocol::every`]). In other rounds it takes no step and adds its noise.
    pub every: usize,
}

impl Default for Descent {
    /// One round of full gradients at all nodes, step size 1, sigma 1, no clipping.
    fn default() -> Self {
        Self {
            rounds: 1,
            step_size: 1.0,
            sigma: 1.0,
            clip: None,
            sampling: Sampling::AllExamples,
            every: 1,
        }
    }
}

/// Record of a descent.
#[derive(Clone, Debug, PartialEq)]
pub struct Trajectory {
    /// Mean of `means[t]` over t < T: the output of the algorithm.
    pub output: Vec<f64>,
    /// Mean over the nodes at the start of each round, and at the end: T + 1 vectors.
    pub means: Vec<Vec<f64>>,
    /// Parameters of each node at the end, node by node.
    pub parameters: Vec<f64>,
    /// `(1/2n) sum_v ||theta_v - mean||^2` after each round.
    pub disagreements: Vec<f64>,
}

impl Descent {
    /// Takes the rounds and the participation from a protocol; everything else is that of
    /// [`Descent::default`].
    ///
    /// # Errors
    /// [`FastError::NotApplicable`] for reacting nodes: here the loss determines the reaction.
    pub fn of(protocol: &Protocol) -> Result<Self, FastError> {
        if protocol.reaction().is_some() {
            return Err(FastError::NotApplicable {
                formula: "training",
                reason: "nodes of this protocol react by given factors, those of a descent by their losses; use the protocol without Protocol::reacting",
            });
        }
        Ok(Self { rounds: protocol.rounds(), every: protocol.period(), ..Self::default() })
    }

    /// Runs the descent from `start`, the parameters of all nodes, node by node.
    ///
    /// # Errors
    /// For parameters out of range, wrong lengths, values or gradients that are not finite (a too
    /// large step size diverges), and errors of the networks and the noise.
    pub fn run(
        &self,
        loss: &dyn LocalLoss,
        start: &[f64],
        aggregation: Aggregation<'_>,
        noise: &dyn NoiseSource,
    ) -> Result<Trajectory, FastError> {
        self.run_watched(loss, start, aggregation, noise, &())
    }

    /// Runs the descent as [`Descent::run`] does; `progress` receives the gossip steps of all
    /// rounds.
    pub fn run_watched(
        &self,
        loss: &dyn LocalLoss,
        start: &[f64],
        aggregation: Aggregation<'_>,
        noise: &dyn NoiseSource,
        progress: &dyn Progress,
    ) -> Result<Trajectory, FastError> {
        let (nodes, width) = (loss.nodes(), loss.dimension());
        self.check()?;
        aggregation.check(nodes)?;
        if nodes == 0 || width == 0 {
            let expected = "the loss needs a node and a parameter";
            return Err(checks::bad("the number of parameters", width, expected));
        }
        checks::length("starting parameters", start.len(), nodes.saturating_mul(width))?;
        checks::finite("starting parameter", start, width)?;
        let Some(total) = self.rounds.checked_mul(aggregation.steps()) else {
            let expected = "the gossip steps of all rounds must be countable";
            return Err(checks::bad("the number of rounds", self.rounds, expected));
        };
        let report = Report { progress, total };
        progress.check(0, total)?;

        let noise = Noise { source: noise, sigma: self.sigma, scale: self.step_size };
        let mut parameters = start.to_vec();
        let mut known = None;
        let mut means = vec![mean(&parameters, width)];
        let mut disagreements = Vec::new();
        let mut output = vec![0.0; width];
        for round in 0..self.rounds {
            for (mean, entry) in output.iter_mut().zip(&means[round]) {
                *mean += (entry - *mean) / (round + 1) as f64;
            }
            self.local_steps(loss, round, &mut parameters, noise.source)?;
            checks::finite("update", &parameters, width)?;
            parameters =
                aggregation.combine(parameters, width, round, noise, &mut known, &report)?;
            let centre = mean(&parameters, width);
            disagreements.push(spread(&parameters, &centre));
            means.push(centre);
        }
        Ok(Trajectory { output, means, parameters, disagreements })
    }

    fn check(&self) -> Result<(), FastError> {
        checks::positive("the number of rounds", self.rounds as f64)?;
        checks::positive("the period of participation", self.every as f64)?;
        checks::positive("the step size", self.step_size)?;
        checks::not_negative("sigma", self.sigma)?;
        if let Some(bound) = self.clip {
            checks::positive("the clipping bound", bound)?;
        }
        if let Sampling::EachExample { divisor, .. } = self.sampling {
            checks::positive("the divisor", divisor)?;
        }
        Ok(())
    }

    /// Computes `theta_v - nu grad` at every node that uses its data in this round. On a grid the
    /// parameters and the step are rounded to it, so that what a step changes is on the grid, too.
    fn local_steps(
        &self,
        loss: &dyn LocalLoss,
        round: usize,
        parameters: &mut [f64],
        source: &dyn NoiseSource,
    ) -> Result<(), FastError> {
        let width = loss.dimension();
        let scale = match self.sampling {
            Sampling::EachExample { divisor, .. } => self.step_size / divisor,
            _ => self.step_size,
        };
        // Writes the clipped step of one example, or of all.
        let clipped = |node: usize, example, theta: &[f64], gradient: &mut [f64]| {
            loss.gradient(node, example, theta, gradient);
            if let Some(&value) = gradient.iter().find(|entry| !entry.is_finite()) {
                let what = "gradient";
                return Err(FastError::NotFinite { what, node, value });
            }
            gradient.iter_mut().for_each(|slope| *slope *= -scale);
            match self.clip {
                Some(bound) => clip(gradient, scale * bound),
                None => Ok(()),
            }
        };
        let step = |gradient: &mut Vec<f64>, node: usize, theta: &mut [f64]| {
            if node % self.every != round % self.every {
                return Ok(());
            }
            gradient.resize(width, 0.0);
            match self.sampling {
                Sampling::AllExamples => clipped(node, None, theta, gradient)?,
                Sampling::OneExample { seed } => {
                    let mut generator = stream("examples", seed, node, round);
                    let example = below(&mut generator, loss.examples(node));
                    clipped(node, Some(example), theta, gradient)?;
                }
                Sampling::EachExample { seed, rate, .. } => {
                    let mut coins = Coins::seeded(seed, node, round);
                    let mut one = vec![0.0; width];
                    gradient.fill(0.0);
                    for example in 0..loss.examples(node) {
                        if coins.toss(rate) {
                            clipped(node, Some(example), theta, &mut one)?;
                            // One by one, so that the sum of grid points is exact.
                            source.prepare(&mut one)?;
                            for (sum, entry) in gradient.iter_mut().zip(&one) {
                                *sum += entry;
                            }
                        }
                    }
                }
            }
            source.prepare(theta)?;
            source.prepare(gradient)?;
            for (theta, step) in theta.iter_mut().zip(gradient) {
                *theta += *step;
            }
            Ok(())
        };
        threads::try_on_chunks(parameters, width, 16, Vec::new, step)
    }
}
