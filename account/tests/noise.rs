//! Bounds for rounded and discrete noise on a grid.

use super::protocol;
use muffliato_account::{
    Account, AccountError, Guarantee, Loss, NoiseLaw, Observers, Protect, Target,
};
use muffliato_fast::{Enclosure, GaussianPrivacy, calibrate_sigma};
use muffliato_model::{CustomWeights, Network, Protocol, WeightScheme, families};

fn on_grid(protocol: &Protocol, law: &str, coordinates: usize) -> Account<'static> {
    let protocol: &'static Protocol = Box::leak(Box::new(protocol.clone()));
    let law: NoiseLaw = law.parse().unwrap();
    Account::of(protocol).noise(law, 1.0, coordinates).build().unwrap()
}

/// Coarser grids and more coordinates cost more, up to LDP.
#[test]
fn masks_on_a_grid_pay_for_rounding() {
    let masked = protocol("hypercube:5", "masked:3", 6);
    let ideal = Account::of(&masked).closed_forms().build().unwrap();
    let ideal = ideal.loss(1, 0).unwrap().upper();
    let loss = |law: &str, d| on_grid(&masked, law, d).loss(1, 0).unwrap().upper();
    let [fine, coarse, many, useless] = [
        loss("rounded:2^-24", 1),
        loss("rounded:2^-10", 1),
        loss("rounded:2^-10", 16),
        loss("rounded:2", 1),
    ];
    assert!(ideal < fine && fine < ideal * 1.0001, "{ideal} {fine}");
    assert!(fine < coarse && coarse < 1.2 * ideal && coarse < many && many < 1.0);
    assert_eq!(useless, 1.0);
    // loss + h^2 (n + m / kappa^2) / 4, 80 edges.
    let expected = ideal + 2_f64.powi(-20) * (32.0 + 80.0 / 9.0) / 4.0;
    assert!((coarse / expected - 1.0).abs() < 1e-9, "{coarse} {expected}");
}

/// Fresh noise keeps the first-passage bound up to roundings; one-shot noise has LDP only.
#[test]
fn refreshed_and_one_shot_noise_on_a_grid() {
    let refreshed = protocol("hypercube:6", "refreshed:0.5", 4);
    let ideal = Account::of(&refreshed).closed_forms().build().unwrap();
    let ideal = ideal.loss(63, 0).unwrap().upper();
    let fine = on_grid(&refreshed, "rounded:2^-24", 1);
    let loss = |u| fine.loss(u, 0).unwrap();
    assert_eq!((loss(1).upper(), loss(63).upper()), (1.0, 0.0)); // a neighbour, and beyond four steps
    assert_eq!(ideal, 0.0);
    let second = Account::of(&refreshed).closed_forms().build().unwrap();
    let second = second.loss(3, 0).unwrap().upper();
    assert!(loss(3).upper() >= second && loss(3).upper() < second * 1.0001, "{second}");
    let coarse = on_grid(&refreshed, "rounded:2^-8", 4).loss(3, 0).unwrap().upper();
    // 2 h / tau sqrt(D d (1 + 4 + 9)), on the sensitivity 1 + 2 h.
    let step = 2_f64.powi(-8);
    let extra = 2.0 * step / (1.0 + 2.0 * step) / 0.5 * (4.0 * 6.0 * 14.0_f64).sqrt();
    let expected = (second.sqrt() + extra).powi(2).min(1.0);
    assert!((coarse / expected - 1.0).abs() < 1e-9, "{coarse} {expected}");
    let plain = protocol("hypercube:6", "one-shot", 4);
    let plain = on_grid(&plain, "rounded:2^-24", 1);
    assert_eq!(plain.loss(3, 0).unwrap().upper(), 1.0);
    assert_eq!(plain.loss(63, 0).unwrap().upper(), 0.0);
    // Gradient descent: rounds, and with masks less, for any losses.
    let descent = protocol("hypercube:6", "gd:5x1", 5);
    assert_eq!(on_grid(&descent, "rounded:2^-24", 1).loss(3, 0).unwrap().upper(), 5.0);
    let masked = protocol("hypercube:6", "gd:5x1+masked:10", 5);
    assert!(on_grid(&masked, "rounded:2^-24", 8).loss(1, 0).unwrap().upper() < 0.1);
}

/// The Gaussian curve is invalid: for step = sigma = Delta the true delta at 6.35 is 8.5e-10.
#[test]
fn discrete_noise_has_renyi_losses_only() {
    let plain = protocol("path:3", "one-shot", 2);
    let loss = on_grid(&plain, "discrete:1", 1).guarantee(0, 2).unwrap();
    let discrete = loss.at(1.0, 1.0).unwrap();
    assert!(discrete.delta(6.35).unwrap() > 8.5e-10 && discrete.mu().is_none());
    let curve = GaussianPrivacy::of_mu(1.0).unwrap().delta_upper(6.35).unwrap();
    assert!(curve < 3.5e-10);
    let rounded = on_grid(&plain, "rounded:1", 1).guarantee(0, 2).unwrap();
    let of_rounded = rounded.at(1.0, 1.0).unwrap().delta(6.35).unwrap();
    assert!((of_rounded / curve - 1.0).abs() < 1e-9);
    let sigma = |loss: &Guarantee| loss.sigma_for(1.0, 1e-6, 1.0).unwrap();
    let gaussian = calibrate_sigma(&Enclosure::exact(1.0), 1.0, 1.0, 1e-6).unwrap();
    assert!(sigma(&loss) > 1.01 * gaussian && (sigma(&rounded) / gaussian - 1.0).abs() < 1e-9);
    // Masks are drawn as rounded Gaussians.
    let masked = protocol("ring:5", "masked:3", 2);
    let refused = on_grid(&masked, "discrete:2^-20", 1).loss(1, 0);
    assert!(matches!(refused, Err(AccountError::Fast(_))));
}

/// Calibrated for a grid: more noise than for real numbers, and the guarantee holds with the curve
/// of the law.
#[test]
fn calibration_is_for_the_noise_that_is_drawn() {
    let masked = protocol("hypercube:5", "masked:8", 12);
    let target = Target { protect: Protect::All, ..Target::new(1.0, 1e-6) };
    let ideal = Account::of(&masked).closed_forms().observers(Observers::All).build().unwrap();
    let ideal = ideal.calibrate(&target, 1.0).unwrap();
    let shipped = on_grid(&masked, "rounded:2^-16", 1).calibrate(&target, 1.0).unwrap();
    let (ideal, sigma) = (ideal.sigma().unwrap(), shipped.sigma().unwrap());
    assert!(sigma > ideal && sigma < 1.01 * ideal, "{sigma} {ideal}");
    let loss = shipped.largest.promised().unwrap();
    assert!(loss.at(sigma, 1.0).unwrap().delta(1.0).unwrap() <= 1e-6);
    // For another sensitivity the corrections would be others.
    assert!(loss.at(sigma, 0.5).is_err() && loss.at(1e30, 1.0).is_err());
}

/// Large graphs are bounded on a grid, too.
#[test]
fn trees_of_a_large_graph_on_a_grid() {
    let masked = protocol("regular:5000:d=8:seed=1", "masked:3", 5);
    let largest = |account: Account<'_>| {
        let summary = account.summary().unwrap();
        summary.largest(1).unwrap().promised().unwrap().upper()
    };
    let ideal = largest(Account::of(&masked).build().unwrap());
    let shipped = largest(on_grid(&masked, "rounded:2^-20", 1));
    assert!(shipped > ideal && shipped < 1.01 * ideal, "{ideal} {shipped}");
    // Large masks: by spanning trees, near 1/n.
    let strong = protocol("regular:5000:d=8:seed=1", "masked:3000", 5);
    let strong = largest(Account::of(&strong).build().unwrap());
    assert!(strong < 1.1 / 5000.0, "{strong}");
}

#[test]
fn bad_laws_are_refused() {
    for text in ["rounded", "rounded:0.3", "discrete:x", "laplace:1", "rounded:2^-2000"] {
        assert!(text.parse::<NoiseLaw>().is_err(), "{text}");
    }
    assert_eq!("rounded:0.25".parse::<NoiseLaw>().unwrap().to_string(), "rounded:2^-2");
    let plain = protocol("path:3", "one-shot", 2);
    let law: NoiseLaw = "rounded:2^-10".parse().unwrap();
    for (sensitivity, coordinates) in [(0.0, 1), (-1.0, 1), (f64::NAN, 1), (1.0, 0)] {
        assert!(Account::of(&plain).noise(law, sensitivity, coordinates).build().is_err());
    }
    assert!(on_grid(&plain, "rounded:2^-10", 1).settings().shard(0, 2).build().is_err());
    // The noise survives a round trip through JSON.
    let loss = on_grid(&plain, "discrete:2^-10", 1).loss(0, 2).unwrap();
    let text = serde_json::to_string(&loss).unwrap();
    assert_eq!(serde_json::from_str::<Loss>(&text).unwrap(), loss);
}

/// A star with the centre 0: the second message to node 1 is `(1024 x_2 + x_3)/4096` and what it
/// knows, from which it reads both states if they are on a grid and below 512 steps. All three lose
/// everything to it, by two messages.
#[test]
fn few_messages_bound_no_mean_on_a_grid() {
    let star = families::star(4).unwrap();
    let mut entries = vec![(0, 0, 4096 - 2049), (1, 1, 3072), (2, 2, 3072), (3, 3, 4095)];
    for (leaf, weight) in [(1, 1024), (2, 1024), (3, 1)] {
        entries.extend([(0, leaf, weight), (leaf, 0, weight)]);
    }
    let weights = CustomWeights::try_new(&star, 4096, entries).unwrap();
    let network = Network::try_new(star, WeightScheme::Custom(weights)).unwrap();
    let protocol = Protocol::one_shot(network, 2).unwrap();
    let target = Target { protect: Protect::Mean, ..Target::new(1.0, 1e-6) };
    let mean = |account: Account<'_>| {
        let account = account.settings().observers(Observers::Listed(vec![1])).build().unwrap();
        let found = account.calibrate(&target, 1.0).unwrap();
        assert!(found.sigma().is_ok());
        found.largest.upper()
    };
    assert!((mean(Account::of(&protocol).build().unwrap()) - 0.5).abs() < 1e-9);
    assert!(mean(on_grid(&protocol, "rounded:2^-6", 1)) >= 0.75);
}

/// Node 1 sent its masked state to 0 and heard nothing from it: 0 knows it, and their mask.
#[test]
fn what_was_on_its_way_to_a_missing_node_is_lost() {
    let took_place = protocol("path:3", "masked:3", 4);
    let took_place = took_place.took_place(&[], &[0], &[((0, 1), 0)], None).unwrap();
    let account = on_grid(&took_place, "rounded:2^-20", 1);
    let loss = |source| account.loss(source, 0).unwrap().upper();
    // Of 1 and 2 together it sees what hides behind the noise of two.
    assert!(loss(1) > 0.5 && loss(2) > 0.4, "{} {}", loss(1), loss(2));
}

/// Why a node without masks does not go on after a loss.
#[test]
fn a_lost_edge_costs_privacy_without_masks() {
    let planned = protocol("karate", "refreshed:0.1", 8);
    let took_place = planned.took_place(&[], &[11], &[((0, 11), 3)], None).unwrap();
    let law: NoiseLaw = "rounded:2^-20".parse().unwrap();
    let loss = |protocol: &Protocol| {
        let account = Account::of(protocol).noise(law, 1.0, 1).build().unwrap();
        account.loss(33, 3).unwrap().upper()
    };
    assert!((loss(&planned) - 0.599).abs() < 1e-3 && loss(&took_place) == 1.0);
}
