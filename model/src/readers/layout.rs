//! What the first line of an edge list is, and which columns hold the ends of edges.

use super::table::{Delimiter, Field, Shape, at_line, is_number, lines, number, split, split_row};
use super::{EdgeLineProblem, LeftOut, Note, ReadError, ReadOptions};

/// Names that two columns with the ends of edges have, in lower case.
const ENDS: [(&str, &str); 18] = [
    ("source", "target"),
    ("from", "to"),
    ("src", "dst"),
    ("src", "dest"),
    ("u", "v"),
    ("i", "j"),
    ("start", "end"),
    ("node1", "node2"),
    ("node_1", "node_2"),
    ("id1", "id2"),
    ("id_1", "id_2"),
    ("v1", "v2"),
    ("user1", "user2"),
    ("person1", "person2"),
    ("source_id", "target_id"),
    ("from_id", "to_id"),
    ("fromnodeid", "tonodeid"),
    ("sender", "receiver"),
];

/// How the lines of an edge list are to be read.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Layout {
    /// The columns that hold the ends of an edge.
    pub ends: (usize, usize),
    /// The column that looks like weights.
    pub weights: Option<usize>,
    /// The column whose zeros could mean that there is no edge: weights without a name, or with a name of weights.
    pub zeros: Option<usize>,
    /// Whether the first line is no edge.
    pub skip_first: bool,
    /// The number of nodes, where the first line is that.
    pub nodes: Option<u64>,
    pub notes: Vec<Note>,
}

/// What is known of a column after the first line.
#[derive(Clone, Copy)]
struct Column {
    numbers: bool,
    integers: bool,
    attributes: bool,
    /// Something is neither empty nor a number nor attributes.
    words: bool,
    /// Counts on from 0, 1 or 2.
    counts_from: Option<u64>,
    directed: bool,
}

impl Column {
    const UNSEEN: Self = Self {
        numbers: true,
        integers: true,
        attributes: true,
        words: false,
        counts_from: None,
        directed: false,
    };

    fn see(&mut self, field: &Field<'_>, row: u64) {
        let text = &*field.text;
        let whole = text.parse::<i64>().ok();
        self.numbers &= is_number(text);
        self.integers &= whole.is_some();
        self.attributes &= text.starts_with('{');
        self.words |= is_word(text);
        self.directed |= text.eq_ignore_ascii_case("directed");
        let counted = whole.and_then(|number| u64::try_from(number).ok()?.checked_sub(row));
        self.counts_from = match row {
            0 => counted.filter(|&start| start <= 2),
            _ => self.counts_from.filter(|&start| counted == Some(start)),
        };
    }
}

/// The layout of an edge list of this shape.
pub(super) fn layout(
    text: &str,
    delimiter: Delimiter,
    shape: Shape,
    options: &ReadOptions,
) -> Result<Layout, ReadError> {
    let mut rows = lines(text).flatten();
    let (first_text, first_line) = rows.next().ok_or(ReadError::NoNodes)?;
    let mut first = Vec::new();
    split_row(Ok((first_text, first_line)), delimiter, &mut first)?;

    let mut columns = vec![Column::UNSEEN; shape.columns];
    // Names are one column to the left where the column that numbers the rows has none.
    let shifted = shape.lines > 1 && shape.first + 1 == shape.columns && shape.first > 1;
    let mut fields = Vec::new();
    for (number, row) in rows.enumerate() {
        split_row(Ok(row), delimiter, &mut fields)?;
        for (column, field) in columns.iter_mut().zip(&fields) {
            column.see(field, number as u64);
        }
    }
    let more = shape.lines > 1;
    let mut names: Vec<String> = first.iter().map(|field| field.text.to_string()).collect();
    if shifted {
        names.insert(0, String::new());
    }
    if names.len() < shape.columns {
        names.resize(shape.columns, String::new());
    }
    let mut layout = Layout {
        ends: (0, 1),
        weights: None,
        zeros: None,
        skip_first: false,
        nodes: None,
        notes: Vec::new(),
    };
    let not_clear = |what| ReadError::FirstLine {
        line: first_line,
        text: super::error::excerpt(first_text),
        what,
    };

    if more && shape.first == 1 && options.header != Some(true) {
        let nodes = whole_number(&names[0])
            .ok_or_else(|| at_line(first_text, first_line, EdgeLineProblem::OneLabel))?;
        layout.skip_first = true;
        layout.nodes = Some(nodes);
        layout.notes.push(Note::NodeCount {
            line: first_line,
            nodes,
        });
    } else {
        let known = match known_ends(&names) {
            // A single letter may be a label as well as a name, unless numbers stand below.
            Some(ends)
                if more
                    && (names[ends.0].len() > 1 || columns[ends.0].numbers)
                    && !occurs(text, delimiter, &names, ends)? =>
            {
                Some(ends)
            }
            _ => None,
        };
        let is_header = match options.header {
            Some(given) => given && more,
            None if !more => false,
            None => {
                shifted
                    || names[0].is_empty()
                    || known.is_some()
                    || names_above_numbers(&names, &columns)
            }
        };
        if is_header {
            layout.skip_first = true;
            let unnamed = names[0].is_empty() && shape.columns > 2;
            layout.ends = match known.or_else(|| known_ends(&names)) {
                Some(ends) => ends,
                None if unnamed && columns[0].counts_from.is_some() => (1, 2),
                None if shifted => return Err(other_columns(text, shape)),
                None if unnamed => return Err(not_clear("its first name is missing")),
                None if shape.columns > 2
                    && (columns[0].numbers != columns[1].numbers
                        || columns[..3].iter().all(|column| column.integers)) =>
                {
                    return Err(not_clear(
                        "its names do not say which columns are the ends of edges; call them source and target",
                    ));
                }
                None => (0, 1),
            };
            layout.notes.push(Note::HeaderLine {
                line: first_line,
                names: super::error::excerpt(&names.join(", ")),
            });
        } else if shape.first != shape.columns {
            return Err(other_columns(text, shape));
        } else if options.header.is_none() && more {
            not_two_numbers(&names, text, delimiter, shape).map_err(not_clear)?;
            let counted = columns[0]
                .counts_from
                .and_then(|start| start.checked_sub(1));
            if counted.is_some_and(|start| names[0] == start.to_string())
                && columns[1..]
                    .iter()
                    .take(2)
                    .filter(|column| !column.numbers)
                    .count()
                    == 2
            {
                return Err(not_clear(
                    "its first column numbers the rows; leave that out, or call the columns",
                ));
            }
            let words = !is_number(&names[0]) && !is_number(&names[1]);
            let numbers_below = columns[0].numbers && columns[1].numbers;
            if (shape.lines > 2 || numbers_below)
                && words
                && !occurs(text, delimiter, &names, (0, 1))?
            {
                return Err(not_clear(
                    "its two labels occur nowhere else, as names of columns would",
                ));
            }
        }
    }

    let named = layout.skip_first && layout.nodes.is_none();
    for (number, column) in columns.iter().enumerate() {
        if number == layout.ends.0 || number == layout.ends.1 {
            continue;
        }
        let name = names.get(number).filter(|name| named && !name.is_empty());
        if let Some(name) = name
            && name.eq_ignore_ascii_case("type")
            && column.directed
        {
            return Err(ReadError::Directed {
                place: format!("the column {name:?}"),
            });
        }
        let (attributes, numbers) = match more {
            true => (
                column.attributes,
                column.numbers && (layout.skip_first || is_number(&names[number])),
            ),
            false => (names[number].starts_with('{'), is_number(&names[number])),
        };
        let looks_like = if numbers && number == 0 && column.counts_from.is_some() && named {
            LeftOut::RowNumbers
        } else if numbers {
            LeftOut::Weights
        } else if attributes {
            LeftOut::Attributes
        } else {
            LeftOut::Other
        };
        let weighs = name.is_some_and(|name| name.eq_ignore_ascii_case("weight"));
        if looks_like == LeftOut::Weights && (layout.weights.is_none() || weighs) {
            layout.weights = Some(number);
        }
        if looks_like == LeftOut::Weights && number > 1 && weighs_by_name(name) {
            layout.zeros.get_or_insert(number);
        }
        let words = column.words || !layout.skip_first && is_word(&names[number]);
        if words
            && number > 1
            && !named
            && options.delimiter.is_none()
            && !(columns[0].integers && columns[1].integers && more)
        {
            let text = lines(text).flatten().nth(usize::from(layout.skip_first));
            let (text, line) = text.unwrap_or((first_text, first_line));
            return Err(at_line(text, line, EdgeLineProblem::Words));
        }
        layout.notes.push(Note::Column {
            column: number + 1,
            name: name.cloned(),
            looks_like,
        });
    }
    Ok(layout)
}

/// The columns whose names say that they hold the ends of edges.
fn known_ends(names: &[String]) -> Option<(usize, usize)> {
    let place = |name: &str| {
        names
            .iter()
            .position(|other| other.eq_ignore_ascii_case(name))
    };
    ENDS.iter().find_map(|(a, b)| Some((place(a)?, place(b)?)))
}

/// Returns `true` if a column beyond the first two has a word above numbers: the line is no edge with a weight.
fn names_above_numbers(names: &[String], columns: &[Column]) -> bool {
    let mut further = names.iter().zip(columns).skip(2);
    further.any(|(name, column)| is_word(name) && column.numbers)
}

fn is_word(text: &str) -> bool {
    !text.is_empty() && !text.starts_with('{') && !is_number(text)
}

/// Returns `true` if a column has no name, or a name that weights have.
fn weighs_by_name(name: Option<&String>) -> bool {
    let known = [
        "weight", "weights", "w", "value", "values", "freq", "x", "entry",
    ];
    name.is_none_or(|name| known.contains(&name.to_ascii_lowercase().as_str()))
}

/// The error that the second line has another number of columns than the first.
fn other_columns(text: &str, shape: Shape) -> ReadError {
    let (text, line) = lines(text).flatten().nth(1).unwrap_or_default();
    let (found, expected) = (shape.columns, shape.first);
    at_line(text, line, EdgeLineProblem::Columns { found, expected })
}

/// `Err` if the first line could be the size of what follows: the numbers of nodes and edges, or of rows, columns and
/// entries.
fn not_two_numbers(
    names: &[String],
    text: &str,
    delimiter: Delimiter,
    shape: Shape,
) -> Result<(), &'static str> {
    let numbers: Option<Vec<u64>> = names.iter().map(|name| whole_number(name)).collect();
    let rest = shape.lines as u64 - 1;
    let (nodes, what) = match numbers.as_deref() {
        Some(&[nodes, edges]) if edges == rest => {
            (nodes, "it could also be the numbers of nodes and edges")
        }
        Some(&[rows, columns, entries]) if rows == columns && entries == rest => (
            rows,
            "it looks like the size line of a Matrix Market file without its banner",
        ),
        _ => return Ok(()),
    };
    let (mut from_zero, mut from_one) = (true, true);
    let mut fields = Vec::new();
    for (text, _) in lines(text).flatten().skip(1) {
        let _ = split(text, delimiter, &mut fields);
        for label in fields.iter().take(2).map(|field| whole_number(&field.text)) {
            from_zero &= label.is_some_and(|label| label < nodes);
            from_one &= label.is_some_and(|label| (1..=nodes).contains(&label));
        }
        if !from_zero && !from_one {
            return Ok(());
        }
    }
    Err(what)
}

/// Whether a name of one of the two columns occurs below in one of them.
fn occurs(
    text: &str,
    delimiter: Delimiter,
    names: &[String],
    (a, b): (usize, usize),
) -> Result<bool, ReadError> {
    let mut fields = Vec::new();
    for row in lines(text).flatten().skip(1) {
        split_row(Ok(row), delimiter, &mut fields)?;
        let mut ends = [a, b].into_iter().filter_map(|column| fields.get(column));
        if ends.any(|field| *field.text == names[a] || *field.text == names[b]) {
            return Ok(true);
        }
    }
    Ok(false)
}

fn whole_number(text: &str) -> Option<u64> {
    number(text).and_then(|_| text.parse().ok())
}
