//! Beyond the paper: what fresh noise costs, and what it buys.
//!
//! For each tau the noise sigma is the smallest that is (epsilon, delta)-private towards every node at distance 2 or more by the
//! certified leakage, and the error is the expected one with that sigma.

use super::exhibit::{Exhibit, Finding, Plate, Sheet};
use super::frontier::{Frontier, Point};
use super::setting::{Setting, short};
use muffliato::account::Status;
use muffliato::plot::{Axis, LineChart, Series, SmallMultiples};

/// The target.
pub const EPSILON: f64 = 1.0;
/// The target.
pub const DELTA: f64 = 1e-6;

const HEAD: [&str; 11] = [
    "graph",
    "nodes",
    "accelerated",
    "steps",
    "tau",
    "leakage",
    "sigma",
    "error",
    "error_over_trusted",
    "error_over_ldp",
    "neighbour_epsilon",
];

fn row(frontier: &Frontier, tau: f64, point: &Point) -> Vec<String> {
    let [trusted, local] = [frontier.trusted(), frontier.local()];
    let numbers = [
        tau,
        point.leakage,
        point.sigma,
        point.error,
        point.error / trusted,
        point.error / local,
        point.neighbour_epsilon,
    ];
    let mut row = vec![
        frontier.name.clone(),
        frontier.nodes.to_string(),
        frontier.accelerated.to_string(),
        frontier.steps.to_string(),
    ];
    row.extend(numbers.map(|number| number.to_string()));
    row
}

/// The experiment.
pub fn run(setting: &Setting<'_>) -> anyhow::Result<Exhibit> {
    let graphs = setting.choose(
        [
            "hypercube:9",
            "regular:512:d=8:seed=1",
            "torus:12x12",
            "ring:24",
        ],
        [
            "hypercube:5",
            "regular:32:d=4:seed=1",
            "torus:5x5",
            "ring:8",
        ],
    );
    let mut sheet = Sheet::new("refresh", &HEAD);
    let (mut charts, mut findings) = (Vec::new(), Vec::new());
    for graph in graphs {
        let mut series = Vec::new();
        for accelerated in [false, true] {
            let frontier = Frontier::of(setting, graph, accelerated)?;
            let one_shot = frontier.one_shot(setting)?;
            let mut one_shot_row = row(&frontier, 0.0, &one_shot);
            one_shot_row[5] = format!("{} ({})", one_shot.leakage, known(&one_shot));
            sheet.push(one_shot_row);
            let points = frontier.points(setting)?;
            for (tau, point) in &points {
                sheet.push(row(&frontier, *tau, point));
            }
            let kind = if accelerated { "accelerated" } else { "plain" };
            let trusted = frontier.trusted();
            let curve = points
                .iter()
                .map(|(tau, point)| (*tau, point.error / trusted));
            series.push(Series::new(kind, curve.collect()));
            if let Some((tau, best)) = best(&points) {
                findings.push(Finding::new(
                    format!("{graph}, {kind}, {} steps:", frontier.steps),
                    format!(
                        "the best tau is {} (1/sqrt(n) is {}), with an error {} times that of the trusted aggregator and {} times \
                         that of LDP; one-shot noise that is safe for its leakage ({}) costs {} times the trusted error. \
                         Neighbours get epsilon = {} from the best.",
                        short(tau),
                        short((frontier.nodes as f64).sqrt().recip()),
                        short(best.error / trusted),
                        short(best.error / frontier.local()),
                        known(&one_shot),
                        short(one_shot.error / trusted),
                        short(best.neighbour_epsilon)
                    ),
                ));
            }
        }
        charts.push(LineChart {
            title: (*graph).to_string(),
            x: Axis::log("tau, in units of sigma"),
            y: Axis::log("error over that of a trusted aggregator"),
            series,
        });
    }
    let mut growth = Sheet::new("refresh_growth", &HEAD);
    let (mut taus, mut roots, mut gains, mut trusted_gains) = (vec![], vec![], vec![], vec![]);
    for dimension in setting.choose(5..=10, 3..=6) {
        let frontier = Frontier::of(setting, &format!("hypercube:{dimension}"), true)?;
        let points = frontier.points(setting)?;
        if let Some((tau, point)) = best(&points) {
            growth.push(row(&frontier, tau, &point));
            let n = frontier.nodes as f64;
            taus.push((n, tau));
            roots.push((n, n.sqrt().recip()));
            gains.push((n, point.error / frontier.local()));
            trusted_gains.push((n, frontier.trusted() / frontier.local()));
        }
    }
    if let (Some(first), Some(last)) = (taus.first(), taus.last()) {
        findings.push(Finding::new(
            "How the best tau moves with n (hypercubes, accelerated):",
            format!(
                "from {} at n = {} to {} at n = {}.",
                short(first.1),
                first.0,
                short(last.1),
                last.0
            ),
        ));
    }
    let chart = SmallMultiples {
        title: format!(
            "Error at epsilon = {EPSILON}, delta = {DELTA:e} towards distance 2 and more"
        ),
        charts,
        own_x: false,
    };
    let growth_chart = LineChart {
        title: "The best tau as hypercubes grow".into(),
        x: Axis::log("n"),
        y: Axis::log("tau; error over that of LDP"),
        series: vec![
            Series::new("best tau", taus),
            Series::new("1/sqrt(n)", roots),
            Series::new("error / LDP", gains),
            Series::new("trusted / LDP", trusted_gains),
        ],
    };
    Ok(Exhibit {
        title: "Beyond the paper: the price of fresh noise".into(),
        method: format!(
            "Inputs in [0, 1]. For each tau, sigma is the smallest that gives ({EPSILON}, {DELTA:e}) towards all nodes at distance 2 \
             and more by the certified leakage (all observers of a vertex-transitive graph see the same; two sampled ones of the random \
             graph); the error is the expected one, an estimate. Steps: ln(n) over twice the gap for plain gossip, over its root for accelerated. \
             A complete graph has no such pairs. Neighbours are protected by sigma alone."
        ),
        sheets: vec![sheet, growth],
        plates: vec![
            Plate::new(
                "refresh",
                "Too little fresh noise lets observers subtract; too much drowns the mean.",
                chart,
            ),
            Plate::new(
                "refresh_growth",
                "The best tau, and the error with it, against n.",
                growth_chart,
            ),
        ],
        findings,
    })
}

/// What is known about a leakage: of an estimate, the upper end is taken.
fn known(point: &Point) -> &'static str {
    match point.status {
        Status::Estimate => "an upper end",
        status => status.word(),
    }
}

/// The point with the smallest error.
fn best(points: &[(f64, Point)]) -> Option<(f64, Point)> {
    let least = points.iter().min_by(|a, b| a.1.error.total_cmp(&b.1.error));
    least.copied()
}
