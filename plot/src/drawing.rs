//! A graph whose nodes are coloured by their loss.

use super::canvas::{Anchor, Canvas, EDGE, GRID, INK, OBSERVER};
use super::frame::draw_title;
use super::{Layout, LossClass, PlotError};
use muffliato_model::Graph;
use plotters::prelude::{RGBColor, WHITE};

/// A graph with the loss of each node in units of L, and its observers.
///
/// ```
/// use muffliato_model::families;
/// use muffliato_plot::{GraphDrawing, Picture, PictureFormat};
///
/// let towards = |losses| GraphDrawing::try_new("Towards node 0", families::path(3).unwrap(), losses);
/// let drawing = towards(vec![None, Some(1.0), Some(0.1)])?;
/// let svg = Picture::from(drawing).encode(PictureFormat::Svg)?;
/// assert!(String::from_utf8(svg)?.contains("observer"));
/// assert!(towards(vec![None, Some(1.0)]).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct GraphDrawing {
    pub(super) title: String,
    graph: Graph,
    layout: Layout,
    losses: Vec<Option<f64>>,
    heading: String,
    marked: String,
}

/// Largest number of edges that are drawn in full colour, and at all.
const FAINT_EDGES: usize = 400;
const DRAWN_EDGES: usize = 6000;

/// Radius below which discs have no rim.
const SMALL: f64 = 5.0;

/// Least radius of an observer.
const OBSERVER_RADIUS: f64 = 7.0;

/// Largest graph in which nodes are named.
const NAMED: usize = 60;

/// Size of names, and the radius up to which discs grow for them.
const NAME: f64 = 15.2;
const LARGE: f64 = 19.0;

/// Corner of the graph; the legend is on its right.
const CORNER: (f64, f64) = (30.0, 62.0);
const AROUND: (f64, f64) = (230.0, 90.0);

/// Returns the radius of discs that leave room between each other in a picture of this area.
///
/// ```
/// use muffliato_plot::disc_radius;
///
/// let (few, many) = (disc_radius(100, 250_000.0), disc_radius(400, 250_000.0));
/// assert!((few - 9.0).abs() < 1e-12 && (many - 4.5).abs() < 1e-12); // four times the discs, half the size
/// assert_eq!(disc_radius(1_000_000, 250_000.0), 2.0);
/// ```
pub fn disc_radius(nodes: usize, area: f64) -> f64 {
    (0.18 * (area / nodes as f64).sqrt()).clamp(2.0, 13.0)
}

impl GraphDrawing {
    /// Creates a drawing of `graph` with a loss for each node; `None` for observers.
    ///
    /// # Errors
    ///
    /// Fails if the number of losses is not the number of nodes, or if there are too many nodes for
    /// a [`Layout`].
    pub fn try_new(
        title: impl Into<String>,
        graph: Graph,
        losses: Vec<Option<f64>>,
    ) -> Result<Self, PlotError> {
        if losses.len() != graph.nodes() {
            return Err(PlotError::LossesOfNodes { losses: losses.len(), nodes: graph.nodes() });
        }
        Ok(Self {
            title: title.into(),
            layout: Layout::of(&graph)?,
            graph,
            losses,
            heading: "loss in units of L".into(),
            marked: "observer".into(),
        })
    }

    /// Sets the legend entry of the nodes without a loss, which is "observer" by default.
    pub fn marked_as(mut self, name: impl Into<String>) -> Self {
        self.marked = name.into();
        self
    }

    /// Sets the heading of the legend, for losses in other units than L.
    pub fn headed(mut self, heading: impl Into<String>) -> Self {
        self.heading = heading.into();
        self
    }

    /// Returns the nodes with their losses and positions.
    pub(super) fn csv(&self) -> Vec<[String; 5]> {
        let row = |(node, loss): (usize, &Option<f64>)| {
            let loss = loss.map_or(String::new(), |loss| loss.to_string());
            let [x, y] = self.layout.places()[node].map(|side| side.to_string());
            [self.graph.label(node), node.to_string(), loss, x, y]
        };
        self.losses.iter().enumerate().map(row).collect()
    }

    pub(super) fn draw(&self, canvas: &Canvas<'_>) {
        draw_title(canvas, &self.title);
        let room = (canvas.size.0 - AROUND.0, canvas.size.1 - AROUND.1);
        let named = self.graph.nodes() <= NAMED;
        let names = (0..self.graph.nodes()).filter(|_| named).map(|node| self.graph.label(node));
        let widest = names.map(|name| canvas.width_of(&name, NAME)).fold(0.0, f64::max);
        let radius = disc_radius(self.graph.nodes(), room.0 * room.1);
        // Discs grow for names that nearly fit.
        let radius = radius.max((widest / 2.0 + 2.0).min(LARGE));
        let places = self.layout.fit_discs(CORNER, room, radius);
        let edges = self.graph.edge_count();
        if edges <= DRAWN_EDGES {
            let colour = if edges <= FAINT_EDGES { EDGE } else { GRID };
            for (u, v) in self.graph.edges() {
                canvas.line(&[places[u], places[v]], colour, 1.0);
            }
        }
        // What loses most is drawn on top, and the observers above all.
        let mut order: Vec<usize> = (0..self.losses.len()).collect();
        order.sort_by(|&a, &b| match (self.losses[a], self.losses[b]) {
            (Some(a), Some(b)) => a.total_cmp(&b),
            (a, b) => a.is_none().cmp(&b.is_none()),
        });
        let mut names = Vec::new();
        for node in order {
            let at = places[node];
            let dark_letters = match self.losses[node] {
                Some(loss) => {
                    let class = &LossClass::ALL[LossClass::number_of(loss)];
                    if radius < SMALL {
                        canvas.dot(at, radius, rgb(class));
                    } else {
                        canvas.disc(at, radius, rgb(class));
                    }
                    class.dark_letters
                }
                None => {
                    let radius = radius.max(OBSERVER_RADIUS);
                    canvas.square(at, radius + 2.0, WHITE);
                    canvas.square(at, radius, OBSERVER);
                    false
                }
            };
            if named {
                let name = self.graph.label(node);
                let (place, colour) = if canvas.width_of(&name, NAME) >= 2.0 * radius {
                    ((at.0, at.1 + radius + 8.0), INK)
                } else if dark_letters {
                    (at, INK)
                } else {
                    (at, WHITE)
                };
                names.push((name, place, colour));
            }
        }
        // No disc covers a name.
        for (name, place, colour) in names {
            canvas.coloured_text(&name, place, NAME, Anchor::Middle, colour);
        }
        let x = canvas.size.0 - 170.0;
        canvas.text(&self.heading, (x - 9.0, 80.0), 16.5, Anchor::Left);
        for (row, class) in LossClass::ALL.iter().rev().enumerate() {
            let y = 106.0 + 24.0 * row as f64;
            canvas.disc((x, y), 9.0, rgb(class));
            canvas.text(class.label, (x + 20.0, y), 16.5, Anchor::Left);
        }
        let y = 106.0 + 24.0 * (LossClass::ALL.len() as f64 + 0.3);
        canvas.square((x, y), 9.0, OBSERVER);
        canvas.text(&self.marked, (x + 20.0, y), 16.5, Anchor::Left);
    }
}

fn rgb(class: &LossClass) -> RGBColor {
    let (r, g, b) = class.colour;
    RGBColor(r, g, b)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Picture, PictureFormat};
    use muffliato_model::GraphSpec;

    #[test]
    fn every_node_has_its_colour_and_observers_are_squares() {
        let path = Graph::try_new(3, [(0, 1), (1, 2)]).unwrap();
        let drawing = |losses| GraphDrawing::try_new("three & more", path.clone(), losses);
        let losses = vec![Some(0.2), None, Some(1.0)];
        let svg = Picture::from(drawing(losses).unwrap()).encode(PictureFormat::Svg);
        let svg = String::from_utf8(svg.unwrap()).unwrap();
        let count = |part: &str| svg.matches(part).count();
        let discs = 2 + LossClass::ALL.len();
        assert_eq!(count("<circle"), 2 * discs, "each with a rim: {svg}");
        assert_eq!(count("<polygon"), 3, "the observer with its rim, and its legend");
        for (class, times) in [(4, 2), (6, 2), (3, 1)] {
            let (r, g, b) = LossClass::ALL[class].colour;
            let fill = format!("fill=\"#{r:02X}{g:02X}{b:02X}\"");
            assert_eq!(count(&fill), times, "class {class}: {svg}");
        }
        assert!(svg.contains("three &amp; more"));
        assert!(drawing(vec![None]).is_err());
        assert!(svg.contains("observer") && svg.contains("units of L"));
        // Many edges would be a grey slab, and many rims a black one.
        let cube: Graph = "hypercube:11".parse::<GraphSpec>().unwrap().build().unwrap();
        let losses = (0..2048).map(|node| (node > 0).then_some(0.2)).collect();
        let svg = Picture::from(GraphDrawing::try_new("many", cube, losses).unwrap());
        let svg = String::from_utf8(svg.encode(PictureFormat::Svg).unwrap()).unwrap();
        assert_eq!(svg.matches("<circle").count(), 2047 + 2 * LossClass::ALL.len());
        assert!(!svg.contains("<line") && !svg.contains("<polyline"));
        let losses = vec![None, Some(0.2), Some(1.0)];
        let other = drawing(losses).unwrap().marked_as("source").headed("loss");
        let svg = Picture::from(other).encode(PictureFormat::Svg).unwrap();
        let svg = String::from_utf8(svg).unwrap();
        assert!(svg.contains("source") && !svg.contains("observer") && !svg.contains("units of L"));
    }
}
