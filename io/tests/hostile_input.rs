//! Readers and the graph's textual form on hostile input: any bytes give an error with a remedy or a
//! consistent graph, without a panic, in time and memory proportional to the input.
//!
//! Inputs are the files of `tests/corpus` (past findings and what is interesting by construction) and mutations of them under a
//! fixed seed. `MUFFLIATO_HOSTILE_ROUNDS=100000 cargo test -p muffliato-io hostile_input --
//! --nocapture` tries more. An input that fails is printed: it belongs into the corpus.

use crate::mutation::{Mutator, corpus, rounds, shown};
use muffliato_io::{Format, ReadOptions, Reading, gossip_matrix, read_bytes};
use muffliato_model::{Fraction, Graph, GraphSpec, families};

/// For each format the folder of the corpus, and valid files.
#[rustfmt::skip]
const FORMATS: [(&str, Format, &[&[u8]]); 12] = [
    ("edge_list", Format::EdgeList, &[
        b"# who\nann,bob,1\nbob,cem,0.5\n\"cem\",ann,2\n",
        b"# a comment\r\n0 1 1\r\n1 2 0.5\r\n2 2 0\r\n1 0 1\r\n",
        b"\"New York\",Boston,306\nBoston, New York,\n\xc3\xa4,Boston,\n% a comment\n",
        b"source;target\na;b\nb;c\n",
        b"4\n0 1\n1 2\n",
    ]),
    ("adjacency_list", Format::AdjacencyList, &[b"#who\n0 1 2\n1 2\n2\n"]),
    ("adjacency_list", Format::MultilineAdjacencyList, &[b"ann 1\nbob {'weight': 2}\nbob 0\n"]),
    ("dense_matrix", Format::DenseMatrix, &[b",ann,bob\nann,0,0.5\nbob,0.5,0\n", b"0 1 1\n1 0 0\n1 0 0\n"]),
    ("matrix_market", Format::MatrixMarket, &[
        b"%%MatrixMarket matrix coordinate real symmetric\n% who\n\n3 3 3\n2 1 0.5\n3 2 -1e3\n3 3 1\n",
        b"%%MatrixMarket matrix coordinate pattern general\n4 4 2\n2 1\n1 2\n",
        b"%%MatrixMarket matrix array integer symmetric\n2 2\n0\n1\n0\n",
    ]),
    ("graph6", Format::Graph6, &[b">>graph6<<IheA@GUAo\n", b"Dhc\r\n"]),
    ("graph6", Format::Sparse6, &[b">>sparse6<<:Fa@x^\n"]),
    ("node_link", Format::NodeLink, &[
        br#"{"directed": false, "nodes": [{"id": 0}, {"id": "b"}], "links": [{"source": 0, "target": "b"}]}"#,
        br#"{"nodes": [{"id": "a"}, {"id": 1.5}], "edges": [{"source": "a", "target": "a"}]}"#,
    ]),
    ("graphml", Format::GraphMl, &[b"<?xml version='1.0'?><graphml><key id='k' for='edge' attr.name='weight'/><graph edgedefault='undirected'><node id='a'/><node id='b'/><edge source='a' target='b'><data key='k'>0.5</data></edge></graph></graphml>"]),
    ("gml", Format::Gml, &[b"graph [ directed 0 node [ id 0 label \"a\" ] node [ id 1 label \"b\" ] edge [ source 0 target 1 weight 0.5 ] ]"]),
    ("graphml", Format::Gexf, &[b"<gexf><graph defaultedgetype='undirected'><nodes><node id='0' label='a'/><node id='1' label='b'/></nodes><edges><edge source='0' target='1' weight='2'/></edges></graph></gexf>"]),
    ("pajek", Format::Pajek, &[b"*Vertices 2\n1 \"a\"\n2 \"b\"\n*Edges\n1 2 0.5\n"]),
];

/// Words that mean something in one of the formats, and numbers at the limits of types.
#[rustfmt::skip]
const WORDS: [&str; 46] = [
    "0", "-1", "1e9", "NaN", "4294967296", "18446744073709551615", "99999999999999999999",
    "1000000 1000000 0\n", "1000001 1000001 0\n", "%%MatrixMarket", "pattern", "general", "\r\n",
    "\t", ",", ">>graph6<<", "~~", "~", "\"id\":", "\"nodes\":[", "[[[[[[[[", "{\"a\":", "\\ud800",
    "\u{feff}", "\"", "\"\"", "'", "(0, 1)", "{'weight': 4}", "source,target\n", ";", "1/3", "3\n",
    "#\n", ">>sparse6<<:", "<node id='a'/>", "<graph>", "</graph>",
    "<!DOCTYPE g [<!ENTITY a 'aa'>]>", "&a;", "&#38;", "<![CDATA[", "graph [", "node [ id 0 ]",
    "*Vertices 1000000\n", "*Edges\n",
];

/// A reading that is as large as its input may make it, and agrees with itself.
fn check_reading(format: Format, bytes: &[u8], reading: &Reading) {
    let graph = &reading.graph;
    let most_nodes = match format {
        // They declare how many there are.
        Format::MatrixMarket | Format::Sparse6 | Format::EdgeList | Format::Pajek => {
            bytes.len().max(1_000_000)
        }
        // A byte of graph6 holds six pairs, and n nodes have n (n - 1) / 2: at most 2 nodes a byte, and a few.
        _ => 2 * bytes.len() + 2,
    };
    assert!((1..=most_nodes).contains(&graph.nodes()));
    assert!(graph.edge_count() <= 6 * bytes.len());
    assert!(graph.labels().is_none_or(|labels| labels.len() == graph.nodes()));
    for self_loop in &reading.self_loops {
        assert_eq!(graph.node(&self_loop.label), Some(self_loop.node));
    }
}

/// The property: for every format and every byte string.
fn reads_or_refuses(bytes: &[u8]) -> bool {
    let mut any = false;
    let given = FORMATS.map(|(_, format, _)| Some(format));
    for format in given.into_iter().chain([None]) {
        let options = ReadOptions { format, ..ReadOptions::default() };
        if let Err(error) = gossip_matrix(&families::path(2).unwrap(), bytes, &options) {
            assert!(error.to_string().contains(';'), "no remedy: {error}");
        }
        match read_bytes(bytes, &options) {
            Err(error) => {
                let message = error.to_string();
                assert!(message.contains(';'), "no remedy: {message}");
                assert!(message.len() < 1000, "a message of {} bytes", message.len());
            }
            Ok(reading) => {
                assert!(format.is_none_or(|format| reading.format == format));
                check_reading(reading.format, bytes, &reading);
                any = true;
            }
        }
    }
    any
}

fn all_files() -> Vec<Vec<u8>> {
    let of_format = |(folder, _, valid): (&str, Format, &[&[u8]])| {
        let valid = valid.iter().map(|file| file.to_vec());
        corpus(folder).into_iter().chain(valid).collect::<Vec<_>>()
    };
    FORMATS.into_iter().flat_map(of_format).collect()
}

#[test]
fn the_corpus_and_its_mutations_are_read_or_refused() {
    for (_, format, valid) in FORMATS {
        for file in valid {
            assert_eq!(Format::of(file), Ok(format));
            let reading = read_bytes(file, &ReadOptions::default());
            assert!(reading.is_ok(), "{reading:?}");
        }
    }
    let files = all_files();
    assert!(files.len() > 40, "{} files", files.len());
    for file in &files {
        shown(file, reads_or_refuses);
    }
    let (rounds, mut mutator) = (rounds(3000), Mutator::new(1, &WORDS, &files));
    let accepted = (0..rounds).filter(|_| shown(&mutator.mutated(4096), reads_or_refuses));
    let accepted = accepted.count();
    println!("{accepted} mutations are valid files");
    assert!(accepted > rounds / 100, "too wild: {accepted}");
}

#[test]
fn the_textual_form_of_a_graph_parses_to_itself_or_is_refused() {
    let mut texts = corpus("graph_spec");
    texts.extend(GraphSpec::families().iter().map(|family| family.example.into()));
    let check = |bytes: &[u8]| -> bool {
        let text = String::from_utf8_lossy(bytes).into_owned();
        let _ = text.parse::<Fraction>();
        let spec = match text.parse::<GraphSpec>() {
            Err(error) => {
                assert!(error.to_string().contains([';', '\n']), "no remedy: {error}");
                return false;
            }
            Ok(spec) => spec,
        };
        // As texts: a parameter that is not a number, which is refused when the graph is built, differs from itself.
        let normal = spec.to_string();
        let again = normal.parse::<GraphSpec>();
        assert_eq!(again.map(|spec| spec.to_string()), Ok(normal), "{text:?}");
        small_or_too_large(&spec) && spec.build().is_ok()
    };
    for text in &texts {
        shown(text, check);
    }
    let mut mutator = Mutator::new(2, &WORDS, &texts);
    let built = (0..rounds(3000)).filter(|_| shown(&mutator.mutated(200), check));
    let built = built.count();
    println!("{built} texts were built");
    assert!(built > 0);
}

/// Returns `true` if a spec has at most 500 nodes, or so many that it must be refused before anything is allocated. Specs
/// between these limits are valid and would take long to build.
fn small_or_too_large(spec: &GraphSpec) -> bool {
    let GraphSpec::Member(member) = spec else {
        return false;
    };
    let sizes = member.sizes();
    let product = |all: usize, &size: &usize| all.saturating_mul(size);
    let nodes = match member.family().name {
        "hypercube" => {
            1_usize.checked_shl(u32::try_from(sizes[0]).unwrap_or(u32::MAX)).unwrap_or(usize::MAX)
        }
        _ => sizes.iter().fold(1, product),
    };
    nodes <= 500 || nodes > Graph::MAX_NODES
}
