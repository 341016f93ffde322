//! The graph: a family, a file, or standard input.

use super::bounded;
use crate::command::session::Session;
use anyhow::{Context, bail};
use clap::Args;
use muffliato::model::readers::{Format, Reading, read, read_file};
use muffliato::prelude::*;
use std::{fmt::Write, path::Path};

/// The graph argument of every subcommand.
#[derive(Args)]
pub struct GraphArgs {
    /// The graph: a family such as hypercube:4, a file's path, or - for standard input.
    pub graph: String,
    /// Keep only the largest connected component.
    #[arg(long)]
    pub giant_component: bool,
}

/// A graph, and what it is called.
pub struct Loaded {
    /// As the user named it, in normal form.
    pub name: String,
    /// The graph.
    pub graph: Graph,
}

/// The families, for `--help`.
pub fn help_on_graphs() -> String {
    let mut text = String::from("Graphs:\n");
    for family in GraphSpec::families() {
        let _ = writeln!(text, "  {:<32} {}", family.example, family.description);
    }
    text + "  ./club.mtx                       a file: edge list, Matrix Market, graph6 or node-link JSON\n  \
            -                                the same from standard input"
}

impl GraphArgs {
    /// Reads or builds the graph; notes what a file said that a simple graph has no place for.
    pub fn load(&self, session: &Session) -> anyhow::Result<Loaded> {
        let (name, graph) = if self.graph == "-" {
            ("-".to_string(), from_stdin(session)?)
        } else {
            let spec: GraphSpec = self.graph.parse()?;
            let graph = match &spec {
                GraphSpec::File(path) => {
                    let reading = read_file(Path::new(path.text()))?;
                    told(session, reading)
                }
                spec => spec.build()?,
            };
            (spec.to_string(), graph)
        };
        let graph = match self.giant_component {
            true => graph.giant_component()?,
            false => graph,
        };
        if graph.nodes() == 1 {
            bail!(
                "{name} has a single node, which has nobody to leak to; give a graph of two nodes or more"
            );
        }
        Ok(Loaded { name, graph })
    }
}

impl Loaded {
    /// `Err` with the remedy if the graph falls apart, for questions that need a connected one.
    pub fn check_connected(&self, why: &str) -> anyhow::Result<()> {
        let components = self.graph.components();
        if components.len() == 1 {
            return Ok(());
        }
        let largest = components.iter().map(Vec::len).max().unwrap_or(0);
        bail!(
            "{} has {} connected components (the largest has {largest} of {} nodes), and {why}; add --giant-component to keep the largest",
            self.name,
            components.len(),
            self.graph.nodes(),
        )
    }
}

fn from_stdin(session: &Session) -> anyhow::Result<Graph> {
    let limit = muffliato::model::readers::MAX_FILE_BYTES;
    let bytes = bounded(std::io::stdin().lock(), limit, "standard input")?;
    // JSON has no mark of its own, and no edge list begins with a brace.
    let json = bytes.trim_ascii_start().starts_with(b"{");
    let name = if json { "-.json" } else { "-" };
    let reading = read(Format::of(Path::new(name), &bytes), &bytes).context("standard input")?;
    Ok(told(session, reading))
}

fn told(session: &Session, reading: Reading) -> Graph {
    if let Some(first) = reading.self_loops.first() {
        session.note(&format!(
            "{} self-loops were left out, the first at node {}",
            reading.self_loops.len(),
            first.label
        ));
    }
    if let Some(line) = reading.ignored_columns {
        session.note(&format!(
            "columns after the first two were ignored, first in line {line}"
        ));
    }
    reading.graph
}
