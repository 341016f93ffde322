//! Attacks on simulated runs.
//!
//! The fast engine simulates the protocol many times, half of the runs with the source's input 0
//! and half with Delta; all other inputs are 0. The observer applies its best linear statistic
//! ([`Strategy`]) to the messages it received and the noise it drew, and guesses. Its successes
//! show, with a stated confidence, how well it distinguishes the inputs and which (eps,
//! delta)-guarantees are false.
//!
//! The statistic comes from exact arithmetic; the messages come from the simulation and are never
//! computed from the statistic.

mod cells;
mod confidence;
mod report;
mod rounding;
mod strategy;

pub use confidence::{SuccessInterval, proved_epsilon};
pub use report::{AttackReport, Theorem1};
pub use rounding::{Rounding, RoundingError};
pub use strategy::Strategy;

use confidence::normal_cdf;
use muffliato_fast::{
    Enclosure, FastError, GaussianPrivacy, Progress,
    bounds::PaperBounds,
    noise::{Drawn, NoiseOf, NoiseSource, SeededNoise},
    simulation::Simulation,
};
use muffliato_model::{Draw, Observer, Protocol};
use muffliato_reference::{Observation, ReferenceError};
use num_traits::ToPrimitive;
use std::collections::BTreeMap;

/// An error of an attack.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the messages say what the fields are")]
pub enum AttackError {
    /// The exact engine refused the protocol.
    #[error(transparent)]
    Reference(#[from] ReferenceError),
    /// The fast engine refused the protocol.
    #[error(transparent)]
    Fast(#[from] FastError),
    /// The protocol has several rounds.
    #[error("an attack is about one input a node; run it on a protocol of one round")]
    SeveralRounds,
    /// There are too few trials.
    #[error("{trials} trials prove nothing; take at least 2")]
    TooFewTrials { trials: usize },
    /// A parameter is not a probability.
    #[error("{parameter} is {value}; it must lie strictly between 0 and 1")]
    Probability { parameter: &'static str, value: f64 },
    /// The source leaks nothing, so there is no statistic.
    #[error(
        "nothing of node {source_node} reaches {observer} in this protocol; take more steps or another pair"
    )]
    NothingLeaks { source_node: usize, observer: String },
    /// The exact statistic is too large to compute.
    #[error(
        "the exact statistic takes {numbers} fractions, more than {limit}; take fewer steps or a more symmetric graph"
    )]
    TooLarge { numbers: usize, limit: usize },
}

/// An attack of one observer on one source.
///
/// ```
/// use muffliato_conformance::attack::{Attack, Rounding};
/// use muffliato_model::{Network, Observer, Protocol, WeightScheme, families};
///
/// let protocol = Protocol::one_shot(Network::try_new(families::path(3)?, WeightScheme::Metropolis)?, 2)?;
/// let attack = Attack { trials: 10_000, seed: 7, delta: 1e-6, miss: 1e-9, ..Attack::new(&protocol, 2, Observer::full(0)) };
/// let report = attack.run(&())?;
/// assert!(report.contradicts_theorem_1()); // 1/3 is claimed, 1 is lost
/// // Only the ratio of noise and sensitivity counts; whole numbers on the wire tell less.
/// let scaled = Attack { sensitivity: 2.0, sigma: 2.0, ..attack.clone() }.run(&())?;
/// assert_eq!(scaled.exact_epsilon, report.exact_epsilon);
/// let rounded = Attack { rounding: Rounding::Decimals(0), ..attack }.run(&())?;
/// assert!(rounded.accuracy.share() < report.accuracy.share());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Attack<'a> {
    /// The protocol.
    pub protocol: &'a Protocol,
    /// The source.
    pub source: usize,
    /// The observer.
    pub observer: Observer,
    /// Distance of the two inputs; 1 by default.
    pub sensitivity: f64,
    /// Standard deviation of the noise; 1 by default.
    pub sigma: f64,
    /// Delta at which eps is bounded from below; 1e-5 by default.
    pub delta: f64,
    /// Number of runs, half with each input, rounded up to an even number; 20000 by default.
    pub trials: usize,
    /// Seed of the noise; 1 by default.
    pub seed: u64,
    /// Largest probability with which each reported interval or bound may be wrong; 1e-6 by default.
    pub miss: f64,
    /// Rounding of messages on the wire; none by default.
    pub rounding: Rounding,
}

/// Number of trials simulated together, as coordinates of one run.
const BATCH: usize = 250;

impl<'a> Attack<'a> {
    /// Creates an attack with the default parameters.
    pub fn new(protocol: &'a Protocol, source: usize, observer: Observer) -> Self {
        Self {
            protocol,
            source,
            observer,
            sensitivity: 1.0,
            sigma: 1.0,
            delta: 1e-5,
            trials: 20_000,
            seed: 1,
            miss: 1e-6,
            rounding: Rounding::Double,
        }
    }

    /// Runs the attack and reports the number of finished trials to `progress`.
    ///
    /// # Errors
    ///
    /// Fails for bad parameters, if nothing leaks, if an engine refuses the protocol, or if
    /// `progress` cancels.
    pub fn run(&self, progress: &dyn Progress) -> Result<AttackReport, AttackError> {
        if self.trials < 2 {
            return Err(AttackError::TooFewTrials { trials: self.trials });
        }
        for (parameter, value) in [("delta", self.delta), ("the miss probability", self.miss)] {
            if !(value > 0.0 && value < 1.0) {
                return Err(AttackError::Probability { parameter, value });
            }
        }
        let certified =
            |rho: &Enclosure| GaussianPrivacy::of_leakage(rho, self.sensitivity, self.sigma);
        certified(&Enclosure::exact(1.0))?; // refuses a bad sensitivity or sigma
        let rounding = self.rounding.variance() / (self.sigma * self.sigma);
        let strategy = Strategy::best(self.protocol, self.source, &self.observer, rounding)?;
        let rho = strategy.leakage.to_f64().unwrap_or(1.0);
        if rho.is_nan() || rho <= 0.0 {
            return Err(AttackError::NothingLeaks {
                source_node: self.source,
                observer: self.observer.to_string(),
            });
        }
        let half = self.trials.div_ceil(2);
        let scores = self.scores(&strategy, half, progress)?;
        let shift = self.sensitivity * strategy.weight / (self.sigma * strategy.deviation);
        let above = |scores: &[f64], threshold: f64| {
            scores.iter().filter(|&&score| score > threshold).count()
        };
        let correct = above(&scores[1], shift / 2.0) + half - above(&scores[0], shift / 2.0);
        let threshold = best_threshold(shift, half, self.delta, self.miss);
        // Two one-sided bounds, each with half of the allowed probability.
        let of = |scores: &[f64]| {
            SuccessInterval::clopper_pearson(above(scores, threshold), half, self.miss)
        };
        let (alarms, hits) = (of(&scores[0]), of(&scores[1]));
        let privacy = certified(&Enclosure::around(rho, 2, 2))?;
        let theorem_1 = match self.protocol.uniform() {
            Ok(_) if !self.observer.sees_sums() => {
                let bound =
                    PaperBounds::of(self.protocol)?.pairwise(self.source, &self.observer)?;
                let claimed = certified(&bound)?;
                Some(Theorem1 {
                    bound: bound.upper(),
                    accuracy: normal_cdf(claimed.mu() / 2.0),
                    epsilon: claimed.epsilon_upper(self.delta)?,
                })
            }
            _ => None,
        };
        Ok(AttackReport {
            source: self.source,
            observer: self.observer.to_string(),
            sigma: self.sigma,
            sensitivity: self.sensitivity,
            delta: self.delta,
            miss: self.miss,
            rounding: self.rounding,
            leakage: strategy.leakage.clone(),
            accuracy: SuccessInterval::clopper_pearson(correct, 2 * half, self.miss),
            exact_accuracy: normal_cdf(privacy.mu() / 2.0),
            epsilon_lower: proved_epsilon(hits.lower, alarms.upper, self.delta),
            exact_epsilon: privacy.epsilon_upper(self.delta)?,
            hits,
            alarms,
            theorem_1,
        })
    }

    /// Returns the statistic of `half` runs with either input, scaled to standard deviation 1.
    fn scores(
        &self,
        strategy: &Strategy,
        half: usize,
        progress: &dyn Progress,
    ) -> Result<[Vec<f64>; 2], AttackError> {
        let nodes = self.protocol.nodes();
        let scale = 1.0 / (self.sigma * strategy.deviation);
        let mut messages = BTreeMap::<(usize, usize), f64>::new();
        for (time, sender, coefficient) in strategy.messages(self.protocol, &self.observer)? {
            *messages.entry((time, sender)).or_default() += coefficient;
        }
        let simulation = Simulation::new(self.protocol)
            .sigma(self.sigma)
            .recording_messages_to(self.observer.with_messages());
        let mut scores = [Vec::with_capacity(half), Vec::with_capacity(half)];
        for (batch, start) in (0..half).step_by(BATCH).enumerate() {
            progress.check(2 * start, 2 * half)?;
            let each = BATCH.min(half - start);
            let width = 2 * each;
            let mut inputs = vec![0.0; nodes * width];
            if let Some(source) = inputs.chunks_exact_mut(width).nth(self.source) {
                source[each..].fill(self.sensitivity);
            }
            let noise = BatchNoise {
                noise: SeededNoise::new(self.seed),
                first_step: batch * self.protocol.steps(),
            };
            let outcome = simulation.run(&inputs, width, &noise)?;
            let mut sums = vec![0.0; width];
            for message in &outcome.messages {
                if let Some(coefficient) = messages.get(&(message.step, message.from)) {
                    for (sum, &value) in sums.iter_mut().zip(&message.values) {
                        *sum += coefficient * self.rounding.apply(value);
                    }
                }
            }
            let mut drawn = vec![0.0; width];
            for &(seen, coefficient) in &strategy.coefficients {
                match seen {
                    Observation::Message { .. } | Observation::Sum { .. } => continue,
                    Observation::Known(draw @ Draw::Own { time, node }) => {
                        noise.fill(node, time, self.deviation(draw), &mut drawn)?;
                    }
                    Observation::Known(draw @ Draw::Mask { time, edge }) => {
                        let mask = NoiseOf::Edge(edge.0, edge.1);
                        noise.draw(mask, time, self.deviation(draw), &mut drawn)?;
                    }
                }
                for (sum, &value) in sums.iter_mut().zip(&drawn) {
                    *sum += coefficient * value;
                }
            }
            let scaled = |sums: &[f64]| sums.iter().map(|sum| sum * scale).collect::<Vec<_>>();
            scores[0].extend(scaled(&sums[..each]));
            scores[1].extend(scaled(&sums[each..]));
        }
        progress.check(2 * half, 2 * half)?;
        Ok(scores)
    }

    /// Returns the standard deviation of a draw.
    fn deviation(&self, draw: Draw) -> f64 {
        self.sigma * self.protocol.variance(draw).to_f64().sqrt()
    }
}

/// Returns the threshold that is expected to prove the largest eps; it does not depend on the
/// measurement.
fn best_threshold(shift: f64, trials: usize, delta: f64, miss: f64) -> f64 {
    let expected = |threshold: f64| {
        let count =
            |p: f64| SuccessInterval::clopper_pearson((p * trials as f64) as usize, trials, miss);
        let hits = count(normal_cdf(shift - threshold));
        let alarms = count(normal_cdf(-threshold));
        proved_epsilon(hits.lower, alarms.upper, delta)
    };
    let candidates = (0..=40).map(|k| shift / 2.0 + 0.1 * f64::from(k));
    candidates
        .map(|threshold| (expected(threshold), threshold))
        .fold((0.0, shift / 2.0), |best, next| if next.0 > best.0 { next } else { best })
        .1
}

/// Noise of one batch; a later batch continues the draws of the batches before it.
struct BatchNoise {
    noise: SeededNoise,
    first_step: usize,
}

impl NoiseSource for BatchNoise {
    fn draw(&self, of: NoiseOf<'_>, step: usize, deviation: f64, out: &mut [f64]) -> Drawn {
        self.noise.draw(of, self.first_step + step, deviation, out)
    }
}
