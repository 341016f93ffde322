//! Whole runs, with the account of one source towards all observers.

use crate::measured::{Row, edge_lists};
use crate::paper_bounds::sample;
use muffliato_fast::bounds::PaperBounds;
use muffliato_fast::learning::{Aggregation, Descent, Gossip, LogisticLoss, even_shares};
use muffliato_fast::noise::{NoiseSource, SeededNoise};
use muffliato_fast::simulation::{
    Dropout, ErdosRenyiSequence, NetworkSequence, StreamedOutcome, StreamedRun,
};
use muffliato_model::{Network, Protocol, WeightScheme};
use std::error::Error;

const SOURCE: usize = 0;

/// Record of an averaging run with absent nodes.
struct Met {
    networks: Vec<Network>,
    /// The inputs with their noise.
    noisy: Vec<f64>,
    outcome: StreamedOutcome,
}

/// n = 1000, Erdos-Renyi q = 0.002 redrawn at each step, 90 % absent, until the nodes agree to 3 /
/// n^2.
pub fn dropout() -> Result<Row, Box<dyn Error>> {
    let (nodes, level) = (1000, 3e-6);
    let graphs = ErdosRenyiSequence::try_new(nodes, 0.002, WeightScheme::Metropolis, 1)?;
    let sequence = Dropout::try_new(graphs, 0.9, 2)?;
    let inputs: Vec<f64> = (0..nodes).map(|v| (v * 7919 % nodes) as f64 / nodes as f64).collect();
    let run = move || -> Result<Met, Box<dyn Error>> {
        let run = StreamedRun { most_steps: 100_000, until: Some(level), ..StreamedRun::default() };
        let (mut networks, mut noisy) = (Vec::new(), Vec::new());
        let outcome = run.run(&sequence, &inputs, 1, &SeededNoise::new(3), |step| {
            if step.step == 0 {
                noisy = step.state.values().to_vec();
            }
            networks.push(step.network.clone());
            Ok(())
        })?;
        Ok(Met { networks, noisy, outcome })
    };
    let met = run()?;
    let given = format!(
        "{{\"nodes\": {nodes}, \"level\": {level:?}, \"noisy\": {:?}, \"graphs\": {}}}",
        met.noisy,
        edge_lists(met.networks.iter().map(Network::graph)),
    );
    Ok(Row {
        given: given.into_bytes(),
        work: Box::new(move || {
            let met = run()?;
            let steps = met.outcome.steps as f64;
            let bounds = PaperBounds::of(&Protocol::time_varying(met.networks)?)?;
            let losses = bounds.from_source(SOURCE)?;
            let chosen = sample(nodes).into_iter().map(|v| losses[v].value());
            Ok([steps].into_iter().chain(chosen).collect())
        }),
        repetitions: 3,
    })
}

/// n = 2000 nodes with eight examples each, ten rounds of ten steps on connected Erdos-Renyi
/// graphs, q = ln n / n. The account is Theorem 1 for each round, summed over the rounds.
pub fn logistic_descent() -> Result<Row, Box<dyn Error>> {
    const NODES: usize = 2000;
    const EXAMPLES: usize = 8 * NODES;
    const WIDTH: usize = 9;
    const ROUNDS: usize = 10;
    const STEPS: usize = 10;
    let (step_size, sigma) = (0.7, 0.1);
    let noise = SeededNoise::new(5);
    let mut features = vec![0.0; EXAMPLES * WIDTH];
    SeededNoise::new(6).fill(0, 0, 1.0, &mut features)?;
    let label = |row: &[f64]| {
        if row[0] + row[1] > 0.5 * row[2] { 1.0 } else { -1.0 }
    };
    let labels: Vec<f64> = features.chunks(WIDTH).map(label).collect();
    let loss = LogisticLoss::try_new(
        WIDTH,
        features.clone(),
        labels.clone(),
        even_shares(EXAMPLES, NODES)?,
    )?;
    let q = (NODES as f64).ln() / NODES as f64;
    let sequence = ErdosRenyiSequence::try_new(NODES, q, WeightScheme::Metropolis, 1)?.connected();
    let networks: Vec<Network> =
        (0..ROUNDS).map(|t| sequence.network(t)).collect::<Result<_, _>>()?;
    let mut drawn = Vec::new();
    for round in 0..ROUNDS {
        for node in 0..NODES {
            let mut entries = [0.0; WIDTH];
            noise.fill(node, round * STEPS, 1.0, &mut entries)?;
            drawn.extend(entries);
        }
    }
    let given = format!(
        "{{\"nodes\": {NODES}, \"width\": {WIDTH}, \"steps\": {STEPS}, \"step_size\": {step_size:?}, \"sigma\": {sigma:?}, \
         \"features\": {features:?}, \"labels\": {labels:?}, \"noise\": {drawn:?}, \"graphs\": {}}}",
        edge_lists(networks.iter().map(Network::graph)),
    );
    Ok(Row {
        given: given.into_bytes(),
        work: Box::new(move || {
            let descent = Descent { rounds: ROUNDS, step_size, sigma, ..Descent::default() };
            let gossip = Gossip { networks: &sequence, steps: STEPS, acceleration: None, tau: 0.0 };
            let start = vec![0.0; NODES * WIDTH];
            let trajectory = descent.run(&loss, &start, Aggregation::Gossip(gossip), &noise)?;
            let mut losses = vec![0.0; NODES];
            for round in 0..ROUNDS {
                let protocol = Protocol::one_shot(sequence.network(round)?, STEPS)?;
                let of_round = PaperBounds::of(&protocol)?.from_source(SOURCE)?;
                for (sum, bound) in losses.iter_mut().zip(of_round) {
                    *sum += bound.upper();
                }
            }
            let chosen = sample(NODES).into_iter().map(|v| losses[v]);
            Ok(trajectory.means[ROUNDS].iter().copied().chain(chosen).collect())
        }),
        repetitions: 3,
    })
}
