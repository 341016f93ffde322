//! The chart of an account.

use super::report::AccountReport;
use muffliato::model::ProtocolSpec;
use muffliato::plot::{Axis, Colour, LineChart, Picture, Series};
use muffliato_account::{Row, Spread, Status, Summary};

/// Plots the loss against distance for the protocol of the report and the protocols beside it.
/// Lines are means, and bands reach from the smallest to the largest loss. Dashed lines are the
/// certified upper ends of estimates, and the guarantees where losses are those of a model.
pub fn by_distance(report: &AccountReport<'_>, beside: &[(String, Summary)]) -> Picture {
    let own = &report.computed.summary;
    let name = match beside {
        [] => "leakage".to_string(),
        _ => report.arguments.protocol.to_string(),
    };
    let mut all: Vec<Series> = Vec::new();
    for (name, summary) in [(&name, own)].into_iter().chain(beside.iter().map(|(a, b)| (a, b))) {
        let first = all.len();
        if summary.is_modelled() {
            all.push(shown(format!("{name}, in the model"), summary));
        } else if !summary.rows().any(|row| row.status == Status::Estimate) {
            all.push(shown(name.clone(), summary));
        } else {
            all.push(shown(format!("{name} (estimate)"), summary));
            all.push(ends(format!("{name}, certified (largest)"), summary));
        }
        if summary.promises_another() {
            all.push(promised(format!("{name}, promised"), summary));
        }
        let colour = match name.parse().unwrap_or_else(|_| report.arguments.protocol.clone()) {
            _ if report.arguments.sizes.plan.is_some() => Colour::Planned,
            ProtocolSpec { masks: Some(_), .. } => Colour::Masked,
            ProtocolSpec { refresh: Some(_), .. } => Colour::Refreshed,
            _ => Colour::OneShot,
        };
        // The first protocol of a kind has the colour of its kind.
        if all.iter().all(|series| series.colour != Some(colour)) {
            all[first..].iter_mut().for_each(|series| series.colour = Some(colour));
        }
    }
    all.push(paper_bound(own));
    let graph = report.loaded.title();
    let title = match beside {
        [] => format!("{graph}: {}", report.arguments.described(report.protocol)),
        _ => format!("{graph}: {} steps", report.protocol.steps()),
    };
    let part = if own.is_partial() { " (partial)" } else { "" };
    picture(title + part, all)
}

/// Plots losses against distance. Series without points are omitted.
pub fn picture(title: String, mut series: Vec<Series>) -> Picture {
    series.retain(|series| !series.points.is_empty());
    Picture::from(LineChart {
        title,
        x: Axis::linear("distance between source and observer"),
        y: Axis::log("loss in units of L (mean, smallest to largest)"),
        series,
    })
}

/// Returns the paper's bound, which is smaller than some losses.
pub fn paper_bound(summary: &Summary) -> Series {
    let bound = |row: &Row<'_>| row.theorem_1.as_ref().map(Spread::floats);
    series("paper's bound (refuted)".into(), summary, bound).coloured(Colour::Paper)
}

/// Returns the displayed losses of a protocol.
pub fn shown(name: String, summary: &Summary) -> Series {
    series(name, summary, |row| Some(row.shown().floats()))
}

/// Returns the largest certified upper ends of estimates, dashed.
pub fn ends(name: String, summary: &Summary) -> Series {
    let ends = series(name, summary, |row| Some(row.upper.floats()));
    let largest = ends.band.iter().map(|&(x, _, max)| (x, max)).collect();
    Series::new(ends.name, largest).dashed()
}

/// Returns the largest guaranteed losses, dashed.
pub fn promised(name: String, summary: &Summary) -> Series {
    let promised = series(name, summary, |row| Some([row.largest().upper(); 3]));
    Series::new(promised.name, promised.points).dashed()
}

fn series(name: String, summary: &Summary, of: impl Fn(&Row<'_>) -> Option<[f64; 3]>) -> Series {
    let found: Vec<_> =
        summary.rows().filter_map(|row| Some((row.distance? as f64, of(&row)?))).collect();
    let points = found.iter().map(|&(x, [_, mean, _])| (x, mean));
    let band = found.iter().map(|&(x, [min, _, max])| (x, min, max));
    Series::new(name, points.collect()).with_band(band.collect())
}
