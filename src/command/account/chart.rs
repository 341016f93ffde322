//! The picture of an account.

use super::report::AccountReport;
use muffliato::plot::{Axis, LineChart, Picture, Series};
use muffliato_account::{Class, Spread};

/// Loss against distance: means as lines, smallest to largest beside them, and the certified ends of estimates.
pub fn by_distance(report: &AccountReport<'_>) -> Picture {
    let series = |name: &str, spread: &dyn Fn(&Class) -> Option<[f64; 3]>| {
        let classes = report.computed.summary.classes();
        let found: Vec<_> = classes
            .filter_map(|class| Some((class.distance? as f64, spread(class)?)))
            .collect();
        let points = found.iter().map(|&(x, [_, mean, _])| (x, mean)).collect();
        let band = found
            .iter()
            .map(|&(x, [min, _, max])| (x, min, max))
            .collect();
        Series::new(name, points).with_band(band)
    };
    let mut all = vec![series("paper's bound", &|class| {
        class.theorem_1.as_ref().map(Spread::floats)
    })];
    let leakage = if report.has_estimates() {
        "leakage (estimate)"
    } else {
        "leakage"
    };
    all.push(series(leakage, &|class| Some(class.shown().floats())));
    if report.has_estimates() {
        let ends = report.computed.summary.classes();
        let ends = ends.filter_map(|class| {
            let [_, _, largest] = class.upper.floats();
            Some((class.distance? as f64, largest))
        });
        all.push(Series::new("certified (largest)", ends.collect()).dashed());
    }
    all.retain(|series| !series.points.is_empty());
    let title = format!(
        "{}: {}",
        report.loaded.title(),
        report.arguments.described(report.protocol)
    );
    Picture::from(LineChart {
        title,
        x: Axis::linear("distance between source and observer"),
        y: Axis::log("loss in units of L (mean, smallest to largest)"),
        series: all,
    })
}
