//! Edge lists: one edge a line.

use super::gathered::{Gathered, Nodes, Outcome};
use super::layout::layout;
use super::table::{self, Delimiter, Field, at_line};
use super::{Format, Place, ReadError, ReadOptions};

/// The two labels in a line of an edge list, as they stand there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EdgeLine<'a> {
    /// The label of one end: not empty, without blanks around it.
    pub first: &'a [u8],
    /// The label of the other end.
    pub second: &'a [u8],
    /// Whether anything follows the two labels.
    pub more_columns: bool,
}

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

/// Parses one line of an edge list, given without its `\n`; one `\r` at its end is dropped.
///
/// For every byte string, returns without allocating and without panicking:
///
/// * `Err(ControlCharacter)` if there is a control character other than a tab;
/// * `Ok(None)` for a blank line and for a comment, whose first visible byte is `#` or `%`;
/// * otherwise the first two fields without blanks around them, `Err` unless there are two and
///   neither is empty. Fields are separated by commas if the line has any (labels may then
///   contain blanks); else by tabs if it has any; else by one or more spaces. There is no
///   quoting.
pub fn edge_line(line: &[u8]) -> Result<Option<EdgeLine<'_>>, EdgeLineProblem> {
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    for (at, &found) in line.iter().enumerate() {
        if found.is_ascii_control() && found != b'\t' {
            let column = at + 1;
            return Err(EdgeLineProblem::ControlCharacter { column, found });
        }
    }
    if let None | Some(b'#' | b'%') = line.trim_ascii_start().first() {
        return Ok(None);
    }
    if line.contains(&b',') {
        first_two(line.split(|&byte| byte == b',').map(<[u8]>::trim_ascii))
    } else if line.contains(&b'\t') {
        first_two(line.split(|&byte| byte == b'\t').map(<[u8]>::trim_ascii))
    } else {
        first_two(
            line.split(|&byte| byte == b' ')
                .filter(|field| !field.is_empty()),
        )
    }
    .map(Some)
}

fn first_two<'a>(
    mut fields: impl Iterator<Item = &'a [u8]>,
) -> Result<EdgeLine<'a>, EdgeLineProblem> {
    let (Some(first), Some(second)) = (fields.next(), fields.next()) else {
        return Err(EdgeLineProblem::OneLabel);
    };
    if first.is_empty() {
        return Err(EdgeLineProblem::EmptyLabel { label: 1 });
    }
    if second.is_empty() {
        return Err(EdgeLineProblem::EmptyLabel { label: 2 });
    }
    Ok(EdgeLine {
        first,
        second,
        more_columns: fields.next().is_some(),
    })
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
    let plain = layout.ends == (0, 1) && !gathered.wants_weights();
    let mut nodes = Nodes::default();
    let mut fields = Vec::new();
    for row in table::lines(text).skip(usize::from(layout.skip_first)) {
        let (text, line) = row?;
        let refuse = |problem| at_line(text, line, problem);
        if plain && let Some((first, second)) = plain_edge(text, delimiter) {
            let ends = (nodes.number(first)?, nodes.number(second)?);
            gathered.add(ends, Place::Line(line), None)?;
            continue;
        }
        table::split(text, delimiter, &mut fields).map_err(refuse)?;
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

/// The two labels of a line that needs no more than [`edge_line`]: without quotes and brackets, and with the
/// separators of the whole file.
fn plain_edge(text: &str, delimiter: Delimiter) -> Option<(&str, &str)> {
    let same = match delimiter {
        Delimiter::Character(',') => true,
        Delimiter::Character('\t') => !text.contains(','),
        Delimiter::Character(_) => false,
        Delimiter::Blanks => !text.contains([',', '\t']),
    };
    if !same || text.contains(['"', '\'', '(', '[', '{', ')', ']', '}']) {
        return None;
    }
    let edge = edge_line(text.as_bytes()).ok()??;
    let label = |bytes| std::str::from_utf8(bytes).ok();
    Some((label(edge.first)?, label(edge.second)?))
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

#[cfg(test)]
mod tests {
    use super::EdgeLineProblem::{ControlCharacter, EmptyLabel, OneLabel};
    use super::*;

    #[test]
    fn lines_are_split_by_commas_else_by_tabs_else_by_spaces() {
        let two = |first: &'static str, second: &'static str, more_columns| {
            let (first, second) = (first.as_bytes(), second.as_bytes());
            Ok(Some(EdgeLine {
                first,
                second,
                more_columns,
            }))
        };
        let control = |column, found| Err(ControlCharacter { column, found });
        for (line, expected) in [
            ("a b", two("a", "b", false)),
            ("  a   b  ", two("a", "b", false)),
            ("a b c", two("a", "b", true)),
            ("a b\tc", two("a b", "c", false)),
            ("a\tb\t", two("a", "b", true)),
            ("a\tb , c d", two("a\tb", "c d", false)),
            ("ä,ö", two("ä", "ö", false)),
            ("a #b", two("a", "#b", false)),
            ("\r", Ok(None)),
            ("\t ", Ok(None)),
            (" \t# a,b", Ok(None)),
            ("% a b", Ok(None)),
            ("a", Err(OneLabel)),
            (",a", Err(EmptyLabel { label: 1 })),
            ("a, ,b", Err(EmptyLabel { label: 2 })),
            ("\ta\tb", Err(EmptyLabel { label: 1 })),
            ("a\t\tb", Err(EmptyLabel { label: 2 })),
            // Old line ends and UTF-16.
            ("1 2\r2 3\r", control(4, b'\r')),
            ("# comment\r1 2", control(10, b'\r')),
            ("1\0 \x002\0", control(2, 0)),
        ] {
            assert_eq!(edge_line(line.as_bytes()), expected, "{line:?}");
        }
    }
}
