//! Leakage of one-shot protocols beyond small graphs, and refusals.

use crate::fixtures::network;
use muffliato_fast::{FastError, OneShot, OneShotOptions, OneShotView};
use muffliato_model::{Fraction, Observer, Protocol};

fn estimate(protocol: &Protocol, observer: &Observer) -> OneShotView {
    let one_shot = OneShot::try_new(protocol, OneShotOptions::default()).unwrap();
    one_shot.towards(observer).unwrap()
}

#[test]
fn mean_leakage_is_the_rank() {
    // More rows than one slab.
    let protocol = Protocol::one_shot(network("erdos-renyi:1500:c=2:seed=3:connected"), 9).unwrap();
    let view = estimate(&protocol, &Observer::full(7));
    let sum: f64 = view.losses().iter().flatten().map(|loss| loss.scalars.estimate).sum();
    assert!((sum + 1.0 - view.rank() as f64).abs() < 1e-9, "{sum}");
    assert_eq!(view.rank(), protocol.messages_to(&Observer::full(7)).unwrap() + 1);
}

#[test]
fn a_ball_that_ends_inside_a_slab_is_exact_at_its_rim() {
    // On a long path the leakage is 1 up to distance T, because node 0 can peel off one node per
    // step.
    let protocol = Protocol::one_shot(network("path:2000"), 12).unwrap();
    let view = estimate(&protocol, &Observer::full(0));
    for u in 1..2000 {
        let leakage = view.losses()[u].unwrap().scalars;
        if u <= 12 {
            assert!((leakage.estimate - 1.0).abs() < 1e-9, "{u}: {leakage:?}");
        } else {
            assert_eq!(leakage.estimate, 0.0);
            assert_eq!(leakage.certified.upper(), 0.0);
        }
    }
    assert_eq!(view.rank(), 13);
}

#[test]
fn work_can_be_cancelled() {
    let protocol = Protocol::one_shot(network("karate"), 4).unwrap();
    let one_shot = OneShot::try_new(&protocol, OneShotOptions::default()).unwrap();
    let stop = |_: usize, _: usize| false;
    let stopped = one_shot.watched(&stop).towards(&Observer::full(0));
    assert_eq!(stopped, Err(FastError::Cancelled));
}

#[test]
fn bad_input_gives_typed_errors() {
    let protocol = Protocol::one_shot(network("karate"), 4).unwrap();
    let options = OneShotOptions::default();
    for threshold in [0.0, 1.0, -1.0, f64::NAN, f64::INFINITY] {
        let refused = OneShot::try_new(&protocol, OneShotOptions { threshold, ..options });
        assert!(matches!(refused, Err(FastError::BadParameter { .. })), "{threshold}");
    }
    let tau = Fraction::try_new(1, 10).unwrap();
    let refreshed = protocol.clone().refreshed(tau).unwrap();
    let rounds = Protocol::gradient_descent(network("karate"), 2, 2).unwrap();
    for other in [&refreshed, &rounds] {
        let refused = OneShot::try_new(other, options);
        assert!(matches!(refused, Err(FastError::NotApplicable { .. })));
    }
    let one_shot = OneShot::try_new(&protocol, options).unwrap();
    assert!(one_shot.towards(&Observer::full(34)).is_err());
    let small = OneShotOptions { memory_limit: 1000, ..options };
    let refused = OneShot::try_new(&protocol, small).unwrap().towards(&Observer::full(3));
    assert!(matches!(refused, Err(FastError::TooMuchMemory { limit: 1000, .. })));
}

/// One round of several steps on a network is averaging on it.
#[test]
fn one_round_is_averaging() {
    let observer = Observer::full(0);
    let averaging = Protocol::one_shot(network("karate"), 3).unwrap();
    let round = Protocol::gradient_descent_on(vec![network("karate")], 3).unwrap();
    let (expected, found) = (estimate(&averaging, &observer), estimate(&round, &observer));
    assert_eq!(found.rank(), expected.rank());
    for u in 1..34 {
        let [expected, found] = [&expected, &found].map(|view| view.losses()[u].unwrap().scalars);
        let apart = (expected.estimate - found.estimate).abs();
        assert!(apart < 1e-9, "{u}: {expected:?} {found:?}");
    }
}
