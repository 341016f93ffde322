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

use super::gathered::{Gathered, Outcome, declared_nodes, most_nodes};
use super::table::{is_number, is_zero};
use super::{Format, LeftOut, LineProblem, Note, Place, ReadError};

/// How a Matrix Market file begins.
pub(super) const MAGIC: &str = "%%MatrixMarket";

/// What stands in the third column.
#[derive(Clone, Copy, PartialEq)]
enum Values {
    Absent,
    Real,
    Integer,
}

impl Values {
    fn accept(self, value: &str) -> bool {
        match self {
            Self::Absent => false,
            Self::Real => is_number(value),
            Self::Integer => whole(value.strip_prefix(['-', '+']).unwrap_or(value)),
        }
    }
}

/// What the first line says.
#[derive(Clone, Copy)]
struct Banner {
    values: Values,
    array: bool,
    symmetric: bool,
}

/// Reads a Matrix Market file; see [`Format::MatrixMarket`].
///
/// Nothing is allocated by a number that the file declares, except for the nodes, of which there
/// are at most 1 000 000 or one for each byte.
pub(super) fn read(text: &str, mut gathered: Gathered) -> Result<Outcome, ReadError> {
    let at = |line| move |problem| ReadError::Line { line, problem };
    let end = text.lines().count() + 1;
    let mut lines = text.lines().zip(1..);
    let (first, _) = lines.next().unwrap_or_default();
    let banner = banner(first).map_err(at(1))?;
    let values = banner.values;

    let mut lines = lines.filter(|(text, _)| {
        !matches!(
            text.trim_ascii_start().as_bytes().first(),
            None | Some(b'%')
        )
    });
    let (size_line, line) = lines.next().unwrap_or(("", end));
    let (nodes, declared) = size(size_line, banner, text.len()).map_err(at(line))?;

    gathered.both_directions = !banner.symmetric;
    let (mut row, mut column) = (0, 0);
    let mut found = 0;
    for (text, line) in lines {
        if found == declared {
            return Err(at(line)(LineProblem::TooManyEntries { declared }));
        }
        if banner.array {
            let value = entry_of_array(text, values).map_err(at(line))?;
            if !is_zero(value) {
                gathered.add((row, column), Place::Line(line), Some(value))?;
            }
            row += 1;
            if row as usize == nodes {
                column += 1;
                row = if banner.symmetric { column } else { 0 };
            }
        } else {
            let (pair, value) = entry(text, values, nodes).map_err(at(line))?;
            if !value.is_some_and(is_zero) {
                gathered.add(pair, Place::Line(line), value)?;
            }
        }
        found += 1;
    }
    if found < declared {
        return Err(at(end)(LineProblem::TooFewEntries { found, declared }));
    }
    if found > 0 && banner.array {
        gathered.notes.push(Note::Values);
    } else if found > 0 && values != Values::Absent {
        let (column, name, looks_like) = (3, None, LeftOut::Weights);
        gathered.notes.push(Note::Column {
            column,
            name,
            looks_like,
        });
    }
    gathered.reading(Format::MatrixMarket, nodes, None)
}

fn banner(line: &str) -> Result<Banner, LineProblem> {
    let lower_case = line.to_ascii_lowercase();
    let words: Vec<&str> = lower_case.split_ascii_whitespace().collect();
    let banner = || {
        let [
            "%%matrixmarket",
            "matrix",
            form @ ("coordinate" | "array"),
            values,
            symmetry @ ("symmetric" | "general"),
        ] = words[..]
        else {
            return None;
        };
        let array = form == "array";
        let values = match values {
            "pattern" if !array => Values::Absent,
            "real" => Values::Real,
            "integer" => Values::Integer,
            _ => return None,
        };
        let symmetric = symmetry == "symmetric";
        Some(Banner {
            values,
            array,
            symmetric,
        })
    };
    banner().ok_or_else(|| {
        LineProblem::syntax(
            line,
            "the first line must be '%%MatrixMarket matrix', then 'coordinate' or 'array', then 'pattern' (not of an array), 'real' or 'integer', then 'symmetric' or 'general': write it so, e.g. with scipy.io.mmwrite",
        )
    })
}

/// The numbers of nodes and of entries in the size line of a file of so many bytes.
fn size(line: &str, banner: Banner, bytes: usize) -> Result<(usize, u64), LineProblem> {
    let sizes = match banner.array {
        false => matrix_line(line)
            .filter(|(_, rest)| rest.is_none())
            .map(|([rows, columns, entries], _)| (rows, columns, entries)),
        true => matrix_line(line)
            .filter(|(_, rest)| rest.is_none())
            .map(|([rows, columns], _)| {
                let all = match banner.symmetric {
                    true => u128::from(rows) * (u128::from(rows) + 1) / 2,
                    false => u128::from(rows) * u128::from(columns),
                };
                (rows, columns, u64::try_from(all).unwrap_or(u64::MAX))
            }),
    };
    let Some((rows, columns, entries)) = sizes else {
        return Err(LineProblem::syntax(
            line,
            "give the numbers of rows, columns and, in coordinate form, entries",
        ));
    };
    if rows != columns {
        return Err(LineProblem::NotSquare { rows, columns });
    }
    Ok((declared_nodes(rows, most_nodes(bytes))?, entries))
}

/// The value in a line of an array.
fn entry_of_array(line: &str, values: Values) -> Result<&str, LineProblem> {
    let value = line.trim_ascii();
    match values.accept(value) {
        true => Ok(value),
        false => Err(LineProblem::syntax(
            line,
            match values {
                Values::Integer => "write an integer",
                _ => "write a real number",
            },
        )),
    }
}

/// The two nodes of an entry, counted from 0, and its value.
fn entry(
    line: &str,
    values: Values,
    nodes: usize,
) -> Result<((u32, u32), Option<&str>), LineProblem> {
    let Some((row, column, value)) = matrix_line(line).and_then(|([row, column], value)| {
        let complete = match value {
            None => values == Values::Absent,
            Some(value) => values.accept(value),
        };
        complete.then_some((row, column, value))
    }) else {
        return Err(LineProblem::syntax(
            line,
            match values {
                Values::Absent => "write a row and a column",
                Values::Real => "write a row, a column and a real number",
                Values::Integer => "write a row, a column and an integer",
            },
        ));
    };
    // There are fewer than 2^32 nodes, so that no number is cut.
    let node = |index: u64| {
        (1..=nodes as u64)
            .contains(&index)
            .then(|| (index - 1) as u32)
    };
    match (node(row), node(column)) {
        (Some(u), Some(v)) => Ok(((u, v), value)),
        _ => Err(LineProblem::OutOfRange { row, column, nodes }),
    }
}

/// The N numbers at the beginning of a line, and the one field after them, if there is one.
/// `None` for any other line.
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

/// Whether a text consists of one or more decimal digits.
fn whole(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}
