//! Designed plans: what they are for, the best one in time, and its place beside other protocols.

use crate::{
    Account, AccountBuilder, AccountError, Calibration, Knowledge, NoiseLaw, Observers, Protect,
    ProvedFor, Sources, Target, Terms, steps_to_mix,
};
use muffliato_design::{
    Design, DesignError, Ends, Options, Problem, Stop, Targets, WorstLoss, design,
};
use muffliato_fast::{Enclosure, GaussianPrivacy, Progress};
use muffliato_model::{Fraction, Graph, Network, Protocol, ProtocolSpec, check_steps};
use std::time::Instant;

/// Largest product of nodes and squared draws for which a plan is designed unasked, some seconds.
const MOST_WORK: f64 = 1e8;

/// The most products that the question of a missing node may take.
const MOST_MISSING_WORK: f64 = 1e11;

/// The part of the time that the solver may use; the rest is for the certificates.
const SOLVER_PART: f64 = 0.5;

/// Masks take longer to mix: the search for the number of steps begins with so many times the steps
/// of plain gossip.
const STEPS_OF_MASKS: usize = 3;

/// The part of the error that twice as many steps must save.
const WORTH_TWICE: f64 = 0.02;

/// The most times that the number of steps is doubled.
const MOST_DOUBLINGS: u32 = 5;

/// What a plan is designed for: Gaussian noise in real numbers, all nodes as sources and observers.
///
/// ```
/// use muffliato_account::{PlanBrief, Target, best_plan};
/// use muffliato_model::Network;
///
/// let brief = PlanBrief { steps: Some(40), ..PlanBrief::new(Target::new(1.0, 1e-6), 1.0) };
/// let problem = brief.problem(Network::metropolis("florentine".parse()?)?, &())?;
/// let (_, found, _) = brief.best(problem, 0.01, None, |_| {})?;
/// assert!(found.multiples_of_trusted().upper < 6.0); // LDP: 15
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct PlanBrief {
    /// The target.
    pub target: Target,
    /// The largest change of an input.
    pub sensitivity: f64,
    /// Epsilons of (source, observer) at the delta of the target. Other pairs then have none.
    pub pairs: Option<Vec<(usize, usize, f64)>>,
    /// The graph of the masks; the network if it is `None`.
    pub mask_graph: Option<Graph>,
    /// The number of nodes that observe together or are missing when noise is injected.
    pub coalition: usize,
    /// The number of steps. By default it is part of the search with masks, which cost no privacy
    /// with more steps; without secrets, the number that plain gossip takes to mix.
    pub steps: Option<usize>,
    /// Whether nodes share secrets. Without them a plan has noise at every step in place of masks.
    pub secrets: bool,
}

impl PlanBrief {
    /// Creates the brief with masks between neighbours, for single observers with nobody missing.
    pub fn new(target: Target, sensitivity: f64) -> Self {
        Self {
            target,
            sensitivity,
            pairs: None,
            mask_graph: None,
            coalition: 1,
            steps: None,
            secrets: true,
        }
    }

    /// Returns the noise of local differential privacy at the target, the unit of the plan.
    ///
    /// # Errors
    ///
    /// Fails if a parameter is out of range.
    pub fn sigma(&self) -> Result<f64, AccountError> {
        self.sigma_for(self.target.epsilon)
    }

    fn sigma_for(&self, epsilon: f64) -> Result<f64, AccountError> {
        let Target { delta, runs, .. } = self.target;
        let noise = ProvedFor::try_new(NoiseLaw::Gaussian, self.sensitivity, 1)?.repeated(runs);
        noise.sigma_for(runs as f64, epsilon, delta, self.sensitivity)
    }

    /// Returns the question of the solver on a network.
    ///
    /// # Errors
    ///
    /// Fails if a parameter is out of range, if no pair has a target, and if the problem is too
    /// large.
    pub fn problem(
        &self,
        network: Network,
        progress: &dyn Progress,
    ) -> Result<Problem, AccountError> {
        if !network.graph().is_connected() {
            let reason = "a plan is for gossip that reaches every node; take a connected graph";
            return Err(AccountError::NoPlan { reason });
        }
        let sigma = self.sigma()?;
        let targets = self.targets(network.graph(), sigma)?;
        let steps = match self.steps {
            Some(steps) => steps,
            None => {
                let plain = ProtocolSpec::default();
                let sensitivity = self.sensitivity;
                let times = if self.secrets { STEPS_OF_MASKS } else { 1 };
                times * steps_to_mix(&plain, &network, false, sensitivity, sigma, progress)?
            }
        };
        check_steps(1, steps)?;
        let mut problem = Problem::new(network, steps)?;
        problem = match &self.mask_graph {
            _ if !self.secrets => problem.without_secrets()?,
            Some(graph) => problem.with_mask_graph(graph.clone())?,
            None => problem,
        };
        Ok(problem.with_targets(targets)?.with_coalitions(self.coalition)?)
    }

    /// Returns the target losses in units of that of LDP with noise `sigma`, rounded down.
    fn targets(&self, graph: &Graph, sigma: f64) -> Result<Targets, AccountError> {
        let loss_at = |epsilon: f64| {
            if epsilon == self.target.epsilon {
                return Ok(Fraction::ONE);
            }
            let ratio = (sigma / self.sigma_for(epsilon)?).next_down();
            let loss = fraction_below((ratio * ratio).next_down());
            let expected = "it is too far from the epsilon of the target; give one that is nearer";
            loss.ok_or_else(|| AccountError::bad("an epsilon", epsilon, expected))
        };
        if let Some(pairs) = &self.pairs {
            let target = |&(u, v, epsilon): &(usize, usize, f64)| {
                Ok::<_, AccountError>((u, v, loss_at(epsilon)?))
            };
            return Ok(Targets::Pairs(pairs.iter().map(target).collect::<Result<_, _>>()?));
        }
        let least = match self.target.protect {
            Protect::All => 1,
            Protect::Distance(least) => least.max(1),
            Protect::Mean => return Err(AccountError::MeanIsNoPromise),
        };
        if least > 1
            && let Some(farthest) = graph.diameter()
            && farthest < least
        {
            return Err(AccountError::NoPair { from: least, farthest });
        }
        let near = self.target.neighbour_epsilon.map(loss_at).transpose()?;
        // The epsilon of neighbours is for all pairs.
        let far = match near {
            Some(near) if self.target.neighbour_epsilon < Some(self.target.epsilon) => near,
            _ => Fraction::ONE,
        };
        let list: Vec<_> = std::iter::repeat_n(near, least - 1).chain([Some(far)]).collect();
        Ok(match least {
            1 => Targets::All(far),
            _ => Targets::ByDistance(list),
        })
    }

    /// Computes what one more missing node costs; `time_for` says whether there is time for so many
    /// evaluations of the plan.
    ///
    /// # Errors
    ///
    /// Fails if the plan is for another problem.
    pub fn one_missing(
        &self,
        problem: &Problem,
        found: &Design,
        time_for: impl Fn(f64) -> bool,
    ) -> Result<OneMissing, AccountError> {
        let nodes = problem.mask_graph().nodes();
        let size = problem.coalition();
        if !self.secrets {
            let reason = "without masks the others gossip differently, which --took-place of account accounts for";
            return Ok(OneMissing::NotAsked(reason));
        }
        if size + 2 > nodes {
            return Ok(OneMissing::NotAsked("there is no node to spare"));
        }
        let sets = (0..size).fold(1.0, |sets, k| sets * (nodes - k) as f64 / (k + 1) as f64);
        if sets * (nodes as f64).powi(4) > MOST_MISSING_WORK {
            return Ok(OneMissing::NotAsked("the graph is too large to ask"));
        }
        if !time_for(nodes as f64) {
            return Ok(OneMissing::NotAsked("the time is too short to ask"));
        }
        let worst = problem.worst_loss_if_one_is_missing(found.plan())?;
        let Some(WorstLoss { ratio, loss, source, observers }) = worst else {
            return Ok(OneMissing::NotAsked("no target is touched"));
        };
        let loss = (loss * self.target.runs as f64).next_up();
        let epsilon = if loss.is_finite() {
            let loss = Enclosure::exact(loss);
            GaussianPrivacy::of_leakage(&loss, self.sensitivity, self.sigma()?)?
                .epsilon_upper(self.target.delta)?
        } else {
            f64::INFINITY
        };
        Ok(OneMissing::Worst { within_target: ratio <= 1.0, epsilon, source, observers })
    }
}

/// The cost of one more missing node, which takes its noise along.
#[derive(Clone, Debug, PartialEq)]
pub enum OneMissing {
    /// There is no node to spare, the graph is too large, or the time was up.
    NotAsked(&'static str),
    /// The pair with the largest loss relative to its target.
    Worst {
        /// `true` if its target holds all the same.
        within_target: bool,
        /// Its epsilon, rounded up; infinite without a bound.
        epsilon: f64,
        /// Its source.
        source: usize,
        /// Its observers.
        observers: Vec<usize>,
    },
}

impl PlanBrief {
    /// Finds the best plan in time, for the problem of this brief. Returns it with the problem that
    /// it solves, whose number of steps may be larger, and whether the time was too short for the
    /// gap. `progress` receives the two ends, in multiples of a trusted aggregator's error.
    ///
    /// Unless they are given, the steps are doubled until the same plan with twice as many would
    /// save less than two percent.
    ///
    /// # Errors
    ///
    /// [`AccountError::OutOfTime`] if no plan was certified in time, and those of [`design`].
    pub fn best(
        &self,
        mut problem: Problem,
        gap: f64,
        deadline: Option<Instant>,
        mut progress: impl FnMut(Ends),
    ) -> Result<(Problem, Design, bool), AccountError> {
        let (mut found, mut late) = best_plan(&problem, gap, deadline, &mut progress)?;
        if self.steps.is_some() || !self.secrets {
            return Ok((problem, found, late));
        }
        let mut doubled = 0;
        while !late && doubled < MOST_DOUBLINGS {
            let error = |steps: usize| {
                let longer = problem.clone().with_steps(steps);
                Ok::<f64, AccountError>(longer.error(&longer.costs()?, found.plan()))
            };
            let (mut steps, mut now) = (problem.steps(), found.ends().upper);
            while doubled < MOST_DOUBLINGS {
                let twice = match check_steps(1, 2 * steps) {
                    Ok(()) => error(2 * steps),
                    Err(_) => break,
                };
                let Ok(twice) = twice else { break };
                if twice > (1.0 - WORTH_TWICE) * now {
                    break;
                }
                (steps, now, doubled) = (2 * steps, twice, doubled + 1);
            }
            if steps == problem.steps() {
                break;
            }
            let longer = problem.clone().with_steps(steps);
            match best_plan(&longer, gap, deadline, &mut progress) {
                Ok((better, is_late)) if better.ends().upper < found.ends().upper => {
                    (problem, found, late) = (longer, better, is_late);
                }
                Err(error) if !matches!(error, AccountError::OutOfTime { .. }) => {
                    return Err(error);
                }
                _ => late = true,
            }
        }
        Ok((problem, found, late))
    }
}

/// Finds the best plan for a number of steps, and whether the time was too short for the gap. `progress` receives
/// the two ends, in multiples of a trusted aggregator's error.
///
/// # Errors
///
/// [`AccountError::OutOfTime`] if no plan was certified in time, and those of [`design`].
pub fn best_plan(
    problem: &Problem,
    gap: f64,
    deadline: Option<Instant>,
    progress: impl FnMut(Ends),
) -> Result<(Design, bool), AccountError> {
    if !(gap > 0.0 && gap.is_finite()) {
        let expected = "it must be positive and finite, such as 0.01";
        return Err(AccountError::bad("the gap", gap, expected));
    }
    let now = Instant::now();
    let solver_end = |end: Instant| now + end.saturating_duration_since(now).mul_f64(SOLVER_PART);
    let options = Options { gap, deadline: deadline.map(solver_end) };
    let found = design(problem, &options, progress);
    let late = options.deadline.is_some_and(|end| Instant::now() >= end);
    match found {
        Err(DesignError::NotCertified) if late => {
            Err(AccountError::OutOfTime { done: 0, of: problem.mask_graph().nodes() })
        }
        found => {
            let found = found?;
            let late = found.stop() == Stop::Deadline && found.ends().gap() > gap;
            Ok((found, late))
        }
    }
}

/// Returns the standard deviation of a draw of a plan, rounded up.
pub fn deviation(sigma: f64, variance: Fraction) -> f64 {
    if variance.is_zero() {
        return 0.0;
    }
    let above = variance.to_f64().next_up().next_up();
    (sigma * above.sqrt().next_up()).next_up()
}

/// A designed plan with the noise that the accountant finds for it.
#[derive(Clone, Debug)]
pub struct Designed {
    /// The calibration of the plan.
    pub found: Calibration,
    /// The question of the solver.
    pub problem: Problem,
    /// The plan with its proofs.
    pub plan: Design,
    /// The cost of one missing node.
    pub missing: OneMissing,
    /// `true` if the time was too short for the gap.
    pub late: bool,
}

impl Account<'_> {
    /// Designs the plan for a target on the network of this averaging protocol, and calibrates it.
    /// Unless a plan is asked for, graphs on which that takes more than some seconds are refused.
    ///
    /// # Errors
    ///
    /// [`AccountError::NoPlan`] if a plan does not apply to the question, and errors of the account
    /// and of the solver.
    pub fn designed(
        &self,
        target: &Target,
        sensitivity: f64,
        terms: &Terms,
    ) -> Result<Designed, AccountError> {
        let plain = self.protocol();
        let Terms { masks: search, secrets, .. } = terms;
        let secrets = *secrets;
        let refused = |reason| Err(AccountError::NoPlan { reason });
        if let Some(reason) = self.no_plan(target) {
            return refused(reason);
        }
        let Some(network) = plain.fixed_network() else {
            return refused("a plan is for a fixed graph");
        };
        let masks = search.graph.as_ref().unwrap_or(network.graph());
        let nodes = plain.nodes();
        let draws = if secrets { nodes + masks.edge_count() } else { nodes * plain.steps() };
        if !terms.designs_at_any_size && nodes as f64 * (draws as f64).powi(2) > MOST_WORK {
            return Err(AccountError::PlanTakesLong);
        }
        let brief = PlanBrief {
            mask_graph: search.graph.clone(),
            steps: search.keeps_steps.then_some(plain.steps()),
            secrets,
            ..PlanBrief::new(*target, sensitivity)
        };
        let problem = brief.problem(network.clone(), &self.watcher())?;
        let deadline = self.settings.deadline;
        let (problem, plan, late) = brief.best(problem, terms.gap, deadline, |_| {})?;
        let planned = Protocol::one_shot(network.clone(), problem.steps())?;
        let planned = planned.with_plan(plan.plan().clone())?;
        let account = self.settings().protocol(&planned);
        let account = if secrets { account.closed_forms() } else { account }.build()?;
        let found = account.calibrate(target, sensitivity)?;
        let missing = match deadline {
            Some(_) => OneMissing::NotAsked("the time is limited"),
            None => brief.one_missing(&problem, &plan, |_| true)?,
        };
        Ok(Designed { found, problem, plan, missing, late })
    }

    /// Explains why no plan applies to this question; `None` if one does.
    pub fn no_plan(&self, target: &Target) -> Option<&'static str> {
        let AccountBuilder { observers, sources, knowledge, .. } = &self.settings;
        let all = matches!(observers, Observers::All | Observers::Auto)
            && *sources == Sources::All
            && *knowledge == Knowledge::Full;
        Some(match () {
            () if target.protect == Protect::Mean => "a plan is for pairs, and not for the mean",
            () if !all => "a plan is for all nodes and single observers that forget nothing",
            () if self.noise.law() != NoiseLaw::Gaussian => {
                "a plan is for Gaussian noise in real numbers, and not on a grid"
            }
            () if self.protocol().acceleration().is_some() => {
                "a plan is for gossip without acceleration"
            }
            () => return None,
        })
    }
}

/// Returns the largest fraction of 24 bits that is not above a positive float; `None` if it is out
/// of range.
fn fraction_below(value: f64) -> Option<Fraction> {
    let exponent = value.log2().floor();
    if !(-60.0..=60.0).contains(&exponent) {
        return None;
    }
    let shift = exponent as i32 - 24;
    let digits = (value * 2_f64.powi(-shift)).floor() as i128;
    if shift < 0 {
        Fraction::try_new(digits, 1 << -shift).ok()
    } else {
        Fraction::try_new(digits << shift, 1).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_are_rounded_down() {
        for value in [1e-12, 0.3, 1.0, 7.123_456_789_f64, 123_456_789.0, 1e17] {
            let target = fraction_below(value).unwrap();
            let float = target.numerator() as f64 / target.denominator() as f64;
            assert!(float <= value && float > value * (1.0 - 1e-7), "{value}");
        }
        assert!(fraction_below(1e40).is_none() && fraction_below(0.0).is_none());
    }

    /// A missing node may expose a neighbour, whose target is larger than that of others, and in
    /// two runs twice.
    #[test]
    fn a_missing_node_is_judged_by_the_target_of_its_pair_and_all_runs() {
        let network = Network::metropolis("path:5".parse().unwrap()).unwrap();
        let epsilon_of = |runs, neighbour_epsilon| {
            let protect = Protect::Distance(2);
            let target = Target { runs, protect, neighbour_epsilon, ..Target::new(1.0, 1e-6) };
            let brief = PlanBrief { steps: Some(20), ..PlanBrief::new(target, 1.0) };
            let problem = brief.problem(network.clone(), &()).unwrap();
            let (_, plan, _) = brief.best(problem.clone(), 0.01, None, |_| {}).unwrap();
            let missing = brief.one_missing(&problem, &plan, |_| true).unwrap();
            let worst = problem.worst_loss_if_one_is_missing(plan.plan()).unwrap().unwrap();
            (missing, worst.loss)
        };
        let (alone, loss) = epsilon_of(1, Some(5.0));
        let OneMissing::Worst { epsilon, .. } = alone else { panic!("{alone:?}") };
        let sigma = PlanBrief::new(Target::new(1.0, 1e-6), 1.0).sigma().unwrap();
        let exact = GaussianPrivacy::of_leakage(&Enclosure::exact(loss), 1.0, sigma).unwrap();
        assert!(epsilon >= exact.epsilon_upper(1e-6).unwrap());
        let (twice, _) = epsilon_of(2, Some(5.0));
        let OneMissing::Worst { epsilon: again, .. } = twice else { panic!("{twice:?}") };
        assert!((again / epsilon - 1.0).abs() < 0.05, "{again} {epsilon}");
    }
}
