//! Masked protocols against the exact engine: runs with given noise, bounds, and refusals.

use crate::fixtures::{exactly, fraction, network};
use muffliato_fast::{
    FastError, MaskedBounds,
    noise::{GivenNoise, SeededNoise},
    simulation::Simulation,
};
use muffliato_model::{Draw, Graph, Network, Observer, Protocol, WeightScheme, families};
use muffliato_reference::{Process, masked_bound, order};
use num_traits::ToPrimitive;

/// Masked protocols of every kind.
fn protocols() -> Vec<(&'static str, Protocol)> {
    let away = Graph::try_new(5, [(0, 1), (1, 2), (2, 0)]).unwrap();
    let away = Network::try_new(away, WeightScheme::Metropolis).unwrap();
    let path = families::path(4).unwrap();
    let edges = vec![(0, 1), (1, 2), (2, 3), (0, 1), (1, 2)];
    let one_shot = |spec, steps| Protocol::one_shot(network(spec), steps).unwrap();
    let refreshed = |protocol: Protocol| protocol.refreshed(fraction("1/3")).unwrap();
    let rounds = vec![network("ring:5"), away.clone(), network("ring:5")];
    let unmasked = vec![
        ("one-shot", one_shot("complete:4", 1)),
        ("several steps", one_shot("ring:5", 3)),
        ("refreshed", refreshed(one_shot("ring:5", 3))),
        (
            "refreshed and accelerated",
            refreshed(one_shot("star:5", 3)).accelerated(fraction("5/4")).unwrap(),
        ),
        ("randomized", Protocol::randomized(path, edges).unwrap()),
        ("time-varying", refreshed(Protocol::time_varying(rounds.clone()).unwrap())),
        ("descent", Protocol::gradient_descent(network("path:4"), 3, 1).unwrap()),
        ("redrawn", Protocol::gradient_descent_on(rounds, 1).unwrap()),
        (
            "reacting",
            Protocol::gradient_descent(network("ring:4"), 2, 2)
                .unwrap()
                .refreshed(fraction("1/2"))
                .unwrap()
                .reacting(["1/2", "-1/3", "0", "1"].map(fraction).to_vec())
                .unwrap(),
        ),
    ];
    let complete = families::complete(5).unwrap();
    let other = refreshed(one_shot("ring:5", 2));
    let other = other.masked_on(complete, fraction("2")).unwrap();
    let masked = |protocol: Protocol, kappa| protocol.masked(fraction(kappa)).unwrap();
    let mut all = vec![("another mask graph", other)];
    for (name, protocol) in unmasked {
        all.push((name, masked(protocol.clone(), "1/2")));
        all.push((name, masked(protocol, "3")));
    }
    all
}

/// Every draw is a different power of two, so a run shows its coefficients.
#[test]
fn a_run_with_given_masks_is_the_exact_linear_map() {
    for (name, protocol) in protocols() {
        let (nodes, process) = (protocol.nodes(), Process::run(&protocol).unwrap());
        let value = |k: usize| ((k * k * 7 + k * 3) % 23) as f64 - 11.0;
        let draws = process.draws();
        let block = |time: usize| {
            let here = draws.iter().enumerate();
            let own = here
                .filter(move |(_, draw)| matches!(draw, Draw::Own { time: t, .. } if *t == time));
            own.map(|(k, _)| value(k)).collect::<Vec<f64>>()
        };
        let masks = draws.iter().enumerate().filter_map(|(k, draw)| match *draw {
            Draw::Mask { time, edge } => Some((time, edge, vec![value(k)])),
            Draw::Own { .. } => None,
        });
        let blocks = process.draw_times().iter().map(|&t| (t, block(t)));
        let noise = GivenNoise::try_new(nodes, 1, blocks).unwrap().with_masks(masks).unwrap();
        let inputs = vec![0.0; nodes * protocol.rounds()];
        let outcome =
            Simulation::new(&protocol).against(vec![0.0]).run(&inputs, 1, &noise).unwrap();
        for (v, found) in outcome.values.iter().enumerate() {
            let row = process.coefficients(protocol.steps(), v).unwrap();
            let terms = row.iter().enumerate().map(|(k, c)| c.to_f64().unwrap() * value(k));
            let expected: f64 = terms.sum();
            assert!((found - expected).abs() < 1e-6, "{name}, node {v}: {found} {expected}");
        }
    }
}

/// Whole-step flows of k steps on the hidden path 1 - 2 - 3 of a ring: the cheapest of all, for
/// every difference up to the largest.
#[test]
fn the_grid_correction_covers_the_cheapest_whole_flow() {
    let protocol = Protocol::one_shot(network("ring:4"), 1).unwrap();
    for (kappa, square) in [("1", 1.0), ("3", 9.0), ("1/2", 0.25)] {
        let masked = protocol.clone().masked(fraction(kappa)).unwrap();
        let bounds = MaskedBounds::of(&masked).unwrap();
        let loss = bounds.bound(&[1], &Observer::full(0)).unwrap().upper();
        for largest in [1_i32, 2, 3, 7, 20] {
            let ratio = 1.0 / f64::from(largest);
            let said = bounds.on_grid(loss, 1, ratio, 1).unwrap();
            let mut attained = 0.0_f64;
            for k in 1..=largest {
                let mut least = f64::INFINITY;
                for first in 0..=k {
                    for second in 0..=first {
                        let nodes = [k - first, first - second, second];
                        let nodes: f64 = nodes.iter().map(|&z| f64::from(z * z)).sum();
                        let edges = f64::from(first * first + second * second) / square;
                        least = least.min(nodes + edges);
                    }
                }
                attained = attained.max(least * ratio * ratio);
            }
            assert!(attained <= said * (1.0 + 1e-12), "{kappa} {largest}: {attained} above {said}");
            // And no less than without a grid: real flows are cheaper.
            assert!(attained >= loss * (1.0 - 1e-12), "{kappa} {largest}");
            let group = bounds.bound(&[1, 2, 3], &Observer::full(0)).unwrap().upper();
            let together = bounds.on_grid(group, 3, ratio, 2).unwrap();
            assert!(together >= group - 1e-12 && together <= 3.0, "{together} {group}");
        }
    }
    let several = Protocol::gradient_descent(network("ring:4"), 3, 1).unwrap();
    let several = MaskedBounds::of(&several.masked(fraction("1")).unwrap()).unwrap();
    assert!(several.on_grid(3.0 * 0.625, 1, 0.01, 1).unwrap() > 3.0 * 0.625);
    assert_eq!(several.on_grid(3.0 * 0.625, 1, 10.0, 1).unwrap(), 3.0);
    assert!(
        several.on_grid(-1.0, 1, 0.1, 1).is_err() && several.on_grid(1.0, 1, f64::NAN, 1).is_err()
    );
}

/// Trees around every source that avoid the observers: never below the exact bound, and equal to it
/// on trees.
#[test]
fn local_bounds_towards_coalitions_cover_every_source() {
    for (spec, tree) in [("karate", false), ("star:7", true), ("path:8", true), ("grid:3x4", false)]
    {
        let protocol = Protocol::one_shot(network(spec), 1).unwrap();
        let protocol = protocol.masked(fraction("2")).unwrap();
        let bounds = MaskedBounds::of(&protocol).unwrap();
        for observer in [Observer::full(3), Observer::coalition([1, 4]).unwrap()] {
            for radius in [1, 3, 10] {
                let all = bounds.towards(&observer, radius).unwrap();
                for (u, &found) in all.iter().enumerate() {
                    if observer.contains(u) {
                        assert!(found >= 1.0);
                        continue;
                    }
                    let exact = masked_bound(&protocol, &[u], &observer).unwrap();
                    assert!(
                        order(&exact, &exactly(found)).is_le(),
                        "{spec} {u} {observer}: {found}"
                    );
                    if tree && radius == 10 {
                        assert!(found < exact.to_f64().unwrap() + 1e-12, "{spec} {u}: {found}");
                    }
                }
            }
        }
        assert!(bounds.towards(&Observer::full(99), 2).is_err());
    }
}

#[test]
fn masks_preserve_the_sum_and_hide_the_states() {
    let protocol = Protocol::one_shot(network("ring:6"), 1).unwrap();
    let masked = protocol.clone().masked(fraction("10")).unwrap();
    let values = |protocol: &Protocol, sigma| {
        let simulation = Simulation::new(protocol).sigma(sigma);
        let outcome = simulation.run(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0], 1, &SeededNoise::new(1));
        outcome.unwrap().values
    };
    let (plain, hidden) = (values(&protocol, 1.0), values(&masked, 1.0));
    let sum = |values: &[f64]| values.iter().sum::<f64>();
    assert!((sum(&plain) - sum(&hidden)).abs() < 1e-12);
    let apart = plain.iter().zip(&hidden).map(|(x, y)| (x - y).abs());
    assert!(apart.fold(0.0, f64::max) > 1.0);
}

#[test]
fn given_noise_without_masks_refuses_masks() {
    let masked = Protocol::one_shot(network("ring:5"), 2).unwrap();
    let masked = masked.masked(fraction("3")).unwrap();
    let given = GivenNoise::try_new(5, 1, [(0, vec![0.0; 5])]).unwrap();
    let without = Simulation::new(&masked).run(&[0.0; 5], 1, &given);
    assert!(matches!(without, Err(FastError::NoiseNotGiven { step: 0, .. })));
}

/// Data used in every second round.
#[test]
fn all_pairs_count_the_rounds_that_use_data() {
    let alone = Protocol::gradient_descent(network("ring:5"), 5, 1).unwrap();
    let alone = alone.every(2).unwrap().masked(fraction("2")).unwrap();
    let pairs = MaskedBounds::of(&alone).unwrap().all_pairs().unwrap();
    let three = masked_bound(&alone, &[1], &Observer::full(0)).unwrap();
    assert!((pairs.upper(1, 0).unwrap() - three.to_f64().unwrap()).abs() < 1e-10);
}

/// All pairs by one inverse and by trees are never below the exact bound, and close to it.
#[test]
fn all_pairs_and_local_bounds_cover_every_pair() {
    for spec in
        ["karate", "grid:4x5", "star:6", "path:7", "ring:9", "complete:7", "regular:16:d=3:seed=2"]
    {
        for kappa in ["1/4", "3", "50"] {
            let protocol = Protocol::one_shot(network(spec), 1).unwrap();
            let protocol = protocol.masked(fraction(kappa)).unwrap();
            let bounds = MaskedBounds::of(&protocol).unwrap();
            let pairs = bounds.all_pairs().unwrap();
            let graph = protocol.graph().unwrap();
            let (mut largest, mut sum, mut count) = (0.0_f64, 0.0, 0.0);
            for v in 0..graph.nodes().min(8) {
                for u in (0..graph.nodes()).filter(|&u| u != v) {
                    let exact = masked_bound(&protocol, &[u], &Observer::full(v)).unwrap();
                    let upper = pairs.upper(u, v).unwrap();
                    assert!(
                        order(&exact, &exactly(upper)).is_le(),
                        "{spec} {kappa} {u} {v}: {upper}"
                    );
                    assert!(
                        upper < exact.to_f64().unwrap() + 1e-6,
                        "{spec} {kappa} {u} {v}: {upper}"
                    );
                }
            }
            let mut uppers = Vec::new();
            for v in 0..graph.nodes() {
                let distances = graph.distances_from_any(&[v]);
                for u in (0..graph.nodes()).filter(|&u| u != v) {
                    let upper = pairs.upper(u, v).unwrap();
                    uppers.push((distances[u], upper));
                    largest = largest.max(upper);
                    sum += upper;
                    count += 1.0;
                }
            }
            for radius in [1, 2, 20] {
                let local = bounds.local(radius).unwrap();
                assert!(local.largest >= largest - 1e-6 && local.mean >= sum / count - 1e-6);
                let found: u64 = local.classes.iter().map(|class| class.pairs).sum();
                assert_eq!(found as f64, count);
                for class in &local.classes {
                    let same = uppers.iter().filter(|(distance, _)| match class.distance {
                        Some(_) => *distance == class.distance,
                        None => distance.is_none_or(|distance| distance > radius),
                    });
                    let most = same.map(|(_, upper)| *upper).fold(0.0, f64::max);
                    assert!(class.largest >= most - 1e-6, "{spec} {kappa} {class:?} {most}");
                }
                // On a tree seen as a whole the bound is exact.
                if radius == 20 && ["star:6", "path:7"].contains(&spec) {
                    assert!((local.mean - sum / count).abs() < 1e-6);
                    assert!((local.largest - largest).abs() < 1e-6);
                }
            }
        }
    }
}
