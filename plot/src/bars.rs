//! Bar charts.

use super::axis::Range;
use super::canvas::{Anchor, Canvas, colour};
use super::frame::{Frame, LABEL};
use super::{Axis, Scale};

/// Horizontal bars from 0, one below the other, each with its name and its value, rounded up to two
/// decimals.
///
/// ```
/// use muffliato_plot::{Axis, BarChart, Picture, PictureFormat};
///
/// let chart = BarChart {
///     title: "Error".into(),
///     x: Axis::linear("times the least"),
///     bars: vec![("ours".into(), 1.0), ("theirs".into(), 34.2)],
/// };
/// let csv = Picture::from(chart).encode(PictureFormat::Csv)?;
/// assert!(csv.ends_with(b"theirs,34.2,,,\n"));
/// # Ok::<(), muffliato_plot::PlotError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct BarChart {
    /// The title.
    pub title: String,
    /// The axis of the values.
    pub x: Axis,
    /// Names and values, from top to bottom.
    pub bars: Vec<(String, f64)>,
}

impl BarChart {
    /// Returns the bars as CSV fields.
    pub(super) fn csv(&self) -> Vec<[String; 5]> {
        let empty = String::new;
        let row = |(name, value): &(String, f64)| {
            [name.clone(), value.to_string(), empty(), empty(), empty()]
        };
        self.bars.iter().map(row).collect()
    }

    pub(super) fn draw(&self, canvas: &Canvas<'_>) {
        let values = self.bars.iter().map(|(_, value)| *value);
        let x = Range::of(Scale::Linear, values.chain([0.0]));
        let count = self.bars.len() as f64;
        let names = self.bars.iter().enumerate();
        let ticks = names.map(|(at, (name, _))| (count - 0.5 - at as f64, name.clone())).collect();
        let y = Range::with_ticks(0.0, count, ticks);
        let no_label = Axis::linear("");
        let frame = Frame::draw(canvas, &self.title, (&self.x, x), (&no_label, y), &[]);
        for (at, (_, value)) in self.bars.iter().enumerate() {
            let (top, bottom) = (count - at as f64 - 0.2, count - at as f64 - 0.8);
            let (left, floor) = frame.at_or_edge((0.0, bottom));
            let (right, top) = frame.at_or_edge((*value, top));
            let corners = [(left, floor), (left, top), (right, top), (right, floor)];
            canvas.polygon(&corners, colour(0), 0.85);
            let text = two_decimals(*value);
            let inside = right + canvas.width_of(&text, LABEL) + 14.0 > canvas.size.0;
            let (x, anchor) =
                if inside { (right - 6.0, Anchor::Right) } else { (right + 6.0, Anchor::Left) };
            canvas.text(&text, (x, (top + floor) / 2.0), LABEL, anchor);
        }
    }
}

/// Formats a number with two decimals, rounded up.
fn two_decimals(value: f64) -> String {
    let nearest = format!("{value:.2}");
    match nearest.parse::<f64>() {
        Ok(number) if number < value => format!("{:.2}", number + 0.01),
        _ => nearest,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_rounded_up() {
        let shown = [1.0, 34.2, 3.261, 3.269, 0.999].map(two_decimals);
        assert_eq!(shown, ["1.00", "34.20", "3.27", "3.27", "1.00"]);
    }
}
