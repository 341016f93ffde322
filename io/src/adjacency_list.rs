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
use crate::table::{Delimiter, Field, Row, apparent, label_flaw, lines, split, split_row};
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
    let delimiter = neighbour_delimiter(text, colons);
    let mut fields = Vec::new();
    let mut begins: HashSet<String> = HashSet::new();
    let mut listed: HashSet<String> = HashSet::new();
    let (mut least, mut most, mut repeats) = (usize::MAX, 0, false);
    for row in lines(text) {
        if row
            .and_then(|row| fields_of(row, colons, delimiter, &mut fields))
            .is_err()
            || !colons && fields.iter().any(|field| !is_label(field))
        {
            return Likeness::Other;
        }
        (least, most) = (least.min(fields.len()), most.max(fields.len()));
        let labels: HashSet<&str> = fields.iter().map(|field| &*field.text).collect();
        repeats |= labels.len() < fields.len();
        let mut labels = fields.drain(..).map(|field| field.text.into_owned());
        let first = labels.next().is_some_and(|label| begins.insert(label));
        if !first && !colons {
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
    if most < 2 || unlisted.is_some() {
        Likeness::Other
    } else if least != most || most > 2 && says_each_edge_twice(text, delimiter) {
        Likeness::AdjacencyList
    } else if most == 3 && !repeats && lines(text).count() > 1 {
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

/// Splits a line into a node and its neighbours.
fn fields_of<'a>(
    row: Row<'a>,
    colons: bool,
    delimiter: Delimiter,
    fields: &mut Vec<Field<'a>>,
) -> Result<(), ReadError> {
    let Some((label, listed)) = split_colon(row.0).filter(|_| colons) else {
        return split_row(row, delimiter, fields);
    };
    split_row((label, row.1), Delimiter::Blanks, fields)?;
    let listed = listed.trim_ascii();
    let inner = listed
        .strip_prefix('[')
        .and_then(|rest| rest.strip_suffix(']'));
    let listed = inner.unwrap_or(listed).trim_ascii();
    if !listed.is_empty() {
        let mut neighbours = Vec::new();
        split_row((listed, row.1), delimiter, &mut neighbours)?;
        fields.append(&mut neighbours);
    }
    Ok(())
}

fn is_label(field: &Field<'_>) -> bool {
    flaw(field).is_none()
}

fn flaw(field: &Field<'_>) -> Option<&'static str> {
    match &*field.text {
        "" => Some("is empty"),
        text if !field.quoted && text.starts_with(['(', '[', '{']) => Some("has brackets"),
        _ => label_flaw(field, false),
    }
}

/// Returns `true` if v is listed once at u where u is listed once at v, for all nodes, and no node at itself.
fn says_each_edge_twice(text: &str, delimiter: Delimiter) -> bool {
    let mut fields = Vec::new();
    let mut nodes = GraphBuilder::default();
    let mut pairs: HashMap<(u32, u32), u32> = HashMap::new();
    for (text, _) in lines(text).flatten() {
        let _ = split(text, delimiter, &mut fields);
        let numbers = fields.iter().map(|field| nodes.node(&field.text));
        let numbers: Result<Vec<u32>, _> = numbers.collect();
        let Ok([u, neighbours @ ..]) = numbers.as_deref() else {
            return false;
        };
        for v in neighbours {
            *pairs.entry((*u, *v)).or_default() += 1;
        }
    }
    let mirrored = |(&(u, v), &count): (&(u32, u32), &u32)| {
        u != v && count == 1 && pairs.contains_key(&(v, u))
    };
    pairs.iter().all(mirrored)
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
    let delimiter = options
        .delimiter
        .unwrap_or_else(|| neighbour_delimiter(text, colons));
    let mut begun = HashSet::new();
    let mut fields = Vec::new();
    for row in lines(text) {
        let row = row?;
        fields_of(row, colons, delimiter, &mut fields)?;
        let line = row.1;
        let mut first = None;
        for field in &fields {
            let colon = || colons && !field.quoted && field.text.contains(':');
            let flaw = flaw(field).or_else(|| colon().then_some("has a second colon"));
            if let Some(flaw) = flaw {
                return Err(wrong(line, &field.text, flaw));
            }
            let node = builder.node(&field.text)?;
            match first {
                None if !begun.insert(node) => {
                    return Err(wrong(line, &field.text, "begins a line again"));
                }
                None => first = Some(node),
                Some(first) => builder.add((first, node), Place::Line(line), None)?,
            }
        }
    }
    builder.labelled(Format::AdjacencyList)
}

/// Returns `true` if a text is an adjacency list in several lines: one of its lines is a label and attributes in braces.
pub(crate) fn is_multiline(text: &str) -> bool {
    let mut fields = Vec::new();
    lines(text).flatten().any(|(text, _)| {
        split(text, Delimiter::Blanks, &mut fields).is_ok()
            && fields.len() == 2
            && fields[1].text.starts_with('{')
            && is_label(&fields[0])
    })
}

/// Reads an adjacency list in several lines; see [`Format::MultilineAdjacencyList`].
pub(crate) fn read_multiline(
    text: &str,
    options: &ReadOptions,
    mut builder: GraphBuilder,
) -> Result<Outcome, ReadError> {
    let delimiter = options.delimiter.unwrap_or(Delimiter::Blanks);
    let mut fields = Vec::new();
    // A node, its neighbours that are still to come, and the line in which it begins.
    let mut current = (0, 0_u64, (String::new(), 0));
    for row in lines(text) {
        let row = row?;
        split_row(row, delimiter, &mut fields)?;
        let wrong = |problem| wrong(row.1, row.0, problem);
        let [first, rest @ ..] = &fields[..] else {
            return Err(wrong("has no label"));
        };
        if !is_label(first) {
            return Err(bracket(row, 1));
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
            builder.add((current.0, node), Place::Line(row.1), None)?;
            current.1 -= 1;
        } else {
            let count = match rest {
                [count] => count.text.parse().ok(),
                _ => None,
            };
            let problem = "should be a node and how many neighbours follow, and is not";
            let count = count.ok_or_else(|| wrong(problem))?;
            current = (node, count, (first.text.to_string(), row.1));
        }
    }
    let (_, left, (label, line)) = current;
    match left {
        0 => builder.labelled(Format::MultilineAdjacencyList),
        _ => Err(wrong(line, &label, "has fewer neighbours than it says")),
    }
}
