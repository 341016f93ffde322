//! Simulations against the exact engine: equal expected errors. The conformance crate checks for
//! every kind of protocol that a run with given noise is the exact linear map.

use crate::fixtures::{fraction, network, plan};
use muffliato_fast::noise::SeededNoise;
use muffliato_fast::simulation::{
    Dropout, EdgeActivation, ErdosRenyiSequence, NetworkSequence, Simulation, StreamedRun,
};
use muffliato_model::{Protocol, WeightScheme};
use muffliato_reference::Process;
use num_rational::BigRational;
use num_traits::ToPrimitive;

/// Every kind of averaging, on few nodes.
fn protocols() -> Vec<(&'static str, Protocol)> {
    let path = network("path:5");
    let florentine = network("florentine lazy:max-degree-inverse");
    let graphs = ErdosRenyiSequence::try_new(8, 0.4, WeightScheme::Metropolis, 3).unwrap();
    let dropout = Dropout::try_new(graphs.clone(), 0.3, 4).unwrap();
    let edges = EdgeActivation::of_network(&path).unwrap();
    let (path_graph, edges) = (path.graph().clone(), edges.draw(40, 5).unwrap());
    let accelerated = |protocol: &Protocol| protocol.clone().accelerated(fraction("5/4")).unwrap();
    let plain = Protocol::one_shot(florentine, 6).unwrap();
    let refreshed = Protocol::one_shot(path, 5).unwrap();
    let refreshed = refreshed.refreshed(fraction("0.05")).unwrap();
    let planned = plain.clone().with_plan(plan(15, true)).unwrap();
    vec![
        ("a plan", planned),
        ("an accelerated plan", accelerated(&plain).with_plan(plan(15, false)).unwrap()),
        ("accelerated", accelerated(&plain)),
        ("one-shot", plain),
        ("refreshed and accelerated", accelerated(&refreshed)),
        ("refreshed", refreshed),
        ("randomized", Protocol::randomized(path_graph, edges).unwrap()),
        ("time-varying", graphs.protocol(6).unwrap()),
        ("dropout", dropout.protocol(6).unwrap()),
    ]
}

/// Irregular numbers in [-1, 1).
fn number(k: usize) -> f64 {
    ((k * 7919 + 13) % 2003) as f64 / 1001.5 - 1.0
}

/// Each of many coordinates is a separate run. The mean error over R of them is nearly normal
/// around the exact expectation; it leaves 5.5 of its standard deviations (estimated from the same
/// errors) with probability 4e-8 under a normal law, and below the false-alarm rate 1e-6 with the
/// skew of means of 40,000 squares.
#[test]
fn the_mean_error_is_the_exact_expectation() {
    let (width, sigma) = (40_000, 0.75);
    for (name, protocol) in protocols() {
        let nodes = protocol.nodes();
        let values: Vec<i64> = (0..nodes as i64).map(|v| v * v % 7).collect();
        let exact: Vec<BigRational> =
            values.iter().map(|&value| BigRational::from_integer(value.into())).collect();
        let variance = BigRational::from_float(sigma * sigma).unwrap();
        let expected = Process::run(&protocol)
            .unwrap()
            .averaging_error(&exact)
            .unwrap()
            .total(&variance)
            .to_f64()
            .unwrap();
        let inputs: Vec<f64> =
            values.iter().flat_map(|&value| std::iter::repeat_n(value as f64, width)).collect();
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
        assert!((recorded / count / mean - 1.0).abs() < 1e-9, "{name}: {recorded}");
    }
}

/// The runner that does not store networks gives the bytes of the one that does.
#[test]
fn a_streamed_run_is_the_stored_one() {
    let graphs = ErdosRenyiSequence::try_new(30, 0.1, WeightScheme::Metropolis, 3).unwrap();
    let dropout = Dropout::try_new(graphs, 0.4, 4).unwrap();
    let inputs: Vec<f64> = (0..60).map(number).collect();
    let noise = SeededNoise::new(6);
    let protocol = dropout.protocol(25).unwrap().refreshed(fraction("0.125")).unwrap();
    let stored = Simulation::new(&protocol.accelerated(fraction("1.25")).unwrap())
        .sigma(0.5)
        .run(&inputs, 2, &noise)
        .unwrap();
    let run = StreamedRun {
        sigma: 0.5,
        tau: 0.125,
        acceleration: Some(1.25),
        most_steps: 25,
        until: None,
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
