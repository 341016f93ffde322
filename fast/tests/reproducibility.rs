//! A seed determines all bytes: on 1, 2 and 8 threads, in debug and release, with and without SIMD.
//!
//! Threads are compared within a run. Results that must agree between builds and machines are
//! frozen as fingerprints; they exclude dense linear algebra, whose last bits may depend on the
//! processor, and the system's `exp` and `ln`: noise is discrete.

use crate::fixtures::network;
use muffliato_fast::bounds::{PaperBounds, RefreshedBounds};
use muffliato_fast::learning::{Aggregation, Descent, Gossip, LogisticLoss, Sampling, even_shares};
use muffliato_fast::noise::{DiscreteGaussian, Grid, IntegerGaussian, NoiseSource, SeededNoise};
use muffliato_fast::simulation::{
    Dropout, ErdosRenyiSequence, NetworkSequence, Simulation, StreamedRun,
};
use muffliato_fast::{Enclosure, FastError};
use muffliato_model::{GraphSpec, Observer, Protocol, WeightScheme, threads};
use rand::{SeedableRng, rngs::ChaCha12Rng};

/// Returns the result of `work`, asserting that it is the same on 1, 2 and 8 threads.
fn on_any_threads<T: PartialEq + Send>(work: impl Fn() -> T + Sync) -> T {
    let on = |count: usize| threads::on(count, &work).unwrap();
    let alone = on(1);
    assert!(on(2) == alone, "2 threads");
    assert!(on(8) == alone, "8 threads");
    alone
}

/// Asserts that the fingerprint (64-bit FNV-1a) of the bytes is `frozen` on any number of threads.
fn assert_frozen(frozen: u64, work: impl Fn() -> Vec<u64> + Sync) {
    let bytes = on_any_threads(work).into_iter().flat_map(u64::to_le_bytes);
    let step = |hash: u64, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    let found = bytes.fold(0xcbf2_9ce4_8422_2325, step);
    assert_eq!(found, frozen, "found {found:#018x}");
}

fn bits(values: impl IntoIterator<Item = f64>) -> Vec<u64> {
    values.into_iter().map(f64::to_bits).collect()
}

fn ends(enclosures: impl IntoIterator<Item = Enclosure>) -> Vec<u64> {
    bits(enclosures.into_iter().flat_map(|enclosure| [enclosure.lower(), enclosure.upper()]))
}

fn refreshed(graph: &str, steps: usize) -> Protocol {
    let protocol = Protocol::one_shot(network(graph), steps).unwrap();
    protocol.refreshed("0.05".parse().unwrap()).unwrap()
}

fn noise(seed: u64) -> DiscreteGaussian {
    DiscreteGaussian::seeded(Grid::try_new(1.0 / 65536.0).unwrap(), seed)
}

fn number(k: usize) -> f64 {
    ((k * 7919 + 13) % 2003) as f64 / 1001.5 - 1.0
}

#[test]
fn discrete_noise_is_frozen() {
    let law = IntegerGaussian::try_new("355/113".parse().unwrap()).unwrap();
    let mut generator = ChaCha12Rng::seed_from_u64(5);
    let first: Vec<i128> = (0..12).map(|_| law.sample(&mut generator)).collect();
    assert_eq!(first, [-2, 1, 2, 1, 0, 1, 5, -3, -1, -1, 2, 1]);
    assert_frozen(0x989c_8a35_7ecb_cf3a, || {
        let drawn = (0..50).flat_map(|node| {
            let mut out = [0.0; 8];
            let filled: Result<(), FastError> = noise(3).fill(node, node % 7, 0.3, &mut out);
            filled.unwrap();
            out
        });
        bits(drawn)
    });
}

#[test]
fn random_graphs_are_frozen() {
    assert_frozen(0x3d63_fc99_0f91_fa86, || {
        let specs = [
            "erdos-renyi:300:c=2:seed=1:connected",
            "geometric:300:r=0.1:seed=2",
            "regular:300:d=4:seed=3",
        ];
        let edges = specs.iter().flat_map(|spec| {
            let graph = spec.parse::<GraphSpec>().unwrap().build().unwrap();
            graph.edges().flat_map(|(u, v)| [u, v]).collect::<Vec<_>>()
        });
        edges.map(|node| node as u64).collect()
    });
}

/// 3000 nodes with 8 neighbours and 4 coordinates: enough for parallel products.
#[test]
fn simulations_are_frozen() {
    let inputs: Vec<f64> = (0..12_000).map(number).collect();
    let networks =
        ErdosRenyiSequence::try_new(3000, 8.0 / 3000.0, WeightScheme::Metropolis, 3).unwrap();
    let protocol = networks.protocol(4).unwrap();
    let protocol = protocol.refreshed("0.1".parse().unwrap()).unwrap();
    assert_frozen(0x1106_bd59_c792_1e22, || {
        let outcome = Simulation::new(&protocol).sigma(0.7);
        bits(outcome.run(&inputs, 4, &noise(1)).unwrap().values)
    });
    let accelerated = protocol.accelerated("1.2".parse().unwrap()).unwrap();
    on_any_threads(|| {
        let simulation = Simulation::new(&accelerated).recording_errors(1);
        let outcome = simulation.run(&inputs, 4, &SeededNoise::new(1)).unwrap();
        (bits(outcome.values), outcome.errors)
    });
}

#[test]
fn dropout_until_agreement_does_not_depend_on_threads() {
    let inputs: Vec<f64> = (0..400).map(number).collect();
    let graphs = ErdosRenyiSequence::try_new(400, 0.02, WeightScheme::Metropolis, 3).unwrap();
    let dropout = Dropout::try_new(graphs, 0.5, 4).unwrap();
    let run = StreamedRun { most_steps: 500, until: Some(0.001), ..StreamedRun::default() };
    let outcome = on_any_threads(|| {
        let outcome = run.run(&dropout, &inputs, 1, &SeededNoise::new(1), |_| Ok(()));
        outcome.unwrap()
    });
    assert!(outcome.stopped);
}

#[test]
fn learning_is_frozen() {
    let (nodes, dimension) = (400, 5);
    let features = (0..nodes * 2 * dimension).map(number).collect();
    let labels = (0..nodes * 2).map(|k| if number(k * k) > 0.0 { 1.0 } else { -1.0 });
    let shares = even_shares(nodes * 2, nodes).unwrap();
    let loss = LogisticLoss::try_new(dimension, features, labels.collect(), shares).unwrap();
    let networks = ErdosRenyiSequence::try_new(nodes, 0.03, WeightScheme::Metropolis, 3).unwrap();
    let descent = Descent {
        rounds: 3,
        step_size: 0.7,
        clip: Some(0.5),
        sampling: Sampling::OneExample { seed: 9 },
        ..Descent::default()
    };
    let gossip = Gossip { networks: &networks, steps: 4, acceleration: Some(1.25), tau: 0.01 };
    assert_frozen(0xfb3c_a92a_fa75_7f2e, || {
        let start = vec![0.0; nodes * dimension];
        let way = Aggregation::Gossip(gossip);
        let trajectory = descent.run(&loss, &start, way, &noise(1)).unwrap();
        bits(trajectory.parameters)
    });
    on_any_threads(|| {
        let start = vec![0.0; nodes * dimension];
        let way = Aggregation::TrustedAggregator;
        descent.run(&loss, &start, way, &noise(1)).unwrap()
    });
}

#[test]
fn certified_bounds_are_frozen() {
    let protocol = refreshed("regular:400:d=4:seed=1", 7);
    let plain = Protocol::one_shot(network("regular:400:d=4:seed=1"), 7).unwrap();
    assert_frozen(0x1e35_bd91_bd8d_071c, || {
        let pairs = &PaperBounds::of(&plain).unwrap().all_pairs().unwrap();
        ends((0..400).flat_map(|u| (0..400).filter_map(move |v| pairs.get(u, v))))
    });
    assert_frozen(0x5922_a709_e109_5bce, || {
        let bounds = RefreshedBounds::of(&protocol).unwrap();
        let observer = Observer::coalition([0, 7]).unwrap();
        let mut all = bounds.walk_all(&observer).unwrap();
        all.extend(bounds.first_passage_all(&observer).unwrap());
        ends(all)
    });
    let varying = Protocol::time_varying(vec![network("karate"); 5]).unwrap();
    on_any_threads(|| {
        let [plain, varying] = [&plain, &varying].map(|one| PaperBounds::of(one).unwrap());
        let observer = Observer::coalition([0, 7]).unwrap();
        let pairs = varying.all_pairs().unwrap();
        let mut all: Vec<_> = (0..34).flat_map(|v| pairs.observed_by(v)).collect();
        all.extend(plain.pairwise_all(&observer).unwrap());
        all.extend(varying.pairwise_all(&observer).unwrap());
        all.extend(plain.from_source(5).unwrap());
        all
    });
}

/// Leakage uses dense linear algebra: equal for any number of threads of one machine, but not
/// frozen.
#[cfg(feature = "leakage")]
mod leakage {
    use super::*;
    use muffliato_fast::{CertifiedView, GramView, MultiprecisionLimits, OneShot, OneShotOptions};

    #[test]
    fn certified_losses_do_not_depend_on_threads() {
        let descent = Protocol::gradient_descent(network("erdos-renyi:120:c=2:seed=4"), 3, 1);
        let varying = Protocol::time_varying(vec![network("hypercube:5"); 4]).unwrap();
        let varying = varying.refreshed("0.002".parse().unwrap()).unwrap();
        let refreshed = refreshed("erdos-renyi:300:c=2:seed=4", 5);
        for protocol in [refreshed, descent.unwrap(), varying] {
            on_any_threads(|| {
                let view = GramView::of(&protocol, &Observer::full(1)).unwrap();
                view.losses().unwrap()
            });
        }
    }

    #[test]
    fn estimates_and_multiprecision_do_not_depend_on_threads() {
        let fixed = Protocol::one_shot(network("regular:1300:d=6:seed=2"), 4).unwrap();
        let networks = (0..4).map(|seed| network(&format!("erdos-renyi:1300:c=2:seed={seed}")));
        let varying = Protocol::time_varying(networks.collect()).unwrap();
        let coalition = Observer::coalition([4, 9]).unwrap();
        let observers = [Observer::full(0), Observer::paper(3), coalition];
        for protocol in [fixed, varying] {
            on_any_threads(|| {
                let one_shot = OneShot::try_new(&protocol, OneShotOptions::default()).unwrap();
                observers.each_ref().map(|observer| one_shot.towards(observer).unwrap())
            });
        }
        let averaging = Protocol::one_shot(network("karate"), 5).unwrap();
        let descent = Protocol::gradient_descent(network("karate"), 2, 3).unwrap();
        for protocol in [averaging, descent] {
            on_any_threads(|| {
                let limits = MultiprecisionLimits::default();
                CertifiedView::of(&protocol, &Observer::full(33), &limits).unwrap()
            });
        }
    }
}
