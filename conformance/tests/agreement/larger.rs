//! Cases beyond the small graphs.

use muffliato_conformance::{
    agreement::{Topic, assert_agreement},
    case::Case,
};
use muffliato_model::{Fraction, Graph, Network, Observer, Protocol};

fn network(graph: &str) -> Network {
    Network::metropolis(graph.parse().unwrap()).unwrap()
}

fn fraction(text: &str) -> Fraction {
    text.parse().unwrap()
}

fn agree(protocol: &Protocol, observers: &[Observer], topics: &[Topic]) {
    for observer in observers {
        assert_agreement(&Case::new(protocol.clone(), observer.clone(), 1), topics);
    }
}

#[test]
fn rounds_of_several_steps_in_the_karate_club() {
    for (rounds, steps, observer) in [
        (2, 3, Observer::full(11)),
        (3, 2, Observer::full(16)),
        (2, 2, Observer::coalition([4, 25]).unwrap()),
    ] {
        let descent = Protocol::gradient_descent(network("karate"), rounds, steps).unwrap();
        agree(&descent, &[observer], &[Topic::LEAKAGE]);
    }
}

#[test]
fn large_and_opposite_reactions() {
    let factors = ["1000000", "-1/7", "-300000", "12"].map(fraction).to_vec();
    let descent = Protocol::gradient_descent(network("path:4"), 4, 2).unwrap();
    let observers = [Observer::full(0), Observer::paper(0), Observer::full(1)];
    agree(&descent.reacting(factors).unwrap(), &observers, &[Topic::LEAKAGE]);
}

#[test]
fn stars_and_long_runs_and_unobserved_nodes() {
    let alone = Network::metropolis(Graph::try_new(4, [(0, 1)]).unwrap()).unwrap();
    for (network, steps, observers) in [
        (network("star:7"), 12, vec![Observer::full(0), Observer::full(3), Observer::paper(3)]),
        (alone, 3, vec![Observer::full(2), Observer::full(0)]),
        (network("path:2"), 30, vec![Observer::full(0)]),
    ] {
        let protocol = Protocol::one_shot(network, steps).unwrap();
        let refreshed = protocol.refreshed(fraction("0.001")).unwrap();
        agree(&refreshed, &observers, &[Topic::LOSSES]);
    }
}
