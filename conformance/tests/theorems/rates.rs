//! The measured rate of Algorithm 1: the error falls like `e^{-c T sqrt(gap)}`, with the c of the
//! exact expectation.
//!
//! Many runs contain only noise. For each graph, the rate is that at which the nodes' disagreement
//! falls between two times. The slope of these rates against sqrt(gap) through the origin is
//! compared; its standard error follows from the runs by linearisation.

use super::network;
use muffliato_fast::noise::SeededNoise;
use muffliato_fast::simulation::Simulation;
use muffliato_fast::{GapOptions, SparseWeights, acceleration_fraction, spectral_gap};
use muffliato_model::Protocol;
use muffliato_reference::{BigRational, Process};
use num_traits::ToPrimitive;
use statrs::distribution::{ContinuousCDF, Normal};

/// Probability that a test fails although everything is right.
const FALSE_ALARM: f64 = 1e-6;

const RUNS: usize = 3000;
const SEED: u64 = 17;

/// Returns `(1/2n) sum_v (y_v - mean)^2` of each run, and its exact expectation.
fn disagreements(protocol: &Protocol) -> (Vec<f64>, f64) {
    let nodes = protocol.nodes();
    let inputs = vec![0.0; nodes * RUNS];
    let outcome = Simulation::new(protocol).run(&inputs, RUNS, &SeededNoise::new(SEED)).unwrap();
    let of_run = |run: usize| {
        let values = (0..nodes).map(|v| outcome.values[v * RUNS + run]);
        let mean = values.clone().sum::<f64>() / nodes as f64;
        values.map(|y| (y - mean) * (y - mean)).sum::<f64>() / (2 * nodes) as f64
    };
    let zeros = vec![BigRational::default(); nodes];
    let expected = Process::run(protocol).unwrap().averaging_error(&zeros).unwrap();
    // The mean of the noise contributes sigma^2 / 2n.
    let mean_noise = BigRational::new(1.into(), (2 * nodes).into());
    ((0..RUNS).map(of_run).collect(), (expected.noise - mean_noise).to_f64().unwrap())
}

fn mean(numbers: &[f64]) -> f64 {
    numbers.iter().sum::<f64>() / numbers.len() as f64
}

#[test]
fn the_log_error_falls_with_the_square_root_of_the_gap() {
    let (mut above, mut exact, mut below, mut variance) = (0.0, 0.0, 0.0, 0.0);
    for graph in
        ["path:6", "path:9", "ring:8", "ring:12", "ring:16", "grid:3x4", "star:9", "hypercube:3"]
    {
        let network = network(graph);
        let weights = SparseWeights::of_network(&network).unwrap();
        let gap = spectral_gap(&weights, &GapOptions::default(), &()).unwrap().estimate;
        let g = acceleration_fraction(gap).unwrap();
        let times = [2.0, 8.0].map(|factor| (factor / gap.sqrt()).ceil() as usize);
        let at = |steps| {
            let protocol = Protocol::one_shot(network.clone(), steps).unwrap();
            disagreements(&protocol.accelerated(g).unwrap())
        };
        let ((early, early_exact), (late, late_exact)) = (at(times[0]), at(times[1]));
        let (early_mean, late_mean) = (mean(&early), mean(&late));
        let apart = (times[1] - times[0]) as f64;
        let rate = (early_mean / late_mean).ln() / apart;
        let predicted = (early_exact / late_exact).ln() / apart;
        println!("{graph}: sqrt(gap) {:.4}, rate {rate:.4}, predicted {predicted:.4}", gap.sqrt());

        let shares = early.iter().zip(&late).map(|(e, l)| e / early_mean - l / late_mean);
        let spread = shares.map(|share| share * share).sum::<f64>() / (RUNS * RUNS) as f64;
        above += gap.sqrt() * rate;
        exact += gap.sqrt() * predicted;
        below += gap;
        variance += gap * spread / (apart * apart);
    }
    let (slope, predicted, error) = (above / below, exact / below, variance.sqrt() / below);
    let quantile = Normal::standard().inverse_cdf(1.0 - FALSE_ALARM / 2.0);
    println!(
        "slope {slope} +- {error} ({RUNS} runs a graph, seed {SEED}), predicted {predicted}, promised 1"
    );
    assert!(
        (slope - predicted).abs() <= quantile * error,
        "slope {slope} is not {predicted} +- {quantile} * {error} (false-alarm rate {FALSE_ALARM})"
    );
    assert!(slope - quantile * error > 1.0, "Theorem 2 promises a slope of 1: {slope} +- {error}");
}
