//! The charts of a page.

use super::losses::Layer;
use crate::command::account::{AccountReport, chart};
use crate::command::{number::float, session::Session};
use muffliato::plot::{Axis, LineChart, Picture, Series};
use muffliato_account::{NoiseGain, Status};

/// Returns the name of an account in legends.
fn short(layer: Layer) -> &'static str {
    match layer {
        Layer::Paper | Layer::Plain => "noise once",
        Layer::Refreshed => "fresh noise",
        Layer::Masked => "masks",
    }
}

/// Largest number of multiplications for the expected error.
const MOST_WORK: usize = 20_000_000_000;

/// Plots the loss against distance: the paper's bound and each account, with the certified upper
/// ends of estimates.
pub fn by_distance(reports: &[(Layer, AccountReport<'_>)]) -> Picture {
    let mut all = Vec::new();
    for (layer, report) in reports {
        let which = short(*layer);
        let summary = &report.computed.summary;
        let status = summary.rows().map(|row| row.status).max();
        let status = status.unwrap_or(Status::Estimate).as_str();
        all.push(chart::shown(format!("{which} ({status})"), summary));
        if summary.promises_another() {
            all.push(chart::promised(format!("{which}, promised"), summary));
        }
        if report.by_distance().has_estimates() {
            all.push(chart::ends(format!("{which} (certified, largest)"), summary));
        }
    }
    all.push(chart::paper_bound(&reports[0].1.computed.summary));
    chart::picture("Loss against distance".into(), all)
}

/// Plots the expected error of averaging against steps. Adds a remark if there is no plot.
pub fn error_by_step(
    reports: &[(Layer, AccountReport<'_>)],
    session: &Session,
    remarks: &mut Vec<String>,
) -> anyhow::Result<Option<Picture>> {
    let AccountReport { protocol, noise, loaded, .. } = reports[0].1;
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
    let mut series = Vec::new();
    for (layer, report) in reports {
        let tau = report.protocol.uniform().unwrap_or_default().tau.map_or(0.0, float);
        let gains = NoiseGain::by_step(report.protocol, &session.progress("expected error"))?;
        let error = |gain: &NoiseGain| gain.error(noise.sigma, tau, noise.sensitivity);
        let points = gains.iter().enumerate().map(|(t, gain)| (t as f64, error(gain)));
        series.push(Series::new(short(*layer), points.collect()));
    }
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
