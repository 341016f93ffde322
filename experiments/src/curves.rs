//! Losses by distance, as curves.

use super::exhibit::Sheet;
use super::setting::ByDistance;
use muffliato::plot::{Axis, LineChart, Series, SmallMultiples};

/// One curve of a picture.
pub struct Curve {
    /// What the graph is called.
    pub name: String,
    /// Losses by distance.
    pub losses: ByDistance,
    /// Where these are estimates, their certified upper ends.
    pub at_most: Option<ByDistance>,
}

impl Curve {
    /// Losses that are no estimates.
    pub fn certified(name: impl Into<String>, losses: ByDistance) -> Self {
        Self {
            name: name.into(),
            losses,
            at_most: None,
        }
    }

    /// Estimates, and their certified upper ends.
    pub fn estimated(name: impl Into<String>, [losses, at_most]: [ByDistance; 2]) -> Self {
        Self {
            at_most: Some(at_most),
            ..Self::certified(name, losses)
        }
    }

    /// The largest certified end at each distance, as a dashed line.
    fn ends(&self) -> Option<Series> {
        let ends = self.at_most.as_ref()?.iter();
        let ends = ends.map(|(&distance, spread)| (distance as f64, spread.most));
        Some(Series::new("certified: at most", ends.collect()).dashed())
    }

    /// A curve with its smallest and largest values as a band.
    pub fn series(&self) -> Series {
        let points = self.losses.iter();
        let points = points.map(|(&distance, spread)| (distance as f64, spread.mean));
        let band = self.losses.iter();
        let band = band.map(|(&distance, spread)| (distance as f64, spread.least, spread.most));
        Series::new(self.name.clone(), points.collect()).with_band(band.collect())
    }

    /// The largest distance and the mean there.
    pub fn farthest(&self) -> (usize, f64) {
        let last = self.losses.last_key_value();
        last.map_or((0, f64::NAN), |(&distance, spread)| (distance, spread.mean))
    }

    /// The distance with the smallest mean, and this mean.
    pub fn smallest(&self) -> (usize, f64) {
        let means = self.losses.iter().map(|(&at, spread)| (at, spread.mean));
        let least = means.min_by(|a, b| a.1.total_cmp(&b.1));
        least.unwrap_or((0, f64::NAN))
    }

    /// The mean at a distance, if there are pairs.
    pub fn at(&self, distance: usize) -> Option<f64> {
        Some(self.losses.get(&distance)?.mean)
    }

    /// Whether the mean never grows with distance, up to rounding.
    pub fn falls(&self) -> bool {
        let means: Vec<f64> = self.losses.values().map(|spread| spread.mean).collect();
        means
            .windows(2)
            .all(|pair| pair[1] <= pair[0] * (1.0 + 1e-9))
    }
}

/// Losses by distance, a chart for each curve: bands of several curves would cover each other, and distances reach
/// differently far.
pub fn charts(title: String, curves: &[Curve]) -> SmallMultiples {
    let chart = |curve: &Curve| LineChart {
        title: curve.name.clone(),
        x: Axis::linear("distance in the graph"),
        y: Axis::log("loss in units of L"),
        series: [Series {
            name: "mean, least to most".into(),
            ..curve.series()
        }]
        .into_iter()
        .chain(curve.ends())
        .collect(),
    };
    SmallMultiples {
        title,
        charts: curves.iter().map(chart).collect(),
        own_x: true,
    }
}

/// Adds the rows of a curve, those of certified ends after those of estimates.
pub fn push(sheet: &mut Sheet, quantity: &str, steps: usize, curve: &Curve) {
    let ends = curve.at_most.as_ref().map(|ends| (AT_MOST, ends));
    for (quantity, losses) in [(quantity, &curve.losses)].into_iter().chain(ends) {
        for (distance, spread) in losses {
            let mut row = vec![
                curve.name.clone(),
                steps.to_string(),
                quantity.to_string(),
                distance.to_string(),
            ];
            row.extend(spread.cells());
            sheet.push(row);
        }
    }
}

/// What rows of estimates are called.
pub const ESTIMATE: &str = "one-shot leakage, estimate";

/// What rows of their certified upper ends are called.
const AT_MOST: &str = "one-shot leakage, at most (certified)";

/// The columns of such rows.
pub const HEAD: [&str; 8] = [
    "graph", "steps", "quantity", "distance", "pairs", "mean", "least", "most",
];

/// Several runs of the same random graph, as one.
pub fn merged(runs: Vec<ByDistance>) -> ByDistance {
    let mut all = ByDistance::new();
    for (distance, spread) in runs.into_iter().flatten() {
        all.entry(distance)
            .and_modify(|known| {
                let count = known.count + spread.count;
                known.mean += (spread.mean - known.mean) * spread.count as f64 / count as f64;
                known.count = count;
                known.least = known.least.min(spread.least);
                known.most = known.most.max(spread.most);
            })
            .or_insert(spread);
    }
    all
}
