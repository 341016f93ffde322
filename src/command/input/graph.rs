//! The graph: a family, a file, or standard input.

use super::bounded;
use crate::command::{session::Session, table::counted};
use anyhow::{Context, bail};
use clap::{
    Args,
    builder::{PossibleValue, PossibleValuesParser, TypedValueParser},
};
use muffliato::io::{Delimiter, Format, ReadOptions, Reading, read_bytes, read_file_with};
use muffliato::prelude::*;
use serde_json::{Value, json};
use std::fmt::Write;

/// Options that select the graph, for every subcommand.
#[derive(Args)]
pub struct GraphArgs {
    /// The graph: a family such as hypercube:4, the path of a file, or - for standard input.
    pub graph: String,
    /// Keep only the largest connected component.
    #[arg(long)]
    pub giant_component: bool,
    /// Format of the graph file; by default it is detected.
    #[arg(long, value_parser = one_of(FORMATS), value_name = "FORMAT", help_heading = "Graph files")]
    graph_format: Option<Format>,
    /// Column separator of the graph file: comma, semicolon, tab, space, or a character such as
    /// '|'.
    #[arg(long, value_name = "SIGN", help_heading = "Graph files")]
    delimiter: Option<Delimiter>,
    /// Whether the first line of an edge list names its columns, where that is ambiguous.
    #[arg(long, value_parser = one_of(&[("yes", "", true), ("no", "", false)]), value_name = "ANSWER", help_heading = "Graph files")]
    header: Option<bool>,
}

/// Names of the graph file formats.
const FORMATS: &[(&str, &str, Format)] = &[
    ("edge-list", "", Format::EdgeList),
    ("adjacency-list", "", Format::AdjacencyList),
    ("multiline-adjacency-list", "", Format::MultilineAdjacencyList),
    ("dense-matrix", "", Format::DenseMatrix),
    ("matrix-market", "", Format::MatrixMarket),
    ("graph6", "", Format::Graph6),
    ("sparse6", "", Format::Sparse6),
    ("json", "", Format::NodeLink),
    ("graphml", "", Format::GraphMl),
    ("gml", "", Format::Gml),
    ("gexf", "", Format::Gexf),
    ("pajek", "", Format::Pajek),
];

/// Returns a parser that maps names, each with an optional help text, to values.
pub fn one_of<T: Copy + Send + Sync>(
    named: &'static [(&'static str, &'static str, T)],
) -> impl TypedValueParser<Value = T> {
    let names = named.iter().map(|(name, help, _)| match help {
        &"" => PossibleValue::new(*name),
        help => PossibleValue::new(*name).help(*help),
    });
    PossibleValuesParser::new(names).try_map(move |text| {
        let found = named.iter().find(|(name, ..)| *name == text);
        found.map(|(.., value)| *value).context("it has no such value")
    })
}

/// A graph with its name.
pub struct Loaded {
    /// The name that the user gave, in normal form.
    pub name: String,
    /// The graph.
    pub graph: Graph,
}

/// Lists the graph families for `--help`.
pub fn help_on_graphs() -> String {
    let mut text = String::from("Graphs:\n");
    for family in GraphSpec::families() {
        let _ = writeln!(text, "  {:<32} {}", family.example, family.description);
    }
    text + "  ./club.mtx                       a file: edge or adjacency list, CSV, matrix, graph6, sparse6, JSON, \
            GraphML, GML, GEXF or Pajek, each also with .gz\n  \
            -                                the same from standard input"
}

impl GraphArgs {
    /// Reads or builds the graph. Prints notes about parts of a file that a simple graph cannot
    /// represent.
    pub fn load(&self, session: &Session) -> anyhow::Result<Loaded> {
        let (name, graph) = if self.graph == "-" {
            ("-".to_string(), self.of_stdin(session)?)
        } else {
            let spec: GraphSpec = self.graph.parse()?;
            let graph = match &spec {
                GraphSpec::File(path) => {
                    let reading = read_file_with(path, &self.options())?;
                    with_notes(session, reading)
                }
                spec => spec.build()?,
            };
            (spec.to_string(), graph)
        };
        let graph = if self.giant_component { graph.giant_component()? } else { graph };
        if graph.nodes() == 1 {
            bail!(
                "{name} has a single node, which has nobody to leak to; give a graph of two nodes or more"
            );
        }
        Ok(Loaded { name, graph })
    }

    fn options(&self) -> ReadOptions {
        ReadOptions { format: self.graph_format, delimiter: self.delimiter, header: self.header }
    }

    fn of_stdin(&self, session: &Session) -> anyhow::Result<Graph> {
        let limit = muffliato::io::MAX_FILE_BYTES;
        let bytes = bounded(std::io::stdin().lock(), limit, "standard input")?;
        let reading = read_bytes(&bytes, &self.options()).context("standard input")?;
        Ok(with_notes(session, reading))
    }
}

impl Loaded {
    /// Returns the name and the size as JSON.
    pub fn json(&self) -> Value {
        json!({"name": self.name, "nodes": self.graph.nodes(), "edges": self.graph.edge_count()})
    }

    /// Formats the name and the size.
    pub fn described(&self) -> String {
        let nodes = counted(self.graph.nodes(), "node");
        let edges = counted(self.graph.edge_count(), "edge");
        format!("{}: {nodes}, {edges}", self.name)
    }

    /// Returns the name for the title of a plot: for a file, its name without folders.
    pub fn title(&self) -> &str {
        match self.name.as_str() {
            "-" => "standard input",
            name => name.rsplit(['/', '\\']).next().unwrap_or(name),
        }
    }

    /// Fails if the graph is disconnected, for commands that need a connected one.
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

fn with_notes(session: &Session, reading: Reading) -> Graph {
    if let Some(first) = reading.self_loops.first() {
        session.note(&format!(
            "{} left out, the first at node {}",
            counted(reading.self_loops.len(), "self-loop"),
            first.label
        ));
    }
    for note in &reading.notes {
        session.note(&note.to_string());
    }
    reading.graph
}
