//! Invalid input is refused with a typed error, and long runs can be cancelled.

use muffliato_fast::FastError;
use muffliato_fast::learning::{
    Aggregation, Descent, Gossip, LocalLoss, QuadraticLoss, gossip_steps_for,
};
use muffliato_fast::noise::SeededNoise;
use muffliato_fast::simulation::{Simulation, StreamedRun};
use muffliato_model::{MAX_STEPS, Network, Observer, Protocol};
use std::sync::atomic::{AtomicUsize, Ordering};

fn ring() -> Network {
    Network::metropolis("ring:6".parse().unwrap()).unwrap()
}

fn gossip(network: &Network) -> Gossip<'_> {
    Gossip { networks: network, steps: 4, acceleration: None, tau: 0.0 }
}

const NOISE: SeededNoise = SeededNoise::new(1);

#[test]
fn simulations_refuse() {
    let protocol = Protocol::one_shot(ring(), 3).unwrap();
    let simulation = Simulation::new(&protocol);
    let wrong_length = simulation.run(&[1.0; 5], 1, &NOISE);
    assert_eq!(
        wrong_length.unwrap_err(),
        FastError::WrongLength { what: "inputs", given: 5, expected: 6 }
    );
    assert!(simulation.run(&[], 0, &NOISE).is_err());
    assert!(simulation.run(&[1.0; 6], usize::MAX, &NOISE).is_err());
    let mut inputs = [1.0; 6];
    inputs[4] = f64::NEG_INFINITY;
    assert!(matches!(
        simulation.run(&inputs, 1, &NOISE),
        Err(FastError::NotFinite { node: 4, .. })
    ));
    for sigma in [-1.0, f64::NAN, f64::INFINITY] {
        let refused = simulation.clone().sigma(sigma).run(&[1.0; 6], 1, &NOISE);
        assert!(matches!(refused, Err(FastError::BadParameter { .. })));
    }
    let stranger = simulation.clone().recording_messages_to(Observer::full(6));
    assert!(matches!(stranger.run(&[1.0; 6], 1, &NOISE), Err(FastError::Protocol(_))));
    for target in [vec![], vec![f64::NAN]] {
        assert!(simulation.clone().against(target).run(&[1.0; 6], 1, &NOISE).is_err());
    }
    let long = Protocol::one_shot(ring(), MAX_STEPS).unwrap();
    let refused = Simulation::new(&long).recording_messages_to(Observer::full(0));
    assert!(matches!(refused.run(&[1.0; 600], 100, &NOISE), Err(FastError::TooMuchMemory { .. })));
    let overflowing = simulation.sigma(f64::MAX).run(&[f64::MAX; 6], 1, &NOISE);
    assert!(matches!(overflowing, Err(FastError::NotFinite { .. })));
}

#[test]
fn streamed_runs_refuse() {
    let run = |run: StreamedRun, inputs: &[f64]| {
        run.run(&ring(), inputs, 1, &NOISE, |_| Ok(())).map(|_| ())
    };
    let good = StreamedRun::default();
    assert_eq!(run(good, &[1.0; 6]), Ok(()));
    assert!(run(good, &[1.0; 7]).is_err() && run(good, &[f64::NAN; 6]).is_err());
    let spoiled: [fn(&mut StreamedRun); 5] = [
        |run| run.sigma = -1.0,
        |run| run.tau = f64::NAN,
        |run| run.acceleration = Some(0.5),
        |run| run.until = Some(-1.0),
        |run| run.until = Some(f64::NAN),
    ];
    for spoil in spoiled {
        let mut bad = good;
        spoil(&mut bad);
        assert!(matches!(run(bad, &[1.0; 6]), Err(FastError::BadParameter { .. })));
    }
    let visitor = good.run(&ring(), &[1.0; 6], 1, &NOISE, |_| Err(FastError::Cancelled));
    assert_eq!(visitor.unwrap_err(), FastError::Cancelled);
}

#[test]
fn descents_refuse() {
    let network = ring();
    let loss = QuadraticLoss::try_new(1, vec![1.0; 6], vec![2.0; 6]).unwrap();
    let run = |descent: Descent, aggregation: Aggregation<'_>, start: &[f64]| {
        descent.run(&loss, start, aggregation, &NOISE).map(|_| ())
    };
    let good = Descent::default();
    let muffliato = Aggregation::Gossip(gossip(&network));
    assert_eq!(run(good, muffliato, &[0.0; 6]), Ok(()));
    assert!(run(good, muffliato, &[0.0; 5]).is_err());
    assert!(run(good, muffliato, &[f64::NAN; 6]).is_err());
    let spoiled: [fn(&mut Descent); 7] = [
        |descent| descent.rounds = 0,
        |descent| descent.every = 0,
        |descent| descent.rounds = usize::MAX,
        |descent| descent.step_size = 0.0,
        |descent| descent.step_size = f64::NAN,
        |descent| descent.sigma = -1.0,
        |descent| descent.clip = Some(0.0),
    ];
    for spoil in spoiled {
        let mut bad = good;
        spoil(&mut bad);
        let refused = run(bad, muffliato, &[0.0; 6]);
        assert!(matches!(refused, Err(FastError::BadParameter { .. })), "{bad:?}");
    }
    let diverging = Descent { rounds: 2000, step_size: 9.0, ..good };
    assert!(matches!(
        run(diverging, Aggregation::TrustedAggregator, &[0.0; 6]),
        Err(FastError::NotFinite { .. })
    ));
    let spoiled: [fn(&mut Gossip<'_>); 3] = [
        |gossip| gossip.steps = 0,
        |gossip| gossip.acceleration = Some(3.0),
        |gossip| gossip.tau = -1.0,
    ];
    for spoil in spoiled {
        let mut bad = gossip(&network);
        spoil(&mut bad);
        assert!(run(good, Aggregation::Gossip(bad), &[0.0; 6]).is_err());
    }
    let fewer = QuadraticLoss::try_new(1, vec![1.0; 5], vec![2.0; 5]).unwrap();
    assert!(good.run(&fewer, &[0.0; 5], muffliato, &NOISE).is_err());
    assert!(QuadraticLoss::try_new(0, vec![1.0], vec![]).is_err());
    assert!(QuadraticLoss::try_new(1, vec![], vec![]).is_err());
    assert!(QuadraticLoss::try_new(1, vec![0.0], vec![1.0]).is_err());
    assert!(QuadraticLoss::try_new(1, vec![1.0], vec![f64::NAN]).is_err());
}

/// A loss whose gradient is NaN at node 3.
struct Broken;

impl LocalLoss for Broken {
    fn nodes(&self) -> usize {
        6
    }
    fn dimension(&self) -> usize {
        1
    }
    fn examples(&self, _node: usize) -> usize {
        1
    }
    fn value(&self, _node: usize, _theta: &[f64]) -> f64 {
        0.0
    }
    fn gradient(&self, node: usize, _example: Option<usize>, _theta: &[f64], out: &mut [f64]) {
        out[0] = if node >= 3 { f64::INFINITY } else { 0.0 };
    }
}

#[test]
fn a_gradient_that_is_not_finite_is_named() {
    let refused =
        Descent::default().run(&Broken, &[0.0; 6], Aggregation::TrustedAggregator, &NOISE);
    let expected = FastError::NotFinite { what: "gradient", node: 3, value: f64::INFINITY };
    assert_eq!(refused.unwrap_err(), expected);
}

#[test]
fn formulas_refuse() {
    assert!(matches!(gossip_steps_for(0.0, 9, 1, 1.0, 0.0, 0.0), Err(FastError::NoGap { .. })));
    for (gap, sigma, zeta, rho) in [
        (-0.1, 1.0, 0.0, 0.0),
        (1.1, 1.0, 0.0, 0.0),
        (f64::NAN, 1.0, 0.0, 0.0),
        (0.5, -1.0, 0.0, 0.0),
        (0.5, 1.0, f64::NAN, 0.0),
        (0.5, 1.0, 0.0, -1.0),
        (0.5, 0.0, 1.0, 0.0),
    ] {
        assert!(gossip_steps_for(gap, 9, 1, sigma, zeta, rho).is_err());
    }
    assert_eq!(gossip_steps_for(1.0, 1, 1, 0.0, 0.0, 0.0), Ok(1));
    // zeta^2 / (D sigma^2 + rho^2) = 1000 counts more than 9 nodes: ln(1000) / 1 = 6.9.
    assert_eq!(gossip_steps_for(1.0, 9, 2, 1.0, 4000.0, 2.0), Ok(7));
}

/// Returns a receiver that asks to stop at the report after the third, and its counter.
fn stops_after_three() -> (impl Fn(usize, usize) -> bool + Sync, &'static AtomicUsize) {
    let count: &'static AtomicUsize = Box::leak(Box::new(AtomicUsize::new(0)));
    let progress = move |done: usize, total: usize| {
        assert!(done <= total);
        count.fetch_add(1, Ordering::Relaxed) < 3
    };
    (progress, count)
}

#[test]
fn runs_can_be_cancelled() {
    let protocol = Protocol::one_shot(ring(), 100).unwrap();
    let (progress, count) = stops_after_three();
    let cancelled = Simulation::new(&protocol).watched(&progress).run(&[1.0; 6], 1, &NOISE);
    assert_eq!(cancelled.unwrap_err(), FastError::Cancelled);
    assert_eq!(count.load(Ordering::Relaxed), 4);

    let network = ring();
    let loss = QuadraticLoss::try_new(1, vec![1.0; 6], vec![2.0; 6]).unwrap();
    for aggregation in [Aggregation::Gossip(gossip(&network)), Aggregation::TrustedAggregator] {
        let (progress, count) = stops_after_three();
        let descent = Descent { rounds: 50, ..Descent::default() };
        let cancelled = descent.run_watched(&loss, &[0.0; 6], aggregation, &NOISE, &progress);
        assert_eq!(cancelled.unwrap_err(), FastError::Cancelled);
        assert_eq!(count.load(Ordering::Relaxed), 4);
    }
}
