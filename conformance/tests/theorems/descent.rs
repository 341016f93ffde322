//! Theorem 5 on a strongly convex quadratic: the exact expected error of Muffliato-GD, round by
//! round.
//!
//! Node w minimises `a_w/2 (theta - b_w)^2`. A round is `theta_w <- (1 - nu a_w) theta_w + nu a_w
//! b_w + nu noise`, followed by K gossip steps. Half of the nodes have no curvature: only the mean
//! loss is strongly convex, with mu the mean of the `a_w`, and smooth with L their maximum.

use super::{network, ratio};
use muffliato_fast::gossip_steps_per_round;
use muffliato_model::{Fraction, Protocol};
use muffliato_reference::enclosure::{Interval, exp};
use muffliato_reference::spectral::spectral_gap;
use muffliato_reference::{BigRational, ExpectedError, Process};
use num_traits::{One, ToPrimitive, Zero};

const ROUNDS: usize = 10;

/// Returns the error of all nodes relative to the minimum after each number of rounds, for noise of
/// unit variance.
fn errors(graph: &str, step_size: &BigRational, start: i64) -> Vec<ExpectedError> {
    let network = network(graph);
    let nodes = network.graph().nodes();
    let gap = spectral_gap(&network, 60).unwrap().lower().to_f64().unwrap();
    let steps = gossip_steps_per_round(gap, nodes, 0.0).unwrap();
    let curvature = |w: usize| ratio(if w.is_multiple_of(2) { 2 } else { 0 }, 1);
    let factor = |w: usize| BigRational::one() - step_size * curvature(w);
    let exactly = |number: BigRational| {
        Fraction::try_new(number.numer().to_i128().unwrap(), number.denom().to_i128().unwrap())
    };
    let factors: Vec<_> = (0..nodes).map(|w| exactly(factor(w)).unwrap()).collect();
    // All centres, and therefore the minimum, are 0.
    let first: Vec<_> = (0..nodes).map(|w| factor(w) * ratio(start, 1)).collect();
    (1..=ROUNDS)
        .map(|rounds| {
            let protocol = Protocol::gradient_descent(network.clone(), rounds, steps)
                .and_then(|protocol| protocol.reacting(factors.clone()))
                .unwrap();
            let mut inputs = vec![vec![BigRational::zero(); nodes]; rounds];
            inputs[0] = first.clone();
            let process = Process::run(&protocol).unwrap();
            process.expected_error(&inputs, &BigRational::zero()).unwrap()
        })
        .collect()
}

/// `bias <= L |theta^0 - theta*|^2 e^{-T / (2 kappa)}`, with mu = 1, L = 2, kappa = 2 and the step
/// size 1/L.
#[test]
fn gradient_descent_converges_at_the_rate_of_the_condition_number() {
    let (smoothness, start) = (2, 3);
    for graph in ["hypercube:2", "ring:6", "complete:4"] {
        let errors = errors(graph, &ratio(1, smoothness), start);
        for (round, error) in (1..).zip(&errors) {
            let time = Interval::exact(ratio(-round, 4));
            let decay = exp(&time, 64).unwrap();
            let promised = decay.lower() * ratio(smoothness * start * start, 1);
            assert!(error.bias <= promised, "{graph}, round {round}: {}", error.bias);
        }
        let late = |round: usize| errors[round].bias.to_f64().unwrap();
        let rate = (late(ROUNDS - 5) / late(ROUNDS - 1)).ln() / 4.0;
        println!("{graph}: the bias falls by e^-{rate} a round; promised e^-1/4");
        assert!(rate >= 0.25, "{graph}: {rate}");
    }
}

/// The noise of all rounds together stays below `nu sigma^2 / (n mu)` per node on average, which is
/// what averaging over n nodes leaves.
#[test]
fn the_noise_of_gradient_descent_is_averaged_over_the_nodes() {
    for graph in ["hypercube:2", "ring:6", "complete:4"] {
        let step_size = ratio(1, 4);
        let nodes = network(graph).graph().nodes();
        let errors = errors(graph, &step_size, 0);
        let floor = &step_size / ratio(nodes as i64, 1);
        for (round, error) in (1..).zip(&errors) {
            assert!(error.bias.is_zero());
            let noise = error.total(&(&step_size * &step_size));
            assert!(noise <= floor, "{graph}, round {round}: {noise} > {floor}");
        }
        println!(
            "{graph}: {} of the floor",
            (errors[ROUNDS - 1].noise.to_f64().unwrap() / 16.0) / floor.to_f64().unwrap()
        );
    }
}
