//! Properties of the readers: what is written is read, and no line of an edge list is misread. What they do with
//! hostile input is in `tests/hostile_input.rs`.

use proptest::prelude::*;

use super::edge_list::edge_line;
use super::*;

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

/// For every line: a parsed line has two labels that stand in it in this order, not empty and
/// without blanks around them; a line that is skipped is blank or a comment.
fn edge_line_is_sound(line: &[u8]) {
    let visible = line.trim_ascii_start().first();
    match edge_line(line) {
        Ok(Some(edge)) => {
            for label in [edge.first, edge.second] {
                assert!(!label.is_empty() && label == label.trim_ascii(), "{line:?}");
                assert!(!label.contains(&b','), "{line:?}");
                assert!(
                    !label
                        .iter()
                        .any(|&byte| byte.is_ascii_control() && byte != b'\t')
                );
            }
            let start = |label: &[u8]| label.as_ptr() as usize - line.as_ptr() as usize;
            assert!(
                start(edge.first) + edge.first.len() < start(edge.second),
                "{line:?}"
            );
            assert!(
                start(edge.second) + edge.second.len() <= line.len(),
                "{line:?}"
            );
            assert!(!matches!(visible, None | Some(b'#' | b'%')), "{line:?}");
        }
        Ok(None) => assert!(matches!(visible, None | Some(b'#' | b'%')), "{line:?}"),
        Err(EdgeLineProblem::ControlCharacter { column, found }) => {
            assert_eq!(line[column - 1], found);
            assert!(found.is_ascii_control() && found != b'\t');
        }
        Err(EdgeLineProblem::EmptyLabel { label }) => {
            assert!((1..=2).contains(&label));
            assert!(line.contains(&b',') || line.contains(&b'\t'), "{line:?}");
        }
        Err(EdgeLineProblem::OneLabel) => {
            assert!(!line.contains(&b',') && !line.contains(&b'\t'), "{line:?}");
            assert!(!line.trim_ascii().contains(&b' '), "{line:?}");
        }
        Err(other) => panic!("{line:?}: {other}"),
    }
}

#[test]
fn edge_line_is_sound_on_all_strings_of_seven_meaningful_bytes() {
    let alphabet = *b"a0 \t,#\r\xff";
    let mut line = Vec::new();
    for length in 0..=7_u32 {
        for code in 0..8_u32.pow(length) {
            line.clear();
            line.extend((0..length).map(|place| alphabet[(code >> (3 * place)) as usize % 8]));
            edge_line_is_sound(&line);
        }
    }
}

#[test]
fn edge_line_is_sound_on_all_strings_of_two_bytes() {
    for first in 0..=u8::MAX {
        edge_line_is_sound(&[first]);
        for second in 0..=u8::MAX {
            edge_line_is_sound(&[first, second]);
        }
    }
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
        prop_assert_eq!(&reading.notes, &[]);
        prop_assert_eq!(reading.graph, graph);
    }
}
