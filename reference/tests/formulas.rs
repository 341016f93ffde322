//! Formulas against computations by hand. The ledger and the test vectors hold those of the paper's claims.

use crate::instances::{graph, metropolis, ratio};
use muffliato_model::{Fraction, Graph, Observer, Protocol};
use muffliato_reference::{
    ExpectedError, PaperBounds, Process,
    bounds::{erdos_renyi_bound, time_varying_coalition_gd},
    enclosure::Interval,
    first_passage_bound,
    guarantee::{central_error, local_error},
    refreshed_walk_bound,
    spectral::{
        Rate, acceleration, gossip_steps_per_round, randomized_gap, spectral_gap, steps_to_converge,
    },
    utility::{accelerated_error, randomized_error, randomized_utility, synchronous_utility},
};
use num_rational::BigRational;
use num_traits::{One, ToPrimitive, Zero};

#[test]
fn rows_and_columns_differ_for_time_varying_matrices() {
    // 0-1 average, then 1-2: W_{0:2} = W_1 W_0 has rows (1/2, 1/2, 0) and (1/4, 1/4, 1/2) twice.
    let protocol = Protocol::randomized(graph("path:3"), vec![(0, 1), (1, 2), (0, 1)]).unwrap();
    let bounds = PaperBounds::of(&protocol).unwrap();
    // Node 0 hears 1 at t = 0 (row e_1) and at t = 2 (row (1/4, 1/4, 1/2), norm 3/8).
    let all = bounds.pairwise_all(&Observer::full(0)).unwrap();
    assert_eq!(all, [ratio(1, 6), ratio(7, 6), ratio(2, 3)]);
}

#[test]
fn erdos_renyi_bound_of_an_observer_and_of_a_coalition() {
    let bound = |members, degree, noise, alpha| {
        erdos_renyi_bound(20, members, degree, 3, &ratio(1, 4), &noise, &alpha)
    };
    let one = bound(1, 4, ratio(1, 1), ratio(2, 1)).unwrap();
    assert_eq!(one.neighbour_probability, ratio(1, 4));
    assert_eq!(one.neighbour, ratio(1, 1));
    assert_eq!(one.stranger, ratio(24, 16));
    let two = bound(2, 8, ratio(1, 1), ratio(2, 1)).unwrap();
    assert_eq!(two.neighbour_probability, ratio(7, 16));
    assert_eq!(two.stranger, ratio(4, 1));
    assert!(bound(1, 4, ratio(99, 100), ratio(2, 1)).is_err());
    assert!(bound(1, 4, ratio(1, 1), ratio(1, 1)).is_err());
    assert!(bound(0, 4, ratio(1, 1), ratio(2, 1)).is_err());
    assert!(bound(1, 20, ratio(1, 1), ratio(2, 1)).is_err());
}

#[test]
fn erdos_renyi_bound_at_the_ends_of_its_ranges() {
    // alpha = 3 needs a noise of 3.
    let with = |members, degree, q, noise| {
        erdos_renyi_bound(20, members, degree, 3, &q, &noise, &ratio(3, 1))
    };
    let enough = || ratio(3, 1);
    assert!(with(1, 4, ratio(1, 4), enough()).is_ok());
    assert!(with(1, 4, ratio(1, 4), ratio(299, 100)).is_err());
    for (q, probability) in [(0, 0), (1, 1)] {
        let bound = with(1, 4, ratio(q, 1), enough()).unwrap();
        assert_eq!(bound.neighbour_probability, ratio(probability, 1));
    }
    assert!(with(1, 4, ratio(-1, 4), enough()).is_err());
    assert!(with(1, 4, ratio(5, 4), enough()).is_err());
    // All others are neighbours, or all others observe.
    assert_eq!(with(1, 19, ratio(1, 4), enough()).unwrap().stranger, ratio(6 * 19, 1));
    assert!(with(19, 1, ratio(1, 4), enough()).is_ok());
    assert!(with(20, 0, ratio(1, 4), enough()).is_err());
    let crowd =
        |members| erdos_renyi_bound(20_000, members, 1, 1, &ratio(0, 1), &enough(), &ratio(3, 1));
    assert!(crowd(10_000).is_ok() && crowd(10_001).is_err());
}

#[test]
fn colluders_under_time_varying_graphs() {
    let rounds = vec![metropolis("path:4"), metropolis("ring:4")];
    let protocol = Protocol::gradient_descent_on(rounds, 3).unwrap();
    // K = 3 steps a round. Path: N(0) = {1}, a stranger pays 3 * 1 / (4 - 1); ring: 3 is a neighbour and pays 1.
    let bound = time_varying_coalition_gd(&protocol, 3, &Observer::full(0));
    assert_eq!(bound, Ok(ratio(4, 1)));
    // Ring of five: N(0) = {1, 4}, a stranger pays 3 * 2 / (5 - 2).
    let rounds = vec![metropolis("ring:5"), metropolis("complete:5")];
    let protocol = Protocol::gradient_descent_on(rounds, 3).unwrap();
    let bound = time_varying_coalition_gd(&protocol, 3, &Observer::full(0));
    assert_eq!(bound, Ok(ratio(2 * (2 + 1), 1)));
}

#[test]
fn error_of_averaging_by_hand() {
    // Two nodes, one step: both hold the mean, with noise (1/2, 1/2).
    let process: Process =
        Process::run(&Protocol::one_shot(metropolis("path:2"), 1).unwrap()).unwrap();
    let error = process.averaging_error(&[ratio(1, 1), ratio(-1, 1)]).unwrap();
    assert_eq!(error, ExpectedError { bias: ratio(0, 1), noise: ratio(1, 4) });
    assert_eq!(error.total(&ratio(8, 1)), ratio(2, 1));
    // Refreshed at t = 1 of two steps: one more draw of tau^2 = 1/4 goes through the same step.
    let refreshed = Protocol::one_shot(metropolis("path:2"), 2).unwrap();
    let refreshed = refreshed.refreshed(Fraction::try_new(1, 2).unwrap()).unwrap();
    let process = Process::run(&refreshed).unwrap();
    let error = process.averaging_error(&[ratio(1, 1), ratio(-1, 1)]).unwrap();
    assert_eq!(error.noise, ratio(1, 4) + ratio(1, 16));
    // Gradient descent: two rounds of the inputs (1, 0), averaged exactly, against the target 1.
    let descent = Protocol::gradient_descent(metropolis("path:2"), 2, 1).unwrap();
    let process = Process::run(&descent).unwrap();
    let inputs = vec![vec![ratio(1, 1), ratio(0, 1)]; 2];
    let error = process.expected_error(&inputs, &ratio(1, 1)).unwrap();
    assert_eq!(error, ExpectedError { bias: ratio(0, 1), noise: ratio(1, 2) });
}

#[test]
fn two_ways_to_the_error_of_the_accelerated_protocol() {
    // By the process with rational g, and by moments of W with g as an interval.
    let network = metropolis("florentine");
    let values: Vec<_> = (0..15).map(|v| ratio(v * v % 11, 2)).collect();
    let sigma_squared = ratio(3, 7);
    for (steps, g) in [(1, (1, 1)), (4, (5, 4)), (7, (13, 8)), (5, (2, 1))] {
        let protocol = Protocol::one_shot(network.clone(), steps).unwrap();
        let fraction = Fraction::try_new(g.0, g.1).unwrap();
        let process = Process::run(&protocol.accelerated(fraction).unwrap()).unwrap();
        let exact = process.averaging_error(&values).unwrap().total(&sigma_squared);
        let g = Interval::exact(ratio(g.0 as i64, g.1 as i64));
        let enclosed = accelerated_error(&network, steps, &g, &values, &sigma_squared, 80).unwrap();
        assert!(enclosed.contains(&exact), "T = {steps}");
        assert!(enclosed.width() < ratio(1, 1 << 40));
    }
}

#[test]
fn expected_error_of_randomized_gossip_is_the_mean_over_all_edge_sequences() {
    let network = metropolis("path:4");
    let graph = network.graph();
    let edges: Vec<_> = graph.edges().collect();
    let intensities = [ratio(1, 2), ratio(1, 3), ratio(1, 6)];
    let values = [3, 1, -4, 1].map(|x| ratio(x, 1));
    let sigma_squared = ratio(2, 5);
    let mut expected = BigRational::zero();
    for sequence in 0..27 {
        let drawn = [sequence % 3, sequence / 3 % 3, sequence / 9];
        let protocol =
            Protocol::randomized(graph.clone(), drawn.map(|k| edges[k]).to_vec()).unwrap();
        let process = Process::run(&protocol).unwrap();
        let error = process.averaging_error(&values).unwrap().total(&sigma_squared);
        let probability = drawn.iter().fold(BigRational::one(), |p, &k| p * &intensities[k]);
        expected += probability * error;
    }
    let exact = randomized_error(graph, &intensities, 3, &values, &sigma_squared).unwrap();
    assert_eq!(exact, expected);
}

/// Towards the end of a path of four, (W^2)_13 = 1/9 and (W^3)_13 = 4/27, of which 1/9 arrives for
/// the first time.
#[test]
fn closed_forms_of_refreshed_gossip() {
    let protocol = Protocol::one_shot(metropolis("path:4"), 4).unwrap();
    let protocol = protocol.refreshed("1/2".parse().unwrap()).unwrap();
    let observer = Observer::full(0);
    let walk = refreshed_walk_bound(&protocol, 3, &observer).unwrap();
    assert_eq!(walk, ratio(4 * (9 + 16), 729));
    let passage = first_passage_bound(&protocol, 3, &observer).unwrap();
    assert_eq!(passage, ratio(4 * 2, 81));
}

#[test]
fn gaps_of_known_graphs() {
    // Metropolis on a cycle of n: eigenvalues (1 + 2 cos(2 pi k / n)) / 3.
    let gap = spectral_gap(&metropolis("ring:6"), 50).unwrap();
    assert!(gap.contains(&ratio(1, 3)));
    // Hypercube of dimension m: eigenvalues 1 - 2k/(m+1).
    assert!(spectral_gap(&metropolis("hypercube:4"), 50).unwrap().contains(&ratio(2, 5)));
    // Complete graph: W = J.
    assert_eq!(spectral_gap(&metropolis("complete:5"), 50), Ok(Interval::exact(ratio(1, 1))));
    // Randomized gossip with p = 2 W / n has the gap 2 lambda / n.
    let ring = metropolis("ring:6");
    let gap = randomized_gap(ring.graph(), &vec![ratio(1, 9); 6], 50).unwrap();
    assert!(gap.contains(&ratio(1, 9)));
}

#[test]
fn the_claimed_errors_decay_at_their_rates() {
    let near = |interval: &Interval, float: f64| {
        let middle = interval.midpoint().to_f64().unwrap();
        assert!((middle - float).abs() < 1e-12, "{middle} against {float}");
    };
    // Variance 4 around the mean 1, sigma^2 = 3, and the complete graph has the gap 1.
    let values = [0, 0, 0, 0, 5].map(|x| ratio(x, 1));
    let claim = synchronous_utility(&metropolis("complete:5"), 2, &values, &ratio(3, 1), 60);
    near(&claim.unwrap().right, 7.0 * (-2.0_f64).exp() + 0.6);
    // One edge of probability 1/2 has the gap 1.
    let pair = Graph::try_new(2, [(0, 1)]).unwrap();
    let (half, factor) = (ratio(1, 2), ratio(3, 2));
    let values = [ratio(1, 1), ratio(-1, 1)];
    let claim = randomized_utility(&pair, &[half], &factor, 2, &values, &ratio(3, 1), 60);
    near(&claim.unwrap().right, 4.0 * (-3.0_f64).exp() + 1.5);
}

#[test]
fn accelerations_and_numbers_of_steps() {
    let network = metropolis("hypercube:4");
    let lambda = 0.4_f64;
    let g = 2.0 * (1.0 - (lambda * (1.0 - lambda / 4.0)).sqrt()) / (1.0 - lambda / 2.0).powi(2);
    let found = acceleration(&spectral_gap(&network, 60).unwrap(), 60).unwrap();
    let float = found.midpoint().to_f64().unwrap();
    assert!((float - g).abs() < 1e-9, "{float} against {g}");

    let gap = Interval::exact(ratio(2, 5));
    let steps = |rate| steps_to_converge(rate, &gap, 16, &ratio(1, 2), &ratio(1, 8), 60).unwrap();
    let logarithm = (16.0_f64 * 4.0).ln();
    let near = |interval: &Interval, float: f64| {
        (interval.midpoint().to_f64().unwrap() - float).abs() < 1e-12
    };
    assert!(near(&steps(Rate::Accelerated), logarithm / lambda.sqrt()));
    assert!(near(&steps(Rate::Randomized), logarithm / lambda));
    let per_round = gossip_steps_per_round(&gap, 16, &ratio(100, 1), 60).unwrap();
    assert!(near(&per_round, 100.0_f64.ln() / lambda.sqrt()));
}

#[test]
fn errors_of_local_and_central_privacy() {
    // 2 * 3^2 / (2 * 10 / 2), and a tenth of it.
    let (alpha, sensitivity, half) = (ratio(2, 1), ratio(3, 1), ratio(1, 2));
    assert_eq!(local_error(10, &alpha, &sensitivity, &half), Ok(ratio(9, 5)));
    assert_eq!(central_error(10, &alpha, &sensitivity, &half), Ok(ratio(9, 50)));
}
