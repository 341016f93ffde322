//! Figure 4: loss against Euclidean distance in a random geometric graph.

use super::averaging::Averaging;
use super::exhibit::{Exhibit, Finding, Plate, Sheet, row};
use super::fig1a::connected_geometric;
use super::setting::{SIGMA, Setting, choose, rank_correlation, short};
use anyhow::Context;
use muffliato::plot::{Axis, Colour, LineChart, Series, SmallMultiples};

pub fn run(setting: &Setting<'_>) -> anyhow::Result<Exhibit> {
    let (nodes, radius) = setting.choose((2000, 0.08), (200, 0.17));
    let graph = connected_geometric(nodes, radius, setting.seed)?;
    let averaging =
        Averaging::new(setting, "geometric", graph, SIGMA)?.with_authors_cap(f64::INFINITY);
    let positions = averaging.graph().positions().context("a geometric graph has positions")?;
    let watching = setting.sample(nodes, 1)[0];
    let away = |node: usize| {
        let [x, y] = positions[node];
        (x - positions[watching][0]).hypot(y - positions[watching][1])
    };
    let formula = averaging.bound_around(watching)?;
    let leaked = averaging.leakage_towards(watching)?;
    let refreshed = averaging.refreshed_towards(watching)?;
    let head = "node,euclidean_distance,paper_bound,one_shot_estimate,refreshed_certified,one_shot_at_most";
    let mut sheet = Sheet::new("fig4", head);
    let mut points = [const { Vec::new() }; 4];
    for node in (0..nodes).filter(|&node| node != watching) {
        let losses = [&formula, &leaked.estimates, &refreshed.losses, &leaked.at_most]
            .map(|losses| losses[node].unwrap_or(0.0));
        sheet.push(row![node, away(node); losses]);
        for (points, loss) in points.iter_mut().zip(losses) {
            points.push((away(node), loss));
        }
    }
    let [bound, leaked, repaired] =
        [&points[0], &points[1], &points[2]].map(|points| rank_correlation(points));
    let full = points[1].iter().filter(|point| point.1 > 0.99).count();
    let names = [
        setting.bound_name(),
        "one-shot leakage (estimate)",
        "fresh noise, certified",
        "one-shot leakage, at most (certified)",
    ];
    let mut correlations = Sheet::new("fig4_correlation", "quantity,rank_correlation");
    for (name, correlation) in names.iter().zip([bound, leaked, repaired]) {
        correlations.push(row![name, correlation]);
    }
    correlations.push(row!["nodes of which more than 0.99 leaks (estimate)", full]);
    // The clouds would hide each other in one chart.
    let [bounds, estimates, fresh, at_most] = points;
    let titled = [
        (setting.refuted_bound(), bounds, Colour::Paper),
        (names[2].into(), fresh, Colour::Refreshed),
        (names[1].into(), estimates, Colour::OneShot),
        (names[3].into(), at_most, Colour::OneShot),
    ];
    let charts = titled.map(|(title, points, colour)| LineChart {
        title,
        x: Axis::linear("Euclidean distance"),
        y: Axis::log("loss in units of L"),
        series: vec![Series::new("loss", points).scattered().coloured(colour)],
    });
    let chart = SmallMultiples {
        title: format!("Loss towards one node, geometric graph, n = {nodes}, r = {radius}"),
        charts: charts.into(),
        own_x: false,
        own_y: false,
    };
    Ok(Exhibit {
        title: format!("Figure 4: loss and Euclidean distance, n = {nodes}"),
        method: format!(
            "A connected random geometric graph, one observer{}, sigma = 1, {} steps. Losses with \
             fresh noise are {}.",
            choose(setting.as_authors, ", who is the source in the formula", ""),
            averaging.steps,
            if refreshed.is_leakage {
                "enclosures of the leakage"
            } else {
                "first-passage bounds, certified but not tight"
            }
        ),
        sheets: vec![sheet, correlations],
        plates: vec![Plate::new("fig4", "Loss of every node towards one observer.", chart)],
        findings: vec![finding([bound, leaked, repaired], full, nodes)],
    })
}

/// Rank correlation below which the relation counts as close.
const CLOSE: f64 = -0.9;

fn finding([bound, leaked, repaired]: [f64; 3], full: usize, nodes: usize) -> Finding {
    let told = |correlation: f64| {
        let follows = choose(correlation < CLOSE, "follows it", "does not");
        format!("{follows} ({})", short(correlation))
    };
    Finding::claimed(
        "The loss follows the Euclidean distance closely.",
        format!(
            "Spearman's rank correlation, where below {CLOSE} counts as close: the formula {}; the \
             one-shot leakage (an estimate) {}, and {full} of {} nodes lose more than 99 %; the \
             certified loss with fresh noise {}.",
            told(bound),
            told(leaked),
            nodes - 1,
            told(repaired)
        ),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use muffliato::command::session::Session;

    /// Figure 4 is not capped, with `--as-authors` neither; there it shows the loss of one node and
    /// begins one step later.
    #[test]
    fn the_authors_show_another_loss_that_is_not_cut_off() {
        let session = Session::new(true);
        let [paper, authors] = [false, true].map(|as_authors| {
            let setting = Setting::quick(&session, as_authors);
            let rows = run(&setting).unwrap().sheets.remove(0).rows;
            let losses = rows.iter().map(|row| row[2].parse().unwrap());
            losses.collect::<Vec<f64>>()
        });
        for losses in [&paper, &authors] {
            assert!(losses.iter().any(|&loss| loss > 1.0), "{losses:?}");
        }
        assert!(paper.iter().sum::<f64>() > authors.iter().sum::<f64>());
        assert_ne!(paper, authors);
    }

    #[test]
    fn words_follow_from_the_numbers() {
        let found = finding([-0.95, -0.2, -0.85], 7, 11).found;
        assert!(found.contains("the formula follows it (-0.950)"), "{found}");
        assert!(found.contains("(an estimate) does not (-0.200), and 7 of 10 nodes"), "{found}");
        assert!(found.contains("fresh noise does not (-0.850)"), "{found}");
    }
}
