//! Pajek: numbered vertices with labels, and sections of edges.
//!
//! ```text
//! *Vertices 3
//! 1 "ann" 0.1 0.2
//! 2 "bob"
//! *Edges
//! 1 2 0.5
//! ```

use super::error::excerpt;
use super::gathered::{Gathered, Outcome, most_nodes};
use super::markup::{Elements, MarkupProblem, at};
use super::table::{Delimiter, split};
use super::{Format, ReadError};

#[derive(Clone, Copy, Debug, PartialEq)]
enum Section {
    Before,
    Vertices,
    /// A line is two vertices.
    Edges,
    /// A line is a vertex and its neighbours.
    EdgesList,
    /// Directed edges.
    Arcs,
}

/// Reads a Pajek network; see [`Format::Pajek`].
pub(super) fn read(text: &str, gathered: Gathered) -> Result<Outcome, ReadError> {
    let mut elements = Elements::new(gathered);
    let mut section = Section::Before;
    let mut vertices = None;
    let mut fields = Vec::new();
    let mut last = 1;
    for (line_text, line) in text.lines().zip(1..) {
        last = line;
        let line_text = line_text.trim_ascii();
        if line_text.is_empty() || line_text.starts_with('%') {
            continue;
        }
        let syntax = |expected| {
            let found = excerpt(line_text);
            at(line, MarkupProblem::Syntax { found, expected })
        };
        let quotes = |_| syntax("quote whole labels");
        split(line_text, Delimiter::Blanks, &mut fields).map_err(quotes)?;
        if let Some(name) = line_text.strip_prefix('*') {
            let word = name.split_ascii_whitespace().next().unwrap_or_default();
            section = match word.to_ascii_lowercase().as_str() {
                "network" => Section::Before,
                "vertices" if vertices.is_some() => {
                    let what = "several networks";
                    return Err(at(line, MarkupProblem::NotSimple { what }));
                }
                "vertices" => {
                    let count = match &fields[..] {
                        [_, count] => count.text.parse::<u64>().ok(),
                        [_, _, _] => {
                            let what = "networks of two kinds of vertices";
                            return Err(at(line, MarkupProblem::NotSimple { what }));
                        }
                        _ => None,
                    };
                    let declared =
                        count.ok_or_else(|| syntax("write how many vertices there are"))?;
                    // Labels take more than numbers: fewer may be declared and not used.
                    let limit = most_nodes(text.len()).min(text.len().max(100_000));
                    let count = usize::try_from(declared)
                        .ok()
                        .filter(|&count| count <= limit);
                    let too_many = MarkupProblem::TooManyNodes { declared, limit };
                    let count = count.ok_or(at(line, too_many))?;
                    for vertex in 1..=count {
                        elements.declare(&vertex.to_string(), line)?;
                    }
                    vertices = Some(count);
                    Section::Vertices
                }
                "edges" => Section::Edges,
                "edgeslist" => Section::EdgesList,
                "arcs" | "arcslist" => Section::Arcs,
                _ => {
                    return Err(syntax(
                        "sections are *Vertices, *Edges and *Edgeslist; remove the others",
                    ));
                }
            };
            continue;
        }
        let inside = |place: usize| -> Result<usize, ReadError> {
            let vertex = fields
                .get(place)
                .and_then(|field| field.text.parse::<usize>().ok());
            let inside = vertex.filter(|&vertex| vertex > 0 && Some(vertex) <= vertices);
            inside.ok_or_else(|| syntax("vertices are numbered from 1 to what *Vertices says"))
        };
        match section {
            Section::Before => return Err(syntax("begin with *Vertices and their number")),
            Section::Arcs => {
                let place = format!("line {line}, after *Arcs,");
                return Err(ReadError::Directed { place });
            }
            Section::Vertices => {
                let vertex = inside(0)?;
                if let Some(label) = fields.get(1) {
                    elements.name(vertex as u32 - 1, label.text.to_string());
                }
            }
            Section::Edges => {
                let ends = [inside(0)?.to_string(), inside(1)?.to_string()];
                let weight = fields.get(2).map(|field| &*field.text);
                elements.edge([&ends[0], &ends[1]], line, weight)?;
            }
            Section::EdgesList => {
                let first = inside(0)?.to_string();
                for place in 1..fields.len() {
                    elements.edge([&first, &inside(place)?.to_string()], line, None)?;
                }
            }
        }
    }
    match vertices {
        Some(_) => elements.finish(Format::Pajek),
        None => {
            let what = "*Vertices";
            Err(at(last, MarkupProblem::CutShort { what }))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reading(text: &str) -> Result<super::super::Reading, ReadError> {
        read(text, Gathered::default()).map(|outcome| outcome.reading)
    }

    #[test]
    fn sections_labels_and_weights() {
        let read = reading("*Network x\n% c\n*Vertices 4\n1 \"New York\" 0.1 0.2\n3 c\n2 b\n4 \"d\"\n*Arcs\n*Edges\n1 2 0.5\n*Edgeslist\n3 1 2 4\n").unwrap();
        assert_eq!(read.graph.labels().unwrap(), ["New York", "b", "c", "d"]);
        assert_eq!(read.graph.edge_count(), 4);
        let plain = reading("*vertices 3\r\n*edges\r\n1 2\r\n").unwrap();
        assert_eq!(plain.graph.labels().unwrap(), ["1", "2", "3"]);
    }

    #[test]
    fn what_is_wrong_is_named_with_its_line() {
        for (file, expected) in [
            (
                "*Vertices 2\n*Arcs\n1 2",
                "line 3, after *Arcs, says that edges are directed",
            ),
            (
                "*Vertices 2\n*Edges\n1 3",
                "line 3: found \"1 3\"; vertices are numbered",
            ),
            ("*Vertices 2\n*Edges\n0 1", "numbered from 1"),
            ("*Vertices x", "how many vertices"),
            ("*Vertices 5 2", "two kinds of vertices"),
            ("*Vertices 99999999", "99999999 nodes are declared"),
            ("*Vertices 2\n*Matrix\n0 1\n1 0", "sections are"),
            ("*Vertices 1\n*Vertices 1", "several networks"),
            ("1 2", "begin with *Vertices"),
            ("*Network x", "before *Vertices"),
        ] {
            let error = reading(file).unwrap_err().to_string();
            assert!(error.contains(expected), "{file}: {error}");
        }
    }
}
