//! The picture of an account.

use super::report::AccountReport;
use muffliato::plot::{Axis, LineChart, Picture, Series};
use muffliato_account::{Class, Spread, Status, Summary};

/// Loss against distance, for the protocol of the report and for others beside it: means as lines, smallest to largest
/// beside them, the certified ends of estimates, and what is promised where losses are those of a model.
pub fn by_distance(report: &AccountReport<'_>, beside: &[(String, Summary)]) -> Picture {
    let own = &report.computed.summary;
    let name = match beside {
        [] => "leakage".to_string(),
        _ => report.arguments.protocol.to_string(),
    };
    let mut all = vec![promised_by_the_paper(own)];
    for (name, summary) in [(&name, own)]
        .into_iter()
        .chain(beside.iter().map(|(a, b)| (a, b)))
    {
        if summary.is_modelled() {
            all.push(shown(format!("{name}, in the model"), summary));
            all.push(promised(format!("{name}, promised"), summary));
            continue;
        }
        if !summary
            .classes()
            .any(|class| class.status == Status::Estimate)
        {
            all.push(shown(name.clone(), summary));
            continue;
        }
        all.push(shown(format!("{name} (estimate)"), summary));
        all.push(ends(format!("{name}, certified (largest)"), summary));
    }
    let graph = report.loaded.title();
    let title = match beside {
        [] => format!("{graph}: {}", report.arguments.described(report.protocol)),
        _ => format!("{graph}: {} steps", report.protocol.steps()),
    };
    let part = if own.is_partial() { " (partial)" } else { "" };
    picture(title + part, all)
}

/// Losses against distance; series without points are left out.
pub fn picture(title: String, mut series: Vec<Series>) -> Picture {
    series.retain(|series| !series.points.is_empty());
    Picture::from(LineChart {
        title,
        x: Axis::linear("distance between source and observer"),
        y: Axis::log("loss in units of L (mean, smallest to largest)"),
        series,
    })
}

/// The paper's bound.
pub fn promised_by_the_paper(summary: &Summary) -> Series {
    let bound = |class: &Class| class.theorem_1.as_ref().map(Spread::floats);
    series("paper's bound".into(), summary, bound)
}

/// What is shown of the losses of a protocol.
pub fn shown(name: String, summary: &Summary) -> Series {
    series(name, summary, |class| Some(class.shown().floats()))
}

/// The largest certified ends of estimates, dashed.
pub fn ends(name: String, summary: &Summary) -> Series {
    let ends = series(name, summary, |class| Some(class.upper.floats()));
    let largest = ends.band.iter().map(|&(x, _, max)| (x, max)).collect();
    Series::new(ends.name, largest).dashed()
}

/// The largest losses that are promised, dashed.
fn promised(name: String, summary: &Summary) -> Series {
    let upper = |class: &Class| summary.promised_of(class).of_those_seen().upper();
    let promised = series(name, summary, |class| Some([upper(class); 3]));
    Series::new(promised.name, promised.points).dashed()
}

fn series(name: String, summary: &Summary, of: impl Fn(&Class) -> Option<[f64; 3]>) -> Series {
    let found: Vec<_> = summary
        .classes()
        .filter_map(|class| Some((class.distance? as f64, of(class)?)))
        .collect();
    let points = found.iter().map(|&(x, [_, mean, _])| (x, mean));
    let band = found.iter().map(|&(x, [min, _, max])| (x, min, max));
    Series::new(name, points.collect()).with_band(band.collect())
}
