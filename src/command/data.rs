//! Values and examples: from CSV files, or synthetic from a seed.

use super::input::bounded;
use anyhow::{Context, bail};
use muffliato::prelude::Graph;
use std::{fs::File, path::Path};

/// The largest CSV file that is read, in bytes (64 MiB): in memory, it takes up to thirty times as much.
const MAX_CSV_BYTES: u64 = 64 << 20;

/// A table of numbers, with the line in which each row begins.
struct Numbers {
    rows: Vec<(u64, Vec<String>)>,
}

impl Numbers {
    /// Reads a CSV file of at most [`MAX_CSV_BYTES`]; a first row in which the last cell is no number is taken for column names.
    /// Of an ARFF file (by its name) the rows after `@data`, with classes P and N as 1 and 0.
    fn read(path: &Path) -> anyhow::Result<Self> {
        let name = path.display();
        let file =
            File::open(path).with_context(|| format!("{name}: cannot be read; check the path"))?;
        let mut bytes = bounded(file, MAX_CSV_BYTES, &name.to_string())?;
        let arff = path
            .extension()
            .is_some_and(|ending| ending.eq_ignore_ascii_case("arff"));
        if arff {
            let text = String::from_utf8(bytes).with_context(|| format!("{name}: not UTF-8"))?;
            let rows = rows_of_arff(&text);
            bytes = rows
                .with_context(|| format!("{name}: an ARFF file has a line @data"))?
                .into_bytes();
        }
        let mut reader = csv::ReaderBuilder::new()
            .has_headers(false)
            .trim(csv::Trim::All)
            .comment(Some(if arff { b'%' } else { b'#' }))
            .from_reader(&bytes[..]);
        let mut rows = Vec::new();
        for record in reader.records() {
            let record = record.with_context(|| format!("{name}: not a CSV file"))?;
            let line = record.position().map_or(0, |position| position.line());
            rows.push((line, record.iter().map(String::from).collect::<Vec<_>>()));
        }
        let is_head = |(_, row): &(u64, Vec<String>)| {
            row.last().is_some_and(|cell| cell.parse::<f64>().is_err())
        };
        if rows.len() > 1 && is_head(&rows[0]) {
            rows.remove(0);
        }
        if rows.is_empty() {
            bail!("{name}: there are no rows; give one for each node or example");
        }
        Ok(Self { rows })
    }
}

/// The rows of an ARFF file in their lines, the lines before them empty.
fn rows_of_arff(text: &str) -> Option<String> {
    let is_data = |line: &str| line.trim().eq_ignore_ascii_case("@data");
    let head = text.lines().position(is_data)?;
    let rows = text.lines().skip(head + 1).map(|line| {
        let class = |line: &str, class, number| {
            let cells = line.trim_end().strip_suffix(class)?;
            cells
                .trim_end()
                .ends_with(',')
                .then(|| format!("{cells}{number}"))
        };
        let found = class(line, "P", 1).or_else(|| class(line, "N", 0));
        found.unwrap_or_else(|| line.to_string())
    });
    Some("\n".repeat(head + 1) + &rows.collect::<Vec<_>>().join("\n"))
}

/// The finite number in a cell, or where it is not.
fn number(path: &Path, line: u64, column: usize, cell: &str) -> anyhow::Result<f64> {
    match cell.parse::<f64>() {
        Ok(value) if value.is_finite() => Ok(value),
        _ => bail!(
            "{}: line {line}, column {}: {cell:?} is not a finite number",
            path.display(),
            column + 1
        ),
    }
}

/// A number in [0, 1) from a seed and a place, by SplitMix64: the same on every machine.
pub fn uniform(seed: u64, place: u64) -> f64 {
    let mut bits = seed.wrapping_add(place.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15));
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    bits ^= bits >> 31;
    (bits >> 11) as f64 / (1_u64 << 53) as f64
}

/// One value for each node: `synthetic:uniform`, `synthetic:spike`, or a CSV file with a value, or a node's name and its
/// value, in each row.
pub fn values(source: &str, graph: &Graph, seed: u64) -> anyhow::Result<Vec<f64>> {
    let nodes = graph.nodes();
    match source.strip_prefix("synthetic:") {
        Some("uniform") => return Ok((0..nodes as u64).map(|v| uniform(seed, v)).collect()),
        Some("spike") => return Ok((0..nodes).map(|v| f64::from(u8::from(v == 0))).collect()),
        Some(other) => bail!(
            "there are no synthetic values {other:?}; use synthetic:uniform (in [0, 1]) or synthetic:spike (node 0 has 1, others 0)"
        ),
        None => {}
    }
    let path = Path::new(source);
    let numbers = Numbers::read(path)?;
    let mut found: Vec<Option<f64>> = vec![None; nodes];
    for (row, (line, cells)) in numbers.rows.iter().enumerate() {
        let at = format!("{source}: line {line}");
        let (node, column) = match &cells[..] {
            [_] => (row, 0),
            [name, _] => {
                let node = graph.node(name);
                (
                    node.with_context(|| format!("{at}: the graph has no node {name:?}"))?,
                    1,
                )
            }
            cells => bail!(
                "{at}: {} columns; give a value, or a node and its value",
                cells.len()
            ),
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

/// Examples for a yes-or-no question, some for training and the rest for testing.
#[derive(Debug)]
pub struct Examples {
    /// Features of each example, a constant 1 included.
    pub dimension: usize,
    /// Row by row.
    pub training: Vec<f64>,
    /// 1 or -1 each.
    pub training_labels: Vec<f64>,
    /// Row by row.
    pub testing: Vec<f64>,
    /// 1 or -1 each.
    pub testing_labels: Vec<f64>,
}

/// The share of examples that is for training.
const TRAINING: f64 = 0.8;

/// `synthetic:EXAMPLESxFEATURES`, or a CSV file: features, and in the last column a number that is split at its mean.
/// Features are standardised, rows are scaled to norm 1, and one row in five is for testing, by the seed.
pub fn examples(source: &str, seed: u64) -> anyhow::Result<Examples> {
    let (rows, targets) = match source.strip_prefix("synthetic:") {
        Some(sizes) => synthetic(sizes, seed)?,
        None => read_examples(Path::new(source))?,
    };
    let mean = targets.iter().sum::<f64>() / targets.len() as f64;
    if !mean.is_finite() {
        bail!("{source}: the numbers in the last column are too large to be summed; scale them");
    }
    let labels: Vec<f64> = targets
        .iter()
        .map(|&target| if target > mean { 1.0 } else { -1.0 })
        .collect();
    if !labels.contains(&1.0) {
        bail!("{source}: the last column is the same in all rows; there is nothing to learn");
    }
    let rows = normalised(rows);
    if rows.iter().flatten().any(|feature| !feature.is_finite()) {
        bail!("{source}: the features are too large to be standardised; scale them");
    }
    let mut order: Vec<usize> = (0..rows.len()).collect();
    order.sort_by(|&a, &b| {
        let place = |row: usize| uniform(seed ^ 0x5EED, row as u64);
        place(a).total_cmp(&place(b))
    });
    let (for_training, for_testing) = order.split_at((rows.len() as f64 * TRAINING) as usize);
    if for_training.is_empty() || for_testing.is_empty() {
        bail!(
            "{source}: {} examples are too few; give five or more",
            rows.len()
        );
    }
    let taken = |order: &[usize]| -> (Vec<f64>, Vec<f64>) {
        let features = order.iter().flat_map(|&row| rows[row].iter().copied());
        (
            features.collect(),
            order.iter().map(|&row| labels[row]).collect(),
        )
    };
    let (training, training_labels) = taken(for_training);
    let (testing, testing_labels) = taken(for_testing);
    Ok(Examples {
        dimension: rows[0].len(),
        training,
        training_labels,
        testing,
        testing_labels,
    })
}

type Table = (Vec<Vec<f64>>, Vec<f64>);

/// Uniform features, and a target that is a noisy linear function of them.
fn synthetic(sizes: &str, seed: u64) -> anyhow::Result<Table> {
    let parsed = sizes
        .split_once('x')
        .map(|(a, b)| (a.parse::<usize>(), b.parse::<usize>()));
    let Some((Ok(examples), Ok(features))) = parsed else {
        bail!(
            "there are no synthetic data {sizes:?}; write synthetic:EXAMPLESxFEATURES, such as synthetic:2000x8"
        );
    };
    if features == 0 || examples < 5 || examples.saturating_mul(features) > 100_000_000 {
        bail!("synthetic:{sizes}: give 5 examples or more, a feature, and at most 1e8 numbers");
    }
    let draw =
        |row: usize, column: usize| uniform(seed, (row * (features + 2) + column) as u64) - 0.5;
    let weight = |column: usize| draw(examples, column);
    let rows: Vec<Vec<f64>> = (0..examples)
        .map(|row| (0..features).map(|column| draw(row, column)).collect())
        .collect();
    let target = |(row, features): (usize, &Vec<f64>)| {
        let linear: f64 = features
            .iter()
            .enumerate()
            .map(|(k, x)| weight(k) * x)
            .sum();
        linear + 0.1 * draw(row, features.len())
    };
    let targets = rows.iter().enumerate().map(target).collect();
    Ok((rows, targets))
}

fn read_examples(path: &Path) -> anyhow::Result<Table> {
    let numbers = Numbers::read(path)?;
    let (mut rows, mut targets) = (Vec::new(), Vec::new());
    for (line, cells) in &numbers.rows {
        let parse = |(column, cell): (usize, &String)| number(path, *line, column, cell);
        let mut row: Vec<f64> = cells
            .iter()
            .enumerate()
            .map(parse)
            .collect::<Result<_, _>>()?;
        let target = row.pop().filter(|_| !row.is_empty());
        targets.push(target.with_context(|| {
            format!(
                "{}: line {line}: give a feature and a target at least",
                path.display()
            )
        })?);
        rows.push(row);
    }
    Ok((rows, targets))
}

/// Columns of mean 0 and deviation 1, then a constant 1, then rows of norm 1.
fn normalised(mut rows: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
    let count = rows.len() as f64;
    for column in 0..rows[0].len() {
        let mean = rows.iter().map(|row| row[column]).sum::<f64>() / count;
        let square = |row: &Vec<f64>| (row[column] - mean).powi(2);
        let deviation = (rows.iter().map(square).sum::<f64>() / count).sqrt();
        for row in &mut rows {
            row[column] = if deviation > 0.0 {
                (row[column] - mean) / deviation
            } else {
                0.0
            };
        }
    }
    for row in &mut rows {
        row.push(1.0);
        let norm = row.iter().map(|x| x * x).sum::<f64>().sqrt();
        row.iter_mut().for_each(|x| *x /= norm);
    }
    rows
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
        let named: String = (0..15)
            .map(|v| format!("{},{v}\n", graph.label(14 - v)))
            .collect();
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
        let rows: String = (0..10)
            .map(|k| format!("{k}, {}\n", if k < 4 { "P" } else { "N" }))
            .collect();
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
        assert_eq!(
            (found.training_labels.len(), found.testing_labels.len()),
            (80, 20)
        );
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
