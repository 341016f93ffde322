//! Graph files: a text, and the graph that it describes by names. Nothing is computed here.

use super::losses::Cases;
use crate::exact::Result;
use crate::form::{Answer, Question, Verdict};

/// Name, text, nodes and edges by name.
#[rustfmt::skip] // one case a line
const READ: [(&str, &str, &str, &str); 30] = [
    ("edge-list", "0 1\n1 2\n2 3\n", "0 1 2 3", "0-1 1-2 2-3"),
    ("edge-list/tabs", "0\t1\n1\t2\n", "0 1 2", "0-1 1-2"),
    ("edge-list/crlf", "0 1\r\n1 2\r\n", "0 1 2", "0-1 1-2"),
    ("edge-list/no-last-newline", "0 1\n1 2", "0 1 2", "0-1 1-2"),
    ("edge-list/names", "ann bob\nbob cem\n", "ann bob cem", "ann-bob bob-cem"),
    ("edge-list/one-based", "1 2\n2 3\n", "1 2 3", "1-2 2-3"),
    ("edge-list/gaps", "10 20\n20 35\n", "10 20 35", "10-20 20-35"),
    ("edge-list/comment", "# a path\n0 1\n1 2\n", "0 1 2", "0-1 1-2"),
    ("edge-list/snap", "# Nodes: 3 Edges: 2\n# FromNodeId\tToNodeId\n0\t1\n1\t2\n", "0 1 2", "0-1 1-2"),
    ("edge-list/percent", "% sym unweighted\n1 2\n2 3\n", "1 2 3", "1-2 2-3"),
    ("edge-list/both-directions", "0 1\n1 0\n1 2\n2 1\n", "0 1 2", "0-1 1-2"),
    ("edge-list/repeated", "0 1\n0 1\n1 2\n", "0 1 2", "0-1 1-2"),
    ("edge-list/blank-lines", "0 1\n\n1 2\n\n", "0 1 2", "0-1 1-2"),
    ("csv", "from,to\nann,bob\nbob,cem\n", "ann bob cem", "ann-bob bob-cem"),
    ("csv/source-target", "source,target\na,b\nb,c\n", "a b c", "a-b b-c"),
    ("csv/quoted", "\"from\",\"to\"\n\"ann\",\"bob\"\n\"bob\",\"cem\"\n", "ann bob cem", "ann-bob bob-cem"),
    ("csv/byte-order-mark", "\u{feff}from,to\na,b\nb,c\n", "a b c", "a-b b-c"),
    ("matrix-market/pattern", "%%MatrixMarket matrix coordinate pattern symmetric\n3 3 2\n2 1\n3 2\n", "0 1 2", "0-1 1-2"),
    ("matrix-market/real", "%%MatrixMarket matrix coordinate real symmetric\n3 3 2\n2 1 0.5\n3 2 1.5\n", "0 1 2", "0-1 1-2"),
    ("matrix-market/general", "%%MatrixMarket matrix coordinate pattern general\n3 3 4\n1 2\n2 1\n2 3\n3 2\n", "0 1 2", "0-1 1-2"),
    ("matrix-market/comment", "%%MatrixMarket matrix coordinate pattern symmetric\n% made by hand\n3 3 2\n2 1\n3 2\n", "0 1 2", "0-1 1-2"),
    ("dense", "0 1 0 0\n1 0 1 0\n0 1 0 1\n0 0 1 0\n", "0 1 2 3", "0-1 1-2 2-3"),
    ("dense/commas", "0,1,0,1\n1,0,1,0\n0,1,0,1\n1,0,1,0\n", "0 1 2 3", "0-1 1-2 2-3 0-3"),
    ("graph6", "Bg\n", "0 1 2", "0-1 1-2"),
    ("graph6/header", ">>graph6<<C~\n", "0 1 2 3", "0-1 0-2 0-3 1-2 1-3 2-3"),
    ("node-link", "{\"directed\": false, \"multigraph\": false, \"graph\": {}, \"nodes\": [{\"id\": 0}, {\"id\": 1}, {\"id\": 2}], \"links\": [{\"source\": 0, \"target\": 1}, {\"source\": 1, \"target\": 2}]}", "0 1 2", "0-1 1-2"),
    ("gml", "graph [\n  node [ id 0 label \"ann\" ]\n  node [ id 1 label \"bob\" ]\n  edge [ source 0 target 1 ]\n]\n", "ann bob", "ann-bob"),
    ("graphml", "<?xml version=\"1.0\"?><graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\"><graph edgedefault=\"undirected\"><node id=\"a\"/><node id=\"b\"/><node id=\"c\"/><edge source=\"a\" target=\"b\"/></graph></graphml>", "a b c", "a-b"),
    ("pajek", "*Vertices 3\n1 \"ann\"\n2 \"bob\"\n3 \"cem\"\n*Edges\n1 2\n2 3\n", "ann bob cem", "ann-bob bob-cem"),
    ("adjacency-list", "0 1 2 3\n1 2\n2\n3\n", "0 1 2 3", "0-1 0-2 0-3 1-2"),
];

/// Texts that may be refused, but must not be read as another graph.
#[rustfmt::skip] // one case a line
const READ_OR_REFUSED: [(&str, &str, &str, &str); 7] = [
    ("colon-list", "0: 1 2\n1: 0 2\n2: 0 1\n", "0 1 2", "0-1 0-2 1-2"),
    ("colon-list/names", "ann: bob\nbob: ann cem\ncem: bob\n", "ann bob cem", "ann-bob bob-cem"),
    ("arrows", "0 -> 1\n1 -> 2\n", "0 1 2", "0-1 1-2"),
    ("dashes", "0 -- 1\n1 -- 2\n", "0 1 2", "0-1 1-2"),
    ("graphviz", "graph {\n  0 -- 1;\n  1 -- 2;\n}\n", "0 1 2", "0-1 1-2"),
    ("matrix-market/stored-zero", "%%MatrixMarket matrix coordinate real symmetric\n3 3 3\n2 1 1.0\n3 1 0.0\n3 2 1.0\n", "0 1 2", "0-1 1-2"),
    ("edge-list/names-then-numbers", "a b\n1 2\n2 3\n", "a b 1 2 3", "a-b 1-2 2-3"),
];

#[rustfmt::skip] // one case a line
const REFUSED: [(&str, &str, &str); 12] = [
    ("empty", "", "there is nothing in it"),
    ("only-comments", "# nothing\n", "there is no edge in it"),
    ("prose", "It was a dark and stormy night; the rain fell in torrents,\nexcept at occasional intervals.\n", "it is no graph"),
    ("html", "<!DOCTYPE html><html><body>404</body></html>", "it is a page, not a graph"),
    ("edge-list/one-field", "0 1\n1\n2 3\n4 5\n", "a line has one end"),
    ("matrix-market/cut-off", "%%MatrixMarket matrix coordinate pattern symmetric\n3 3 2\n2 1\n", "entries are missing"),
    ("matrix-market/outside", "%%MatrixMarket matrix coordinate pattern symmetric\n3 3 1\n4 1\n", "an entry is outside of the matrix"),
    ("matrix-market/rectangular", "%%MatrixMarket matrix coordinate pattern general\n3 4 1\n1 2\n", "the matrix is not square"),
    ("graph6/cut-off", ">>graph6<<D~\n", "bits are missing"),
    ("node-link/no-such-node", "{\"nodes\": [{\"id\": 0}], \"links\": [{\"source\": 0, \"target\": 5}]}", "an edge ends at a node that is not listed"),
    ("json/cut-off", "{\"nodes\": [{\"id\": 0}", "the JSON ends too early"),
    ("gml/no-such-node", "graph [\n  node [ id 0 ]\n  edge [ source 0 target 3 ]\n]\n", "an edge ends at a node that is not listed"),
];

pub(super) fn graph_files() -> Result<Cases> {
    let mut cases = Cases::new("graph-files");
    let flagged = READ_OR_REFUSED.iter().map(|row| (row, true));
    for (&(name, text, nodes, edges), or_refuse) in
        READ.iter().map(|row| (row, false)).chain(flagged)
    {
        let nodes: Vec<String> = nodes.split(' ').map(String::from).collect();
        let place = |name: &str| {
            nodes
                .iter()
                .position(|node| node == name)
                .ok_or("no such node")
        };
        let edge = |edge: &str| {
            let (a, b) = edge.split_once('-').ok_or("no edge")?;
            Ok::<_, Box<dyn std::error::Error>>((place(a)?, place(b)?))
        };
        let edges = edges.split(' ').map(edge).collect::<Result<Vec<_>>>()?;
        let flags = if or_refuse {
            vec!["read-as-another-graph"]
        } else {
            Vec::new()
        };
        let answer = Answer::Graph {
            nodes,
            edges,
            or_refuse,
        };
        cases.add(
            name.into(),
            flags,
            Question::GraphFile { text: text.into() },
            answer,
        );
    }
    for (name, text, reason) in REFUSED {
        let answer = Answer::Verdict {
            verdict: Verdict::Refuse,
            reason: reason.into(),
        };
        let question = Question::GraphFile { text: text.into() };
        cases.add(
            format!("refused/{name}"),
            vec!["no-graph"],
            question,
            answer,
        );
    }
    Ok(cases)
}
