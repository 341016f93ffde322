//! Graphs that are too large for the solver: the covering plan with a floor, bounded by trees.

use super::super::atomic_file::write_file;
use super::super::input::Loaded;
use super::super::output::{Report, fields, write_json};
use super::super::session::{NothingFinished, Partial, Session};
use super::super::table::{aligned, counted};
use super::PlanCommand;
use super::report::{NodePart, Sizes, leaf_blocks};
use muffliato::fast::{FastError, MaskedBounds, Progress};
use muffliato::prelude::*;
use muffliato::reference::decimal;
use muffliato_account::{rounded, rounded_up};
use muffliato_design::{
    Covering, LargePlan, LocalNoise, LowerProof, NoisePlan, Problem, large_plan, to_json,
};
use serde_json::{Value, json};
use std::{io::Write, time::Instant};

/// The most nodes of all trees around the sources.
const TREES: usize = 30_000_000;

/// The part of the time of `--max-time` that the search may use; the rest is for the last certificate.
const SEARCH_PART: f64 = 0.7;

/// How the plan came about, and what is certified of it.
const STATUS: &str = "The graph is too large for the solver: this is the covering plan with a floor, and no proof says how near it is to the best. That it meets the target is certified, by trees of the mask graph; its error is an estimate.";

/// The plan for a large graph with what is told about it.
pub struct LargeReport<'a> {
    asked: &'a PlanCommand,
    loaded: &'a Loaded,
    sigma: f64,
    problem: &'a Problem,
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
        if let Some(path) = &self.plan_out {
            let unit = problem.least_target_exact().clone();
            let proof = LowerProof { unit, potentials: Vec::new() };
            let (sensitivity, epsilon, delta) = (self.sensitivity, self.epsilon, self.delta);
            let noise = LocalNoise { sigma, sensitivity, epsilon, delta };
            let text = to_json(problem, &found.plan, &proof, Some(noise))?;
            write_file(path, |out| Ok(writeln!(out, "{text}")?))?;
            session.note(&format!("wrote {}", path.display()));
        }
        let covering = Covering::of(problem.mask_graph());
        let report = LargeReport { asked: self, loaded, sigma, problem, covering, found: &found };
        match node {
            Some(node) => {
                let (sizes, steps) = (report.sizes(), problem.steps());
                self.output.deliver(&NodePart { asked: self, loaded, sizes, steps, node })?;
            }
            None => self.output.deliver(&report)?,
        }
        match found.finished {
            true => Ok(()),
            false => Err(Partial(
                "the time is up: the plan meets the target, and a better one may exist".into(),
            )
            .into()),
        }
    }
}

/// What bounds the losses of plans for a problem.
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

/// Checks a plan on file for a large graph: what holds in words, or why it does not.
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

impl LargeReport<'_> {
    fn sizes(&self) -> Sizes<'_> {
        Sizes { sigma: self.sigma, plan: &self.found.plan }
    }

    /// The error of noise that is so many times a trusted aggregator's.
    fn error(&self, multiple: f64) -> f64 {
        let nodes = self.loaded.graph.nodes() as f64;
        multiple * self.problem.trusted_error() * self.sigma * self.sigma / (2.0 * nodes)
    }
}

impl Report for LargeReport<'_> {
    fn table(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        let (asked, found, nodes) = (self.asked, self.found, self.loaded.graph.nodes());
        writeln!(
            out,
            "{}; {} weights, {}, {}.\n\
             {STATUS}\n\
             Target: ({}, {:e})-differential privacy for all. LDP takes noise of standard deviation {}.\n\
             Errors are those of the noise alone, for each coordinate.\n",
            self.loaded.described(),
            asked.weights,
            counted(self.problem.steps(), "step"),
            asked.mask_graph.described(),
            asked.epsilon,
            asked.delta,
            rounded_up(self.sigma),
        )?;
        let row = |name: &str, multiple: f64| {
            vec![name.into(), rounded(multiple), rounded(self.error(multiple))]
        };
        let rows = [
            row("trusted aggregator", 1.0),
            row("covering plan (estimate)", found.estimate()),
            row("local (LDP), after many steps", nodes as f64),
        ];
        write!(out, "{}", aligned("protocol,over trusted,error", &rows))?;
        writeln!(
            out,
            "\nThe average errs by at most {} times; finite steps add about {} more (standard error {}, from random probes). kappa is {}.\n\
             With any number of steps and masks of any size no plan on this mask graph costs less than {} times{}.",
            rounded_up(found.of_the_average),
            rounded(found.of_mixing.0),
            rounded(found.of_mixing.1),
            found.kappa,
            decimal::rounded_down(&self.covering.total, 3),
            leaf_blocks(&self.covering),
        )?;
        if !found.finished {
            writeln!(out, "Partial: the time was up before the search was finished.")?;
        }
        writeln!(out, "{}", self.sizes().described(self.problem))?;
        writeln!(out, "\nThe target holds {}.", asked.conditions())?;
        Ok(match found.estimate() < nodes as f64 {
            true => writeln!(
                out,
                "Recommendation: use this plan: every {} need a shared key, and the error is about {} times smaller than LDP's.",
                asked.mask_graph.partners(),
                rounded(nodes as f64 / found.estimate())
            ),
            false => writeln!(out, "Warning: no plan that was found is better than LDP."),
        }?)
    }

    fn json(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        let label = |v: usize| self.loaded.graph.label(v);
        let nodes: Vec<Value> = self
            .sizes()
            .nodes()
            .enumerate()
            .map(|(v, sd)| json!({"node": label(v), "standard_deviation": sd}))
            .collect();
        let masks: Vec<Value> = self.sizes().masks().into_iter()
            .map(|((a, b), sd)| json!({"adds": label(a), "subtracts": label(b), "standard_deviation": sd}))
            .collect();
        let found = self.found;
        let fields = fields! {
            "graph": self.loaded.json(),
            "weights": self.asked.weights.to_string(),
            "steps": self.problem.steps(),
            "mask_graph": self.asked.mask_graph.described(),
            "epsilon": self.asked.epsilon,
            "delta": self.asked.delta,
            "sensitivity": self.asked.sensitivity,
            "local_sigma": self.sigma,
            "trusted_error": self.error(1.0),
            "status": STATUS,
            "covering": json!({
                "over_trusted_estimate": found.estimate(),
                "error_estimate": self.error(found.estimate()),
                "average_over_trusted_at_most": found.of_the_average,
                "mixing_over_trusted_estimate": found.of_mixing.0,
                "standard_error": found.of_mixing.1,
                "kappa": found.kappa,
            }),
            "block_bound": json!({
                "over_trusted": self.covering.total.to_string(),
                "leaf_blocks": self.covering.leaf_blocks,
            }),
            "conditions": self.asked.conditions(),
            "partial": !found.finished,
            "nodes": nodes,
            "masks": masks,
        };
        write_json(out, &fields)
    }

    fn csv(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        self.sizes().csv(&self.loaded.graph, out)
    }
}
