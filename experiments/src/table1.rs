//! Table 1: the error under a given mean loss, and its growth with n.
//!
//! The mean loss towards v is `L T_v / n` by the paper's formula and exactly `L (r_v - 1) / n`,
//! where r_v is the rank of the view. Therefore `sigma^2 = alpha Delta^2 T_v / (2 n eps)`, and the
//! error is that of the protocol with this sigma.

use super::exhibit::{Exhibit, Finding, Plate, Sheet, row};
use super::setting::{Setting, choose, exponent, gap_of, short, where_true};
use muffliato::account::NoiseGain;
use muffliato::fast::noise::NoiseSource;
use muffliato::fast::simulation::{EdgeActivation, GossipState};
use muffliato::fast::{
    OneShot, OneShotOptions, Rate, SparseWeights, acceleration_fraction, central_error,
    local_error, steps_to_converge,
};
use muffliato::plot::{Axis, LineChart, Series};
use muffliato::prelude::*;

/// A family of graphs of growing size: its name, the graphs, and the exponents in n that the table
/// claims for both algorithms.
type Family = (&'static str, Vec<String>, [f64; 2]);

fn families(setting: &Setting<'_>) -> [Family; 4] {
    let most = setting.choose(1024, 128);
    let doubling = |from: usize, most: usize, graph: fn(usize) -> String| {
        let sizes = (0..).map(|k| from << k).take_while(|&n| n <= most);
        sizes.map(graph).collect::<Vec<_>>()
    };
    let squares = [6, 8, 11, 16, 22, 32].into_iter().filter(|side| side * side <= most);
    let tori = squares.map(|side| format!("torus:{side}x{side}")).collect();
    let expanders = doubling(32, most, |n| format!("regular:{n}:d=8:seed=1"));
    let complete = doubling(32, most / 2, |n| format!("complete:{n}"));
    let rings = doubling(16, most / 4, |n| format!("ring:{n}"));
    [
        ("expander", expanders, [-2.0, -2.0]),
        ("2-torus", tori, [-1.5, -1.0]),
        ("complete", complete, [-1.0, -2.0]),
        ("ring", rings, [-1.0, -1.0]),
    ]
}

pub fn run(setting: &Setting<'_>) -> anyhow::Result<Exhibit> {
    let head = "graph,nodes,steps,ticks,algorithm1,algorithm1_by_rank_estimate,algorithm2,algorithm2_by_most_rank,ldp,trusted";
    let mut sheet = Sheet::new("table1", head);
    let fit_head = "graph,claimed1,fitted1,fitted1_without_logarithm,fitted1_by_rank_estimate,claimed2,fitted2,fitted2_without_logarithm,fitted2_by_most_rank";
    let mut fits = Sheet::new("table1_exponents", fit_head);
    let (mut series, mut findings) = ([Vec::new(), Vec::new()], Vec::new());
    let (mut remarks, mut periodic) = (Vec::new(), Vec::new());
    for (name, graphs, claimed) in families(setting) {
        let mut rows = Vec::new();
        for graph in &graphs {
            let row = measure(setting, graph)?;
            let n = row.nodes;
            let baselines = [
                local_error(n, ALPHA, 1.0, EPSILON)? / 2.0,
                central_error(n, ALPHA, 1.0, EPSILON)? / 2.0,
            ];
            let errors = [row.errors[0], row.errors[1], baselines].concat();
            sheet.push(row![graph, n, row.steps[0], row.steps[1]; errors]);
            rows.push(row);
        }
        let fitted = [0, 1].map(|algorithm| {
            let fit = |by: usize, logarithm: bool| {
                let points = rows.iter().map(|row| {
                    let n = row.nodes as f64;
                    (n, row.errors[algorithm][by] / if logarithm { n.ln() } else { 1.0 })
                });
                exponent(&points.collect::<Vec<_>>())
            };
            [claimed[algorithm], fit(0, false), fit(0, true), fit(1, false)]
        });
        fits.push(row![name; fitted.concat()]);
        let [[_, plain, divided, by_rank], [_, plain2, divided2, by_rank2]] = fitted;
        findings.push(Finding::claimed(
            format!(
                "{}: the error scales as n to the power {} (Algorithm 1) and {} (Algorithm 2), up \
                 to logarithms.",
                name, claimed[0], claimed[1]
            ),
            format!(
                "Fitted exponents: {plain:.2} and {plain2:.2}; after division by ln n, \
                 {divided:.2} and {divided2:.2}; with the exact mean loss (rank instead of number \
                 of messages), {by_rank:.2} and {by_rank2:.2}."
            ),
        ));
        match (name, rows.last()) {
            ("ring", _) => remarks.push(ring(plain2, by_rank2)),
            ("complete", Some(last)) => {
                let ldp = local_error(last.nodes, ALPHA, 1.0, EPSILON)? / 2.0;
                remarks.push(complete(last.nodes, last.errors[0].map(|error| error / ldp)));
            }
            _ => {}
        }
        periodic.push((name, rows.iter().any(|row| row.periodic)));
        for (algorithm, series) in series.iter_mut().enumerate() {
            let points = rows.iter().map(|row| (row.nodes as f64, row.errors[algorithm][0]));
            series.push(Series::new(name, points.collect()));
        }
    }
    let chart = |algorithm: &str, mut series: Vec<Series>| {
        let sizes = || (5..=setting.choose(10, 7)).map(|k| f64::from(1 << k));
        for (name, power) in [("LDP", 1.0), ("trusted", 2.0)] {
            let error = |n: f64| (n, ALPHA / (4.0 * EPSILON * n.powf(power)));
            series.push(Series::new(name, sizes().map(error).collect()));
        }
        LineChart {
            title: format!("{algorithm}: error at a mean loss of 1 (alpha = 2), by messages"),
            x: Axis::log("n"),
            y: Axis::log("expected error"),
            series,
        }
    };
    findings.extend(remarks);
    findings.push(caption(&periodic));
    let [synchronous, randomized] = series;
    Ok(Exhibit {
        title: "Table 1: error under a given mean loss".into(),
        method: "Metropolis weights. Errors include the factor 1/2 of the paper's definition and \
                 leave out the share of the inputs. Algorithm 1 is accelerated, with its expected \
                 error. Algorithm 2 runs for ln(n) / (lambda(p)/2) ticks (the rate at which it \
                 does contract), with the remaining error of simulated noise. sigma is chosen for \
                 a mean loss of eps = 1, counted by the number of messages, as in the paper, and \
                 by the rank of the view (Algorithm 1, an estimate) or the largest possible rank \
                 (Algorithm 2)."
            .into(),
        sheets: vec![sheet, fits],
        plates: vec![
            Plate::new(
                "table1_algorithm1",
                "Accelerated synchronous gossip: error with sigma chosen by the number of messages.",
                chart("Algorithm 1", synchronous),
            ),
            Plate::new(
                "table1_algorithm2",
                "Randomized gossip: error with sigma chosen by the number of messages.",
                chart("Algorithm 2", randomized),
            ),
        ],
        findings,
    })
}

/// Returns the exponent nearer to the fitted one.
fn nearer(fitted: f64, one: f64, other: f64) -> f64 {
    if (fitted - one).abs() <= (fitted - other).abs() { one } else { other }
}

fn ring(by_messages: f64, by_rank: f64) -> Finding {
    Finding::measured(
        "Ring, Algorithm 2: the table's general entry 1/(n^2 lambda) is of order 1, since lambda \
         is of order 1/n^2; the table prints 1/n.",
        format!(
            "Of 0 and -1, the exponent fitted by the number of messages, {by_messages:.2}, is \
             nearer to {}; by the exact mean loss, which never exceeds that of LDP, it is \
             {by_rank:.2}, nearer to {}.",
            nearer(by_messages, 0.0, -1.0),
            nearer(by_rank, 0.0, -1.0)
        ),
    )
}

fn complete(nodes: usize, [by_messages, by_rank]: [f64; 2]) -> Finding {
    let told = |ratio: f64| {
        let better = choose(ratio < 1.0, "better than", "no better than");
        format!("{better} LDP ({} times its error)", short(ratio))
    };
    Finding::claimed(
        "With Algorithm 1 a complete graph is no better than LDP.",
        format!(
            "At n = {nodes} it is {} by the number of messages, and {} by the rank of the view, \
             which is at most n.",
            told(by_messages),
            told(by_rank)
        ),
    )
}

fn caption(periodic: &[(&str, bool)]) -> Finding {
    let suits = !periodic.iter().any(|family| family.1);
    Finding::claimed(
        "The weights of the table's caption suit all of these graphs.",
        format!(
            "{}: 1/max(d_u, d_v) leaves no spectral gap on regular bipartite graphs. Families with \
             such graphs: {}. Metropolis weights were used instead.",
            choose(suits, "They do", "They do not"),
            where_true(periodic.iter().copied())
        ),
    )
}

/// Order; the error is proportional to `alpha Delta^2 / eps`, and Delta is 1.
const ALPHA: f64 = 2.0;
const EPSILON: f64 = 1.0;

/// Errors on one graph under the mean loss.
struct Row {
    nodes: usize,
    /// `true` if weights of 1/max(d_u, d_v) leave no spectral gap.
    periodic: bool,
    /// Steps of Algorithm 1 and ticks of Algorithm 2.
    steps: [usize; 2],
    /// Algorithm 1 with sigma by the formula, and by the rank (an estimate); Algorithm 2 with sigma by
    /// the number of messages, and by the largest possible rank.
    errors: [[f64; 2]; 2],
}

/// Returns the variance for which `independent` messages give the mean loss.
fn variance(independent: f64, nodes: usize) -> f64 {
    ALPHA * independent / (2.0 * nodes as f64 * EPSILON)
}

/// Runs both algorithms on a graph.
fn measure(setting: &Setting<'_>, graph: &str) -> anyhow::Result<Row> {
    let graph = graph.parse::<GraphSpec>()?.build()?;
    let nodes = graph.nodes();
    let periodic = is_periodic(&graph);
    let network = Network::metropolis(graph)?;
    let gap = gap_of(&network)?.min(1.0);
    let steps = steps_to_converge(Rate::Accelerated, gap, nodes, 0.25, 1.0)?.max(1);
    let protocol = Protocol::one_shot(network.clone(), steps)?;
    let protocol = protocol.accelerated(acceleration_fraction(gap)?)?;
    let gain = NoiseGain::of(&protocol, &setting.session.progress("expected error"))?;
    let bar = setting.session.progress("mean loss");
    let messages = protocol.messages_to(&Observer::full(0))? as f64;
    let view = OneShot::try_new(&protocol, OneShotOptions::default())?.watched(&bar);
    let rank = view.towards(&Observer::full(0))?.rank();
    // Noise alone: after these steps at most 1/n of the inputs' share of the error remains.
    let error = |independent| gain.error(variance(independent, nodes).sqrt(), 0.0, 0.0);
    let synchronous = [error(messages), error(rank as f64 - 1.0)];

    let weights = SparseWeights::of_network(&network)?;
    // lambda(p) = 2 lambda / n. The gap of these graphs is at the upper end, or they are given its
    // rate.
    let rate = 2.0 * gap / nodes as f64;
    let ticks = steps_to_converge(Rate::RandomizedHalved, rate, nodes, 0.25, 1.0)?;
    let received = 2.0 * ticks as f64 * (1.0 - weights.own(0)) / nodes as f64;
    let left = disagreement(&network, ticks, setting.seed)?;
    let error = |independent| variance(independent, nodes) * (left + 0.5 / nodes as f64);
    Ok(Row {
        nodes,
        periodic,
        steps: [steps, ticks],
        errors: [synchronous, [error(received), error(received.min(nodes as f64 - 1.0))]],
    })
}

/// Simulates `ticks` of randomized gossip on noise of variance 1 and returns half the mean squared
/// distance from the mean, averaged over independent columns.
fn disagreement(network: &Network, ticks: usize, seed: u64) -> anyhow::Result<f64> {
    const COLUMNS: usize = 16;
    const CHUNK: usize = 1 << 16;
    let nodes = network.graph().nodes();
    let activation = EdgeActivation::of_network(network)?;
    let mut values = vec![0.0; nodes * COLUMNS];
    SeededNoise::new(seed).fill(COLUMNS, 0, 1.0, &mut values)?;
    let mut state = GossipState::try_new(values, COLUMNS)?;
    for chunk in 0..ticks.div_ceil(CHUNK) {
        let count = CHUNK.min(ticks - chunk * CHUNK);
        for (u, v) in activation.draw(count, seed + chunk as u64)? {
            state.average(u, v)?;
        }
    }
    Ok(state.disagreement() / COLUMNS as f64)
}

/// Returns `true` for a regular bipartite graph, whose weights 1/max(d_u, d_v) have the eigenvalue
/// -1.
fn is_periodic(graph: &Graph) -> bool {
    let distances = graph.distances_from(0);
    let odd = |node: usize| distances[node].is_some_and(|distance| distance % 2 == 1);
    let regular = (0..graph.nodes()).all(|node| graph.degree(node) == graph.degree(0));
    regular && graph.edges().all(|(u, v)| odd(u) != odd(v))
}

#[cfg(test)]
mod tests {
    use super::*;
    use muffliato::model::{GraphError, families};

    #[test]
    fn words_follow_from_the_numbers() {
        let found = ring(0.2, -0.9).found;
        assert!(
            found.contains("0.20, is nearer to 0;") && found.contains("nearer to -1."),
            "{found}"
        );
        let found = ring(-0.7, -0.3).found;
        assert!(
            found.contains("-0.70, is nearer to -1;") && found.contains("nearer to 0."),
            "{found}"
        );
        let found = complete(64, [4.0, 0.5]).found;
        assert!(
            found.contains("no better than LDP (4.00")
                && found.contains("and better than LDP (0.500"),
            "{found}"
        );
        let bad = caption(&[("ring", true), ("torus", false)]).found;
        assert!(bad.starts_with("They do not") && bad.contains("such graphs: ring."), "{bad}");
        let good = caption(&[("complete", false)]).found;
        assert!(
            good.starts_with("They do:") && good.contains("such graphs: none of them"),
            "{good}"
        );
    }

    #[test]
    fn regular_bipartite_graphs_are_periodic() {
        let is = |graph: Result<Graph, GraphError>| is_periodic(&graph.unwrap());
        assert!(is(families::ring(6)) && is(families::hypercube(3)));
        assert!(!is(families::ring(5)) && !is(families::path(4)) && !is(families::complete(4)));
    }
}
