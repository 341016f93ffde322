//! Charts as SVG and PNG, and their numbers as CSV. Nothing need be installed: the font of PNG is
//! embedded.
//!
//! | chart | for |
//! | --- | --- |
//! | [`LineChart`] | up to seven series with markers, optional bands between a smallest and a largest value; or clouds of points |
//! | [`SmallMultiples`] | many line charts with the same axes |
//! | [`BarChart`] | a few named values side by side |
//! | [`Histogram`] | how often values fall into bins |
//! | [`GraphDrawing`] | a graph whose nodes are coloured by their loss |
//!
//! Axes are linear or logarithmic. On a logarithmic axis 0 is drawn below a break, and negative
//! numbers are omitted. The colours are those of Okabe and Ito, which people with any colour vision
//! can tell apart; series also differ in their markers.
//!
//! ```
//! use muffliato_plot::{Axis, LineChart, Picture, PictureFormat, Series};
//!
//! let chart = LineChart {
//!     title: "Loss by distance".into(),
//!     x: Axis::linear("distance"),
//!     y: Axis::log("loss, in units of L"),
//!     series: vec![Series::new("exact", vec![(1.0, 1.0), (2.0, 0.43), (3.0, 0.25)])],
//! };
//! let svg = Picture::from(chart).encode(PictureFormat::Svg)?;
//! assert!(svg.starts_with(b"<svg"));
//! # Ok::<(), muffliato_plot::PlotError>(())
//! ```

mod axis;
mod bars;
mod canvas;
mod drawing;
mod frame;
mod histogram;
mod layout;
mod line;
mod loss_class;
mod multiples;
mod picture;

pub use axis::{Axis, Scale};
pub use bars::BarChart;
pub use drawing::{GraphDrawing, disc_radius};
pub use histogram::Histogram;
pub use layout::Layout;
pub use line::{Colour, Joined, LineChart, Series};
pub use loss_class::LossClass;
pub use multiples::SmallMultiples;
pub use picture::{Picture, PictureFormat, PictureSize, PlotError};
