//! The charts of a page.

use super::losses::Layer;
use crate::command::account::{AccountReport, chart};
use crate::command::session::Session;
use muffliato::model::Fraction;
use muffliato::plot::{Axis, Colour, LineChart, Picture, Series};
use muffliato_account::NoiseGain;

/// Returns the name of an account in legends.
fn short(layer: Layer) -> &'static str {
    match layer {
        Layer::Paper | Layer::Plain => "noise once",
        Layer::Refreshed => "fresh noise",
        Layer::Masked => "masks",
        Layer::Planned => "plan",
    }
}

fn colour(layer: Layer) -> Colour {
    match layer {
        Layer::Paper => Colour::Paper,
        Layer::Plain => Colour::OneShot,
        Layer::Refreshed => Colour::Refreshed,
        Layer::Masked => Colour::Masked,
        Layer::Planned => Colour::Planned,
    }
}

/// Largest number of multiplications for the expected error.
const MOST_WORK: usize = 20_000_000_000;

/// Plots the loss of each account against distance.
pub fn by_distance(reports: &[(Layer, AccountReport<'_>)]) -> Picture {
    let all = reports
        .iter()
        .map(|(layer, report)| (short(*layer), &report.computed.summary, colour(*layer)));
    chart::by_distance(String::new(), "loss in units of L", all)
}

/// Plots the expected error of averaging against steps, and returns that of each account at the end. A
/// plan takes more steps than the others and is a level. Adds a remark if there is no plot.
pub fn error_by_step(
    reports: &[(Layer, AccountReport<'_>)],
    session: &Session,
    remarks: &mut Vec<String>,
) -> anyhow::Result<(Option<Picture>, Vec<f64>)> {
    let AccountReport { protocol, noise, loaded, .. } = reports[0].1;
    if protocol.rounds() > 1 {
        remarks
            .push("The error of gradient descent depends on the data: see muffliato train.".into());
        return Ok((None, Vec::new()));
    }
    let (nodes, steps) = (protocol.nodes(), protocol.steps());
    let edges = loaded.graph.edge_count() + nodes;
    if nodes.saturating_mul(edges).saturating_mul(4 * steps) > MOST_WORK {
        remarks
            .push("The graph is too large for the expected error; see muffliato average.".into());
        return Ok((None, Vec::new()));
    }
    let (mut series, mut errors) = (Vec::new(), Vec::new());
    for (layer, report) in reports {
        let tau = report.protocol.uniform().unwrap_or_default().tau.map_or(0.0, Fraction::to_f64);
        let gains = NoiseGain::by_step(report.protocol, &session.progress("expected error"))?;
        let error = |gain: &NoiseGain| gain.error(noise.sigma, tau, noise.sensitivity);
        let found: Vec<f64> = gains.iter().map(error).collect();
        let last = found.last().copied().unwrap_or(f64::NAN);
        errors.push(last);
        let longer = report.protocol.steps() > steps;
        let at = |t: usize| if longer { last } else { found[t.min(found.len() - 1)] };
        let points = (0..=steps).map(|t| (t as f64, at(t))).collect();
        series.push(match longer {
            true => {
                let name = format!("{}, {} steps", short(*layer), report.protocol.steps());
                Series::new(name, points).dashed().coloured(colour(*layer))
            }
            false => Series::new(short(*layer), points).coloured(colour(*layer)),
        });
    }
    let floor = noise.sigma * noise.sigma / (2.0 * nodes as f64);
    let level = (0..=steps).map(|t| (t as f64, floor)).collect();
    series.push(Series::new("noise of the mean", level).dashed());
    let chart = Picture::from(LineChart {
        title: String::new(),
        x: Axis::linear("gossip steps"),
        y: Axis::log("expected error"),
        series,
    });
    Ok((Some(chart), errors))
}
