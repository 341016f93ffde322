//! Pictures and their encoding.

use super::canvas::Canvas;
use super::{BarChart, GraphDrawing, Histogram, LineChart, SmallMultiples};
use plotters::prelude::*;
use std::cell::RefCell;
use std::path::Path;
use std::str::FromStr;
use std::sync::Once;

/// A chart of any kind.
///
/// ```
/// use muffliato_plot::{Axis, LineChart, Picture, PictureFormat, Series};
///
/// let series = vec![Series::new("pairs", vec![(1.0, 1.0), (2.0, 0.4)])];
/// let (x, y) = (Axis::linear("distance"), Axis::linear("loss"));
/// let picture = Picture::from(LineChart { title: "Loss".into(), x, y, series });
/// let format = Picture::format_of("loss.PNG".as_ref())?;
/// assert_eq!(format, PictureFormat::Png);
/// assert!(picture.encode(format)?.starts_with(b"\x89PNG"));
/// assert_eq!(picture.encode(PictureFormat::Svg)?, picture.encode(PictureFormat::Svg)?);
/// # Ok::<(), muffliato_plot::PlotError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub enum Picture {
    /// A line chart.
    Lines(LineChart),
    /// Small multiples.
    Multiples(SmallMultiples),
    /// A bar chart.
    Bars(BarChart),
    /// A histogram.
    Histogram(Histogram),
    /// A graph.
    Graph(Box<GraphDrawing>),
}

/// A file format of pictures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PictureFormat {
    /// Scalable vector graphics.
    Svg,
    /// Pixels, at twice the resolution of the SVG.
    Png,
    /// The plotted numbers, without a picture.
    Csv,
}

/// The width and height of a picture in SVG pixels, such as `800x480`.
///
/// ```
/// use muffliato_plot::PictureSize;
///
/// assert!("1200x480".parse::<PictureSize>().is_ok());
/// assert!("80x48".parse::<PictureSize>().is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PictureSize {
    pub(super) width: u32,
    pub(super) height: u32,
}

impl Default for PictureSize {
    /// Returns 800 by 480.
    fn default() -> Self {
        let (width, height) = (800, 480);
        Self { width, height }
    }
}

impl FromStr for PictureSize {
    type Err = PlotError;

    fn from_str(text: &str) -> Result<Self, PlotError> {
        let sides = text.split_once('x').and_then(|(width, height)| {
            let side = |text: &str| text.parse().ok().filter(|side| (200..=4000).contains(side));
            Some((side(width)?, side(height)?))
        });
        match sides {
            Some((width, height)) => Ok(Self { width, height }),
            None => Err(PlotError::Size { text: text.into() }),
        }
    }
}

/// An error of plotting.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the messages say what the fields are")]
pub enum PlotError {
    /// The file name has no known extension.
    #[error(
        "{path}: pictures are written as .svg or .png, and their numbers as .csv; give a name that ends in one of them"
    )]
    UnknownFormat { path: String },
    /// The graph is too large for a layout.
    #[error(
        "{nodes} nodes without positions are more than the {limit} that can be laid out; draw a part of the graph, or give positions"
    )]
    TooManyNodes { nodes: usize, limit: usize },
    /// The number of losses is not the number of nodes.
    #[error("there are {losses} losses for {nodes} nodes; give one for each")]
    LossesOfNodes { losses: usize, nodes: usize },
    /// The text is not a size within the limits.
    #[error(
        "{text:?} is no size of a picture; write WIDTHxHEIGHT with numbers from 200 to 4000, such as 800x480"
    )]
    Size { text: String },
    /// There are too many series to tell apart.
    #[error(
        "{series} series are more than the {limit} that can be told apart in one chart; draw small multiples"
    )]
    TooManySeries { series: usize, limit: usize },
    /// The drawing library failed.
    #[error("the picture could not be drawn: {reason}")]
    Drawing { reason: String },
}

impl PlotError {
    pub(super) fn drawing(error: impl std::fmt::Display) -> Self {
        let reason = error.to_string();
        Self::Drawing { reason }
    }
}

/// Implements the conversion of each chart type into a picture.
macro_rules! pictures {
    ($($kind:ident($chart:ty)),*) => {
        $(impl From<$chart> for Picture {
            fn from(chart: $chart) -> Self {
                Self::$kind(chart.into())
            }
        })*
    };
}

pictures!(
    Lines(LineChart),
    Multiples(SmallMultiples),
    Bars(BarChart),
    Histogram(Histogram),
    Graph(GraphDrawing)
);

const PNG_ZOOM: f64 = 2.0;

impl Picture {
    /// Sets the title.
    pub fn titled(mut self, title: impl Into<String>) -> Self {
        let place = match &mut self {
            Self::Lines(chart) => &mut chart.title,
            Self::Multiples(charts) => &mut charts.title,
            Self::Bars(chart) => &mut chart.title,
            Self::Histogram(chart) => &mut chart.title,
            Self::Graph(drawing) => &mut drawing.title,
        };
        *place = title.into();
        self
    }

    /// Returns the title.
    pub fn title(&self) -> &str {
        match self {
            Self::Lines(chart) => &chart.title,
            Self::Multiples(charts) => &charts.title,
            Self::Bars(chart) => &chart.title,
            Self::Histogram(chart) => &chart.title,
            Self::Graph(drawing) => &drawing.title,
        }
    }

    /// Returns the format for a file name that ends in `.svg`, `.png` or `.csv`.
    ///
    /// # Errors
    ///
    /// Fails for any other name.
    pub fn format_of(path: &Path) -> Result<PictureFormat, PlotError> {
        let extension = path.extension().unwrap_or_default().to_ascii_lowercase();
        match extension.to_str() {
            Some("svg") => Ok(PictureFormat::Svg),
            Some("png") => Ok(PictureFormat::Png),
            Some("csv") => Ok(PictureFormat::Csv),
            _ => Err(PlotError::UnknownFormat { path: path.display().to_string() }),
        }
    }

    /// Encodes the picture in its default size. The same chart gives the same bytes.
    ///
    /// # Errors
    ///
    /// Fails if the chart cannot be drawn.
    pub fn encode(&self, format: PictureFormat) -> Result<Vec<u8>, PlotError> {
        self.encode_sized(format, self.usual_size())
    }

    /// Returns 800 by 480, or more for many charts.
    fn usual_size(&self) -> PictureSize {
        match self {
            Self::Multiples(charts) => charts.usual_size(),
            _ => PictureSize::default(),
        }
    }

    /// Encodes the picture in a given size.
    ///
    /// # Errors
    ///
    /// Fails if the chart cannot be drawn.
    pub fn encode_sized(
        &self,
        format: PictureFormat,
        size: PictureSize,
    ) -> Result<Vec<u8>, PlotError> {
        embed_font();
        let side = |side: u32, zoom: f64| (f64::from(side) * zoom) as u32;
        let pixels = |zoom| (side(size.width, zoom), side(size.height, zoom));
        match format {
            PictureFormat::Svg => {
                let mut text = String::new();
                self.draw(SVGBackend::with_string(&mut text, pixels(1.0)), 1.0, size)?;
                Ok(text.into_bytes())
            }
            PictureFormat::Png => {
                let extent = pixels(PNG_ZOOM);
                let mut bytes = vec![0; 3 * extent.0 as usize * extent.1 as usize];
                self.draw(BitMapBackend::with_buffer(&mut bytes, extent), PNG_ZOOM, size)?;
                encode_png(&bytes, extent)
            }
            PictureFormat::Csv => Ok(self.csv().into_bytes()),
        }
    }

    fn draw<DB: DrawingBackend>(
        &self,
        backend: DB,
        zoom: f64,
        size: PictureSize,
    ) -> Result<(), PlotError> {
        let shapes = RefCell::default();
        let canvas = Canvas::new(&shapes, zoom, (size.width.into(), size.height.into()));
        match self {
            Self::Lines(chart) => {
                chart.check()?;
                chart.draw(&canvas);
            }
            Self::Multiples(charts) => {
                charts.charts.iter().try_for_each(LineChart::check)?;
                charts.draw(&canvas);
            }
            Self::Bars(chart) => chart.draw(&canvas),
            Self::Histogram(chart) => chart.draw(&canvas),
            Self::Graph(drawing) => drawing.draw(&canvas),
        }
        let area = backend.into_drawing_area();
        area.fill(&WHITE).map_err(PlotError::drawing)?;
        shapes.take().iter().try_for_each(|shape| shape.draw(&area))?;
        area.present().map_err(PlotError::drawing)
    }

    /// Returns the plotted numbers, one point a line.
    fn csv(&self) -> String {
        let points = ["series", "x", "y", "smallest", "largest"];
        let (head, rows) = match self {
            Self::Lines(chart) => (points, chart.csv()),
            Self::Multiples(charts) => (points, charts.csv()),
            Self::Bars(chart) => (points, chart.csv()),
            Self::Histogram(chart) => (["bin", "from", "to", "count", "label"], chart.csv()),
            Self::Graph(drawing) => (["label", "node", "loss", "x", "y"], drawing.csv()),
        };
        let mut text = head.join(",") + "\n";
        for row in rows {
            let fields = row.map(|field| {
                if field.contains([',', '"', '\n']) {
                    format!("\"{}\"", field.replace('"', "\"\""))
                } else {
                    field
                }
            });
            text += &(fields.join(",") + "\n");
        }
        text
    }
}

/// Registers DejaVu Sans as the font of all pictures, so that none need be installed.
fn embed_font() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        // Registration fails only for invalid fonts, and this one is valid.
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
    writer.write_image_data(pixels).map_err(PlotError::drawing)?;
    writer.finish().map_err(PlotError::drawing)?;
    Ok(bytes)
}
