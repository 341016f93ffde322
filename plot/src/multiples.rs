//! Small multiples: many similar charts in one picture.

use super::canvas::{Anchor, Canvas};
use super::frame::{TICK, draw_title};
use super::{LineChart, PictureSize};

/// Charts with common axes and series, side by side. All charts share one legend, below the title,
/// unless there is only one series without a band.
///
/// ```
/// use muffliato_plot::{Axis, LineChart, Picture, PictureFormat, Series, SmallMultiples};
///
/// let chart = |ego: usize| LineChart {
///     title: format!("ego {ego}"),
///     x: Axis::linear("distance"),
///     y: Axis::log("loss"),
///     series: vec![Series::new("leakage", vec![(1.0, 1.0), (2.0, 0.1 / ego as f64)])],
/// };
/// let charts = (1..=10).map(chart).collect();
/// let picture = Picture::from(SmallMultiples { title: "Ten egos".into(), charts, own_x: false, own_y: false });
/// let svg = String::from_utf8(picture.encode(PictureFormat::Svg)?)?;
/// assert!(svg.contains("ego 1") && svg.contains("ego 10"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct SmallMultiples {
    /// The title.
    pub title: String,
    /// The charts, in reading order.
    pub charts: Vec<LineChart>,
    /// `true` if each chart has its own horizontal axis.
    pub own_x: bool,
    /// `true` if each chart has its own vertical axis.
    pub own_y: bool,
}

/// Height of the title.
const TOP: f64 = 36.0;

impl SmallMultiples {
    pub(super) fn draw(&self, canvas: &Canvas<'_>) {
        draw_title(canvas, &self.title);
        let Some(ranges) = LineChart::ranges(self.charts.iter()) else {
            return;
        };
        // The chart with the most series provides the legend.
        let legend = self.charts.iter().max_by_key(|chart| chart.series.len());
        let legend = legend.filter(|chart| chart.needs_legend());
        let top = TOP + if legend.is_some() { 22.0 } else { 0.0 };
        let (width, height) = (canvas.size.0 - 10.0, canvas.size.1 - top);
        let columns = columns(self.charts.len(), width / height);
        let rows = self.charts.len().div_ceil(columns);
        let part = (width / columns as f64, height / rows as f64);
        for (number, chart) in self.charts.iter().enumerate() {
            let (row, column) = (number / columns, number % columns);
            let corner = (part.0 * column as f64, top + part.1 * row as f64);
            let (mut x, mut y) = ranges.clone();
            if let Some(own) = LineChart::ranges(std::iter::once(chart)) {
                x = if self.own_x { own.0 } else { x };
                y = if self.own_y { own.1 } else { y };
            }
            chart.draw_within(&canvas.part(corner, part), (x, y), &[]);
        }
        let Some(legend) = legend else {
            return;
        };
        let names = legend.names();
        let widths: Vec<f64> =
            names.iter().map(|name| canvas.width_of(name, TICK) + 68.0).collect();
        let mut x = (canvas.size.0 - widths.iter().sum::<f64>()) / 2.0;
        for (number, (name, width)) in names.iter().zip(widths).enumerate() {
            legend.sample(canvas, (x + 20.0, TOP + 16.0), number);
            canvas.text(name, (x + 40.0, TOP + 16.0), TICK, Anchor::Left);
            x += width;
        }
    }

    /// Returns the default size: two or three charts in a row, each with room for its ticks.
    pub(super) fn usual_size(&self) -> PictureSize {
        let across = if self.charts.len() > 4 { 3 } else { 2 };
        match u32::try_from(self.charts.len().div_ceil(across)) {
            Ok(rows @ 2..=15) => {
                PictureSize { width: 800, height: 60 + (780 / across as u32) * rows }
            }
            _ => PictureSize::default(),
        }
    }

    /// Returns the points of all series of all charts.
    pub(super) fn csv(&self) -> Vec<[String; 5]> {
        let rows = self.charts.iter().flat_map(|chart| {
            chart.csv().into_iter().map(|[name, x, y, low, high]| {
                [format!("{}: {name}", chart.title), x, y, low, high]
            })
        });
        rows.collect()
    }
}

/// Returns the number of columns for charts about as wide as high.
fn columns(charts: usize, aspect: f64) -> usize {
    let best = (charts as f64 * aspect / 1.1).sqrt().round() as usize;
    best.clamp(1, charts.max(1))
}
