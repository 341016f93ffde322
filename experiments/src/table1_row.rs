//! The errors of one graph under a given mean loss.

use super::setting::{Setting, gap_of};
use muffliato::account::NoiseGain;
use muffliato::fast::noise::NoiseSource;
use muffliato::fast::simulation::{EdgeActivation, GossipState};
use muffliato::fast::{
    OneShot, OneShotOptions, Rate, SparseWeights, acceleration_fraction, steps_to_converge,
};
use muffliato::prelude::*;

/// The order; the error is proportional to `alpha Delta^2 / eps`, and Delta is 1.
pub const ALPHA: f64 = 2.0;
/// The mean loss.
pub const EPSILON: f64 = 1.0;

/// The errors of one graph under the mean loss.
pub struct Row {
    /// The number of nodes.
    pub nodes: usize,
    /// Whether weights of 1/max(d_u, d_v) leave no spectral gap.
    pub periodic: bool,
    /// Steps of Algorithm 1 and ticks of Algorithm 2.
    pub steps: [usize; 2],
    /// Algorithm 1 with sigma by the formula, and by the rank (an estimate).
    pub synchronous: [f64; 2],
    /// Algorithm 2 with sigma by the number of messages, and by the most that their rank can be.
    pub randomized: [f64; 2],
}

/// The variance for which `independent` messages give the mean loss.
fn variance(independent: f64, nodes: usize) -> f64 {
    ALPHA * independent / (2.0 * nodes as f64 * EPSILON)
}

/// Runs both algorithms on a graph.
pub fn measure(setting: &Setting<'_>, graph: &str) -> anyhow::Result<Row> {
    let graph = graph.parse::<GraphSpec>()?.build()?;
    let nodes = graph.nodes();
    let periodic = is_periodic(&graph);
    let network = setting.network(graph)?;
    let gap = gap_of(&network)?.min(1.0);
    let steps = steps_to_converge(Rate::Accelerated, gap, nodes, 0.25, 1.0)?.max(1);
    let protocol = Protocol::one_shot(network.clone(), steps)?;
    let protocol = protocol.accelerated(acceleration_fraction(gap)?)?;
    let gain = NoiseGain::of(&protocol, &setting.session.progress("expected error"))?;
    let bar = setting.session.progress("mean loss");
    let messages = protocol.messages_to(&Observer::full(0))? as f64;
    let view = OneShot::try_new(&protocol, OneShotOptions::default())?.watched(&bar);
    let rank = view.leakages_of(&[Observer::full(0)], |view| view.rank())?[0];
    // Sigma alone: the inputs' share of the error has gone after these steps, up to 1/n of it.
    let error = |independent| gain.error(variance(independent, nodes).sqrt(), 0.0, 0.0);
    let synchronous = [error(messages), error(rank as f64 - 1.0)];

    let weights = SparseWeights::of_network(&network)?;
    // lambda(p) = 2 lambda / n; all of these graphs have their gap at the upper end or are given the rate of it.
    let rate = 2.0 * gap / nodes as f64;
    let ticks = steps_to_converge(Rate::RandomizedHalved, rate, nodes, 0.25, 1.0)?;
    let received = 2.0 * ticks as f64 * (1.0 - weights.own(0)) / nodes as f64;
    let left = disagreement(&network, ticks, setting.seed)?;
    let error = |independent| variance(independent, nodes) * (left + 0.5 / nodes as f64);
    Ok(Row {
        nodes,
        periodic,
        steps: [steps, ticks],
        synchronous,
        randomized: [error(received), error(received.min(nodes as f64 - 1.0))],
    })
}

/// Half the mean squared distance from the mean that is left of noise of variance 1 after so many ticks of randomized gossip: a mean
/// over independent columns of noise.
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
        for &(u, v) in activation.draw(count, seed + chunk as u64)?.edges() {
            state.average(u, v)?;
        }
    }
    Ok(state.disagreement() / COLUMNS as f64)
}

/// Whether a graph is regular and bipartite: then the weights 1/max(d_u, d_v) have the eigenvalue -1.
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
    fn regular_bipartite_graphs_are_periodic() {
        let is = |graph: Result<Graph, GraphError>| is_periodic(&graph.unwrap());
        assert!(is(families::ring(6)) && is(families::hypercube(3)));
        assert!(!is(families::ring(5)) && !is(families::path(4)) && !is(families::complete(4)));
    }
}
