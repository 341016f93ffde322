//! The charts of a page.

use crate::command::account::{AccountReport, chart};
use crate::command::{number::float, session::Session};
use muffliato::plot::{Axis, LineChart, Picture, Series};
use muffliato::prelude::Fraction;
use muffliato_account::{NoiseGain, Status};

/// What the accounts are called in legends.
const NAMES: [&str; 2] = ["noise once", "fresh noise"];

/// The most products that the expected error may take.
const MOST_WORK: usize = 20_000_000_000;

/// Loss against distance: the paper's bound, and each account, with the certified ends of estimates.
pub fn by_distance(reports: &[(&'static str, AccountReport<'_>)]) -> Picture {
    let mut all = vec![chart::promised_by_the_paper(&reports[0].1.computed.summary)];
    for ((_, report), which) in reports.iter().zip(NAMES) {
        let summary = &report.computed.summary;
        let status = summary.rows().map(|row| row.status).max();
        let status = status.unwrap_or(Status::Estimate).as_str();
        all.push(chart::shown(format!("{which} ({status})"), summary));
        if summary.promises_another() {
            all.push(chart::promised(format!("{which}, promised"), summary));
        }
        if report.by_distance().has_estimates() {
            all.push(chart::ends(
                format!("{which} (certified, largest)"),
                summary,
            ));
        }
    }
    chart::picture("Loss against distance".into(), all)
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
    let names = NAMES.into_iter().zip([0.0, float(tau)]);
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
