//! Curves of losses by distance.

use super::exhibit::{Plate, Sheet, row};
use super::setting::{ByDistance, Setting};
use muffliato::plot::{Axis, Colour, LineChart, Series, SmallMultiples};

/// A curve of a chart.
pub struct Curve {
    pub name: String,
    pub losses: ByDistance,
    /// Certified upper ends, if `losses` are estimates.
    pub at_most: Option<ByDistance>,
}

impl Curve {
    /// Creates a curve of certified losses.
    pub fn certified(name: impl Into<String>, losses: ByDistance) -> Self {
        Self { name: name.into(), losses, at_most: None }
    }

    /// Creates a curve of estimates with their certified upper ends.
    pub fn estimated(name: impl Into<String>, [losses, at_most]: [ByDistance; 2]) -> Self {
        Self { at_most: Some(at_most), ..Self::certified(name, losses) }
    }

    /// Returns the largest distance and the mean there.
    pub fn farthest(&self) -> (usize, f64) {
        let last = self.losses.last_key_value();
        last.map_or((0, f64::NAN), |(&distance, spread)| (distance, spread.mean))
    }

    /// Returns the distance with the smallest mean, and this mean.
    pub fn smallest(&self) -> (usize, f64) {
        let means = self.losses.iter().map(|(&at, spread)| (at, spread.mean));
        let least = means.min_by(|a, b| a.1.total_cmp(&b.1));
        least.unwrap_or((0, f64::NAN))
    }

    /// Returns the mean at a distance, if there are pairs.
    pub fn at(&self, distance: usize) -> Option<f64> {
        Some(self.losses.get(&distance)?.mean)
    }

    /// Returns `true` if the mean never grows with distance, up to rounding.
    pub fn falls(&self) -> bool {
        let means: Vec<f64> = self.losses.values().map(|spread| spread.mean).collect();
        means.windows(2).all(|pair| pair[1] <= pair[0] * (1.0 + 1e-9))
    }
}

/// Draws a chart for each curve, since the bands would overlap and the ranges differ. A dashed line
/// shows the largest certified end.
fn charts(title: String, curves: &[Curve], colour: Colour, own_y: bool) -> SmallMultiples {
    let chart = |curve: &Curve| {
        let losses = || curve.losses.iter().map(|(&at, spread)| (at as f64, spread));
        let points = losses().map(|(at, spread)| (at, spread.mean)).collect();
        let band = losses().map(|(at, spread)| (at, spread.least, spread.most));
        let mean = Series::new("mean; band: least to most", points).with_band(band.collect());
        let mut series = vec![mean.coloured(colour)];
        if let Some(ends) = &curve.at_most {
            let ends = ends.iter().map(|(&at, spread)| (at as f64, spread.most));
            let ends = Series::new("certified: at most", ends.collect());
            series.push(ends.coloured(colour).dashed());
        }
        LineChart {
            title: curve.name.clone(),
            x: Axis::linear("distance in the graph"),
            y: Axis::log("loss in units of L"),
            series,
        }
    };
    SmallMultiples { title, charts: curves.iter().map(chart).collect(), own_x: true, own_y }
}

/// Curves of a figure, and their table.
pub struct Curves<'a> {
    setting: &'a Setting<'a>,
    pub sheet: Sheet,
    /// Losses by the paper's formula.
    pub bounds: Vec<Curve>,
    pub leaks: Vec<Curve>,
    /// Losses with fresh noise.
    pub repaired: Vec<Curve>,
}

impl<'a> Curves<'a> {
    /// Creates an empty figure whose table is called `name`.
    pub fn new(setting: &'a Setting<'a>, name: &str) -> Self {
        let head = "graph,steps,quantity,distance,pairs,mean,least,most";
        Self {
            setting,
            sheet: Sheet::new(name, head),
            bounds: Vec::new(),
            leaks: Vec::new(),
            repaired: Vec::new(),
        }
    }

    /// Adds the losses of one graph: the formula, one-shot leakage (estimates and certified ends),
    /// and fresh noise.
    pub fn push(
        &mut self,
        name: &str,
        steps: usize,
        formula: ByDistance,
        leakage: [ByDistance; 2],
        refreshed: ByDistance,
    ) {
        for (quantity, losses) in [
            (self.setting.bound_name(), &formula),
            ("one-shot leakage, estimate", &leakage[0]),
            ("one-shot leakage, at most (certified)", &leakage[1]),
            ("refreshed, certified", &refreshed),
        ] {
            for (distance, spread) in losses {
                let numbers = [spread.mean, spread.least, spread.most];
                let row = row![name, steps, quantity, distance, spread.count; numbers];
                self.sheet.push(row);
            }
        }
        self.bounds.push(Curve::certified(name, formula));
        self.leaks.push(Curve::estimated(name, leakage));
        self.repaired.push(Curve::certified(name, refreshed));
    }

    /// Draws the three figures with these names and captions; every title ends in `of`. With `own_y`
    /// each chart has its own vertical axis.
    pub fn plates(
        &self,
        names: [&str; 3],
        captions: [&str; 3],
        of: &str,
        own_y: bool,
    ) -> [Plate; 3] {
        let plate = |k: usize, title: &str, curves: &[Curve], colour: Colour| {
            let charts = charts(format!("{title}{of}"), curves, colour, own_y);
            Plate::new(names[k], captions[k], charts)
        };
        [
            plate(0, &self.setting.refuted_bound(), &self.bounds, Colour::Paper),
            plate(1, "One-shot leakage (estimate)", &self.leaks, Colour::OneShot),
            plate(2, "Fresh noise, certified", &self.repaired, Colour::Refreshed),
        ]
    }
}

/// Combines several runs on random graphs of the same law.
pub fn merge_runs(runs: Vec<ByDistance>) -> ByDistance {
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
