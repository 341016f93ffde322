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
}

impl Curve {
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
        series: vec![Series {
            name: "mean, least to most".into(),
            ..curve.series()
        }],
    };
    SmallMultiples {
        title,
        charts: curves.iter().map(chart).collect(),
        own_x: true,
    }
}

/// Adds the rows of a curve.
pub fn push(sheet: &mut Sheet, quantity: &str, steps: usize, curve: &Curve) {
    for (distance, spread) in &curve.losses {
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
