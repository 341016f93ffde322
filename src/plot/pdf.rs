//! Pictures as PDF: one page whose content is the shapes themselves, letters as outlines of the font.

use ab_glyph::{Font, FontRef, OutlineCurve, Point};
use flate2::{Compression, write::ZlibEncoder};
use plotters_backend::text_anchor::HPos;
use plotters_backend::{
    BackendColor, BackendCoord, BackendStyle, BackendTextStyle, DrawingBackend, DrawingErrorKind,
    FontTransform,
};
use std::collections::BTreeSet;
use std::convert::Infallible;
use std::fmt::Write as _;
use std::io::Write as _;

/// How much finer the places are than pixels of the SVG.
pub(super) const ZOOM: f64 = 16.0;
/// Points of a page for one pixel of the SVG: 96 pixels are an inch, which is 72 points.
const POINTS: f64 = 0.75;
/// The control points of a quarter of a circle.
const QUARTER: f64 = 0.552_284_75;

/// A page of so many pixels.
pub(super) struct Page {
    size: (u32, u32),
    content: String,
    /// Opacities that occur, in percent.
    opacities: BTreeSet<u32>,
    font: Option<FontRef<'static>>,
}

type Drawn = Result<(), DrawingErrorKind<Infallible>>;

impl Page {
    /// An empty page.
    pub fn new(size: (u32, u32)) -> Self {
        let font = FontRef::try_from_slice(dejavu::sans::regular()).ok();
        Self {
            size,
            content: String::new(),
            opacities: BTreeSet::new(),
            font,
        }
    }

    /// The file.
    pub fn into_bytes(self) -> std::io::Result<Vec<u8>> {
        let scale = POINTS / ZOOM;
        let (width, height) = (
            f64::from(self.size.0) * scale,
            f64::from(self.size.1) * scale,
        );
        // y grows downwards in pictures and upwards on pages.
        let content = format!(
            "{scale:.6} 0 0 -{scale:.6} 0 {height:.3} cm\n1 J 1 j\n{}",
            self.content
        );
        let mut encoder = ZlibEncoder::new(Vec::new(), Compression::best());
        encoder.write_all(content.as_bytes())?;
        let stream = encoder.finish()?;
        let states: String = self
            .opacities
            .iter()
            .map(|percent| {
                let share = f64::from(*percent) / 100.0;
                format!("/O{percent} << /ca {share} /CA {share} >> ")
            })
            .collect();
        let objects = [
            "<< /Type /Catalog /Pages 2 0 R >>".to_owned(),
            "<< /Type /Pages /Kids [3 0 R] /Count 1 >>".to_owned(),
            format!(
                "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {width:.3} {height:.3}] /Contents 4 0 R /Resources << /ExtGState << {states}>> >> >>"
            ),
        ];
        let mut file = b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n".to_vec();
        let mut places = Vec::new();
        for (number, object) in (1..).zip(&objects) {
            places.push(file.len());
            write!(file, "{number} 0 obj\n{object}\nendobj\n")?;
        }
        places.push(file.len());
        write!(
            file,
            "4 0 obj\n<< /Length {} /Filter /FlateDecode >>\nstream\n",
            stream.len()
        )?;
        file.extend(stream);
        file.extend(b"\nendstream\nendobj\n");
        let table = file.len();
        write!(file, "xref\n0 {}\n0000000000 65535 f \n", places.len() + 1)?;
        for place in &places {
            writeln!(file, "{place:010} 00000 n ")?;
        }
        write!(
            file,
            "trailer\n<< /Size {} /Root 1 0 R >>\nstartxref\n{table}\n%%EOF\n",
            places.len() + 1
        )?;
        Ok(file)
    }

    fn command(&mut self, places: &[(f64, f64)], name: &str) {
        for (x, y) in places {
            // Writing to a string does not fail.
            let _ = write!(self.content, "{x:.1} {y:.1} ");
        }
        self.content.push_str(name);
        self.content.push('\n');
    }

    fn colour(&mut self, colour: BackendColor, fill: bool) {
        let percent = (100.0 * colour.alpha).round().clamp(0.0, 100.0) as u32;
        self.opacities.insert(percent);
        let (r, g, b) = colour.rgb;
        let [r, g, b] = [r, g, b].map(|part| f64::from(part) / 255.0);
        let name = if fill { "rg" } else { "RG" };
        let _ = writeln!(self.content, "/O{percent} gs {r:.3} {g:.3} {b:.3} {name}");
    }

    /// Goes from point to point, and ends with this command.
    fn path(&mut self, points: impl IntoIterator<Item = BackendCoord>, end: &str) {
        for (number, at) in points.into_iter().enumerate() {
            self.command(&[place(at)], if number == 0 { "m" } else { "l" });
        }
        self.command(&[], end);
    }

    fn style(&mut self, style: &impl BackendStyle, fill: bool) {
        self.colour(style.color(), fill);
        if !fill {
            let _ = writeln!(self.content, "{} w", style.stroke_width());
        }
    }
}

fn place((x, y): BackendCoord) -> (f64, f64) {
    (f64::from(x), f64::from(y))
}

impl DrawingBackend for &mut Page {
    type ErrorType = Infallible;

    fn get_size(&self) -> (u32, u32) {
        self.size
    }

    fn ensure_prepared(&mut self) -> Drawn {
        Ok(())
    }

    fn present(&mut self) -> Drawn {
        Ok(())
    }

    fn draw_pixel(&mut self, point: BackendCoord, colour: BackendColor) -> Drawn {
        self.colour(colour, true);
        let (x, y) = place(point);
        self.command(&[(x, y), (1.0, 1.0)], "re f");
        Ok(())
    }

    fn draw_line<S: BackendStyle>(
        &mut self,
        from: BackendCoord,
        to: BackendCoord,
        style: &S,
    ) -> Drawn {
        self.draw_path([from, to], style)
    }

    fn draw_rect<S: BackendStyle>(
        &mut self,
        from: BackendCoord,
        to: BackendCoord,
        style: &S,
        fill: bool,
    ) -> Drawn {
        self.style(style, fill);
        let (from, to) = (place(from), place(to));
        self.command(
            &[from, (to.0 - from.0, to.1 - from.1)],
            if fill { "re f" } else { "re S" },
        );
        Ok(())
    }

    fn draw_path<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        path: I,
        style: &S,
    ) -> Drawn {
        self.style(style, false);
        self.path(path, "S");
        Ok(())
    }

    fn draw_circle<S: BackendStyle>(
        &mut self,
        centre: BackendCoord,
        radius: u32,
        style: &S,
        fill: bool,
    ) -> Drawn {
        self.style(style, fill);
        let ((x, y), r) = (place(centre), f64::from(radius));
        let k = QUARTER * r;
        self.command(&[(x + r, y)], "m");
        for corners in [
            [(x + r, y + k), (x + k, y + r), (x, y + r)],
            [(x - k, y + r), (x - r, y + k), (x - r, y)],
            [(x - r, y - k), (x - k, y - r), (x, y - r)],
            [(x + k, y - r), (x + r, y - k), (x + r, y)],
        ] {
            self.command(&corners, "c");
        }
        self.command(&[], if fill { "f" } else { "s" });
        Ok(())
    }

    fn fill_polygon<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        corners: I,
        style: &S,
    ) -> Drawn {
        self.style(style, true);
        self.path(corners, "f");
        Ok(())
    }

    fn draw_text<S: BackendTextStyle>(&mut self, text: &str, style: &S, at: BackendCoord) -> Drawn {
        let Some(font) = self.font.clone() else {
            return Ok(());
        };
        let scale = style.size() / f64::from(font.height_unscaled());
        let advance = |glyph| scale * f64::from(font.h_advance_unscaled(glyph));
        let glyphs: Vec<_> = text.chars().map(|sign| font.glyph_id(sign)).collect();
        let width: f64 = glyphs.iter().map(|&glyph| advance(glyph)).sum();
        let mut pen = match style.anchor().h_pos {
            HPos::Left => 0.0,
            HPos::Center => -width / 2.0,
            HPos::Right => -width,
        };
        // Letters around the height of a capital's middle.
        let drop = 0.3 * style.size();
        let upwards = matches!(style.transform(), FontTransform::Rotate270);
        let (x, y) = place(at);
        self.colour(style.color(), true);
        for glyph in glyphs {
            let on_page = |point: Point| {
                let (right, down) = (
                    pen + scale * f64::from(point.x),
                    drop - scale * f64::from(point.y),
                );
                match upwards {
                    true => (x + down, y - right),
                    false => (x + right, y + down),
                }
            };
            let mut last = None;
            for curve in font
                .outline(glyph)
                .map(|outline| outline.curves)
                .unwrap_or_default()
            {
                let (start, end) = match curve {
                    OutlineCurve::Line(start, end)
                    | OutlineCurve::Quad(start, _, end)
                    | OutlineCurve::Cubic(start, _, _, end) => (start, end),
                };
                if last != Some(start) {
                    self.command(&[on_page(start)], "m");
                }
                last = Some(end);
                match curve {
                    OutlineCurve::Line(_, end) => self.command(&[on_page(end)], "l"),
                    OutlineCurve::Quad(start, bend, end) => {
                        let (start, bend, end) = (on_page(start), on_page(bend), on_page(end));
                        let towards = |from: (f64, f64)| {
                            (
                                from.0 + 2.0 / 3.0 * (bend.0 - from.0),
                                from.1 + 2.0 / 3.0 * (bend.1 - from.1),
                            )
                        };
                        self.command(&[towards(start), towards(end), end], "c");
                    }
                    OutlineCurve::Cubic(_, first, second, end) => {
                        self.command(&[on_page(first), on_page(second), on_page(end)], "c");
                    }
                }
            }
            self.command(&[], "f");
            pen += advance(glyph);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use crate::plot::{Axis, LineChart, Picture, PictureFormat, Series};
    use flate2::read::ZlibDecoder;
    use std::io::Read;

    /// The table at the end names the place of each object, and the content draws lines, letters and a band.
    #[test]
    fn a_page_is_well_formed_and_has_everything_in_it() {
        let band = vec![(1.0, 0.5, 2.0), (2.0, 0.05, 0.2)];
        let series = Series::new("ä", vec![(1.0, 1.0), (2.0, 0.1)]).with_band(band);
        let picture = Picture::from(LineChart {
            title: "Loss".into(),
            x: Axis::linear("distance"),
            y: Axis::log("loss"),
            series: vec![series],
        });
        let file = picture.encode(PictureFormat::Pdf).unwrap();
        assert_eq!(file, picture.encode(PictureFormat::Pdf).unwrap());
        assert!(file.starts_with(b"%PDF-1.4\n") && file.ends_with(b"%%EOF\n"));
        let text = String::from_utf8_lossy(&file);
        let start = text.rsplit("startxref\n").next().unwrap();
        let start: usize = start.lines().next().unwrap().parse().unwrap();
        let table = std::str::from_utf8(&file[start..]).unwrap();
        let entries: Vec<&str> = table
            .lines()
            .filter(|line| line.ends_with(" 00000 n "))
            .collect();
        assert_eq!(entries.len(), 4);
        for (number, entry) in (1..).zip(entries) {
            let place: usize = entry[..10].parse().unwrap();
            assert!(file[place..].starts_with(format!("{number} 0 obj\n").as_bytes()));
        }
        let stream = file
            .windows(7)
            .position(|bytes| bytes == b"stream\n")
            .unwrap()
            + 7;
        let mut content = String::new();
        ZlibDecoder::new(&file[stream..])
            .read_to_string(&mut content)
            .unwrap();
        assert!(content.starts_with("0.046875 0 0 -0.046875 0 360.000 cm"));
        for part in [" m\n", " l\n", " c\n", "f\n", "S\n", "/O18 gs"] {
            assert!(content.contains(part), "{part}");
        }
        assert!(text.contains("/O18 << /ca 0.18 /CA 0.18 >>"));
    }
}
