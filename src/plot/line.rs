//! Lines with markers and bands.

use super::axis::Range;
use super::canvas::{At, Canvas, colour};
use super::frame::{Entry, Frame};
use super::{Axis, PlotError};
use plotters::prelude::DrawingBackend;

/// Several series over one axis.
///
/// ```
/// use muffliato::plot::{Axis, LineChart, Picture, PictureFormat, Series};
///
/// let chart = LineChart {
///     title: "Error of averaging".into(),
///     x: Axis::linear("step"),
///     y: Axis::log("error"),
///     series: vec![Series::new("plain", vec![(0.0, 1.0), (1.0, 0.1)])],
/// };
/// let svg = String::from_utf8(Picture::from(chart).encode(PictureFormat::Svg)?)?;
/// assert!(svg.contains("Error of averaging") && svg.contains("step"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct LineChart {
    /// What is shown.
    pub title: String,
    /// The axis to the right.
    pub x: Axis,
    /// The axis upwards.
    pub y: Axis,
    /// The series, in the order of the legend.
    pub series: Vec<Series>,
}

/// One line, and a band around it.
///
/// ```
/// use muffliato::plot::Series;
///
/// let mean = Series::new("exact", vec![(1.0, 0.9), (2.0, 0.4)]);
/// assert!(mean.band.is_empty());
/// let with_extremes = mean.with_band(vec![(1.0, 0.8, 1.0), (2.0, 0.0, 1.0)]);
/// assert!(with_extremes.points.iter().zip(&with_extremes.band).all(|(at, band)| band.1 <= at.1 && at.1 <= band.2));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    /// Its name in the legend.
    pub name: String,
    /// Its points, in the order in which they are joined.
    pub points: Vec<(f64, f64)>,
    /// At each x the smallest and the largest value; may be empty.
    pub band: Vec<(f64, f64, f64)>,
}

/// With more points than this a line has no markers.
const MOST_MARKERS: usize = 40;

impl Series {
    /// A series without a band.
    pub fn new(name: impl Into<String>, points: Vec<(f64, f64)>) -> Self {
        Self {
            name: name.into(),
            points,
            band: Vec::new(),
        }
    }

    /// The same with a band: x, smallest and largest value.
    pub fn with_band(mut self, band: Vec<(f64, f64, f64)>) -> Self {
        self.band = band;
        self
    }
}

impl LineChart {
    pub(super) fn draw<DB: DrawingBackend>(
        &self,
        canvas: &Canvas<'_, DB>,
    ) -> Result<(), PlotError> {
        let all = || self.series.iter();
        let x = all().flat_map(|series| {
            let band = series.band.iter().map(|&(x, _, _)| x);
            series.points.iter().map(|&(x, _)| x).chain(band)
        });
        let y = all().flat_map(|series| {
            let band = series.band.iter().flat_map(|&(_, low, high)| [low, high]);
            series.points.iter().map(|&(_, y)| y).chain(band)
        });
        let x = Range::of(self.x.scale, x);
        let y = Range::of(self.y.scale, y);
        let entries = self.series.iter().enumerate();
        let entries: Vec<_> = entries
            .map(|(number, series)| Entry {
                name: &series.name,
                number,
            })
            .collect();
        let sample = |(x, y): At, number| {
            canvas.line(&[(x - 14.0, y), (x + 14.0, y)], colour(number), 2.0)?;
            canvas.marker((x, y), number)
        };
        let axes = ((&self.x, x), (&self.y, y));
        let frame = Frame::draw(canvas, &self.title, axes.0, axes.1, &entries, sample)?;
        for (number, series) in self.series.iter().enumerate() {
            let upper = series
                .band
                .iter()
                .map(|&(x, _, high)| frame.at_or_edge((x, high)));
            let lower = series
                .band
                .iter()
                .rev()
                .map(|&(x, low, _)| frame.at_or_edge((x, low)));
            let outline: Vec<At> = upper.chain(lower).collect();
            if outline.len() > 2 {
                canvas.polygon(&outline, colour(number), 0.18)?;
            }
        }
        for (number, series) in self.series.iter().enumerate() {
            let places: Vec<Option<At>> = series.points.iter().map(|&at| frame.at(at)).collect();
            // A gap where a point cannot be shown.
            for run in places.split(Option::is_none) {
                let run: Vec<At> = run.iter().copied().flatten().collect();
                if run.len() > 1 {
                    canvas.line(&run, colour(number), 2.0)?;
                }
            }
            if places.len() <= MOST_MARKERS {
                for &at in places.iter().flatten() {
                    canvas.marker(at, number)?;
                }
            }
        }
        Ok(())
    }
}
