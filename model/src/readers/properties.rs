//! Properties of all readers.

use proptest::prelude::*;
use proptest::sample::Index;

use super::edge_list::edge_line;
use super::*;

pub(super) const FORMATS: [Format; 12] = [
    Format::EdgeList,
    Format::AdjacencyList,
    Format::MultilineAdjacencyList,
    Format::DenseMatrix,
    Format::MatrixMarket,
    Format::Graph6,
    Format::Sparse6,
    Format::NodeLink,
    Format::GraphMl,
    Format::Gml,
    Format::Gexf,
    Format::Pajek,
];

/// Small valid files, with their formats.
const FILES: [(Format, &str); 20] = [
    (
        Format::EdgeList,
        "# a comment\r\n0 1 1\r\n1 2 0.5\r\n2 2 0\r\n1 0 1\r\n",
    ),
    (
        Format::EdgeList,
        "\"New York\",Boston,306\nBoston, New York,\nä,Boston,\n% a comment\n",
    ),
    (Format::EdgeList, "source;target\na;b\nb;c\n"),
    (Format::EdgeList, "4\n0 1\n1 2\n"),
    (Format::AdjacencyList, "#c\n0 1 2\n1 2\n2\n"),
    (Format::MultilineAdjacencyList, "a 1\nb {'w': 1}\nb 0\n"),
    (Format::DenseMatrix, "0 1 1\n1 0 0\n1 0 0\n"),
    (Format::DenseMatrix, ",a,b\na,0,0.5\nb,0.5,0\n"),
    (
        Format::MatrixMarket,
        "%%MatrixMarket matrix coordinate real symmetric\n% a comment\n\n3 3 3\n2 1 0.5\n3 2 -1e3\n3 3 1\n",
    ),
    (
        Format::MatrixMarket,
        "%%MatrixMarket matrix coordinate pattern general\n4 4 2\n2 1\n1 2\n",
    ),
    (
        Format::MatrixMarket,
        "%%MatrixMarket matrix array integer symmetric\n2 2\n0\n1\n0\n",
    ),
    (Format::Graph6, ">>graph6<<IheA@GUAo\n"),
    (Format::Graph6, "Dhc\r\n"),
    (Format::Sparse6, ":Fa@x^\n"),
    (
        Format::NodeLink,
        r#"{"directed": false, "nodes": [{"id": 0}, {"id": 1}], "links": [{"source": 0, "target": 1}]}"#,
    ),
    (
        Format::NodeLink,
        r#"{"nodes": [{"id": "a"}, {"id": 1.5}], "edges": [{"source": "a", "target": "a"}]}"#,
    ),
    (
        Format::GraphMl,
        "<graphml><key id='k' attr.name='weight'/><graph edgedefault='undirected'><node id='a'/><node id='b'/><edge source='a' target='b'><data key='k'>2</data></edge></graph></graphml>",
    ),
    (
        Format::Gml,
        "graph [ node [ id 0 label \"a\" ] node [ id 1 label \"b\" ] edge [ source 0 target 1 weight 2 ] ]",
    ),
    (
        Format::Gexf,
        "<gexf><graph><nodes><node id='0' label='a'/><node id='1' label='b'/></nodes><edges><edge source='0' target='1'/></edges></graph></gexf>",
    ),
    (
        Format::Pajek,
        "*Vertices 2\n1 \"a\"\n2 \"b\"\n*Edges\n1 2 0.5\n",
    ),
];

/// A change of one place in a file.
#[derive(Clone, Debug)]
enum Mutation {
    Replace(Index, u8),
    Insert(Index, u8),
    /// Copies the bytes between two places to the end.
    Repeat(Index, Index),
    Remove(Index),
    CutOff(Index),
}

impl Mutation {
    fn apply(&self, bytes: &mut Vec<u8>) {
        if bytes.is_empty() {
            return;
        }
        let place = |index: &Index| index.index(bytes.len());
        match self {
            Self::Replace(at, byte) => {
                let at = place(at);
                bytes[at] = *byte;
            }
            Self::Insert(at, byte) => bytes.insert(place(at), *byte),
            Self::Repeat(from, to) => {
                let (from, to) = (place(from), place(to));
                bytes.extend_from_within(from.min(to)..from.max(to));
            }
            Self::Remove(at) => {
                bytes.remove(place(at));
            }
            Self::CutOff(at) => bytes.truncate(place(at)),
        }
    }
}

/// Any byte, and more often those that mean something in one of the formats.
fn byte() -> impl Strategy<Value = u8> {
    let meaningful = b" \t\r\n,;#%0129-.e?@~}_A{}[]()<>=/&'*\":\\\x00\xc3\xef".to_vec();
    prop_oneof![any::<u8>(), proptest::sample::select(meaningful)]
}

fn mutation() -> impl Strategy<Value = Mutation> {
    prop_oneof![
        (any::<Index>(), byte()).prop_map(|(at, byte)| Mutation::Replace(at, byte)),
        (any::<Index>(), byte()).prop_map(|(at, byte)| Mutation::Insert(at, byte)),
        (any::<Index>(), any::<Index>()).prop_map(|(from, to)| Mutation::Repeat(from, to)),
        any::<Index>().prop_map(Mutation::Remove),
        any::<Index>().prop_map(Mutation::CutOff),
    ]
}

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

/// Whatever the bytes: no panic, a message for each error, and a consistent reading.
fn reading_is_an_error_or_consistent(bytes: &[u8]) {
    for format in FORMATS.map(Some).into_iter().chain([None]) {
        let options = ReadOptions {
            format,
            ..ReadOptions::default()
        };
        match read_bytes(bytes, &options) {
            Err(error) => assert!(error.to_string().contains(';'), "no remedy: {error}"),
            Ok(reading) => {
                assert!(format.is_none_or(|format| reading.format == format));
                assert!(reading.graph.nodes() >= 1);
                for self_loop in &reading.self_loops {
                    assert_eq!(reading.graph.node(&self_loop.label), Some(self_loop.node));
                }
            }
        }
    }
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

#[test]
fn the_files_to_mutate_are_valid() {
    for (format, file) in FILES {
        let reading = read(format, file.as_bytes());
        assert!(reading.is_ok(), "{file:?} gives {reading:?}");
        assert_eq!(
            read_bytes(file.as_bytes(), &ReadOptions::default()),
            reading,
            "{file}"
        );
        assert_eq!(Format::of(file.as_bytes()), Ok(format), "{file}");
    }
}

proptest! {
    #[test]
    fn arbitrary_bytes_never_panic(bytes in proptest::collection::vec(byte(), 0..64)) {
        reading_is_an_error_or_consistent(&bytes);
        bytes.split(|&byte| byte == b'\n').for_each(edge_line_is_sound);
    }

    #[test]
    fn arbitrary_entries_of_a_matrix_never_panic(
        entries in "(pattern|real|integer) (symmetric|general)\n[0-3]{1,2} [0-3]{1,2} [0-3]\n([0-4] [0-4]( [-+.0-9e]{1,4})?\n){0,4}"
    ) {
        let file = format!("%%MatrixMarket matrix coordinate {entries}");
        reading_is_an_error_or_consistent(file.as_bytes());
    }

    #[test]
    fn mutated_files_never_panic(
        file in proptest::sample::select(&FILES),
        mutations in proptest::collection::vec(mutation(), 1..6),
    ) {
        let mut bytes = file.1.as_bytes().to_vec();
        for mutation in &mutations {
            mutation.apply(&mut bytes);
            reading_is_an_error_or_consistent(&bytes);
        }
    }

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
