use super::*;
use crate::noise::{GivenNoise, SeededNoise};
use muffliato_model::Network;

fn karate() -> SparseWeights {
    let network = Network::metropolis("karate".parse().unwrap()).unwrap();
    SparseWeights::of_network(&network).unwrap()
}

fn state(width: usize) -> GossipState {
    let values = (0..34 * width).map(|k| (k * k % 37) as f64).collect();
    GossipState::try_new(values, width).unwrap()
}

#[test]
fn mixing_keeps_the_mean_and_brings_agreement() {
    for g in [None, Some(1.0), Some(1.4)] {
        let mut state = state(2).accelerated(g).unwrap();
        let before = state.mean();
        for _ in 0..1000 {
            state.mix(&karate()).unwrap();
        }
        for (after, before) in state.mean().iter().zip(before) {
            assert!((after - before).abs() < 1e-11, "{g:?}: {after} {before}");
        }
        assert!(state.disagreement() < 1e-18, "{}", state.disagreement());
    }
}

#[test]
fn bad_input_is_refused() {
    assert!(GossipState::try_new(vec![], 1).is_err());
    assert!(GossipState::try_new(vec![1.0], 0).is_err());
    assert!(GossipState::try_new(vec![1.0; 3], 2).is_err());
    assert_eq!(
        GossipState::try_new(vec![1.0, 2.0, 3.0, f64::INFINITY], 2),
        Err(FastError::NotFinite { what: "value", node: 1, value: f64::INFINITY })
    );
    let mut state = state(1);
    let untouched = state.clone();
    let source = SeededNoise::new(0);
    for deviation in [-1.0, f64::NAN, f64::INFINITY] {
        assert!(state.add_noise(0, deviation, &source).is_err());
    }
    assert!(state.inject(&[1.0]).is_err());
    assert!(state.inject(&[f64::NAN; 34]).is_err());
    assert!(state.scale(&[1.0]).is_err());
    assert!(state.average(0, 34).is_err());
    assert!(state.error(&[1.0, 2.0]).is_err());
    assert!(state.value(99).is_empty() && state.value(usize::MAX).is_empty());
    for g in [0.9, 2.1, f64::NAN] {
        assert!(state.clone().accelerated(Some(g)).is_err());
    }
    assert_eq!(state, untouched);
}

#[test]
fn the_first_failing_node_is_named() {
    let mut state = state(1);
    let short = GivenNoise::try_new(20, 1, [(0, vec![0.0; 20])]).unwrap();
    let refused = FastError::NoiseNotGiven { node: 20, step: 0, width: 1 };
    assert_eq!(state.add_noise(0, 1.0, &short), Err(refused));
}

#[test]
fn an_overflow_is_found() {
    let mut state = GossipState::try_new(vec![1e308, 1e308], 1).unwrap();
    state.inject(&[1e308, 0.0]).unwrap();
    assert!(matches!(state.check_finite(), Err(FastError::NotFinite { node: 0, .. })));
}
