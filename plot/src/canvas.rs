//! Shapes and text in pixels, on either backend.

use super::PlotError;
use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

/// The colours of Okabe and Ito, without yellow, which is too pale for lines.
const COLOURS: [RGBColor; 7] = [
    RGBColor(0x00, 0x72, 0xB2),
    RGBColor(0xD5, 0x5E, 0x00),
    RGBColor(0x00, 0x9E, 0x73),
    RGBColor(0xCC, 0x79, 0xA7),
    RGBColor(0xE6, 0x9F, 0x00),
    RGBColor(0x56, 0xB4, 0xE9),
    RGBColor(0x00, 0x00, 0x00),
];

/// Text and axes.
pub(super) const INK: RGBColor = RGBColor(0x26, 0x26, 0x26);
/// Lines behind the data.
pub(super) const GRID: RGBColor = RGBColor(0xE2, 0xE2, 0xE2);

/// Edges of a graph.
pub(super) const EDGE: RGBColor = RGBColor(0xB4, 0xB4, 0xB4);
/// Nodes that observe.
pub(super) const OBSERVER: RGBColor = RGBColor(0x00, 0x5A, 0x9C);

/// Returns the colour of a series.
pub(super) fn colour(number: usize) -> RGBColor {
    COLOURS[number % COLOURS.len()]
}

/// A point in SVG pixels.
pub(super) type At = (f64, f64);

/// The anchor of a text.
#[derive(Clone, Copy)]
pub(super) enum Anchor {
    Left,
    Middle,
    Right,
    /// Rotated to read upwards, anchored at its middle.
    Upwards,
}

/// A part of a drawing area. PNG has `zoom` times the resolution of SVG.
pub(super) struct Canvas<'a, DB: DrawingBackend> {
    area: &'a DrawingArea<DB, Shift>,
    zoom: f64,
    corner: At,
    /// Width and height in SVG pixels.
    pub size: At,
}

impl<'a, DB: DrawingBackend> Canvas<'a, DB> {
    pub fn new(area: &'a DrawingArea<DB, Shift>, zoom: f64, size: At) -> Self {
        let corner = (0.0, 0.0);
        Self { area, zoom, corner, size }
    }

    /// Returns the part with this corner and size.
    pub fn part(&self, (x, y): At, size: At) -> Self {
        let corner = (self.corner.0 + x, self.corner.1 + y);
        Self { area: self.area, zoom: self.zoom, corner, size }
    }

    fn pixel(&self, (x, y): At) -> (i32, i32) {
        (
            ((self.corner.0 + x) * self.zoom).round() as i32,
            ((self.corner.1 + y) * self.zoom).round() as i32,
        )
    }

    fn draw<E>(&self, element: &E) -> Result<(), PlotError>
    where
        for<'b> &'b E: plotters::element::PointCollection<'b, (i32, i32)>,
        E: plotters::element::Drawable<DB>,
    {
        self.area.draw(element).map_err(PlotError::drawing)
    }

    pub fn clear(&self) -> Result<(), PlotError> {
        self.area.fill(&WHITE).map_err(PlotError::drawing)
    }

    pub fn line(&self, points: &[At], colour: RGBColor, width: f64) -> Result<(), PlotError> {
        let points: Vec<_> = points.iter().map(|&at| self.pixel(at)).collect();
        let style = colour.stroke_width((width * self.zoom).round().max(1.0) as u32);
        self.draw(&PathElement::new(points, style))
    }

    /// Draws a dashed line.
    pub fn dashes(&self, points: &[At], colour: RGBColor, width: f64) -> Result<(), PlotError> {
        const DASH: f64 = 6.0;
        let mut left = DASH;
        let mut drawn = true;
        for pair in points.windows(2) {
            let (mut from, to) = (pair[0], pair[1]);
            loop {
                let (dx, dy) = (to.0 - from.0, to.1 - from.1);
                let length = dx.hypot(dy);
                if length.is_nan() || length <= left {
                    if drawn {
                        self.line(&[from, to], colour, width)?;
                    }
                    left -= length.max(0.0);
                    break;
                }
                let next = (from.0 + dx * left / length, from.1 + dy * left / length);
                if drawn {
                    self.line(&[from, next], colour, width)?;
                }
                (from, left, drawn) = (next, DASH, !drawn);
            }
        }
        Ok(())
    }

    /// Draws a filled polygon.
    pub fn polygon(&self, points: &[At], colour: RGBColor, opacity: f64) -> Result<(), PlotError> {
        let points: Vec<_> = points.iter().map(|&at| self.pixel(at)).collect();
        self.draw(&Polygon::new(points, colour.mix(opacity).filled()))
    }

    /// Draws a disc without a rim.
    pub fn dot(&self, at: At, radius: f64, colour: RGBColor) -> Result<(), PlotError> {
        let radius = (radius * self.zoom).round() as i32;
        self.draw(&Circle::new(self.pixel(at), radius, colour.filled()))
    }

    /// Draws a disc with a dark rim.
    pub fn disc(&self, at: At, radius: f64, colour: RGBColor) -> Result<(), PlotError> {
        self.dot(at, radius, colour)?;
        let radius = (radius * self.zoom).round() as i32;
        let rim = INK.stroke_width(self.zoom.round() as u32);
        self.draw(&Circle::new(self.pixel(at), radius, rim))
    }

    /// Draws a square as wide as a disc.
    pub fn square(&self, (x, y): At, radius: f64, colour: RGBColor) -> Result<(), PlotError> {
        let corners = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)]
            .map(|(dx, dy): At| (x + radius * dx, y + radius * dy));
        self.polygon(&corners, colour, 1.0)
    }

    /// Draws a marker whose shape depends on the number of its colour.
    pub fn marker(&self, (x, y): At, number: usize) -> Result<(), PlotError> {
        let (colour, r) = (colour(number), 3.6);
        let shape: &[At] = match number % 4 {
            0 => {
                let style = colour.filled();
                let radius = (r * self.zoom).round() as i32;
                return self.draw(&Circle::new(self.pixel((x, y)), radius, style));
            }
            1 => &[(-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)],
            2 => &[(0.0, -1.2), (1.1, 0.8), (-1.1, 0.8)],
            _ => &[(0.0, -1.3), (1.1, 0.0), (0.0, 1.3), (-1.1, 0.0)],
        };
        let corners: Vec<At> = shape.iter().map(|(dx, dy)| (x + r * dx, y + r * dy)).collect();
        self.polygon(&corners, colour, 1.0)
    }

    /// Draws a small translucent dot, one of many.
    pub fn mist(&self, at: At, colour: RGBColor) -> Result<(), PlotError> {
        let radius = (1.5 * self.zoom).round() as i32;
        self.draw(&Circle::new(self.pixel(at), radius, colour.mix(0.3).filled()))
    }

    fn font(&self, size: f64) -> FontDesc<'static> {
        ("sans-serif", size * self.zoom).into_font()
    }

    /// Draws a text in ink.
    pub fn text(&self, text: &str, at: At, size: f64, anchor: Anchor) -> Result<(), PlotError> {
        self.coloured_text(text, at, size, anchor, INK)
    }

    /// Draws a text of this height in pixels; [`Anchor::Upwards`] turns it by a quarter.
    pub fn coloured_text(
        &self,
        text: &str,
        at: At,
        size: f64,
        anchor: Anchor,
        colour: RGBColor,
    ) -> Result<(), PlotError> {
        let font = match anchor {
            Anchor::Upwards => self.font(size).transform(FontTransform::Rotate270),
            _ => self.font(size),
        };
        let horizontal = match anchor {
            Anchor::Left => HPos::Left,
            Anchor::Middle | Anchor::Upwards => HPos::Center,
            Anchor::Right => HPos::Right,
        };
        let style = font.color(&colour).pos(Pos::new(horizontal, VPos::Center));
        // In a bitmap the box that is centred reaches below the letters.
        let lower = match anchor {
            Anchor::Upwards => 0.0,
            _ if self.zoom > 1.0 => 0.12 * size,
            _ => 0.0,
        };
        self.draw(&Text::new(text.to_string(), self.pixel((at.0, at.1 + lower)), style))
    }

    /// Returns the width of a text.
    pub fn width_of(&self, text: &str, size: f64) -> f64 {
        let found = self.area.estimate_text_size(text, &self.font(size).color(&INK));
        found.map_or(0.6 * size * text.chars().count() as f64, |(width, _)| {
            f64::from(width) / self.zoom
        })
    }
}
