//! Pajek: numbered vertices with labels, and sections of edges.
//!
//! ```text
//! *Vertices 3
//! 1 "ann" 0.1 0.2
//! 2 "bob"
//! *Edges
//! 1 2 0.5
//! ```

use crate::graph_builder::{GraphBuilder, Outcome, declared_nodes, most_nodes};
use crate::table::{Delimiter, split};
use crate::{Format, ReadError};

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
pub(crate) fn read(text: &str, mut builder: GraphBuilder) -> Result<Outcome, ReadError> {
    let mut section = Section::Before;
    let mut vertices = None;
    let mut last = 1;
    for (line_text, line) in text.lines().zip(1..) {
        last = line;
        let line_text = line_text.trim_ascii();
        if line_text.is_empty() || line_text.starts_with('%') {
            continue;
        }
        let syntax = |expected| ReadError::found(line, line_text, expected);
        let quotes = |_| syntax("quote whole labels");
        let fields = split(line_text, Delimiter::Blanks).map_err(quotes)?;
        if let Some(name) = line_text.strip_prefix('*') {
            let word = name.split_ascii_whitespace().next().unwrap_or_default();
            section = match word.to_ascii_lowercase().as_str() {
                "network" => Section::Before,
                "vertices" if vertices.is_some() => {
                    return Err(ReadError::not_simple(line, "several networks"));
                }
                "vertices" => {
                    let count = match &fields[..] {
                        [_, count] => count.text.parse::<u64>().ok(),
                        [_, _, _] => {
                            let what = "networks of two kinds of vertices";
                            return Err(ReadError::not_simple(line, what));
                        }
                        _ => None,
                    };
                    let declared =
                        count.ok_or_else(|| syntax("write how many vertices there are"))?;
                    // Labels take more than numbers: fewer may be declared and not used.
                    let limit = most_nodes(text.len()).min(text.len().max(100_000));
                    let count = declared_nodes(line, declared, limit)?;
                    for vertex in 1..=count {
                        builder.declare(&vertex.to_string(), line)?;
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
            let vertex = fields.get(place).and_then(|field| field.text.parse::<usize>().ok());
            let inside = vertex.filter(|&vertex| vertex > 0 && Some(vertex) <= vertices);
            inside.ok_or_else(|| syntax("vertices are numbered from 1 to what *Vertices says"))
        };
        match section {
            Section::Before => return Err(syntax("begin with *Vertices and their number")),
            Section::Arcs => {
                let what = format!("line {line}, after *Arcs,");
                return Err(ReadError::directed(&what));
            }
            Section::Vertices => {
                let vertex = inside(0)?;
                if let Some(label) = fields.get(1) {
                    builder.name(vertex as u32 - 1, label.text.to_string());
                }
            }
            Section::Edges => {
                let ends = [inside(0)?.to_string(), inside(1)?.to_string()];
                let weight = fields.get(2).map(|field| &*field.text);
                builder.edge([&ends[0], &ends[1]], line, weight)?;
            }
            Section::EdgesList => {
                let first = inside(0)?.to_string();
                for place in 1..fields.len() {
                    builder.edge([&first, &inside(place)?.to_string()], line, None)?;
                }
            }
        }
    }
    match vertices {
        Some(_) => builder.declared(Format::Pajek),
        None => {
            let problem = "the file ends before *Vertices";
            Err(ReadError::line(last, problem, "give the whole file"))
        }
    }
}
