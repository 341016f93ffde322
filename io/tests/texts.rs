//! Minimal files of every format, and texts that people and programs plausibly write. Each text of `texts.json` is read as
//! the graph that it means, or refused with an error that says what it looks like. None is read as another graph.

use muffliato_io::Format::{self, *};
use muffliato_io::{ReadOptions, Reading, SelfLoop, read, read_bytes};
use serde_json::Value;

const FORMATS: [Format; 12] = [
    EdgeList,
    AdjacencyList,
    MultilineAdjacencyList,
    DenseMatrix,
    MatrixMarket,
    Graph6,
    Sparse6,
    NodeLink,
    GraphMl,
    Gexf,
    Gml,
    Pajek,
];

/// Returns the rows `[format or null, text, expected result or part of the error, origin (optional)]`.
fn rows(kind: &str) -> Vec<(Option<Format>, String, String)> {
    let file: Value = serde_json::from_str(include_str!("texts.json")).unwrap();
    let row = |row: &Value| {
        let text = |place: usize| row[place].as_str().unwrap().to_owned();
        let named =
            |name: &str| *FORMATS.iter().find(|format| format!("{format:?}") == name).unwrap();
        (row[0].as_str().map(named), text(1), text(2))
    };
    file[kind].as_array().unwrap().iter().map(row).collect()
}

/// Describes a reading: the labels of the nodes (or how many there are), the edges, and everything reported.
fn described(reading: &Reading) -> String {
    let graph = &reading.graph;
    let nodes = graph.labels().map(|labels| labels.join("|"));
    let mut parts = vec![nodes.unwrap_or(graph.nodes().to_string())];
    parts.extend(graph.edges().map(|(u, v)| format!("{u}-{v}")));
    let mut text = parts.join(" ");
    if reading.repeated_edges > 0 {
        text += &format!("; {} again", reading.repeated_edges);
    }
    for SelfLoop { node, label, place } in &reading.self_loops {
        text += &format!("; {place} is a loop at {node}, {label}");
    }
    reading.notes.iter().fold(text, |text, note| format!("{text}; {note}"))
}

#[test]
fn texts_are_recognised_and_read() {
    for (format, text, expected) in rows("read") {
        let reading = read_bytes(text.as_bytes(), &ReadOptions::default());
        let reading = reading.unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!((Some(reading.format), described(&reading)), (format, expected), "{text}");
        assert_eq!(read(reading.format, text.as_bytes()), Ok(reading), "{text}");
    }
}

fn assert_refused(format: Option<Format>, file: &[u8], expected: &str) {
    let result = read_bytes(file, &ReadOptions { format, ..ReadOptions::default() });
    let error = result.map(|reading| described(&reading)).unwrap_err().to_string();
    let file = file.escape_ascii();
    assert!(error.contains(expected) && error.contains(';'), "{file}: {error}");
}

#[test]
fn other_texts_are_refused_with_place_and_remedy() {
    for (format, text, expected) in rows("refused") {
        assert_refused(format, text.as_bytes(), &expected);
    }
    for format in [EdgeList, MatrixMarket, NodeLink] {
        let expected = "line 2, column 3: byte 0xe9 is not UTF-8; save the file as UTF-8 text";
        assert_refused(Some(format), b"a b\nc \xe9\nd e", expected);
    }
    assert_refused(Some(Graph6), b"Dh\xff", "line 1: column 3 has the byte 0xff");
    assert_refused(Some(NodeLink), &[b'['; 100_000], "line 1, column");
    assert_refused(None, b"\xff\xfe0\0", "UTF-16");
}

#[test]
fn a_file_may_declare_a_million_nodes_or_one_for_each_byte() {
    let banner = "%%MatrixMarket matrix coordinate pattern symmetric";
    let padding = "%".repeat(1_000_000);
    for (nodes, padding, accepted) in
        [(1_000_000, "", true), (1_000_001, "", false), (1_000_001, &*padding, true)]
    {
        let text = format!("{banner}\n{nodes} {nodes} 0\n{padding}");
        assert_eq!(read(MatrixMarket, text.as_bytes()).is_ok(), accepted, "{nodes}");
    }
}

#[test]
fn options_decide_what_is_not_clear() {
    for (text, delimiter, header, nodes) in [
        ("hero,villain\na,b\nb,c\n", None, Some(true), 3),
        ("hero,villain\na,b\nb,c\n", None, Some(false), 5),
        ("3 2\n0 1\n1 2\n", None, Some(false), 4),
        ("(0, 0)\t(1, 0)\n(1, 0)\t(1, 1)\n", Some("tab"), None, 3),
        ("1 2 0,5\n2 3 0,7\n", Some("space"), None, 3),
        ("a|b\nb|c\n", Some("|"), None, 3),
        ("a friend of\nb friend of\n", Some("space"), Some(false), 3),
    ] {
        let delimiter = delimiter.map(|text| text.parse().unwrap());
        let options = ReadOptions { format: Some(EdgeList), delimiter, header };
        let reading = read_bytes(text.as_bytes(), &options).unwrap();
        assert_eq!(reading.graph.nodes(), nodes, "{text}");
    }
}
