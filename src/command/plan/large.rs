//! Graphs that are too large for the solver: the covering plan with a floor, bounded by trees.

use super::super::input::Loaded;
use super::super::output::{Report, fields, write_json};
use super::super::session::{NothingFinished, Session};
use super::super::table::{aligned, counted};
use super::PlanCommand;
use super::report::{Planned, covering_json, covering_text};
use muffliato::fast::{FastError, MaskedBounds, Progress};
use muffliato::prelude::*;
use muffliato::reference::decimal;
use muffliato_account::{rounded, rounded_up};
use muffliato_design::{Covering, LargePlan, LowerProof, NoisePlan, Problem, large_plan, to_json};
use serde_json::json;
use std::{io::Write, time::Instant};

/// Largest number of nodes of all trees around the sources.
const TREES: usize = 30_000_000;

/// Share of `--max-time` for the search; the rest is for the last certificate.
const SEARCH_PART: f64 = 0.7;

/// Says how the plan was found and what is certified.
const STATUS: &str = "The graph is too large for the solver: this is the covering plan with a floor, and no proof says how near it is to the best. That it meets the target is certified, by trees of the mask graph; its error is an estimate.";

/// The plan for a large graph, whose error is only estimated.
pub struct LargeReport<'a> {
    plan: &'a Planned<'a>,
    covering: Covering,
    found: &'a LargePlan,
}

impl PlanCommand {
    /// Finds and writes a plan for a graph that is too large for the solver.
    pub(super) fn large(
        &self,
        loaded: &Loaded,
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
        let plan = Planned { asked: self, loaded, sigma, problem, plan: &found.plan };
        let on_file = || {
            let unit = problem.least_target_exact().clone();
            let proof = LowerProof { unit, potentials: Vec::new() };
            to_json(problem, &found.plan, &proof, Some(plan.noise()))
        };
        let covering = Covering::of(problem.mask_graph());
        let report = LargeReport { plan: &plan, covering, found: &found };
        self.deliver(&plan, on_file, &report, node, !found.finished)
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

impl Report for LargeReport<'_> {
    fn table(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        let Self { plan, covering, found } = self;
        let nodes = plan.loaded.graph.nodes() as f64;
        write!(out, "{}", plan.introduction(&format!("{STATUS}\n"), "all"))?;
        let row = |name: &str, multiple: f64| {
            vec![name.into(), rounded(multiple), rounded(plan.error(multiple))]
        };
        let rows = [
            row("trusted aggregator", 1.0),
            row("covering plan (estimate)", found.estimate()),
            row("local (LDP), after many steps", nodes),
        ];
        write!(out, "{}", aligned("protocol,over trusted,error", &rows))?;
        writeln!(
            out,
            "\nThe average errs by at most {} times; finite steps add about {} more (standard error {}, from random probes). kappa is {}.\n{}",
            rounded_up(found.of_the_average),
            rounded(found.of_mixing.0),
            rounded(found.of_mixing.1),
            found.kappa,
            covering_text(covering),
        )?;
        if !found.finished {
            writeln!(out, "Partial: the time was up before the search was finished.")?;
        }
        writeln!(out, "{}", plan.sizes_text())?;
        writeln!(out, "\nThe target holds {}.", plan.asked.conditions())?;
        Ok(match found.estimate() < nodes {
            true => writeln!(
                out,
                "Recommendation: use this plan: every {} need a shared key, and the error is about {} times smaller than LDP's.",
                plan.asked.masks.mask_graph.partners(),
                rounded(nodes / found.estimate())
            ),
            false => writeln!(out, "Warning: no plan that was found is better than LDP."),
        }?)
    }

    fn json(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        let Self { plan, found, .. } = self;
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
            "block_bound": covering_json(&self.covering),
            "partial": !found.finished,
        };
        write_json(out, &plan.fields(fields))
    }

    fn csv(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        self.plan.csv(out)
    }
}
