//! The same seed gives the same bytes for any number of threads.

use muffliato_fast::learning::{Aggregation, Descent, Gossip, LogisticLoss, Sampling, even_shares};
use muffliato_fast::noise::SeededNoise;
use muffliato_fast::simulation::{
    Dropout, ErdosRenyiSequence, NetworkSequence, Simulation, Stop, StreamedRun,
};
use muffliato_model::WeightScheme;

/// What `work` returns on 1, 2 and 8 threads, which must be the same bits.
fn assert_same_bytes(work: impl Fn() -> Vec<f64> + Sync) {
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        let bits = |value: f64| value.to_bits();
        pool.install(&work)
            .into_iter()
            .map(bits)
            .collect::<Vec<_>>()
    };
    let alone = on(1);
    assert!(!alone.is_empty());
    assert!(on(2) == alone, "2 threads");
    assert!(on(8) == alone, "8 threads");
}

fn graphs(nodes: usize) -> ErdosRenyiSequence {
    ErdosRenyiSequence::try_new(nodes, 8.0 / nodes as f64, WeightScheme::Metropolis, 3).unwrap()
}

fn number(k: usize) -> f64 {
    ((k * 7919 + 13) % 2003) as f64 / 1001.5 - 1.0
}

/// 3000 nodes, 8 neighbours, 5 coordinates: enough for products to be shared among threads.
#[test]
fn simulations() {
    let inputs: Vec<f64> = (0..15_000).map(number).collect();
    let protocol = graphs(3000).protocol(6).unwrap();
    let protocol = protocol.refreshed("0.1".parse().unwrap()).unwrap();
    let protocol = protocol.accelerated("1.2".parse().unwrap()).unwrap();
    assert_same_bytes(|| {
        let simulation = Simulation::new(&protocol).recording_errors(1);
        let outcome = simulation
            .run(&inputs, 5, &SeededNoise::new(1), &())
            .unwrap();
        let errors = outcome.errors.into_iter().map(|(_, error)| error);
        outcome.values.into_iter().chain(errors).collect()
    });
}

#[test]
fn dropout_until_agreement() {
    let inputs: Vec<f64> = (0..400).map(number).collect();
    let dropout = Dropout::try_new(graphs(400), 0.5, 4).unwrap();
    let run = StreamedRun {
        most_steps: 500,
        stop: Stop::DisagreementAtMost(0.001),
        ..StreamedRun::default()
    };
    assert_same_bytes(|| {
        let outcome = run
            .run(&dropout, &inputs, 1, &SeededNoise::new(1), &(), |_| Ok(()))
            .unwrap();
        assert!(outcome.stopped);
        outcome.values
    });
}

#[test]
fn stochastic_gradient_descent() {
    let (nodes, dimension) = (600, 7);
    let features = (0..nodes * 3 * dimension).map(number).collect();
    let labels = (0..nodes * 3)
        .map(|k| if number(k * k) > 0.0 { 1.0 } else { -1.0 })
        .collect();
    let shares = even_shares(nodes * 3, nodes).unwrap();
    let loss = LogisticLoss::try_new(dimension, features, labels, shares).unwrap();
    let networks = graphs(nodes);
    let descent = Descent {
        rounds: 5,
        step_size: 0.7,
        clip: Some(0.5),
        sampling: Sampling::OneExample { seed: 9 },
        ..Descent::default()
    };
    let gossip = Gossip {
        networks: &networks,
        steps: 6,
        acceleration: Some(1.2),
        tau: 0.01,
    };
    for aggregation in [Aggregation::Gossip(gossip), Aggregation::TrustedAggregator] {
        assert_same_bytes(|| {
            let start = vec![0.0; nodes * dimension];
            let noise = SeededNoise::new(1);
            let trajectory = descent
                .run(&loss, &start, aggregation, &noise, &())
                .unwrap();
            let means = trajectory.means.into_iter().flatten();
            trajectory.parameters.into_iter().chain(means).collect()
        });
    }
}
