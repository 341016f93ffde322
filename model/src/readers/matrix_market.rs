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

use super::error::excerpt;
use super::gathered::{Gathered, Outcome, most_nodes};
use super::{Format, LeftOut, Note, Place, ReadError};

/// How a Matrix Market file begins.
pub(super) const MAGIC: &str = "%%MatrixMarket";

/// Why a Matrix Market file is refused.
///
/// ```
/// use muffliato_model::readers::{Format, MatrixMarketProblem, ReadError, read};
///
/// let file = b"%%MatrixMarket matrix coordinate pattern symmetric\n3 2 1\n2 1\n";
/// let problem = MatrixMarketProblem::NotSquare { rows: 3, columns: 2 };
/// assert_eq!(read(Format::MatrixMarket, file), Err(ReadError::MatrixMarket { line: 2, problem }));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MatrixMarketProblem {
    /// The first line does not announce a matrix that is a graph.
    #[error(
        "found {found:?}; the first line must be '%%MatrixMarket matrix', then 'coordinate' or 'array', then 'pattern' (not of an array), 'real' or 'integer', then 'symmetric' or 'general': write it so, e.g. with scipy.io.mmwrite"
    )]
    Banner {
        /// The line.
        found: String,
    },
    /// The line after the comments is not three numbers.
    #[error("found {found:?}; give the numbers of rows, columns and, in coordinate form, entries")]
    Size {
        /// The line; empty if the file ends before.
        found: String,
    },
    /// The matrix is not square.
    #[error(
        "the matrix has {rows} rows and {columns} columns; give a square one, with a row for each node"
    )]
    NotSquare {
        /// Its rows.
        rows: u64,
        /// Its columns.
        columns: u64,
    },
    /// More nodes are declared than a file of this size could use.
    #[error(
        "{declared} nodes are declared, and a file of this size may have {limit}; remove the nodes without edges"
    )]
    TooManyNodes {
        /// How many are declared.
        declared: u64,
        /// How many may be.
        limit: usize,
    },
    /// A line is not an entry.
    #[error("found {found:?}; write {expected}")]
    Entry {
        /// The line.
        found: String,
        /// What an entry of this matrix consists of.
        expected: &'static str,
    },
    /// An entry is not in the matrix.
    #[error(
        "entry {row} {column} is outside the matrix; rows and columns are counted from 1 to {nodes}"
    )]
    OutOfRange {
        /// Its row.
        row: u64,
        /// Its column.
        column: u64,
        /// How many rows and columns there are.
        nodes: usize,
    },
    /// There are more entries than were declared.
    #[error(
        "this entry comes after the {declared} that are declared; correct the size line or remove it"
    )]
    TooManyEntries {
        /// How many are declared.
        declared: u64,
    },
    /// The file ends before all entries have come.
    #[error(
        "the file ends after {found} of {declared} entries; fetch the whole file or correct the size line"
    )]
    TooFewEntries {
        /// How many there are.
        found: u64,
        /// How many are declared.
        declared: u64,
    },
}

/// What stands in the third column.
#[derive(Clone, Copy, PartialEq)]
enum Values {
    Absent,
    Real,
    Integer,
}

impl Values {
    /// What an entry consists of.
    fn entry(self) -> &'static str {
        match self {
            Self::Absent => "a row and a column",
            Self::Real => "a row, a column and a real number",
            Self::Integer => "a row, a column and an integer",
        }
    }

    fn accept(self, value: &str) -> bool {
        match self {
            Self::Absent => false,
            Self::Real => value.parse::<f64>().is_ok(),
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
    let at = |line| move |problem| ReadError::MatrixMarket { line, problem };
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
            return Err(at(line)(MatrixMarketProblem::TooManyEntries { declared }));
        }
        if banner.array {
            let value = entry_of_array(text, values).map_err(at(line))?;
            if value.parse() != Ok(0.0) {
                gathered.add(row, column, Place::Line(line));
                gathered.weigh(Some(value))?;
            }
            row += 1;
            if row as usize == nodes {
                column += 1;
                row = if banner.symmetric { column } else { 0 };
            }
        } else {
            let (row, column, value) = entry(text, values, nodes).map_err(at(line))?;
            gathered.add(row, column, Place::Line(line));
            gathered.weigh(value)?;
        }
        found += 1;
    }
    if found < declared {
        return Err(at(end)(MatrixMarketProblem::TooFewEntries {
            found,
            declared,
        }));
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
    gathered.numbered(Format::MatrixMarket, nodes)
}

fn banner(line: &str) -> Result<Banner, MatrixMarketProblem> {
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
    banner().ok_or_else(|| MatrixMarketProblem::Banner {
        found: excerpt(line),
    })
}

/// The numbers of nodes and of entries in the size line of a file of so many bytes.
fn size(line: &str, banner: Banner, bytes: usize) -> Result<(usize, u64), MatrixMarketProblem> {
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
        return Err(MatrixMarketProblem::Size {
            found: excerpt(line),
        });
    };
    if rows != columns {
        return Err(MatrixMarketProblem::NotSquare { rows, columns });
    }
    let limit = most_nodes(bytes);
    match usize::try_from(rows) {
        Ok(nodes) if nodes <= limit => Ok((nodes, entries)),
        _ => Err(MatrixMarketProblem::TooManyNodes {
            declared: rows,
            limit,
        }),
    }
}

/// The value in a line of an array.
fn entry_of_array(line: &str, values: Values) -> Result<&str, MatrixMarketProblem> {
    let value = line.trim_ascii();
    match values.accept(value) {
        true => Ok(value),
        false => Err(MatrixMarketProblem::Entry {
            found: excerpt(line),
            expected: match values {
                Values::Integer => "an integer",
                _ => "a real number",
            },
        }),
    }
}

/// The two nodes of an entry, counted from 0, and its value.
fn entry(
    line: &str,
    values: Values,
    nodes: usize,
) -> Result<(u32, u32, Option<&str>), MatrixMarketProblem> {
    let Some((row, column, value)) = matrix_line(line).and_then(|([row, column], value)| {
        let complete = match value {
            None => values == Values::Absent,
            Some(value) => values.accept(value),
        };
        complete.then_some((row, column, value))
    }) else {
        return Err(MatrixMarketProblem::Entry {
            found: excerpt(line),
            expected: values.entry(),
        });
    };
    // There are fewer than 2^32 nodes, so that no number is cut.
    let node = |index: u64| {
        (1..=nodes as u64)
            .contains(&index)
            .then(|| (index - 1) as u32)
    };
    match (node(row), node(column)) {
        (Some(u), Some(v)) => Ok((u, v, value)),
        _ => Err(MatrixMarketProblem::OutOfRange { row, column, nodes }),
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

#[cfg(test)]
mod tests {
    use super::super::{Reading, SelfLoop};
    use super::*;
    use crate::Graph;

    fn read(text: &str) -> Result<Reading, ReadError> {
        super::read(text, Gathered::default()).map(|outcome| outcome.reading)
    }

    fn cycle() -> Graph {
        Graph::try_new(4, [(0, 1), (1, 2), (2, 3), (3, 0)]).unwrap()
    }

    fn problem(text: &str) -> (usize, MatrixMarketProblem) {
        match read(text) {
            Err(ReadError::MatrixMarket { line, problem }) => (line, problem),
            other => panic!("{text:?} gives {other:?}"),
        }
    }

    /// The lines after the banner of a pattern matrix.
    fn pattern(rest: &str) -> String {
        format!("%%MatrixMarket matrix coordinate pattern symmetric\n{rest}")
    }

    /// Files as SciPy 1.17.1 writes them: `mmwrite(file, nx.to_scipy_sparse_array(cycle_graph(4)))`
    /// with different dtypes, `field` and `symmetry`.
    #[test]
    fn files_written_by_scipy() {
        let symmetric = [
            "%%MatrixMarket matrix coordinate pattern symmetric\n%\n4 4 4\n2 1\n3 2\n4 1\n4 3\n",
            "%%MatrixMarket matrix coordinate integer symmetric\n%\n4 4 4\n2 1 1\n3 2 1\n4 1 1\n4 3 1\n",
            "%%MatrixMarket matrix coordinate real symmetric\n%\n4 4 4\n2 1 2.5E-1\n3 2 2.5E-1\n4 1 2.5E-1\n4 3 2.5E-1\n",
        ];
        for (text, left_out) in symmetric.into_iter().zip([0, 1, 1]) {
            let reading = read(text).unwrap();
            assert_eq!(reading.graph, cycle(), "{text}");
            assert_eq!(reading.repeated_edges, 0);
            assert_eq!(reading.notes.len(), left_out);
        }
        let general = read(
            "%%MatrixMarket matrix coordinate real general\n%\n4 4 8\n1 2 2.5E-1\n1 4 2.5E-1\n2 1 2.5E-1\n2 3 2.5E-1\n3 2 2.5E-1\n3 4 2.5E-1\n4 1 2.5E-1\n4 3 2.5E-1\n",
        )
        .unwrap();
        assert_eq!(general.graph, cycle());
        assert_eq!(general.repeated_edges, 4);

        let diagonal =
            read("%%MatrixMarket matrix coordinate integer symmetric\n%\n3 3 2\n1 1 1\n2 1 1\n")
                .unwrap();
        assert_eq!(diagonal.graph, Graph::try_new(3, [(0, 1)]).unwrap());
        assert_eq!(
            diagonal.self_loops,
            [SelfLoop {
                node: 0,
                label: "0".into(),
                place: Place::Line(4)
            }]
        );
    }

    /// As SciPy 1.17.1 writes `mmwrite(file, nx.to_numpy_array(cycle_graph(4)))`, with and without its symmetry.
    #[test]
    fn arrays_are_read_by_columns() {
        let symmetric =
            "%%MatrixMarket matrix array real symmetric\n%\n4 4\n0\n1\n0\n1\n0\n1\n0\n0\n1\n0\n";
        assert_eq!(read(symmetric).unwrap().graph, cycle());
        let general = "%%MatrixMarket matrix array integer general\n4 4\n0\n1\n0\n1\n1\n0\n1\n0\n0\n1\n0\n1\n1\n0\n1\n0\n";
        assert_eq!(read(general).unwrap().graph, cycle());
        assert_eq!(
            problem("%%MatrixMarket matrix array real symmetric\n2 2\n0\n1\n"),
            (
                5,
                MatrixMarketProblem::TooFewEntries {
                    found: 2,
                    declared: 3
                }
            )
        );
        let found = "0 1".to_owned();
        let entry = MatrixMarketProblem::Entry {
            found,
            expected: "a real number",
        };
        assert_eq!(
            problem("%%MatrixMarket matrix array real symmetric\n2 2\n0 1\n"),
            (3, entry)
        );
        let declared = u64::MAX;
        let huge = format!("%%MatrixMarket matrix array real general\n{declared} {declared}\n");
        assert_eq!(
            problem(&huge),
            (
                2,
                MatrixMarketProblem::TooManyNodes {
                    declared,
                    limit: 1_000_000
                }
            )
        );
    }

    #[test]
    fn case_comments_blank_lines_and_line_ends_do_not_matter() {
        let text = "%%matrixmarket MATRIX Coordinate  Integer GENERAL\r\n% c\r\n\r\n2 2 1\r\n% c\r\n 1\t2 -07\r\n\r\n";
        assert_eq!(
            read(text).unwrap().graph,
            Graph::try_new(2, [(0, 1)]).unwrap()
        );
    }

    #[test]
    fn other_kinds_of_matrices_are_refused() {
        for banner in [
            "",
            "4 4 4",
            "%%MatrixMarket",
            "%%MatrixMarket matrix coordinate complex general",
            "%%MatrixMarket matrix coordinate real skew-symmetric",
            "%%MatrixMarket matrix coordinate complex hermitian",
            "%%MatrixMarket vector coordinate real general",
            "%%MatrixMarket matrix array pattern general",
            "%%MatrixMarket matrix coordinate real general more",
        ] {
            let found = banner.to_owned();
            assert_eq!(problem(banner), (1, MatrixMarketProblem::Banner { found }));
        }
    }

    #[test]
    fn size_lines_are_checked_before_anything_is_allocated() {
        let size = |found: &str| MatrixMarketProblem::Size {
            found: found.into(),
        };
        assert_eq!(problem(&pattern("")), (2, size("")));
        assert_eq!(problem(&pattern("% c\n\n")), (4, size("")));
        for line in [
            "2 2",
            "2 2 1 1",
            "2 2 x",
            "-2 2 1",
            "+2 2 1",
            "2 2 99999999999999999999",
        ] {
            assert_eq!(problem(&pattern(line)), (2, size(line)));
        }
        assert_eq!(
            problem(&pattern("2 3 0")),
            (
                2,
                MatrixMarketProblem::NotSquare {
                    rows: 2,
                    columns: 3
                }
            )
        );
        let declared = u64::MAX;
        let limit = 1_000_000;
        assert_eq!(
            problem(&pattern(&format!("{declared} {declared} {declared}"))),
            (2, MatrixMarketProblem::TooManyNodes { declared, limit })
        );
        assert!(read(&pattern("1000000 1000000 0")).is_ok());
        assert!(read(&pattern("1000001 1000001 0")).is_err());
        let long = pattern("1000001 1000001 0\n") + &"%".repeat(1_000_000);
        assert!(read(&long).is_ok());
        assert_eq!(read(&pattern("0 0 0")), Err(ReadError::NoNodes));
    }

    #[test]
    fn entries_are_checked() {
        let entry = |found: &str, values: Values| MatrixMarketProblem::Entry {
            found: found.into(),
            expected: values.entry(),
        };
        for line in ["1", "1 x", "1 2 1", "1 2 1 1", "1.0 2", "-1 2"] {
            let text = pattern(&format!("3 3 1\n{line}"));
            assert_eq!(problem(&text), (3, entry(line, Values::Absent)));
        }
        for (name, values, bad) in [
            ("real", Values::Real, ["1 2", "1 2 x", "1 2 1.0 0"]),
            ("integer", Values::Integer, ["1 2", "1 2 1.0", "1 2 -"]),
        ] {
            for line in bad {
                let text =
                    format!("%%MatrixMarket matrix coordinate {name} general\n3 3 1\n{line}\n");
                assert_eq!(problem(&text), (3, entry(line, values)));
            }
        }
        for (row, column) in [(0, 1), (1, 0), (4, 1), (1, 4), (1, u64::MAX)] {
            let outside = MatrixMarketProblem::OutOfRange {
                row,
                column,
                nodes: 3,
            };
            assert_eq!(
                problem(&pattern(&format!("3 3 1\n{row} {column}"))),
                (3, outside)
            );
        }
    }

    #[test]
    fn entries_are_counted() {
        assert_eq!(
            problem(&pattern("3 3 1\n1 2\n2 3\n")),
            (4, MatrixMarketProblem::TooManyEntries { declared: 1 })
        );
        assert_eq!(
            problem(&pattern("3 3 3\n1 2\n2 3\n")),
            (
                5,
                MatrixMarketProblem::TooFewEntries {
                    found: 2,
                    declared: 3
                }
            )
        );
    }
}
