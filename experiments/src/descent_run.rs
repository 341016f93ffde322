//! Runs of Muffliato-GD on the housing data, and their accuracy.

use super::authors::descent::{gossip_from_zero, mean_accuracy, noisy_steps};
use super::setting::Setting;
use muffliato::command::data::Examples;
use muffliato::command::session::Listening;
use muffliato::fast::learning::{
    Aggregation, Descent, Gossip, LogisticLoss, accuracy, even_shares, gossip_steps_for,
};
use muffliato::fast::simulation::{ErdosRenyiSequence, GossipState, NetworkSequence};
use muffliato::fast::{Progress, SparseWeights, acceleration};
use muffliato::prelude::*;

pub const STEP_SIZE: f64 = 0.7;
/// Standard deviation of the noise on each gradient, whose norm is at most 1.
pub const SIGMA: f64 = 1.0;
pub const ROUNDS: usize = 10;

/// Graphs of all rounds and the parameters of gossip on them.
pub struct Rounds {
    /// A connected graph for each round.
    pub graphs: ErdosRenyiSequence,
    /// Number of gossip steps per round.
    pub steps: usize,
    /// Spectral gap of the first graph.
    pub gap: f64,
}

impl Rounds {
    /// Creates Erdos-Renyi graphs with q = ln n / n and the number of steps of the paper's theorem.
    pub fn new(
        setting: &Setting<'_>,
        nodes: usize,
        dimension: usize,
        seed: u64,
    ) -> anyhow::Result<Self> {
        let q = (nodes as f64).ln() / nodes as f64;
        let graphs =
            ErdosRenyiSequence::try_new(nodes, q, WeightScheme::Metropolis, seed)?.connected();
        let gap = setting.gap(&graphs.network(0)?)?.min(1.0);
        let steps = gossip_steps_for(gap, nodes, dimension, SIGMA, 0.0, 0.0)?;
        Ok(Self { graphs, steps, gap })
    }

    /// Returns the steps and the gap for one network, which the authors' program computes in each
    /// round.
    pub fn steps_on(
        &self,
        setting: &Setting<'_>,
        network: &Network,
    ) -> anyhow::Result<(usize, f64)> {
        let gap = setting.gap(network)?.min(1.0);
        let nodes = network.graph().nodes();
        Ok((gossip_steps_for(gap, nodes, 1, SIGMA, 0.0, 0.0)?, gap))
    }
}

/// Returns the test accuracy of the mean parameters after each round, by gossip and by a trusted
/// aggregator.
pub fn accuracies(
    setting: &Setting<'_>,
    examples: &Examples,
    nodes: usize,
    seed: u64,
) -> anyhow::Result<[Vec<f64>; 2]> {
    let rounds = Rounds::new(setting, nodes, examples.dimension, seed)?;
    let shares = even_shares(examples.training_labels.len(), nodes)?;
    let (features, labels) = (examples.training.clone(), examples.training_labels.clone());
    let loss = LogisticLoss::try_new(examples.dimension, features, labels, shares)?;
    if setting.as_authors {
        let authors =
            |gossips| authors_accuracies(setting, examples, &loss, &rounds, seed, gossips);
        return Ok([authors(true)?, authors(false)?]);
    }
    let descent = Descent {
        rounds: ROUNDS,
        step_size: STEP_SIZE,
        sigma: SIGMA,
        clip: Some(1.0),
        ..Descent::default()
    };
    let start = vec![0.0; nodes * examples.dimension];
    let gossip = Gossip {
        networks: &rounds.graphs,
        steps: rounds.steps,
        acceleration: Some(acceleration(rounds.gap)?),
        tau: 0.0,
    };
    let run = |aggregation| -> anyhow::Result<Vec<f64>> {
        let noise = SeededNoise::new(seed);
        let trajectory = descent.run_watched(&loss, &start, aggregation, &noise, &Listening)?;
        let right = |theta: &Vec<f64>| accuracy(theta, &examples.testing, &examples.testing_labels);
        Ok(trajectory.means.iter().map(right).collect::<Result<_, _>>()?)
    };
    Ok([run(Aggregation::Gossip(gossip))?, run(Aggregation::TrustedAggregator)?])
}

/// Returns the accuracies of the authors' program.
fn authors_accuracies(
    setting: &Setting<'_>,
    examples: &Examples,
    loss: &LogisticLoss,
    rounds: &Rounds,
    seed: u64,
    gossips: bool,
) -> anyhow::Result<Vec<f64>> {
    let (width, nodes) = (examples.dimension, rounds.graphs.nodes());
    let noise = SeededNoise::new(seed);
    let score = |parameters: &[f64]| {
        mean_accuracy(parameters, width, &examples.testing, &examples.testing_labels)
    };
    let mut parameters = vec![0.0; nodes * width];
    let mut scores = vec![score(&parameters[..width])?];
    for round in 0..ROUNDS {
        Listening.check(round, ROUNDS)?;
        noisy_steps(loss, &mut parameters, STEP_SIZE, round, &noise)?;
        if gossips {
            let network = rounds.graphs.network(round)?;
            let (steps, gap) = rounds.steps_on(setting, &network)?;
            let weights = SparseWeights::of_network(&network)?;
            let g = acceleration(gap)?;
            parameters = gossip_from_zero(parameters, width, &weights, steps, g)?;
            scores.push(score(&parameters)?);
        } else {
            let mean = GossipState::try_new(parameters, width)?.mean();
            scores.push(score(&mean)?);
            parameters = mean.repeat(nodes);
        }
    }
    Ok(scores)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::setting::mean_and_deviation;
    use muffliato::command::session::Session;

    /// Figure 1c: gossip is within a point of the trusted aggregator on average over three trials
    /// with the paper's 2000 nodes. Both have the same noise. Without the housing data, synthetic
    /// data are used.
    #[test]
    fn gossip_is_as_accurate_as_trust() {
        let session = Session::new(true);
        let setting = Setting::quick(&session, false);
        let (mut gossip, mut trusted) = (Vec::new(), Vec::new());
        let mut source = "";
        for seed in 0..3 {
            let (examples, name) =
                setting.data.houses(seed, &mut |note| println!("{note}")).unwrap();
            source = name;
            let found = accuracies(&setting, &examples, 2000, seed).unwrap();
            gossip.push(found[0][ROUNDS]);
            trusted.push(found[1][ROUNDS]);
        }
        let (gossip, trusted) = (mean_and_deviation(&gossip), mean_and_deviation(&trusted));
        println!("{source}: gossip {gossip:?}, trusted {trusted:?}");
        assert!(gossip.0 > 0.7, "{gossip:?}");
        assert!((gossip.0 - trusted.0).abs() < 0.01, "{gossip:?} {trusted:?}");
    }

    /// Noise, clipping and the first step differ: both start alike and then diverge, by gossip and
    /// with a trusted aggregator.
    #[test]
    fn the_authors_run_another_descent() {
        let session = Session::new(true);
        let [paper, authors] = [false, true].map(|as_authors| {
            let setting = Setting::quick(&session, as_authors);
            let examples = muffliato::command::data::examples("synthetic:600x4", 1).unwrap();
            accuracies(&setting, &examples, 40, 1).unwrap()
        });
        for (paper, authors) in paper.iter().zip(&authors) {
            assert_eq!((paper.len(), authors.len()), (ROUNDS + 1, ROUNDS + 1));
            assert_eq!(paper[0], authors[0]);
            assert_ne!(paper, authors);
        }
    }
}
