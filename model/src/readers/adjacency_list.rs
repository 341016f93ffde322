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

use super::error::excerpt;
use super::gathered::{Gathered, Nodes, Outcome};
use super::table::{Delimiter, Field, apparent, at_line, label_flaw, lines, split, split_row};
use super::{EdgeLineProblem, Format, LeftOut, Note, Place, ReadError, ReadOptions};

/// What a text is, as far as adjacency lists are concerned.
pub(super) enum Likeness {
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
pub(super) fn recognise(text: &str) -> Likeness {
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
    (text, line): (&'a str, usize),
    colons: bool,
    delimiter: Delimiter,
    fields: &mut Vec<Field<'a>>,
) -> Result<usize, ReadError> {
    let Some((label, listed)) = split_colon(text).filter(|_| colons) else {
        return split_row(Ok((text, line)), delimiter, fields).map(|(_, line)| line);
    };
    let refuse = |problem| at_line(text, line, problem);
    split(label, Delimiter::Blanks, fields).map_err(refuse)?;
    let listed = listed.trim_ascii();
    let inner = listed
        .strip_prefix('[')
        .and_then(|rest| rest.strip_suffix(']'));
    let listed = inner.unwrap_or(listed).trim_ascii();
    if !listed.is_empty() {
        let mut neighbours = Vec::new();
        split(listed, delimiter, &mut neighbours).map_err(refuse)?;
        fields.append(&mut neighbours);
    }
    Ok(line)
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

/// Whether v is listed once at u where u is listed once at v, for all nodes, and no node at itself.
fn says_each_edge_twice(text: &str, delimiter: Delimiter) -> bool {
    let mut fields = Vec::new();
    let mut nodes = Nodes::default();
    let mut pairs: HashMap<(u32, u32), u32> = HashMap::new();
    for (text, _) in lines(text).flatten() {
        let _ = split(text, delimiter, &mut fields);
        let numbers: Result<Vec<u32>, _> = fields
            .iter()
            .map(|field| nodes.number(&field.text))
            .collect();
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

/// Reads an adjacency list; see [`Format::AdjacencyList`].
pub(super) fn read(
    text: &str,
    options: &ReadOptions,
    mut gathered: Gathered,
) -> Result<Outcome, ReadError> {
    let colons = options.delimiter.is_none() && has_colons(text);
    let delimiter = options
        .delimiter
        .unwrap_or_else(|| neighbour_delimiter(text, colons));
    let mut nodes = Nodes::default();
    let mut begun = HashSet::new();
    let mut fields = Vec::new();
    for row in lines(text) {
        let line = fields_of(row?, colons, delimiter, &mut fields)?;
        let mut first = None;
        for field in &fields {
            let wrong = |problem| ReadError::Adjacency {
                line,
                label: excerpt(&field.text),
                problem,
            };
            let colon = || colons && !field.quoted && field.text.contains(':');
            let flaw = flaw(field).or_else(|| colon().then_some("has a second colon"));
            if let Some(flaw) = flaw {
                return Err(wrong(flaw));
            }
            let node = nodes.number(&field.text)?;
            match first {
                None if !begun.insert(node) => return Err(wrong("begins a line again")),
                None => first = Some(node),
                Some(first) => gathered.add((first, node), Place::Line(line), None)?,
            }
        }
    }
    gathered.labelled(Format::AdjacencyList, nodes.labels)
}

/// Whether a text is an adjacency list in several lines: one of its lines is a label and attributes in braces.
pub(super) fn is_multiline(text: &str) -> bool {
    let mut fields = Vec::new();
    lines(text).flatten().any(|(text, _)| {
        split(text, Delimiter::Blanks, &mut fields).is_ok()
            && fields.len() == 2
            && fields[1].text.starts_with('{')
            && is_label(&fields[0])
    })
}

/// Reads an adjacency list in several lines; see [`Format::MultilineAdjacencyList`].
pub(super) fn read_multiline(
    text: &str,
    options: &ReadOptions,
    mut gathered: Gathered,
) -> Result<Outcome, ReadError> {
    let delimiter = options.delimiter.unwrap_or(Delimiter::Blanks);
    let mut nodes = Nodes::default();
    let mut fields = Vec::new();
    let mut current: Option<(u32, u64, usize, String)> = None;
    for row in lines(text) {
        let (text, line) = split_row(row, delimiter, &mut fields)?;
        let wrong = |problem| ReadError::Adjacency {
            line,
            label: excerpt(text),
            problem,
        };
        if !is_label(&fields[0]) {
            return Err(at_line(text, line, EdgeLineProblem::Bracket { label: 1 }));
        }
        match current.take() {
            Some((node, left, begun, label)) if left > 0 => {
                let attributes = fields.get(1).map(|field| &*field.text);
                if fields.len() > 2 || attributes.is_some_and(|text| !text.starts_with('{')) {
                    return Err(wrong("should be a neighbour, and is not"));
                }
                if attributes.is_some_and(|text| text != "{}") && gathered.notes.is_empty() {
                    let looks_like = LeftOut::Attributes;
                    gathered.notes.push(Note::Column {
                        column: 2,
                        name: None,
                        looks_like,
                    });
                }
                let neighbour = nodes.number(&fields[0].text)?;
                gathered.add((node, neighbour), Place::Line(line), None)?;
                current = Some((node, left - 1, begun, label));
            }
            _ => {
                let count = match &fields[..] {
                    [_, count] => count.text.parse().ok(),
                    _ => None,
                };
                let count = count.ok_or_else(|| {
                    wrong("should be a node and how many neighbours follow, and is not")
                })?;
                let label = excerpt(&fields[0].text);
                current = Some((nodes.number(&fields[0].text)?, count, line, label));
            }
        }
    }
    if let Some((_, 1.., line, label)) = current {
        let problem = "has fewer neighbours than it says";
        return Err(ReadError::Adjacency {
            line,
            label,
            problem,
        });
    }
    gathered.labelled(Format::MultilineAdjacencyList, nodes.labels)
}
