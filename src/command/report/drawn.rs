//! The drawing of the graph in the page, whose nodes can be focused and clicked.

use super::escape::html;
use muffliato::plot::{Layout, PlotError, disc_radius};
use muffliato::prelude::Graph;
use std::fmt::Write;

/// Size of the drawing, in its own pixels.
const SIZE: (f64, f64) = (900.0, 600.0);
/// Room for discs, and for names beside them.
const MARGIN: (f64, f64) = (40.0, 28.0);

/// Largest graph that is drawn, even if nodes have positions.
const MOST_NODES: usize = 3000;

/// Smallest disc radius for which names are drawn.
const NAMED_FROM: f64 = 9.0;

/// Longest name that is drawn on its node; longer ones are drawn beside it.
const SHORT: usize = 3;

/// Length to which longer names are cut.
const LONG: usize = 20;

/// Draws the graph; `None` if it is too large.
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
    let mut labels = Labels { discs: &places, radius, placed: Vec::new() };
    for (node, &(x, y)) in places.iter().enumerate() {
        let (left, top, side) = (x - radius, y - radius, 2.0 * radius);
        let label = html(&graph.label(node));
        let _ = write!(
            svg,
            "<g class=\"node\" id=\"node-{node}\" role=\"button\" tabindex=\"-1\" aria-label=\"{label}\"><title>{label}</title>\
             <rect x=\"{left:.1}\" y=\"{top:.1}\" width=\"{side:.1}\" height=\"{side:.1}\" rx=\"{radius:.1}\"/>"
        );
        if radius >= NAMED_FROM {
            let name = graph.label(node);
            if name.chars().count() <= SHORT {
                let name = html(&name);
                let _ = write!(svg, "<text x=\"{x:.1}\" y=\"{y:.1}\">{name}</text>");
            } else {
                labels.add((x, y), name.chars().take(LONG).collect());
            }
        }
        svg.push_str("</g>\n");
    }
    // Drawn last, so that no disc covers a name.
    svg.push_str("<g id=\"labels\">\n");
    for ((x, y), name) in labels.placed {
        let name = html(&name);
        let _ = writeln!(svg, "<text x=\"{x:.1}\" y=\"{y:.1}\">{name}</text>");
    }
    svg.push_str("</g>\n</svg>");
    Ok(Some(svg))
}

/// Names beside discs: below, above, right or left, where they cover the fewest discs and other
/// names.
struct Labels<'a> {
    discs: &'a [(f64, f64)],
    radius: f64,
    placed: Vec<((f64, f64), String)>,
}

/// Half the width of a letter, and half the height of a name.
const HALF: (f64, f64) = (3.0, 6.0);

impl Labels<'_> {
    fn add(&mut self, (x, y): (f64, f64), name: String) {
        let half = Self::half_width(&name);
        let (aside, away) = (self.radius + 4.0 + half, self.radius + 8.0);
        let candidates = [(x, y + away), (x, y - away), (x + aside, y), (x - aside, y)];
        let inside = |at: &(f64, f64)| at.0 - half > 0.0 && at.0 + half < SIZE.0;
        let covered = |at: (f64, f64)| {
            let discs = self.discs.iter().filter(|disc| {
                (disc.0 - at.0).abs() < half + self.radius
                    && (disc.1 - at.1).abs() < HALF.1 + self.radius
            });
            let names = self.placed.iter().filter(|(other, name)| {
                (other.0 - at.0).abs() < half + Self::half_width(name)
                    && (other.1 - at.1).abs() < 2.0 * HALF.1
            });
            discs.count() + names.count()
        };
        let free = candidates.into_iter().filter(inside);
        let best = free.min_by_key(|&at| covered(at));
        self.placed.push((best.unwrap_or(candidates[0]), name));
    }

    fn half_width(name: &str) -> f64 {
        HALF.0 * name.chars().count() as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_avoid_discs_and_come_after_them() {
        // A disc below the first: its name goes elsewhere.
        let discs = [(100.0, 100.0), (100.0, 120.0)];
        let mut labels = Labels { discs: &discs, radius: 10.0, placed: Vec::new() };
        labels.add(discs[0], "Acciaiuoli".into());
        let (x, y) = labels.placed[0].0;
        assert!((x, y) == (100.0, 82.0), "{x} {y}");
        let graph = muffliato::model::families::florentine().unwrap();
        let svg = drawing(&graph).unwrap().unwrap();
        assert!(svg.find("Medici</text>") > svg.rfind("<rect"));
    }
}
