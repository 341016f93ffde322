//! Who shares keys, and plans of noise on file.

use super::{node_named, text_file};
use anyhow::{Context, bail};
use muffliato::io::{ReadOptions, read_file_with};
use muffliato::model::{NoisePlan, families};
use muffliato::prelude::*;
use muffliato_design::{LocalNoise, read_noise, read_plan};
use std::{
    path::{Path, PathBuf},
    str::FromStr,
};

/// Largest plan on file, in bytes.
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
    read_plan(&plan_text(path)?, graph).context(name)
}

/// Returns LDP's noise and the target of a plan on file, if it has them.
pub fn noise_on_file(path: &Path) -> anyhow::Result<Option<LocalNoise>> {
    read_noise(&plan_text(path)?).with_context(|| format!("--plan {}", path.display()))
}

fn plan_text(path: &Path) -> anyhow::Result<String> {
    text_file(path, MAX_PLAN_BYTES).context("--plan")
}
