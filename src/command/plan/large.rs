//! Graphs that are too large for the solver: the covering plan with a floor, bounded by trees.

use super::super::output::fields;
use super::super::session::{NothingFinished, Session};
use super::super::table::counted;
use super::PlanRequest;
use super::report::{PlanReport, Planned, covering_json, covering_text};
use muffliato::fast::{FastError, MaskedBounds, Progress};
use muffliato::prelude::*;
use muffliato::reference::decimal;
use muffliato_account::{rounded, rounded_up};
use muffliato_design::{Covering, LargePlan, LowerProof, NoisePlan, Problem, large_plan, to_json};
use serde_json::json;
use std::time::Instant;

/// Largest number of nodes of all trees around the sources.
const TREES: usize = 30_000_000;

/// Share of `--max-time` for the search; the rest is for the last certificate.
const SEARCH_PART: f64 = 0.7;

/// Says how the plan was found and what is certified.
const STATUS: &str = "The graph is too large for the solver: this is the covering plan with a floor, and no proof says how near it is to the best. That it meets the target is certified, by trees of the mask graph; its error is an estimate.";

impl PlanRequest<'_> {
    /// Finds and writes a plan for a graph that is too large for the solver.
    pub(super) fn large(
        &self,
        problem: &Problem,
        sigma: f64,
        node: Option<usize>,
        session: &Session,
    ) -> anyhow::Result<()> {
        let now = Instant::now();
        let end = session
            .deadline
            .map(|end| now + end.saturating_duration_since(now).mul_f64(SEARCH_PART));
        let bar = session.progress("plan");
        let trees = Trees::of(problem)?;
        let found = large_plan(problem, |plan, last| {
            let in_time = |done, total| {
                bar.report(done, total) && (last || end.is_none_or(|end| Instant::now() < end))
            };
            match trees.losses(plan, &in_time) {
                Err(FastError::Cancelled) => Ok(None),
                losses => Ok::<_, anyhow::Error>(Some(losses?)),
            }
        })?;
        drop(bar);
        let too_short = NothingFinished("no plan was certified; give it more, or a smaller graph");
        let found = found.ok_or(too_short)?;
        let plan = Planned { asked: self, sigma, problem, plan: &found.plan };
        let on_file = || {
            let unit = problem.least_target_exact().clone();
            let proof = LowerProof { unit, potentials: Vec::new() };
            to_json(problem, &found.plan, &proof, Some(self.target.noise(sigma)))
        };
        self.deliver(&described(&plan, &found), on_file, node, !found.finished)
    }
}

/// Describes a plan for a large graph, whose error is only estimated.
fn described<'a>(plan: &'a Planned<'a>, found: &LargePlan) -> PlanReport<'a> {
    let nodes = plan.plan.nodes.len() as f64;
    let covering = Covering::of(plan.problem.mask_graph());
    let mut remarks = vec![
        format!(
            "\nThe average errs by at most {} times; finite steps add about {} more (standard error {}, from random probes). kappa is {}.",
            rounded_up(found.of_the_average),
            rounded(found.of_mixing.0),
            rounded(found.of_mixing.1),
            found.kappa,
        ),
        covering_text(&covering),
    ];
    if !found.finished {
        remarks.push("Partial: the time was up before the search was finished.".into());
    }
    remarks.extend([plan.sizes_text(), format!("\nThe target holds {}.", plan.conditions())]);
    remarks.push(match found.estimate() < nodes {
        true => format!(
            "Recommendation: use this plan: {}, and the error is about {} times smaller than LDP's.",
            plan.needs(),
            rounded(nodes / found.estimate())
        ),
        false => "Warning: no plan that was found is better than LDP.".into(),
    });
    let fields = fields! {
        "status": STATUS,
        "covering": json!({
            "over_trusted_estimate": found.estimate(),
            "error_estimate": plan.error(found.estimate()),
            "average_over_trusted_at_most": found.of_the_average,
            "mixing_over_trusted_estimate": found.of_mixing.0,
            "standard_error": found.of_mixing.1,
            "kappa": found.kappa,
        }),
        "block_bound": covering_json(&covering),
        "partial": !found.finished,
    };
    PlanReport {
        plan,
        status: format!("{STATUS}\n"),
        rows: vec![
            ("covering plan (estimate)".into(), found.estimate(), false),
            ("local (LDP), after many steps".into(), nodes, false),
        ],
        remarks,
        fields,
    }
}

/// Trees that bound the losses of plans for a problem.
pub struct Trees {
    protocol: Protocol,
    radius: usize,
}

impl Trees {
    /// Chooses trees as large as the time allows.
    pub fn of(problem: &Problem) -> anyhow::Result<Self> {
        let graph = problem.mask_graph();
        let nodes = graph.nodes();
        let count = nodes.min(64);
        let sample: Vec<usize> = (0..count).map(|k| k * nodes / count).collect();
        let distances: Vec<_> = sample.iter().map(|&u| graph.distances_from(u)).collect();
        let size = |radius: usize| {
            let near = distances.iter().flatten().filter(|d| d.is_some_and(|d| d <= radius));
            near.count() * (nodes / count)
        };
        let radius = (2..64).take_while(|&radius| size(radius) <= TREES).last().unwrap_or(1);
        let protocol = Protocol::one_shot(problem.network().clone(), problem.steps())?;
        Ok(Self { protocol, radius })
    }

    /// Bounds the largest loss of each source.
    pub fn losses(&self, plan: &NoisePlan, watch: &dyn Progress) -> Result<Vec<f64>, FastError> {
        let protocol = self.protocol.clone().with_plan(plan.clone())?;
        MaskedBounds::of(&protocol)?.watched(watch).largest_of_each(self.radius)
    }
}

/// Checks a plan on file for a large graph. Returns what holds, in words, or why it does not.
pub fn checked(problem: &Problem, plan: &NoisePlan) -> anyhow::Result<Result<String, String>> {
    let losses = Trees::of(problem)?.losses(plan, &())?;
    let target = problem.least_target();
    let worst = (0..losses.len()).max_by(|&u, &w| losses[u].total_cmp(&losses[w])).unwrap_or(0);
    if losses[worst] > target {
        return Ok(Err(format!(
            "{} may lose up to {} times its target to some observer",
            problem.network().graph().label(worst),
            rounded_up(losses[worst] / target)
        )));
    }
    Ok(Ok(format!(
        "on {} every source loses at most {} L towards every single observer, with Gaussian noise (real numbers) and nobody missing, after any number of steps. The graph is too large for a proof of the error; no plan on its mask graph has less than {} times that of a trusted aggregator.",
        counted(losses.len(), "node"),
        rounded_up(target),
        decimal::rounded_down(&Covering::of(problem.mask_graph()).total, 3),
    )))
}
