//! The parts of every chart: a title, axes with ticks, and a legend.

use super::Axis;
use super::axis::Range;
use super::canvas::{Anchor, At, Canvas, GRID, INK};

// SVG text comes out at 0.8 of these sizes: a tick has 13 pixels.
const TITLE: f64 = 20.0;
pub(super) const LABEL: f64 = 17.5;
pub(super) const TICK: f64 = 17.0;
/// Smallest letters, of 12 pixels.
const SMALLEST: f64 = 15.2;

/// Draws the title. A long title gets smaller letters.
pub(super) fn draw_title(canvas: &Canvas<'_>, title: &str) {
    let room = (canvas.size.0 - 40.0) / canvas.width_of(title, TITLE).max(1.0);
    let at = (canvas.size.0 / 2.0, 24.0);
    canvas.text(title, at, (TITLE * room).clamp(SMALLEST, TITLE), Anchor::Middle);
}

/// Room between the vertical axes and the data.
const INSET: f64 = 16.0;

/// Least distance of two tick labels.
const APART: At = (38.0, 16.0);

/// Width below which the legend is below the chart.
const NARROW: f64 = 520.0;

/// Height of an entry of the legend.
const LINE: f64 = 20.0;

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
    /// Draws the axes and leaves room for a legend with these names.
    pub fn draw(
        canvas: &Canvas<'_>,
        title: &str,
        (x_axis, x): (&Axis, Range),
        (y_axis, y): (&Axis, Range),
        legend: &[&str],
    ) -> Self {
        let size = canvas.size;
        let widest = |texts: &mut dyn Iterator<Item = &str>, size| {
            texts.map(|text| canvas.width_of(text, size)).fold(0.0, f64::max)
        };
        let tick_width = widest(&mut y.ticks.iter().map(|(_, label)| label.as_str()), TICK);
        let legend_width = widest(&mut legend.iter().copied(), TICK);
        let narrow = size.0 < NARROW;
        let below = if narrow { LINE * legend.len() as f64 } else { 0.0 };
        let frame = Self {
            left: if y_axis.label.is_empty() { 22.0 } else { 46.0 } + tick_width,
            right: match legend {
                [_, ..] if !narrow => size.0 - legend_width - 72.0,
                _ => size.0 - 24.0,
            },
            top: if title.is_empty() { 16.0 } else { 48.0 },
            bottom: size.1 - 62.0 - below,
            x,
            y,
        };
        draw_title(canvas, title);
        for (x, label) in frame.x.labelled(|number| frame.across(number), APART.0) {
            canvas.line(&[(x, frame.top), (x, frame.bottom)], GRID, 1.0);
            canvas.line(&[(x, frame.bottom), (x, frame.bottom + 5.0)], INK, 1.0);
            if let Some(label) = label {
                canvas.text(label, (x, frame.bottom + 16.0), TICK, Anchor::Middle);
            }
        }
        for (y, label) in frame.y.labelled(|number| frame.up(number), APART.1) {
            canvas.line(&[(frame.left, y), (frame.right, y)], GRID, 1.0);
            canvas.line(&[(frame.left - 5.0, y), (frame.left, y)], INK, 1.0);
            if let Some(label) = label {
                canvas.text(label, (frame.left - 8.0, y), TICK, Anchor::Right);
            }
        }
        let corners =
            [(frame.left, frame.top), (frame.left, frame.bottom), (frame.right, frame.bottom)];
        canvas.line(&corners, INK, 1.0);
        if let Some(share) = frame.y.broken_at() {
            let y = frame.bottom - (frame.bottom - frame.top) * share;
            for y in [y - 2.5, y + 2.5] {
                let slash = [(frame.left - 6.0, y + 3.0), (frame.left + 6.0, y - 3.0)];
                canvas.line(&slash, INK, 1.0);
            }
        }
        let middle = ((frame.left + frame.right) / 2.0, (frame.top + frame.bottom) / 2.0);
        canvas.text(&x_axis.label, (middle.0, frame.bottom + 44.0), LABEL, Anchor::Middle);
        let fitting = |label: &str, room: f64| {
            (LABEL * room / canvas.width_of(label, LABEL).max(1.0)).clamp(SMALLEST, LABEL)
        };
        let upwards = fitting(&y_axis.label, size.1 - 50.0);
        canvas.text(&y_axis.label, (18.0, middle.1), upwards, Anchor::Upwards);
        frame
    }

    /// Draws the legend on the right, each name at the height where its series ends, or as near as
    /// the others allow; in a narrow chart below it. `ends` holds the heights, and `sample` draws the entry of a series.
    pub fn legend(
        &self,
        canvas: &Canvas<'_>,
        names: &[&str],
        ends: &[f64],
        sample: impl Fn(At, usize),
    ) {
        let narrow = canvas.size.0 < NARROW;
        let row = |number: usize| self.bottom + 60.0 + LINE * (number as f64 + 0.5);
        let (x, heights) = match narrow {
            true => (32.0, (0..names.len()).map(row).collect()),
            false => (self.right + 32.0, spread(ends, self.top, self.bottom)),
        };
        for (number, (name, y)) in names.iter().zip(heights).enumerate() {
            sample((x, y), number);
            canvas.text(name, (x + 20.0, y), TICK, Anchor::Left);
        }
    }

    /// Returns the height of the upper edge.
    pub fn top(&self) -> f64 {
        self.top
    }

    fn across(&self, number: f64) -> f64 {
        let inside = self.right - self.left - 2.0 * INSET;
        self.left + INSET + inside * self.x.share_or_floor(number)
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

impl Range {
    /// Returns the place of each tick, and its label where there is room for it.
    fn labelled(&self, place: impl Fn(f64) -> f64, apart: f64) -> Vec<(f64, Option<&str>)> {
        let places: Vec<f64> = self.ticks.iter().map(|tick| place(tick.0)).collect();
        let named = thin(&places, apart).into_iter().zip(&self.ticks);
        let labels = named.map(|(named, (_, label))| named.then_some(label.as_str()));
        places.iter().copied().zip(labels).collect()
    }
}

/// Returns which ticks have a label, so that labels are at least `apart` from each other: all, or
/// every second, third and so on, counted from the last one. The first one keeps its label if there
/// is room, as the zero of a broken axis has.
fn thin(places: &[f64], apart: f64) -> Vec<bool> {
    let gaps = places.windows(2).map(|pair| (pair[1] - pair[0]).abs());
    let gap = gaps.skip(usize::from(places.len() > 2)).fold(f64::INFINITY, f64::min);
    let every = if gap > 0.0 { (apart / gap).ceil().max(1.0) as usize } else { 1 };
    let last = places.len().saturating_sub(1);
    let mut named: Vec<bool> =
        (0..places.len()).map(|k| (last - k).is_multiple_of(every)).collect();
    let second = named.iter().skip(1).position(|&named| named).map(|k| places[k + 1]);
    if let (Some(first), Some(&at)) = (named.first_mut(), places.first()) {
        *first |= second.is_none_or(|second| (second - at).abs() >= apart);
    }
    named
}

/// Moves heights apart by at least a line, in their order, between `top` and `bottom`.
fn spread(wanted: &[f64], top: f64, bottom: f64) -> Vec<f64> {
    let mut order: Vec<usize> = (0..wanted.len()).collect();
    order.sort_by(|&a, &b| wanted[a].total_cmp(&wanted[b]).then(a.cmp(&b)));
    let mut found = wanted.to_vec();
    let mut free = top + LINE / 2.0;
    for &k in &order {
        found[k] = found[k].max(free);
        free = found[k] + LINE;
    }
    let mut free = bottom.max(top + LINE * wanted.len() as f64);
    for &k in order.iter().rev() {
        found[k] = found[k].min(free - LINE / 2.0);
        free = found[k] - LINE / 2.0;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_moved_apart_and_keep_their_order() {
        assert_eq!(spread(&[100.0, 50.0], 0.0, 200.0), [100.0, 50.0]);
        assert_eq!(spread(&[50.0, 50.0, 55.0], 0.0, 200.0), [50.0, 70.0, 90.0]);
        assert_eq!(spread(&[195.0, 200.0], 0.0, 200.0), [170.0, 190.0]);
    }

    #[test]
    fn labels_that_would_touch_are_left_out() {
        assert_eq!(thin(&[0.0, 20.0, 40.0], 14.0), [true; 3]);
        assert_eq!(thin(&[0.0, 10.0, 20.0, 30.0], 14.0), [false, true, false, true]);
        assert_eq!(thin(&[0.0, 25.0, 35.0, 45.0], 14.0), [true, true, false, true]);
        assert_eq!(thin(&[7.0], 14.0), [true]);
    }
}
