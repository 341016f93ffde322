//! Figure 1c and Table 2: logistic regression by Muffliato-GD.

use super::authors;
use super::descent_account::{Accounts, account, sum_over_rounds};
use super::descent_run::{ROUNDS, Rounds, SIGMA, STEP_SIZE, accuracies};
use super::exhibit::{Exhibit, Finding, Plate, Sheet, row};
use super::setting::{Setting, Spread, choose, mean_and_deviation, short};
use anyhow::Context;
use muffliato::fast::Progress;
use muffliato::plot::{Axis, Histogram, LineChart, Series, SmallMultiples};

pub fn run(setting: &Setting<'_>) -> anyhow::Result<Exhibit> {
    let sizes = setting.choose([2000, 4000], [200, 400]);
    let trials = setting.trials_or(10, 2);
    let sigma = if setting.as_authors { authors::descent::NOISE } else { SIGMA };
    let mut source = "";
    let mut sheet = Sheet::new(
        "fig1c_accuracy",
        "nodes,round,trials,gossip,gossip_deviation,trusted,trusted_deviation",
    );
    let (mut charts, mut findings) = (Vec::new(), Vec::new());
    let mut parameters = Sheet::new("table2", "nodes,trials,step_size,rounds,gossip_steps,q,sigma");
    for nodes in sizes {
        let bar = setting.session.progress("training");
        let mut runs = Vec::new();
        for trial in 0..trials {
            bar.check(trial, trials)?;
            let seed = setting.seed + trial as u64;
            let session = setting.session;
            let (examples, name) = setting.data.houses(seed, &mut |note| session.note(&note))?;
            source = name;
            if trial == 0 {
                let rounds = Rounds::new(setting, nodes, examples.dimension, seed)?;
                let q = (nodes as f64).ln() / nodes as f64;
                let row = row![nodes, trials, STEP_SIZE, ROUNDS, rounds.steps, q, sigma];
                parameters.push(row);
            }
            runs.push(accuracies(setting, &examples, nodes, seed)?);
        }
        let at = |way: usize, round: usize| {
            mean_and_deviation(&runs.iter().map(|run| run[way][round]).collect::<Vec<_>>())
        };
        let mut series = Vec::new();
        for (way, name) in ["gossip", "trusted"].into_iter().enumerate() {
            let points = (1..=ROUNDS).map(|round| (round as f64, at(way, round).0));
            let band = (1..=ROUNDS).map(|round| {
                let (mean, deviation) = at(way, round);
                (round as f64, mean - deviation, mean + deviation)
            });
            let line = Series::new(name, points.collect());
            series.push(line.with_band(band.collect()));
        }
        charts.push(LineChart {
            title: format!("n = {nodes}"),
            x: Axis::linear("rounds"),
            y: Axis::linear("accuracy on test examples"),
            series,
        });
        for round in 0..=ROUNDS {
            let (gossip, trusted) = (at(0, round), at(1, round));
            let numbers = [gossip.0, gossip.1, trusted.0, trusted.1];
            sheet.push(row![nodes, round, trials; numbers]);
        }
        let (gossip, trusted) = (at(0, ROUNDS).0, at(1, ROUNDS).0);
        findings.push(Finding::claimed(
            format!("n = {nodes}: gossip is as accurate as a trusted aggregator."),
            format!(
                "After {ROUNDS} rounds the accuracy is {:.2} % with gossip and {:.2} % with a \
                 trusted aggregator, {} one point of each other.",
                100.0 * gossip,
                100.0 * trusted,
                choose((gossip - trusted).abs() < 0.01, "within", "not within")
            ),
        ));
    }
    let mut plates = Vec::new();
    let mut losses = Sheet::new("fig1c_losses", "nodes,source,sum_over_rounds");
    let mut spreads = Vec::new();
    for nodes in sizes {
        let found = sum_over_rounds(setting, nodes, ROUNDS)?;
        for (source, loss) in found.iter().enumerate() {
            if let Some(loss) = loss {
                losses.push(row![nodes, source, loss]);
            }
        }
        let values: Vec<f64> = found.into_iter().flatten().collect();
        let spread = Spread::of(values.iter().copied());
        spreads.push(spread.context("a network of one node has no losses")?);
        plates.push(Plate::new(
            &format!("fig1c_{nodes}"),
            format!(
                "n = {nodes}: the formula, summed over the rounds, of all others {} one node (LDP: \
                 {ROUNDS} L).",
                setting.direction()
            ),
            Histogram {
                title: format!(
                    "{} summed over {ROUNDS} rounds, n = {nodes}",
                    setting.refuted_bound()
                ),
                x: Axis::log("loss, in units of L"),
                count_label: "nodes".into(),
                values,
                bins: 40,
            },
        ));
    }
    findings.push(spread_of_losses(spreads[0], spreads[1]));
    let exact = setting.choose([60, 120], [20, 30]);
    let mut table = Sheet::new("fig1c_exact", Accounts::HEAD);
    for nodes in exact {
        let found = account(setting, nodes)?;
        table.push(found.row());
        findings.push(found.finding());
    }
    let chart = SmallMultiples {
        title: format!("Logistic regression, {source}"),
        charts,
        own_x: false,
        own_y: false,
    };
    plates.insert(
        0,
        Plate::new(
            "fig1c_accuracy",
            "Accuracy with gossip and with a trusted aggregator: mean and standard deviation over \
             trials.",
            chart,
        ),
    );
    Ok(Exhibit {
        title: format!("Figure 1c and Table 2: logistic regression, {source}"),
        method: format!(
            "Features are standardised, rows have norm 1, and 80 % are used for training. Step \
             size {STEP_SIZE}, gradients clipped at 1 with noise of standard deviation {sigma}, \
             {ROUNDS} rounds of accelerated gossip, each on a new connected Erdos-Renyi graph with \
             q = ln n / n. Like the authors' program, the histogram adds up the losses of separate \
             rounds. Leakage treats gradients as inputs and is computed on smaller graphs with \
             fewer rounds of plain gossip."
        ),
        sheets: vec![parameters, sheet, losses, table],
        plates,
        findings,
    })
}

/// Compares the losses of a smaller and a larger network.
fn spread_of_losses(small: Spread, large: Spread) -> Finding {
    Finding::claimed(
        "Losses are spread evenly and fall as n grows.",
        format!(
            "The mean of the formula {} from {} to {} (LDP: {ROUNDS}); the largest loss is {} and \
             {} times the mean.",
            choose(large.mean < small.mean, "falls", "does not fall"),
            short(small.mean),
            short(large.mean),
            short(small.most / small.mean),
            short(large.most / large.mean)
        ),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_follow_from_the_numbers() {
        let even = Spread::of([1.0, 3.0]).unwrap();
        let small = Spread::of([0.5, 0.5, 2.0]).unwrap();
        let found = spread_of_losses(even, small).found;
        assert!(found.contains("formula falls from 2.00 to 1.00"), "{found}");
        assert!(found.contains("1.50 and 2.00 times the mean"), "{found}");
        let found = spread_of_losses(small, even).found;
        assert!(found.contains("does not fall from 1.00"), "{found}");
    }
}
