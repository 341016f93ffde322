//! Runs of a protocol: inject, send, mix, at each step.

use super::{GossipState, mean};
use crate::{
    FastError, Progress, SparseWeights, checks, memory, noise::NoiseSource, progress::Watcher,
};
use muffliato_model::{Observer, Protocol, Schedule, Step};

/// A protocol to run on numbers, and what to record.
///
/// ```
/// use muffliato_fast::{noise::SeededNoise, simulation::Simulation};
/// use muffliato_model::{Network, Observer, Protocol};
///
/// let network = Network::metropolis("hypercube:5".parse()?)?;
/// let protocol = Protocol::one_shot(network, 12)?;
/// let inputs: Vec<f64> = (0..32).map(f64::from).collect();
///
/// let outcome = Simulation::new(&protocol)
///     .sigma(0.1)
///     .recording_errors(1)
///     .recording_messages_to(Observer::full(0))
///     .run(&inputs, 1, &SeededNoise::new(7))?;
/// assert!((outcome.values[31] - 15.5).abs() < 0.5);
/// assert_eq!(outcome.errors.len(), 13); // before the first step, and after each
/// assert_eq!(outcome.messages.len(), 5 * 12);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Simulation<'a> {
    protocol: &'a Protocol,
    sigma: f64,
    errors_every: usize,
    observer: Option<Observer>,
    target: Option<Vec<f64>>,
    watcher: Watcher<'a>,
}

/// Results of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// Values of all nodes after the last step, node by node.
    pub values: Vec<f64>,
    /// Pairs of a time and the error `(1/2n) sum_v ||y_v - target||^2` at that time: after the
    /// injection of step t for times t < T, and after the last step for T.
    pub errors: Vec<(usize, f64)>,
    /// Messages to the observer, by step and then by sender.
    pub messages: Vec<Message>,
}

/// A message of one node to an observer at one step.
#[derive(Clone, Debug, PartialEq)]
pub struct Message {
    /// The step.
    pub step: usize,
    /// The sender.
    pub from: usize,
    /// The sender's value, one number per coordinate.
    pub values: Vec<f64>,
}

impl<'a> Simulation<'a> {
    /// Creates a run of `protocol` with `sigma` = 1 that records only the final error.
    pub fn new(protocol: &'a Protocol) -> Self {
        Self {
            protocol,
            sigma: 1.0,
            errors_every: 0,
            observer: None,
            target: None,
            watcher: Watcher::default(),
        }
    }

    /// Sets the receiver of progress reports.
    pub fn watched(mut self, progress: &'a dyn Progress) -> Self {
        self.watcher = Watcher(progress);
        self
    }

    /// Sets the standard deviation of noise where the protocol has `s_t = 1`; at least 0.
    pub fn sigma(mut self, sigma: f64) -> Self {
        self.sigma = sigma;
        self
    }

    /// Records the error at times 0, `every`, 2 `every`, ... and at the end; 0 for the end only.
    /// Each takes a pass over all values.
    pub fn recording_errors(mut self, every: usize) -> Self {
        self.errors_every = every;
        self
    }

    /// Records the messages that reach `observer` from outside.
    pub fn recording_messages_to(mut self, observer: Observer) -> Self {
        self.observer = Some(observer);
        self
    }

    /// Measures errors against `target`, one number per coordinate, instead of the mean of the
    /// inputs (of the rounds so far, added up).
    pub fn against(mut self, target: Vec<f64>) -> Self {
        self.target = Some(target);
        self
    }

    /// Runs the protocol on `inputs`: `width` numbers for each node (`inputs[v * width + k]`), and
    /// so on for each round after the first.
    ///
    /// # Errors
    /// [`FastError::WrongLength`], [`FastError::NotFinite`] (also for values that overflow),
    /// [`FastError::BadParameter`] for a bad sigma, [`FastError::NotApplicable`] for reacting nodes
    /// without a [target](Self::against), [`FastError::TooMuchMemory`] for too many messages, and
    /// [`FastError::Cancelled`].
    pub fn run(
        &self,
        inputs: &[f64],
        width: usize,
        noise: &dyn NoiseSource,
    ) -> Result<Outcome, FastError> {
        let protocol = self.protocol;
        let (steps, block) = (protocol.steps(), protocol.nodes().saturating_mul(width));
        checks::not_negative("sigma", self.sigma)?;
        checks::length("inputs", inputs.len(), block.saturating_mul(protocol.rounds()))?;
        self.check_record(width)?;
        let mut target = self.target.clone().unwrap_or_else(|| vec![0.0; width]);
        let g = protocol.acceleration().map(checks::float);
        let factors: Option<Vec<f64>> =
            protocol.reaction().map(|factors| factors.iter().copied().map(checks::float).collect());

        let mut state = GossipState::try_new(vec![0.0; block], width)?.accelerated(g)?;
        let mut rounds = inputs.chunks_exact(block);
        for inputs in rounds.clone() {
            checks::finite("input", inputs, width)?;
        }
        // The gossip matrix of the last network, with its index in the schedule.
        let mut known: Option<(usize, SparseWeights)> = None;
        let (mut errors, mut messages) = (Vec::new(), Vec::new());
        for t in 0..steps {
            self.watcher.0.check(t, steps)?;
            if protocol.has_input(t) {
                state.restart();
                if let (Some(factors), true) = (&factors, t > 0) {
                    state.scale(factors)?;
                }
                let inputs = rounds.next().unwrap_or_default();
                state.inject(inputs)?;
                if self.target.is_none() {
                    let means = mean(inputs, width);
                    target.iter_mut().zip(means).for_each(|(sum, mean)| *sum += mean);
                }
            }
            state.add_draws(protocol, t, t, self.sigma, noise)?;
            if self.errors_every > 0 && t % self.errors_every == 0 {
                errors.push((t, state.error(&target)?));
            }
            if let Some(observer) = &self.observer {
                let senders = protocol.step(t).senders_to(observer.members());
                messages.extend(senders.into_iter().map(|from| Message {
                    step: t,
                    from,
                    values: state.value(from).to_vec(),
                }));
            }
            match protocol.step(t) {
                Step::EdgeAverage { edge: (u, v), .. } => state.average(u, v)?,
                Step::Network(network) => {
                    let index = match protocol.schedule() {
                        Schedule::Varying { each, .. } => t / each,
                        _ => 0,
                    };
                    let weights = match known.take().filter(|(at, _)| *at == index) {
                        Some((_, weights)) => weights,
                        None => SparseWeights::of_network(network)?,
                    };
                    state.mix(&weights)?;
                    known = Some((index, weights));
                }
            }
        }
        state.check_finite()?;
        errors.push((steps, state.error(&target)?));
        self.watcher.0.check(steps, steps)?;
        Ok(Outcome { values: state.into_values(), errors, messages })
    }

    /// Checks that the requested record is valid and fits into memory.
    fn check_record(&self, width: usize) -> Result<(), FastError> {
        match &self.target {
            Some(target) => {
                checks::length("coordinates of the target", target.len(), width)?;
                checks::finite("target", target, width)?;
            }
            None => checks::applies(
                self.protocol.reaction().is_none(),
                "the error against the mean of the inputs",
                "nodes that react do not average their inputs; give a target",
            )?,
        }
        if let Some(observer) = &self.observer {
            let count = self.protocol.messages_to(observer)?;
            let each = (size_of::<Message>() + width * size_of::<f64>()) as u128;
            memory::check(count as u128 * each, "record fewer steps or coordinates")?;
        }
        Ok(())
    }
}
