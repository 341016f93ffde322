//! What noise has to meet, for `plan` and for `calibrate`.

use super::super::atomic_file::check_folder;
use super::super::input::{GossipArgs, MaskArgs, MaskGraph, Steps, node_named, text_file};
use anyhow::{Context, bail};
use clap::Args;
use muffliato::prelude::*;
use muffliato_account::{PlanBrief, Protect, Target};
use muffliato_design::LocalNoise;
use std::{
    collections::{BTreeMap, HashMap},
    path::{Path, PathBuf},
};

/// Options for the target, for who shares secrets, and for the plan.
#[derive(Args)]
pub struct TargetArgs {
    /// Target epsilon.
    #[arg(long, value_name = "E", allow_negative_numbers = true)]
    pub epsilon: f64,
    /// Target delta.
    #[arg(long, value_name = "D", allow_negative_numbers = true)]
    pub delta: f64,
    /// Largest change of an input.
    #[arg(long, value_name = "DELTA", default_value_t = 1.0, allow_negative_numbers = true)]
    pub sensitivity: f64,
    /// Number of runs with new noise and the same inputs that the target covers; losses add up.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub runs: usize,
    /// The pairs that the target covers: all pairs, the mean over the sources of each observer
    /// (which guarantees nothing for a single pair, and which no plan is for), or the pairs from a
    /// distance on.
    #[arg(long, value_name = "all|mean|distance>=K", default_value = "all")]
    pub protect: Protect,
    /// Target epsilon for neighbours as well, at the same delta.
    #[arg(long, value_name = "E", allow_negative_numbers = true)]
    pub neighbour_epsilon: Option<f64>,
    /// A file of targets, one pair a line: "source observer epsilon", or the same as CSV. A * stands
    /// for every node, "family = ann bob" names a class of nodes, and the most specific line counts.
    /// Other pairs are not protected. Only a plan meets such targets.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["protect", "neighbour_epsilon"])]
    pub targets: Option<PathBuf>,
    /// Coalitions of C nodes. A plan meets the target against every one of them (small graphs only).
    /// For other protocols, and in a comparison, the worst coalition found is reported, and a
    /// certified bound for every coalition.
    #[arg(long, value_name = "C")]
    pub collude: Option<usize>,
    /// Finds a plan that meets the target even if any K nodes are missing when noise is added (small
    /// graphs only).
    #[arg(long, value_name = "K", default_value_t = 0)]
    pub missing: usize,
    /// Whether nodes share secrets, which masks need. Without them a plan has fresh noise at every
    /// step.
    #[arg(long, value_name = "yes|no", default_value = "yes", action = clap::ArgAction::Set, value_parser = yes_or_no)]
    pub secrets: bool,
    #[command(flatten)]
    pub masks: MaskArgs,
    /// Largest gap between the plan and the lower bound, in percent.
    #[arg(long, value_name = "PERCENT", default_value_t = GAP, allow_negative_numbers = true)]
    pub gap: f64,
    /// Write the plan with the proofs of both ends, as JSON; muffliato verify checks it, and --plan
    /// of other subcommands takes it.
    #[arg(long, visible_alias = "certificate", value_name = "FILE", help_heading = "Output")]
    pub plan_out: Option<PathBuf>,
    /// Print this node's part of the plan alone: its noise, its neighbours and its masks.
    #[arg(long, value_name = "NODE", help_heading = "Output")]
    pub plan_for: Option<String>,
}

/// Default gap, in percent.
const GAP: f64 = 1.0;

/// Largest file of targets, in bytes.
const MAX_TARGET_BYTES: u64 = 1 << 26;

/// Parses `yes` or `no`.
fn yes_or_no(text: &str) -> anyhow::Result<bool> {
    match text {
        "yes" => Ok(true),
        "no" => Ok(false),
        _ => bail!("write yes or no"),
    }
}

impl TargetArgs {
    /// Refuses what no graph can meet.
    pub fn check(&self) -> anyhow::Result<()> {
        self.plan_out.as_deref().map_or(Ok(()), check_folder)?;
        for (flag, epsilon) in
            [("--epsilon", Some(self.epsilon)), ("--neighbour-epsilon", self.neighbour_epsilon)]
        {
            if epsilon == Some(0.0) {
                bail!(
                    "{flag} is 0, which asks that nobody learn anything, up to delta; give a positive number, such as 1"
                );
            }
        }
        for (flag, count) in [("--runs", self.runs), ("--collude", self.collude.unwrap_or(1))] {
            if count == 0 {
                bail!("{flag} is 0; give at least 1");
            }
        }
        if !(self.gap > 0.0 && self.gap.is_finite()) {
            bail!("--gap is {}; give a positive percentage, such as 1", self.gap);
        }
        if !self.secrets && self.masks.mask_graph != MaskGraph::Neighbours {
            bail!(
                "--mask-graph says who shares secrets, and --secrets is no; leave one of them out"
            );
        }
        if !self.secrets && self.missing > 0 {
            bail!(
                "--missing is for plans with masks: without them the others gossip differently; leave out --secrets no, or see --took-place of account"
            );
        }
        Ok(())
    }

    /// Returns the option that asks for a plan and nothing beside it, if there is one.
    pub fn plan_option(&self) -> Option<&'static str> {
        match self {
            Self { targets: Some(_), .. } => Some("--targets"),
            Self { plan_for: Some(_), .. } => Some("--plan-for"),
            Self { missing: 1.., .. } => Some("--missing"),
            _ => None,
        }
    }

    /// Returns the option that only plans have, if there is one.
    pub fn option_of_plans(&self) -> Option<&'static str> {
        let out = self.plan_out.as_ref().map(|_| "--plan-out");
        let gap = (self.gap != GAP).then_some("--gap");
        self.plan_option().or(out).or(gap)
    }

    /// Returns the target of all pairs that it covers.
    pub fn target(&self) -> Target {
        Target {
            epsilon: self.epsilon,
            delta: self.delta,
            protect: self.protect,
            neighbour_epsilon: self.neighbour_epsilon,
            runs: self.runs,
        }
    }

    /// Returns the noise of LDP with the target that it meets.
    pub fn noise(&self, sigma: f64) -> LocalNoise {
        let Self { sensitivity, epsilon, delta, .. } = *self;
        LocalNoise { sigma, sensitivity, epsilon, delta }
    }

    /// Returns the number of nodes that observe together.
    pub fn observers(&self) -> usize {
        self.collude.unwrap_or(1)
    }

    /// Returns what a plan is designed for, on the nodes of a graph.
    pub fn brief(&self, gossip: &GossipArgs, graph: &Graph) -> anyhow::Result<PlanBrief> {
        let pairs = self.targets.as_deref().map(|path| TargetFile::pairs_of(path, graph));
        Ok(PlanBrief {
            pairs: pairs.transpose()?,
            mask_graph: Some(self.masks.mask_graph.on(graph)?),
            coalition: self.observers().saturating_add(self.missing),
            steps: match gossip.steps {
                Steps::Given(steps) => Some(steps),
                Steps::Auto => None,
            },
            secrets: self.secrets,
            ..PlanBrief::new(self.target(), self.sensitivity)
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
