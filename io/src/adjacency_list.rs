//! Adjacency lists, as networkx writes them: a line for each node with its neighbours,
//!
//! ```text
//! ann bob cem          ann knows bob and cem
//! bob cem              edges that were given are not repeated
//! cem
//! ```
//!
//! with a colon after the node,
//!
//! ```text
//! ann: bob cem
//! bob: ann
//! cem: ann
//! ```
//!
//! or, in several lines, a line with a node and the number of neighbours that follow:
//!
//! ```text
//! ann 2
//! bob {'weight': 4}
//! cem {}
//! bob 1
//! cem {}
//! ```

use std::collections::{HashMap, HashSet};

use crate::edge_list::bracket;
use crate::error::excerpt;
use crate::graph_builder::{GraphBuilder, Outcome};
use crate::layout::column_left_out;
use crate::table::{Delimiter, Field, Row, Table, apparent, label_flaw, lines, split};
use crate::{Format, Place, ReadError, ReadOptions};

/// The likeness of a text to an adjacency list.
pub(crate) enum Likeness {
    /// Each label begins one line, and the lines have different numbers of labels or give each edge at both of its
    /// ends; or a colon follows the first label of each line.
    AdjacencyList,
    /// It could be an adjacency list as well as an edge list with weights.
    Unclear,
    /// A colon follows the first label of each line, and this label begins none.
    Open(String),
    Other,
}

/// Tells adjacency lists from other texts.
pub(crate) fn recognise(text: &str) -> Likeness {
    let colons = has_colons(text);
    let Ok(rows) = rows(text, colons, neighbour_delimiter(text, colons)) else {
        return Likeness::Other;
    };
    let fields = || rows.iter().map(|row| row.fields.iter());
    if !colons && fields().flatten().any(|field| flaw(field).is_some()) {
        return Likeness::Other;
    }
    let (mut begins, mut listed) = (HashSet::new(), HashSet::new());
    for mut labels in fields().map(|fields| fields.map(|field| &*field.text)) {
        let is_new = labels.next().is_some_and(|label| begins.insert(label));
        if !is_new && !colons {
            return Likeness::Other;
        }
        listed.extend(labels);
    }
    let unlisted = listed.difference(&begins).min();
    if colons && !begins.is_empty() {
        return match unlisted {
            None => Likeness::AdjacencyList,
            Some(label) => Likeness::Open(excerpt(label)),
        };
    }
    let least = fields().map(|fields| fields.len()).min().unwrap_or(0);
    let most = fields().map(|fields| fields.len()).max().unwrap_or(0);
    let repeats = || {
        fields().any(|fields| {
            let count = fields.len();
            fields.map(|field| &field.text).collect::<HashSet<_>>().len() < count
        })
    };
    if most < 2 || unlisted.is_some() {
        Likeness::Other
    } else if least != most || most > 2 && says_each_edge_twice(&rows) {
        Likeness::AdjacencyList
    } else if most == 3 && rows.len() > 1 && !repeats() {
        Likeness::Unclear
    } else {
        Likeness::Other
    }
}

/// Returns `true` if every line is a label, a colon, and labels: `a: b c`, `a : b, c`, `a:`, `a: [b, c]`. Without a
/// blank after it, the colon is the only one in its line.
fn has_colons(text: &str) -> bool {
    let mut lines = lines(text).flatten().peekable();
    lines.peek().is_some()
        && lines.all(|(line, _)| {
            split_colon(line).is_some_and(|(_, after)| {
                let spaced = after.is_empty() || after.starts_with([' ', '\t', '[']);
                spaced || !after.contains(':')
            })
        })
}

/// Splits a line at the colon after its first label.
fn split_colon(line: &str) -> Option<(&str, &str)> {
    let line = line.trim_ascii();
    if let Some(quoted) = line.strip_prefix('"') {
        let (label, after) = line.split_at(quoted.find('"')? + 2);
        return Some((label, after.trim_ascii_start().strip_prefix(':')?));
    }
    let (label, after) = line.split_once(':')?;
    let label = label.trim_ascii_end();
    (!label.is_empty() && !label.contains([' ', '\t', ',', ';', '"'])).then_some((label, after))
}

/// Returns what separates the neighbours in a line.
fn neighbour_delimiter(text: &str, colons: bool) -> Delimiter {
    match apparent(text) {
        Delimiter::Character('\t') if colons => Delimiter::Blanks,
        delimiter => delimiter,
    }
}

/// Splits every line into a node and its neighbours.
fn rows(text: &str, colons: bool, delimiter: Delimiter) -> Result<Vec<Row<'_>>, ReadError> {
    let row = |line: Result<_, _>| {
        let (text, line) = line?;
        let Some((label, listed)) = split_colon(text).filter(|_| colons) else {
            return Row::split((text, line), delimiter);
        };
        let mut row = Row::split((label, line), Delimiter::Blanks)?;
        let listed = listed.trim_ascii();
        let inner = listed.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
        let listed = inner.unwrap_or(listed).trim_ascii();
        if !listed.is_empty() {
            row.fields.append(&mut Row::split((listed, line), delimiter)?.fields);
        }
        Ok(row)
    };
    lines(text).map(row).collect()
}

fn flaw(field: &Field<'_>) -> Option<&'static str> {
    match &*field.text {
        "" => Some("is empty"),
        text if !field.quoted && text.starts_with(['(', '[', '{']) => Some("has brackets"),
        _ => label_flaw(field, false),
    }
}

/// Returns `true` if v is listed once at u where u is listed once at v, for all nodes, and no node at itself.
fn says_each_edge_twice(rows: &[Row<'_>]) -> bool {
    let mut pairs: HashMap<(&str, &str), u32> = HashMap::new();
    for row in rows {
        let [u, neighbours @ ..] = &row.fields[..] else {
            return false;
        };
        for v in neighbours {
            *pairs.entry((&u.text, &v.text)).or_default() += 1;
        }
    }
    pairs.iter().all(|(&(u, v), &count)| u != v && count == 1 && pairs.contains_key(&(v, u)))
}

fn wrong(line: usize, label: &str, problem: &str) -> ReadError {
    let problem = format!("{:?} {problem}", excerpt(label));
    ReadError::line(line, problem, "give each node one line that begins with it")
}

/// Reads an adjacency list; see [`Format::AdjacencyList`].
pub(crate) fn read(
    text: &str,
    options: &ReadOptions,
    mut builder: GraphBuilder,
) -> Result<Outcome, ReadError> {
    let colons = options.delimiter.is_none() && has_colons(text);
    let delimiter = options.delimiter.unwrap_or_else(|| neighbour_delimiter(text, colons));
    let mut begun = HashSet::new();
    for row in rows(text, colons, delimiter)? {
        let mut first = None;
        for field in &row.fields {
            let colon = || colons && !field.quoted && field.text.contains(':');
            let flaw = flaw(field).or_else(|| colon().then_some("has a second colon"));
            if let Some(flaw) = flaw {
                return Err(wrong(row.line, &field.text, flaw));
            }
            let node = builder.node(&field.text)?;
            match first {
                None if !begun.insert(node) => {
                    return Err(wrong(row.line, &field.text, "begins a line again"));
                }
                None => first = Some(node),
                Some(first) => builder.add((first, node), Place::Line(row.line), None)?,
            }
        }
    }
    builder.labelled(Format::AdjacencyList)
}

/// Returns `true` if a text is an adjacency list in several lines: one of its lines is a label and attributes in braces.
pub(crate) fn is_multiline(text: &str) -> bool {
    lines(text).flatten().any(|(text, _)| match split(text, Delimiter::Blanks).as_deref() {
        Ok([label, attributes]) => attributes.text.starts_with('{') && flaw(label).is_none(),
        _ => false,
    })
}

/// Reads an adjacency list in several lines; see [`Format::MultilineAdjacencyList`].
pub(crate) fn read_multiline(
    text: &str,
    options: &ReadOptions,
    mut builder: GraphBuilder,
) -> Result<Outcome, ReadError> {
    let delimiter = options.delimiter.unwrap_or(Delimiter::Blanks);
    // A node, its neighbours that are still to come, and the line in which it begins.
    let mut current = (0, 0_u64, (String::new(), 0));
    for row in Table::split(text, delimiter)?.rows {
        let wrong = |problem| wrong(row.line, row.text, problem);
        let [first, rest @ ..] = &row.fields[..] else {
            return Err(wrong("has no label"));
        };
        if flaw(first).is_some() {
            return Err(bracket(&row, 1));
        }
        let node = builder.node(&first.text)?;
        if current.1 > 0 {
            let attributes = rest.first().map(|field| &*field.text);
            if rest.len() > 1 || attributes.is_some_and(|text| !text.starts_with('{')) {
                return Err(wrong("should be a neighbour, and is not"));
            }
            if attributes.is_some_and(|text| text != "{}") && builder.notes.is_empty() {
                let note = column_left_out(1, None, ", which looks like attributes,");
                builder.notes.push(note);
            }
            builder.add((current.0, node), Place::Line(row.line), None)?;
            current.1 -= 1;
        } else {
            let count = match rest {
                [count] => count.text.parse().ok(),
                _ => None,
            };
            let problem = "should be a node and how many neighbours follow, and is not";
            let count = count.ok_or_else(|| wrong(problem))?;
            current = (node, count, (first.text.to_string(), row.line));
        }
    }
    let (_, left, (label, line)) = current;
    match left {
        0 => builder.labelled(Format::MultilineAdjacencyList),
        _ => Err(wrong(line, &label, "has fewer neighbours than it says")),
    }
}
