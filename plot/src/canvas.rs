//! Shapes and text in pixels, on either backend.

use super::PlotError;
use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use std::cell::RefCell;

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

type Pixel = (i32, i32);

/// A shape of a picture, in pixels of its backend.
pub(super) enum Shape {
    Line(PathElement<Pixel>),
    Area(Polygon<Pixel>),
    Disc(Circle<Pixel, i32>),
    Text(Box<Text<'static, Pixel, String>>),
}

impl Shape {
    pub fn draw<DB: DrawingBackend>(&self, area: &DrawingArea<DB, Shift>) -> Result<(), PlotError> {
        let drawn = match self {
            Self::Line(line) => area.draw(line),
            Self::Area(polygon) => area.draw(polygon),
            Self::Disc(circle) => area.draw(circle),
            Self::Text(text) => area.draw(text.as_ref()),
        };
        drawn.map_err(PlotError::drawing)
    }
}

/// A part of a picture, which collects its shapes. PNG has `zoom` times the resolution of SVG.
pub(super) struct Canvas<'a> {
    shapes: &'a RefCell<Vec<Shape>>,
    zoom: f64,
    corner: At,
    /// Width and height in SVG pixels.
    pub size: At,
}

impl<'a> Canvas<'a> {
    pub fn new(shapes: &'a RefCell<Vec<Shape>>, zoom: f64, size: At) -> Self {
        let corner = (0.0, 0.0);
        Self { shapes, zoom, corner, size }
    }

    /// Returns the part with this corner and size.
    pub fn part(&self, (x, y): At, size: At) -> Self {
        let corner = (self.corner.0 + x, self.corner.1 + y);
        Self { corner, size, ..*self }
    }

    fn pixel(&self, (x, y): At) -> Pixel {
        (
            ((self.corner.0 + x) * self.zoom).round() as i32,
            ((self.corner.1 + y) * self.zoom).round() as i32,
        )
    }

    fn add(&self, shape: Shape) {
        self.shapes.borrow_mut().push(shape);
    }

    pub fn line(&self, points: &[At], colour: RGBColor, width: f64) {
        let points: Vec<_> = points.iter().map(|&at| self.pixel(at)).collect();
        let style = colour.stroke_width((width * self.zoom).round().max(1.0) as u32);
        self.add(Shape::Line(PathElement::new(points, style)));
    }

    /// Draws a dashed line.
    pub fn dashes(&self, points: &[At], colour: RGBColor, width: f64) {
        const DASH: f64 = 6.0;
        let mut left = DASH;
        let mut drawn = true;
        for pair in points.windows(2) {
            let (mut from, to) = (pair[0], pair[1]);
            loop {
                let (dx, dy) = (to.0 - from.0, to.1 - from.1);
                let length = dx.hypot(dy);
                let ends = length.is_nan() || length <= left;
                let next = if ends {
                    to
                } else {
                    (from.0 + dx * left / length, from.1 + dy * left / length)
                };
                if drawn {
                    self.line(&[from, next], colour, width);
                }
                if ends {
                    left -= length.max(0.0);
                    break;
                }
                (from, left, drawn) = (next, DASH, !drawn);
            }
        }
    }

    /// Draws a filled polygon.
    pub fn polygon(&self, points: &[At], colour: RGBColor, opacity: f64) {
        let points: Vec<_> = points.iter().map(|&at| self.pixel(at)).collect();
        self.add(Shape::Area(Polygon::new(points, colour.mix(opacity).filled())));
    }

    fn circle(&self, at: At, radius: f64, style: ShapeStyle) {
        let radius = (radius * self.zoom).round() as i32;
        self.add(Shape::Disc(Circle::new(self.pixel(at), radius, style)));
    }

    /// Draws a disc without a rim.
    pub fn dot(&self, at: At, radius: f64, colour: RGBColor) {
        self.circle(at, radius, colour.filled());
    }

    /// Draws a disc with a dark rim.
    pub fn disc(&self, at: At, radius: f64, colour: RGBColor) {
        self.dot(at, radius, colour);
        self.circle(at, radius, INK.stroke_width(self.zoom.round() as u32));
    }

    /// Draws a small translucent dot, one of many.
    pub fn mist(&self, at: At, colour: RGBColor) {
        self.circle(at, 1.5, colour.mix(0.3).filled());
    }

    /// Draws the polygon with these corners around a point, in multiples of a radius.
    fn around(&self, (x, y): At, corners: &[At], radius: f64, colour: RGBColor) {
        let at = |(dx, dy): &At| (x + radius * dx, y + radius * dy);
        self.polygon(&corners.iter().map(at).collect::<Vec<_>>(), colour, 1.0);
    }

    /// Draws a square as wide as a disc.
    pub fn square(&self, at: At, radius: f64, colour: RGBColor) {
        self.around(at, &[(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)], radius, colour);
    }

    /// Draws a marker whose shape depends on the number of its colour.
    pub fn marker(&self, at: At, number: usize) {
        let (colour, radius) = (colour(number), 3.6);
        let shape: &[At] = match number % 4 {
            0 => return self.dot(at, radius, colour),
            1 => &[(-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)],
            2 => &[(0.0, -1.2), (1.1, 0.8), (-1.1, 0.8)],
            _ => &[(0.0, -1.3), (1.1, 0.0), (0.0, 1.3), (-1.1, 0.0)],
        };
        self.around(at, shape, radius, colour);
    }

    fn font(&self, size: f64) -> FontDesc<'static> {
        ("sans-serif", size * self.zoom).into_font()
    }

    /// Draws a text in ink.
    pub fn text(&self, text: &str, at: At, size: f64, anchor: Anchor) {
        self.coloured_text(text, at, size, anchor, INK);
    }

    /// Draws a text of this height in pixels; [`Anchor::Upwards`] turns it by a quarter.
    pub fn coloured_text(&self, text: &str, at: At, size: f64, anchor: Anchor, colour: RGBColor) {
        let (font, horizontal) = match anchor {
            Anchor::Left => (self.font(size), HPos::Left),
            Anchor::Middle => (self.font(size), HPos::Center),
            Anchor::Right => (self.font(size), HPos::Right),
            Anchor::Upwards => (self.font(size).transform(FontTransform::Rotate270), HPos::Center),
        };
        let style = font.color(&colour).pos(Pos::new(horizontal, VPos::Center));
        // In a bitmap the box that is centred reaches below the letters.
        let lower = match anchor {
            Anchor::Upwards => 0.0,
            _ if self.zoom > 1.0 => 0.12 * size,
            _ => 0.0,
        };
        let at = self.pixel((at.0, at.1 + lower));
        self.add(Shape::Text(Box::new(Text::new(text.to_string(), at, style))));
    }

    /// Returns the width of a text.
    pub fn width_of(&self, text: &str, size: f64) -> f64 {
        match self.font(size).box_size(text) {
            Ok((width, _)) => f64::from(width) / self.zoom,
            Err(_) => 0.6 * size * text.chars().count() as f64,
        }
    }
}
