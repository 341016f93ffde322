//! Histograms.

use super::axis::Range;
use super::canvas::{Canvas, colour};
use super::frame::Frame;
use super::{Axis, Scale};

/// A histogram with bins of equal width.
///
/// ```
/// use muffliato_plot::{Axis, Histogram};
///
/// let chart = Histogram {
///     title: "Losses".into(),
///     x: Axis::linear("loss, in units of L"),
///     count_label: "pairs".into(),
///     values: vec![0.0, 0.25, 0.75, 1.0, f64::NAN],
///     bins: 2,
/// };
/// assert_eq!(chart.counts(), [(0.0, 0.5, 2), (0.5, 1.0, 2)]); // NaN has no place
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Histogram {
    /// The title.
    pub title: String,
    /// The axis of the values.
    pub x: Axis,
    /// The label of the counts.
    pub count_label: String,
    /// The values. Those that the axis cannot show are ignored.
    pub values: Vec<f64>,
    /// The number of bins, at least 1.
    pub bins: usize,
}

impl Histogram {
    /// Returns the bins: start, end and number of values.
    pub fn counts(&self) -> Vec<(f64, f64, usize)> {
        let log = self.x.scale == Scale::Log;
        let place = |value: f64| if log { value.log10() } else { value };
        let back = |at: f64| if log { 10_f64.powf(at) } else { at };
        let places = self.values.iter().map(|&value| place(value));
        let places: Vec<f64> = places.filter(|at| at.is_finite()).collect();
        let low = places.iter().copied().fold(f64::INFINITY, f64::min);
        let high = places.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        if low > high {
            return Vec::new();
        }
        let bins = self.bins.max(1);
        let width = if high > low { (high - low) / bins as f64 } else { 1.0 };
        let mut counts = vec![0; bins];
        for at in places {
            let bin = ((at - low) / width).floor().max(0.0) as usize;
            counts[bin.min(bins - 1)] += 1;
        }
        let edges = counts.into_iter().enumerate().map(|(bin, count)| {
            let start = low + bin as f64 * width;
            (back(start), back(start + width), count)
        });
        edges.collect()
    }

    /// Returns the bins as CSV fields.
    pub(super) fn csv(&self) -> Vec<[String; 5]> {
        let row = |(bin, (from, to, count)): (usize, (f64, f64, usize))| {
            let label = self.count_label.clone();
            [bin.to_string(), from.to_string(), to.to_string(), count.to_string(), label]
        };
        self.counts().into_iter().enumerate().map(row).collect()
    }

    pub(super) fn draw(&self, canvas: &Canvas<'_>) {
        let counts = self.counts();
        let x = counts.iter().flat_map(|&(start, end, _)| [start, end]);
        let x = Range::of(self.x.scale, x);
        let y = counts.iter().map(|&(_, _, count)| count as f64);
        let y = Range::of(Scale::Linear, y.chain([0.0]));
        let y_axis = Axis::linear(self.count_label.clone());
        let frame = Frame::draw(canvas, &self.title, (&self.x, x), (&y_axis, y), &[]);
        for (start, end, count) in counts {
            let (left, floor) = frame.at_or_edge((start, 0.0));
            let (right, top) = frame.at_or_edge((end, count as f64));
            let right = (right - 1.0).max(left + 1.0);
            let corners = [(left, floor), (left, top), (right, top), (right, floor)];
            canvas.polygon(&corners, colour(0), 0.85);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_value_is_in_a_bin() {
        let histogram = |values: Vec<f64>, x| Histogram {
            title: String::new(),
            x,
            count_label: String::new(),
            values,
            bins: 4,
        };
        let linear = histogram(vec![0.0, 0.1, 0.5, 1.0, f64::NAN], Axis::linear(""));
        let counts: Vec<_> = linear.counts().iter().map(|bin| bin.2).collect();
        assert_eq!(counts, [2, 0, 1, 1]);
        let log = histogram(vec![0.0, 1e-4, 1.0, 1.0], Axis::log(""));
        let counts: Vec<_> = log.counts().iter().map(|bin| bin.2).collect();
        assert_eq!(counts, [1, 0, 0, 2]);
        assert!(histogram(vec![], Axis::log("")).counts().is_empty());
    }
}
