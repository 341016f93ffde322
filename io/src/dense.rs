//! Dense matrices: a row for each node, a column for each node, and 0 where there is no edge.

use crate::error::excerpt;
use crate::graph_builder::{GraphBuilder, Outcome};
use crate::matrix_market::VALUES_LEFT_OUT;
use crate::table::{Field, Table, apparent, number};
use crate::{ErrorKind, Format, Place, ReadError, ReadOptions};

/// A square matrix, row by row, with the names of its rows.
pub(crate) struct Dense {
    rows: usize,
    entries: Vec<f64>,
    names: Option<Vec<String>>,
}

/// The likeness of a text to a dense matrix.
pub(crate) enum Square {
    Dense,
    NotSymmetric(ReadError),
    /// Other readings are as good.
    Unclear(&'static str),
    No,
}

/// Tells dense matrices from other tables.
///
/// With names of rows and columns it is one. Without, it has as many rows as columns and numbers only; and it is no
/// edge list or adjacency list if all are 0 or 1, or if it is symmetric and the first columns are not all integers or
/// a number begins two rows.
pub(crate) fn recognise(table: &Table<'_>) -> Square {
    let (first, columns, lines) = (table.first(), table.columns(), table.rows.len());
    let named = first == columns || first + 1 == columns;
    if columns != lines || !named {
        return Square::No;
    }
    let Ok(matrix) = parse(table) else {
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
    let zero_one = matrix.entries.iter().all(|&value| value == 0.0 || value == 1.0);
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
            if begins.len() < rows { Square::Dense } else { Square::Unclear("an adjacency list") }
        }
    }
}

/// Reads a dense matrix; see [`Format::DenseMatrix`].
pub(crate) fn read(
    text: &str,
    options: &ReadOptions,
    mut builder: GraphBuilder,
) -> Result<Outcome, ReadError> {
    let table = Table::split(text, options.delimiter.unwrap_or_else(|| apparent(text)))?;
    let matrix = parse(&table)?;
    if !builder.wants_weights()
        && let Some(flaw) = matrix.asymmetry()
    {
        return Err(flaw);
    }
    let skip = usize::from(matrix.names.is_some());
    builder.both_directions = true;
    for (row, line) in table.rows.iter().skip(skip).enumerate() {
        for (column, field) in line.fields.iter().skip(skip).enumerate() {
            let value = matrix.entries[row * matrix.rows + column];
            if value != 0.0 && (column <= row || builder.wants_weights()) {
                let pair = (row as u32, column as u32);
                builder.add(pair, Place::Line(line.line), Some(&field.text))?;
            }
        }
    }
    let values = matrix.entries.iter().any(|&value| value != 0.0 && value != 1.0);
    if values {
        builder.notes.push(VALUES_LEFT_OUT.to_owned());
    }
    match matrix.names {
        Some(names) => {
            let own = names.iter().enumerate();
            let own = own.map(|(number, name)| Ok(builder.node(name)? as usize == number));
            match own.collect::<Result<Vec<bool>, ReadError>>()?.contains(&false) {
                true => Err(wrong(1, "a name that two columns have")),
                false => builder.labelled(Format::DenseMatrix),
            }
        }
        None => builder.counted(Format::DenseMatrix, matrix.rows, None),
    }
}

fn wrong(line: usize, found: &str) -> ReadError {
    let needed = "a dense matrix needs as many numbers in each row as it has rows";
    ReadError::line(line, format!("{needed}, and there is {found}"), "correct the row")
}

/// Parses the matrix in a table: with names above the columns and before the rows, or with neither.
fn parse(table: &Table<'_>) -> Result<Dense, ReadError> {
    let is_name = |field: &Field<'_>| field.quoted || number(&field.text).is_none();
    let (mut names, mut rows) = (None, &table.rows[..]);
    if let [first, rest @ ..] = rows
        && first.fields.iter().any(is_name)
    {
        let corner = usize::from(first.fields[0].text.is_empty());
        let above = first.fields[corner..].iter();
        names = Some(above.map(|field| field.text.to_string()).collect::<Vec<_>>());
        rows = rest;
    }
    let width = match (&names, rows) {
        (Some(names), _) => names.len(),
        (None, [first, ..]) => first.fields.len(),
        (None, []) => 0,
    };
    let mut entries = Vec::new();
    for (place, row) in rows.iter().enumerate() {
        let wrong = |found: String| wrong(row.line, &found);
        let mut numbers = &row.fields[..];
        if let Some(names) = &names {
            let (name, found) = (names.get(place).map(String::as_str), &*row.fields[0].text);
            if name != Some(found) {
                let found = excerpt(found);
                return Err(wrong(format!(
                    "the name {found:?} where the column is called {name:?}"
                )));
            }
            numbers = &row.fields[1..];
        }
        if numbers.len() != width || place == width {
            let (row, length) = (place + 1, numbers.len());
            return Err(wrong(format!("row {row} of length {length} beside {width} columns")));
        }
        for field in numbers {
            let value = number(&field.text);
            entries.push(value.ok_or_else(|| wrong(format!("{:?}", excerpt(&field.text))))?);
        }
    }
    if rows.len() != width {
        let line = table.rows.last().map_or(1, |row| row.line);
        return Err(wrong(line, &format!("{} rows and {width} columns", rows.len())));
    }
    Ok(Dense { rows: rows.len(), entries, names })
}

impl Dense {
    fn asymmetry(&self) -> Option<ReadError> {
        for row in 0..self.rows {
            for column in 0..row {
                let value = self.entries[row * self.rows + column];
                let mirrored = self.entries[column * self.rows + row];
                if value != mirrored {
                    let (row, column) = (row + 1, column + 1);
                    let problem = format!(
                        "this looks like a dense matrix, and it is {value} at row {row}, column {column}, but {mirrored} at row {column}, column {row}"
                    );
                    let remedy = "make it symmetric, or say what it is with --graph-format";
                    return Some(ReadError::new(ErrorKind::Directed, problem, remedy));
                }
            }
        }
        None
    }
}
