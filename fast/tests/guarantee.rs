//! The guarantee of a Gaussian shift against multiprecision values and by its properties.
//!
//! `data/gaussian_curve.py` writes `data/gaussian_curve.tsv`: the printed formula with 150 digits.

use muffliato_fast::{
    Approximation, Enclosure, FastError, GaussianPrivacy, Loss, calibrate_sigma, central_error,
    local_error, mironov_epsilon,
};
use muffliato_model::LossModel;
use proptest::prelude::*;

const TABLE: &str = include_str!("data/gaussian_curve.tsv");

fn rows(kind: &str) -> Vec<Vec<f64>> {
    let lines = TABLE.lines().map(|line| line.split('\t').collect::<Vec<_>>());
    lines
        .filter(|fields| fields[0] == kind)
        .map(|fields| fields[1..].iter().map(|field| field.parse().unwrap()).collect())
        .collect()
}

fn shift(mu: f64) -> GaussianPrivacy {
    GaussianPrivacy::of_mu(mu).unwrap()
}

#[test]
fn delta_encloses_the_exact_curve_and_is_narrow() {
    let rows = rows("delta");
    assert!(rows.len() > 400, "{}", rows.len());
    let mut widest: f64 = 0.0;
    for row in rows {
        let (mu, epsilon, exact) = (row[0], row[1], row[2]);
        let delta = shift(mu).delta(epsilon).unwrap();
        assert!(delta.contains(exact), "mu {mu} eps {epsilon}: {delta:?} {exact}");
        assert_eq!(shift(mu).delta_upper(epsilon).unwrap(), delta.upper());
        if exact >= 1e-300 {
            widest = widest.max(delta.relative_width());
            assert!(delta.relative_width() < 1e-11, "mu {mu} eps {epsilon}: {delta:?}");
            assert!((delta.value() / exact - 1.0).abs() < 1e-11, "mu {mu} eps {epsilon}");
        }
    }
    println!("widest relative enclosure of delta: {widest:.2e}");
}

#[test]
fn epsilon_encloses_the_exact_inverse_and_is_narrow() {
    let rows = rows("epsilon");
    assert!(rows.len() > 150, "{}", rows.len());
    let mut widest: f64 = 0.0;
    for row in rows {
        let (mu, delta, exact) = (row[0], row[1], row[2]);
        let epsilon = shift(mu).epsilon(delta).unwrap();
        assert!(epsilon.contains(exact), "mu {mu} delta {delta}: {epsilon:?} {exact}");
        assert!(shift(mu).delta_upper(epsilon.upper()).unwrap() <= delta);
        widest = widest.max(epsilon.relative_width());
        assert!(epsilon.relative_width() < 1e-11, "mu {mu} delta {delta}: {epsilon:?}");
    }
    println!("widest relative enclosure of eps: {widest:.2e}");
}

#[test]
fn the_ends_of_the_curve() {
    for mu in [1e-6, 0.1, 0.99, 1.0, 2.0] {
        // delta(0) = 2 Phi(mu/2) - 1 = erf(mu / sqrt 8)
        let exact = libm::erf(mu / 8.0_f64.sqrt());
        let at_zero = shift(mu).delta(0.0).unwrap();
        assert!((at_zero.value() / exact - 1.0).abs() < 1e-13, "{mu}");
        // Above delta(0) no eps is needed.
        assert_eq!(shift(mu).epsilon_upper(at_zero.upper()).unwrap(), 0.0);
        assert!(shift(mu).epsilon(at_zero.lower() * 0.999).unwrap().lower() > 0.0);
        assert_eq!(shift(mu).delta_upper(f64::INFINITY).unwrap(), 0.0);
    }
    let nothing = shift(0.0);
    assert_eq!(nothing.delta_upper(0.0).unwrap(), 0.0);
    assert_eq!(nothing.epsilon_upper(1e-9).unwrap(), 0.0);
    assert_eq!((nothing.zcdp(), nothing.rdp(2.0).unwrap()), (0.0, 0.0));
    let everything = shift(f64::INFINITY);
    assert_eq!(everything.delta_upper(5.0).unwrap(), 1.0);
    assert_eq!(everything.epsilon_upper(0.5).unwrap(), f64::INFINITY);
    assert_eq!(everything.zcdp(), f64::INFINITY);
}

/// Outside the range with a guaranteed width, the enclosures stay valid.
#[test]
fn extreme_shifts_stay_enclosed() {
    assert!(shift(1e200).delta(1.0).unwrap().contains(1.0));
    assert!(shift(1e200).delta(1e308).unwrap().contains(1.0));
    assert!(shift(1e13).delta(5e25).unwrap().contains(0.5));
    assert!(shift(1e-200).delta(1e200).unwrap().contains(0.0));
    assert!(shift(1e-200).delta(1e200).unwrap().upper() < 1e-300);
    // delta(0) = mu / sqrt(2 pi) to first order
    let tiny = shift(1e-250).delta(0.0).unwrap();
    assert!((tiny.upper() / 3.989_422_804_014_327e-251 - 1.0).abs() < 1e-12, "{tiny:?}");
    let tiniest = shift(f64::from_bits(1));
    assert!(tiniest.mu() >= f64::from_bits(1) && tiniest.delta_upper(0.0).unwrap() > 0.0);
}

#[test]
fn leakage_enters_by_its_upper_end() {
    let leakage = Enclosure::try_new(0.04, 0.16).unwrap();
    let privacy = GaussianPrivacy::of_leakage(&leakage, 3.0, 2.0).unwrap();
    assert!(privacy.mu() >= 0.6 && privacy.mu() < 0.6 + 1e-14);
    assert!(privacy.zcdp() >= 0.18 && privacy.zcdp() < 0.18 + 1e-14);
    assert!(privacy.rdp(5.0).unwrap() >= 0.9 && privacy.rdp(5.0).unwrap() < 0.9 + 1e-13);
    let with_estimate = Approximation { estimate: 0.05, certified: leakage };
    let with_estimate = Loss::of_one_input(with_estimate, LossModel::SingleInput);
    assert_eq!(GaussianPrivacy::promised(&with_estimate, 3.0, 2.0).unwrap(), privacy);
    let none = GaussianPrivacy::of_leakage(&Enclosure::exact(0.0), 3.0, 2.0).unwrap();
    assert_eq!(none.mu(), 0.0);
}

#[test]
fn a_shift_that_underflows_is_not_perfect_privacy() {
    let tiny = Enclosure::exact(1e-320);
    let privacy = GaussianPrivacy::of_leakage(&tiny, 1e-300, 1e300).unwrap();
    assert!(privacy.mu() > 0.0 && privacy.rdp(2.0).unwrap() > 0.0);
    assert!(privacy.delta_upper(0.0).unwrap() > 0.0);
    let none = GaussianPrivacy::of_leakage(&Enclosure::exact(0.0), 1.0, 1.0).unwrap();
    assert_eq!((none.mu(), none.delta_upper(0.0)), (0.0, Ok(0.0)));
}

#[test]
fn mironov_is_above_the_exact_curve_and_best_at_its_known_order() {
    for row in rows("epsilon") {
        let (mu, delta, exact) = (row[0], row[1], row[2]);
        let above = (2.0 * (1.0 / delta).ln()).sqrt() / mu;
        let at = |above: f64| {
            let alpha = 1.0 + above;
            mironov_epsilon(shift(mu).rdp(alpha).unwrap(), alpha, delta).unwrap()
        };
        assert!(at(above) >= exact, "mu {mu} delta {delta}");
        for other in [0.9, 1.1] {
            assert!(at(above * other) > at(above), "mu {mu} delta {delta}");
        }
    }
    for power in [-3, -900, -1000, -1022] {
        let exact = f64::from(-power) * std::f64::consts::LN_2;
        let found = mironov_epsilon(0.0, 2.0, 2.0_f64.powi(power)).unwrap();
        assert!(found >= exact && found < exact * (1.0 + 1e-14), "{power}");
    }
    // ln(1/delta) with delta = 2^-20: 20 ln 2, rounded up.
    let exact = 13.862_943_611_198_906;
    let found = mironov_epsilon(0.0, 2.0, 2.0_f64.powi(-20)).unwrap();
    assert!(found >= exact && found < exact * (1.0 + 1e-14));
}

#[test]
fn the_calibrated_sigma_is_private_and_a_smaller_one_is_not() {
    for (rho, sensitivity, epsilon, delta) in [
        (1.0, 1.0, 1.0, 1e-5),
        (0.01, 2.0, 0.1, 1e-9),
        (1e-9, 1.0, 0.0, 1e-6),
        (0.5, 1e-3, 20.0, 1e-200),
        (30.0, 1.0, 3.0, 0.4),
    ] {
        let leakage = Enclosure::exact(rho);
        let sigma = calibrate_sigma(&leakage, sensitivity, epsilon, delta).unwrap();
        let reached = |sigma| {
            let privacy = GaussianPrivacy::of_leakage(&leakage, sensitivity, sigma).unwrap();
            privacy.delta(epsilon).unwrap()
        };
        assert!(reached(sigma).upper() <= delta);
        assert!(reached(sigma * (1.0 - 1e-11)).lower() > delta, "{rho} {sigma}");
    }
    // The analytic Gaussian mechanism at (1, 1e-5): sigma = 3.730631634815942.
    let sigma = calibrate_sigma(&Enclosure::exact(1.0), 1.0, 1.0, 1e-5).unwrap();
    assert!((sigma - 3.730_631_634_815_942).abs() < 1e-9, "{sigma}");
    assert_eq!(calibrate_sigma(&Enclosure::exact(0.0), 1.0, 1.0, 1e-5).unwrap(), 0.0);
}

#[test]
fn baselines_differ_by_the_number_of_nodes() {
    assert_eq!(local_error(10, 2.0, 3.0, 0.5).unwrap(), 1.8);
    assert_eq!(central_error(10, 2.0, 3.0, 0.5).unwrap(), 0.18);
}

#[test]
fn bad_parameters_are_named() {
    let (one, nan) = (Enclosure::exact(1.0), f64::NAN);
    let bad = |result: Result<f64, FastError>, name: &str| match result {
        Err(FastError::BadParameter { parameter, .. }) => assert_eq!(parameter, name),
        other => panic!("{name}: {other:?}"),
    };
    let mu = |result: Result<GaussianPrivacy, FastError>| result.map(|privacy| privacy.mu());
    for value in [nan, -1.0] {
        bad(mu(GaussianPrivacy::of_mu(value)), "mu");
        bad(shift(1.0).delta_upper(value), "epsilon");
        bad(calibrate_sigma(&one, 1.0, value, 0.1), "epsilon");
        bad(mironov_epsilon(value, 2.0, 0.1), "the Renyi loss");
    }
    for value in [nan, -1.0, 0.0, f64::INFINITY] {
        bad(mu(GaussianPrivacy::of_leakage(&one, 1.0, value)), "sigma");
        bad(mu(GaussianPrivacy::of_leakage(&one, value, 1.0)), "the sensitivity");
        bad(calibrate_sigma(&one, value, 1.0, 0.1), "the sensitivity");
        bad(local_error(3, 2.0, 1.0, value), "epsilon");
    }
    for value in [nan, 0.0, 1.0, -0.5, 2.0, f64::INFINITY] {
        bad(shift(1.0).epsilon_upper(value), "delta");
        bad(calibrate_sigma(&one, 1.0, 1.0, value), "delta");
    }
    for value in [nan, 1.0, 0.5, f64::INFINITY] {
        bad(shift(1.0).rdp(value), "alpha");
        bad(mironov_epsilon(1.0, value, 0.1), "alpha");
        bad(central_error(3, value, 1.0, 1.0), "alpha");
    }
    bad(mu(GaussianPrivacy::of_leakage(&Enclosure::exact(-1.0), 1.0, 1.0)), "the leakage");
    bad(calibrate_sigma(&Enclosure::exact(-1.0), 1.0, 1.0, 0.1), "the leakage");
    bad(local_error(0, 2.0, 1.0, 1.0), "the number of nodes");
}

proptest! {
    /// Enclosures of a monotone curve: a larger eps never has a provably larger delta, nor does a
    /// smaller mu.
    #[test]
    fn the_curve_falls_in_eps_and_rises_in_mu(
        log_mu in -6.0..3.0_f64, a in -5.0..40.0_f64, factor in 1.0..1.1_f64,
    ) {
        let mu = 10.0_f64.powf(log_mu);
        let epsilon = (mu * (mu / 2.0 + a)).max(0.0);
        let here = shift(mu).delta(epsilon).unwrap();
        prop_assert!(shift(mu).delta(epsilon * factor).unwrap().lower() <= here.upper());
        prop_assert!(shift(mu * factor).delta(epsilon).unwrap().upper() >= here.lower());
        prop_assert!(0.0 <= here.lower() && here.upper() <= 1.0);
    }

    /// The two directions are inverse to each other.
    #[test]
    fn epsilon_inverts_delta(log_mu in -6.0..3.0_f64, a in 0.0..36.0_f64) {
        let mu = 10.0_f64.powf(log_mu);
        let epsilon = mu * (mu / 2.0 + a + 0.1);
        let delta = shift(mu).delta(epsilon).unwrap();
        let back = shift(mu).epsilon(delta.value()).unwrap();
        prop_assert!((back.value() / epsilon - 1.0).abs() < 1e-9, "{:?} {}", back, epsilon);
        let again = shift(mu).epsilon_upper(delta.upper()).unwrap();
        prop_assert!(again <= epsilon * (1.0 + 1e-11), "{} {}", again, epsilon);
    }

    /// No input panics, and every result is an interval inside [0, 1].
    #[test]
    fn nothing_panics(mu in any::<f64>(), epsilon in any::<f64>()) {
        if let Ok(privacy) = GaussianPrivacy::of_mu(mu) {
            if let Ok(delta) = privacy.delta(epsilon) {
                prop_assert!(0.0 <= delta.lower() && delta.upper() <= 1.0);
            }
            let _ = privacy.epsilon(epsilon);
        }
    }
}
