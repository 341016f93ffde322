//! Attacks on simulated runs. Seeds are fixed, and each interval is wrong with probability at most
//! 1e-6; with a fresh seed a test would raise a false alarm with probability below 1e-5.

use muffliato_conformance::attack::{Attack, AttackReport, Rounding, Strategy};
use muffliato_fast::{CertifiedView, GaussianPrivacy, GramView, MultiprecisionLimits};
use muffliato_model::{GraphSpec, Network, Observer, Protocol, WeightScheme};
use muffliato_reference::{Process, decimal};
use num_traits::{One, ToPrimitive};

fn one_shot(text: &str, steps: usize) -> Protocol {
    let graph = text.parse::<GraphSpec>().unwrap().build().unwrap();
    let network = Network::try_new(graph, WeightScheme::Metropolis).unwrap();
    Protocol::one_shot(network, steps).unwrap()
}

fn refreshed(protocol: &Protocol, tau: &str) -> Protocol {
    protocol.clone().refreshed(tau.parse().unwrap()).unwrap()
}

fn attacked(protocol: &Protocol, source: usize, observer: usize) -> AttackReport {
    let attack = Attack { seed: 7, ..Attack::new(protocol, source, Observer::full(observer)) };
    let report = attack.run(&()).unwrap();
    println!("{}", report.text());
    report
}

/// Asserts that the measurement matches the exact prediction within its interval.
fn matches_exactly(report: &AttackReport) {
    let found = report.accuracy;
    assert!(
        found.lower <= report.exact_accuracy && report.exact_accuracy <= found.upper,
        "{found:?} does not contain {}",
        report.exact_accuracy
    );
    assert!(report.epsilon_lower <= report.exact_epsilon);
}

/// Asserts that the measurement is below the certified bound of the fast engine.
fn is_below_what_is_certified(report: &AttackReport, protocol: &Protocol, observer: usize) {
    let losses = GramView::of(protocol, &Observer::full(observer)).unwrap();
    let loss = losses.losses().unwrap()[report.source].unwrap();
    assert!(loss.scalars.is_certified(1e-6));
    let certified = GaussianPrivacy::promised(&loss, 1.0, 1.0).unwrap();
    assert!(report.epsilon_lower < certified.epsilon_upper(1e-5).unwrap());
    assert!(report.leakage.to_f64().unwrap() <= loss.scalars.certified.upper());
    matches_exactly(report);
}

#[test]
fn karate_member_3_reads_member_33() {
    let report = attacked(&one_shot("karate", 2), 33, 3);
    assert!(report.leakage.is_one());
    matches_exactly(&report);
    let paper = report.theorem_1.unwrap();
    assert!(paper.bound < 0.009);
    assert!(report.accuracy.lower > paper.accuracy + 0.1);
    assert!(report.epsilon_lower > 3.0 * paper.epsilon);
    assert!(report.contradicts_theorem_1() && report.is_below_exact());
}

#[test]
fn fresh_noise_protects_member_33() {
    let plain = attacked(&one_shot("karate", 2), 33, 3);
    let protocol = refreshed(&one_shot("karate", 2), "0.2");
    let report = attacked(&protocol, 33, 3);
    assert!(report.accuracy.upper < plain.accuracy.lower);
    is_below_what_is_certified(&report, &protocol, 3);
}

#[test]
fn the_10_cube_hides_nothing_at_distance_10() {
    let protocol = one_shot("hypercube:10", 11);
    let report = attacked(&protocol, 1023, 0);
    assert!(report.leakage.is_one(), "{}", report.leakage);
    matches_exactly(&report);
    assert!(report.contradicts_theorem_1());
    assert!(report.accuracy.lower > report.theorem_1.unwrap().accuracy + 0.1);

    let fresh = refreshed(&protocol, "1/32");
    let report = attacked(&fresh, 1023, 0);
    assert!(report.accuracy.upper < 0.55, "{:?}", report.accuracy);
    is_below_what_is_certified(&report, &fresh, 0);
}

#[test]
fn the_leakage_of_cells_is_that_of_the_other_engines() {
    for (text, steps, source, observer) in [
        ("karate", 2, 33, 3),
        ("florentine", 3, 0, 5),
        ("hypercube:4", 4, 3, 0),
        ("star:6", 3, 2, 1),
        ("path:5", 4, 4, 0),
        ("grid:3x4", 3, 11, 0),
    ] {
        let plain = one_shot(text, steps);
        for protocol in [plain.clone(), refreshed(&plain, "1/10")] {
            let watcher = Observer::full(observer);
            let strategy = Strategy::best(&protocol, source, &watcher, 0.0).unwrap();
            let view = Process::run(&protocol).unwrap().view(&watcher).unwrap();
            assert_eq!(strategy.leakage, view.leakage(source).unwrap(), "{text}");
        }
        let limits = MultiprecisionLimits::default();
        let enclosed = CertifiedView::of(&plain, &Observer::full(observer), &limits).unwrap();
        let strategy = Strategy::best(&plain, source, &Observer::full(observer), 0.0).unwrap();
        let value = strategy.leakage.to_f64().unwrap();
        let enclosed = enclosed.losses()[source].unwrap().scalars.certified;
        assert!((enclosed.value() - value).abs() < 1e-11);
    }
}

#[test]
fn a_coalition_and_a_changing_network_can_attack() {
    let protocol = one_shot("path:6", 3);
    let pair = Observer::coalition([4, 5]).unwrap();
    let attack = Attack { trials: 4000, ..Attack::new(&protocol, 1, pair.clone()) };
    let report = attack.run(&()).unwrap();
    matches_exactly(&report);
    let exact = Process::run(&protocol).unwrap().view(&pair).unwrap();
    assert_eq!(report.leakage, exact.leakage(1).unwrap());

    let graph = "path:3".parse::<GraphSpec>().unwrap().build().unwrap();
    let edges = vec![(0, 1), (1, 2), (0, 1), (1, 2)];
    let protocol = Protocol::randomized(graph, edges).unwrap();
    let attack = Attack { trials: 4000, ..Attack::new(&protocol, 0, Observer::full(2)) };
    matches_exactly(&attack.run(&()).unwrap());
}

/// Under secure summation the statistic is one of sums, alone or shared; the sum of a ring's node
/// hides more than its messages do.
#[test]
fn an_observer_of_sums_attacks_with_sums() {
    for (graph, steps, members, source) in
        [("path:4", 3, vec![1], 0), ("ring:5", 2, vec![0], 2), ("star:6", 2, vec![1, 2], 4)]
    {
        let observer = Observer::sums(members).unwrap();
        for protocol in [one_shot(graph, steps), refreshed(&one_shot(graph, steps), "1/2")] {
            let attack =
                Attack { trials: 4000, ..Attack::new(&protocol, source, observer.clone()) };
            let report = attack.run(&()).unwrap();
            matches_exactly(&report);
            let exact = Process::run(&protocol).unwrap().view(&observer).unwrap();
            assert_eq!(report.leakage, exact.leakage(source).unwrap());
            assert!(report.theorem_1.is_none());
        }
    }
}

/// Four decimals do not stop the attack on the karate club; with one decimal, rounding adds more
/// noise than there was.
#[test]
fn rounding_is_no_protection_until_it_is_coarse() {
    let protocol = one_shot("karate", 2);
    let with = |rounding| {
        let attack = Attack::new(&protocol, 33, Observer::full(3));
        let report = Attack { rounding, seed: 3, ..attack }.run(&()).unwrap();
        println!("{}", report.text());
        report
    };
    for rounding in [Rounding::Double, Rounding::Single, Rounding::Decimals(4)] {
        let report = with(rounding);
        matches_exactly(&report);
        assert!(report.contradicts_theorem_1(), "{rounding}");
    }
    assert!(with(Rounding::Decimals(4)).text().contains("not a guarantee"));
    let coarse = with(Rounding::Decimals(0));
    assert!(coarse.accuracy.upper < coarse.exact_accuracy);
}

#[test]
fn a_report_does_not_depend_on_the_seed_alone_but_on_nothing_else() {
    let protocol = one_shot("path:4", 3);
    let run = |seed| {
        let attack = Attack::new(&protocol, 0, Observer::full(3));
        Attack { trials: 600, seed, ..attack }.run(&()).unwrap()
    };
    assert_eq!(run(1), run(1));
    assert_ne!(run(1).accuracy, run(2).accuracy);
    assert_eq!(run(1).json()["accuracy"]["trials"], 600);
    assert_eq!(decimal::rounded_up(&run(1).leakage, 3), "1");
}

#[test]
fn bad_input_is_refused() {
    let protocol = one_shot("path:5", 2);
    let attack = || Attack::new(&protocol, 0, Observer::full(4));
    let refused = |attack: Attack<'_>| assert!(attack.run(&()).is_err(), "{attack:?}");
    for delta in [0.0, 1.0, f64::NAN] {
        refused(Attack { delta, ..attack() });
        refused(Attack { miss: delta, ..attack() });
    }
    for sigma in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        refused(Attack { sigma, ..attack() });
        refused(Attack { sensitivity: sigma, ..attack() });
    }
    refused(Attack { source: 9, ..attack() });
    refused(Attack { source: 4, ..attack() });
    refused(Attack { observer: Observer::full(9), ..attack() });
}
