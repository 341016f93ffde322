//! Edge lists: one edge a line.

use super::gathered::{Gathered, Nodes, Outcome};
use super::layout::layout;
use super::table::{self, Delimiter, Field, at_line, is_zero, split_row};
use super::{Format, Place, ReadError, ReadOptions};

/// Why a line of an edge list is refused. Columns are counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EdgeLineProblem {
    /// There is nothing that separates two labels.
    #[error(
        "there is one label, and an edge needs two; separate them by a comma, a tab or spaces, or begin a comment with '#'"
    )]
    OneLabel,
    /// Nothing stands before the first separator, or between the first two.
    #[error("label {label} of the two is empty; write one label on each side of the separator")]
    EmptyLabel {
        /// Which of the two labels: 1 or 2.
        label: usize,
    },
    /// A control character, which no label can contain: in most cases a foreign line end or
    /// encoding.
    #[error(
        "column {column} has the control character {found:#04x}; save the file as UTF-8 with lines that end in \\n or \\r\\n"
    )]
    ControlCharacter {
        /// Where it is.
        column: usize,
        /// The character.
        found: u8,
    },
    /// The line has another number of columns than those before.
    #[error(
        "there are {found} columns, and {expected} in the lines before; give every line the same number (quote labels that contain the separator, or give --delimiter); an adjacency list needs a line for each node"
    )]
    Columns {
        /// How many there are.
        found: usize,
        /// How many there should be.
        expected: usize,
    },
    /// A label is or has a bracket, as the tuples of Python do.
    #[error(
        "label {label} of the two has brackets, as Python's tuples and lists have; relabel the nodes (networkx.convert_node_labels_to_integers), or quote the labels, or give --delimiter"
    )]
    Bracket {
        /// Which of the two labels: 1 or 2.
        label: usize,
    },
    /// A quote that does not begin or end a field.
    #[error(
        "column {column} has a quote out of place; quote whole fields by \" and write \"\" for a quote within"
    )]
    Quote {
        /// Where the field begins, or what follows it.
        column: usize,
    },
    /// A label begins with a single quote.
    #[error(
        "label {label} of the two begins with a single quote; quote fields by \", or give --delimiter"
    )]
    SingleQuote {
        /// Which of the two labels: 1 or 2.
        label: usize,
    },
    /// A label that no node has: it is only punctuation, ends in a colon, or has an arrow within.
    #[error(
        "label {label} of the two {flaw}; write one edge a line, such as 'a b' or 'a -- b', or one node a line with its neighbours, such as 'a: b c'"
    )]
    NotALabel {
        /// Which of the two labels: 1 or 2.
        label: usize,
        /// Why it is no label.
        flaw: &'static str,
    },
    /// Two labels are joined by a sign that means a directed edge.
    #[error(
        "the edge is directed, and gossip needs an undirected graph; write 'a -- b' for an edge between a and b"
    )]
    Directed,
    /// A line joins other than two labels, or labels with blanks, by signs such as `--`.
    #[error(
        "this looks like edges of Graphviz; write two labels with one '--' between them in each line, and quote labels with blanks"
    )]
    Joined,
    /// A weight is 0, which could mean that there is no edge.
    #[error(
        "the weight is 0, as where there is no edge; remove the line if there is none, or the column if these are no weights"
    )]
    ZeroWeight,
    /// There are words after two labels, which could belong to the labels or be the second end.
    #[error(
        "a further column is neither a number nor in braces, and could be part of a label with blanks or an end of the edge; quote the labels, name the columns source and target, or give --delimiter to leave the column out"
    )]
    Words,
}

/// Reads an edge list; see [`Format::EdgeList`].
pub(super) fn read(
    text: &str,
    options: &ReadOptions,
    mut gathered: Gathered,
) -> Result<Outcome, ReadError> {
    if options.delimiter.is_none()
        && let Some(sign) = table::joining_sign(text)
    {
        return read_joined(text, sign, gathered);
    }
    let (delimiter, shape) = match options.delimiter {
        Some(delimiter) => (delimiter, table::shape(text, delimiter)?),
        None => {
            check_beginnings(text)?;
            table::detect(text)?
        }
    };
    let layout = layout(text, delimiter, shape, options)?;
    let weights = gathered.wants_weights().then_some(layout.weights).flatten();
    let mut nodes = Nodes::default();
    let mut fields = Vec::new();
    for row in table::lines(text).skip(usize::from(layout.skip_first)) {
        let (text, line) = split_row(row, delimiter, &mut fields)?;
        let refuse = |problem| at_line(text, line, problem);
        let end = |column: usize, label| {
            let field = fields.get(column).ok_or(EdgeLineProblem::OneLabel)?;
            check_label(field, label, options.delimiter.is_some())?;
            Ok(&*field.text)
        };
        let first = nodes.number(end(layout.ends.0, 1).map_err(refuse)?)?;
        let second = nodes.number(end(layout.ends.1, 2).map_err(refuse)?)?;
        let weight = weights.and_then(|column| fields.get(column));
        let weight = weight.map(|field| &*field.text);
        let absent = |column: usize| fields.get(column).is_some_and(|field| is_zero(&field.text));
        if first != second && !gathered.wants_weights() && layout.zeros.is_some_and(absent) {
            return Err(refuse(EdgeLineProblem::ZeroWeight));
        }
        gathered.add((first, second), Place::Line(line), weight)?;
    }
    gathered.notes = layout.notes;
    match layout.nodes {
        Some(declared) => gathered.declared(Format::EdgeList, declared, nodes.labels, text.len()),
        None => gathered.labelled(Format::EdgeList, nodes.labels),
    }
}

/// Reads lines of two labels with `sign` between them, such as `a -- b;`.
fn read_joined(text: &str, sign: &str, mut gathered: Gathered) -> Result<Outcome, ReadError> {
    let mut nodes = Nodes::default();
    let mut fields = Vec::new();
    for row in table::lines(text) {
        let (text, line) = row?;
        let refuse = |problem| at_line(text, line, problem);
        if sign.contains(['>', '→']) && !sign.contains(['<', '↔']) {
            return Err(refuse(EdgeLineProblem::Directed));
        }
        let statement = text.trim_ascii_end();
        let statement = statement.strip_suffix(';').unwrap_or(statement);
        let mut ends = [0; 2];
        let mut sides = statement.split(sign);
        for (number, label) in (1..).zip(&mut ends) {
            let side = sides.next().unwrap_or_default();
            table::split(side, Delimiter::Blanks, &mut fields).map_err(refuse)?;
            let [field] = &fields[..] else {
                return Err(refuse(EdgeLineProblem::Joined));
            };
            if !field.quoted && field.text.contains([',', ';']) {
                return Err(refuse(EdgeLineProblem::Joined));
            }
            check_label(field, number, false).map_err(refuse)?;
            *label = nodes.number(&field.text)?;
        }
        if sides.next().is_some() {
            return Err(refuse(EdgeLineProblem::Joined));
        }
        gathered.add(ends.into(), Place::Line(line), None)?;
    }
    gathered.labelled(Format::EdgeList, nodes.labels)
}

/// Returns an error if a line begins with a bracket or a single quote: such labels have separators within.
fn check_beginnings(text: &str) -> Result<(), ReadError> {
    for row in table::lines(text) {
        let (text, line) = row?;
        match text.trim_ascii_start().as_bytes().first() {
            Some(b'(' | b'[' | b'{') => {
                return Err(at_line(text, line, EdgeLineProblem::Bracket { label: 1 }));
            }
            Some(b'\'') => {
                return Err(at_line(
                    text,
                    line,
                    EdgeLineProblem::SingleQuote { label: 1 },
                ));
            }
            _ => {}
        }
    }
    Ok(())
}

/// Returns an error if the field is no label: it is empty, only punctuation or ends in a colon, or, unless it is quoted
/// or the delimiter was given, it has an arrow, or brackets or quotes that do not close in it.
fn check_label(field: &Field<'_>, label: usize, given: bool) -> Result<(), EdgeLineProblem> {
    let text = &*field.text;
    if text.is_empty() {
        return Err(EdgeLineProblem::EmptyLabel { label });
    }
    if let Some(flaw) = table::label_flaw(field, given) {
        return Err(EdgeLineProblem::NotALabel { label, flaw });
    }
    if given || field.quoted {
        return Ok(());
    }
    let mut depth = 0_usize;
    let balanced = text.chars().all(|sign| match sign {
        '(' | '[' | '{' => {
            depth += 1;
            true
        }
        ')' | ']' | '}' => depth.checked_sub(1).inspect(|&less| depth = less).is_some(),
        _ => true,
    });
    if text.starts_with(['(', '[', '{']) || !balanced || depth != 0 {
        return Err(EdgeLineProblem::Bracket { label });
    }
    if text.starts_with('\'') {
        return Err(EdgeLineProblem::SingleQuote { label });
    }
    Ok(())
}
