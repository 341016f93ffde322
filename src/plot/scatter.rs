//! Points of several kinds.

use super::axis::Range;
use super::canvas::Canvas;
use super::frame::{Entry, Frame};
use super::{Axis, PlotError};
use plotters::prelude::DrawingBackend;

/// Points of several kinds over one axis.
///
/// ```
/// use muffliato::plot::{Axis, Picture, PictureFormat, Points, ScatterChart};
///
/// let points = |name: &str, points: &[(f64, f64)]| Points { name: name.into(), points: points.to_vec() };
/// let chart = ScatterChart {
///     title: "Loss and error".into(),
///     x: Axis::log("eps"),
///     y: Axis::log("error"),
///     kinds: vec![points("LDP", &[(1.0, 0.1)]), points("refreshed", &[(1.0, 0.01)])],
/// };
/// let svg = String::from_utf8(Picture::from(chart).encode(PictureFormat::Svg)?)?;
/// assert!(svg.contains("LDP") && svg.contains("refreshed"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct ScatterChart {
    /// What is shown.
    pub title: String,
    /// The axis to the right.
    pub x: Axis,
    /// The axis upwards.
    pub y: Axis,
    /// The kinds, in the order of the legend.
    pub kinds: Vec<Points>,
}

/// Points of one kind.
///
/// ```
/// use muffliato::plot::{Axis, Picture, PictureFormat, Points, ScatterChart};
///
/// let svg = |points: Vec<(f64, f64)>| {
///     let kinds = vec![Points { name: "losses".into(), points }];
///     let chart = ScatterChart { title: "Losses".into(), x: Axis::linear("distance"), y: Axis::log("loss"), kinds };
///     Picture::from(chart).encode(PictureFormat::Svg)
/// };
/// // 0 has its place below a break of the logarithmic axis, and what is negative has none.
/// assert_ne!(svg(vec![(1.0, 0.5), (1.0, 0.0)])?, svg(vec![(1.0, 0.5)])?);
/// assert_eq!(svg(vec![(1.0, 0.5), (1.0, -1.0)])?, svg(vec![(1.0, 0.5)])?);
/// # Ok::<(), muffliato::plot::PlotError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Points {
    /// The name in the legend.
    pub name: String,
    /// Where they lie.
    pub points: Vec<(f64, f64)>,
}

impl ScatterChart {
    /// The points of all kinds.
    pub(super) fn csv(&self) -> Vec<[String; 5]> {
        let rows = self.kinds.iter().flat_map(|kind| {
            kind.points.iter().map(|(x, y)| {
                [
                    kind.name.clone(),
                    x.to_string(),
                    y.to_string(),
                    String::new(),
                    String::new(),
                ]
            })
        });
        rows.collect()
    }

    pub(super) fn draw<DB: DrawingBackend>(
        &self,
        canvas: &Canvas<'_, DB>,
    ) -> Result<(), PlotError> {
        let all = || self.kinds.iter().flat_map(|kind| kind.points.iter());
        let x = Range::of(self.x.scale, all().map(|&(x, _)| x));
        let y = Range::of(self.y.scale, all().map(|&(_, y)| y));
        let entries: Vec<_> = self
            .kinds
            .iter()
            .enumerate()
            .map(|(number, kind)| Entry {
                name: &kind.name,
                number,
            })
            .collect();
        let axes = ((&self.x, x), (&self.y, y));
        let sample = |at, number| canvas.marker(at, number);
        let frame = Frame::draw(canvas, &self.title, axes.0, axes.1, &entries, sample)?;
        for (number, kind) in self.kinds.iter().enumerate() {
            for at in kind.points.iter().filter_map(|&at| frame.at(at)) {
                canvas.marker(at, number)?;
            }
        }
        Ok(())
    }
}
