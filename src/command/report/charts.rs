//! The charts of a page.

use crate::command::account::AccountReport;
use crate::command::session::Session;
use muffliato::plot::{Axis, LineChart, Picture, Series};
use muffliato::prelude::Fraction;
use muffliato_account::{Class, NoiseGain, Spread, Status};

/// The most products that the expected error may take.
const MOST_WORK: usize = 20_000_000_000;

/// Loss against distance: the paper's bound, and each account, with the certified ends of estimates.
pub fn by_distance(reports: &[(&'static str, AccountReport<'_>)]) -> Picture {
    let series =
        |name: String, report: &AccountReport<'_>, of: &dyn Fn(&Class) -> Option<[f64; 3]>| {
            let found = report.computed.summary.classes();
            let found: Vec<_> = found
                .filter_map(|class| Some((class.distance? as f64, of(class)?)))
                .collect();
            let band = found.iter().map(|&(x, [min, _, max])| (x, min, max));
            let means = found.iter().map(|&(x, [_, mean, _])| (x, mean));
            Series::new(name, means.collect()).with_band(band.collect())
        };
    let mut all = vec![series("paper's bound".into(), &reports[0].1, &|class| {
        class.theorem_1.as_ref().map(Spread::floats)
    })];
    for (name, report) in reports {
        let statuses = report.computed.summary.classes().map(|class| class.status);
        let status = statuses.max().unwrap_or(Status::Estimate).word();
        let which = short(name);
        let name = format!("{which} ({status})");
        all.push(series(name, report, &|class| Some(class.shown().floats())));
        if report.has_estimates() {
            let ends = series(String::new(), report, &|class| Some(class.upper.floats()));
            let largest = ends.band.iter().map(|&(x, _, max)| (x, max)).collect();
            let name = format!("{which} (certified, largest)");
            all.push(Series::new(name, largest).dashed());
        }
    }
    all.retain(|series| !series.points.is_empty());
    Picture::from(LineChart {
        title: "Loss against distance".into(),
        x: Axis::linear("distance between source and observer"),
        y: Axis::log("loss in units of L (mean, smallest to largest)"),
        series: all,
    })
}

fn short(name: &str) -> String {
    match name {
        "Noise once" => "noise once".into(),
        _ => "fresh noise".into(),
    }
}

/// Expected error against steps, for averaging; a remark where there is none.
pub fn error_by_step(
    reports: &[(&'static str, AccountReport<'_>)],
    tau: Fraction,
    session: &Session,
    remarks: &mut Vec<String>,
) -> anyhow::Result<Option<Picture>> {
    let AccountReport {
        protocol,
        noise,
        loaded,
        ..
    } = reports[0].1;
    if protocol.rounds() > 1 {
        remarks
            .push("The error of gradient descent depends on the data: see muffliato train.".into());
        return Ok(None);
    }
    let (nodes, steps) = (protocol.nodes(), protocol.steps());
    let edges = loaded.graph.edge_count() + nodes;
    if nodes.saturating_mul(edges).saturating_mul(4 * steps) > MOST_WORK {
        remarks
            .push("The graph is too large for the expected error; see muffliato average.".into());
        return Ok(None);
    }
    let gains = NoiseGain::by_step(protocol, &session.progress("expected error"))?;
    let curve = |tau: f64| {
        let error = |gain: &NoiseGain| gain.error(noise.sigma, tau, noise.sensitivity);
        let points = gains.iter().enumerate();
        points.map(|(t, gain)| (t as f64, error(gain))).collect()
    };
    let tau = tau.numerator() as f64 / tau.denominator() as f64;
    let names = ["noise once", "fresh noise"].into_iter().zip([0.0, tau]);
    let mut series: Vec<Series> = names
        .take(reports.len())
        .map(|(name, tau)| Series::new(name, curve(tau)))
        .collect();
    let floor = noise.sigma * noise.sigma / (2.0 * nodes as f64);
    let level = (0..=steps).map(|t| (t as f64, floor)).collect();
    series.push(Series::new("noise of the mean", level).dashed());
    Ok(Some(Picture::from(LineChart {
        title: "Expected error against steps".into(),
        x: Axis::linear("gossip steps"),
        y: Axis::log("error, (1/2n) E sum (y - mean)²"),
        series,
    })))
}
