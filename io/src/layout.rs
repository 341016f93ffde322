//! The layout of an edge list: the kind of its first line, and the columns that hold the ends of edges.

use crate::error::excerpt;
use crate::table::{Field, Row, Table, is_number, number};
use crate::{ErrorKind, ReadError, ReadOptions};

/// Names of two columns with the ends of edges, in lower case.
#[rustfmt::skip]
const ENDS: [(&str, &str); 18] = [
    ("source", "target"), ("from", "to"), ("src", "dst"), ("src", "dest"), ("u", "v"), ("i", "j"),
    ("start", "end"), ("node1", "node2"), ("node_1", "node_2"), ("id1", "id2"), ("id_1", "id_2"),
    ("v1", "v2"), ("user1", "user2"), ("person1", "person2"), ("source_id", "target_id"),
    ("from_id", "to_id"), ("fromnodeid", "tonodeid"), ("sender", "receiver"),
];

/// Names of columns that hold weights, in lower case.
const WEIGHTS: [&str; 8] = ["weight", "weights", "w", "value", "values", "freq", "x", "entry"];

/// The layout of an edge list.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Layout {
    /// The columns that hold the ends of an edge.
    pub ends: (usize, usize),
    /// The column that looks like weights.
    pub weights: Option<usize>,
    /// The column whose zeros could mean that there is no edge: weights without a name, or with a name of weights.
    pub zeros: Option<usize>,
    /// `true` if the first line is not an edge.
    pub skip_first: bool,
    /// The number of nodes, where the first line is that.
    pub nodes: Option<u64>,
    pub notes: Vec<String>,
}

/// A column after the first line.
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

/// The data that determine the layout.
struct EdgeTable<'a> {
    table: &'a Table<'a>,
    options: &'a ReadOptions,
    first: &'a Row<'a>,
    below: &'a [Row<'a>],
    names: Vec<String>,
    columns: Vec<Column>,
}

/// Returns the layout of an edge list.
pub(crate) fn layout(table: &Table<'_>, options: &ReadOptions) -> Result<Layout, ReadError> {
    let (first, below) = table.rows.split_first().ok_or_else(ReadError::no_nodes)?;
    let mut names: Vec<String> = first.fields.iter().map(|field| field.text.to_string()).collect();
    let mut columns = vec![Column::UNSEEN; table.columns()];
    for (number, row) in below.iter().enumerate() {
        for (column, field) in columns.iter_mut().zip(&row.fields) {
            column.see(field, number as u64);
        }
    }
    // Names are one column to the left where the column that numbers the rows has none.
    let shifted = !below.is_empty() && table.first() + 1 == table.columns() && table.first() > 1;
    if shifted {
        names.insert(0, String::new());
    }
    names.resize(names.len().max(table.columns()), String::new());
    let table = EdgeTable { table, options, first, below, names, columns };
    let mut layout = table.first_line(shifted)?;
    table.further_columns(&mut layout)?;
    Ok(layout)
}

impl EdgeTable<'_> {
    fn unclear(&self, what: &str) -> ReadError {
        let problem = format!("is this an edge? {what}");
        let remedy = "say whether it is a header (--header yes or no on the command line)";
        self.first.error(&problem, remedy).of_kind(ErrorKind::Unclear)
    }

    /// Decides whether the first line is an edge, the names of the columns, or the number of nodes.
    fn first_line(&self, shifted: bool) -> Result<Layout, ReadError> {
        let Self { names, columns, .. } = self;
        let (first, width) = (self.table.first(), self.table.columns());
        let line = self.first.line;
        let more = !self.below.is_empty();
        let mut layout = Layout { ends: (0, 1), ..Layout::default() };
        if more && first == 1 && self.options.header != Some(true) {
            let nodes = whole_number(&names[0]).ok_or_else(|| self.first.one_label())?;
            layout.skip_first = true;
            layout.nodes = Some(nodes);
            let note = format!("line {line} was read as the number of nodes, {nodes}");
            layout.notes.push(note);
            return Ok(layout);
        }
        // A single letter may be a label as well as a name, unless numbers stand below.
        let known = self.named_ends().filter(|ends| {
            let names_only = names[ends.0].len() > 1 || columns[ends.0].numbers;
            more && names_only && !self.occurs_below(*ends)
        });
        let third_is_named = || {
            let mut further = names.iter().zip(columns).skip(2);
            further.any(|(name, column)| is_word(name) && column.numbers)
        };
        let is_header = more
            && self.options.header.unwrap_or_else(|| {
                shifted || names[0].is_empty() || known.is_some() || third_is_named()
            });
        let uneven = || self.below.first().unwrap_or(self.first).other_columns(first);
        if is_header {
            let unnamed = names[0].is_empty() && width > 2;
            layout.skip_first = true;
            layout.ends = match known.or_else(|| self.named_ends()) {
                Some(ends) => ends,
                None if unnamed && columns[0].counts_from.is_some() => (1, 2),
                None if shifted => return Err(uneven()),
                None if unnamed => return Err(self.unclear("its first name is missing")),
                None if width > 2
                    && (columns[0].numbers != columns[1].numbers
                        || columns[..3].iter().all(|column| column.integers)) =>
                {
                    return Err(self.unclear(
                        "its names do not say which columns are the ends of edges; call them source and target",
                    ));
                }
                None => (0, 1),
            };
            let names = excerpt(&names.join(", "));
            let note = format!("line {line} was read as names of columns: {names}");
            layout.notes.push(note);
        } else if first != width {
            return Err(uneven());
        } else if self.options.header.is_none() && more {
            self.check_first_edge()?;
        }
        Ok(layout)
    }

    /// Returns an error if the first line, read as an edge, could be something else.
    fn check_first_edge(&self) -> Result<(), ReadError> {
        let (names, columns) = (&self.names, &self.columns);
        if let Some(what) = self.size_line() {
            return Err(self.unclear(what));
        }
        let counted = columns[0].counts_from.and_then(|start| start.checked_sub(1));
        let words = columns[1..].iter().take(2).filter(|column| !column.numbers);
        if counted.is_some_and(|start| names[0] == start.to_string()) && words.count() == 2 {
            let what = "its first column numbers the rows; leave that out, or call the columns";
            return Err(self.unclear(what));
        }
        let numbers_below = columns[0].numbers && columns[1].numbers;
        if (self.below.len() > 1 || numbers_below)
            && !is_number(&names[0])
            && !is_number(&names[1])
            && !self.occurs_below((0, 1))
        {
            let what = "its two labels occur nowhere else, as names of columns would";
            return Err(self.unclear(what));
        }
        Ok(())
    }

    /// Notes the columns that are omitted.
    fn further_columns(&self, layout: &mut Layout) -> Result<(), ReadError> {
        let (names, columns) = (&self.names, &self.columns);
        let more = !self.below.is_empty();
        let named = layout.skip_first && layout.nodes.is_none();
        for (number, column) in columns.iter().enumerate() {
            if number == layout.ends.0 || number == layout.ends.1 {
                continue;
            }
            let name = names.get(number).filter(|name| named && !name.is_empty());
            let is = |word: &str| name.is_some_and(|name| name.eq_ignore_ascii_case(word));
            if is("type") && column.directed {
                let what = format!("the column {:?}", names[number]);
                return Err(ReadError::directed(&what));
            }
            let first = &names[number];
            let numbers = column.numbers && (layout.skip_first || is_number(first));
            let attributes = if more { column.attributes } else { first.starts_with('{') };
            let row_numbers = numbers && number == 0 && column.counts_from.is_some() && named;
            if numbers && !row_numbers {
                if layout.weights.is_none() || is("weight") {
                    layout.weights = Some(number);
                }
                if number > 1 && (name.is_none() || WEIGHTS.iter().any(|word| is(word))) {
                    layout.zeros.get_or_insert(number);
                }
            }
            let words = column.words || !layout.skip_first && is_word(first);
            if words
                && number > 1
                && !named
                && self.options.delimiter.is_none()
                && !(columns[0].integers && columns[1].integers && more)
            {
                let row = self.table.rows.get(usize::from(layout.skip_first));
                return Err(row.unwrap_or(self.first).error(
                    "a further column is neither a number nor in braces, and could be part of a label with blanks or an end of the edge",
                    "quote the labels, name the columns source and target, or give --delimiter to leave the column out",
                ));
            }
            let looks_like = match (row_numbers, numbers, attributes) {
                (true, ..) => ", which numbers the rows,",
                (_, true, _) => ", which looks like weights,",
                (.., true) => ", which looks like attributes,",
                _ => "",
            };
            layout.notes.push(column_left_out(number, name, looks_like));
        }
        Ok(())
    }

    /// Returns the columns whose names say that they hold the ends of edges.
    fn named_ends(&self) -> Option<(usize, usize)> {
        let place = |name: &str| {
            let mut names = self.names.iter();
            names.position(|other| other.eq_ignore_ascii_case(name))
        };
        ENDS.iter().find_map(|(a, b)| Some((place(a)?, place(b)?)))
    }

    /// Returns `true` if a name of one of the two columns occurs below in one of them.
    fn occurs_below(&self, (a, b): (usize, usize)) -> bool {
        let names = [&self.names[a], &self.names[b]];
        let is_name = |field: &Field<'_>| names.iter().any(|name| *field.text == ***name);
        let ends =
            |row: &Row<'_>| [a, b].iter().any(|&end| row.fields.get(end).is_some_and(is_name));
        self.below.iter().any(ends)
    }

    /// Returns what the first line could be if it could be the size of what follows: the numbers of nodes and edges, or
    /// of rows, columns and entries.
    fn size_line(&self) -> Option<&'static str> {
        let numbers: Option<Vec<u64>> = self.names.iter().map(|name| whole_number(name)).collect();
        let rest = self.below.len() as u64;
        let (nodes, what) = match numbers?[..] {
            [nodes, edges] if edges == rest => {
                (nodes, "it could also be the numbers of nodes and edges")
            }
            [rows, columns, entries] if rows == columns && entries == rest => {
                (rows, "it looks like the size line of a Matrix Market file without its banner")
            }
            _ => return None,
        };
        let (mut from_zero, mut from_one) = (true, true);
        for row in self.below {
            for label in row.fields.iter().take(2).map(|field| whole_number(&field.text)) {
                from_zero &= label.is_some_and(|label| label < nodes);
                from_one &= label.is_some_and(|label| (1..=nodes).contains(&label));
            }
        }
        (from_zero || from_one).then_some(what)
    }
}

fn is_word(text: &str) -> bool {
    !text.is_empty() && !text.starts_with('{') && !is_number(text)
}

fn whole_number(text: &str) -> Option<u64> {
    number(text).and_then(|_| text.parse().ok())
}

/// Returns the note that a column, counted from 0, was left out.
pub(crate) fn column_left_out(column: usize, name: Option<&String>, looks_like: &str) -> String {
    const ORDINALS: [&str; 10] = [
        "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth",
        "tenth",
    ];
    let ordinal = match ORDINALS.get(column) {
        Some(word) => (*word).to_owned(),
        None => format!("{}th", column + 1),
    };
    let name = name.map(|name| format!(" {name:?}")).unwrap_or_default();
    format!("the {ordinal} column{name}{looks_like} was left out")
}
