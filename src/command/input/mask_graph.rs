//! Who shares keys, and plans of noise on file.

use super::{bounded, node_named};
use anyhow::{Context, bail};
use muffliato::io::{ReadOptions, read_file_with};
use muffliato::model::{NoisePlan, families};
use muffliato::prelude::*;
use muffliato_design::{LocalNoise, read_design, read_noise};
use std::{
    collections::HashMap,
    fs::File,
    path::{Path, PathBuf},
    str::FromStr,
};

/// The most bytes of a plan on file.
const MAX_PLAN_BYTES: u64 = 1 << 28;

/// The mask graph: who shares keys.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum MaskGraph {
    /// Nodes that gossip with each other.
    #[default]
    Neighbours,
    /// All nodes.
    Complete,
    /// Nodes that a random regular graph joins.
    Regular {
        /// The number of keys of each node.
        degree: usize,
        /// The seed of the graph.
        seed: u64,
    },
    /// Nodes that the graph of a file joins.
    File(PathBuf),
}

impl FromStr for MaskGraph {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> anyhow::Result<Self> {
        let regular = || {
            let (degree, seed) = match text.strip_prefix("regular:")?.split_once(":seed=") {
                Some((degree, seed)) => (degree, seed.parse().ok()?),
                None => (text.strip_prefix("regular:")?, 0),
            };
            let degree = degree.parse().ok()?;
            Some(Self::Regular { degree, seed })
        };
        match text {
            "neighbours" => Ok(Self::Neighbours),
            "complete" => Ok(Self::Complete),
            _ => match regular() {
                Some(regular) => Ok(regular),
                None if text.contains(['.', '/', '\\']) => Ok(Self::File(text.into())),
                None => bail!(
                    "it must be neighbours, complete, regular:D:seed=S such as regular:4:seed=1, or the path of a file"
                ),
            },
        }
    }
}

impl MaskGraph {
    /// Returns the mask graph on the nodes of a graph; the nodes of a file are found by name.
    pub fn on(&self, graph: &Graph) -> anyhow::Result<Graph> {
        let nodes = graph.nodes();
        Ok(match self {
            Self::Neighbours => graph.clone(),
            Self::Complete => families::complete(nodes)?,
            Self::Regular { degree, seed } => families::random_regular(nodes, *degree, *seed)?,
            Self::File(path) => {
                let masks = read_file_with(path, &ReadOptions::default())?.graph;
                let find = |v: usize| {
                    node_named(graph, &masks.label(v))
                        .with_context(|| format!("--mask-graph {}", path.display()))
                };
                let named = (0..masks.nodes()).map(find);
                let named = named.collect::<anyhow::Result<Vec<usize>>>()?;
                Graph::try_new(nodes, masks.edges().map(|(a, b)| (named[a], named[b])))?
            }
        })
    }

    /// Describes the masks.
    pub fn described(&self) -> String {
        match self {
            Self::Neighbours => "masks between neighbours".into(),
            Self::Complete => "masks between all nodes".into(),
            Self::Regular { degree, seed } => {
                format!("masks on a random {degree}-regular graph (seed {seed})")
            }
            Self::File(path) => format!("masks on the graph of {}", path.display()),
        }
    }

    /// Names two nodes that share a key.
    pub fn partners(&self) -> &'static str {
        match self {
            Self::Neighbours => "two neighbours",
            Self::Complete => "two nodes",
            Self::Regular { .. } | Self::File(_) => "two nodes that the mask graph joins",
        }
    }
}

/// Reads the plan of a file that `muffliato plan --plan-out` wrote, for the nodes of this graph,
/// which are found by name. Returns it with its number of steps.
pub fn plan_on_file(path: &Path, graph: &Graph) -> anyhow::Result<(NoisePlan, usize)> {
    let name = format!("--plan {}", path.display());
    let (problem, plan, _) = read_design(&plan_text(path)?).with_context(|| name.clone())?;
    let planned = problem.network().graph();
    let (nodes, given) = (graph.nodes(), planned.nodes());
    if given != nodes {
        bail!("{name}: it is for {given} nodes, and the graph has {nodes}; give the same graph");
    }
    if plan.nodes.len() != nodes {
        bail!(
            "{name}: node_variances has {} entries for {nodes} nodes; give one for each node",
            plan.nodes.len()
        );
    }
    let known: HashMap<String, usize> = (0..nodes).map(|v| (graph.label(v), v)).collect();
    let find = |v: usize| match known.get(&planned.label(v)) {
        Some(&at) => Ok(at),
        None => node_named(graph, &planned.label(v)).with_context(|| name.clone()),
    };
    let place = (0..nodes).map(find).collect::<anyhow::Result<Vec<usize>>>()?;
    let other = planned.edges().find(|&(a, b)| !graph.has_edge(place[a], place[b]));
    if let Some((a, b)) = other {
        bail!(
            "{name}: it is for another graph, with an edge between {} and {}; give the same graph",
            planned.label(a),
            planned.label(b)
        );
    }
    if planned.edge_count() != graph.edge_count() {
        bail!(
            "{name}: it is for a graph of {} edges, and this one has {}; give the same graph",
            planned.edge_count(),
            graph.edge_count()
        );
    }
    let mut own = vec![Fraction::ZERO; nodes];
    for (&at, variance) in place.iter().zip(plan.nodes) {
        own[at] = variance;
    }
    let mask = |((a, b), variance): ((usize, usize), Fraction)| {
        let (a, b) = (place[a], place[b]);
        ((a.min(b), a.max(b)), variance)
    };
    let masks = plan.masks.into_iter().map(mask).collect();
    Ok((NoisePlan { nodes: own, masks, fresh: Vec::new() }, problem.steps()))
}

/// Returns LDP's noise and the target of a plan on file, if it has them.
pub fn noise_on_file(path: &Path) -> anyhow::Result<Option<LocalNoise>> {
    read_noise(&plan_text(path)?).with_context(|| format!("--plan {}", path.display()))
}

fn plan_text(path: &Path) -> anyhow::Result<String> {
    let name = format!("--plan {}", path.display());
    let file = File::open(path).with_context(|| name.clone())?;
    String::from_utf8(bounded(file, MAX_PLAN_BYTES, &name)?)
        .with_context(|| format!("{name}: it is not text; give a file of plan --plan-out"))
}
