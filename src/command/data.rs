//! Values and examples, read from CSV files or generated from a seed.

mod examples;
mod rows;

use anyhow::{Context, bail};
pub use examples::{Examples, examples};
use muffliato::prelude::Graph;
use rows::{number, read_rows};
use std::path::Path;

/// Returns a number in [0, 1) from a seed and an index, by SplitMix64. It is the same on every
/// machine.
pub fn uniform(seed: u64, place: u64) -> f64 {
    let mut bits = seed.wrapping_add(place.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15));
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    bits ^= bits >> 31;
    (bits >> 11) as f64 / (1_u64 << 53) as f64
}

/// Returns one value for each node: `synthetic:uniform`, `synthetic:spike`, or a CSV file whose
/// rows are a value, or the name of a node and its value.
pub fn values(source: &str, graph: &Graph, seed: u64) -> anyhow::Result<Vec<f64>> {
    let nodes = graph.nodes();
    match source.strip_prefix("synthetic:") {
        Some("uniform") => return Ok((0..nodes as u64).map(|v| uniform(seed, v)).collect()),
        Some("spike") => return Ok((0..nodes).map(|v| f64::from(u8::from(v == 0))).collect()),
        Some(other) => bail!(
            "unknown synthetic values {other:?}; use synthetic:uniform (in [0, 1]) or synthetic:spike (node 0 has 1, others 0)"
        ),
        None => {}
    }
    let path = Path::new(source);
    let rows = read_rows(path)?;
    let mut found: Vec<Option<f64>> = vec![None; nodes];
    for (row, (line, cells)) in rows.iter().enumerate() {
        let at = format!("{source}: line {line}");
        let (node, column) = match &cells[..] {
            [_] => (row, 0),
            [name, _] => {
                let node = graph.node(name);
                (node.with_context(|| format!("{at}: the graph has no node {name:?}"))?, 1)
            }
            cells => bail!("{at}: {} columns; give a value, or a node and its value", cells.len()),
        };
        let value = number(path, *line, column, &cells[column])?;
        match found.get_mut(node) {
            Some(place @ None) => *place = Some(value),
            Some(_) => bail!("{at}: a second value for node {}", graph.label(node)),
            None => bail!("{at}: more values than the {nodes} nodes"),
        }
    }
    let missing = found.iter().position(Option::is_none);
    if let Some(node) = missing {
        bail!(
            "{source}: no value for node {}; {} of {nodes} nodes have one",
            graph.label(node),
            found.iter().flatten().count()
        );
    }
    Ok(found.into_iter().flatten().collect())
}

#[cfg(test)]
mod hostile_input;

#[cfg(test)]
mod tests {
    use super::*;
    use muffliato::prelude::GraphSpec;

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
}
