//! Matrix Market files, as [NIST](https://math.nist.gov/MatrixMarket/formats.html) describes them, in coordinate form
//!
//! ```text
//! %%MatrixMarket matrix coordinate real symmetric     banner
//! % path on three nodes                               comment
//! 3 3 2                                               rows, columns, entries
//! 2 1 0.5                                             row, column, value
//! 3 2 0.5
//! ```
//!
//! and in array form, where all values follow the numbers of rows and columns, column by column (of a symmetric matrix,
//! those from the diagonal down).

use crate::graph_builder::{GraphBuilder, Outcome, declared_nodes, most_nodes};
use crate::layout::column_left_out;
use crate::table::{is_number, is_zero};
use crate::{Format, MAX_FILE_BYTES, Place, ReadError, file_bytes, utf8};
use std::collections::BTreeMap;
use std::path::Path;

/// Beginning of a Matrix Market file.
pub(crate) const MAGIC: &str = "%%MatrixMarket";
/// Note on the values of a matrix.
pub(crate) const VALUES_LEFT_OUT: &str =
    "the values of the matrix were left out: every entry that is not 0 is an edge";

/// The values of a matrix.
#[derive(Clone, Copy, PartialEq)]
enum Values {
    Absent,
    Real,
    Integer,
}

impl Values {
    fn name(self) -> &'static str {
        match self {
            Self::Absent => "nothing",
            Self::Real => "a real number",
            Self::Integer => "an integer",
        }
    }

    fn accept(self, value: &str) -> bool {
        match self {
            Self::Absent => false,
            Self::Real => is_number(value),
            Self::Integer => whole(value.strip_prefix(['-', '+']).unwrap_or(value)),
        }
    }
}

/// The banner and the size line of a file.
struct Head {
    values: Values,
    array: bool,
    symmetric: bool,
    /// The number of the size line.
    line: usize,
    rows: u64,
    columns: u64,
    entries: u64,
}

/// Reads a Matrix Market file; see [`Format::MatrixMarket`].
///
/// Nothing is allocated by a number that the file declares, except for the nodes, of which there
/// are at most 1 000 000 or one for each byte.
pub(crate) fn read(text: &str, mut builder: GraphBuilder) -> Result<Outcome, ReadError> {
    let (head, lines) = head(text)?;
    let Head { line, rows, columns, .. } = head;
    if rows != columns {
        let problem = format!("the matrix has {rows} rows and {columns} columns");
        let remedy = "give a square one, with a row for each node";
        return Err(ReadError::line(line, problem, remedy));
    }
    let nodes = declared_nodes(line, rows, most_nodes(text.len()))?;
    builder.both_directions = !head.symmetric;
    // There are fewer than 2^32 nodes, so that no number is cut.
    let found = entries(text, lines, &head, |(u, v), value, line| match value {
        Some(value) if is_zero(value) => Ok(()),
        value => builder.add((u as u32, v as u32), Place::Line(line), value),
    })?;
    if found > 0 && head.array {
        builder.notes.push(VALUES_LEFT_OUT.to_owned());
    } else if found > 0 && head.values != Values::Absent {
        let note = column_left_out(2, None, ", which looks like weights,");
        builder.notes.push(note);
    }
    builder.counted(Format::MatrixMarket, nodes, None)
}

/// A matrix as it is written in a Matrix Market file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Matrix {
    /// The number of rows.
    pub rows: usize,
    /// The number of columns.
    pub columns: usize,
    /// The row and column of each entry, counted from 0, and its value as it is written. A place
    /// that is not listed has the value 0.
    pub entries: Vec<(usize, usize, String)>,
}

impl Matrix {
    /// Reads a Matrix Market file of at most [`MAX_FILE_BYTES`](crate::MAX_FILE_BYTES). Entries of a
    /// pattern are 1.
    ///
    /// # Errors
    ///
    /// Describes the problem, with the path and the line.
    pub fn read_file(path: &Path) -> Result<Self, ReadError> {
        let bytes = file_bytes(path, MAX_FILE_BYTES)?;
        utf8(&bytes).and_then(Self::parse).map_err(|error| error.in_file(path))
    }

    fn parse(text: &str) -> Result<Self, ReadError> {
        let (head, lines) = head(text)?;
        let limit = |size| declared_nodes(head.line, size, most_nodes(text.len()));
        let (rows, columns) = (limit(head.rows)?, limit(head.columns)?);
        let mut found = BTreeMap::new();
        entries(text, lines, &head, |(row, column), value, line| {
            let value = value.unwrap_or("1").to_owned();
            let mirrored = (head.symmetric && row != column).then_some((column, row));
            for place in [(row, column)].into_iter().chain(mirrored) {
                if found.insert(place, value.clone()).is_some() {
                    let problem = format!("entry {} {} is given twice", row + 1, column + 1);
                    return Err(ReadError::line(line, problem, "give each entry once"));
                }
            }
            Ok(())
        })?;
        let entries = found.into_iter().map(|((row, column), value)| (row, column, value));
        Ok(Self { rows, columns, entries: entries.collect() })
    }
}

/// Passes every entry with its place, counted from 0, and its line to `each`, and returns their number.
fn entries<'a>(
    text: &'a str,
    lines: impl Iterator<Item = (&'a str, usize)>,
    head: &Head,
    mut each: impl FnMut((usize, usize), Option<&'a str>, usize) -> Result<(), ReadError>,
) -> Result<u64, ReadError> {
    let declared = head.entries;
    let (mut row, mut column) = (0, 0);
    let mut found = 0;
    for (text, line) in lines {
        if found == declared {
            let problem = format!("this entry comes after the {declared} that are declared");
            let remedy = "correct the size line or remove it";
            return Err(ReadError::line(line, problem, remedy));
        }
        let (place, value) = entry(text, line, head, (row, column))?;
        each(place, value, line)?;
        row += 1;
        if row as u64 == head.rows {
            column += 1;
            row = if head.symmetric { column } else { 0 };
        }
        found += 1;
    }
    if found < declared {
        let problem = format!("the file ends after {found} of {declared} entries");
        let remedy = "fetch the whole file or correct the size line";
        return Err(ReadError::line(text.lines().count() + 1, problem, remedy));
    }
    Ok(found)
}

/// Returns the banner and the size line, and the lines after them that are no comments, with their
/// numbers.
fn head(text: &str) -> Result<(Head, impl Iterator<Item = (&str, usize)>), ReadError> {
    let mut lines = text.lines().zip(1..);
    let (first, _) = lines.next().unwrap_or_default();
    let (values, array, symmetric) = banner(first).ok_or_else(|| {
        let remedy = "the first line must be '%%MatrixMarket matrix', then 'coordinate' or 'array', then 'pattern' (not of an array), 'real' or 'integer', then 'symmetric' or 'general': write it so, e.g. with scipy.io.mmwrite";
        ReadError::found(1, first, remedy)
    })?;
    let comment = |text: &str| text.trim_ascii().is_empty() || text.trim_ascii().starts_with('%');
    let mut lines = lines.filter(move |(text, _)| !comment(text));
    let (size_line, line) = lines.next().unwrap_or(("", text.lines().count() + 1));
    let (rows, columns, entries) = size(size_line, array, symmetric).ok_or_else(|| {
        let remedy = "give the numbers of rows, columns and, in coordinate form, entries";
        ReadError::found(line, size_line, remedy)
    })?;
    Ok((Head { values, array, symmetric, line, rows, columns, entries }, lines))
}

/// Returns the values of the first line of a file, and whether it is an array and symmetric.
fn banner(line: &str) -> Option<(Values, bool, bool)> {
    let lower_case = line.to_ascii_lowercase();
    let words: Vec<&str> = lower_case.split_ascii_whitespace().collect();
    let ["%%matrixmarket", "matrix", form, values, symmetry] = words[..] else {
        return None;
    };
    let array = match form {
        "array" => true,
        "coordinate" => false,
        _ => return None,
    };
    let values = match values {
        "pattern" if !array => Values::Absent,
        "real" | "double" => Values::Real,
        "integer" => Values::Integer,
        _ => return None,
    };
    let symmetric = symmetry == "symmetric";
    (symmetric || symmetry == "general").then_some((values, array, symmetric))
}

/// Returns the numbers of rows, columns and entries in the size line.
fn size(text: &str, array: bool, symmetric: bool) -> Option<(u64, u64, u64)> {
    if !array {
        let ([rows, columns, entries], None) = matrix_line(text)? else {
            return None;
        };
        return Some((rows, columns, entries));
    }
    let ([rows, columns], None) = matrix_line(text)? else {
        return None;
    };
    let (high, wide) = (u128::from(rows), u128::from(columns));
    let all = if symmetric { high * (high + 1) / 2 } else { high * wide };
    Some((rows, columns, u64::try_from(all).unwrap_or(u64::MAX)))
}

/// Returns the place of an entry, counted from 0 (`next` in an array), and its value.
fn entry<'a>(
    text: &'a str,
    line: usize,
    head: &Head,
    next: (usize, usize),
) -> Result<((usize, usize), Option<&'a str>), ReadError> {
    let Head { values, rows, columns, .. } = *head;
    let wrong = |remedy: String| ReadError::found(line, text, remedy);
    if head.array {
        let value = text.trim_ascii();
        let found = values.accept(value).then_some((next, Some(value)));
        return found.ok_or_else(|| wrong(format!("write {}", values.name())));
    }
    let complete =
        |value: Option<&str>| value.map_or(values == Values::Absent, |value| values.accept(value));
    let parsed = matrix_line(text).filter(|&(_, value)| complete(value));
    let ([row, column], value) = parsed.ok_or_else(|| {
        wrong(match values {
            Values::Absent => "write a row and a column".into(),
            _ => format!("write a row, a column and {}", values.name()),
        })
    })?;
    let place = |index: u64, most: u64| (1..=most).contains(&index).then(|| (index - 1) as usize);
    match (place(row, rows), place(column, columns)) {
        (Some(u), Some(v)) => Ok(((u, v), value)),
        _ => {
            let problem = format!("entry {row} {column} is outside the matrix");
            let remedy = match rows == columns {
                true => format!("rows and columns are counted from 1 to {rows}"),
                false => format!("rows are counted from 1 to {rows}, columns from 1 to {columns}"),
            };
            Err(ReadError::line(line, problem, remedy))
        }
    }
}

/// Returns the N numbers at the beginning of a line, and the one field after them, if there is one; `None` for any
/// other line.
fn matrix_line<const N: usize>(line: &str) -> Option<([u64; N], Option<&str>)> {
    let mut numbers = [0; N];
    let end = leading_numbers(line.as_bytes(), &mut numbers)?;
    let mut fields = line[end..].split_ascii_whitespace();
    let rest = fields.next();
    fields.next().is_none().then_some((numbers, rest))
}

/// Reads whole numbers in decimal digits, each followed by white space or by the end of the line, until `numbers` are filled;
/// returns where the last one ends. `None` if there are fewer, or one has more than 64 bits. Returns for every byte string,
/// without allocating and without panicking.
pub fn leading_numbers(line: &[u8], numbers: &mut [u64]) -> Option<usize> {
    let (mut read, mut inside) = (0, false);
    for (at, byte) in line.iter().enumerate() {
        if !byte.is_ascii_whitespace() {
            let digit = byte.checked_sub(b'0').filter(|&digit| digit <= 9)?;
            let before = if inside { *numbers.get(read)? } else { 0 };
            let number = before.checked_mul(10)?.checked_add(u64::from(digit))?;
            *numbers.get_mut(read)? = number;
            inside = true;
        } else if inside {
            (read, inside) = (read + 1, false);
            if read == numbers.len() {
                return Some(at);
            }
        }
    }
    (inside && read + 1 == numbers.len()).then_some(line.len())
}

/// Returns `true` if a text consists of one or more decimal digits.
fn whole(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}
