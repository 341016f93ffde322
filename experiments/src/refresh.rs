//! Beyond the paper: costs and benefits of fresh noise.
//!
//! For each tau, sigma is the smallest noise that is (epsilon, delta)-private towards every node at
//! distance 2 or more by the certified leakage. The error is the expected one with this sigma.

use super::exhibit::{Exhibit, Finding, Plate, Sheet, row};
use super::setting::{Setting, gap_of, short};
use muffliato::account::{
    Account, Choice, Formulas, Guarantee, NoiseGain, Observers, ProvedFor, Status, steps_to_mix,
};
use muffliato::fast::acceleration_fraction;
use muffliato::plot::{Axis, LineChart, Series, SmallMultiples};
use muffliato::prelude::{Fraction, GraphSpec, Network, Protocol};

/// Target epsilon.
pub const EPSILON: f64 = 1.0;
/// Target delta.
pub const DELTA: f64 = 1e-6;

const HEAD: &str = "graph,nodes,accelerated,steps,tau,leakage,sigma,error,error_over_trusted,error_over_ldp,neighbour_epsilon";

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
    row![frontier.name, frontier.nodes, frontier.accelerated, frontier.steps; numbers]
}

pub fn run(setting: &Setting<'_>) -> anyhow::Result<Exhibit> {
    let graphs = setting.choose(
        ["hypercube:9", "regular:512:d=8:seed=1", "torus:12x12", "ring:24"],
        ["hypercube:5", "regular:32:d=4:seed=1", "torus:5x5", "ring:8"],
    );
    let mut sheet = Sheet::new("refresh", HEAD);
    let (mut charts, mut findings) = (Vec::new(), Vec::new());
    for graph in graphs {
        let mut series = Vec::new();
        for accelerated in [false, true] {
            let frontier = Frontier::of(setting, graph, accelerated)?;
            let one_shot = frontier.one_shot(setting)?;
            let mut one_shot_row = row(&frontier, 0.0, &one_shot);
            one_shot_row[5] = format!("{} ({})", one_shot.leakage, status_text(&one_shot));
            sheet.push(one_shot_row);
            let points = frontier.points(setting)?;
            for (tau, point) in &points {
                sheet.push(row(&frontier, *tau, point));
            }
            let kind = if accelerated { "accelerated" } else { "plain" };
            let trusted = frontier.trusted();
            let curve = points.iter().map(|(tau, point)| (*tau, point.error / trusted));
            series.push(Series::new(kind, curve.collect()));
            if let Some((tau, best)) = best(&points) {
                findings.push(Finding::measured(
                    format!("{graph}, {kind}, {} steps:", frontier.steps),
                    format!(
                        "the best tau is {} (1/sqrt(n) is {}), with an error {} times that of a \
                         trusted aggregator and {} times that of LDP. One-shot noise that meets \
                         the target by its leakage ({}) has {} times the error of a trusted \
                         aggregator. With the best tau, neighbours get epsilon = {}.",
                        short(tau),
                        short((frontier.nodes as f64).sqrt().recip()),
                        short(best.error / trusted),
                        short(best.error / frontier.local()),
                        status_text(&one_shot),
                        short(one_shot.error / trusted),
                        short(best.neighbour_epsilon)
                    ),
                ));
            }
        }
        charts.push(LineChart {
            title: (*graph).to_string(),
            x: Axis::log("tau, in units of sigma"),
            y: Axis::log("error over trusted error"),
            series,
        });
    }
    let mut growth = Sheet::new("refresh_growth", HEAD);
    let mut curves = ["best tau", "1/sqrt(n)", "error / LDP", "trusted / LDP"]
        .map(|name| Series::new(name, Vec::new()));
    for dimension in setting.choose(5..=10, 3..=6) {
        let frontier = Frontier::of(setting, &format!("hypercube:{dimension}"), true)?;
        let points = frontier.points(setting)?;
        if let Some((tau, point)) = best(&points) {
            growth.push(row(&frontier, tau, &point));
            let n = frontier.nodes as f64;
            let local = frontier.local();
            let heights = [tau, n.sqrt().recip(), point.error / local, frontier.trusted() / local];
            for (curve, height) in curves.iter_mut().zip(heights) {
                curve.points.push((n, height));
            }
        }
    }
    let taus = &curves[0].points;
    if let (Some(first), Some(last)) = (taus.first(), taus.last()) {
        findings.push(Finding::measured(
            "The best tau by n (hypercubes, accelerated):",
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
        own_y: false,
    };
    let growth_chart = LineChart {
        title: "The best tau as hypercubes grow".into(),
        x: Axis::log("n"),
        y: Axis::log("tau; error over that of LDP"),
        series: curves.into(),
    };
    Ok(Exhibit {
        title: "Beyond the paper: the price of fresh noise".into(),
        method: format!(
            "Inputs in [0, 1]. For each tau, sigma is the smallest noise that gives ({EPSILON}, \
             {DELTA:e})-privacy towards all nodes at distance 2 or more by the certified leakage \
             (one observer of a vertex-transitive graph, whose observers are all alike; two \
             sampled observers of the random graph). The error is the expected one, an estimate. \
             The number of steps is ln(n) over twice the gap for plain gossip and over its square \
             root for accelerated gossip. A complete graph has no pairs at distance 2. Neighbours \
             are protected by sigma alone."
        ),
        sheets: vec![sheet, growth],
        plates: vec![
            Plate::new(
                "refresh",
                "With too little fresh noise observers can subtract messages; with too much the \
                 mean drowns in noise.",
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

/// Describes the status of a leakage; the upper end of an estimate is used.
fn status_text(point: &Point) -> &'static str {
    match point.status {
        Status::Estimate => "an upper end",
        status => status.as_str(),
    }
}

/// Returns the point with the smallest error.
fn best(points: &[(f64, Point)]) -> Option<(f64, Point)> {
    let least = points.iter().min_by(|a, b| a.1.error.total_cmp(&b.1.error));
    least.copied()
}

/// A protocol without fresh noise, and everything needed to evaluate it at each tau.
struct Frontier {
    name: String,
    nodes: usize,
    accelerated: bool,
    steps: usize,
    protocol: Protocol,
    gain: NoiseGain,
    observers: Observers,
    /// Noise of LDP at the target.
    local_sigma: f64,
}

/// Results for one tau.
#[derive(Clone, Copy, Debug)]
struct Point {
    /// Largest leakage at distance 2 or more.
    leakage: f64,
    status: Status,
    /// Noise that meets the target.
    sigma: f64,
    /// Expected error with this noise.
    error: f64,
    /// Epsilon of neighbours, whose leakage is 1.
    neighbour_epsilon: f64,
}

/// Returns tau from 1e-4 to 1, three per power of ten.
fn taus() -> impl Iterator<Item = (f64, Fraction)> {
    (0..=12).filter_map(|k| {
        let tau = 10_f64.powf(-4.0 + f64::from(k) / 3.0);
        let below = 1_000_000;
        let above = (tau * below as f64).round() as i128;
        let fraction = Fraction::try_new(above, below).ok()?;
        Some((above as f64 / below as f64, fraction))
    })
}

/// Returns the guarantee of a neighbour, which loses its entire input.
fn local() -> Guarantee {
    Guarantee::local(ProvedFor::default())
}

impl Frontier {
    /// Creates the protocol on a graph, with the steps of plain or accelerated gossip.
    fn of(setting: &Setting<'_>, graph: &str, accelerated: bool) -> anyhow::Result<Self> {
        let built = graph.parse::<GraphSpec>()?.build()?;
        let nodes = built.nodes();
        let observers = if graph.starts_with("regular") {
            Observers::Listed(setting.sample(nodes, 2))
        } else {
            Observers::Listed(vec![0])
        };
        let network = Network::metropolis(built)?;
        let bar = setting.session.progress("steps");
        let steps = steps_to_mix(&"one-shot".parse()?, &network, accelerated, 1.0, 1.0, &bar)?;
        let steps = steps.max(2);
        let mut protocol = Protocol::one_shot(network.clone(), steps)?;
        if accelerated {
            protocol = protocol.accelerated(acceleration_fraction(gap_of(&network)?)?)?;
        }
        Ok(Self {
            name: graph.into(),
            nodes,
            accelerated,
            steps,
            gain: NoiseGain::of(&protocol, &setting.session.progress("expected error"))?,
            protocol,
            observers,
            local_sigma: local().sigma_for(EPSILON, DELTA, 1.0)?,
        })
    }

    /// Returns the error of LDP.
    fn local(&self) -> f64 {
        self.local_sigma.powi(2) / (2.0 * self.nodes as f64)
    }

    /// Returns the error of a trusted aggregator that adds noise to the mean.
    fn trusted(&self) -> f64 {
        self.local() / self.nodes as f64
    }

    /// Computes the largest loss at distance 2 or more with fresh noise of `tau` sigma, and the
    /// noise that meets the target.
    fn point(
        &self,
        setting: &Setting<'_>,
        tau: f64,
        protocol: &Protocol,
        choice: Choice,
    ) -> anyhow::Result<Point> {
        let bar = setting.session.progress(&self.name);
        let account = Account::of(protocol).observers(self.observers.clone());
        let account = account.formulas(Formulas::NONE).engine(choice).progress(&bar);
        let summary = account.build()?.summary()?;
        let (loss, largest) = (summary.largest_loss(2)?, summary.largest(2)?);
        let sigma = largest.promised()?.sigma_for(EPSILON, DELTA, 1.0)?;
        Ok(Point {
            leakage: loss.upper(),
            status: loss.status(),
            sigma,
            error: self.gain.error(sigma, tau, 1.0),
            neighbour_epsilon: local().at(sigma, 1.0)?.epsilon(DELTA)?,
        })
    }

    /// Evaluates the protocol without fresh noise.
    fn one_shot(&self, setting: &Setting<'_>) -> anyhow::Result<Point> {
        self.point(setting, 0.0, &self.protocol, Choice::Auto)
    }

    /// Evaluates every tau with certified losses.
    fn points(&self, setting: &Setting<'_>) -> anyhow::Result<Vec<(f64, Point)>> {
        let points = taus().map(|(tau, fraction)| {
            let refreshed = self.protocol.clone().refreshed(fraction)?;
            let point = self.point(setting, tau, &refreshed, Choice::Fast)?;
            Ok((tau, point))
        });
        points.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use muffliato::command::session::Session;

    /// More fresh noise never reveals more. The best error is far below that of LDP and above that
    /// of a trusted aggregator.
    #[test]
    fn the_frontier_lies_between_ldp_and_trust() {
        let session = Session::new(true);
        let setting = Setting::quick(&session, false);
        let frontier = Frontier::of(&setting, "hypercube:7", true).unwrap();
        let points = frontier.points(&setting).unwrap();
        for pair in points.windows(2) {
            assert!(pair[1].1.leakage <= pair[0].1.leakage * (1.0 + 1e-9), "{pair:?}");
        }
        let best = points.iter().map(|point| point.1.error).fold(f64::INFINITY, f64::min);
        println!("{best} between {} and {}", frontier.trusted(), frontier.local());
        assert!(best > frontier.trusted() && best < 0.5 * frontier.local());
    }
}
