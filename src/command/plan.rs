//! `muffliato plan`: the best noise for a graph, a size for every draw.

use super::atomic_file::{check_folder, save_text};
use super::input::{GraphArgs, MaskArgs, Steps, Weights, help_on_graphs, node_named, text_file};
use super::output::{OutputArgs, Report};
use super::session::{Partial, Session};
use anyhow::{Context, bail};
use clap::Args;
use muffliato::prelude::*;
use muffliato_account::{AccountError, OneMissing, PlanBrief, Protect, Target, rounded_up};
use muffliato_design::{
    Costs, Design, DesignError, LocalNoise, NoisePlan, Problem, Targets, read_design, read_noise,
};
use std::{
    collections::{BTreeMap, HashMap},
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

mod large;
mod report;
use report::Planned;
pub use report::{binding_json, binding_text, gap_text, missing_text, status};

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
    /// Largest change of an input.
    #[arg(long, value_name = "DELTA", default_value_t = 1.0, allow_negative_numbers = true)]
    sensitivity: f64,
    /// The number of gossip steps. More steps cost no privacy, and auto doubles them as long as that saves 2 % of the error.
    #[arg(long, value_name = "N|auto", default_value = "auto", allow_negative_numbers = true)]
    steps: Steps,
    /// The weights: metropolis, max-degree-inverse, lazy, lazy:SCHEME, or the path of a file with a gossip matrix
    /// (Matrix Market, a dense matrix, or edges with weights).
    #[arg(long, value_name = "SCHEME|FILE", default_value = "metropolis")]
    weights: Weights,
    #[command(flatten)]
    masks: MaskArgs,
    /// The pairs that the target covers: all, or those at a distance of K or more.
    #[arg(long, value_name = "all|distance>=K", default_value = "all")]
    protect: Protect,
    /// A file of targets, one pair a line: "source observer epsilon", or the same as CSV. A * stands for every node, "family = ann bob" names a class of nodes, and the most specific line counts. Other pairs are not protected.
    #[arg(long, value_name = "FILE", conflicts_with = "protect")]
    targets: Option<PathBuf>,
    /// Meets the target against every coalition of C nodes (small graphs only).
    #[arg(long, value_name = "C", default_value_t = 1)]
    collude: usize,
    /// Meets the target even if any K nodes are missing when noise is added (small graphs only).
    #[arg(long, value_name = "K", default_value_t = 0)]
    missing: usize,
    /// Largest gap between the plan and the lower bound, in percent.
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

/// Largest file of targets, in bytes.
const MAX_TARGET_BYTES: u64 = 1 << 26;

/// The best of the uniform plans that were tried: one size for all nodes and one for all masks.
struct Uniform {
    /// The standard deviation of the noise of each node, rounded up.
    noise: f64,
    /// The size of masks in multiples of it, a power of 2.
    kappa: f64,
    /// Its error in multiples of a trusted aggregator's.
    multiple: f64,
}

/// Other noise with the same guarantee, and the cost of a missing node.
struct Beside {
    uniform: Option<Uniform>,
    /// The error of LDP in multiples of a trusted aggregator's.
    local: f64,
    missing: OneMissing,
}

impl PlanCommand {
    /// Finds the plan and writes it.
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
        if self.protect == Protect::Mean {
            bail!("--protect mean promises nothing to a pair; give all or 'distance>=K'");
        }
        if self.collude == 0 {
            bail!("--collude is 0; give at least 1, a single observer");
        }
        let mut brief = self.brief();
        let sigma = brief.sigma()?;
        let loaded = self.graph.load(session)?;
        loaded.check_connected("a plan is for gossip that reaches every node")?;
        let graph = &loaded.graph;
        let node = self.plan_for.as_deref();
        let node = node.map(|name| node_named(graph, name).context("--plan-for"));
        let node = node.transpose()?;
        if let Some(path) = &self.targets {
            brief.pairs = Some(TargetFile::pairs_of(path, graph)?);
        }
        let mask_graph = self.masks.mask_graph.on(graph)?;
        brief.mask_graph = Some(mask_graph);
        let weights = self.weights.of(graph, session)?;
        let network = Network::try_new(graph.clone(), weights)?;
        let problem = brief.problem(network, &session.progress("spectral gap"))?;
        let bar = session.progress("plan");
        let found = brief.best(problem.clone(), self.gap / 100.0, session.deadline, |ends| {
            bar.show(&format!(
                "gap of {:.2} %, about {:.3} times the error of a trusted aggregator",
                100.0 * ends.gap(),
                ends.upper
            ));
        });
        drop(bar);
        let (problem, found, late) = match found {
            Err(AccountError::Design(DesignError::TooLarge { .. })) => {
                return self.large(&loaded, &problem, sigma, node, session);
            }
            found => found?,
        };
        let beside = self.beside(&brief, &problem, &found, session)?;
        let plan =
            Planned { asked: &self, loaded: &loaded, sigma, problem: &problem, plan: found.plan() };
        let report = report::PlanReport { plan: &plan, found: &found, beside: &beside, late };
        let on_file = || found.to_json_with(&problem, plan.noise());
        self.deliver(&plan, on_file, &report, node, late)
    }

    /// Writes the plan to its file, and the report or the part of a node.
    fn deliver(
        &self,
        plan: &Planned<'_>,
        on_file: impl FnOnce() -> Result<String, DesignError>,
        report: &impl Report,
        node: Option<usize>,
        late: bool,
    ) -> anyhow::Result<()> {
        if let Some(path) = &self.plan_out {
            save_text(path, &on_file()?)?;
        }
        match node {
            Some(node) => self.output.deliver(&report::NodePart { plan, node })?,
            None => self.output.deliver(report)?,
        }
        anyhow::ensure!(
            !late,
            Partial("the time is up: the plan meets the target, and a better one may exist".into())
        );
        Ok(())
    }

    /// Returns the target and the steps, without anything that depends on the graph.
    fn brief(&self) -> PlanBrief {
        let target = Target { protect: self.protect, ..Target::new(self.epsilon, self.delta) };
        PlanBrief {
            coalition: self.collude.saturating_add(self.missing),
            steps: match self.steps {
                Steps::Given(steps) => Some(steps),
                Steps::Auto => None,
            },
            ..PlanBrief::new(target, self.sensitivity)
        }
    }

    /// Computes what the plan is compared with, as far as the time allows.
    fn beside(
        &self,
        brief: &PlanBrief,
        problem: &Problem,
        found: &Design,
        session: &Session,
    ) -> anyhow::Result<Beside> {
        let sigma = brief.sigma()?;
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
            missing: brief.one_missing(problem, found, |nodes| time_for(nodes, one))?,
        })
    }
}

/// The targets of a file.
#[derive(Default)]
struct TargetFile {
    /// The nodes of classes.
    classes: HashMap<String, Vec<usize>>,
    /// For each source and observer how specific its line is, and its epsilon.
    pairs: BTreeMap<(usize, usize), (usize, f64)>,
}

impl TargetFile {
    /// Reads the epsilons of (source, observer).
    fn pairs_of(path: &Path, graph: &Graph) -> anyhow::Result<Vec<(usize, usize, f64)>> {
        let name = path.display().to_string();
        let text = text_file(path, MAX_TARGET_BYTES)?;
        let mut found = Self::default();
        for (number, line) in text.lines().enumerate() {
            let read = cells(line).and_then(|cells| found.read(&cells, graph));
            read.with_context(|| format!("{name}, line {}", number + 1))?;
        }
        if found.pairs.is_empty() {
            bail!("{name}: it has no targets; give lines such as: alice bob 1");
        }
        Ok(found.pairs.into_iter().map(|((u, v), (_, epsilon))| (u, v, epsilon)).collect())
    }

    /// Reads a line: a class with its nodes, or a source, an observer and their epsilon.
    fn read(&mut self, cells: &[String], graph: &Graph) -> anyhow::Result<()> {
        let (source, observer, epsilon) = match cells {
            [] => return Ok(()),
            [name, is, nodes @ ..] if is == "=" => {
                if node_named(graph, name).is_ok() || self.classes.contains_key(name) {
                    bail!("{name:?} is the name of a node or of another class; choose a new one");
                }
                let nodes = nodes.iter().map(|node| node_named(graph, node));
                self.classes.insert(name.clone(), nodes.collect::<anyhow::Result<_>>()?);
                return Ok(());
            }
            [source, observer, epsilon] => (source, observer, epsilon),
            _ => {
                bail!("it has {} entries; give a source, an observer and an epsilon", cells.len())
            }
        };
        if [source, observer, epsilon] == ["source", "observer", "epsilon"] {
            return Ok(());
        }
        let ((sources, one), (observers, other)) =
            (self.named(source, graph)?, self.named(observer, graph)?);
        if sources == observers && sources.len() == 1 {
            bail!("{source} has no secret from itself; name two different nodes");
        }
        let epsilon = match epsilon.parse::<f64>() {
            Ok(epsilon) if epsilon > 0.0 && epsilon.is_finite() => epsilon,
            _ => bail!("the epsilon is {epsilon:?}; give a positive number, such as 1"),
        };
        let rank = one + other;
        for &u in &sources {
            for &v in observers.iter().filter(|v| **v != u) {
                let (known, least) = self.pairs.entry((u, v)).or_insert((rank, epsilon));
                if rank > *known || (rank == *known && epsilon < *least) {
                    (*known, *least) = (rank, epsilon);
                }
            }
        }
        Ok(())
    }

    /// Returns the nodes of a name, and how specific it is.
    fn named(&self, name: &str, graph: &Graph) -> anyhow::Result<(Vec<usize>, usize)> {
        Ok(match (name, self.classes.get(name)) {
            ("*", _) => ((0..graph.nodes()).collect(), 0),
            (_, Some(nodes)) => (nodes.clone(), 1),
            (_, None) => (vec![node_named(graph, name)?], 2),
        })
    }
}

/// Splits a line at commas, as in CSV, or at white space. A comment has no entries.
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

/// Returns the variance with which each node alone meets its strictest target.
fn local_variances(problem: &Problem) -> Vec<f64> {
    let graph = problem.network().graph();
    let nodes = graph.nodes();
    match problem.targets() {
        Targets::All(target) => vec![1.0 / target.to_f64(); nodes],
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
                variances[*u] = variances[*u].max(1.0 / target.to_f64());
            }
            variances
        }
    }
}

/// Returns the largest loss of a plan with variance 1 for all nodes and `2^exponent` for all masks, in
/// multiples of its target (the factor that the variances lack), and its error in units of
/// `sigma^2 / (2 n)`.
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
    let worst = problem.worst_loss(&plan)?.map_or(0.0, |worst| worst.ratio);
    Ok((worst, problem.error(costs, &plan)))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_targets_are_csv_or_words() {
        let read = |line: &str| cells(line).unwrap();
        assert_eq!(read("a b\t2"), ["a", "b", "2"]);
        assert_eq!(read("\"a, b\", c , 2"), ["a, b", "c", "2"]);
        assert!(read("# a b 2").is_empty() && read("  ").is_empty());
    }

    #[test]
    fn the_most_specific_line_of_a_pair_counts() {
        let graph: Graph = "path:4".parse().unwrap();
        let mut file = TargetFile::default();
        let mut read = |line: &str| file.read(&cells(line).unwrap(), &graph);
        for line in ["family = 0 1", "family family 9", "* * 1", "* 3 2", "0 1 7", "* 3 3"] {
            read(line).unwrap();
        }
        for wrong in ["family = 2", "2 = 3", "friends = 9", "aunt 2 1", "2 2 1", "0 1", "0 1 0"] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
        let epsilon = |u, v| file.pairs[&(u, v)].1;
        assert_eq!([epsilon(0, 1), epsilon(1, 0), epsilon(0, 2)], [7.0, 9.0, 1.0]);
        assert_eq!([epsilon(0, 3), epsilon(3, 0)], [2.0, 1.0]);
        assert_eq!(file.pairs.len(), 12);
    }
}
