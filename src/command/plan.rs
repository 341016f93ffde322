//! `muffliato plan`: the best noise for a graph, a size for every draw.

use super::atomic_file::{check_folder, write_file};
use super::input::{
    GraphArgs, Loaded, MaskGraph, Steps, Weights, bounded, help_on_graphs, node_named,
};
use super::output::OutputArgs;
use super::session::{NothingFinished, Partial, Session};
use anyhow::{Context, bail};
use clap::Args;
use muffliato::fast::GaussianPrivacy;
use muffliato::model::ProtocolSpec;
use muffliato::prelude::*;
use muffliato_account::{Protect, rounded_up, steps_to_mix};
use muffliato_design::{
    Costs, Covering, Design, DesignError, LocalNoise, NoisePlan, Options, Problem, Targets, design,
    read_design, read_noise,
};
use std::{
    fs,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

mod report;
pub use report::{binding_json, binding_text, gap_text, missing_text};

/// Finds the best noise for a graph: a size for every node's noise and for every mask.
#[derive(Args)]
#[command(
    after_help = help_on_graphs(),
    after_long_help = format!("{EXAMPLES}\n{}", help_on_graphs()),
)]
pub struct PlanCommand {
    #[command(flatten)]
    graph: GraphArgs,
    /// The epsilon to meet.
    #[arg(long, value_name = "E", allow_negative_numbers = true)]
    epsilon: f64,
    /// The delta to meet.
    #[arg(long, value_name = "D", allow_negative_numbers = true)]
    delta: f64,
    /// The most by which an input can change.
    #[arg(long, value_name = "DELTA", default_value_t = 1.0, allow_negative_numbers = true)]
    sensitivity: f64,
    /// The number of gossip steps. auto takes three times the steps after which the error of the inputs is that of LDP's noise,
    /// because masks take longer to mix.
    #[arg(long, value_name = "N|auto", default_value = "auto", allow_negative_numbers = true)]
    steps: Steps,
    /// The weights: metropolis, max-degree-inverse, lazy, lazy:SCHEME, or the path of a file with a gossip matrix
    /// (Matrix Market, a dense matrix, or edges with weights).
    #[arg(long, value_name = "SCHEME|FILE", default_value = "metropolis")]
    weights: Weights,
    /// Who shares keys: neighbours, complete (everybody with everybody), regular:D:seed=S (a random graph in which everybody shares D
    /// keys), or the path of a graph file with the same node names.
    #[arg(
        long,
        value_name = "neighbours|complete|regular:D:seed=S|FILE",
        default_value = "neighbours"
    )]
    mask_graph: MaskGraph,
    /// The pairs that the target covers: all, or those at a distance of K or more.
    #[arg(long, value_name = "all|distance>=K", default_value = "all")]
    protect: Protect,
    /// A file of targets, one pair a line: "source observer epsilon", or the same as CSV. Other pairs are not protected.
    #[arg(long, value_name = "FILE", conflicts_with = "protect")]
    targets: Option<PathBuf>,
    /// Meets the target against every coalition of C nodes (small graphs only).
    #[arg(long, value_name = "C", default_value_t = 1)]
    collude: usize,
    /// Meets the target even if any K nodes are missing when noise is added (small graphs only).
    #[arg(long, value_name = "K", default_value_t = 0)]
    missing: usize,
    /// How far above the lower bound the plan may be, in percent.
    #[arg(long, value_name = "PERCENT", default_value_t = 1.0, allow_negative_numbers = true)]
    gap: f64,
    /// Write the plan with both of its proofs, as JSON; muffliato verify checks it.
    #[arg(long, visible_alias = "certificate", value_name = "FILE", help_heading = "Output")]
    plan_out: Option<PathBuf>,
    /// Print this node's part alone: its noise, its neighbours and its masks.
    #[arg(long, value_name = "NODE", help_heading = "Output")]
    plan_for: Option<String>,
    #[command(flatten)]
    output: OutputArgs,
}

const EXAMPLES: &str = "\
Examples:
  muffliato plan karate --epsilon 1 --delta 1e-6 --steps 80
  muffliato plan karate --epsilon 1 --delta 1e-6 --mask-graph regular:4:seed=1
  muffliato plan florentine --epsilon 1 --delta 1e-6 --plan-for Pazzi
  muffliato plan karate --epsilon 1 --delta 1e-6 --plan-out plan.json
  muffliato verify plan.json
";

/// The most bytes of a file of targets.
const MAX_TARGET_BYTES: u64 = 1 << 26;

/// The most products that the question of a missing node may take.
const MAX_MISSING_WORK: f64 = 1e11;

/// The part of the time of `--max-time` that the solver may use; the rest is for the certificates.
const SOLVER_PART: f64 = 0.5;

/// The best of the uniform plans that were tried: one size for all nodes and one for all masks.
struct Uniform {
    /// The standard deviation of the noise of each node, rounded up.
    noise: f64,
    /// The size of masks in multiples of it, a power of 2.
    kappa: f64,
    /// Its error in multiples of a trusted aggregator's.
    multiple: f64,
}

/// What the best plan is compared with, and how brittle it is.
struct Beside {
    uniform: Option<Uniform>,
    /// The error of LDP in multiples of a trusted aggregator's.
    local: f64,
    missing: OneMissing,
}

/// What one more missing node costs.
pub enum OneMissing {
    /// There is no node to spare, the graph is too large, or the time was up.
    NotAsked(&'static str),
    /// The largest epsilon relative to its target, with the source and the observers.
    Worst { within_target: bool, epsilon: f64, source: usize, observers: Vec<usize> },
}

impl PlanCommand {
    /// Searches and writes.
    pub fn run(self, session: &Session) -> anyhow::Result<()> {
        self.output.check()?;
        self.plan_out.as_deref().map_or(Ok(()), check_folder)?;
        if self.epsilon == 0.0 {
            bail!(
                "--epsilon is 0, which asks that nobody learn anything, up to delta; give a positive number, such as 1"
            );
        }
        if !(self.gap > 0.0 && self.gap.is_finite()) {
            bail!("--gap is {}; give a positive percentage, such as 1", self.gap);
        }
        if self.collude == 0 {
            bail!("--collude is 0; give at least 1, a single observer");
        }
        let sigma = self.sigma_for(self.epsilon)?;
        let loaded = self.graph.load(session)?;
        loaded.check_connected("a plan is for gossip that reaches every node")?;
        let graph = &loaded.graph;
        let node = self.plan_for.as_deref();
        let node = node.map(|name| node_named(graph, name).context("--plan-for"));
        let node = node.transpose()?;
        let targets = self.targets(graph, sigma)?;
        let mask_graph = self.mask_graph.on(graph)?;
        let weights = self.weights.of(graph, session)?;
        let network = Network::try_new(graph.clone(), weights)?;
        let steps = self.steps_on(&network, sigma, session)?;
        let problem = Problem::new(network, steps).and_then(|problem| {
            problem
                .with_mask_graph(mask_graph.clone())?
                .with_targets(targets.clone())?
                .with_coalitions(self.collude.saturating_add(self.missing))
        });
        let found = problem.map_err(anyhow::Error::from).and_then(|problem| {
            let (found, late) = find(&problem, self.gap / 100.0, session)?;
            Ok((problem, found, late))
        });
        let (problem, found, late) = match found {
            Err(error)
                if error.is::<NothingFinished>()
                    || matches!(error.downcast_ref(), Some(DesignError::TooLarge { .. })) =>
            {
                return self.cover(&loaded, &mask_graph, sigma, &targets, error);
            }
            found => found?,
        };
        let beside = self.beside(&problem, &found, sigma, session)?;
        if let Some(path) = &self.plan_out {
            let (sensitivity, epsilon, delta) = (self.sensitivity, self.epsilon, self.delta);
            let noise = LocalNoise { sigma, sensitivity, epsilon, delta };
            let text = found.to_json_with(&problem, noise)?;
            write_file(path, |out| Ok(writeln!(out, "{text}")?))?;
            session.note(&format!("wrote {}", path.display()));
        }
        let report = report::PlanReport {
            asked: &self,
            loaded: &loaded,
            sigma,
            problem: &problem,
            found: &found,
            beside: &beside,
            late,
        };
        match node {
            Some(node) => self.output.deliver(&report::NodePart { report: &report, node })?,
            None => self.output.deliver(&report)?,
        }
        match late {
            true => Err(Partial(
                "the time is up: the plan meets the target, and a better one may exist".into(),
            )
            .into()),
            false => Ok(()),
        }
    }

    /// The smallest sigma with which one input alone has this epsilon: the noise of LDP.
    fn sigma_for(&self, epsilon: f64) -> anyhow::Result<f64> {
        let local = Enclosure::exact(1.0);
        Ok(calibrate_sigma(&local, self.sensitivity, epsilon, self.delta)?)
    }

    fn steps_on(&self, network: &Network, sigma: f64, session: &Session) -> anyhow::Result<usize> {
        match self.steps {
            Steps::Given(0) => bail!("--steps is 0; give at least 1 step"),
            Steps::Given(steps) => Ok(steps),
            Steps::Auto => {
                let bar = session.progress("spectral gap");
                let plain = ProtocolSpec::default();
                let sensitivity = self.sensitivity;
                Ok(3 * steps_to_mix(&plain, network, false, sensitivity, sigma, &bar)?)
            }
        }
    }

    /// The target losses in units of LDP's at `--epsilon`, rounded down.
    fn targets(&self, graph: &Graph, sigma: f64) -> anyhow::Result<Targets> {
        if let Some(path) = &self.targets {
            return self.targets_of(path, graph, sigma);
        }
        match self.protect {
            Protect::All | Protect::Distance(0 | 1) => Ok(Targets::All(Fraction::ONE)),
            Protect::Distance(least) => {
                let farthest = graph.diameter().unwrap_or(0);
                if farthest < least {
                    bail!(
                        "--protect distance>={least}: no two nodes are so far apart; the farthest are at {farthest}"
                    );
                }
                let near = std::iter::repeat_n(None, least - 1);
                Ok(Targets::ByDistance(near.chain([Some(Fraction::ONE)]).collect()))
            }
            Protect::Mean => {
                bail!("--protect mean guarantees nothing for a pair; give all or 'distance>=K'")
            }
        }
    }

    fn targets_of(&self, path: &Path, graph: &Graph, sigma: f64) -> anyhow::Result<Targets> {
        let name = path.display().to_string();
        let file = fs::File::open(path).with_context(|| format!("{name}: cannot be read"))?;
        let bytes = bounded(file, MAX_TARGET_BYTES, &name)?;
        let text = String::from_utf8(bytes).with_context(|| format!("{name}: not a text file"))?;
        let mut pairs = Vec::new();
        for (number, line) in text.lines().enumerate() {
            let at = || format!("{name}, line {}", number + 1);
            let cells = cells(line).with_context(at)?;
            if cells.is_empty() || cells == ["source", "observer", "epsilon"] {
                continue;
            }
            pairs.push(self.pair(&cells, graph, sigma).with_context(at)?);
        }
        if pairs.is_empty() {
            bail!("{name}: it has no targets; give lines such as: alice bob 1");
        }
        Ok(Targets::Pairs(pairs))
    }

    /// A source, an observer, and the loss at which the pair has its epsilon.
    fn pair(
        &self,
        cells: &[String],
        graph: &Graph,
        sigma: f64,
    ) -> anyhow::Result<(usize, usize, Fraction)> {
        let [source, observer, epsilon] = cells else {
            bail!("it has {} entries; give a source, an observer and an epsilon", cells.len());
        };
        let (u, v) = (node_named(graph, source)?, node_named(graph, observer)?);
        if u == v {
            bail!("{source} has no secret from itself; name two different nodes");
        }
        let epsilon = match epsilon.parse::<f64>() {
            Ok(epsilon) if epsilon > 0.0 && epsilon.is_finite() => epsilon,
            _ => bail!("the epsilon is {epsilon:?}; give a positive number, such as 1"),
        };
        if epsilon == self.epsilon {
            return Ok((u, v, Fraction::ONE));
        }
        let ratio = (sigma / self.sigma_for(epsilon)?).next_down();
        let target = fraction_below((ratio * ratio).next_down());
        let target = target.with_context(|| {
            format!("the epsilon {epsilon} is too far from --epsilon {}", self.epsilon)
        })?;
        Ok((u, v, target))
    }

    /// What the plan is compared with, as far as the time goes.
    fn beside(
        &self,
        problem: &Problem,
        found: &Design,
        sigma: f64,
        session: &Session,
    ) -> anyhow::Result<Beside> {
        let costs = problem.costs()?;
        let trusted = problem.trusted_error();
        let each = local_variances(problem);
        let local = each.iter().zip(&costs.nodes).map(|(x, cost)| x * cost.1);
        let mut uniform = None;
        let time_for = |evaluations: f64, one: Duration| {
            let needed = one.mul_f64(2.0 * evaluations);
            session
                .deadline
                .is_none_or(|end| end.saturating_duration_since(Instant::now()) > needed)
        };
        let mut one = Duration::ZERO;
        // Factors of 4 for kappa, then those of 2 beside the best.
        for stage in [(-8..=24).step_by(4).collect(), Vec::new()] {
            let near = uniform.as_ref().map(|(near, _): &(i32, Uniform)| *near);
            let beside = near.map(|near| vec![near - 2, near + 2]);
            for exponent in beside.unwrap_or(stage) {
                if !time_for(1.0, one) {
                    break;
                }
                let start = Instant::now();
                let (worst, error) = uniform_plan(problem, &costs, exponent)?;
                one = one.max(start.elapsed());
                let tried = Uniform {
                    noise: (sigma * worst.sqrt().next_up()).next_up(),
                    kappa: 2_f64.powi(exponent / 2),
                    multiple: worst * error / trusted,
                };
                let least = uniform.as_ref().map(|(_, least): &(i32, Uniform)| least.multiple);
                if least.is_none_or(|least| tried.multiple < least) {
                    uniform = Some((exponent, tried));
                }
            }
        }
        Ok(Beside {
            uniform: uniform.map(|(_, uniform)| uniform),
            local: local.sum::<f64>() / trusted,
            missing: one_missing(problem, found, (self.sensitivity, sigma, self.delta), |nodes| {
                time_for(nodes, one)
            })?,
        })
    }

    /// Says what the blocks of a mask graph prove that is too large for the solver.
    fn cover(
        &self,
        loaded: &Loaded,
        mask_graph: &Graph,
        sigma: f64,
        targets: &Targets,
        too_large: anyhow::Error,
    ) -> anyhow::Result<()> {
        if !matches!(targets, Targets::All(_)) || self.collude + self.missing > 1 {
            return Err(too_large.context(
                "the covering plan is for all pairs and single observers; leave --targets, --protect, --collude and --missing out",
            ));
        }
        if self.plan_out.is_some() || self.plan_for.is_some() {
            return Err(too_large.context(
                "there is no certified plan to write; leave --plan-out and --plan-for out",
            ));
        }
        let late = too_large.is::<NothingFinished>();
        self.output.deliver(&report::CoveringReport {
            asked: self,
            loaded,
            sigma,
            covering: Covering::of(mask_graph),
            late,
        })?;
        match late {
            true => Err(Partial(
                "the time is up before a plan was certified; this is the lower bound alone".into(),
            )
            .into()),
            false => Ok(()),
        }
    }
}

/// Finds the best plan in time, and whether the time was too short for the gap.
pub fn find(problem: &Problem, gap: f64, session: &Session) -> anyhow::Result<(Design, bool)> {
    let now = Instant::now();
    let solver_end = |end: Instant| now + end.saturating_duration_since(now).mul_f64(SOLVER_PART);
    let options = Options { gap, deadline: session.deadline.map(solver_end) };
    let bar = session.progress("plan");
    let found = design(problem, &options, |ends| {
        bar.show(&format!(
            "gap of {:.2} %, about {:.3} times the error of a trusted aggregator",
            100.0 * ends.gap(),
            ends.upper
        ));
    });
    drop(bar);
    let late = options.deadline.is_some_and(|end| Instant::now() >= end);
    match found {
        Err(DesignError::NotCertified) if late => {
            Err(NothingFinished("no plan was certified; allow more time, or take a smaller graph")
                .into())
        }
        found => {
            let found = found?;
            let late = late && found.ends().gap() > options.gap;
            Ok((found, late))
        }
    }
}

/// Returns what one more missing node costs at this sensitivity, sigma and delta.
pub fn one_missing(
    problem: &Problem,
    found: &Design,
    (sensitivity, sigma, delta): (f64, f64, f64),
    time_for: impl Fn(f64) -> bool,
) -> anyhow::Result<OneMissing> {
    let nodes = problem.mask_graph().nodes();
    let size = problem.coalition();
    if size + 2 > nodes {
        return Ok(OneMissing::NotAsked("there is no node to spare"));
    }
    let sets = (0..size).fold(1.0, |sets, k| sets * (nodes - k) as f64 / (k + 1) as f64);
    if sets * (nodes as f64).powi(4) > MAX_MISSING_WORK {
        return Ok(OneMissing::NotAsked("the graph is too large to ask"));
    }
    if !time_for(nodes as f64) {
        return Ok(OneMissing::NotAsked("the time is too short to ask"));
    }
    let worst = problem.worst_loss_if_one_is_missing(found.plan())?;
    let Some((ratio, source, observers)) = worst else {
        return Ok(OneMissing::NotAsked("no target is touched"));
    };
    let loss = (ratio * target_above(problem, source, &observers)).next_up();
    let epsilon = match loss.is_finite() {
        true => GaussianPrivacy::of_leakage(&Enclosure::exact(loss), sensitivity, sigma)?
            .epsilon_upper(delta)?,
        false => f64::INFINITY,
    };
    Ok(OneMissing::Worst { within_target: ratio <= 1.0, epsilon, source, observers })
}

/// The entries of a line: separated by commas, as in CSV, or by white space. A comment has none.
fn cells(line: &str) -> anyhow::Result<Vec<String>> {
    if line.trim_start().starts_with('#') {
        return Ok(Vec::new());
    }
    if !line.contains(',') {
        return Ok(line.split_whitespace().map(String::from).collect());
    }
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .trim(csv::Trim::All)
        .from_reader(line.as_bytes());
    let record = reader.records().next().transpose()?.unwrap_or_default();
    Ok(record.iter().map(String::from).collect())
}

/// The largest fraction of 24 bits that is not above a positive float; `None` where it is out of range.
pub fn fraction_below(value: f64) -> Option<Fraction> {
    let exponent = value.log2().floor();
    if !(-60.0..=60.0).contains(&exponent) {
        return None;
    }
    let shift = exponent as i32 - 24;
    let digits = (value * 2_f64.powi(-shift)).floor() as i128;
    match shift < 0 {
        true => Fraction::try_new(digits, 1 << -shift).ok(),
        false => Fraction::try_new(digits << shift, 1).ok(),
    }
}

/// The variance of each node with which it meets its strictest target alone.
fn local_variances(problem: &Problem) -> Vec<f64> {
    let graph = problem.network().graph();
    let nodes = graph.nodes();
    match problem.targets() {
        Targets::All(target) => vec![1.0 / super::number::float(*target); nodes],
        Targets::ByDistance(list) => {
            let protected = |u: usize| {
                let far = graph.distances_from(u);
                far.into_iter().flatten().any(|d| d >= list.len())
            };
            let variance = |u: usize| f64::from(u8::from(protected(u)));
            (0..nodes).map(variance).collect()
        }
        Targets::Pairs(pairs) => {
            let mut variances = vec![0.0_f64; nodes];
            for (u, _, target) in pairs {
                variances[*u] = variances[*u].max(1.0 / super::number::float(*target));
            }
            variances
        }
    }
}

/// The target of a pair that has one, rounded up.
fn target_above(problem: &Problem, source: usize, observers: &[usize]) -> f64 {
    let Targets::Pairs(pairs) = problem.targets() else {
        return 1.0;
    };
    let of_pair = pairs.iter().filter(|(u, v, _)| *u == source && observers.contains(v));
    let least = of_pair.map(|(.., target)| super::number::float(*target));
    least.fold(f64::INFINITY, f64::min).next_up().next_up()
}

/// The largest loss of a plan with variance 1 for all nodes and `2^exponent` for all masks in multiples of its target, which is the factor that the variances lack, and its error in units of `sigma^2 / (2 n)`.
fn uniform_plan(problem: &Problem, costs: &Costs, exponent: i32) -> anyhow::Result<(f64, f64)> {
    let variance = match exponent < 0 {
        true => Fraction::try_new(1, 1 << -exponent)?,
        false => Fraction::try_new(1 << exponent, 1)?,
    };
    let masks = problem.mask_graph().edges();
    let plan = NoisePlan {
        nodes: vec![Fraction::ONE; problem.mask_graph().nodes()],
        masks: masks.map(|edge| (edge, variance)).collect(),
        fresh: Vec::new(),
    };
    let worst = problem.worst_loss(&plan)?.map_or(0.0, |worst| worst.0);
    Ok((worst, problem.error(costs, &plan)))
}

/// Whether a text is a plan on file, and no certificate.
pub fn is_plan(text: &str) -> bool {
    text.contains("\"node_variances\"")
}

/// Checks both ends of a plan on file: what holds in words, or why it does not. `Err` if it is no plan.
pub fn checked(text: &str) -> anyhow::Result<Result<String, String>> {
    let (problem, _, _) = read_design(text)?;
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

    #[test]
    fn lines_of_targets_are_csv_or_words() {
        let read = |line: &str| cells(line).unwrap();
        assert_eq!(read("a b\t2"), ["a", "b", "2"]);
        assert_eq!(read("\"a, b\", c , 2"), ["a, b", "c", "2"]);
        assert!(read("# a b 2").is_empty() && read("  ").is_empty());
    }
}
