//! Line charts with markers and bands.

use super::axis::Range;
use super::canvas::{At, Canvas};
use super::frame::Frame;
use super::{Axis, PlotError, canvas};

/// A chart of several series.
///
/// ```
/// use muffliato_plot::{Axis, LineChart, Picture, PictureFormat, Series};
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
    /// The title.
    pub title: String,
    /// The horizontal axis.
    pub x: Axis,
    /// The vertical axis.
    pub y: Axis,
    /// The series, in the order of the legend.
    pub series: Vec<Series>,
}

/// A line with a band around it, or a cloud of points.
///
/// ```
/// use muffliato_plot::Series;
///
/// let mean = Series::new("exact", vec![(1.0, 0.9), (2.0, 0.4)]);
/// assert!(mean.band.is_empty());
/// let with_extremes = mean.with_band(vec![(1.0, 0.8, 1.0), (2.0, 0.0, 1.0)]);
/// assert!(with_extremes.points.iter().zip(&with_extremes.band).all(|(at, band)| band.1 <= at.1 && at.1 <= band.2));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    /// The name in the legend.
    pub name: String,
    /// The points, in the order in which they are joined.
    pub points: Vec<(f64, f64)>,
    /// The smallest and the largest value at each x; may be empty.
    pub band: Vec<(f64, f64, f64)>,
    /// The style of the line.
    pub joined: Joined,
    /// The colour, if it is a fixed one. Other series get the colours that are left.
    pub colour: Option<Colour>,
}

/// The colour of a protocol or of the paper's formula, the same in all pictures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Colour {
    /// Noise once: blue.
    OneShot = 0,
    /// Fresh noise at each step: red.
    Refreshed = 1,
    /// Masks: green.
    Masked = 2,
    /// A noise plan: pink.
    Planned = 3,
    /// The bound of the paper: black.
    Paper = 6,
}

/// The style of the line through the points of a series.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Joined {
    /// A solid line.
    Line,
    /// A dashed line without markers, for bounds of another series.
    Dashes,
    /// No line, only markers.
    Nothing,
}

/// Largest number of points with markers on a line.
const MOST_MARKERS: usize = 40;

/// Largest number of points with markers in a cloud; more are small translucent dots.
const MOST_IN_CLOUD: usize = 200;

impl Series {
    /// Creates a series without a band.
    pub fn new(name: impl Into<String>, points: Vec<(f64, f64)>) -> Self {
        Self { name: name.into(), points, band: Vec::new(), joined: Joined::Line, colour: None }
    }

    /// Draws the series in a fixed colour.
    pub fn coloured(mut self, colour: Colour) -> Self {
        self.colour = Some(colour);
        self
    }

    /// Draws the series as a dashed line without markers, for bounds and levels.
    pub fn dashed(mut self) -> Self {
        self.joined = Joined::Dashes;
        self
    }

    /// Draws the series as points without a line.
    ///
    /// ```
    /// use muffliato_plot::{Axis, LineChart, Picture, PictureFormat, Series};
    ///
    /// let svg = |points: Vec<(f64, f64)>| {
    ///     let series = vec![Series::new("losses", points).scattered()];
    ///     let (x, y) = (Axis::linear("distance"), Axis::log("loss"));
    ///     Picture::from(LineChart { title: "Losses".into(), x, y, series }).encode(PictureFormat::Svg)
    /// };
    /// // On a logarithmic axis 0 is drawn below the break, and negative numbers are omitted.
    /// assert_ne!(svg(vec![(1.0, 0.5), (1.0, 0.0)])?, svg(vec![(1.0, 0.5)])?);
    /// assert_eq!(svg(vec![(1.0, 0.5), (1.0, -1.0)])?, svg(vec![(1.0, 0.5)])?);
    /// # Ok::<(), muffliato_plot::PlotError>(())
    /// ```
    pub fn scattered(mut self) -> Self {
        self.joined = Joined::Nothing;
        self
    }

    /// Returns the height of the last point that is not 0, where the name belongs; a cloud of points
    /// is named at the top.
    fn end(&self, frame: &Frame) -> f64 {
        let last = self.points.iter().rev().find(|point| point.1 != 0.0).or(self.points.last());
        match (self.joined, last.and_then(|&point| frame.at(point))) {
            (Joined::Nothing, _) | (_, None) => frame.top(),
            (_, Some((_, y))) => y,
        }
    }

    /// Adds a band of x, smallest and largest value.
    pub fn with_band(mut self, band: Vec<(f64, f64, f64)>) -> Self {
        self.band = band;
        self
    }
}

/// Largest number of series that can be told apart in one chart.
const MOST_SERIES: usize = 7;

impl LineChart {
    /// Returns the common ranges of both axes over some charts.
    pub(super) fn ranges<'a>(
        charts: impl Iterator<Item = &'a Self> + Clone,
    ) -> Option<(Range, Range)> {
        let first = charts.clone().next()?;
        let all = || charts.clone().flat_map(|chart| &chart.series);
        let x = all().flat_map(|series| {
            let band = series.band.iter().map(|&(x, _, _)| x);
            series.points.iter().map(|&(x, _)| x).chain(band)
        });
        let y = all().flat_map(|series| {
            let band = series.band.iter().flat_map(|&(_, low, high)| [low, high]);
            series.points.iter().map(|&(_, y)| y).chain(band)
        });
        Some((Range::of(first.x.scale, x), Range::of(first.y.scale, y)))
    }

    /// Returns an error for more series than can be told apart.
    pub(super) fn check(&self) -> Result<(), PlotError> {
        match self.series.len() {
            series if series > MOST_SERIES => {
                Err(PlotError::TooManySeries { series, limit: MOST_SERIES })
            }
            _ => Ok(()),
        }
    }

    pub(super) fn draw(&self, canvas: &Canvas<'_>) {
        if let Some(ranges) = Self::ranges(std::iter::once(self)) {
            self.draw_within(canvas, ranges, &self.names());
        }
    }

    /// Draws the chart with these axes and a legend of these names.
    pub(super) fn draw_within(&self, canvas: &Canvas<'_>, (x, y): (Range, Range), names: &[&str]) {
        let frame = Frame::draw(canvas, &self.title, (&self.x, x), (&self.y, y), names);
        let ends: Vec<f64> = self.series.iter().map(|series| series.end(&frame)).collect();
        frame.legend(canvas, names, &ends, |at, number| self.sample(canvas, at, number));
        let (bands, colours) = (self.bands(), self.colours());
        let aside = self.aside();
        for (number, series) in self.series.iter().enumerate() {
            let colour = canvas::colour(colours[number]);
            let ends = series.band.iter().map(|&(x, low, high)| {
                let (at, bottom) = frame.at_or_edge((x, low));
                (at + aside[number], bottom, frame.at_or_edge((x, high)).1)
            });
            if bands == 1 {
                let lower = ends.clone().rev().map(|(at, bottom, _)| (at, bottom));
                let outline: Vec<At> = ends.map(|(at, _, top)| (at, top)).chain(lower).collect();
                if outline.len() > 2 {
                    canvas.polygon(&outline, colour, 0.18);
                }
                continue;
            }
            // Overlapping areas would hide each other, so each point gets a stroke from its
            // smallest to its largest value.
            for (at, bottom, top) in ends {
                canvas.line(&[(at, bottom), (at, top)], colour, 1.0);
                for y in [bottom, top] {
                    canvas.line(&[(at - 2.5, y), (at + 2.5, y)], colour, 1.0);
                }
            }
        }
        for (number, series) in self.series.iter().enumerate() {
            let colour = canvas::colour(colours[number]);
            let place = |&at: &At| frame.at(at).map(|(x, y)| (x + aside[number], y));
            let places: Vec<Option<At>> = series.points.iter().map(place).collect();
            // The line has a gap where a point cannot be shown, and is thin and dashed where it
            // crosses the break of an axis.
            let shown: Vec<(At, bool)> = places
                .iter()
                .zip(&series.points)
                .map(|(place, point)| {
                    (place.unwrap_or((f64::NAN, 0.0)), point.1 == 0.0 && frame.is_broken())
                })
                .collect();
            if series.joined != Joined::Nothing {
                for pair in shown.windows(2).filter(|pair| pair[0].1 != pair[1].1) {
                    let ends = [pair[0].0, pair[1].0];
                    if ends.iter().all(|at| !at.0.is_nan()) {
                        canvas.dashes(&ends, colour, 1.0);
                    }
                }
            }
            for run in shown.chunk_by(|a, b| !a.0.0.is_nan() && !b.0.0.is_nan() && a.1 == b.1) {
                let run: Vec<At> = run.iter().map(|(at, _)| *at).collect();
                match series.joined {
                    _ if run.len() < 2 => {}
                    Joined::Line => canvas.line(&run, colour, 2.0),
                    Joined::Dashes => canvas.dashes(&run, colour, 2.0),
                    Joined::Nothing => {}
                }
            }
            let marked = match series.joined {
                Joined::Line => places.len() <= MOST_MARKERS,
                Joined::Dashes => false,
                Joined::Nothing => true,
            };
            let cloud = series.joined == Joined::Nothing && places.len() > MOST_IN_CLOUD;
            for &at in places.iter().flatten().filter(|_| marked) {
                match cloud {
                    true => canvas.mist(at, colour),
                    false => canvas.marker(at, colours[number]),
                }
            }
        }
    }

    /// Returns `true` if there is something to tell apart or to explain.
    pub(super) fn needs_legend(&self) -> bool {
        self.series.len() > 1 || self.bands() > 0
    }

    fn bands(&self) -> usize {
        self.series.iter().filter(|series| series.band.len() > 1).count()
    }

    /// Returns the number of each series' colour: fixed ones, and for the others those that are left.
    fn colours(&self) -> Vec<usize> {
        let fixed: Vec<_> =
            self.series.iter().map(|series| Some(series.colour? as usize)).collect();
        let mut left = (0..).filter(|number| !fixed.contains(&Some(*number)));
        fixed.iter().map(|fixed| fixed.or_else(|| left.next()).unwrap_or(0)).collect()
    }

    /// Returns how far each series is drawn to the side, in pixels: strokes from the smallest to the
    /// largest value stand side by side, with the points that they belong to.
    fn aside(&self) -> Vec<f64> {
        const STROKE: f64 = 6.0;
        let banded = |series: &&Series| series.band.len() > 1;
        let count = self.series.iter().filter(banded).count();
        let mut number = 0.0;
        let place = |series: &Series| {
            if count < 2 || !banded(&series) {
                return 0.0;
            }
            number += 1.0;
            STROKE * (number - (count as f64 + 1.0) / 2.0)
        };
        self.series.iter().map(place).collect()
    }

    pub(super) fn names(&self) -> Vec<&str> {
        self.series.iter().map(|series| &*series.name).collect()
    }

    /// Draws the legend entry of a series.
    pub(super) fn sample(&self, canvas: &Canvas<'_>, (x, y): At, number: usize) {
        let ends = [(x - 14.0, y), (x + 14.0, y)];
        let number_of_colour = self.colours()[number];
        let colour = canvas::colour(number_of_colour);
        let series = &self.series[number];
        if self.bands() == 1 && series.band.len() > 1 {
            let corners = [(-14.0, -8.0), (14.0, -8.0), (14.0, 8.0), (-14.0, 8.0)];
            canvas.polygon(&corners.map(|(dx, dy)| (x + dx, y + dy)), colour, 0.18);
        }
        match series.joined {
            Joined::Dashes => return canvas.dashes(&ends, colour, 2.0),
            Joined::Nothing => {}
            Joined::Line => canvas.line(&ends, colour, 2.0),
        }
        canvas.marker((x, y), number_of_colour);
    }

    /// Returns the points of all series.
    pub(super) fn csv(&self) -> Vec<[String; 5]> {
        let rows = self.series.iter().flat_map(|series| {
            series.points.iter().enumerate().map(|(place, &(x, y))| {
                let band = series.band.get(place).filter(|band| band.0 == x);
                let end =
                    |number: Option<f64>| number.map_or(String::new(), |number| number.to_string());
                let (low, high) = (end(band.map(|band| band.1)), end(band.map(|band| band.2)));
                [series.name.clone(), x.to_string(), y.to_string(), low, high]
            })
        });
        rows.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Picture, PictureFormat};

    fn chart(series: Vec<Series>) -> Picture {
        let (x, y) = (Axis::linear("step"), Axis::log("loss, a \"bound\""));
        let title = "Losses".into();
        Picture::from(LineChart { title, x, y, series })
    }

    fn text(picture: &Picture, format: PictureFormat) -> String {
        String::from_utf8(picture.encode(format).unwrap()).unwrap()
    }

    #[test]
    fn seven_series_at_most() {
        let series = |count: usize| {
            let one = |number| Series::new(format!("{number}"), vec![(0.0, 1.0), (1.0, 2.0)]);
            chart((0..count).map(one).collect())
        };
        assert!(series(7).encode(PictureFormat::Svg).is_ok());
        let limit = 7;
        assert_eq!(
            series(8).encode(PictureFormat::Svg),
            Err(PlotError::TooManySeries { series: 8, limit })
        );
    }

    #[test]
    fn one_band_is_an_area_and_several_are_strokes() {
        let series = |name: &str| {
            let band = vec![(0.0, 0.5, 2.0), (1.0, 1.0, 4.0)];
            Series::new(name, vec![(0.0, 1.0), (1.0, 2.0)]).with_band(band)
        };
        let translucent = |picture: &Picture| {
            text(picture, PictureFormat::Svg).matches("opacity=\"0.18\"").count()
        };
        assert_eq!(translucent(&chart(vec![series("a")])), 2, "the band and its legend");
        assert_eq!(translucent(&chart(vec![series("a"), series("b")])), 0);
    }

    #[test]
    fn zero_is_drawn_below_a_break_that_only_dashes_cross() {
        let lines = |points: Vec<(f64, f64)>| {
            let svg = text(&chart(vec![Series::new("a", points)]), PictureFormat::Svg);
            let drawn = |width: u32| format!("stroke=\"#0072B2\" stroke-width=\"{width}\"");
            let [thin, thick] = [1, 2].map(|width| svg.matches(&drawn(width)).count());
            (svg.contains(">\n0\n<"), thick, thin)
        };
        let joined = lines(vec![(0.0, 1.0), (1.0, 0.1), (2.0, 0.01)]);
        let broken = lines(vec![(0.0, 1.0), (1.0, 0.1), (2.0, 0.0), (3.0, 0.0)]);
        assert_eq!(broken.1, joined.1 + 1, "a line above the break and one below");
        assert!(joined.2 == 0 && broken.2 > 3, "{joined:?} {broken:?}");
        assert!(broken.0);
    }

    #[test]
    fn strokes_stand_at_the_points_that_they_belong_to() {
        let series = |name: &str| {
            let band = vec![(0.0, 0.5, 2.0), (1.0, 1.0, 4.0)];
            Series::new(name, vec![(0.0, 1.0), (1.0, 2.0)]).with_band(band)
        };
        let svg = text(&chart(vec![series("a"), series("b")]), PictureFormat::Svg);
        let centre = svg.split("<circle cx=\"").last().unwrap().split('"').next().unwrap();
        let stroke = |line: &str| {
            let ends: Vec<&str> = line.split("points=\"").nth(1)?.split(['"', ' ', ',']).collect();
            (ends.len() > 3 && ends[0] == centre && ends[2] == centre).then_some(())
        };
        assert!(svg.lines().any(|line| stroke(line).is_some()), "{centre}: {svg}");
    }

    #[test]
    fn the_numbers_are_those_that_are_drawn() {
        let band = vec![(0.0, 0.5, 2.0)];
        let picture = chart(vec![
            Series::new("a, b", vec![(0.0, 1.0)]).with_band(band),
            Series::new("c", vec![(1.0, 0.0)]).dashed(),
        ]);
        let csv = "series,x,y,smallest,largest\n\"a, b\",0,1,0.5,2\nc,1,0,,\n";
        assert_eq!(text(&picture, PictureFormat::Csv), csv);
    }
}
