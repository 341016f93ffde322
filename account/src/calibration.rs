//! The smallest noise that meets a target.

use crate::account::NANOSECONDS_AN_HOUR;
use crate::{
    Account, AccountBuilder, AccountError, Formulas, Knowledge, Loss, Maximum, NoiseGain, NoiseLaw,
    Number, ObserverReport, Pair, ProvedFor, Sample, ScheduleBound, Schedules, Summary,
    number::at_most,
};
use muffliato_fast::FastError;
use muffliato_model::{Fraction, Graph, Protocol, UniformNoise};
use std::{collections::HashMap, fmt, str::FromStr};

/// The pairs that a target is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Protect {
    /// Every pair.
    All,
    /// The mean over the sources, for each observer. It promises nothing to a single pair.
    Mean,
    /// Pairs at this distance or farther.
    Distance(usize),
}

impl FromStr for Protect {
    type Err = AccountError;

    fn from_str(text: &str) -> Result<Self, AccountError> {
        let far = text.strip_prefix("distance>=").map(str::parse);
        match (text, far) {
            ("all", _) => Ok(Self::All),
            ("mean", _) => Ok(Self::Mean),
            (_, Some(Ok(distance))) => Ok(Self::Distance(distance)),
            _ => {
                let expected = "it must be all, mean or distance>=K with a whole number K, such as 'distance>=2'";
                Err(AccountError::bad("whom to protect", format!("{text:?}"), expected))
            }
        }
    }
}

impl fmt::Display for Protect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::All => f.write_str("all pairs"),
            Self::Mean => f.write_str("the mean over the sources of each observer"),
            Self::Distance(distance) => write!(f, "pairs at distance {distance} or more"),
        }
    }
}

/// A privacy target.
///
/// ```
/// use muffliato_account::{Account, Observers, Protect, Target};
/// use muffliato_model::{Network, Protocol};
///
/// let protocol = Protocol::one_shot(Network::metropolis("karate".parse()?)?, 4)?.refreshed("0.3".parse()?)?;
/// let account = Account::of(&protocol).build()?;
/// let target = Target { protect: Protect::Distance(2), ..Target::new(1.0, 1e-6) };
/// let found = account.calibrate(&target, 1.0)?;
/// let sigma = found.sigma()?;
/// assert!(found.largest.clone().promised()?.at(sigma, 1.0)?.delta(1.0)? <= 1e-6);
/// // Neighbours are not protected.
/// assert!(found.neighbour_epsilon > 1.0);
///
/// // A sample of the observers makes no promise.
/// let sample = account.settings().observers(Observers::Sample(8)).build()?.calibrate(&target, 1.0)?;
/// assert!(sample.sigma().is_err() && sample.sigma_for_those_seen() <= sigma);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Target {
    /// The epsilon.
    pub epsilon: f64,
    /// The delta.
    pub delta: f64,
    /// The pairs that the target is for.
    pub protect: Protect,
    /// The epsilon for all pairs, including neighbours, at the same delta.
    pub neighbour_epsilon: Option<f64>,
    /// The number of runs with new noise and the same inputs; losses add up.
    pub runs: usize,
}

impl Target {
    /// Creates the target (epsilon, delta) for every pair and one run.
    pub fn new(epsilon: f64, delta: f64) -> Self {
        Self { epsilon, delta, protect: Protect::All, neighbour_epsilon: None, runs: 1 }
    }

    /// Returns the smallest sigma at which this loss and that of neighbours meet the target.
    fn sigma(
        &self,
        loss: &Number,
        neighbours: &Number,
        noise: ProvedFor,
        sensitivity: f64,
    ) -> Result<f64, AccountError> {
        let sigma_for = |loss: &Number, epsilon: f64| {
            let upper = loss.times(self.runs).upper();
            noise.repeated(self.runs).sigma_for(upper, epsilon, self.delta, sensitivity)
        };
        let sigma = sigma_for(loss, self.epsilon)?;
        match self.neighbour_epsilon {
            Some(epsilon) => Ok(sigma.max(sigma_for(neighbours, epsilon)?)),
            None => Ok(sigma),
        }
    }
}

/// The noise that a protocol needs.
#[derive(Clone, Debug)]
pub struct Calibration {
    /// The protocol.
    pub protocol: Protocol,
    /// The largest loss of the pairs that the target is for, or the largest mean.
    pub largest: Maximum,
    /// The guaranteed epsilon against a neighbour: that of local differential privacy or, with
    /// masks, of the largest loss of all pairs.
    pub neighbour_epsilon: f64,
    /// The estimated expected error, for averaging.
    pub expected_error: Option<f64>,
    /// The expected errors of local differential privacy and of a trusted aggregator at the same
    /// target, for averaging.
    pub baselines: Option<(f64, f64)>,
    /// The taus that were tried, if a search was made.
    pub tried: Option<Tried>,
    /// The taus or kappas that were not tried before the [deadline](AccountBuilder::deadline). One of them
    /// may have a smaller error.
    pub untried: Vec<Fraction>,
    /// The kind of bound, if it holds [for every schedule](Account::of_every).
    pub every: Option<ScheduleBound>,
    /// `true` if sources or observers were named. Others may lose or learn more.
    pub named: bool,
    sigma: f64,
    /// The index of the observer with the largest loss.
    pub(crate) worst: usize,
    /// The lower end of the largest loss of the pairs that the target is for.
    lower: f64,
}

/// The taus that were tried.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tried {
    /// The number of taus.
    pub count: usize,
    /// The smallest.
    pub smallest: f64,
    /// The largest.
    pub largest: f64,
    /// `true` if the best of them is the smallest or the largest.
    pub at_edge: bool,
}

impl Calibration {
    /// Returns the sizes of fresh noise and masks; none for a noise plan.
    pub fn sizes(&self) -> UniformNoise {
        self.protocol.uniform().unwrap_or_default()
    }

    /// Returns the noise that meets the target.
    ///
    /// # Errors
    ///
    /// [`AccountError::Sampled`] if not all observers were looked at.
    pub fn sigma(&self) -> Result<f64, AccountError> {
        match self.largest.sample() {
            Some(Sample { observers, of, .. }) => Err(AccountError::Sampled { observers, of }),
            None => Ok(self.sigma),
        }
    }

    /// Returns the noise that is enough for the observers that were examined. It may be too small
    /// for others.
    pub fn sigma_for_those_seen(&self) -> f64 {
        self.sigma
    }

    /// Returns `true` if the deadline cut the search short. The target is met, but the error may
    /// not be the smallest.
    pub fn is_partial(&self) -> bool {
        !self.untried.is_empty()
    }

    /// Returns the objective of a search: the expected error, or sigma if it is unknown.
    pub(crate) fn objective(&self) -> f64 {
        self.expected_error.unwrap_or(self.sigma)
    }
}

/// The choices of a search for the best masks.
#[derive(Clone, Debug, Default)]
pub struct MaskSearch {
    /// The graph of the masks; the network if it is `None`.
    pub graph: Option<Graph>,
    /// `true` if the number of steps of the protocol is kept.
    pub keeps_steps: bool,
}

/// The state of a search for the best tau.
#[derive(Default)]
struct Search {
    /// The taus whose losses were computed, with the lower ends of their largest losses.
    seen: Vec<(f64, f64)>,
    /// The observer with the largest loss in the last evaluation.
    worst: usize,
}

impl Search {
    fn record(&mut self, tau: f64, found: &Calibration) {
        self.seen.push((tau, found.lower));
        self.worst = found.worst;
    }

    /// Returns a lower bound on the largest loss at a tau: a smaller tau loses at least as much as
    /// a larger one.
    fn loss_lower_bound(&self, tau: f64) -> f64 {
        let larger = self.seen.iter().filter(|(seen, _)| *seen >= tau);
        larger.map(|seen| seen.1).fold(0.0, f64::max)
    }

    /// Calibrates one tau; `None` if its objective certainly exceeds `bar`.
    fn evaluate(
        &mut self,
        account: &Account<'_>,
        target: &Target,
        sensitivity: f64,
        gain: Option<&NoiseGain>,
        bar: Option<f64>,
    ) -> Result<Option<Calibration>, AccountError> {
        let protocol = account.protocol();
        let tau = tau_of(protocol);
        if let Some(bar) = bar {
            let worse = |lost: f64| -> Result<bool, AccountError> {
                let lost = at_most(lost);
                // With masks, neighbours lose at least as much as others but not everything.
                let nearest = match account.settings.masks() {
                    Some(_) => lost.clone(),
                    None => at_most(account.question().local),
                };
                let sigma = target.sigma(&lost, &nearest, account.noise, sensitivity)?;
                Ok(gain.map_or(sigma, |gain| gain.error(sigma, tau, sensitivity)) > bar)
            };
            if worse(self.loss_lower_bound(tau))?
                || worse(self.loss_to_worst(account, target.protect)?)?
            {
                return Ok(None);
            }
        }
        let found = account.candidate(target, sensitivity, gain)?;
        self.record(tau, &found);
        Ok(Some(found))
    }

    /// Returns a lower bound on the loss to the worst observer so far.
    fn loss_to_worst(&self, account: &Account<'_>, protect: Protect) -> Result<f64, AccountError> {
        let report = account.report(self.worst)?;
        Ok(protect.lost(&report, account.protocol().nodes(), Loss::lower))
    }
}

/// Largest estimated time of a calibration, in hours.
const MOST_HOURS: f64 = 2.0;

/// Largest number of matrix entries for which the expected error is computed, some minutes.
const MOST_GAIN: f64 = 5e9;

/// Taus are tried from `1/(FARTHEST sqrt(n))` up to 1.
const FARTHEST: f64 = 16.0;

/// Returns the size of uniform fresh noise; 0 without it, and for a noise plan.
fn tau_of(protocol: &Protocol) -> f64 {
    protocol.uniform().ok().and_then(|sizes| sizes.tau).map_or(0.0, Fraction::to_f64)
}

impl Account<'_> {
    /// Computes the smallest noise with which this protocol meets a target, for inputs that change
    /// by at most `sensitivity`. For gradient descent this holds for loss functions with
    /// [Lipschitz](AccountBuilder::lipschitz) steps, with masks for any. All observers are examined unless
    /// a sample was requested.
    ///
    /// # Errors
    ///
    /// [`AccountError::TooMuchWork`] if it takes hours, and errors of the account.
    pub fn calibrate(
        &self,
        target: &Target,
        sensitivity: f64,
    ) -> Result<Calibration, AccountError> {
        let account = self.for_calibration().build()?;
        account.allow(1.0)?;
        account.candidate(target, sensitivity, account.gain()?.as_ref())
    }

    /// Calibrates the protocol with fresh noise of the tau that has the smallest expected error of
    /// those tried: powers of 2 up to 1, then smaller factors around the best. A tau is skipped as
    /// soon as a lower bound on its loss, from a larger tau or a single observer, shows that it is
    /// worse.
    ///
    /// After the deadline, returns the best tau so far and names [the
    /// others](Calibration::untried).
    ///
    /// # Errors
    ///
    /// [`AccountError::OutOfTime`] if no tau was finished, and those of [`Account::calibrate`].
    pub fn calibrate_tau(
        &self,
        target: &Target,
        sensitivity: f64,
    ) -> Result<Calibration, AccountError> {
        let account = self.for_calibration().build()?;
        let gain = account.gain()?;
        let middle = 1.0 / (self.protocol().nodes() as f64).sqrt();
        let lowest = -FARTHEST.log2();
        let highest = (1.0 / middle).log2().ceil();
        account.allow(highest - lowest + 5.0)?;
        let mut tried: Vec<Fraction> = Vec::new();
        let mut untried: Vec<Fraction> = Vec::new();
        let mut best: Option<(f64, Calibration)> = None;
        let mut search = Search::default();
        let mut exponents: Vec<f64> = (lowest as i32..=highest as i32).map(f64::from).collect();
        // From the middle, so that most others are skipped early.
        exponents.sort_by(|a, b| a.abs().total_cmp(&b.abs()));
        for step in [0.0, 0.5, 0.25] {
            if let (Some((at, _)), true) = (&best, step > 0.0) {
                exponents = vec![at - step, at + step];
            }
            for &exponent in &exponents {
                // Two digits make a short fraction.
                let tau = (middle * 2_f64.powf(exponent)).min(1.0);
                let tau: Fraction = format!("{tau:.1e}").parse().unwrap_or(Fraction::ONE);
                if tried.contains(&tau) || untried.contains(&tau) {
                    continue;
                }
                if !untried.is_empty() {
                    untried.push(tau);
                    continue;
                }
                let protocol = self.protocol().clone().refreshed(tau)?;
                let candidate = account.settings().protocol(&protocol).build()?;
                let bar = best.as_ref().map(|(_, best)| best.objective());
                let found = search.evaluate(&candidate, target, sensitivity, gain.as_ref(), bar);
                let found = match found {
                    Err(error) if best.is_some() && account.is_late(&error) => {
                        untried.push(tau);
                        continue;
                    }
                    found => found?,
                };
                tried.push(tau);
                if let Some(found) = found
                    && bar.is_none_or(|bar| found.objective() < bar)
                {
                    best = Some((exponent, found));
                }
            }
        }
        let Some((_, mut found)) = best else {
            return account.candidate(target, sensitivity, gain.as_ref());
        };
        let taus = tried.iter().map(|tau| tau.to_f64());
        let (smallest, largest) =
            (taus.clone().fold(f64::INFINITY, f64::min), taus.fold(0.0, f64::max));
        let chosen = tau_of(&found.protocol);
        found.tried = Some(Tried {
            count: tried.len(),
            smallest,
            largest,
            at_edge: untried.is_empty() && (chosen == smallest || chosen == largest),
        });
        found.untried = untried;
        Ok(found)
    }

    /// Calibrates this averaging protocol with masks of the size, and for the number of steps, that
    /// have the smallest expected error of those tried: powers of 2 for kappa, and up to three
    /// times as many steps, since large masks take longer to mix. Fewer steps are preferred within
    /// one percent. Losses are those of the largest number of steps: fewer steps reveal no more.
    ///
    /// After the deadline, returns the best size so far.
    ///
    /// # Errors
    ///
    /// [`AccountError::TooLongSearch`] if the expected errors take hours;
    /// [`FastError::NotApplicable`] unless the protocol is one round on a fixed network without
    /// fresh noise; and an error if the mask graph has other nodes.
    pub fn calibrate_masks(
        &self,
        target: &Target,
        sensitivity: f64,
        search: &MaskSearch,
    ) -> Result<Calibration, AccountError> {
        let protocol = self.protocol();
        let plain = protocol.uniform().is_ok() && !protocol.is_refreshed();
        let (Some(network), 1, true, None) =
            (protocol.fixed_network(), protocol.rounds(), plain, self.settings.every)
        else {
            return Err(AccountError::Fast(FastError::NotApplicable {
                formula: "the best size of masks",
                reason: "it is searched for averaging on a fixed network; name it, as in masked:3",
            }));
        };
        // Closed forms for the largest number of steps hold for fewer steps too.
        let account = self.for_calibration().closed_forms().build()?;
        let of_steps = |steps: usize| {
            let plain = Protocol::one_shot(network.clone(), steps)?;
            match protocol.acceleration() {
                Some(g) => plain.accelerated(g),
                None => Ok(plain),
            }
        };
        let masked = |plain: Protocol, kappa| match &search.graph {
            Some(graph) => plain.masked_on(graph.clone(), kappa),
            None => plain.masked(kappa),
        };
        let (least_steps, most_steps) = if search.keeps_steps {
            (protocol.steps(), protocol.steps())
        } else {
            (1, 3 * protocol.steps())
        };
        let longest = of_steps(most_steps)?;
        let unit = masked(longest.clone(), Fraction::ONE)?;
        // One thread mixes three vectors for every node: three products in two nanoseconds.
        let shared = search.graph.as_ref().map_or(0, Graph::edge_count);
        let (nodes, edges) = (unit.nodes(), network.graph().edge_count().max(shared));
        let work = 2.0 * nodes as f64 * unit.steps() as f64 * (nodes + 2 * edges) as f64;
        let hours = work / NANOSECONDS_AN_HOUR;
        if hours > MOST_HOURS {
            return Err(AccountError::TooLongSearch { nodes, hours });
        }
        let gains = self.in_time(nodes, NoiseGain::by_step(&unit, &self.watcher()))?;
        let mut best: Option<(f64, usize, Calibration)> = None;
        let mut untried = Vec::new();
        for exponent in -1..=10 {
            let kappa = match exponent {
                -1 => Fraction::try_new(1, 2).unwrap_or(Fraction::ONE),
                exponent => Fraction::integer(1 << exponent),
            };
            if !untried.is_empty() {
                untried.push(kappa);
                continue;
            }
            let longest = masked(longest.clone(), kappa)?;
            let found = account.settings().protocol(&longest).build();
            let found = found.and_then(|account| account.candidate(target, sensitivity, None));
            let mut found = match found {
                Err(error) if best.is_some() && account.is_late(&error) => {
                    untried.push(kappa);
                    continue;
                }
                found => found?,
            };
            let error = |steps: usize| {
                let gain = gains[steps].with_kappa(kappa.to_f64());
                gain.error(found.sigma, 0.0, sensitivity)
            };
            let least = (least_steps..gains.len()).map(error).fold(f64::INFINITY, f64::min);
            let steps = (least_steps..gains.len()).find(|&steps| error(steps) <= 1.01 * least);
            let steps = steps.unwrap_or(gains.len() - 1);
            let expected = error(steps);
            if best.as_ref().is_some_and(|(best, ..)| *best <= expected) {
                continue;
            }
            found.expected_error = Some(expected);
            best = Some((expected, steps, found));
        }
        let Some((_, steps, mut found)) = best else {
            return Err(AccountError::StepsUnknown);
        };
        let kappa = found.protocol.uniform().ok().and_then(|sizes| sizes.kappa);
        let kappa = kappa.unwrap_or(Fraction::ONE);
        found.protocol = masked(of_steps(steps)?, kappa)?;
        found.untried = untried;
        found.baselines = Some(self.baselines(target, sensitivity)?);
        Ok(found)
    }

    /// Computes the expected errors of local differential privacy and of a trusted aggregator at
    /// the same target. A group of k changes k noisy inputs by Delta each, and the sum by k Delta.
    ///
    /// # Errors
    ///
    /// Fails if a parameter is out of range.
    pub fn baselines(&self, target: &Target, sensitivity: f64) -> Result<(f64, f64), AccountError> {
        let (inputs, nodes) = (self.inputs(), self.protocol().nodes() as f64);
        let sigma = self.local_sigma(target, sensitivity)?;
        let half = sigma * sigma / 2.0;
        Ok((half / nodes, half * inputs as f64 / nodes / nodes))
    }

    /// Computes the noise with which local differential privacy meets the target. Everybody sees the
    /// same, so the epsilon of neighbours is for all.
    ///
    /// # Errors
    ///
    /// Fails if a parameter is out of range.
    pub fn local_sigma(&self, target: &Target, sensitivity: f64) -> Result<f64, AccountError> {
        let local = at_most(self.inputs() as f64);
        target.sigma(&local, &local, self.noise, sensitivity)
    }

    /// Returns the losses by distance, and the observer with the largest loss of protected pairs.
    fn summary_and_worst(&self, protect: Protect) -> Result<(Summary, usize), AccountError> {
        if self.bounds_all_at_once() {
            return Ok((self.summary()?, 0));
        }
        let nodes = self.protocol().nodes();
        let lost = |towards: &ObserverReport| {
            (protect.lost(towards, nodes, Loss::upper), towards.observer)
        };
        let (mut most, mut worst) = (0.0, 0);
        let (summary, found) = self.summed(lost, |(lost, observer)| {
            if lost > most {
                (most, worst) = (lost, observer);
            }
        })?;
        found?;
        Ok((summary, worst))
    }

    /// Returns the settings with losses that can be guaranteed, without formulas, and with every
    /// node as observer by default.
    fn for_calibration(&self) -> AccountBuilder<'_> {
        let settings = self.settings().promising().formulas(Formulas::NONE);
        // Masks hold for any loss functions.
        let settings = match self.settings.masks() {
            Some(_) => settings.any_losses(),
            None => settings,
        };
        settings.every_observer()
    }

    fn allow(&self, times: f64) -> Result<(), AccountError> {
        let hours = self.hours()? * times;
        if hours <= MOST_HOURS {
            return Ok(());
        }
        Err(AccountError::TooMuchWork {
            observers: self.question().observers.len(),
            hours,
            remedy: "take fewer steps, name the observers, or calibrate for a sample of them, which promises nothing about the others",
        })
    }

    /// Returns the noise gain of the protocol, or of the drawn schedule; `None` if it takes too
    /// long.
    fn gain(&self) -> Result<Option<NoiseGain>, AccountError> {
        let drawn = self.settings.every.map(Schedules::drawn);
        let protocol = drawn.unwrap_or(self.protocol());
        let (nodes, steps) = (protocol.nodes() as f64, protocol.steps() as f64);
        // On a changing graph the fresh noise of each step is followed separately.
        let work = match (protocol.fixed_network(), protocol.is_refreshed()) {
            (None, true) => nodes * nodes * steps * steps,
            _ => nodes * nodes * steps,
        };
        match protocol.rounds() {
            1 if work <= MOST_GAIN => {
                let gain = NoiseGain::of(protocol, &self.watcher());
                Ok(Some(self.in_time(protocol.nodes(), gain)?))
            }
            _ => Ok(None),
        }
    }

    /// Returns the kind of bound behind a largest loss of `upper` for every schedule.
    fn schedule_bound(&self, protect: Protect, upper: f64) -> Option<ScheduleBound> {
        let schedules = self.settings.every?;
        let gaussian = self.noise.law() == NoiseLaw::Gaussian;
        let passage = gaussian && schedules.first_passage(self.protocol()).is_some();
        Some(match (self.settings.masks(), passage) {
            _ if upper >= self.question().local => ScheduleBound::Local,
            (Some(_), true) => ScheduleBound::Smaller,
            (Some(_), false) => ScheduleBound::Masks,
            (None, true) => ScheduleBound::FirstPassage,
            (None, false) if protect == Protect::Mean && gaussian => ScheduleBound::Messages,
            (None, false) => ScheduleBound::Local,
        })
    }

    fn candidate(
        &self,
        target: &Target,
        sensitivity: f64,
        gain: Option<&NoiseGain>,
    ) -> Result<Calibration, AccountError> {
        let protocol = self.protocol();
        let (summary, worst) = self.summary_and_worst(target.protect)?;
        let largest = target.protect.largest(&summary)?;
        // A neighbour learns everything, unless masks or sums hide it and no nodes were named.
        let hidden =
            self.settings.masks().is_some() || self.question().conditions.view == Knowledge::Sum;
        let neighbours = match summary.largest(0)?.promised() {
            Ok(all) if hidden && self.is_about_all() => all,
            _ => summary.local(),
        };
        let (lost, nearest) = (largest.bound.number(), neighbours.number());
        let sigma = target.sigma(lost, nearest, self.noise, sensitivity)?;
        let tau = tau_of(protocol);
        let neighbour_epsilon = if sigma > 0.0 {
            let neighbours = neighbours.repeated(target.runs);
            neighbours.at(sigma, sensitivity)?.epsilon(target.delta)?
        } else {
            f64::INFINITY
        };
        let baselines = self.baselines(target, sensitivity)?;
        Ok(Calibration {
            every: self.schedule_bound(target.protect, largest.upper()),
            untried: Vec::new(),
            named: !self.is_about_all(),
            protocol: protocol.clone(),
            largest,
            neighbour_epsilon,
            expected_error: gain.map(|gain| gain.error(sigma, tau, sensitivity)),
            baselines: gain.map(|_| baselines),
            tried: None,
            sigma,
            worst,
            lower: target.protect.lower(&summary)?,
        })
    }

    /// Computes the largest mean, over all nodes u, of the delta of u against an observer at the
    /// target's epsilon, rounded up.
    ///
    /// # Errors
    ///
    /// Fails if a parameter is out of range, and for errors of the account.
    pub fn mean_delta(
        &self,
        target: &Target,
        sigma: f64,
        sensitivity: f64,
    ) -> Result<f64, AccountError> {
        let nodes = self.protocol().nodes() as f64;
        let mean = |towards: ObserverReport| -> Result<f64, AccountError> {
            let mut known: HashMap<u64, f64> = HashMap::new();
            let mut sum = 0.0_f64;
            for pair in &towards.pairs {
                let delta = match known.get(&pair.promised_upper().to_bits()) {
                    Some(&delta) => delta,
                    None => {
                        let promised = pair.guarantee().repeated(target.runs);
                        let delta = promised.at(sigma, sensitivity)?.delta(target.epsilon)?;
                        known.insert(pair.promised_upper().to_bits(), delta);
                        delta
                    }
                };
                sum = (sum + delta).next_up();
            }
            Ok((sum / nodes).next_up())
        };
        let mut largest = 0.0_f64;
        let account = self.for_calibration().build()?;
        account.each(mean, |mean| {
            largest = largest.max(mean?);
            Ok(())
        })?;
        Ok(largest)
    }
}

impl Protect {
    /// Returns the smallest distance of the protected pairs; `None` for a mean.
    pub(crate) fn least_distance(self) -> Option<usize> {
        match self {
            Self::All => Some(0),
            Self::Mean => None,
            Self::Distance(from) => Some(from),
        }
    }

    /// Returns the largest end of the protected losses to one observer, or their mean over all
    /// nodes.
    fn lost(self, towards: &ObserverReport, nodes: usize, end: impl Fn(&Loss) -> f64) -> f64 {
        let Some(from) = self.least_distance() else {
            let sum: f64 = towards.pairs.iter().map(|pair| end(&pair.loss)).sum();
            return sum / nodes as f64 * (1.0 - 1e-12);
        };
        let far = |pair: &&Pair| pair.distance.is_none_or(|distance| distance >= from);
        let protected = towards.pairs.iter().filter(far);
        protected.map(|pair| end(&pair.loss)).fold(0.0, f64::max)
    }

    /// Returns the largest guaranteed bound of the protected pairs, or the largest mean.
    ///
    /// # Errors
    ///
    /// Fails if there is no such pair, and for the mean of some sources.
    pub fn largest(self, summary: &Summary) -> Result<Maximum, AccountError> {
        match self.least_distance() {
            Some(from) => summary.largest(from),
            None => summary.largest_mean(),
        }
    }

    /// Returns the lower end of the largest loss of the protected pairs; 0 for a mean.
    fn lower(self, summary: &Summary) -> Result<f64, AccountError> {
        match self.least_distance() {
            Some(from) => Ok(summary.largest_loss(from)?.lower()),
            None => Ok(0.0),
        }
    }
}
