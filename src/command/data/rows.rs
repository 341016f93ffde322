//! Tables of numbers in CSV and ARFF files.

use crate::command::input::bounded;
use anyhow::{Context, bail};
use std::{fs::File, path::Path};

/// Largest CSV file that is read, in bytes (64 MiB). It takes up to thirty times as much memory.
const MAX_CSV_BYTES: u64 = 64 << 20;

/// Reads the rows of a CSV file of at most [`MAX_CSV_BYTES`], each with the line in which it
/// starts. A first row whose last cell is not a number is a header. For a file named `.arff`, reads
/// the rows after `@data`, with the classes P and N as 1 and 0.
pub fn read_rows(path: &Path) -> anyhow::Result<Vec<(u64, Vec<String>)>> {
    let name = path.display();
    let file =
        File::open(path).with_context(|| format!("{name}: cannot be read; check the path"))?;
    let mut bytes = bounded(file, MAX_CSV_BYTES, &name.to_string())?;
    let arff = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("arff"));
    if arff {
        let text = String::from_utf8(bytes).with_context(|| format!("{name}: not UTF-8"))?;
        let rows = arff_rows(&text);
        bytes =
            rows.with_context(|| format!("{name}: an ARFF file has a line @data"))?.into_bytes();
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
    let is_head =
        |(_, row): &(u64, Vec<String>)| row.last().is_some_and(|cell| cell.parse::<f64>().is_err());
    if rows.len() > 1 && is_head(&rows[0]) {
        rows.remove(0);
    }
    if rows.is_empty() {
        bail!("{name}: there are no rows; give one for each node or example");
    }
    Ok(rows)
}

/// Returns the rows of an ARFF file with their line numbers kept, by empty lines before them.
fn arff_rows(text: &str) -> Option<String> {
    let is_data = |line: &str| line.trim().eq_ignore_ascii_case("@data");
    let head = text.lines().position(is_data)?;
    let rows = text.lines().skip(head + 1).map(|line| {
        let class = |line: &str, class, number| {
            let cells = line.trim_end().strip_suffix(class)?;
            cells.trim_end().ends_with(',').then(|| format!("{cells}{number}"))
        };
        let found = class(line, "P", 1).or_else(|| class(line, "N", 0));
        found.unwrap_or_else(|| line.to_string())
    });
    Some("\n".repeat(head + 1) + &rows.collect::<Vec<_>>().join("\n"))
}

/// Parses the finite number in a cell.
pub fn number(path: &Path, line: u64, column: usize, cell: &str) -> anyhow::Result<f64> {
    match cell.parse::<f64>() {
        Ok(value) if value.is_finite() => Ok(value),
        _ => bail!(
            "{}: line {line}, column {}: {cell:?} is not a finite number",
            path.display(),
            column + 1
        ),
    }
}
