//! Writers of graph files, in formats that the readers accept.

use clap::ValueEnum;
use muffliato::model::graph6::graph6;
use muffliato::prelude::Graph;
use serde_json::json;
use std::io::Write;

/// A format of graph files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum GraphFormat {
    /// One edge a line, by label.
    EdgeList,
    /// Coordinates of a symmetric pattern matrix.
    MatrixMarket,
    /// The compact text format of nauty.
    Graph6,
    /// The node-link JSON of networkx.
    Json,
}

/// Writes a graph. Edge lists and node-link JSON keep labels.
///
/// # Errors
///
/// Fails if the graph has an isolated node and the format is an edge list, which cannot represent
/// it.
pub fn write_graph(graph: &Graph, format: GraphFormat, out: &mut dyn Write) -> anyhow::Result<()> {
    match format {
        GraphFormat::EdgeList => {
            if let Some(node) = (0..graph.nodes()).find(|&node| graph.degree(node) == 0) {
                anyhow::bail!(
                    "an edge list cannot hold node {}, which has no neighbours; use --to json, or --giant-component",
                    graph.label(node)
                );
            }
            let labels: Vec<String> = (0..graph.nodes()).map(|v| graph.label(v)).collect();
            let spaced = labels.iter().any(|label| label.contains(char::is_whitespace));
            let between = if spaced { "," } else { " " };
            if let Some(label) =
                labels.iter().find(|label| label.contains(between) || label.starts_with(['#', '%']))
            {
                anyhow::bail!("an edge list cannot hold the label {label:?}; use --to json");
            }
            for (u, v) in graph.edges() {
                writeln!(out, "{}{between}{}", labels[u], labels[v])?;
            }
        }
        GraphFormat::MatrixMarket => {
            let nodes = graph.nodes();
            writeln!(out, "%%MatrixMarket matrix coordinate pattern symmetric")?;
            writeln!(out, "{nodes} {nodes} {}", graph.edge_count())?;
            for (u, v) in graph.edges() {
                writeln!(out, "{} {}", v + 1, u + 1)?;
            }
        }
        GraphFormat::Graph6 => writeln!(out, "{}", graph6(graph))?,
        GraphFormat::Json => {
            let id = |node: usize| match graph.labels() {
                Some(labels) => json!(labels[node]),
                None => json!(node),
            };
            let nodes: Vec<_> = (0..graph.nodes()).map(|node| json!({"id": id(node)})).collect();
            let links: Vec<_> =
                graph.edges().map(|(u, v)| json!({"source": id(u), "target": id(v)})).collect();
            let (flag, empty) = (json!(false), json!({}));
            let fields = [
                ("directed", flag.clone()),
                ("multigraph", flag),
                ("graph", empty),
                ("nodes", nodes.into()),
                ("links", links.into()),
            ];
            super::output::write_object(out, &fields)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use muffliato::io::{Format, read};
    use muffliato::prelude::GraphSpec;

    #[test]
    fn what_is_written_is_read_back() {
        for name in ["karate", "florentine", "hypercube:4", "path:2", "star:9"] {
            let graph = name.parse::<GraphSpec>().unwrap().build().unwrap();
            for (format, reader) in [
                (GraphFormat::EdgeList, Format::EdgeList),
                (GraphFormat::MatrixMarket, Format::MatrixMarket),
                (GraphFormat::Graph6, Format::Graph6),
                (GraphFormat::Json, Format::NodeLink),
            ] {
                let mut bytes = Vec::new();
                write_graph(&graph, format, &mut bytes).unwrap();
                let back = read(reader, &bytes).unwrap().graph;
                assert_eq!(back.nodes(), graph.nodes(), "{name} {format:?}");
                let labelled = matches!(format, GraphFormat::EdgeList | GraphFormat::Json);
                let named = |graph: &Graph, (u, v): (usize, usize)| {
                    if !labelled {
                        return [u.to_string(), v.to_string()];
                    }
                    let mut ends = [graph.label(u), graph.label(v)];
                    ends.sort();
                    ends
                };
                let edges = |graph: &Graph| {
                    let mut all: Vec<_> = graph.edges().map(|edge| named(graph, edge)).collect();
                    all.sort();
                    all
                };
                assert_eq!(edges(&back), edges(&graph), "{name} {format:?}");
            }
        }
    }

    #[test]
    fn a_node_alone_does_not_fit_an_edge_list() {
        let graph = Graph::try_new(3, [(0, 1)]).unwrap();
        assert!(write_graph(&graph, GraphFormat::EdgeList, &mut Vec::new()).is_err());
        assert!(write_graph(&graph, GraphFormat::Json, &mut Vec::new()).is_ok());
    }
}
