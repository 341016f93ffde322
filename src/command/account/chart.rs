//! The picture of an account.

use super::report::AccountReport;
use muffliato::plot::{Axis, LineChart, Picture, Series};
use muffliato_account::{Class, Spread, Status, Summary};

/// Loss against distance, for the protocol of the report and for others beside it: means as lines, smallest to largest
/// beside them, and the certified ends of estimates.
pub fn by_distance(report: &AccountReport<'_>, beside: &[(String, Summary)]) -> Picture {
    let own = &report.computed.summary;
    let mut all = vec![series("paper's bound".into(), own, &|class| {
        class.theorem_1.as_ref().map(Spread::floats)
    })];
    let name = match beside {
        [] => "leakage".to_string(),
        _ => report.arguments.protocol.to_string(),
    };
    all.extend(losses(&name, own));
    for (name, summary) in beside {
        all.extend(losses(name, summary));
    }
    all.retain(|series| !series.points.is_empty());
    let graph = report.loaded.title();
    let title = match beside {
        [] => format!("{graph}: {}", report.arguments.described(report.protocol)),
        _ => format!("{graph}: {} steps", report.protocol.steps()),
    };
    let title = match own.is_partial() {
        true => format!("{title} (partial)"),
        false => title,
    };
    Picture::from(LineChart {
        title,
        x: Axis::linear("distance between source and observer"),
        y: Axis::log("loss in units of L (mean, smallest to largest)"),
        series: all,
    })
}

/// The losses of a protocol and, if there are estimates among them, their largest certified ends.
fn losses(name: &str, summary: &Summary) -> Vec<Series> {
    let shown = |class: &Class| Some(class.shown().floats());
    if !summary
        .classes()
        .any(|class| class.status == Status::Estimate)
    {
        return vec![series(name.into(), summary, &shown)];
    }
    let ends = summary.classes().filter_map(|class| {
        let [_, _, largest] = class.upper.floats();
        Some((class.distance? as f64, largest))
    });
    vec![
        series(format!("{name} (estimate)"), summary, &shown),
        Series::new(format!("{name}, certified (largest)"), ends.collect()).dashed(),
    ]
}

fn series(name: String, summary: &Summary, spread: &dyn Fn(&Class) -> Option<[f64; 3]>) -> Series {
    let found: Vec<_> = summary
        .classes()
        .filter_map(|class| Some((class.distance? as f64, spread(class)?)))
        .collect();
    let points = found.iter().map(|&(x, [_, mean, _])| (x, mean)).collect();
    let band = found
        .iter()
        .map(|&(x, [min, _, max])| (x, min, max))
        .collect();
    Series::new(name, points).with_band(band)
}
