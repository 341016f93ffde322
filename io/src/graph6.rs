//! Files of graph6 and sparse6; the formats are those of [`muffliato_model::graph6`].

use muffliato_model::graph6::{self, GRAPH6_HEADER, Graph6Error, SPARSE6_HEADER};

use crate::graph_builder::{GraphBuilder, Outcome};
use crate::{Format, Place, ReadError};

/// Reads a graph6 or a sparse6 file; see [`Format::Graph6`] and [`Format::Sparse6`].
pub(crate) fn read(
    bytes: &[u8],
    format: Format,
    mut builder: GraphBuilder,
) -> Result<Outcome, ReadError> {
    let header = match format {
        Format::Graph6 => GRAPH6_HEADER,
        _ => SPARSE6_HEADER,
    };
    let body = bytes.strip_prefix(header.as_bytes()).unwrap_or(bytes);
    let mut lines = body
        .split(|&byte| byte == b'\n')
        .map(|text| text.strip_suffix(b"\r").unwrap_or(text))
        .zip(1..)
        .filter(|(text, _)| !text.is_empty());
    let (text, line) = lines.next().ok_or_else(ReadError::no_nodes)?;
    let in_line = |mut error: Graph6Error| {
        if let (1, Graph6Error::IllegalByte { column, .. }) = (line, &mut error) {
            *column += bytes.len() - body.len();
        }
        ReadError::from(error).at(Place::Line(line))
    };
    let several = lines.next().map(|(_, line)| {
        let problem = format!("the file has {} graphs, the second in this line", 2 + lines.count());
        ReadError::line(line, problem, "put each in a file of its own")
    });
    // A wrong byte means that this is no graph, which is said before how many there are.
    let refused = |error| match (&error, several.clone()) {
        (Graph6Error::IllegalByte { .. }, _) | (_, None) => in_line(error),
        (_, Some(several)) => several,
    };
    let place = Place::Line(line);
    let nodes = match format {
        Format::Graph6 => {
            let graph = graph6::graph6_line(text).map_err(refused)?;
            for (u, v) in graph.edges() {
                builder.add((u as u32, v as u32), place, None)?;
            }
            graph.nodes()
        }
        _ => {
            let (nodes, edges) = graph6::sparse6_line(text).map_err(refused)?;
            for (u, v) in edges {
                builder.add((u as u32, v as u32), place, None)?;
            }
            nodes
        }
    };
    match several {
        Some(several) => Err(several),
        None => builder.counted(format, nodes, None),
    }
}
