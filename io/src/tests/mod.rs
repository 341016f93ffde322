//! Files on disk, and properties of the readers: written files are read back, and no line is misread. Hostile input is in
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
        let found = |delimiter: Delimiter| -> Vec<String> {
            let fields = split(line, delimiter).unwrap();
            fields.into_iter().map(|field| field.text.into()).collect()
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
    let formats = [Format::EdgeList, Format::AdjacencyList, Format::DenseMatrix, Format::NodeLink];
    all_strings(b"a0 \t,#\r\n\"{\xff", 5, |bytes| {
        for format in formats {
            match read(format, bytes) {
                Ok(reading) => assert!(reading.graph.nodes() > 0, "{bytes:?}"),
                Err(error) => assert!(error.to_string().contains(';'), "{bytes:?}: {error}"),
            }
        }
    });
}

#[test]
fn files_are_read_and_errors_name_the_path() {
    let folder = std::env::temp_dir().join(format!("muffliato-readers-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join("path.g6");
    std::fs::write(&path, "BW\n").unwrap();
    assert_eq!(read_file(&path).unwrap().graph.edge_count(), 2);
    assert_eq!(file_bytes(&path, 3).unwrap(), b"BW\n");
    let error = file_bytes(&path, 1).unwrap_err();
    assert_eq!((error.kind, error.path.as_ref()), (ErrorKind::TooLarge, Some(&path)));

    let path = folder.join("short.edges");
    std::fs::write(&path, "0 1\n2\n").unwrap();
    let error = read_file(&path).unwrap_err();
    assert_eq!(error.path.as_ref(), Some(&path));
    assert!(error.to_string().contains("line 2: \"2\": there is one label"), "{error}");

    for path in [folder.join("absent"), folder.clone()] {
        let error = read_file(&path).unwrap_err();
        assert_eq!((error.kind, error.path), (ErrorKind::Io, Some(path)));
    }
    std::fs::remove_dir_all(&folder).unwrap();
}

/// `/dev/zero` says that it has no bytes, and never ends.
#[cfg(unix)]
#[test]
fn files_without_a_size_are_read_up_to_the_limit() {
    let error = file_bytes(Path::new("/dev/zero"), 10).unwrap_err();
    assert_eq!(error.kind, ErrorKind::TooLarge);
    assert!(error.to_string().contains("11 bytes or more"), "{error}");
}

/// The ego networks of the paper's experiments (SNAP `ego-Facebook`). The numbers come from
/// a count of the files with awk.
#[test]
fn the_facebook_files_are_read_where_they_are_present() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/data/facebook");
    if !folder.is_dir() {
        println!("{} is absent: nothing to read", folder.display());
        return;
    }
    for (ego, nodes, edges) in [
        (0, 333, 2519),
        (107, 1034, 26749),
        (348, 224, 3192),
        (414, 150, 1693),
        (686, 168, 1656),
        (698, 61, 270),
        (1684, 786, 14024),
        (1912, 747, 30025),
        (3437, 534, 4813),
        (3980, 52, 146),
    ] {
        let reading = read_file(&folder.join(format!("{ego}.edges"))).unwrap();
        let read = (reading.graph.nodes(), reading.graph.edge_count());
        assert_eq!(read, (nodes, edges), "{ego}.edges");
        assert_eq!(reading.repeated_edges, edges, "each edge is listed in both directions");
        assert_eq!((reading.self_loops, reading.notes), (vec![], vec![]));
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
        prop_assert_eq!(&reading.notes, &Vec::<String>::new());
        prop_assert_eq!(reading.graph, graph);
    }
}
