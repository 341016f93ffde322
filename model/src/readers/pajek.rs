//! Pajek: numbered vertices with labels, and sections of edges.
//!
//! ```text
//! *Vertices 3
//! 1 "ann" 0.1 0.2
//! 2 "bob"
//! *Edges
//! 1 2 0.5
//! ```

use super::gathered::{Gathered, Outcome, declared_nodes, most_nodes};
use super::markup::{Elements, at};
use super::table::{Delimiter, split};
use super::{Format, LineProblem, ReadError};

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
        let syntax = |expected| at(line, LineProblem::syntax(line_text, expected));
        let quotes = |_| syntax("quote whole labels");
        split(line_text, Delimiter::Blanks, &mut fields).map_err(quotes)?;
        if let Some(name) = line_text.strip_prefix('*') {
            let word = name.split_ascii_whitespace().next().unwrap_or_default();
            section = match word.to_ascii_lowercase().as_str() {
                "network" => Section::Before,
                "vertices" if vertices.is_some() => {
                    let what = "several networks";
                    return Err(at(line, LineProblem::NotSimple { what }));
                }
                "vertices" => {
                    let count = match &fields[..] {
                        [_, count] => count.text.parse::<u64>().ok(),
                        [_, _, _] => {
                            let what = "networks of two kinds of vertices";
                            return Err(at(line, LineProblem::NotSimple { what }));
                        }
                        _ => None,
                    };
                    let declared =
                        count.ok_or_else(|| syntax("write how many vertices there are"))?;
                    // Labels take more than numbers: fewer may be declared and not used.
                    let limit = most_nodes(text.len()).min(text.len().max(100_000));
                    let count = declared_nodes(declared, limit).map_err(|error| at(line, error))?;
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
            Err(at(last, LineProblem::EndsBefore { what }))
        }
    }
}
