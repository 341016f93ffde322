//! The chart of an account.

use super::report::AccountReport;
use muffliato::model::ProtocolSpec;
use muffliato::plot::{Axis, Colour, LineChart, Picture, Series};
use muffliato_account::{Row, Spread, Status, Summary};

/// Plots the loss against distance for the protocol of the report and the protocols beside it.
pub fn beside(report: &AccountReport<'_>) -> Picture {
    let others = report.beside;
    let own = &report.computed.summary;
    let name = match others {
        [] => "leakage".to_string(),
        _ => report.arguments.protocol.to_string(),
    };
    let all = [(&name, own)].into_iter().chain(others.iter().map(|(a, b)| (a, b)));
    let all = all.map(|(name, summary)| {
        let colour = match name.parse().unwrap_or_else(|_| report.arguments.protocol.clone()) {
            _ if report.arguments.sizes.plan.is_some() => Colour::Planned,
            ProtocolSpec { masks: Some(_), .. } => Colour::Masked,
            ProtocolSpec { refresh: Some(_), .. } => Colour::Refreshed,
            _ => Colour::OneShot,
        };
        (name.as_str(), summary, colour)
    });
    let graph = report.loaded.title();
    let title = match others {
        [] => format!("{graph}: {}", report.arguments.described(report.protocol)),
        _ => format!("{graph}: {} steps", report.protocol.steps()),
    };
    let part = if own.is_partial() { " (partial)" } else { "" };
    by_distance(title + part, "loss in units of L (mean, smallest to largest)", all)
}

/// Plots the losses of several protocols against distance, and the paper's bound, which is smaller
/// than some losses. Lines are means, and bands reach from the smallest to the largest loss. Dashed
/// lines are the certified upper ends of estimates, and the guarantees where losses are those of a
/// model. The first protocol of a kind has the colour of its kind.
pub fn by_distance<'a>(
    title: String,
    y: &str,
    protocols: impl Iterator<Item = (&'a str, &'a Summary, Colour)>,
) -> Picture {
    let mut all: Vec<Series> = Vec::new();
    let mut paper = None;
    for (name, summary, colour) in protocols {
        let known = all.iter().any(|series| series.colour == Some(colour));
        let estimated = summary.rows().any(|row| row.status == Status::Estimate);
        let name_shown = match summary.is_modelled() {
            true => format!("{name}, in the model"),
            false if estimated => format!("{name} (estimate)"),
            false => name.to_string(),
        };
        let shown = series(name_shown, summary, |row| Some(row.shown().floats()));
        let mut dashed = Vec::new();
        if estimated && !summary.is_modelled() {
            let of = |row: &Row<'_>| Some([row.upper.floats()[2]; 3]);
            dashed.push(series(format!("{name}, certified (largest)"), summary, of));
        }
        if summary.promises_another() {
            let of = |row: &Row<'_>| Some([row.largest().upper(); 3]);
            dashed.push(series(format!("{name}, promised"), summary, of));
        }
        let dashed = dashed.into_iter().map(|line| Series::new(line.name, line.points).dashed());
        all.extend([shown].into_iter().chain(dashed).map(|line| match known {
            true => line,
            false => line.coloured(colour),
        }));
        let bound = |row: &Row<'_>| row.theorem_1.as_ref().map(Spread::floats);
        paper.get_or_insert_with(|| series("paper's bound (refuted)".into(), summary, bound));
    }
    all.extend(paper.map(|series| series.coloured(Colour::Paper)));
    all.retain(|series| !series.points.is_empty());
    Picture::from(LineChart {
        title,
        x: Axis::linear("distance between source and observer"),
        y: Axis::log(y),
        series: all,
    })
}

fn series(name: String, summary: &Summary, of: impl Fn(&Row<'_>) -> Option<[f64; 3]>) -> Series {
    let found: Vec<_> =
        summary.rows().filter_map(|row| Some((row.distance? as f64, of(&row)?))).collect();
    let points = found.iter().map(|&(x, [_, mean, _])| (x, mean));
    let band = found.iter().map(|&(x, [min, _, max])| (x, min, max));
    Series::new(name, points.collect()).with_band(band.collect())
}
