//! Memory and time of the readers on inputs that ask for much: alone in its process, whose peak is measured.

#![cfg(feature = "readers")]

use flate2::{Compression, write::GzEncoder};
use muffliato_model::readers::{Format, ReadOptions, read, read_bytes};
use std::io::Write;

/// The peak of this process's memory so far, in bytes, where the system tells.
fn peak() -> Option<usize> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes: usize = line.trim().trim_end_matches(" kB").parse().ok()?;
    Some(kilobytes * 1024)
}

fn packed(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// Files of up to a megabyte that would break a reader whose memory follows what a file declares, whose time is quadratic or
/// whose recursion is not limited. An error or a graph, and at most 200 bytes for each byte of the largest, or what
/// a million nodes take.
#[test]
fn memory_follows_the_size_of_the_input() {
    let megabyte = 1 << 20;
    let banner = "%%MatrixMarket matrix coordinate pattern symmetric\n";
    let many =
        |count: usize, line: &dyn Fn(usize) -> String| -> String { (0..count).map(line).collect() };
    let links = many(20_000, &|k| format!("{{\"source\":{k},\"target\":0}},"));
    let ids = many(20_001, &|k| format!("{{\"id\":{k}}},"));
    let entities = format!(
        "<!DOCTYPE g [<!ENTITY a0 'aaaaaaaaaa'>{}]><graphml><graph><node id='&a9;'/></graph></graphml>",
        many(9, &|k| format!(
            "<!ENTITY a{} '{}'>",
            k + 1,
            format!("&a{k};").repeat(10)
        ))
    );
    let files: Vec<(Format, Vec<u8>)> = vec![
        // Sizes that are promised.
        (
            Format::MatrixMarket,
            format!("{banner}60000000 60000000 0\n").into(),
        ),
        (
            Format::MatrixMarket,
            format!("{banner}1000000000 1000000000 0\n").into(),
        ),
        (
            Format::MatrixMarket,
            format!("{banner}1000000 1000000 18446744073709551615\n").into(),
        ),
        (Format::Graph6, b"~~~~~~~~".to_vec()),
        (
            Format::Graph6,
            [b"~~~~~~~~".to_vec(), vec![b'~'; megabyte]].concat(),
        ),
        (Format::Graph6, b"~}~~".to_vec()),
        // Many nodes, many edges, many of the same.
        (
            Format::EdgeList,
            many(60_000, &|k| format!("n{k} m{k}\n")).into(),
        ),
        (Format::EdgeList, "a a\n".repeat(megabyte / 4).into()),
        (Format::EdgeList, "0 1\n".repeat(megabyte / 4).into()),
        (
            Format::EdgeList,
            many(60_000, &|k| format!("hub {k}\n")).into(),
        ),
        (
            Format::Graph6,
            [b"~?uH".to_vec(), vec![b'~'; 1_000_230]].concat(),
        ),
        (
            Format::NodeLink,
            format!(
                "{{\"nodes\":[{}{{\"id\":-1}}],\"links\":[{}{{\"source\":0,\"target\":0}}]}}",
                ids, links
            )
            .into(),
        ),
        // One long line, one long label, blanks, comments.
        (Format::EdgeList, vec![b'a'; megabyte]),
        (Format::EdgeList, vec![b' '; megabyte]),
        (Format::EdgeList, vec![b','; megabyte]),
        (Format::EdgeList, vec![b'\n'; megabyte]),
        (Format::EdgeList, vec![0xff; megabyte]),
        (
            Format::MatrixMarket,
            format!("{banner}{}", "%\n".repeat(megabyte / 2)).into(),
        ),
        (
            Format::MatrixMarket,
            format!("{banner}{}", " ".repeat(megabyte)).into(),
        ),
        // Nesting.
        (Format::NodeLink, vec![b'['; megabyte]),
        (Format::NodeLink, "{\"a\":".repeat(megabyte / 5).into()),
        (
            Format::NodeLink,
            format!("{{\"nodes\":{}", "[1,".repeat(megabyte / 3)).into(),
        ),
        (
            Format::NodeLink,
            format!("\"{}\"", "\\u0000".repeat(megabyte / 6)).into(),
        ),
        // Entities, attributes and elements without end.
        (Format::GraphMl, entities.into()),
        (
            Format::GraphMl,
            format!(
                "<graphml><graph><node {}/>",
                many(80_000, &|k| format!("a{k}='b' "))
            )
            .into(),
        ),
        (
            Format::GraphMl,
            format!("<graphml><graph>{}", "<a>".repeat(megabyte / 3)).into(),
        ),
        (
            Format::Gexf,
            format!(
                "<gexf><graph><nodes>{}",
                many(40_000, &|k| format!("<node id='{k}'/>"))
            )
            .into(),
        ),
        (
            Format::GraphMl,
            format!(
                "<graphml><graph>{}</graph></graphml>",
                many(25_000, &|k| format!("<edge source='{k}' target='0'/>"))
            )
            .into(),
        ),
        (
            Format::Gml,
            format!("graph [{}", " a [".repeat(megabyte / 4)).into(),
        ),
        (
            Format::Gml,
            format!("graph [ a \"{}", "x\n".repeat(megabyte / 2)).into(),
        ),
        (
            Format::Gml,
            format!(
                "graph [{}]",
                many(40_000, &|k| format!(" node [ id {k} ]\n"))
            )
            .into(),
        ),
        (Format::Pajek, b"*Vertices 18446744073709551615\n".to_vec()),
        (Format::Pajek, b"*Vertices 100000\n*Edges\n".to_vec()),
        (Format::Sparse6, b":~~~~~~~~".to_vec()),
        (
            Format::Sparse6,
            [b":~?uH".to_vec(), vec![b'~'; megabyte]].concat(),
        ),
        (
            Format::Sparse6,
            [b":~?uH".to_vec(), vec![b'?'; megabyte]].concat(),
        ),
        (Format::EdgeList, b"1000000\n1 2\n2 1000000\n".to_vec()),
        (Format::EdgeList, b"18446744073709551615\n1 2\n".to_vec()),
        (Format::EdgeList, "\"".repeat(megabyte).into()),
        (
            Format::AdjacencyList,
            many(80_000, &|k| format!("{k} {}\n", k / 2)).into(),
        ),
        (
            Format::AdjacencyList,
            many(150_000, &|k| format!("{k} ")).into(),
        ),
        (
            Format::MultilineAdjacencyList,
            b"a 18446744073709551615\nb {}\n".to_vec(),
        ),
        (Format::DenseMatrix, "0 ".repeat(megabyte / 2).into()),
        (
            Format::DenseMatrix,
            format!("{}\n", "1 ".repeat(700)).repeat(700).into(),
        ),
        // What gzip makes of a thousand times as much.
        (Format::EdgeList, packed(&vec![b'0'; 64 << 20])),
        (
            Format::EdgeList,
            packed("0 1\n".repeat(megabyte / 4).as_bytes()),
        ),
    ];
    let before = peak();
    let mut read_well = 0;
    for (format, bytes) in &files {
        // However it is recognised, the memory is bounded.
        if let Err(error) = read_bytes(bytes, &ReadOptions::default()) {
            assert!(error.to_string().len() < 1000);
        }
        match read(*format, bytes) {
            Ok(reading) => {
                read_well += 1;
                assert!(reading.graph.nodes() <= bytes.len().max(1_000_000));
            }
            Err(error) => assert!(error.to_string().len() < 1000),
        }
    }
    println!("{read_well} of {} files are graphs", files.len());
    assert!(read_well >= 5);
    if let (Some(before), Some(after)) = (before, peak()) {
        let grown = after - before;
        println!("the peak grew by {grown} bytes");
        assert!(
            grown <= 200 * (megabyte + 100),
            "the peak grew by {grown} bytes"
        );
    }
}
