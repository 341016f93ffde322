//! Simulations against the exact engine: the same expected error. That a run with given noise is the exact linear map is checked
//! on every kind of protocol in the conformance crate.

use muffliato_fast::noise::{GivenNoise, SeededNoise};
use muffliato_fast::simulation::{
    Dropout, EdgeActivation, ErdosRenyiSequence, NetworkSequence, Simulation, Stop, StreamedRun,
};
use muffliato_model::{Fraction, GraphSpec, Network, Protocol, WeightScheme};
use muffliato_reference::Process;
use num_rational::BigRational;
use num_traits::ToPrimitive;

fn network(graph: &str, scheme: &str) -> Network {
    let graph = graph.parse::<GraphSpec>().unwrap().build().unwrap();
    Network::try_new(graph, scheme.parse().unwrap()).unwrap()
}

fn fraction(text: &str) -> Fraction {
    text.parse().unwrap()
}

/// Every kind of protocol, on few nodes.
fn protocols() -> Vec<(&'static str, Protocol)> {
    let path = || network("path:5", "metropolis");
    let florentine = || network("florentine", "lazy:max-degree-inverse");
    let graphs = ErdosRenyiSequence::try_new(8, 0.4, WeightScheme::Metropolis, 3).unwrap();
    let dropout = Dropout::try_new(graphs.clone(), 0.3, 4).unwrap();
    let edges = EdgeActivation::of_network(&path())
        .unwrap()
        .draw(40, 5)
        .unwrap();
    let factors = ["1/2", "-1/3", "0", "7/8", "1"].map(fraction).to_vec();
    let gd = |protocol: Protocol| protocol.accelerated(fraction("5/4")).unwrap();
    vec![
        ("one-shot", Protocol::one_shot(florentine(), 6).unwrap()),
        (
            "accelerated",
            gd(Protocol::one_shot(florentine(), 6).unwrap()),
        ),
        (
            "refreshed",
            Protocol::one_shot(path(), 5)
                .unwrap()
                .refreshed(fraction("0.05"))
                .unwrap(),
        ),
        (
            "refreshed and accelerated",
            gd(Protocol::one_shot(path(), 5)
                .unwrap()
                .refreshed(fraction("0.05"))
                .unwrap()),
        ),
        ("randomized", edges.protocol().unwrap()),
        ("time-varying", graphs.protocol(6).unwrap()),
        ("dropout", dropout.protocol(6).unwrap()),
        ("descent", Protocol::gradient_descent(path(), 3, 2).unwrap()),
        (
            "descent, accelerated",
            gd(Protocol::gradient_descent(path(), 3, 3).unwrap()),
        ),
        (
            "descent, redrawn",
            gd(graphs.gradient_descent(3, 3).unwrap()),
        ),
        (
            "descent of one-step rounds, reacting",
            Protocol::gradient_descent(path(), 4, 1)
                .unwrap()
                .reacting(factors.clone())
                .unwrap(),
        ),
        (
            "descent, reacting",
            gd(Protocol::gradient_descent(path(), 3, 2)
                .unwrap()
                .reacting(factors)
                .unwrap()),
        ),
    ]
}

/// Numbers without pattern in [-1, 1).
fn number(k: usize) -> f64 {
    ((k * 7919 + 13) % 2003) as f64 / 1001.5 - 1.0
}

/// Each of many coordinates is a run of its own. The mean error over R of them is nearly normal around the exact
/// expectation; 5.5 of its standard deviations (estimated from the same errors) are left with probability 4e-8 by a normal
/// law, and below the false-alarm rate 1e-6 with the skew that means of 40,000 squares still have.
#[test]
fn the_mean_error_is_the_exact_expectation() {
    let (width, sigma) = (40_000, 0.75);
    for (name, protocol) in protocols() {
        if protocol.rounds() > 1 {
            continue;
        }
        let nodes = protocol.nodes();
        let values: Vec<i64> = (0..nodes as i64).map(|v| v * v % 7).collect();
        let exact: Vec<BigRational> = values
            .iter()
            .map(|&value| BigRational::from_integer(value.into()))
            .collect();
        let variance = BigRational::from_float(sigma * sigma).unwrap();
        let expected = Process::run(&protocol)
            .unwrap()
            .averaging_error(&exact)
            .unwrap()
            .total(&variance)
            .to_f64()
            .unwrap();
        let inputs: Vec<f64> = values
            .iter()
            .flat_map(|&value| std::iter::repeat_n(value as f64, width))
            .collect();
        let outcome = Simulation::new(&protocol)
            .sigma(sigma)
            .run(&inputs, width, &SeededNoise::new(2024))
            .unwrap();
        let target = values.iter().sum::<i64>() as f64 / nodes as f64;
        let errors: Vec<f64> = (0..width)
            .map(|k| {
                let off = |v: usize| outcome.values[v * width + k] - target;
                (0..nodes).map(|v| off(v) * off(v)).sum::<f64>() / (2 * nodes) as f64
            })
            .collect();
        let count = width as f64;
        let mean = errors.iter().sum::<f64>() / count;
        let spread = errors.iter().map(|e| (e - mean) * (e - mean)).sum::<f64>() / count;
        let off = (mean - expected) / (spread / count).sqrt();
        assert!(
            off.abs() < 5.5,
            "{name}: mean error {mean} of {width} runs is {off} standard deviations from {expected} \
             (false-alarm rate 1e-6)"
        );
        let recorded = outcome.errors.last().unwrap().1;
        assert!(
            (recorded / count / mean - 1.0).abs() < 1e-9,
            "{name}: {recorded}"
        );
    }
}

/// Symmetric gossip matrices keep the mean of what was injected, noise included.
#[test]
fn the_mean_is_kept() {
    for (name, protocol) in protocols() {
        if protocol.reaction().is_some() {
            continue;
        }
        let nodes = protocol.nodes();
        let inputs: Vec<f64> = (0..protocol.rounds() * nodes).map(number).collect();
        let zeros = (0..protocol.steps()).map(|t| (t, vec![0.0; nodes]));
        let silent = GivenNoise::try_new(nodes, 1, zeros).unwrap();
        let outcome = Simulation::new(&protocol)
            .recording_errors(1)
            .run(&inputs, 1, &silent)
            .unwrap();
        let (before, after) = (
            inputs.iter().sum::<f64>(),
            outcome.values.iter().sum::<f64>(),
        );
        assert!((before - after).abs() < 1e-12, "{name}: {before} {after}");
        assert_eq!(outcome.errors.len(), protocol.steps() + 1);
    }
}

/// The runner that does not store networks gives the bytes of the one that does.
#[test]
fn a_streamed_run_is_the_stored_one() {
    let graphs = ErdosRenyiSequence::try_new(30, 0.1, WeightScheme::Metropolis, 3).unwrap();
    let dropout = Dropout::try_new(graphs, 0.4, 4).unwrap();
    let inputs: Vec<f64> = (0..60).map(number).collect();
    let noise = SeededNoise::new(6);
    let protocol = dropout
        .protocol(25)
        .unwrap()
        .refreshed(fraction("0.125"))
        .unwrap();
    let stored = Simulation::new(&protocol.accelerated(fraction("1.25")).unwrap())
        .sigma(0.5)
        .run(&inputs, 2, &noise)
        .unwrap();
    let run = StreamedRun {
        sigma: 0.5,
        tau: 0.125,
        acceleration: Some(1.25),
        most_steps: 25,
        stop: Stop::Never,
    };
    let mut visited = 0;
    let streamed = run
        .run(&dropout, &inputs, 2, &noise, |step| {
            assert_eq!(step.step, visited);
            visited += 1;
            Ok(())
        })
        .unwrap();
    assert_eq!(streamed.values, stored.values);
    assert_eq!((streamed.steps, visited, streamed.stopped), (25, 25, false));
    assert_eq!(streamed.errors[24], stored.errors[0].1);
}

/// Figure 6's setting, smaller: nodes are away half of the time, and agree in the end.
#[test]
fn dropout_converges_and_says_when() {
    let graphs = ErdosRenyiSequence::try_new(200, 0.01, WeightScheme::Metropolis, 3).unwrap();
    let dropout = Dropout::try_new(graphs, 0.5, 4).unwrap();
    let inputs: Vec<f64> = (0..200).map(number).collect();
    let run = |stop| {
        let run = StreamedRun {
            most_steps: 3000,
            stop,
            ..StreamedRun::default()
        };
        run.run(&dropout, &inputs, 1, &SeededNoise::new(6), |_| Ok(()))
            .unwrap()
    };
    let agreed = run(Stop::DisagreementAtMost(1e-3));
    assert!(
        agreed.stopped && agreed.steps > 10 && agreed.steps < 3000,
        "{}",
        agreed.steps
    );
}
