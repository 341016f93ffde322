//! Figure 1a: loss by distance on four synthetic graphs.

use super::averaging::Averaging;
use super::exhibit::{Exhibit, Finding, Plate, Sheet};
use super::setting::{ByDistance, SIGMA, Setting, short};
use muffliato::model::families;
use muffliato::plot::{Axis, LineChart, Series};
use muffliato::prelude::*;

/// One curve of a picture.
pub struct Curve {
    /// What the graph is called.
    pub name: String,
    /// Losses by distance.
    pub losses: ByDistance,
}

impl Curve {
    /// A curve with its smallest and largest values as a band.
    pub fn series(&self) -> Series {
        let points = self.losses.iter();
        let points = points.map(|(&distance, spread)| (distance as f64, spread.mean));
        let band = self.losses.iter();
        let band = band.map(|(&distance, spread)| (distance as f64, spread.least, spread.most));
        Series::new(self.name.clone(), points.collect()).with_band(band.collect())
    }
}

/// A chart of losses by distance.
pub fn chart(title: String, curves: &[Curve]) -> LineChart {
    LineChart {
        title,
        x: Axis::linear("distance in the graph"),
        y: Axis::log("loss, in units of L (1 is LDP)"),
        series: curves.iter().map(Curve::series).collect(),
    }
}

/// Adds the rows of a curve.
pub fn push(sheet: &mut Sheet, quantity: &str, steps: usize, curve: &Curve) {
    for (distance, spread) in &curve.losses {
        let mut row = vec![
            curve.name.clone(),
            steps.to_string(),
            quantity.to_string(),
            distance.to_string(),
        ];
        row.extend(spread.cells());
        sheet.push(row);
    }
}

/// The columns of such rows.
pub const HEAD: [&str; 8] = [
    "graph", "steps", "quantity", "distance", "pairs", "mean", "least", "most",
];

/// The four graphs, with the seeds of the random ones.
pub fn graphs(setting: &Setting<'_>) -> anyhow::Result<Vec<(&'static str, Vec<Graph>)>> {
    let (dimension, side) = setting.choose((11, 45), (7, 11));
    let nodes = 1 << dimension;
    let q = (nodes as f64).ln() / nodes as f64;
    let runs = setting.trials_or(5, 2) as u64;
    let random = (0..runs).map(|run| families::erdos_renyi_connected(nodes, q, setting.seed + run));
    let geometric = connected_geometric(nodes, setting.choose(0.07, 0.2), setting.seed)?;
    Ok(vec![
        ("hypercube", vec![families::hypercube(dimension)?]),
        ("Erdos-Renyi", random.collect::<Result<_, _>>()?),
        ("geometric", vec![geometric]),
        ("grid", vec![families::grid(&[side, side])?]),
    ])
}

/// The random geometric graph of the smallest seed from the given one on that is connected.
pub fn connected_geometric(nodes: usize, radius: f64, seed: u64) -> anyhow::Result<Graph> {
    const TRIES: u64 = 1000;
    for seed in seed..seed.saturating_add(TRIES) {
        let graph = families::geometric(nodes, radius, seed)?;
        if graph.is_connected() {
            return Ok(graph);
        }
    }
    anyhow::bail!("none of {TRIES} geometric graphs was connected; give another --seed")
}

/// The figure.
pub fn run(setting: &Setting<'_>) -> anyhow::Result<Exhibit> {
    let mut sheet = Sheet::new("fig1a", &HEAD);
    let (mut bounds, mut leaks, mut repaired) = (Vec::new(), Vec::new(), Vec::new());
    let mut closed_forms = Vec::new();
    for (name, graphs) in graphs(setting)? {
        let (mut formula, mut leakage, mut refreshed) = (Vec::new(), Vec::new(), Vec::new());
        let mut steps = 0;
        for graph in graphs {
            let nodes = graph.nodes();
            let averaging = Averaging::on(setting, name, graph, SIGMA)?;
            steps = steps.max(averaging.steps);
            formula.push(averaging.bound_by_distance()?);
            // All nodes of a hypercube see the same.
            let observers = match name {
                "hypercube" => vec![0],
                _ => setting.sample(nodes, 2),
            };
            leakage.push(averaging.towards(&observers, |v| averaging.leakage_towards(v))?);
            refreshed.push(averaging.towards(&observers, |v| {
                let found = averaging.refreshed_towards(v)?;
                if !found.is_leakage && !closed_forms.contains(&name) {
                    closed_forms.push(name);
                }
                Ok(found.losses)
            })?);
        }
        let mut formula = merged(formula);
        if setting.as_authors {
            formula.pop_last();
        }
        for (quantity, losses, curves) in [
            (setting.bound_name(), formula, &mut bounds),
            ("one-shot leakage, estimate", merged(leakage), &mut leaks),
            ("refreshed, certified", merged(refreshed), &mut repaired),
        ] {
            let name = name.to_string();
            let curve = Curve { name, losses };
            push(&mut sheet, quantity, steps, &curve);
            curves.push(curve);
        }
    }
    let nodes = setting.choose("2048 nodes (grid 45x45)", "128 nodes (quick run)");
    Ok(Exhibit {
        title: format!("Figure 1a: loss by distance on four graphs, {nodes}"),
        method: format!(
            "Metropolis weights, alpha = 2, sigma = 1, the steps of Theorem 2. {} for all pairs; leakage and \
             fresh noise (tau = 1/sqrt(n), plain gossip for the same steps) for sampled observers. {}",
            setting.bound_name(),
            match closed_forms.is_empty() {
                true => String::new(),
                false => format!(
                    "On {} the refreshed losses are the first-passage bound, which is certified but not tight.",
                    closed_forms.join(" and ")
                ),
            }
        ),
        findings: findings(&bounds, &leaks, &repaired),
        plates: vec![
            Plate::new(
                "fig1a",
                "What the paper promises: mean, smallest and largest value over pairs at each distance.",
                chart(format!("{}, {nodes}", setting.bound_name()), &bounds),
            ),
            Plate::new(
                "fig1a_leakage",
                "What the same messages reveal to an observer who knows its own noise (estimates; where they err, they are too low).",
                chart(format!("One-shot leakage (estimate), {nodes}"), &leaks),
            ),
            Plate::new(
                "fig1a_refreshed",
                "With fresh noise of sigma/sqrt(n) at each step: certified upper ends.",
                chart(format!("Fresh noise, certified, {nodes}"), &repaired),
            ),
        ],
        sheets: vec![sheet],
    })
}

/// Several runs of the same random graph, as one.
fn merged(runs: Vec<ByDistance>) -> ByDistance {
    let mut all = ByDistance::new();
    for (distance, spread) in runs.into_iter().flatten() {
        all.entry(distance)
            .and_modify(|known| {
                let count = known.count + spread.count;
                known.mean += (spread.mean - known.mean) * spread.count as f64 / count as f64;
                known.count = count;
                known.least = known.least.min(spread.least);
                known.most = known.most.max(spread.most);
            })
            .or_insert(spread);
    }
    all
}

/// At the largest distance of a curve: the distance and the mean.
fn far(curve: &Curve) -> (usize, f64) {
    let last = curve.losses.last_key_value();
    last.map_or((0, f64::NAN), |(&distance, spread)| (distance, spread.mean))
}

/// The smallest mean at any distance.
fn least(curve: &Curve) -> f64 {
    let means = curve.losses.values().map(|spread| spread.mean);
    means.fold(f64::INFINITY, f64::min)
}

fn findings(bounds: &[Curve], leaks: &[Curve], repaired: &[Curve]) -> Vec<Finding> {
    let cube = &bounds[0].losses;
    let no_spread = cube
        .values()
        .all(|spread| spread.most - spread.least <= 1e-9 * spread.most);
    let means: Vec<f64> = cube.values().map(|spread| spread.mean).collect();
    let falls = means
        .windows(2)
        .all(|pair| pair[1] <= pair[0] * (1.0 + 1e-9));
    let told = |curves: &[Curve]| {
        let told = curves.iter().map(|curve| {
            let (distance, mean) = far(curve);
            format!("{} {} (distance {distance})", curve.name, short(mean))
        });
        told.collect::<Vec<_>>().join(", ")
    };
    vec![
        Finding::new(
            "On the hypercube the distance determines the loss, and more distance means less loss.",
            format!(
                "The formula {} at each distance and {} with distance. Mean at the largest distance shown: {}.",
                if no_spread {
                    "has one value"
                } else {
                    "has several values"
                },
                if falls {
                    "falls"
                } else {
                    "does not always fall"
                },
                told(bounds)
            ),
        ),
        Finding::new(
            "Privacy is amplified by distance.",
            format!(
                "Not for the protocol itself: its messages reveal, at the largest distance, {} of the local loss. The \
                 formula adds up messages as if they were independent; an observer can subtract them from each other. At middle \
                 distances of the hypercube the leakage is small, down to {}; it is the mean over all sources that the paper's \
                 analysis gets right.",
                told(leaks),
                short(least(&leaks[0]))
            ),
        ),
        Finding::new(
            "The conclusion can be had by a small change.",
            format!(
                "With fresh noise of sigma/sqrt(n) at each step the certified loss at the largest distance is: {}.",
                told(repaired)
            ),
        ),
    ]
}
