//! The drawing of the graph in the page, whose nodes can be focused and clicked.

use super::escape::html;
use muffliato::model::NoisePlan;
use muffliato::plot::{Layout, PlotError, disc_radius};
use muffliato::prelude::{Fraction, Graph};
use std::fmt::Write;

/// Sizes of the drawing, in its own pixels: on a screen, and upright on a phone.
const SIZES: [(f64, f64); 2] = [(900.0, 600.0), (340.0, 520.0)];
/// Room for discs, and for names beside them.
const MARGINS: [(f64, f64); 2] = [(40.0, 28.0), (24.0, 24.0)];

/// Largest graph that is drawn, even if nodes have positions.
const MOST_NODES: usize = 3000;

/// Largest number of edges that are drawn in full colour, and at all.
const FAINT_EDGES: usize = 400;
const DRAWN_EDGES: usize = 6000;

/// Smallest disc radius for which names are drawn.
const NAMED_FROM: f64 = 9.0;

/// Longest name that is drawn on its node; longer ones are drawn beside it.
const SHORT: usize = 3;

/// Length to which longer names are cut.
const LONG: usize = 20;

/// Draws the graph and the noise of a plan on it; `None` if it is too large. What differs on a phone is
/// in attributes `data-narrow`.
pub fn drawing(graph: &Graph, plan: Option<&NoisePlan>) -> Result<Option<String>, PlotError> {
    let layout = match Layout::of(graph) {
        _ if graph.nodes() > MOST_NODES => return Ok(None),
        Err(PlotError::TooManyNodes { .. }) => return Ok(None),
        layout => layout?,
    };
    let views = [0, 1].map(|k| View::new(&layout, graph, k));
    let both = |of: &dyn Fn(&View) -> String| (of(&views[0]), of(&views[1]));
    let line = |view: &View, u: usize, v: usize| {
        let ((x, y), (to_x, to_y)) = (view.places[u], view.places[v]);
        format!("M{x:.1} {y:.1}L{to_x:.1} {to_y:.1}")
    };
    let ((w, narrow_w), (r, narrow_r)) = (
        both(&|view| format!("0 0 {} {}", view.size.0, view.size.1)),
        both(&|view| format!("{:.1}", view.radius)),
    );
    // Many edges would be a slab, and many rims another one.
    let class = if graph.edge_count() > FAINT_EDGES { " class=\"many\"" } else { "" };
    let drawn = if graph.edge_count() > DRAWN_EDGES { 0 } else { graph.edge_count() };
    let (edges, narrow_edges) =
        both(&|view| graph.edges().take(drawn).map(|(u, v)| line(view, u, v)).collect());
    let mut svg = format!(
        "<svg id=\"graph\"{class} viewBox=\"{w}\" data-narrow=\"{narrow_w}\" data-radius=\"{r}\" data-narrow-radius=\"{narrow_r}\" role=\"group\" \
         aria-label=\"The graph. Arrow keys go from node to node, Enter makes one the observer.\">\n\
         <path class=\"edges\" d=\"{edges}\" data-narrow=\"{narrow_edges}\"/>\n",
    );
    if let Some(plan) = plan {
        let masks = range(plan.masks.iter().map(|mask| mask.1));
        svg.push_str("<g id=\"masks\">\n");
        for &((u, v), variance) in &plan.masks {
            let width = width(variance.to_f64().sqrt(), masks);
            let (wide, narrow) = both(&|view| line(view, u, v));
            let _ = writeln!(
                svg,
                "<path d=\"{wide}\" data-narrow=\"{narrow}\" stroke-width=\"{width:.2}\"/>"
            );
        }
        svg.push_str("</g>\n");
    }
    let name = |node: usize| graph.label(node);
    let is_short = |node: usize| name(node).chars().count() <= SHORT;
    for node in 0..graph.nodes() {
        let (at, narrow) = both(&|view| translate(view.places[node]));
        let label = html(&name(node));
        let _ = write!(
            svg,
            "<g class=\"node\" id=\"node-{node}\" transform=\"{at}\" data-narrow=\"{narrow}\" role=\"button\" tabindex=\"-1\" aria-label=\"{label}\">\
             <title>{label}</title><rect x=\"-{r}\" y=\"-{r}\" width=\"{0:.1}\" height=\"{0:.1}\" rx=\"{r}\"/>",
            2.0 * views[0].radius
        );
        if views[0].radius >= NAMED_FROM && is_short(node) {
            let _ = write!(svg, "<text>{label}</text>");
        }
        svg.push_str("</g>\n");
    }
    // Drawn last, so that no disc covers a name.
    svg.push_str("<g id=\"labels\">\n");
    if views[0].radius >= NAMED_FROM {
        let long: Vec<usize> = (0..graph.nodes()).filter(|&node| !is_short(node)).collect();
        let names = || long.iter().map(|&node| name(node).chars().take(LONG).collect());
        let [wide, narrow] = [0, 1].map(|k| {
            let View { places, radius, size } = &views[k];
            let mut labels =
                Labels { discs: places, radius: *radius, width: size.0, placed: Vec::new() };
            long.iter().zip(names()).for_each(|(&node, name)| labels.add(places[node], name));
            labels.placed
        });
        for ((at, name), (narrow, _)) in wide.into_iter().zip(narrow) {
            let (at, narrow, name) = (translate(at), translate(narrow), html(&name));
            let _ =
                writeln!(svg, "<text transform=\"{at}\" data-narrow=\"{narrow}\">{name}</text>");
        }
    }
    svg.push_str("</g>\n</svg>");
    Ok(Some(svg))
}

fn translate((x, y): (f64, f64)) -> String {
    format!("translate({x:.1} {y:.1})")
}

/// Returns the smallest and the largest deviation of some draws.
pub fn range(variances: impl Iterator<Item = Fraction>) -> (f64, f64) {
    let deviations = variances.map(|variance| variance.to_f64().sqrt());
    deviations.fold((f64::INFINITY, 0.0), |(least, most), x| (least.min(x), most.max(x)))
}

/// Returns the width of the line of a mask, by the logarithm of its size, since sizes differ by orders
/// of magnitude.
fn width(mask: f64, (least, most): (f64, f64)) -> f64 {
    let share = (mask / least).ln() / (most / least).ln();
    if share.is_finite() { 1.0 + 6.0 * share } else { 4.0 }
}

/// The places of the nodes in a drawing of one size.
struct View {
    places: Vec<(f64, f64)>,
    radius: f64,
    size: (f64, f64),
}

impl View {
    fn new(layout: &Layout, graph: &Graph, number: usize) -> Self {
        let (size, margin) = (SIZES[number], MARGINS[number]);
        let room = (size.0 - 2.0 * margin.0, size.1 - 2.0 * margin.1);
        let radius = disc_radius(graph.nodes(), room.0 * room.1);
        let layout = if size.0 < size.1 { layout.turned() } else { layout.clone() };
        Self { places: layout.fit_discs(margin, room, radius), radius, size }
    }
}

/// Names beside discs: below, above, right or left, where they cover the fewest discs and other
/// names.
struct Labels<'a> {
    discs: &'a [(f64, f64)],
    radius: f64,
    width: f64,
    placed: Vec<((f64, f64), String)>,
}

/// Half the width of a letter, and half the height of a name.
const HALF: (f64, f64) = (3.3, 6.5);

impl Labels<'_> {
    fn add(&mut self, (x, y): (f64, f64), name: String) {
        let half = Self::half_width(&name);
        let (aside, away) = (self.radius + 4.0 + half, self.radius + 8.0);
        let candidates = [(x, y + away), (x, y - away), (x + aside, y), (x - aside, y)];
        let inside = |at: &(f64, f64)| at.0 - half > 0.0 && at.0 + half < self.width;
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
    fn larger_masks_are_wider() {
        let widths = [0.01, 1.0, 4000.0].map(|mask| width(mask, (0.01, 4000.0)));
        assert!(widths[0] >= 1.0 && widths[0] < widths[1] && widths[1] < widths[2], "{widths:?}");
        assert_eq!(width(3.0, (3.0, 3.0)), 4.0);
    }

    #[test]
    fn names_avoid_discs_and_come_after_them() {
        // A disc below the first: its name goes elsewhere.
        let discs = [(100.0, 100.0), (100.0, 120.0)];
        let mut labels = Labels { discs: &discs, radius: 10.0, width: 900.0, placed: Vec::new() };
        labels.add(discs[0], "Acciaiuoli".into());
        let (x, y) = labels.placed[0].0;
        assert!((x, y) == (100.0, 82.0), "{x} {y}");
        let graph = muffliato::model::families::florentine().unwrap();
        let svg = drawing(&graph, None).unwrap().unwrap();
        assert!(svg.find("Medici</text>") > svg.rfind("<rect"));
    }
}
