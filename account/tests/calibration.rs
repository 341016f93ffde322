//! Guarantees of calibrated noise.

use super::protocol;
use muffliato_account::{Account, Guarantee, Losses, Observers, Protect, Target};
use muffliato_model::{Fraction, Lipschitz};

#[test]
fn inputs_are_counted_by_the_rounds_that_use_them() {
    for (rounds, steps, every, inputs) in [
        (3, 2, 2, 2),
        (6, 1, 2, 3),
        (7, 1, 3, 3),
        (8, 1, 3, 3),
        (8, 1, 4, 2),
        (8, 1, 1, 8),
        (2, 1, 5, 1),
    ] {
        let protocol = protocol("path:3", &format!("gd:{rounds}x{steps}:every={every}"), 1);
        let account = Account::of(&protocol).build().unwrap();
        assert_eq!(account.inputs(), inputs, "{rounds} {every}");
        let group = account.settings().group([0, 1]).build().unwrap();
        assert_eq!(group.inputs(), 2 * inputs);
        // A neighbour learns all of them, with the noise of local differential privacy.
        let found = Account::of(&protocol).build().unwrap();
        let found = found.calibrate(&Target::new(1.0, 1e-6), 1.0).unwrap();
        assert_eq!(found.largest.upper(), inputs as f64);
        assert!((found.neighbour_epsilon - 1.0).abs() < 1e-9);
    }
}

#[test]
fn noise_for_training_meets_the_target_for_real_losses() {
    let protocol = protocol("path:4", "gd:3x1", 1);
    let account = Account::of(&protocol).build().unwrap();
    let target = Target { protect: Protect::Distance(2), ..Target::new(1.0, 1e-6) };
    let found = account.calibrate(&target, 1.0).unwrap();
    let sigma = found.sigma().unwrap();
    let loss = found.largest.promised().unwrap();
    let constants = Losses::Lipschitz(Lipschitz::default());
    assert_eq!(loss.conditions().losses, constants);
    let mut reached = false;
    for towards in account.pairs().unwrap() {
        for pair in towards.pairs.iter().filter(|pair| pair.distance >= Some(2)) {
            let promised = pair.guarantee();
            assert!(promised.upper() <= loss.upper() && pair.loss.lower() <= promised.upper());
            reached |= promised.upper() == loss.upper();
            let delta = promised.at(sigma, 1.0).unwrap().delta(1.0).unwrap();
            assert!(delta <= 1e-6, "{delta}");
        }
    }
    assert!(reached);
    let [one, two] = [1, 2].map(|constant| {
        let lipschitz = Lipschitz::everywhere(Fraction::integer(constant)).unwrap();
        let account = Account::of(&protocol).lipschitz(lipschitz).build().unwrap();
        account.calibrate(&target, 1.0).unwrap().sigma().unwrap()
    });
    assert!(one == sigma && two > sigma);
}

/// Masks protect neighbours, but their epsilon is known only if no nodes were named.
#[test]
fn neighbours_have_local_privacy_if_nodes_were_named() {
    let protocol = protocol("karate", "masked:1", 4);
    let account = || Account::of(&protocol);
    let target = Target::new(1.0, 1e-6);
    let all = account().build().unwrap().calibrate(&target, 1.0).unwrap();
    assert!(!all.named && (all.neighbour_epsilon - 1.0).abs() < 1e-9);
    for some in [
        account().sources([33]),
        account().observers(Observers::Listed(vec![3])),
        account().sources([33]).coalition([3]),
    ] {
        let found = some.build().unwrap().calibrate(&target, 1.0).unwrap();
        assert!(found.named);
        let sigma = found.sigma().unwrap();
        let everything = Guarantee::local(found.largest.conditions().noise);
        let epsilon = everything.at(sigma, 1.0).unwrap().epsilon(1e-6);
        assert_eq!(found.neighbour_epsilon, epsilon.unwrap());
    }
}

/// Under LDP everybody sees what neighbours see.
#[test]
fn the_noise_of_local_privacy_meets_the_epsilon_of_neighbours() {
    let protocol = protocol("path:3", "one-shot", 2);
    let account = Account::of(&protocol).build().unwrap();
    let local = |epsilon, neighbour_epsilon| {
        let target = Target { neighbour_epsilon, runs: 2, ..Target::new(epsilon, 1e-6) };
        account.local_sigma(&target, 1.0).unwrap()
    };
    assert_eq!(local(4.0, Some(1.0)), local(1.0, None));
    assert_eq!(local(1.0, Some(4.0)), local(1.0, None));
    let target = Target { neighbour_epsilon: Some(1.0), ..Target::new(4.0, 1e-6) };
    let found = account.calibrate(&target, 1.0).unwrap();
    // Neighbours see everything after two steps.
    assert_eq!(found.sigma().unwrap(), account.local_sigma(&target, 1.0).unwrap());
}
