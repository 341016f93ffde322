//! Examples for training and testing.

use super::rows::{number, read_rows};
use super::uniform;
use anyhow::{Context, bail};
use std::path::Path;

/// Examples with two labels, split for training and testing.
#[derive(Debug)]
pub struct Examples {
    /// Number of features of each example, including a constant 1.
    pub dimension: usize,
    /// Features, row by row.
    pub training: Vec<f64>,
    /// Labels, 1 or -1.
    pub training_labels: Vec<f64>,
    /// Features, row by row.
    pub testing: Vec<f64>,
    /// Labels, 1 or -1.
    pub testing_labels: Vec<f64>,
}

/// Share of the examples used for training.
const TRAINING: f64 = 0.8;

/// Returns `synthetic:EXAMPLESxFEATURES`, or the examples of a CSV file whose last column is a
/// target that is split at its mean. Features are standardised and rows are scaled to norm 1. The
/// seed selects one row in five for testing.
pub fn examples(source: &str, seed: u64) -> anyhow::Result<Examples> {
    let (rows, targets) = match source.strip_prefix("synthetic:") {
        Some(sizes) => synthetic(sizes, seed)?,
        None => read_examples(Path::new(source))?,
    };
    let mean = targets.iter().sum::<f64>() / targets.len() as f64;
    if !mean.is_finite() {
        bail!("{source}: the numbers in the last column are too large to be summed; scale them");
    }
    let labels: Vec<f64> =
        targets.iter().map(|&target| if target > mean { 1.0 } else { -1.0 }).collect();
    if !labels.contains(&1.0) {
        bail!("{source}: the last column is the same in all rows; there is nothing to learn");
    }
    let rows = normalise(rows);
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
        bail!("{source}: {} examples are too few; give five or more", rows.len());
    }
    let taken = |order: &[usize]| -> (Vec<f64>, Vec<f64>) {
        let features = order.iter().flat_map(|&row| rows[row].iter().copied());
        (features.collect(), order.iter().map(|&row| labels[row]).collect())
    };
    let (training, training_labels) = taken(for_training);
    let (testing, testing_labels) = taken(for_testing);
    Ok(Examples { dimension: rows[0].len(), training, training_labels, testing, testing_labels })
}

type Table = (Vec<Vec<f64>>, Vec<f64>);

/// Generates uniform features, and targets that are a noisy linear function of them.
fn synthetic(sizes: &str, seed: u64) -> anyhow::Result<Table> {
    let parsed = sizes.split_once('x').map(|(a, b)| (a.parse::<usize>(), b.parse::<usize>()));
    let Some((Ok(examples), Ok(features))) = parsed else {
        bail!(
            "invalid synthetic data {sizes:?}; write synthetic:EXAMPLESxFEATURES, such as synthetic:2000x8"
        );
    };
    if features == 0 || examples < 5 || examples.saturating_mul(features) > 100_000_000 {
        bail!("synthetic:{sizes}: give 5 examples or more, a feature, and at most 1e8 numbers");
    }
    let draw =
        |row: usize, column: usize| uniform(seed, (row * (features + 2) + column) as u64) - 0.5;
    let weight = |column: usize| draw(examples, column);
    let rows: Vec<Vec<f64>> =
        (0..examples).map(|row| (0..features).map(|column| draw(row, column)).collect()).collect();
    let target = |(row, features): (usize, &Vec<f64>)| {
        let linear: f64 = features.iter().enumerate().map(|(k, x)| weight(k) * x).sum();
        linear + 0.1 * draw(row, features.len())
    };
    let targets = rows.iter().enumerate().map(target).collect();
    Ok((rows, targets))
}

fn read_examples(path: &Path) -> anyhow::Result<Table> {
    let (mut rows, mut targets) = (Vec::new(), Vec::new());
    for (line, cells) in &read_rows(path)? {
        let parse = |(column, cell): (usize, &String)| number(path, *line, column, cell);
        let mut row: Vec<f64> = cells.iter().enumerate().map(parse).collect::<Result<_, _>>()?;
        let target = row.pop().filter(|_| !row.is_empty());
        targets.push(target.with_context(|| {
            format!("{}: line {line}: give a feature and a target at least", path.display())
        })?);
        rows.push(row);
    }
    Ok((rows, targets))
}

/// Standardises each column, appends a constant 1 and scales each row to norm 1.
fn normalise(mut rows: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
    let count = rows.len() as f64;
    for column in 0..rows[0].len() {
        let mean = rows.iter().map(|row| row[column]).sum::<f64>() / count;
        let square = |row: &Vec<f64>| (row[column] - mean).powi(2);
        let deviation = (rows.iter().map(square).sum::<f64>() / count).sqrt();
        for row in &mut rows {
            row[column] = if deviation > 0.0 { (row[column] - mean) / deviation } else { 0.0 };
        }
    }
    for row in &mut rows {
        row.push(1.0);
        let norm = row.iter().map(|x| x * x).sum::<f64>().sqrt();
        row.iter_mut().for_each(|x| *x /= norm);
    }
    rows
}
