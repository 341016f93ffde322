//! The picture of an account.

use super::report::AccountReport;
use super::{Spread, Summary};
use crate::command::number::Status;
use muffliato::plot::{Axis, LineChart, Picture, Series};

/// Loss against distance: means as lines, smallest to largest as bands.
pub fn by_distance(report: &AccountReport<'_>) -> Picture {
    let at = |summary: &Summary| summary.distance.map(|distance| distance as f64);
    let series = |name: &str, spread: &dyn Fn(&Summary) -> Option<[f64; 3]>| {
        let found: Vec<_> = report
            .summaries
            .iter()
            .filter_map(|summary| Some((at(summary)?, spread(summary)?)))
            .collect();
        let points = found.iter().map(|&(x, [_, mean, _])| (x, mean)).collect();
        let band = found
            .iter()
            .map(|&(x, [min, _, max])| (x, min, max))
            .collect();
        Series::new(name, points).with_band(band)
    };
    let values = |spread: &Spread| spread.values;
    let mut all = vec![series("paper's bound", &|summary| {
        summary.paper_bound.as_ref().map(values)
    })];
    let estimates = report
        .summaries
        .iter()
        .any(|s| s.status == Status::Estimate);
    let leakage = if estimates {
        "leakage (estimate)"
    } else {
        "leakage"
    };
    all.push(series(leakage, &|summary| Some(summary.leakage.values)));
    all.retain(|series| !series.points.is_empty());
    let title = format!(
        "{}: {}",
        report.loaded.name,
        report.arguments.described(report.protocol)
    );
    Picture::from(LineChart {
        title,
        x: Axis::linear("distance between source and observer"),
        y: Axis::log("loss in units of L (mean, smallest to largest)"),
        series: all,
    })
}
