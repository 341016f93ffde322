//! The parts of every chart: a title, axes with ticks, and a legend.

use super::axis::Range;
use super::canvas::{Anchor, At, Canvas, GRID, INK};
use super::{Axis, PlotError};
use plotters::prelude::DrawingBackend;

const TITLE: f64 = 17.0;
const LABEL: f64 = 14.0;
const TICK: f64 = 12.5;

/// Draws the title. A long title gets smaller letters.
pub(super) fn draw_title<DB: DrawingBackend>(
    canvas: &Canvas<'_, DB>,
    title: &str,
) -> Result<(), PlotError> {
    let room = (canvas.size.0 - 40.0) / canvas.width_of(title, TITLE).max(1.0);
    let at = (canvas.size.0 / 2.0, 24.0);
    canvas.text(title, at, TITLE * room.min(1.0), Anchor::Middle)
}

/// The area of the data.
pub(super) struct Frame {
    x: Range,
    y: Range,
    left: f64,
    right: f64,
    top: f64,
    bottom: f64,
}

impl Frame {
    /// Draws the axes and a legend with these names. `sample` draws the legend entry of a series.
    pub fn draw<DB: DrawingBackend>(
        canvas: &Canvas<'_, DB>,
        title: &str,
        (x_axis, x): (&Axis, Range),
        (y_axis, y): (&Axis, Range),
        legend: &[&str],
        sample: impl Fn(At, usize) -> Result<(), PlotError>,
    ) -> Result<Self, PlotError> {
        let size = canvas.size;
        let widest = |texts: &mut dyn Iterator<Item = &str>, size| {
            texts
                .map(|text| canvas.width_of(text, size))
                .fold(0.0, f64::max)
        };
        let tick_width = widest(&mut y.ticks.iter().map(|(_, label)| label.as_str()), TICK);
        let legend_width = widest(&mut legend.iter().copied(), TICK);
        let frame = Self {
            left: 44.0 + tick_width,
            right: match legend {
                [] => size.0 - 24.0,
                _ => size.0 - legend_width - 72.0,
            },
            top: 48.0,
            bottom: size.1 - 58.0,
            x,
            y,
        };
        draw_title(canvas, title)?;
        for (number, label) in &frame.x.ticks {
            let x = frame.across(*number);
            canvas.line(&[(x, frame.top), (x, frame.bottom)], GRID, 1.0)?;
            canvas.text(label, (x, frame.bottom + 15.0), TICK, Anchor::Middle)?;
        }
        for (number, label) in &frame.y.ticks {
            let y = frame.up(*number);
            canvas.line(&[(frame.left, y), (frame.right, y)], GRID, 1.0)?;
            canvas.text(label, (frame.left - 8.0, y), TICK, Anchor::Right)?;
        }
        let corners = [
            (frame.left, frame.top),
            (frame.left, frame.bottom),
            (frame.right, frame.bottom),
        ];
        canvas.line(&corners, INK, 1.0)?;
        if let Some(share) = frame.y.broken_at() {
            let y = frame.bottom - (frame.bottom - frame.top) * share;
            for y in [y - 2.5, y + 2.5] {
                canvas.line(
                    &[(frame.left - 6.0, y + 3.0), (frame.left + 6.0, y - 3.0)],
                    INK,
                    1.0,
                )?;
            }
        }
        let middle = (
            (frame.left + frame.right) / 2.0,
            (frame.top + frame.bottom) / 2.0,
        );
        canvas.text(
            &x_axis.label,
            (middle.0, size.1 - 18.0),
            LABEL,
            Anchor::Middle,
        )?;
        let fitting = |label: &str, room: f64| {
            LABEL * (room / canvas.width_of(label, LABEL).max(1.0)).min(1.0)
        };
        let upwards = fitting(&y_axis.label, size.1 - 50.0);
        canvas.text(&y_axis.label, (18.0, middle.1), upwards, Anchor::Upwards)?;
        for (number, name) in legend.iter().enumerate() {
            let y = frame.top + 12.0 + 22.0 * number as f64;
            sample((frame.right + 32.0, y), number)?;
            canvas.text(name, (frame.right + 52.0, y), TICK, Anchor::Left)?;
        }
        Ok(frame)
    }

    fn across(&self, number: f64) -> f64 {
        self.left + (self.right - self.left) * self.x.share_or_floor(number)
    }

    fn up(&self, number: f64) -> f64 {
        self.bottom - (self.bottom - self.top) * self.y.share_or_floor(number)
    }

    /// Returns `true` if the vertical axis has a break above 0.
    pub fn is_broken(&self) -> bool {
        self.y.broken_at().is_some()
    }

    /// Returns the position of a point; `None` if an axis cannot show it.
    pub fn at(&self, (x, y): At) -> Option<At> {
        self.x.share(x)?;
        self.y.share(y)?;
        Some((self.across(x), self.up(y)))
    }

    /// Returns the position of a point, at the edge if an axis cannot show it.
    pub fn at_or_edge(&self, (x, y): At) -> At {
        (self.across(x), self.up(y))
    }
}
