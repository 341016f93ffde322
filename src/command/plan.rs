//! `muffliato plan`: the best noise for a graph, a size for every draw.

use super::atomic_file::save_text;
use super::input::{Acceleration, GossipArgs, GraphArgs, Loaded, help_on_graphs, node_named};
use super::output::OutputArgs;
use super::session::{Partial, Session};
use anyhow::{Context, bail};
use clap::Args;
use muffliato::prelude::*;
use muffliato_account::{AccountError, PlanBrief, Protect, rounded_up};
use muffliato_design::{Design, DesignError, LocalNoise, read_design, read_noise, to_json};
use std::time::{Duration, Instant};

mod large;
mod report;
mod target;
use report::{PlanReport, Planned};
pub use report::{binding_json, binding_text, gap_text, missing_text, status};
pub use target::TargetArgs;

/// Finds the best noise for a graph: a size for every node's noise and for every mask.
#[derive(Args)]
#[command(
    after_help = help_on_graphs(),
    after_long_help = format!("{EXAMPLES}\n{}", help_on_graphs()),
    mut_arg("steps", |argument| argument.help(
        "The number of gossip steps. With masks more steps cost no privacy, and auto doubles them as long as that saves \
         2 % of the error"
    ))
)]
pub struct PlanCommand {
    #[command(flatten)]
    graph: GraphArgs,
    #[command(flatten)]
    target: TargetArgs,
    #[command(flatten)]
    gossip: GossipArgs,
    #[command(flatten)]
    output: OutputArgs,
}

const EXAMPLES: &str = "\
Examples:
  muffliato plan karate --epsilon 1 --delta 1e-6 --steps 80
  muffliato plan karate --epsilon 1 --delta 1e-6 --mask-graph regular:4:seed=1
  muffliato plan karate --epsilon 1 --delta 1e-6 --secrets no --protect 'distance>=2' --steps 4
  muffliato plan florentine --epsilon 1 --delta 1e-6 --plan-for Pazzi
  muffliato plan karate --epsilon 1 --delta 1e-6 --plan-out plan.json
  muffliato verify plan.json
";

/// What a plan is designed for, and where it goes.
pub struct PlanRequest<'a> {
    /// The graph.
    pub loaded: &'a Loaded,
    /// What the noise has to meet.
    pub target: &'a TargetArgs,
    /// Steps and weights.
    pub gossip: &'a GossipArgs,
    /// Where the result goes.
    pub output: &'a OutputArgs,
}

/// The best of the uniform plans that were tried: one size for all nodes, and one for all masks or
/// for all fresh noise.
struct Uniform {
    /// The standard deviation of the noise of each node, rounded up.
    noise: f64,
    /// The size of masks (or of fresh noise) in multiples of it, a power of 2.
    others: f64,
    /// Its error in multiples of a trusted aggregator's.
    multiple: f64,
}

impl PlanCommand {
    /// Finds the plan and writes it.
    pub fn run(self, session: &Session) -> anyhow::Result<()> {
        self.output.check()?;
        self.target.check()?;
        let Self { graph, target, gossip, output } = &self;
        let loaded = graph.load(session)?;
        PlanRequest { loaded: &loaded, target, gossip, output }.run(session)
    }
}

impl PlanRequest<'_> {
    /// Finds the plan and writes it, for a target that was checked.
    pub fn run(&self, session: &Session) -> anyhow::Result<()> {
        let Self { loaded, target, gossip, .. } = self;
        if target.protect == Protect::Mean {
            bail!("--protect mean promises nothing to a pair; give all or 'distance>=K'");
        }
        if gossip.accelerate != Acceleration::Off {
            bail!("--accelerate: a plan is for gossip without acceleration; leave it out");
        }
        loaded.check_connected("a plan is for gossip that reaches every node")?;
        let graph = &loaded.graph;
        let node = target.plan_for.as_deref();
        let node = node.map(|name| node_named(graph, name).context("--plan-for")).transpose()?;
        let brief = target.brief(gossip, graph)?;
        let sigma = brief.sigma()?;
        let weights = gossip.weights.of(graph, session)?;
        let network = Network::try_new(graph.clone(), weights)?;
        let problem = brief.problem(network, &session.progress("spectral gap"))?;
        let bar = session.progress("plan");
        let found = brief.best(problem.clone(), target.gap / 100.0, session.deadline, |ends| {
            bar.show(&format!(
                "gap of {:.2} %, about {:.3} times the error of a trusted aggregator",
                100.0 * ends.gap(),
                ends.upper
            ));
        });
        drop(bar);
        let (problem, found, late) = match found {
            Err(AccountError::Design(DesignError::TooLarge { .. })) if target.secrets => {
                return self.large(&problem, sigma, node, session);
            }
            Err(AccountError::Design(DesignError::TooLarge { nodes, .. })) => bail!(
                "{nodes} nodes and {} steps are too many for a plan without secrets; take fewer --steps or a smaller graph",
                problem.steps()
            ),
            found => found?,
        };
        let plan = Planned { asked: self, sigma, problem: &problem, plan: found.plan() };
        let report = self.compared(&plan, &brief, &found, late, session)?;
        let on_file = || to_json(&problem, found.plan(), found.proof(), Some(target.noise(sigma)));
        self.deliver(&report, on_file, node, late)
    }

    /// Writes the plan to its file, and the report or the part of a node.
    fn deliver(
        &self,
        report: &PlanReport<'_>,
        on_file: impl FnOnce() -> Result<String, DesignError>,
        node: Option<usize>,
        late: bool,
    ) -> anyhow::Result<()> {
        if let Some(path) = &self.target.plan_out {
            save_text(path, &on_file()?)?;
        }
        match node {
            Some(node) => self.output.deliver(&report::NodePart { plan: report.plan, node })?,
            None => self.output.deliver(report)?,
        }
        anyhow::ensure!(
            !late,
            Partial("the time is up: the plan meets the target, and a better one may exist".into())
        );
        Ok(())
    }

    /// Compares a plan with one size for all draws and with LDP, as far as the time allows.
    fn compared<'a>(
        &self,
        plan: &'a Planned<'a>,
        brief: &PlanBrief,
        found: &Design,
        late: bool,
        session: &Session,
    ) -> anyhow::Result<PlanReport<'a>> {
        let problem = plan.problem;
        let costs = problem.costs()?;
        let trusted = problem.trusted_error();
        let local = problem.local_variances();
        let local = local.iter().zip(&costs.nodes).map(|(x, cost)| x * cost.1);
        let local = local.sum::<f64>() / trusted;
        let time_for = |evaluations: f64, one: Duration| {
            let needed = one.mul_f64(2.0 * evaluations);
            session
                .deadline
                .is_none_or(|end| end.saturating_duration_since(Instant::now()) > needed)
        };
        let mut one = Duration::ZERO;
        let mut uniform: Option<Uniform> = None;
        let least = if problem.secrets() { -10 } else { -24 };
        for exponent in (least..=24).step_by(2) {
            if !time_for(1.0, one) {
                break;
            }
            let start = Instant::now();
            let size = match exponent < 0 {
                true => Fraction::try_new(1, 1 << -exponent)?,
                false => Fraction::try_new(1 << exponent, 1)?,
            };
            let (worst, error) = problem.uniform(&costs, size)?;
            one = one.max(start.elapsed());
            let tried = Uniform {
                noise: (plan.sigma * worst.sqrt().next_up()).next_up(),
                others: 2_f64.powi(exponent / 2),
                multiple: worst * error / trusted,
            };
            if uniform.as_ref().is_none_or(|least| tried.multiple < least.multiple) {
                uniform = Some(tried);
            }
        }
        let missing = brief.one_missing(problem, found, |nodes| time_for(nodes, one))?;
        Ok(PlanReport::solved(plan, found, (uniform, local, missing), late))
    }
}

/// Returns `true` if a text is a plan on file and not a certificate.
pub fn is_plan(text: &str) -> bool {
    text.contains("\"potentials\"")
}

/// Checks both ends of a plan on file. Returns what holds, in words, or why it does not; `Err` if it is not a plan.
pub fn checked(text: &str) -> anyhow::Result<Result<String, String>> {
    let (problem, plan, _) = read_design(text)?;
    let noise = read_noise(text)?;
    if let Some(LocalNoise { sigma, sensitivity, epsilon, delta }) = noise {
        let local = GaussianPrivacy::of_leakage(&Enclosure::exact(1.0), sensitivity, sigma)?;
        let found = local.epsilon_upper(delta)?;
        if found > epsilon {
            return Ok(Err(format!(
                "a loss of 1 L has epsilon {} at sigma = {sigma}, sensitivity {sensitivity} and delta = {delta:e}, above the target {epsilon}",
                rounded_up(found)
            )));
        }
    }
    match muffliato_design::verify(text) {
        Ok(ends) => Ok(Ok(report::described(&problem, ends, noise))),
        Err(DesignError::TooLarge { .. }) => large::checked(&problem, &plan),
        Err(DesignError::Missed { source_node, observers, loss }) => {
            let name = |v: usize| problem.network().graph().label(v);
            let names: Vec<_> = observers.into_iter().map(name).collect();
            Ok(Err(format!(
                "{} may lose up to {} times its target to {}",
                name(source_node),
                rounded_up(loss),
                names.join(",")
            )))
        }
        Err(
            error @ (DesignError::Lower(_) | DesignError::NegativeVariance | DesignError::Shape),
        ) => Ok(Err(error.to_string())),
        Err(error) => Err(error.into()),
    }
}
