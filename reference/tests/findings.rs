//! Known fractions about the paper's claims, each as a named test.

mod instances;

use instances::{graph, metropolis, ratio};
use muffliato_model::{Fraction, LossModel, Network, Observer, Protocol, WeightScheme};
use muffliato_reference::{
    PaperBounds, Process, View,
    bounds::{RoundExponent, gd_bound_general, gd_bound_simple, random_walk_bound},
    enclosure::Interval,
    spectral::{acceleration, spectral_gap},
    utility::{chebyshev_coefficients, randomized_utility},
};
use num_rational::BigRational;
use num_traits::{Signed, Zero};

fn one_shot(text: &str, steps: usize) -> Protocol {
    Protocol::one_shot(metropolis(text), steps).unwrap()
}

fn gradient_descent(text: &str, rounds: usize, gossip_steps: usize) -> Protocol {
    Protocol::gradient_descent(metropolis(text), rounds, gossip_steps).unwrap()
}

fn view(protocol: &Protocol, observer: &Observer) -> View {
    Process::run(protocol).unwrap().view(observer).unwrap()
}

fn leakage(protocol: &Protocol, source: usize, observer: &Observer) -> BigRational {
    view(protocol, observer).leakage(source).unwrap()
}

fn paper_bound(protocol: &Protocol, source: usize, observer: &Observer) -> BigRational {
    let bounds = PaperBounds::of(protocol).unwrap();
    bounds.pairwise(source, observer).unwrap()
}

#[test]
fn theorem_1_fails_on_three_nodes() {
    let protocol = one_shot("path:3", 2);
    let (full, paper) = (Observer::full(2), Observer::paper(2));
    assert_eq!(paper_bound(&protocol, 0, &full), ratio(1, 3));
    assert_eq!(leakage(&protocol, 0, &paper), ratio(1, 2));
    assert_eq!(leakage(&protocol, 0, &full), ratio(1, 1));
}

#[test]
fn theorem_1_fails_in_the_karate_club() {
    let protocol = one_shot("karate", 2);
    let observer = Observer::full(3);
    let claimed = paper_bound(&protocol, 33, &observer);
    assert_eq!(claimed, ratio(42_837_025, 4_854_427_082));
    assert!(claimed < ratio(9, 1000));
    assert_eq!(leakage(&protocol, 33, &observer), ratio(1, 1));
}

#[test]
fn corollary_1_fails_where_theorem_1_does() {
    let protocol = one_shot("path:3", 2);
    let walk = random_walk_bound(&protocol, 0, &Observer::full(2)).unwrap();
    assert_eq!(walk, ratio(1, 3));
    assert!(walk < leakage(&protocol, 0, &Observer::full(2)));
}

#[test]
fn theorem_1_promises_neighbours_more_than_ldp_costs() {
    let protocol = one_shot("hypercube:3", 3);
    assert_eq!(paper_bound(&protocol, 1, &Observer::full(0)), ratio(37, 20));
    assert_eq!(leakage(&protocol, 1, &Observer::full(0)), ratio(1, 1));
}

#[test]
fn more_distance_is_not_more_privacy() {
    let view = view(&one_shot("hypercube:4", 4), &Observer::full(0));
    let by_distance: Vec<_> = [0b1, 0b11, 0b111, 0b1111]
        .map(|u| view.leakage(u).unwrap())
        .into();
    assert_eq!(
        by_distance,
        [ratio(1, 1), ratio(2, 3), ratio(1, 1), ratio(1, 1)]
    );
}

#[test]
fn acceleration_is_not_post_processing_in_gradient_descent() {
    let plain = gradient_descent("path:5", 2, 2);
    let g = Fraction::try_new(5, 4).unwrap();
    let accelerated = plain.clone().accelerated(g).unwrap();
    let observer = Observer::full(0);
    assert_eq!(leakage(&plain, 3, &observer), ratio(203, 3524));
    assert_eq!(
        leakage(&accelerated, 3, &observer),
        ratio(162_625, 1_874_641)
    );
}

#[test]
fn the_chebyshev_lemma_fails_at_gap_one() {
    // W = J on the complete graph: for y of mean 0, P_2(W) y = (1 - g) y, but 2 (1 - sqrt 1)^2 = 0.
    let network = metropolis("complete:4");
    let gap = spectral_gap(&network, 30).unwrap();
    assert_eq!(gap, Interval::exact(ratio(1, 1)));
    let g = acceleration(&gap, 60).unwrap();
    assert!(*g.lower() > ratio(1, 1) && *g.upper() < ratio(11, 10));
    let at_zero = &chebyshev_coefficients(2, &g, 60)[0];
    assert!(at_zero.upper().is_negative());
}

#[test]
fn randomized_utility_fails_with_the_printed_gap_and_holds_with_half_of_it() {
    let pair = graph("path:2");
    let intensities = [ratio(1, 2)]; // 2 W_uv / n
    let values = [ratio(1, 1), ratio(-1, 1)];
    let with_factor = |factor| {
        randomized_utility(
            &pair,
            &intensities,
            &factor,
            3,
            &values,
            &BigRational::zero(),
            60,
        )
        .unwrap()
    };
    let printed = with_factor(ratio(1, 1));
    assert_eq!(printed.left, Interval::exact(ratio(1, 16)));
    assert_eq!(printed.holds(), Some(false));
    assert_eq!(with_factor(ratio(1, 2)).holds(), Some(true));
}

#[test]
fn the_main_text_bound_for_gradient_descent_fails() {
    let protocol = gradient_descent("path:3", 2, 1);
    let observer = Observer::full(0);
    assert_eq!(gd_bound_simple(&protocol, 2, &observer), Ok(ratio(0, 1)));
    assert_eq!(leakage(&protocol, 2, &observer), ratio(1, 10));
    assert_eq!(
        view(&protocol, &observer).model(),
        LossModel::GradientsAsInputs
    );
}

#[test]
fn the_appendix_bound_for_gradient_descent_fails_with_either_exponent() {
    let observer = Observer::full(0);
    let one_step = gradient_descent("path:3", 2, 1);
    let printed = gd_bound_general(&one_step, 2, &observer, RoundExponent::AsPrinted);
    assert_eq!(printed, Ok(ratio(0, 1)));
    let full = gd_bound_general(&one_step, 2, &observer, RoundExponent::Full);
    assert_eq!(full, Ok(ratio(1, 3)));
    assert!(full.unwrap() >= leakage(&one_step, 2, &observer));

    let two_steps = gradient_descent("path:3", 2, 2);
    let full = gd_bound_general(&two_steps, 2, &observer, RoundExponent::Full);
    assert_eq!(full, Ok(ratio(4, 3)));
    assert_eq!(leakage(&two_steps, 2, &observer), ratio(2, 1));
}

#[test]
fn gradients_as_inputs_do_not_cover_quadratic_losses() {
    let inputs = gradient_descent("path:3", 3, 1);
    let factors = [1, 0, 1].map(Fraction::integer).to_vec();
    let quadratic = inputs.clone().reacting(factors).unwrap();
    let observer = Observer::full(0);
    assert_eq!(leakage(&inputs, 1, &observer), ratio(75, 26));
    assert_eq!(leakage(&quadratic, 1, &observer), ratio(3, 1));
    assert_eq!(
        view(&quadratic, &observer).model(),
        LossModel::QuadraticLosses
    );
}

#[test]
fn the_group_bound_fails_for_a_single_message() {
    // Nodes a = 0, b = 1, v = 2: a and b average, then b sends to v.
    let protocol = Protocol::randomized(graph("path:3"), vec![(0, 1), (1, 2)]).unwrap();
    let observer = Observer::full(2);
    let bounds = PaperBounds::of(&protocol).unwrap();
    assert_eq!(bounds.group(&[0, 1], &observer), Ok(ratio(1, 1)));
    let loss = view(&protocol, &observer).loss(&[0, 1]).unwrap();
    assert_eq!(loss.scalar, ratio(2, 1));
    assert_eq!(loss.vector_upper, loss.scalar);
}

#[test]
fn the_coalition_bound_fails_like_theorem_1() {
    let protocol = one_shot("path:4", 2);
    let coalition = Observer::coalition([2, 3]).unwrap();
    assert_eq!(paper_bound(&protocol, 0, &coalition), ratio(1, 3));
    assert_eq!(leakage(&protocol, 0, &coalition), ratio(1, 1));
}

#[test]
fn the_weights_of_table_1_have_no_gap_on_a_square() {
    let square = Network::try_new(graph("ring:4"), WeightScheme::MaxDegreeInverse).unwrap();
    let gap = spectral_gap(&square, 40).unwrap();
    assert_eq!(gap, Interval::exact(BigRational::zero()));
    assert!(acceleration(&gap, 40).is_err());
    assert!(
        spectral_gap(&metropolis("ring:4"), 40)
            .unwrap()
            .lower()
            .is_positive()
    );
}
