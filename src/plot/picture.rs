//! From a chart to bytes.

use super::canvas::Canvas;
use super::frame::SIZE;
use super::{GraphDrawing, Histogram, LineChart, ScatterChart};
use plotters::prelude::*;
use std::path::Path;
use std::sync::Once;

/// A chart of any kind.
///
/// ```
/// use muffliato::plot::{Axis, Picture, PictureFormat, Points, ScatterChart};
///
/// let kinds = vec![Points { name: "pairs".into(), points: vec![(1.0, 1.0), (2.0, 0.4)] }];
/// let (x, y) = (Axis::linear("distance"), Axis::linear("loss"));
/// let picture = Picture::from(ScatterChart { title: "Loss".into(), x, y, kinds });
/// let format = Picture::format_of("loss.PNG".as_ref())?;
/// assert_eq!(format, PictureFormat::Png);
/// assert!(picture.encode(format)?.starts_with(b"\x89PNG"));
/// assert_eq!(picture.encode(PictureFormat::Svg)?, picture.encode(PictureFormat::Svg)?);
/// # Ok::<(), muffliato::plot::PlotError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub enum Picture {
    /// Lines.
    Lines(LineChart),
    /// Bins.
    Histogram(Histogram),
    /// Points.
    Scatter(ScatterChart),
    /// A graph.
    Graph(Box<GraphDrawing>),
}

/// How a picture is stored.
///
/// ```
/// use muffliato::plot::{Picture, PictureFormat};
///
/// assert_eq!(Picture::format_of("loss.svg".as_ref())?, PictureFormat::Svg);
/// assert!(Picture::format_of("loss.pdf".as_ref()).is_err());
/// # Ok::<(), muffliato::plot::PlotError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PictureFormat {
    /// Scalable, as text.
    Svg,
    /// Pixels, twice as fine as those of the SVG.
    Png,
}

/// Why there is no picture.
///
/// ```
/// use muffliato::{model::families, plot::{Layout, PlotError}};
///
/// let refused = Layout::of(&families::path(3001)?);
/// assert_eq!(refused, Err(PlotError::TooManyNodes { nodes: 3001, limit: 3000 }));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PlotError {
    /// The name of the file does not say its format.
    #[error("{path}: pictures are written as .svg or .png; give a name that ends in one of them")]
    UnknownFormat {
        /// The name.
        path: String,
    },
    /// The layout visits all pairs.
    #[error(
        "{nodes} nodes without positions are more than the {limit} that can be laid out; draw a part of the graph, or give positions"
    )]
    TooManyNodes {
        /// How many there are.
        nodes: usize,
        /// How many there may be.
        limit: usize,
    },
    /// Each node has a loss.
    #[error("there are {losses} losses for {nodes} nodes; give one for each")]
    LossesOfNodes {
        /// How many losses were given.
        losses: usize,
        /// How many nodes there are.
        nodes: usize,
    },
    /// The drawing library failed.
    #[error("the picture could not be drawn: {reason}")]
    Drawing {
        /// What it said.
        reason: String,
    },
}

impl PlotError {
    pub(super) fn drawing(error: impl std::fmt::Display) -> Self {
        let reason = error.to_string();
        Self::Drawing { reason }
    }
}

impl From<LineChart> for Picture {
    fn from(chart: LineChart) -> Self {
        Self::Lines(chart)
    }
}

impl From<Histogram> for Picture {
    fn from(chart: Histogram) -> Self {
        Self::Histogram(chart)
    }
}

impl From<ScatterChart> for Picture {
    fn from(chart: ScatterChart) -> Self {
        Self::Scatter(chart)
    }
}

impl From<GraphDrawing> for Picture {
    fn from(drawing: GraphDrawing) -> Self {
        Self::Graph(Box::new(drawing))
    }
}

const PNG_ZOOM: f64 = 2.0;

impl Picture {
    /// The format that the name of a file asks for, by `.svg` or `.png`.
    pub fn format_of(path: &Path) -> Result<PictureFormat, PlotError> {
        let extension = path.extension().unwrap_or_default().to_ascii_lowercase();
        match extension.to_str() {
            Some("svg") => Ok(PictureFormat::Svg),
            Some("png") => Ok(PictureFormat::Png),
            _ => Err(PlotError::UnknownFormat {
                path: path.display().to_string(),
            }),
        }
    }

    /// The picture as the bytes of a file. The same chart gives the same bytes.
    pub fn encode(&self, format: PictureFormat) -> Result<Vec<u8>, PlotError> {
        embed_font();
        match format {
            PictureFormat::Svg => {
                let mut text = String::new();
                let size = (SIZE.0 as u32, SIZE.1 as u32);
                self.draw(SVGBackend::with_string(&mut text, size), 1.0)?;
                Ok(text.into_bytes())
            }
            PictureFormat::Png => {
                let size = ((SIZE.0 * PNG_ZOOM) as u32, (SIZE.1 * PNG_ZOOM) as u32);
                let mut pixels = vec![0; 3 * size.0 as usize * size.1 as usize];
                self.draw(BitMapBackend::with_buffer(&mut pixels, size), PNG_ZOOM)?;
                encode_png(&pixels, size)
            }
        }
    }

    fn draw<DB: DrawingBackend>(&self, backend: DB, zoom: f64) -> Result<(), PlotError> {
        let area = backend.into_drawing_area();
        let canvas = Canvas::new(&area, zoom);
        match self {
            Self::Lines(chart) => chart.draw(&canvas)?,
            Self::Histogram(chart) => chart.draw(&canvas)?,
            Self::Scatter(chart) => chart.draw(&canvas)?,
            Self::Graph(drawing) => drawing.draw(&canvas)?,
        }
        area.present().map_err(PlotError::drawing)
    }
}

/// Makes DejaVu Sans the font of all pictures, so that nothing need be installed.
fn embed_font() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        // Only bytes that are no font are refused, and these are one.
        let _ = plotters::style::register_font(
            "sans-serif",
            FontStyle::Normal,
            dejavu::sans::regular(),
        );
    });
}

fn encode_png(pixels: &[u8], (width, height): (u32, u32)) -> Result<Vec<u8>, PlotError> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, width, height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    let mut writer = encoder.write_header().map_err(PlotError::drawing)?;
    writer
        .write_image_data(pixels)
        .map_err(PlotError::drawing)?;
    writer.finish().map_err(PlotError::drawing)?;
    Ok(bytes)
}
