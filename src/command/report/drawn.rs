//! The graph as part of the page: nodes that can be focused and clicked on.

use super::escape::html;
use muffliato::plot::{Layout, PlotError, disc_radius};
use muffliato::prelude::Graph;
use std::fmt::Write;

/// The size of the drawing, in its own pixels.
const SIZE: (f64, f64) = (900.0, 600.0);
/// Room for discs and for names below and beside them.
const MARGIN: (f64, f64) = (40.0, 28.0);

/// More nodes than this are not drawn, even where they have positions.
const MOST_NODES: usize = 3000;

/// Names are written on nodes that are as large as this.
const NAMED_FROM: f64 = 9.0;

/// Names of up to so many letters are written on the node, longer ones below it.
const SHORT: usize = 3;

/// The rest of a longer name is left out of the drawing.
const LONG: usize = 20;

/// The drawing; `None` for a graph that is too large for one.
pub fn drawing(graph: &Graph) -> Result<Option<String>, PlotError> {
    let layout = match Layout::of(graph) {
        _ if graph.nodes() > MOST_NODES => return Ok(None),
        Err(PlotError::TooManyNodes { .. }) => return Ok(None),
        layout => layout?,
    };
    let room = (SIZE.0 - 2.0 * MARGIN.0, SIZE.1 - 2.0 * MARGIN.1);
    let places = layout.fit(MARGIN, room);
    let radius = disc_radius(graph.nodes(), room.0 * room.1);
    let mut svg = format!(
        "<svg id=\"graph\" viewBox=\"0 0 {} {}\" role=\"group\" aria-label=\"The graph. Arrow keys go from node to node, \
         Enter makes one the observer.\">\n<path class=\"edges\" d=\"",
        SIZE.0, SIZE.1
    );
    for (u, v) in graph.edges() {
        let ((x, y), (to_x, to_y)) = (places[u], places[v]);
        let _ = write!(svg, "M{x:.1} {y:.1}L{to_x:.1} {to_y:.1}");
    }
    svg.push_str("\"/>\n");
    for (node, (x, y)) in places.into_iter().enumerate() {
        let (left, top, side) = (x - radius, y - radius, 2.0 * radius);
        let label = html(&graph.label(node));
        let _ = write!(
            svg,
            "<g class=\"node\" id=\"node-{node}\" role=\"button\" tabindex=\"-1\" aria-label=\"{label}\"><title>{label}</title>\
             <rect x=\"{left:.1}\" y=\"{top:.1}\" width=\"{side:.1}\" height=\"{side:.1}\" rx=\"{radius:.1}\"/>"
        );
        if radius >= NAMED_FROM {
            let name = graph.label(node);
            let (place, y) = match name.chars().count() <= SHORT {
                true => ("", y),
                false => (" class=\"below\"", y + radius + 8.0),
            };
            let name: String = name.chars().take(LONG).collect();
            let name = html(&name);
            let _ = write!(svg, "<text{place} x=\"{x:.1}\" y=\"{y:.1}\">{name}</text>");
        }
        svg.push_str("</g>\n");
    }
    svg.push_str("</svg>");
    Ok(Some(svg))
}
