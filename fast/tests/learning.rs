//! Muffliato-GD and -SGD: equality with the linear process, convergence, and the baselines.

use crate::fixtures::{network, plan};
use muffliato_fast::learning::{
    Aggregation, Descent, Gossip, LocalLoss, LogisticLoss, QuadraticLoss, Sampling, Trajectory,
    accuracy, even_shares,
};
use muffliato_fast::noise::{Drawn, NoiseOf, NoiseSource, SeededNoise};
use muffliato_fast::simulation::{ErdosRenyiSequence, NetworkSequence, Simulation};
use muffliato_model::{Fraction, Network, Protocol, WeightScheme};

fn gossip(networks: &dyn NetworkSequence, steps: usize) -> Gossip<'_> {
    Gossip { networks, steps, acceleration: None, tau: 0.0 }
}

/// Curvatures 1/2, 1, 3/2, 1/2, ... and irregular centres.
fn quadratic(nodes: usize, dimension: usize) -> QuadraticLoss {
    let curvatures = (0..nodes).map(|v| (v % 3 + 1) as f64 / 2.0).collect();
    let centres = (0..nodes * dimension).map(|k| (k * k % 11) as f64).collect();
    QuadraticLoss::try_new(dimension, curvatures, centres).unwrap()
}

/// On quadratic losses the descent is the linear process with reaction factors `1 - nu a_v` and
/// inputs `nu a_v b_v`: the same noise gives the same numbers, up to 1e-12 for the other order of
/// operations. Accelerated runs also check that the gossip of each round starts anew.
#[test]
fn on_quadratic_losses_it_is_the_linear_process() {
    let (nodes, width, rounds, steps, nu) = (15, 2, 4, 3, 0.5);
    let loss = quadratic(nodes, width);
    let fixed = network("florentine");
    let redrawn = ErdosRenyiSequence::try_new(nodes, 0.3, WeightScheme::Metropolis, 5).unwrap();
    let factors: Vec<Fraction> =
        (0..nodes as i128).map(|v| Fraction::try_new(3 - v % 3, 4).unwrap()).collect();
    // theta - nu grad at theta = 0 is nu a b.
    let mut inputs = vec![0.0; nodes * width];
    for (v, input) in inputs.chunks_exact_mut(width).enumerate() {
        loss.gradient(v, None, &[0.0; 2], input);
        input.iter_mut().for_each(|entry| *entry *= -nu);
    }
    for (sequence, tau, g) in [
        (&fixed as &dyn NetworkSequence, None, None),
        (&fixed, None, Some("1.25")),
        (&redrawn, Some("0.125"), None),
        (&redrawn, None, Some("1.5")),
    ] {
        let mut protocol = sequence.gradient_descent(rounds, steps).unwrap();
        protocol = protocol.reacting(factors.clone()).unwrap();
        if let Some(tau) = tau {
            protocol = protocol.refreshed(tau.parse().unwrap()).unwrap();
        }
        if let Some(g) = g {
            protocol = protocol.accelerated(g.parse().unwrap()).unwrap();
        }
        let noise = SeededNoise::new(3);
        let process = Simulation::new(&protocol)
            .sigma(nu * 0.8)
            .against(vec![0.0; width])
            .run(&inputs.repeat(rounds), width, &noise)
            .unwrap();
        let descent = Descent { rounds, step_size: nu, sigma: 0.8, ..Descent::default() };
        let muffliato = Aggregation::Gossip(Gossip {
            networks: sequence,
            steps,
            acceleration: g.map(|g| g.parse().unwrap()),
            tau: tau.map_or(0.0, |tau| tau.parse().unwrap()),
        });
        let start = vec![0.0; nodes * width];
        let trajectory = descent.run(&loss, &start, muffliato, &noise).unwrap();
        for (place, (ours, theirs)) in trajectory.parameters.iter().zip(&process.values).enumerate()
        {
            assert!((ours - theirs).abs() < 1e-12, "{place}: {ours} {theirs}");
        }
    }
}

/// Training with a noise plan, on other masks than those of the gossip, is the linear process of the
/// same plan under the same noise.
#[test]
fn training_with_a_plan_is_the_linear_process() {
    let (nodes, width, rounds, nu) = (15, 2, 3, 0.5);
    let loss = quadratic(nodes, width);
    let factors: Vec<Fraction> =
        (0..nodes as i128).map(|v| Fraction::try_new(3 - v % 3, 4).unwrap()).collect();
    let mut inputs = vec![0.0; nodes * width];
    for (v, input) in inputs.chunks_exact_mut(width).enumerate() {
        loss.gradient(v, None, &[0.0; 2], input);
        input.iter_mut().for_each(|entry| *entry *= -nu);
    }
    for fresh in [false, true] {
        let planned = Protocol::gradient_descent(network("florentine"), rounds, 3).unwrap();
        let planned = planned.with_plan(plan(nodes, fresh)).unwrap();
        let noise = SeededNoise::new(3);
        let process = Simulation::new(&planned.clone().reacting(factors.clone()).unwrap())
            .sigma(nu * 0.8)
            .against(vec![0.0; width])
            .run(&inputs.repeat(rounds), width, &noise)
            .unwrap();
        let descent = Descent { step_size: nu, sigma: 0.8, ..Descent::of(&planned).unwrap() };
        let gossip = Aggregation::of(&planned).unwrap();
        let start = vec![0.0; nodes * width];
        let trajectory = descent.run(&loss, &start, gossip, &noise).unwrap();
        for (ours, theirs) in trajectory.parameters.iter().zip(&process.values) {
            assert!((ours - theirs).abs() < 1e-12, "{ours} {theirs}");
        }
    }
}

fn distance(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum::<f64>().sqrt()
}

#[test]
fn without_noise_it_converges_to_the_minimizer() {
    let loss = quadratic(32, 3);
    let cube = network("hypercube:5");
    let descent = Descent { rounds: 200, step_size: 0.4, sigma: 0.0, ..Descent::default() };
    let run =
        |aggregation| descent.run(&loss, &[9.0; 96], aggregation, &SeededNoise::new(0)).unwrap();
    // The mean of all centres, weighted by their curvatures.
    let curvature = |v: usize| (v % 3 + 1) as f64 / 2.0;
    let total: f64 = (0..32).map(curvature).sum();
    let centre = |v: usize, k: usize| ((3 * v + k).pow(2) % 11) as f64;
    let best = [0, 1, 2].map(|k| (0..32).map(|v| curvature(v) / total * centre(v, k)).sum());
    let off = |trajectory: &Trajectory| distance(trajectory.means.last().unwrap(), &best);
    assert!(off(&run(Aggregation::TrustedAggregator)) < 1e-12);
    // Gossip of K steps has a fixed point near the minimizer, nearer for larger K.
    let offs = [4, 8, 16, 32].map(|steps| off(&run(Aggregation::Gossip(gossip(&cube, steps)))));
    assert!(offs.is_sorted_by(|a, b| a > b), "{offs:?}");
    assert!(offs[3] < 1e-5 && offs[0] < 0.5, "{offs:?}");
    let value = |theta: &[f64]| loss.mean_value(theta);
    let trajectory = run(Aggregation::Gossip(gossip(&cube, 32)));
    assert!(value(&trajectory.means[200]) < value(&trajectory.means[1]));
    assert!(trajectory.disagreements[199] < 1e-9);
}

/// Noise at gossip step `t` is that of round `t / K`, so that gossip and the baselines share it.
struct ByRound(SeededNoise, usize);

impl NoiseSource for ByRound {
    fn draw(&self, of: NoiseOf<'_>, step: usize, deviation: f64, out: &mut [f64]) -> Drawn {
        self.0.draw(of, step / self.1, deviation, out)
    }
}

/// With equal curvatures the mean over the nodes moves exactly as under a trusted aggregator with
/// the same noise, whatever the graph: gossip preserves means.
#[test]
fn means_move_as_under_a_trusted_aggregator() {
    let centres: Vec<f64> = (0..34).map(|v| (v % 5) as f64).collect();
    let loss = QuadraticLoss::try_new(1, vec![0.7; 34], centres).unwrap();
    let karate = network("karate");
    let descent = Descent { rounds: 12, step_size: 0.5, ..Descent::default() };
    let noise = SeededNoise::new(8);
    let run = |aggregation, noise: &dyn NoiseSource| {
        descent.run(&loss, &[1.0; 34], aggregation, noise).unwrap()
    };
    let accelerated = Gossip { acceleration: Some(1.3), ..gossip(&karate, 5) };
    let muffliato = run(Aggregation::Gossip(accelerated), &ByRound(noise, 5));
    let trusted = run(Aggregation::TrustedAggregator, &noise);
    for (ours, theirs) in muffliato.means.iter().zip(&trusted.means) {
        assert!(distance(ours, theirs) < 1e-13, "{ours:?} {theirs:?}");
    }
    assert!(distance(&muffliato.output, &trusted.output) < 1e-13);
    assert_eq!(muffliato.means.len(), 13);
    // The output is the mean of the means before each round, not the last one.
    let mean = trusted.means[..12].iter().map(|mean| mean[0]).sum::<f64>() / 12.0;
    assert!((trusted.output[0] - mean).abs() < 1e-13);
    assert!(trusted.disagreements.iter().all(|&spread| spread < 1e-28));
    assert!(muffliato.disagreements.iter().all(|&spread| spread > 1e-6));
}

/// Examples of norm 1 whose labels are the side of a plane, one in ten flipped.
fn examples(count: usize, first: usize) -> (Vec<f64>, Vec<f64>) {
    let plane = [0.8, -0.5, 0.3];
    let mut draws = [0.0; 4];
    let (mut features, mut labels) = (Vec::new(), Vec::new());
    for example in first..first + count {
        SeededNoise::new(77).fill(example, 0, 1.0, &mut draws).unwrap();
        let norm = distance(&draws[..3], &[0.0; 3]);
        features.extend(draws[..3].iter().map(|entry| entry / norm));
        let side: f64 = draws[..3].iter().zip(plane).map(|(x, p)| x * p).sum();
        let flipped = draws[3] < -1.2816;
        labels.push(if (side > 0.0) != flipped { 1.0 } else { -1.0 });
    }
    (features, labels)
}

/// All runs are seeded and share their noise, so Muffliato and the trusted aggregator differ only
/// by what gossip leaves unmixed.
#[test]
fn logistic_regression_reaches_the_trusted_aggregators_accuracy() {
    let nodes = 128;
    let (features, labels) = examples(nodes * 4, 0);
    let loss =
        LogisticLoss::try_new(3, features, labels, even_shares(nodes * 4, nodes).unwrap()).unwrap();
    let (test_features, test_labels) = examples(2000, 10_000);
    let graphs = ErdosRenyiSequence::try_new(nodes, 0.06, WeightScheme::Metropolis, 5).unwrap();
    let full =
        Descent { rounds: 30, step_size: 0.7, sigma: 1.0, clip: Some(1.0), ..Descent::default() };
    let stochastic = Descent { sampling: Sampling::OneExample { seed: 4 }, ..full };
    let run = |descent: Descent, aggregation, steps| {
        let start = vec![0.0; nodes * 3];
        let noise = ByRound(SeededNoise::new(21), steps);
        let trajectory = descent.run(&loss, &start, aggregation, &noise).unwrap();
        accuracy(&trajectory.output, &test_features, &test_labels).unwrap()
    };
    for descent in [full, stochastic] {
        let muffliato = run(descent, Aggregation::Gossip(gossip(&graphs, 12)), 12);
        let trusted = run(descent, Aggregation::TrustedAggregator, 1);
        assert!(trusted > 0.85, "trusted aggregator {trusted}");
        assert!((muffliato - trusted).abs() <= 0.005, "Muffliato {muffliato}, trusted {trusted}");
        // Ten times the noise, as for a hundredth of the loss, is visible.
        let noisier = Descent { sigma: 10.0, ..descent };
        let noisy = run(noisier, Aggregation::TrustedAggregator, 1);
        assert!(noisy < trusted - 0.02, "{noisy}, {trusted}");
    }
}

/// A node that changes its loss moves its own update by at most `2 nu C`, and no other's.
#[test]
fn clipping_bounds_what_a_node_can_change() {
    let (bound, nu) = (0.25, 0.5);
    let descent = Descent { step_size: nu, sigma: 0.0, clip: Some(bound), ..Descent::default() };
    let isolated =
        Network::try_new(muffliato_model::Graph::try_new(2, []).unwrap(), WeightScheme::Metropolis)
            .unwrap();
    let update = |centre: f64| {
        let loss =
            QuadraticLoss::try_new(2, vec![1.0; 2], vec![centre, -centre, 1.0, 1.0]).unwrap();
        let aggregation = Aggregation::Gossip(gossip(&isolated, 1));
        descent.run(&loss, &[0.0; 4], aggregation, &SeededNoise::new(0)).unwrap().parameters
    };
    let (one, other) = (update(1e6), update(-1e6));
    let moved = distance(&one[..2], &other[..2]);
    assert!(moved <= 2.0 * nu * bound * (1.0 + 1e-15) && moved > 1.99 * nu * bound, "{moved}");
    assert_eq!(one[2..], other[2..]);
}

/// One uniformly random example in each round: over 400 rounds the number of times that one of two
/// is used is within 5.5 standard deviations (55) of 200 except with probability 4e-8.
#[test]
fn stochastic_gradients_use_one_example_at_a_time() {
    let loss = LogisticLoss::try_new(2, vec![1.0, 0.0, 0.0, 1.0], vec![1.0, 1.0], vec![2]).unwrap();
    let alone =
        Network::try_new(muffliato_model::Graph::try_new(1, []).unwrap(), WeightScheme::Metropolis)
            .unwrap();
    let descent = Descent {
        rounds: 400,
        step_size: 0.1,
        sigma: 0.0,
        sampling: Sampling::OneExample { seed: 3 },
        ..Descent::default()
    };
    let aggregation = Aggregation::Gossip(gossip(&alone, 1));
    let trajectory = descent.run(&loss, &[0.0; 2], aggregation, &SeededNoise::new(0)).unwrap();
    let mut first = 0;
    for step in trajectory.means.windows(2) {
        let moved = [0, 1].map(|k| step[0][k] != step[1][k]);
        assert!(moved[0] != moved[1], "one coordinate moves with each example");
        first += usize::from(moved[0]);
    }
    assert!((145..=255).contains(&first), "{first} of 400");
}

/// Two nodes that take the mean of both after each round, half of the way to 8 and to 24: by hand.
#[test]
fn nodes_that_skip_a_round_take_no_step_in_it() {
    let loss = QuadraticLoss::try_new(1, vec![1.0; 2], vec![8.0, 24.0]).unwrap();
    let plain = Protocol::gradient_descent(network("path:2"), 3, 1).unwrap();
    let run = |protocol: &Protocol, sigma| {
        let descent = Descent { step_size: 0.5, sigma, ..Descent::of(protocol).unwrap() };
        let aggregation = Aggregation::of(protocol).unwrap();
        let run = descent.run(&loss, &[0.0; 2], aggregation, &SeededNoise::new(0));
        run.unwrap().means.concat()
    };
    assert_eq!(run(&plain, 0.0), [0.0, 8.0, 12.0, 14.0]);
    let sparse = plain.clone().every(2).unwrap();
    // 0 -> 4 at node 0; 2 -> 13 at node 1; 7.5 -> 7.75 at node 0.
    assert_eq!(run(&sparse, 0.0), [0.0, 2.0, 7.5, 7.625]);
    // After the round of each node no data is used, and noise is still added.
    let silent = plain.every(9).unwrap();
    assert_eq!(run(&silent, 0.0), [0.0, 2.0, 7.5, 7.5]);
    let noisy = run(&silent, 1.0);
    assert_ne!(noisy[2], noisy[3]);
}

#[test]
fn unsupported_protocols_are_refused() {
    let plain = || Protocol::gradient_descent(network("path:3"), 2, 1).unwrap();
    let reacting = plain().reacting(vec![Fraction::ONE; 3]).unwrap();
    assert!(Descent::of(&reacting).is_err());
    let kappa: Fraction = "2".parse().unwrap();
    assert!(Aggregation::of(&plain().masked(kappa).unwrap()).is_ok());
    let changing = Protocol::gradient_descent_on(vec![network("path:3"); 2], 1).unwrap();
    assert!(Aggregation::of(&changing).is_err());
}

/// Coins of their own for each example and round, a fixed divisor, and clipping of each example.
#[test]
fn sampled_examples_are_clipped_one_by_one_and_divided_by_a_fixed_number() {
    let features: Vec<f64> = (0..4000).map(|k| if k % 2 == 0 { 1.0 } else { -2.0 }).collect();
    let loss = LogisticLoss::try_new(1, features, vec![1.0; 4000], vec![2000, 2000]).unwrap();
    let moved = |sampling, clip| {
        let descent = Descent { sampling, clip, sigma: 0.0, ..Descent::default() };
        let run =
            descent.run(&loss, &[0.0; 2], Aggregation::TrustedAggregator, &SeededNoise::new(1));
        run.unwrap().means[1][0]
    };
    let each = |rate: &str, divisor| {
        let rate = rate.parse().unwrap();
        Sampling::EachExample { seed: 3, rate, divisor }
    };
    // At 0 the gradients are -1/2 and 1: their mean is 1/4, and with norms of at most 1/2 it is 0.
    assert!((moved(each("1", 2000.0), None) - moved(Sampling::AllExamples, None)).abs() < 1e-12);
    assert!((moved(each("1", 2000.0), None) + 0.25).abs() < 1e-12);
    assert!(moved(each("1", 2000.0), Some(0.5)).abs() < 1e-12);
    assert!((moved(each("1", 1000.0), None) + 0.5).abs() < 1e-12);
    // One in four: the mean moves by 1/4 within 6 standard deviations of 0.026 (false alarm 2e-9).
    let quarter = moved(each("1/4", 500.0), None);
    assert!((quarter + 0.25).abs() < 6.0 * 0.026 && quarter != -0.25, "{quarter}");
    assert_eq!(quarter, moved(each("1/4", 500.0), None));
    assert!(
        Descent { sampling: each("1/4", 0.0), ..Descent::default() }
            .run(&loss, &[0.0; 2], Aggregation::TrustedAggregator, &SeededNoise::new(1))
            .is_err()
    );
}
