//! Figure 1a: loss by distance on four synthetic graphs.

use super::averaging::Averaging;
use super::curves::{Curve, Curves, merge_runs};
use super::exhibit::{Exhibit, Finding};
use super::setting::{SIGMA, Setting, choose, short, where_true};
use muffliato::model::families;
use muffliato::prelude::*;

/// Returns the four graphs; random ones may have several instances.
pub fn graphs(setting: &Setting<'_>) -> anyhow::Result<Vec<(&'static str, Vec<Graph>)>> {
    let (dimension, side) = setting.choose((11, 45), (7, 11));
    let nodes = 1 << dimension;
    let q = (nodes as f64).ln() / nodes as f64;
    let runs = if setting.as_authors { 1 } else { setting.trials_or(5, 2) as u64 };
    let random = (0..runs).map(|run| families::erdos_renyi_connected(nodes, q, setting.seed + run));
    let geometric = connected_geometric(nodes, setting.choose(0.07, 0.2), setting.seed)?;
    Ok(vec![
        ("hypercube", vec![families::hypercube(dimension)?]),
        ("Erdos-Renyi", random.collect::<Result<_, _>>()?),
        ("geometric", vec![geometric]),
        ("grid", vec![families::grid(&[side, side])?]),
    ])
}

/// Returns the first connected random geometric graph, counting seeds up from `seed`.
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

pub fn run(setting: &Setting<'_>) -> anyhow::Result<Exhibit> {
    let mut curves = Curves::new(setting, "fig1a");
    let mut closed_forms = Vec::new();
    for (name, graphs) in graphs(setting)? {
        let (mut formula, mut leakage, mut refreshed) = (Vec::new(), Vec::new(), Vec::new());
        let mut steps = 0;
        for graph in graphs {
            let nodes = graph.nodes();
            let averaging = Averaging::new(setting, name, graph, SIGMA)?;
            steps = steps.max(averaging.steps);
            formula.push(if setting.as_authors {
                averaging.around(&[0], |source| averaging.bound_around(source))?
            } else {
                averaging.bound_by_distance()?
            });
            // All nodes of a hypercube have the same view.
            let observers = match name {
                "hypercube" => vec![0],
                _ => setting.sample(nodes, 2),
            };
            leakage.push(averaging.leakage_around(&observers)?);
            refreshed.push(averaging.around(&observers, |v| {
                let found = averaging.refreshed_towards(v)?;
                if !found.is_leakage && !closed_forms.contains(&name) {
                    closed_forms.push(name);
                }
                Ok(found.losses)
            })?);
        }
        let mut formula = merge_runs(formula);
        if setting.as_authors {
            // The program omits the largest distance.
            formula.pop_last();
        }
        let (estimates, ends) = leakage.into_iter().map(|[found, end]| (found, end)).unzip();
        let leakage = [merge_runs(estimates), merge_runs(ends)];
        curves.push(name, steps, formula, leakage, merge_runs(refreshed));
    }
    let nodes = setting.choose("2048 nodes (grid 45x45)", "128 nodes (quick run)");
    Ok(Exhibit {
        title: format!("Figure 1a: loss by distance on four graphs, {nodes}"),
        method: format!(
            "Metropolis weights, alpha = 2, sigma = 1, the number of steps of Theorem 2. {} for \
             {}; leakage and fresh noise (tau = 1/sqrt(n), plain gossip for the same steps) for \
             sampled observers. {}",
            setting.bound_name(),
            choose(setting.as_authors, "node 0 and all observers", "all pairs"),
            match closed_forms.is_empty() {
                true => String::new(),
                false => format!(
                    "Losses with fresh noise on {} are first-passage bounds: certified, but not \
                     tight.",
                    closed_forms.join(" and ")
                ),
            }
        ),
        findings: findings(&curves.bounds, &curves.leaks, &curves.repaired),
        plates: curves
            .plates(
                ["fig1a", "fig1a_leakage", "fig1a_refreshed"],
                [
                    "The paper's bound: mean, minimum and maximum over the pairs at each distance.",
                    "Leakage of the same messages to an observer who knows its own noise \
                     (estimates; if wrong, they are too low). Dashed: certified upper bound.",
                    "Loss with fresh noise of sigma/sqrt(n) at each step: certified upper bounds.",
                ],
                &format!(", {nodes}"),
                true,
            )
            .into(),
        sheets: vec![curves.sheet],
    })
}

fn findings(bounds: &[Curve], leaks: &[Curve], repaired: &[Curve]) -> Vec<Finding> {
    let told = |curves: &[Curve]| {
        let told = curves.iter().map(|curve| {
            let (distance, mean) = curve.farthest();
            format!("{} {} (distance {distance})", curve.name, short(mean))
        });
        told.collect::<Vec<_>>().join(", ")
    };
    let farthest = |curves: &[Curve], holds: &dyn Fn(f64) -> bool| {
        where_true(curves.iter().map(|curve| (&*curve.name, holds(curve.farthest().1))))
    };
    let mut cube = bounds[0].losses.values();
    let no_spread = cube.all(|spread| spread.most - spread.least <= 1e-9 * spread.most);
    let (middle, least) = leaks[0].smallest();
    vec![
        Finding::claimed(
            "On the hypercube the loss is determined by the distance and decreases with it.",
            format!(
                "The formula {} at each distance and {} with distance. Its mean at the largest \
                 distance shown: {}.",
                choose(no_spread, "has one value", "has several values"),
                choose(bounds[0].falls(), "falls", "does not always fall"),
                told(bounds)
            ),
        ),
        Finding::claimed(
            "Privacy is amplified by distance.",
            format!(
                "At the largest distance the messages reveal this share of the local loss: {}; \
                 more than half on {}. The leakage falls with distance all the way on {}; on the \
                 hypercube it is smallest at distance {middle}, {}. The formula adds up messages \
                 as if they were independent, but an observer can subtract one from another. The \
                 paper's analysis is right about the mean over all sources.",
                told(leaks),
                farthest(leaks, &|mean| mean > 0.5),
                where_true(leaks.iter().map(|curve| (&*curve.name, curve.falls()))),
                short(least)
            ),
        ),
        Finding::measured(
            "Fresh noise at each step.",
            format!(
                "With fresh noise of sigma/sqrt(n) the certified loss at the largest distance is: \
                 {}; it is below a hundredth on {}.",
                told(repaired),
                farthest(repaired, &|mean| mean < 0.01)
            ),
        ),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::setting::by_distance;

    fn curve(name: &str, means: &[f64]) -> Curve {
        let means = means.iter().enumerate();
        Curve::certified(name, by_distance(means.map(|(k, &mean)| (k + 1, mean))))
    }

    /// Wording follows the numbers.
    #[test]
    fn words_follow_from_the_numbers() {
        let high = [curve("cube", &[1.0, 0.2, 0.9]), curve("grid", &[1.0, 0.7])];
        let low = [curve("cube", &[1.0, 0.2, 0.001]), curve("grid", &[1.0, 0.3])];
        let told = |bounds: &[Curve], leaks: &[Curve], repaired: &[Curve]| {
            findings(bounds, leaks, repaired)
                .into_iter()
                .map(|finding| finding.found)
                .collect::<Vec<_>>()
        };
        let bad = told(&high, &high, &high);
        assert!(bad[0].contains("does not always fall"), "{bad:?}");
        assert!(bad[1].contains("more than half on all of them"), "{bad:?}");
        assert!(bad[1].contains("falls with distance all the way on grid;"), "{bad:?}");
        assert!(bad[1].contains("smallest at distance 2, 0.200"), "{bad:?}");
        assert!(bad[2].contains("below a hundredth on none of them"), "{bad:?}");
        let good = told(&low, &low, &low);
        assert!(good[0].contains("and falls with"), "{good:?}");
        assert!(good[1].contains("more than half on none of them"), "{good:?}");
        assert!(good[2].contains("below a hundredth on cube."), "{good:?}");
    }
}
