//! Properties of the readers: written files are read back, and no line is misread. Hostile input is in
//! `tests/hostile_input.rs`.

use proptest::prelude::*;

use crate::table::split;
use crate::*;
use muffliato_model::graph6::{from_graph6, graph6};

/// A graph of up to 70 nodes (more than 62: both of the shorter graph6 forms) with any edges.
fn graph() -> impl Strategy<Value = Graph> {
    (1_usize..=70).prop_flat_map(|nodes| {
        proptest::collection::vec((0..nodes, 0..nodes), 0..3 * nodes).prop_map(move |pairs| {
            Graph::try_new(nodes, pairs.into_iter().filter(|(u, v)| u != v)).unwrap()
        })
    })
}

/// A graph and its edges in any order and direction; a node without edges has a self-loop.
fn graph_and_lines() -> impl Strategy<Value = (Graph, Vec<(usize, usize)>)> {
    graph().prop_flat_map(|graph| {
        let alone = (0..graph.nodes()).filter(|&v| graph.degree(v) == 0);
        let pairs: Vec<_> = graph.edges().chain(alone.map(|v| (v, v))).collect();
        let turned = proptest::collection::vec(any::<bool>(), pairs.len());
        let lines = (Just(pairs).prop_shuffle(), turned).prop_map(|(pairs, turned)| {
            let turn = |((u, v), turned)| if turned { (v, u) } else { (u, v) };
            pairs.into_iter().zip(turned).map(turn).collect()
        });
        (Just(graph), lines)
    })
}

/// Calls `check` with all strings of up to `length` bytes of an alphabet.
fn all_strings(alphabet: &[u8], length: u32, check: impl Fn(&[u8])) {
    let mut text = Vec::new();
    for length in 0..=length {
        for code in 0..alphabet.len().pow(length) {
            let digit = |place: u32| code / alphabet.len().pow(place) % alphabet.len();
            text.clear();
            text.extend((0..length).map(|place| alphabet[digit(place)]));
            check(&text);
        }
    }
}

/// Without quotes, the fields between signs are what stands between them, and those between blanks are the words.
#[test]
fn fields_are_what_stands_between_separators() {
    all_strings(b"a0 \t,#", 7, |bytes| {
        let line = std::str::from_utf8(bytes).unwrap();
        let mut fields = Vec::new();
        let mut found = |delimiter: Delimiter| -> Vec<String> {
            split(line, delimiter, &mut fields).unwrap();
            fields.drain(..).map(|field| field.text.into()).collect()
        };
        let commas: Vec<&str> = line.split(',').map(str::trim_ascii).collect();
        assert_eq!(found(Delimiter::Character(',')), commas, "{line:?}");
        let tabs: Vec<&str> = line.split('\t').map(str::trim_ascii).collect();
        assert_eq!(found(Delimiter::Character('\t')), tabs, "{line:?}");
        let words: Vec<&str> = line.split_ascii_whitespace().collect();
        if !words.is_empty() {
            assert_eq!(found(Delimiter::Blanks), words, "{line:?}");
        }
    });
}

/// A graph, or an error that says what to do, whatever the format is said to be.
#[test]
fn every_short_file_is_answered() {
    let formats = [
        Format::EdgeList,
        Format::AdjacencyList,
        Format::DenseMatrix,
        Format::NodeLink,
    ];
    all_strings(b"a0 \t,#\r\n\"{\xff", 5, |bytes| {
        for format in formats {
            match read(format, bytes) {
                Ok(reading) => assert!(reading.graph.nodes() > 0, "{bytes:?}"),
                Err(error) => assert!(error.to_string().contains(';'), "{bytes:?}: {error}"),
            }
        }
    });
}

proptest! {
    #[test]
    fn graph6_written_and_read_is_the_same_graph(graph in graph()) {
        prop_assert_eq!(from_graph6(&graph6(&graph)), Ok(graph));
    }

    #[test]
    fn graph6_read_and_written_is_the_same_text(text in "[?-H][?-~]{0,6}") {
        if let Ok(graph) = from_graph6(&text) {
            prop_assert_eq!(graph6(&graph), text);
        }
    }

    #[test]
    fn an_edge_list_written_and_read_is_the_same_graph(
        (graph, lines) in graph_and_lines(),
        separator in proptest::sample::select(&[" ", "\t", ",", "  ", " , "]),
    ) {
        let text: String = lines.iter().map(|(u, v)| format!("{u}{separator}{v}\n")).collect();
        let options = ReadOptions {
            format: Some(Format::EdgeList),
            header: Some(false),
            ..ReadOptions::default()
        };
        let reading = read_bytes(text.as_bytes(), &options).unwrap();
        let alone = (0..graph.nodes()).filter(|&v| graph.degree(v) == 0).count();
        prop_assert_eq!(reading.self_loops.len(), alone);
        prop_assert_eq!(reading.repeated_edges, 0);
        prop_assert_eq!(&reading.notes, &Vec::<String>::new());
        prop_assert_eq!(reading.graph, graph);
    }
}
