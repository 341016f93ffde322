//! Dense matrices: a row for each node, a column for each node, and 0 where there is no edge.

use crate::error::excerpt;
use crate::graph_builder::{GraphBuilder, Outcome};
use crate::matrix_market::VALUES_LEFT_OUT;
use crate::table::{Delimiter, Shape, apparent, lines, number, split_row};
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

/// Tells dense matrices from other texts of this shape.
///
/// With names of rows and columns it is one. Without, it has as many rows as columns and numbers only; and it is no
/// edge list or adjacency list if all are 0 or 1, or if it is symmetric and the first columns are not all integers or
/// a number begins two rows.
pub(crate) fn recognise(text: &str, delimiter: Delimiter, shape: Shape) -> Square {
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
            if begins.len() < rows {
                Square::Dense
            } else {
                Square::Unclear("an adjacency list")
            }
        }
    }
}

/// Reads a dense matrix; see [`Format::DenseMatrix`].
pub(crate) fn read(
    text: &str,
    options: &ReadOptions,
    mut builder: GraphBuilder,
) -> Result<Outcome, ReadError> {
    let delimiter = options.delimiter.unwrap_or_else(|| apparent(text));
    let matrix = parse(text, delimiter)?;
    if !builder.wants_weights()
        && let Some(flaw) = matrix.asymmetry()
    {
        return Err(flaw);
    }
    let mut fields = Vec::new();
    let (mut values, skip) = (false, usize::from(matrix.names.is_some()));
    builder.both_directions = true;
    for (row, line) in lines(text).skip(skip).enumerate() {
        let line = line?;
        if builder.wants_weights() {
            split_row(line, delimiter, &mut fields)?;
        }
        for column in 0..matrix.rows {
            let value = matrix.entries[row * matrix.rows + column];
            values |= value != 0.0 && value != 1.0;
            if value != 0.0 && (column <= row || builder.wants_weights()) {
                let weight = fields.get(skip + column).map(|field| &*field.text);
                builder.add((row as u32, column as u32), Place::Line(line.1), weight)?;
            }
        }
    }
    if values {
        builder.notes.push(VALUES_LEFT_OUT.to_owned());
    }
    match matrix.names {
        Some(names) => {
            let own = names.iter().enumerate();
            let own = own.map(|(number, name)| Ok(builder.node(name)? as usize == number));
            match own
                .collect::<Result<Vec<bool>, ReadError>>()?
                .contains(&false)
            {
                true => Err(wrong(1, "a name that two columns have")),
                false => builder.labelled(Format::DenseMatrix),
            }
        }
        None => builder.counted(Format::DenseMatrix, matrix.rows, None),
    }
}

fn wrong(line: usize, found: &str) -> ReadError {
    let needed = "a dense matrix needs as many numbers in each row as it has rows";
    ReadError::line(
        line,
        format!("{needed}, and there is {found}"),
        "correct the row",
    )
}

/// Parses the matrix in a text: with names above the columns and before the rows, or with neither.
fn parse(text: &str, delimiter: Delimiter) -> Result<Dense, ReadError> {
    let mut names: Option<Vec<String>> = None;
    let mut entries = Vec::new();
    let (mut rows, mut width) = (0, 0);
    let mut fields = Vec::new();
    for (place, row) in lines(text).enumerate() {
        let row = row?;
        split_row(row, delimiter, &mut fields)?;
        let wrong = |found: String| wrong(row.1, &found);
        let all_numbers = fields.iter().all(|field| number(&field.text).is_some());
        if place == 0 && (!all_numbers || fields.iter().any(|field| field.quoted)) {
            let start = usize::from(fields[0].text.is_empty());
            let above = fields[start..].iter();
            names = Some(above.map(|field| field.text.to_string()).collect());
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
        return Err(wrong(line, &found));
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
