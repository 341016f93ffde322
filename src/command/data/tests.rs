//! Tables of values and examples. Hostile ones: any bytes give finite numbers or an error, never a panic or an endless read.
//!
//! The inputs are the files in `corpus` (earlier findings and edge cases), and
//! `MUFFLIATO_HOSTILE_ROUNDS` random ones with a fixed seed. An input that fails is printed and
//! belongs in the corpus.

use super::*;
use muffliato::prelude::GraphSpec;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

/// Cells and separators.
#[rustfmt::skip]
const PIECES: [&[u8]; 32] = [
    b"1", b"0", b"2.5", b"-1e3", b"7", b"x", b"", b" ", b"NaN", b"inf", b"-inf", b"1e308", b"1e999",
    b"-1.7e308", b"5e-324", b"\"", b"\"1\"", b"\"\"\"", b"#", b"\r", b"\0", b"\xff",
    b"\xef\xbb\xbf", b"18446744073709551616", b",", b",", b",", b"\n", b"\n", b"\n", b"\r\n",
    b",\n",
];

/// Checks the property: finite numbers for each node and examples of equal width, or errors.
/// Returns `true` if anything was read.
fn read_or_refused(bytes: &[u8]) -> bool {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), bytes).unwrap();
    let name = file.path().to_str().unwrap();
    let mut any = false;
    for graph in ["path:2", "florentine"] {
        let graph = graph.parse::<GraphSpec>().unwrap().build().unwrap();
        match values(name, &graph, 0) {
            Err(error) => assert!(format!("{error:#}").starts_with(name), "{error:#}"),
            Ok(found) => {
                any = true;
                assert_eq!(found.len(), graph.nodes());
                assert!(found.iter().all(|value| value.is_finite()));
            }
        }
    }
    match examples(name, 0) {
        Err(error) => assert!(format!("{error:#}").starts_with(name), "{error:#}"),
        Ok(found) => {
            any = true;
            let features = || found.training.iter().chain(&found.testing);
            assert!(features().all(|feature| feature.is_finite()));
            let rows = found.training_labels.len() + found.testing_labels.len();
            assert_eq!(features().count(), rows * found.dimension);
        }
    }
    any
}

fn shown(bytes: &[u8]) -> bool {
    catch_unwind(AssertUnwindSafe(|| read_or_refused(bytes))).unwrap_or_else(|panic| {
        println!("the input that failed: \"{}\"", bytes.escape_ascii());
        resume_unwind(panic)
    })
}

#[test]
fn the_corpus_is_read_or_refused() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/command/data/corpus");
    let files = std::fs::read_dir(folder).unwrap();
    let files: Vec<_> = files.map(|file| file.unwrap().path()).collect();
    assert!(files.len() >= 8, "{files:?}");
    for file in files {
        shown(&std::fs::read(file).unwrap());
    }
}

#[test]
fn random_tables_are_read_or_refused() {
    let rounds = std::env::var("MUFFLIATO_HOSTILE_ROUNDS").ok();
    let rounds = rounds.and_then(|text| text.parse().ok()).unwrap_or(1500);
    let mut place = 0;
    let mut below = |bound: usize| {
        place += 1;
        (uniform(17, place) * bound as f64) as usize
    };
    let mut accepted = 0;
    for _ in 0..rounds {
        // Tables of numbers with a few other cells, or arbitrary pieces.
        let bytes: Vec<u8> = if below(2) == 0 {
            let (rows, columns) = (1 + below(9), 1 + below(3));
            let mut cell = |end| {
                let choice = if below(20) == 0 { below(PIECES.len()) } else { below(5) };
                [PIECES[choice], end].concat()
            };
            let ends =
                (0..rows * columns).map(|k| if (k + 1) % columns == 0 { &b"\n"[..] } else { b"," });
            ends.flat_map(&mut cell).collect()
        } else {
            let length = below(40);
            (0..length).flat_map(|_| PIECES[below(PIECES.len())].to_vec()).collect()
        };
        accepted += usize::from(shown(&bytes));
    }
    println!("{accepted} of {rounds} tables were read");
    assert!(accepted > rounds / 50, "{accepted} tables were read");
}

/// `/dev/zero` never ends. It is read up to the limit and refused.
#[cfg(unix)]
#[test]
fn an_endless_file_is_refused() {
    let graph = "path:2".parse::<GraphSpec>().unwrap().build().unwrap();
    let error = values("/dev/zero", &graph, 0).unwrap_err();
    assert!(error.to_string().contains("more than 67108864 bytes"), "{error}");
}

fn written(content: &str) -> tempfile::NamedTempFile {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), content).unwrap();
    file
}

#[test]
fn values_come_by_order_or_by_name() {
    let graph = "florentine".parse::<GraphSpec>().unwrap().build().unwrap();
    let named: String = (0..15).map(|v| format!("{},{v}\n", graph.label(14 - v))).collect();
    let file = written(&format!("family,value\n{named}"));
    let found = values(file.path().to_str().unwrap(), &graph, 0).unwrap();
    assert_eq!((found[0], found[14]), (14.0, 0.0));
    let path = "path:3".parse::<GraphSpec>().unwrap().build().unwrap();
    for (content, message) in [
        ("1\n2\n", "no value for node 2"),
        ("1\n2\nx\n", "line 3, column 1"),
        ("1\n2\n3\n4\n", "more values than the 3 nodes"),
        ("0,1\n0,2\n1,1\n", "second value for node 0"),
        ("7,1\n", "no node \"7\""),
        ("1,2,3\n", "3 columns"),
        ("", "no rows"),
    ] {
        let file = written(content);
        let error = values(file.path().to_str().unwrap(), &path, 0).unwrap_err();
        assert!(format!("{error:#}").contains(message), "{error:#}");
    }
}

#[test]
fn arff_is_read_from_its_data_on() {
    let head = "% houses\n@relation houses\n@attribute a real\n@attribute class {P,N}\n@data\n";
    let rows: String =
        (0..10).map(|k| format!("{k}, {}\n", if k < 4 { "P" } else { "N" })).collect();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("houses.arff");
    let read = |content: String| {
        std::fs::write(&path, content).unwrap();
        examples(path.to_str().unwrap(), 0)
    };
    let found = read(format!("{head}{}", rows)).unwrap();
    let labels = found.training_labels.iter().chain(&found.testing_labels);
    assert_eq!(labels.filter(|&&label| label > 0.0).count(), 4);
    assert!(read(rows).is_err());
    let error = read(format!("{head}1,2\n3,x\n")).unwrap_err();
    assert!(error.to_string().contains("line 7, column 2"), "{error}");
}

#[test]
fn examples_are_standardised_and_split() {
    let found = examples("synthetic:100x3", 1).unwrap();
    assert_eq!((found.training_labels.len(), found.testing_labels.len()), (80, 20));
    for row in found.training.chunks(found.dimension) {
        assert!((row.iter().map(|x| x * x).sum::<f64>() - 1.0).abs() < 1e-12);
    }
    let file = written("a,b\n1,2\n3,x\n");
    let error = examples(file.path().to_str().unwrap(), 0).unwrap_err();
    assert!(error.to_string().contains("line 3, column 2"), "{error}");
    let file = written("1,2\n3,2\n");
    assert!(examples(file.path().to_str().unwrap(), 0).is_err());
}
