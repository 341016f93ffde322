//! The exact curve at the very floats that the fast engine returns.

use muffliato_conformance::agreement::exact_delta;
use muffliato_fast::{Enclosure, GaussianPrivacy, calibrate_sigma};
use muffliato_reference::BigRational;

fn exactly(value: f64) -> BigRational {
    BigRational::from_float(value).unwrap()
}

/// At the upper end of eps the exact delta is small enough, at the lower end it is not yet.
#[test]
fn the_ends_of_eps_are_on_both_sides_of_the_exact_curve() {
    let mut two_sided = 0;
    for mu in [0.125, 0.5, 1.0, 2.75, 6.0] {
        for delta in [0.25, 1e-3, 1e-6, 1e-12] {
            let found = GaussianPrivacy::of_mu(mu).unwrap().epsilon(delta).unwrap();
            let at = |epsilon: f64| exact_delta(&exactly(mu), &exactly(epsilon), 160).unwrap();
            assert!(
                *at(found.upper()).upper() <= exactly(delta),
                "{mu} {delta} {found:?}"
            );
            if found.lower() > 0.0 {
                assert!(
                    *at(found.lower()).lower() >= exactly(delta),
                    "{mu} {delta} {found:?}"
                );
                two_sided += 1;
            }
        }
    }
    assert!(two_sided >= 15, "{two_sided}");
}

/// The calibrated sigma is private by the exact curve, and a hundredth of a percent less is not.
#[test]
fn the_calibrated_sigma_is_private_by_the_exact_curve() {
    for (root, epsilon, delta) in [(0.5, 1.0, 1e-5), (1.0, 0.25, 1e-3), (0.125, 3.0, 1e-9)] {
        let sigma = calibrate_sigma(&Enclosure::exact(root * root), 1.0, epsilon, delta).unwrap();
        let at = |sigma: f64| {
            let mu = exactly(root) / exactly(sigma);
            exact_delta(&mu, &exactly(epsilon), 160).unwrap()
        };
        assert!(*at(sigma).upper() <= exactly(delta), "{root}: {sigma}");
        assert!(
            *at(sigma * 0.9999).lower() > exactly(delta),
            "{root}: {sigma}"
        );
    }
}
