//! The best noise plan for a graph, with a proof from both sides.
//!
//! In masked gossip every node adds noise of its own and every edge of a mask graph H a draw that its two ends share and that cancels in the sum. A [`NoisePlan`] gives each of these draws a variance. Given the weights and the number of
//! steps the error is linear in the variances, and the masked bound on the loss of u towards observers V is convex in them, so the cheapest plan that meets a target for every pair is found by convex optimisation. [`design`] finds it with an untrusted solver and
//! returns it with two certified ends: the plan's losses are bounded with directed rounding ([`Problem::check_plan`]), and potentials prove that no plan does better ([`muffliato_certificate::check_lower`]).
//!
//! ```
//! use muffliato_design::{Options, Problem, design, verify};
//! use muffliato_model::Network;
//!
//! let problem = Problem::new(Network::metropolis("karate".parse()?)?, 80)?;
//! let found = design(&problem, &Options::default(), |_| {})?;
//! let ends = found.multiples_of_trusted();
//! assert!(ends.lower > 3.2 && ends.upper < 3.3); // LDP: 34
//! assert_eq!(verify(&found.to_json(&problem)?)?, found.ends());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | what | where |
//! | --- | --- |
//! | weights, steps, mask graph, targets, coalitions | [`Problem`], [`Targets`] |
//! | what each draw costs | [`Costs`] |
//! | the variances | [`NoisePlan`] |
//! | the best plan with its proofs, its file, who is missing | [`design`], [`Design`], [`Stop`], [`verify`] |
//! | graphs of any size: leaf blocks | [`Covering`], [`large_plan`] |

mod blocks;
mod costs;
mod file;
mod fresh;
mod large;
mod problem;
mod solve;
mod upper;

pub use blocks::Covering;
pub use costs::Costs;
pub use file::{plan_on, read_design, read_noise, read_plan, to_json, verify};
pub use large::{LargePlan, large_plan};
pub use muffliato_certificate::{LowerProof, LowerRefusal, Potential};
pub use muffliato_model::NoisePlan;
pub use problem::{DesignError, Ends, Problem, Targets, WorstLoss};
pub use solve::Stop;

/// Functions that `muffliato-proofs` verifies; not part of the interface.
#[cfg(feature = "proofs")]
#[doc(hidden)]
pub mod cores {
    pub use crate::upper::Enclosed;
}

use muffliato_model::{Graph, threads};
use num_bigint::BigInt;
use num_rational::BigRational;
use serde::{Deserialize, Serialize};
use solve::{Iterate, Programme};
use std::time::Instant;

/// Costs below this part of a node's, which the solver raises to it; the proof from below holds potentials constant along such edges.
const LEAST_COST: f64 = 1e-11;
/// The least noise of a node, in units of `1 / r`: every residual then has a finite cost.
const LEAST_NOISE: f64 = 1e-8;
/// Potentials are whole multiples of this part of the target.
const GRID: f64 = (1_u64 << 40) as f64;

/// When to stop.
#[derive(Clone, Debug)]
pub struct Options {
    /// The gap between the two ends, relative to the lower one.
    pub gap: f64,
    /// The time at which the best plan so far is returned.
    pub deadline: Option<Instant>,
}

impl Default for Options {
    /// Returns a gap of 1 % and no deadline.
    fn default() -> Self {
        Self { gap: 0.01, deadline: None }
    }
}

/// The noise of LDP, of whose variance those of a plan are multiples, and the target that it meets: a loss of 1 has this epsilon at this delta.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LocalNoise {
    /// Its standard deviation.
    pub sigma: f64,
    /// The largest change of an input.
    pub sensitivity: f64,
    /// The target epsilon.
    pub epsilon: f64,
    /// The target delta.
    pub delta: f64,
}

/// A plan with its proofs.
#[derive(Clone, Debug, PartialEq)]
pub struct Design {
    plan: NoisePlan,
    proof: LowerProof,
    binding: Vec<(usize, Vec<usize>, f64)>,
    ends: Ends,
    trusted: f64,
    stop: Stop,
}

/// Finds a plan that is at most `options.gap` above the best one, if time allows, and proves both ends. `progress` receives the two ends (estimated, in multiples of a trusted aggregator's error) after each iteration.
///
/// What is left of the gap raises the smallest variances of nodes to a common floor: such a plan is less brittle when nodes are missing.
pub fn design(
    problem: &Problem,
    options: &Options,
    mut progress: impl FnMut(Ends),
) -> Result<Design, DesignError> {
    let costs = problem.costs()?;
    let programme = problem.programme(&costs)?;
    // Certifying costs a little of the gap.
    let (best, lower, stop) =
        programme.solve(0.9 * options.gap, options.deadline, |lower, upper| {
            progress(Ends { lower, upper });
        });
    let proofs = [potentials(problem, &programme, &costs, &lower), problem.floor()];
    let proofs = proofs.into_iter().flatten();
    let proved = proofs.map(|proof| problem.check_lower(&costs, &proof).map(|end| (end, proof)));
    let proved = proved.collect::<Result<Vec<_>, _>>()?;
    let highest = proved.into_iter().max_by(|a, b| a.0.total_cmp(&b.0));
    let (lower, proof) = highest.ok_or(LowerRefusal::Empty)?;
    let plan = round_plan(problem, &programme, &best, lower * (1.0 + options.gap))?;
    let upper = problem.check_plan(&costs, &plan)?;
    let trusted = problem.trusted_error();
    let binding = binding(problem, &proof);
    Ok(Design { plan, proof, binding, ends: Ends { lower, upper }, trusted, stop })
}

impl Design {
    /// Returns the plan.
    pub fn plan(&self) -> &NoisePlan {
        &self.plan
    }

    /// Returns the potentials that prove the lower end.
    pub fn proof(&self) -> &LowerProof {
        &self.proof
    }

    /// Returns why the solver stopped.
    pub fn stop(&self) -> Stop {
        self.stop
    }

    /// Returns the certified ends of the least error, in units of `sigma^2 / (2 n)`. The plan attains the upper one.
    pub fn ends(&self) -> Ends {
        self.ends
    }

    /// Returns the two ends in multiples of the error of a trusted aggregator that gives every pair the least target.
    pub fn multiples_of_trusted(&self) -> Ends {
        Ends {
            lower: (self.ends.lower / self.trusted).next_down(),
            upper: (self.ends.upper / self.trusted).next_up(),
        }
    }

    /// Returns the pairs (source, observers, part of the lower end) that keep every plan from costing less, the most important first.
    pub fn binding_pairs(&self) -> &[(usize, Vec<usize>, f64)] {
        &self.binding
    }
}

/// The part of each pair in what a proof gives, largest first: potentials gain their target.
fn binding(problem: &Problem, proof: &LowerProof) -> Vec<(usize, Vec<usize>, f64)> {
    let gain = |p: &Potential| {
        let target = problem.target_below(p.source, &p.observers).unwrap_or(0.0);
        (p.source, p.observers.clone(), p.multiplier as f64 * target)
    };
    let mut pairs: Vec<_> = proof.potentials.iter().map(gain).collect();
    let total: f64 = pairs.iter().map(|pair| pair.2).sum();
    pairs.iter_mut().for_each(|pair| pair.2 /= total);
    pairs.sort_by(|a, b| b.2.total_cmp(&a.2));
    pairs
}

/// Rounds a point of the solver to a plan that certainly meets the targets: variances scaled by the largest certified loss, those of nodes raised to a floor as far as the error stays below `limit`, rounded up to 24 bits.
fn round_plan(
    problem: &Problem,
    programme: &Programme,
    point: &Iterate,
    limit: f64,
) -> Result<NoisePlan, DesignError> {
    let n = programme.nodes;
    let trimmed = |(d, &x): (usize, &f64)| match d < n || !problem.secrets() {
        true => x.max(LEAST_NOISE),
        false if x < LEAST_NOISE => 0.0,
        false => x,
    };
    let variances: Vec<f64> = point.x.iter().enumerate().map(trimmed).collect();
    let worst = |v: usize| {
        let losses = programme.certified_losses(&variances, &programme.observers[v]);
        let shares = losses.iter().zip(&programme.targets[v]);
        shares.map(|(loss, target)| loss / target).fold(0.0, f64::max)
    };
    let sets = programme.observers.len();
    let worst = threads::in_order(sets, worst).into_iter().fold(0.0, f64::max);
    let factor = worst * (1.0 + 1e-9) / problem.least_target();
    if !factor.is_finite() {
        return Err(DesignError::NotCertified);
    }
    let mut variances: Vec<f64> = variances.iter().map(|x| x * factor).collect();
    let error: f64 = variances.iter().zip(&programme.cost).map(|(x, c)| x * c).sum();
    let budget = 0.9 * (limit * n as f64 - error);
    let cost_of_floor = |floor: f64| -> f64 {
        let raised = variances[..n].iter().zip(&programme.cost);
        raised.map(|(x, c)| (floor - x).max(0.0) * c).sum()
    };
    let (mut floor, mut high) = (0.0, budget.max(0.0));
    for _ in 0..60 {
        let middle = 0.5 * (floor + high);
        match cost_of_floor(middle) <= budget {
            true => floor = middle,
            false => high = middle,
        }
    }
    variances[..n].iter_mut().for_each(|x| *x = x.max(floor));
    let rounded = |x: &f64| problem::rounded_up(*x);
    let nodes = variances[..n].iter().map(rounded).collect::<Result<_, _>>()?;
    let shared = n + programme.edges.len();
    let masks = variances[n..shared].iter().map(rounded).collect::<Result<Vec<_>, _>>()?;
    let masks = programme.edges.iter().copied().zip(masks).collect();
    let fresh = variances[shared..].iter().map(rounded).collect::<Result<_, _>>()?;
    Ok(NoisePlan { nodes, masks, fresh })
}

/// The potentials of a point of the solver, on a grid: `y = r K e_u / K_uu`, held constant along edges that cost next to nothing. Without secrets they are the statistics of the messages, scaled alike. Pairs that add next to nothing are left out.
fn potentials(
    problem: &Problem,
    programme: &Programme,
    costs: &Costs,
    point: &Iterate,
) -> Option<LowerProof> {
    let n = programme.nodes;
    let total: f64 = point.multipliers.iter().flatten().sum();
    let least =
        1e-4 * total / point.multipliers.iter().flatten().filter(|l| **l > 0.0).count() as f64;
    let largest = point.multipliers.iter().flatten().fold(0.0_f64, |a, &b| a.max(b));
    let of_set = |v: usize| {
        let observers = &programme.observers[v];
        let sources = (0..n).filter(|&u| point.multipliers[v][u] > least);
        let on_grid = |source: usize, values: Vec<f64>, at_source: f64| {
            let target = programme.targets[v][source];
            let unit = target * GRID / at_source;
            let values = values.into_iter().map(|value| (unit * value).round() as i64);
            Potential {
                source,
                observers: observers.clone(),
                multiplier: (point.multipliers[v][source] / target / largest * GRID).ceil() as u64,
                values: values.enumerate().filter(|(_, value)| *value != 0).collect(),
            }
        };
        if let Some(gossip) = &programme.gossip {
            let run = gossip.filtered(&point.x, observers);
            let statistic = |u: usize| on_grid(u, gossip.messages(&run, u), run.losses[u]);
            return sources.map(statistic).collect::<Vec<_>>();
        }
        let inverse = programme.inverse(&point.x, observers);
        let cheap = programme.edges.iter().zip(&costs.masks).filter(|((a, b), cost)| {
            cost.0 * (n as f64) < LEAST_COST && !observers.contains(a) && !observers.contains(b)
        });
        let cheap = Graph::try_new(n, cheap.map(|(edge, _)| *edge));
        let classes = cheap.map_or(Vec::new(), |cheap| cheap.components());
        let potential = |u: usize| {
            let mut values = inverse[u * n..(u + 1) * n].to_vec();
            for class in &classes {
                let mean = class.iter().map(|&w| values[w]).sum::<f64>() / class.len() as f64;
                class.iter().for_each(|&w| values[w] = mean);
            }
            on_grid(u, values, inverse[u * n + u])
        };
        sources.map(potential).collect::<Vec<_>>()
    };
    let potentials = threads::in_order(programme.observers.len(), of_set).concat();
    let unit = problem.least_target_exact() / BigRational::from(BigInt::from(GRID as u64));
    (!potentials.is_empty()).then_some(LowerProof { unit, potentials })
}

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
