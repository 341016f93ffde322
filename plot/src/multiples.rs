//! Small multiples: many similar charts in one picture.

use super::canvas::{Anchor, Canvas};
use super::frame::draw_title;
use super::{LineChart, PictureSize, PlotError};
use plotters::prelude::DrawingBackend;

/// Charts with common axes and series, side by side. If there are several series, all charts share
/// one legend.
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
/// let picture = Picture::from(SmallMultiples { title: "Ten egos".into(), charts, own_x: false });
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
    /// `true` if each chart has its own horizontal axis. The vertical axis is always common.
    pub own_x: bool,
}

/// Height of the title.
const TOP: f64 = 36.0;
const LEGEND: f64 = 16.5;

impl SmallMultiples {
    pub(super) fn draw<DB: DrawingBackend>(
        &self,
        canvas: &Canvas<'_, DB>,
    ) -> Result<(), PlotError> {
        draw_title(canvas, &self.title)?;
        let Some(ranges) = LineChart::ranges(self.charts.iter()) else {
            return Ok(());
        };
        // The chart with the most series provides the legend.
        let legend = self.charts.iter().max_by_key(|chart| chart.series.len());
        let names = legend.map(LineChart::names).unwrap_or_default();
        let widths = names.iter().map(|name| canvas.width_of(name, LEGEND));
        let beside = match names.len() {
            // A single series is explained by the title.
            0 | 1 => 10.0,
            _ => widths.fold(0.0, f64::max) + 60.0,
        };
        let (width, height) = (canvas.size.0 - beside, canvas.size.1 - TOP);
        let columns = columns(self.charts.len(), width / height);
        let rows = self.charts.len().div_ceil(columns);
        let part = (width / columns as f64, height / rows as f64);
        for (number, chart) in self.charts.iter().enumerate() {
            let (row, column) = (number / columns, number % columns);
            let corner = (part.0 * column as f64, TOP + part.1 * row as f64);
            let own = LineChart::ranges(std::iter::once(chart)).filter(|_| self.own_x);
            let x = own.map_or_else(|| ranges.0.clone(), |(x, _)| x);
            chart.draw_within(&canvas.part(corner, part), (x, ranges.1.clone()), false)?;
        }
        for (number, name) in names.iter().enumerate().filter(|_| names.len() > 1) {
            let y = TOP + 40.0 + 22.0 * number as f64;
            if let Some(chart) = legend {
                chart.sample(canvas, (width + 20.0, y), number)?;
            }
            canvas.text(name, (width + 40.0, y), LEGEND, Anchor::Left)?;
        }
        Ok(())
    }

    /// Returns the default size, with room for three charts in a row if there are more than four.
    pub(super) fn usual_size(&self) -> PictureSize {
        match u32::try_from(self.charts.len().div_ceil(3)) {
            Ok(rows @ 2..=15) if self.charts.len() > 4 => {
                PictureSize { width: 1000, height: 60 + 210 * rows }
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

/// Returns the number of columns for charts about a third wider than high.
fn columns(charts: usize, aspect: f64) -> usize {
    let best = (charts as f64 * aspect / 1.35).sqrt().round() as usize;
    best.clamp(1, charts.max(1))
}
