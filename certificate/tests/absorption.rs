//! The absorption bound on cases computed by hand.

use muffliato_certificate::{Refusal, absorption_bound};
use muffliato_model::{Absorption, Fraction, Lipschitz, Network, Observer, Protocol};
use muffliato_reference::{BigRational, Process, decimal::rounded_up};
use num_traits::One;

fn descent(graph: &str, rounds: usize, gossip: usize) -> Protocol {
    let network = Network::metropolis(graph.parse().unwrap()).unwrap();
    Protocol::gradient_descent(network, rounds, gossip).unwrap()
}

/// Two rounds of two steps on a path: node 2 must absorb, too, although it does not speak to the
/// observer.
#[test]
fn absorbing_within_one_step_less_is_too_little() {
    let protocol = descent("path:5", 2, 2);
    let (observer, convex) = (Observer::full(0), Lipschitz::default());
    let bound = |plan| absorption_bound(&protocol, &[4], &observer, &convex, &[plan]);
    let near = |nodes: &[usize]| {
        let draws = [0, 2].into_iter();
        let fractions = draws.flat_map(|t| nodes.iter().map(move |&w| (t, w, Fraction::ONE)));
        bound(Absorption::try_new(&protocol, fractions).unwrap())
    };
    assert_eq!(near(&[1]), Err(Refusal::Heard { time: 3, node: 1 }));
    let first = bound(Absorption::first_passage(&protocol, &observer).unwrap());
    assert_eq!(near(&[1, 2]), first);
    // Two steps from 4 to 2, in the first round: 1/81.
    assert_eq!(rounded_up(&first.unwrap(), 12), "0.0123456790124");
}

#[test]
fn less_participation_loses_less() {
    let observer = Observer::full(3);
    let at = |period| {
        let protocol = descent("karate", 6, 1).every(period).unwrap();
        let plan = Absorption::first_passage(&protocol, &observer).unwrap();
        let convex = Lipschitz::default();
        let bound = absorption_bound(&protocol, &[16], &observer, &convex, &[plan]).unwrap();
        let view = Process::run(&protocol).unwrap().view(&observer).unwrap();
        let upper = view.loss_upper(&[16]).unwrap();
        (bound, upper, view.loss(&[0]).unwrap())
    };
    let (all, half, once) = (at(1), at(2), at(6));
    assert!(all.0 > half.0 && half.0 > once.0 && once.0 > once.1);
    assert!(all.1 > half.1 && half.1 > once.1);
    assert_eq!(once.2.scalar, BigRational::one()); // a neighbour, heard once
    assert!(half.2.vector_upper <= BigRational::from_integer(3.into()));
    assert_eq!(all.2.participation.phase(0), Some(0));
    assert_eq!((half.2.signs.len(), once.2.signs.len()), (3, 1));
}
