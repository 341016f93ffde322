//! Memory and time of the readers on inputs that ask for much: alone in its process, whose peak is measured.

use flate2::{Compression, write::GzEncoder};
use muffliato_io::{Format, ReadOptions, read, read_bytes};
use std::io::Write;

/// The peak of this process's memory so far, in bytes, where the system tells.
fn peak() -> Option<usize> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
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
    let edges = many(25_000, &|k| format!("<edge source='{k}' target='0'/>"));
    let attributes = many(80_000, &|k| format!("a{k}='b' "));
    let nodes = many(40_000, &|k| format!("<node id='{k}'/>"));
    let elements = many(40_000, &|k| format!(" node [ id {k} ]\n"));
    let entities = format!(
        "<!DOCTYPE g [<!ENTITY a0 'aaaaaaaaaa'>{}]><graphml><graph><node id='&a9;'/></graph></graphml>",
        many(9, &|k| format!("<!ENTITY a{} '{}'>", k + 1, format!("&a{k};").repeat(10)))
    );
    let long = |start: &str, byte| [start.into(), vec![byte; megabyte]].concat();
    let files: Vec<(Format, Vec<Vec<u8>>)> = vec![
        (
            Format::MatrixMarket,
            vec![
                // Sizes that are promised.
                format!("{banner}60000000 60000000 0\n").into(),
                format!("{banner}1000000000 1000000000 0\n").into(),
                format!("{banner}1000000 1000000 18446744073709551615\n").into(),
                format!("{banner}{}", "%\n".repeat(megabyte / 2)).into(),
                long(banner, b' '),
            ],
        ),
        (
            Format::Graph6,
            vec![
                b"~~~~~~~~".to_vec(),
                b"~}~~".to_vec(),
                long("~~~~~~~~", b'~'),
                [b"~?uH".to_vec(), vec![b'~'; 1_000_230]].concat(),
            ],
        ),
        (
            Format::Sparse6,
            vec![
                b":~~~~~~~~".to_vec(),
                long(":~?uH", b'~'),
                long(":~?uH", b'?'),
            ],
        ),
        (
            Format::EdgeList,
            vec![
                // Many nodes, many edges, many of the same.
                many(60_000, &|k| format!("n{k} m{k}\n")).into(),
                many(60_000, &|k| format!("hub {k}\n")).into(),
                "a a\n".repeat(megabyte / 4).into(),
                "0 1\n".repeat(megabyte / 4).into(),
                b"1000000\n1 2\n2 1000000\n".to_vec(),
                b"18446744073709551615\n1 2\n".to_vec(),
                // One long line, one long label, blanks, quotes.
                long("", b'a'),
                long("", b' '),
                long("", b','),
                long("", b'\n'),
                long("", b'"'),
                long("", 0xff),
                // What gzip makes of a thousand times as much.
                packed(&vec![b'0'; 64 << 20]),
                packed("0 1\n".repeat(megabyte / 4).as_bytes()),
            ],
        ),
        (
            Format::AdjacencyList,
            vec![
                many(80_000, &|k| format!("{k} {}\n", k / 2)).into(),
                many(150_000, &|k| format!("{k} ")).into(),
            ],
        ),
        (
            Format::MultilineAdjacencyList,
            vec![b"a 18446744073709551615\nb {}\n".to_vec()],
        ),
        (
            Format::DenseMatrix,
            vec![
                "0 ".repeat(megabyte / 2).into(),
                format!("{}\n", "1 ".repeat(700)).repeat(700).into(),
            ],
        ),
        (
            Format::NodeLink,
            vec![
                format!(
                    "{{\"nodes\":[{ids}{{\"id\":-1}}],\"links\":[{links}{{\"source\":0,\"target\":0}}]}}"
                )
                .into(),
                // Nesting.
                long("", b'['),
                "{\"a\":".repeat(megabyte / 5).into(),
                format!("{{\"nodes\":{}", "[1,".repeat(megabyte / 3)).into(),
                format!("\"{}\"", "\\u0000".repeat(megabyte / 6)).into(),
            ],
        ),
        (
            Format::GraphMl,
            vec![
                // Entities, attributes and elements without end.
                entities.into(),
                format!("<graphml><graph><node {attributes}/>").into(),
                format!("<graphml><graph>{}", "<a>".repeat(megabyte / 3)).into(),
                format!("<graphml><graph>{edges}</graph></graphml>").into(),
            ],
        ),
        (
            Format::Gexf,
            vec![format!("<gexf><graph><nodes>{nodes}").into()],
        ),
        (
            Format::Gml,
            vec![
                format!("graph [{}", " a [".repeat(megabyte / 4)).into(),
                format!("graph [ a \"{}", "x\n".repeat(megabyte / 2)).into(),
                format!("graph [{elements}]").into(),
            ],
        ),
        (
            Format::Pajek,
            vec![
                b"*Vertices 18446744073709551615\n".to_vec(),
                b"*Vertices 100000\n*Edges\n".to_vec(),
            ],
        ),
    ];
    let before = peak();
    let (mut read_well, mut all) = (0, 0);
    let each =
        files.iter().flat_map(|(format, files)| files.iter().map(move |bytes| (*format, bytes)));
    for (format, bytes) in each {
        all += 1;
        // However it is recognised, the memory is bounded.
        if let Err(error) = read_bytes(bytes, &ReadOptions::default()) {
            assert!(error.to_string().len() < 1000);
        }
        match read(format, bytes) {
            Ok(reading) => {
                read_well += 1;
                assert!(reading.graph.nodes() <= bytes.len().max(1_000_000));
            }
            Err(error) => assert!(error.to_string().len() < 1000),
        }
    }
    println!("{read_well} of {all} files are graphs");
    assert!(read_well >= 5);
    if let (Some(before), Some(after)) = (before, peak()) {
        let grown = after - before;
        println!("the peak grew by {grown} bytes");
        assert!(grown <= 200 * (megabyte + 100), "the peak grew by {grown} bytes");
    }
}
