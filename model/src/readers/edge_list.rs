//! Edge lists: one edge a line.

use super::gathered::{Gathered, Nodes, Outcome};
use super::layout::layout;
use super::table::{self, Field, at_line, split_row};
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
    /// A label begins with a single quote that does not close in it.
    #[error(
        "label {label} of the two begins with a single quote; quote fields by \", or give --delimiter"
    )]
    SingleQuote {
        /// Which of the two labels: 1 or 2.
        label: usize,
    },
    /// There are words after two labels between blanks, which could belong to the labels.
    #[error(
        "the third column is neither a number nor in braces, and could be part of a label with blanks; quote the labels, separate them by commas or tabs, or give --delimiter space to leave the column out"
    )]
    Blanks,
}

/// Reads an edge list; see [`Format::EdgeList`].
pub(super) fn read(
    text: &str,
    options: &ReadOptions,
    mut gathered: Gathered,
) -> Result<Outcome, ReadError> {
    let (delimiter, shape) = match options.delimiter {
        Some(delimiter) => (delimiter, table::shape(text, delimiter)?),
        None => {
            check_brackets(text)?;
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
        gathered.add((first, second), Place::Line(line), weight)?;
    }
    gathered.notes = layout.notes;
    match layout.nodes {
        Some(declared) => gathered.declared(Format::EdgeList, declared, nodes.labels, text.len()),
        None => gathered.labelled(Format::EdgeList, nodes.labels),
    }
}

/// `Err` if a line begins with a bracket: labels such as tuples have separators within.
fn check_brackets(text: &str) -> Result<(), ReadError> {
    for row in table::lines(text) {
        let (text, line) = row?;
        if text.trim_ascii_start().starts_with(['(', '[', '{']) {
            return Err(at_line(text, line, EdgeLineProblem::Bracket { label: 1 }));
        }
    }
    Ok(())
}

/// `Err` if this is no label: it is empty, or, unless the delimiter was given, it has brackets or quotes that do not
/// close in it.
fn check_label(field: &Field<'_>, label: usize, given: bool) -> Result<(), EdgeLineProblem> {
    let text = &*field.text;
    if text.is_empty() {
        return Err(EdgeLineProblem::EmptyLabel { label });
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
    if text.starts_with('\'') && (text.len() == 1 || !text.ends_with('\'')) {
        return Err(EdgeLineProblem::SingleQuote { label });
    }
    Ok(())
}
