//! Adjacency lists, as networkx writes them: a line for each node with its neighbours,
//!
//! ```text
//! ann bob cem          ann knows bob and cem
//! bob cem              edges that were given are not repeated
//! cem
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
use super::table::{Delimiter, Field, apparent, at_line, lines, split, split_row};
use super::{EdgeLineProblem, Format, LeftOut, Note, Place, ReadError, ReadOptions};

/// Whether a text is an adjacency list and no edge list: each label begins one line, the lines have different numbers
/// of labels or say each edge at both of its ends, and there is an edge.
pub(super) fn is_adjacency_list(text: &str) -> bool {
    let delimiter = apparent(text);
    let mut fields = Vec::new();
    let mut begins: HashSet<String> = HashSet::new();
    let mut listed: HashSet<String> = HashSet::new();
    let (mut least, mut most) = (usize::MAX, 0);
    for row in lines(text) {
        let Ok((text, _)) = row else { return false };
        if split(text, delimiter, &mut fields).is_err()
            || fields.iter().any(|field| !is_label(field))
        {
            return false;
        }
        (least, most) = (least.min(fields.len()), most.max(fields.len()));
        let mut labels = fields.drain(..).map(|field| field.text.into_owned());
        if !labels.next().is_some_and(|label| begins.insert(label)) {
            return false;
        }
        listed.extend(labels);
    }
    if most < 2 || !listed.is_subset(&begins) {
        return false;
    }
    least != most || most > 2 && says_each_edge_twice(text, delimiter)
}

fn is_label(field: &Field<'_>) -> bool {
    !field.text.is_empty() && (field.quoted || !field.text.starts_with(['(', '[', '{']))
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
    let delimiter = options.delimiter.unwrap_or_else(|| apparent(text));
    let mut nodes = Nodes::default();
    let mut begun = HashSet::new();
    let mut fields = Vec::new();
    for row in lines(text) {
        let (_, line) = split_row(row, delimiter, &mut fields)?;
        let mut first = None;
        for field in &fields {
            let wrong = |problem| ReadError::Adjacency {
                line,
                label: excerpt(&field.text),
                problem,
            };
            if !is_label(field) {
                return Err(wrong(match field.text.is_empty() {
                    true => "is empty",
                    false => "has brackets",
                }));
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
