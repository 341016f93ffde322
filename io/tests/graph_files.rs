//! Files as other tools write them: what each is read as, or why it is refused. The files in `tests/files` were written by
//! networkx 3.6.1, igraph 1.0.0 for Python, SciPy 1.17.1, pandas and NumPy; those of R by `tests/files_of_r.R`. The table
//! `files.json` has rows `[file, tool, graph, format, notes]` and `[file, tool, part of the error]`.

use muffliato_io::{ReadOptions, read_bytes, read_file};
use muffliato_model::{Graph, families};
use serde_json::Value;
use std::path::{Path, PathBuf};

fn rows(kind: &str) -> Vec<Vec<String>> {
    let file: Value = serde_json::from_str(include_str!("files.json")).unwrap();
    serde_json::from_value(file[kind].clone()).unwrap()
}

fn path_of(file: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/files").join(file)
}

/// Returns the edges by label, each and all in order.
fn edges(graph: &Graph, label: impl Fn(usize) -> String) -> Vec<[String; 2]> {
    let ends = |(u, v)| {
        let mut ends = [label(u), label(v)];
        ends.sort();
        ends
    };
    let mut edges: Vec<_> = graph.edges().map(ends).collect();
    edges.sort();
    edges
}

/// Returns the number that a tool's label gives a node, from 0 on.
fn number(graph: &Graph, node: usize) -> String {
    let first = graph.labels().map_or(0, |_| usize::from(graph.node("34").is_some()));
    match graph.label(node).trim_start_matches('n').parse::<usize>() {
        Ok(number) => (number - first).to_string(),
        Err(_) => graph.label(node),
    }
}

#[test]
fn files_of_other_tools_are_read_as_they_were_meant() {
    let florentine = families::florentine().unwrap();
    let karate = families::karate().unwrap();
    for row in rows("read") {
        let [file, _tool, expected, format, notes] = &row[..] else { panic!("{row:?}") };
        let reading = read_file(&path_of(file)).unwrap_or_else(|error| panic!("{error}"));
        let graph = &reading.graph;
        assert_eq!(format!("{:?}", reading.format), *format, "{file}");
        assert_eq!(reading.notes.join("; "), *notes, "{file}");
        assert!(reading.self_loops.is_empty(), "{file}");
        // The same edges, up to how the tool calls the nodes. Pucci married into no other family.
        let nodes = match expected.as_str() {
            "karate" => {
                let label = |node: usize| number(graph, node);
                assert_eq!(edges(graph, label), edges(&karate, |node| node.to_string()), "{file}");
                34
            }
            "florentine" | "florentine and Pucci" => {
                let name = |node| graph.label(node).split(", ").next().unwrap().to_owned();
                let expected = edges(&florentine, |node| florentine.label(node));
                match graph.labels() {
                    Some(_) => assert_eq!(edges(graph, name), expected, "{file}"),
                    None => assert_eq!(graph.edge_count(), expected.len(), "{file}"),
                }
                15
            }
            "path:5" => {
                assert_eq!(*graph, families::path(5).unwrap(), "{file}");
                5
            }
            size => {
                let found = format!("{} nodes, {} edges", graph.nodes(), graph.edge_count());
                assert_eq!(found, size, "{file}");
                graph.nodes()
            }
        };
        assert_eq!(graph.nodes(), nodes + usize::from(expected.ends_with("Pucci")), "{file}");
    }
}

#[test]
fn files_that_are_not_understood_are_refused() {
    for row in rows("refused") {
        let [file, _tool, expected] = &row[..] else { panic!("{row:?}") };
        let error = read_file(&path_of(file)).unwrap_err().to_string();
        assert!(error.contains(expected) && error.contains(';'), "{file}: {error}");
    }
    // With what it asks for, a file is read.
    let options =
        ReadOptions { delimiter: Some("space".parse().unwrap()), ..ReadOptions::default() };
    let bytes = std::fs::read(path_of("networkx_spaces.txt")).unwrap();
    assert_eq!(read_bytes(&bytes, &options).unwrap().graph.nodes(), 5);
}

/// Every file of the folder is in the table.
#[test]
fn no_file_is_forgotten() {
    let known: Vec<String> =
        rows("read").into_iter().chain(rows("refused")).map(|row| row[0].clone()).collect();
    for entry in std::fs::read_dir(path_of("")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        assert!(known.contains(&name), "{name}");
    }
}
