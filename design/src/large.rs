//! Plans for graphs that are too large for the solver.
//!
//! The [`Covering`] plan is what the best plan tends to with many steps and strong masks. Masks are finite, and bounds for large graphs see only so far; so every node gets at least a floor f of noise, and every mask one size `kappa = 2^k`. A caller bounds the
//! largest loss `l_u` of each source under this plan; a source above its target r gets the noise that it lacks, `1/r - 1/l_u`, because its own noise adds to the conductance `1 / l_u`, and nobody loses more by it. The floor and kappa with the least error
//! are taken. The result is bounded once more as a whole and scaled by the largest loss, so that nothing else of this needs to be trusted.

use crate::{Covering, DesignError, NoisePlan, Problem, Targets, costs::Weights, problem};
use muffliato_model::{Fraction, threads};
use num_traits::ToPrimitive;

/// Random sign vectors that estimate what has not been averaged away.
const PROBES: usize = 16;
/// The most products of a number that a probe may take.
const MAX_PROBE_WORK: f64 = 1e10;

/// A plan for a graph of any size.
#[derive(Clone, Debug, PartialEq)]
pub struct LargePlan {
    /// The variances; they meet the target as far as the bounds of the caller hold.
    pub plan: NoisePlan,
    /// The standard deviation of masks in multiples of LDP's noise at the target, before the last scaling.
    pub kappa: f64,
    /// The error of the average in multiples of a trusted aggregator's: the sum of the noise of all nodes, rounded up.
    pub of_the_average: f64,
    /// An estimate of what noise and masks add because the steps are finite, in the same units, with its standard error.
    pub of_mixing: (f64, f64),
    /// Whether the search was finished in time.
    pub finished: bool,
}

impl LargePlan {
    /// Returns the estimate of the error in multiples of a trusted aggregator's.
    pub fn estimate(&self) -> f64 {
        self.of_the_average + self.of_mixing.0
    }
}

/// Searches a plan for all pairs and single observers. `losses` returns a certified bound on the largest loss of each source under a plan, `None` when the time is up; so does this function if no plan was bounded in time. Its second argument says whether this is the last plan, which time must be kept for.
pub fn large_plan<E: From<DesignError>>(
    problem: &Problem,
    mut losses: impl FnMut(&NoisePlan, bool) -> Result<Option<Vec<f64>>, E>,
) -> Result<Option<LargePlan>, E> {
    let Targets::All(target) = *problem.targets() else {
        return Err(DesignError::LargeTargets.into());
    };
    if problem.coalition() > 1 || !problem.secrets() {
        return Err(DesignError::LargeTargets.into());
    }
    let search = Search::new(problem, target)?;
    let mut seen: Vec<((i32, i32), f64)> = Vec::new();
    let mut best: Option<(f64, (i32, i32), Vec<f64>)> = None;
    let mut late = false;
    let mut attempt = |at: (i32, i32), best: &mut Option<(f64, (i32, i32), Vec<f64>)>| {
        if late || seen.iter().any(|(known, _)| *known == at) {
            return Ok(());
        }
        let (mut own, masks) = search.start(at);
        let Some(bounds) = losses(&search.plan(&own, masks)?, false)? else {
            late = true;
            return Ok(());
        };
        for (own, bound) in own.iter_mut().zip(bounds) {
            *own += (1.0 - search.target / bound).max(0.0) * (1.0 + 1e-12);
        }
        let error = search.error(&own, masks);
        seen.push((at, error));
        if best.as_ref().is_none_or(|(least, ..)| error < *least) {
            *best = Some((error, at, own));
        }
        Ok::<(), E>(())
    };
    // Floors from about 1/n to 1, in factors of 8, then around the best, with masks that are larger or smaller.
    for floor in (0..=search.lowest).rev().step_by(6) {
        attempt((floor, search.masks), &mut best)?;
    }
    for step in [2, 1] {
        while let Some((error, (floor, masks), _)) = best.clone() {
            for at in [
                (floor - step, masks),
                (floor + step, masks),
                (floor, masks - 1),
                (floor, masks + 1),
            ] {
                attempt(at, &mut best)?;
            }
            if best.as_ref().is_some_and(|(least, ..)| *least >= error) {
                break;
            }
        }
    }
    let Some((_, at, own)) = best else {
        return Ok(None);
    };
    let masks = search.start(at).1;
    let mut plan = search.plan(&own, masks)?;
    let Some(bounds) = losses(&plan, true)? else {
        return Ok(None);
    };
    let worst = bounds.into_iter().fold(0.0, f64::max) / search.target * (1.0 + 1e-9);
    if !worst.is_finite() {
        return Err(DesignError::NotCertified.into());
    }
    for variance in plan.nodes.iter_mut().chain(plan.masks.iter_mut().map(|(_, x)| x)) {
        let scaled = (problem::above(*variance) * worst).next_up();
        *variance = problem::rounded_up(scaled).map_err(DesignError::from)?;
    }
    let own: Vec<f64> =
        plan.nodes.iter().map(|&x| (problem::above(x) * search.target).next_up()).collect();
    Ok(Some(LargePlan {
        plan,
        kappa: masks.sqrt(),
        of_the_average: own.iter().fold(0.0, |sum: f64, x| (sum + x).next_up()),
        of_mixing: search.of_mixing(&own, masks * worst),
        finished: !late,
    }))
}

/// What does not change between attempts. Variances are in units of `1 / r`.
struct Search<'a> {
    problem: &'a Problem,
    target: f64,
    covering: Vec<f64>,
    weights: Weights,
    /// What noise of variance 1 at all nodes and masks of variance 1 add beyond the average.
    unmixed: (f64, f64),
    /// The exponents to begin with: the lowest floor is `2^(-lowest/2)`, masks have `4^masks`.
    lowest: i32,
    masks: i32,
}

impl<'a> Search<'a> {
    fn new(problem: &'a Problem, target: Fraction) -> Result<Self, DesignError> {
        let graph = problem.network().graph();
        let nodes = graph.nodes();
        let covering = Covering::of(problem.mask_graph()).variances;
        let work = problem.steps() as f64 * (nodes + 2 * graph.edge_count()) as f64;
        if work > MAX_PROBE_WORK {
            return Err(DesignError::TooManySteps { steps: problem.steps() });
        }
        let mut search = Self {
            problem,
            target: problem::below(target),
            covering: covering.iter().map(|x| x.to_f64().unwrap_or(1.0)).collect(),
            weights: Weights::of(graph, problem.network().weights())?,
            unmixed: (0.0, 0.0),
            lowest: 2 * (nodes as f64).log2().ceil() as i32,
            masks: 0,
        };
        search.unmixed.0 = search.of_mixing(&vec![1.0; nodes], 0.0).0 / nodes as f64;
        search.unmixed.1 = search.of_mixing(&vec![0.0; nodes], 1.0).0;
        // Masks that cost as much as a trusted aggregator, to begin with.
        search.masks = (-0.5 * search.unmixed.1.max(1e-18).log2()).floor().clamp(-4.0, 25.0) as i32;
        Ok(search)
    }

    /// The variances of nodes and of masks for these exponents.
    fn start(&self, (floor, masks): (i32, i32)) -> (Vec<f64>, f64) {
        let floor = 2_f64.powf(-0.5 * f64::from(floor));
        (self.covering.iter().map(|x| x.max(floor)).collect(), 4_f64.powi(masks))
    }

    fn error(&self, own: &[f64], masks: f64) -> f64 {
        own.iter().sum::<f64>() * (1.0 + self.unmixed.0) + masks * self.unmixed.1
    }

    fn plan(&self, own: &[f64], masks: f64) -> Result<NoisePlan, DesignError> {
        let rounded = |x: f64| problem::rounded_up(x / self.target);
        let mask = rounded(masks)?;
        Ok(NoisePlan {
            nodes: own.iter().map(|&x| rounded(x)).collect::<Result<_, _>>()?,
            masks: self.problem.mask_graph().edges().map(|edge| (edge, mask)).collect(),
            fresh: Vec::new(),
        })
    }

    /// Estimates what draws with these variances add beyond the average, in multiples of a trusted aggregator's error, with its standard error.
    fn of_mixing(&self, own: &[f64], masks: f64) -> (f64, f64) {
        let nodes = own.len();
        let probe = |number: usize| {
            let mut random = Signs((number as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15));
            let mut state: Vec<f64> = own.iter().map(|x| random.next() * x.sqrt()).collect();
            for (a, b) in self.problem.mask_graph().edges() {
                let mask = random.next() * masks.sqrt();
                state[a] += mask;
                state[b] -= mask;
            }
            let mean = state.iter().sum::<f64>() / nodes as f64;
            state.iter_mut().for_each(|x| *x -= mean);
            for _ in 0..self.problem.steps() {
                state = self.weights.mixed(&state);
            }
            nodes as f64 * state.iter().map(|x| x * x).sum::<f64>()
        };
        let found = threads::in_order(PROBES, probe);
        let count = found.len() as f64;
        let mean = found.iter().sum::<f64>() / count;
        let square = found.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>();
        (mean, (square / (count * (count - 1.0))).sqrt())
    }
}

/// Random signs (SplitMix64).
struct Signs(u64);

impl Signs {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        if (z ^ (z >> 31)) & 1 == 0 { 1.0 } else { -1.0 }
    }
}
