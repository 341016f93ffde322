//! Utility: error floors, and whether the steps to converge are enough, in exact numbers or
//! rational intervals.

use super::{network, ratio};
use muffliato_fast::{
    GapOptions, Rate, SparseWeights, randomized_gap, spectral_gap, steps_to_converge,
};
use muffliato_reference::enclosure::Interval;
use muffliato_reference::utility::{accelerated_error, randomized_error};
use muffliato_reference::{BigRational, spectral};
use num_traits::ToPrimitive;

/// One graph of each family.
const FAMILIES: [&str; 12] = [
    "path:9",
    "ring:10",
    "complete:7",
    "star:8",
    "grid:3x4",
    "torus:3x3",
    "hypercube:3",
    "karate",
    "florentine",
    "erdos-renyi:12:q=0.4:seed=1:connected",
    "regular:10:d=3:seed=1",
    "geometric:12:r=0.6:seed=1",
];

fn uniform(edges: usize) -> Vec<BigRational> {
    vec![ratio(1, edges as i64); edges]
}

/// Returns inputs in which one node differs from all others, or all differ.
fn inputs(nodes: usize) -> [Vec<BigRational>; 2] {
    let peak = (0..nodes).map(|v| ratio(i64::from(v == 0) * 3, 1));
    let ramp = (0..nodes as i64).map(|v| ratio(v * v % 5, 2));
    [peak.collect(), ramp.collect()]
}

fn variance(values: &[BigRational]) -> BigRational {
    let nodes = ratio(values.len() as i64, 1);
    let mean = values.iter().sum::<BigRational>() / &nodes;
    let squares = values.iter().map(|x| (x - &mean) * (x - &mean));
    squares.sum::<BigRational>() / nodes
}

/// `T_stop` of Theorem 2, with the certified gap of the fast engine, leaves at most `3 sigma^2 /
/// n`.
#[test]
fn t_stop_reaches_three_times_the_noise_over_n_on_every_family() {
    for family in FAMILIES {
        let network = network(family);
        let nodes = network.graph().nodes();
        let weights = SparseWeights::of_network(&network).unwrap();
        let certified = spectral_gap(&weights, &GapOptions::default(), &()).unwrap().certified;
        let exact = spectral::spectral_gap(&network, 80).unwrap();
        let g = spectral::acceleration(&exact, 80).unwrap();
        for values in inputs(nodes) {
            let spread = variance(&values);
            let steps = steps_to_converge(
                Rate::Accelerated,
                certified.lower(),
                nodes,
                spread.to_f64().unwrap().next_up(),
                1.0,
            )
            .unwrap();
            let bits = 64 + 4 * steps as u32;
            let error =
                accelerated_error(&network, steps, &g, &values, &ratio(1, 1), bits).unwrap();
            let floor = ratio(3, nodes as i64);
            assert!(*error.upper() <= floor, "{family}, {steps} steps: {error}");
            println!(
                "{family}: {steps} steps, {} of the floor",
                (error.midpoint() / floor).to_f64().unwrap()
            );
        }
    }
}

/// `T_stop` of Theorem 3 at half the gap leaves at most `2 sigma^2 / n` on average over the edges.
#[test]
fn t_stop_of_randomized_gossip_at_half_the_gap_reaches_twice_the_noise_over_n() {
    for family in [
        "path:4",
        "ring:5",
        "complete:5",
        "star:5",
        "grid:2x3",
        "hypercube:2",
        "regular:6:d=3:seed=1",
    ] {
        let network = network(family);
        let graph = network.graph();
        let intensities = uniform(graph.edge_count());
        let floats = vec![1.0 / graph.edge_count() as f64; graph.edge_count()];
        let gap = randomized_gap(graph, &floats, &GapOptions::default(), &()).unwrap();
        for values in inputs(graph.nodes()) {
            let spread = variance(&values).to_f64().unwrap().next_up();
            // A millionth below the certified gap covers the rounding of 1/|E|.
            let lower = gap.certified.lower() * (1.0 - 1e-6);
            let rate = Rate::RandomizedHalved;
            let steps = steps_to_converge(rate, lower, graph.nodes(), spread, 1.0).unwrap();
            let error =
                randomized_error(graph, &intensities, steps, &values, &ratio(1, 1)).unwrap();
            let floor = ratio(2, graph.nodes() as i64);
            assert!(error <= floor, "{family}, {steps} steps: {error}");
        }
    }
}

/// No number of steps gets below `sigma^2 / 2n`, since the mean of the noise remains.
#[test]
fn the_error_never_falls_below_the_noise_of_the_mean() {
    let network = network("hypercube:3");
    let g = Interval::exact(ratio(5, 4));
    for steps in [1, 5, 20] {
        let error =
            accelerated_error(&network, steps, &g, &inputs(8)[0], &ratio(1, 1), 200).unwrap();
        assert!(*error.lower() >= ratio(1, 16) - ratio(1, 1 << 40), "{steps}: {error}");
    }
}
