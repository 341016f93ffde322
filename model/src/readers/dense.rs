//! Dense matrices: a row for each node, a column for each node, and 0 where there is no edge.

use super::error::excerpt;
use super::gathered::{Gathered, Outcome};
use super::table::{Delimiter, Shape, apparent, lines, number, split_row};
use super::{Format, Note, Place, ReadError, ReadOptions};

/// A square matrix, row by row, with the names of its rows.
pub(super) struct Dense {
    rows: usize,
    entries: Vec<f64>,
    names: Option<Vec<String>>,
}

/// What a text with as many columns as rows is.
pub(super) enum Square {
    Dense,
    NotSymmetric(ReadError),
    /// Other readings are as good.
    Unclear(&'static str),
    No,
}

/// Whether a text of this shape is a dense matrix.
///
/// With names of rows and columns it is one. Without, it has as many rows as columns and numbers only; and it is no
/// edge list or adjacency list if all are 0 or 1, or if it is symmetric and the first columns are not all integers or
/// a number begins two rows.
pub(super) fn recognise(text: &str, delimiter: Delimiter, shape: Shape) -> Square {
    let named = shape.columns == shape.lines
        && (shape.first == shape.columns || shape.first + 1 == shape.columns);
    let square = shape.first == shape.columns && shape.columns == shape.lines && shape.lines > 1;
    if !named && !square {
        return Square::No;
    }
    let Ok(matrix) = parse(text, delimiter) else {
        return Square::No;
    };
    let flaw = matrix.asymmetry();
    if matrix.names.is_some() {
        return flaw.map_or(Square::Dense, Square::NotSymmetric);
    }
    let rows = matrix.rows;
    let entry = |row: usize, column: usize| matrix.entries[row * rows + column];
    let integer = |value: f64| value.fract() == 0.0;
    let first_columns = (0..rows).all(|row| integer(entry(row, 0)) && integer(entry(row, 1)));
    let zero_one = matrix
        .entries
        .iter()
        .all(|&value| value == 0.0 || value == 1.0);
    match (rows, flaw) {
        (_, Some(flaw)) if !first_columns || rows > 3 => Square::NotSymmetric(flaw),
        (3, Some(_)) if zero_one => Square::Unclear("an edge list with weights"),
        (_, Some(_)) => Square::No,
        (_, None) if !first_columns => Square::Dense,
        (2, None) if zero_one && matrix.entries != [0.0, 1.0, 1.0, 0.0] => {
            Square::Unclear("an edge list")
        }
        (2, None) => Square::No,
        (_, None) if zero_one => Square::Dense,
        (3, None) => Square::Unclear("an edge list with weights"),
        (_, None) => {
            let mut begins: Vec<u64> = (0..rows).map(|row| entry(row, 0).to_bits()).collect();
            begins.sort_unstable();
            begins.dedup();
            match begins.len() < rows {
                true => Square::Dense,
                false => Square::Unclear("an adjacency list"),
            }
        }
    }
}

/// Reads a dense matrix; see [`Format::DenseMatrix`].
pub(super) fn read(
    text: &str,
    options: &ReadOptions,
    mut gathered: Gathered,
) -> Result<Outcome, ReadError> {
    let delimiter = options.delimiter.unwrap_or_else(|| apparent(text));
    let matrix = parse(text, delimiter)?;
    if !gathered.wants_weights()
        && let Some(flaw) = matrix.asymmetry()
    {
        return Err(flaw);
    }
    let mut fields = Vec::new();
    let (mut values, skip) = (false, usize::from(matrix.names.is_some()));
    gathered.both_directions = true;
    for (row, line) in lines(text).skip(skip).enumerate() {
        let (_, line) = match gathered.wants_weights() {
            true => split_row(line, delimiter, &mut fields)?,
            false => line?,
        };
        for column in 0..matrix.rows {
            let value = matrix.entries[row * matrix.rows + column];
            values |= value != 0.0 && value != 1.0;
            if value != 0.0 && (column <= row || gathered.wants_weights()) {
                let weight = fields.get(skip + column).map(|field| &*field.text);
                gathered.add((row as u32, column as u32), Place::Line(line), weight)?;
            }
        }
    }
    if values {
        gathered.notes.push(Note::Values);
    }
    match matrix.names {
        Some(names) => gathered.labelled(Format::DenseMatrix, names),
        None => gathered.reading(Format::DenseMatrix, matrix.rows, None),
    }
}

/// The matrix in a text: with names above the columns and before the rows, or with neither.
fn parse(text: &str, delimiter: Delimiter) -> Result<Dense, ReadError> {
    let mut names: Option<Vec<String>> = None;
    let mut entries = Vec::new();
    let (mut rows, mut width) = (0, 0);
    let mut fields = Vec::new();
    for (place, row) in lines(text).enumerate() {
        let (_, line) = split_row(row, delimiter, &mut fields)?;
        let wrong = |found: String| ReadError::Dense { line, found };
        let all_numbers = fields.iter().all(|field| number(&field.text).is_some());
        if place == 0 && (!all_numbers || fields.iter().any(|field| field.quoted)) {
            let start = usize::from(fields[0].text.is_empty());
            names = Some(
                fields[start..]
                    .iter()
                    .map(|field| field.text.to_string())
                    .collect(),
            );
            width = fields.len() - start;
            continue;
        }
        let numbers = match &names {
            None => &fields[..],
            Some(names) => {
                let name = names.get(rows).map(String::as_str);
                if name != Some(&*fields[0].text) {
                    return Err(wrong(format!(
                        "the name {:?} where the column is called {name:?}",
                        excerpt(&fields[0].text)
                    )));
                }
                &fields[1..]
            }
        };
        if place == 0 {
            width = numbers.len();
        }
        if numbers.len() != width || rows == width {
            let found = format!(
                "row {} of length {} beside {width} columns",
                rows + 1,
                numbers.len()
            );
            return Err(wrong(found));
        }
        for field in numbers {
            let value =
                number(&field.text).ok_or_else(|| wrong(format!("{:?}", excerpt(&field.text))))?;
            entries.push(value);
        }
        rows += 1;
    }
    if rows != width {
        let line = text.lines().count();
        let found = format!("{rows} rows and {width} columns");
        return Err(ReadError::Dense { line, found });
    }
    Ok(Dense {
        rows,
        entries,
        names,
    })
}

impl Dense {
    fn asymmetry(&self) -> Option<ReadError> {
        for row in 0..self.rows {
            for column in 0..row {
                let value = self.entries[row * self.rows + column];
                let mirrored = self.entries[column * self.rows + row];
                if value != mirrored {
                    let (row, column) = (row + 1, column + 1);
                    return Some(ReadError::NotSymmetric {
                        row,
                        column,
                        value,
                        mirrored,
                    });
                }
            }
        }
        None
    }
}
