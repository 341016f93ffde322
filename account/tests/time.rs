//! Deadlines and the cost of work: a partial result promises nothing.

use super::protocol;
use muffliato_account::{
    Account, AccountError, Choice, MaskSearch, Observers, Protect, Status, Target,
};
use muffliato_model::{Network, Protocol};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// The fourth of nine observers waits for the deadline.
#[test]
fn a_partial_summary_is_not_a_guarantee() {
    let protocol = protocol("path:9", "refreshed:0.1", 3);
    let deadline = Instant::now() + Duration::from_secs(3);
    let slow = |done: usize, _: usize| {
        if done >= 3 {
            std::thread::sleep(deadline.saturating_duration_since(Instant::now()));
        }
        true
    };
    let account = || Account::of(&protocol).observers(Observers::All).threads(1);
    let part = account().progress(&slow).deadline(deadline).build().unwrap().summary().unwrap();
    assert!(part.is_partial());
    assert_eq!((part.observers(), part.sample().unwrap().of), (3, 9));
    let largest = part.largest(2).unwrap();
    assert_eq!(largest.as_str(), "partial");
    assert!(largest.sample().unwrap().partial);
    assert!(matches!(largest.promised(), Err(AccountError::Sampled { observers: 3, of: 9 })));

    // After the deadline, methods that need all observers fail.
    let late = account().deadline(deadline).build().unwrap();
    assert!(matches!(late.pairs(), Err(AccountError::OutOfTime { done: 0, of: 9 })));
    let target = Target { protect: Protect::Distance(2), ..Target::new(1.0, 1e-6) };
    assert!(late.calibrate(&target, 1.0).is_err());
    assert!(matches!(late.loss(0, 2), Err(AccountError::OutOfTime { .. })));

    // A late deadline changes nothing.
    let later = Instant::now() + Duration::from_secs(3600);
    let all = account().deadline(later).build().unwrap().summary().unwrap();
    assert!(!all.is_partial());
    assert_eq!(all, account().build().unwrap().summary().unwrap());
    assert!(all.largest(2).unwrap().promised().is_ok());
}

#[test]
fn a_cancellation_is_not_a_timeout() {
    let protocol = protocol("path:9", "refreshed:0.1", 3);
    let stop = |done: usize, _: usize| done < 2;
    let later = Instant::now() + Duration::from_secs(3600);
    let account = Account::of(&protocol).progress(&stop).deadline(later).build().unwrap();
    let refused = account.summary().unwrap_err();
    assert!(refused.is_cancelled(), "{refused}");
}

/// The second candidate of the search waits for the deadline.
#[test]
fn a_search_after_the_deadline_returns_the_best_so_far() {
    let plain = protocol("path:9", "one-shot", 3);
    let target = Target { protect: Protect::Distance(2), ..Target::new(1.0, 1e-6) };
    for masks in [false, true] {
        let deadline = Instant::now() + Duration::from_secs(3);
        let finished = AtomicUsize::new(0);
        let slow = |done: usize, total: usize| {
            if finished.load(Ordering::Relaxed) > 0 {
                std::thread::sleep(deadline.saturating_duration_since(Instant::now()));
            }
            if total == 9 && done == 9 {
                finished.fetch_add(1, Ordering::Relaxed);
            }
            true
        };
        let searched = |account: &Account<'_>| {
            if masks {
                account.calibrate_masks(&target, 1.0, &MaskSearch::default())
            } else {
                account.calibrate_tau(&target, 1.0)
            }
        };
        let account = Account::of(&plain).threads(1).deadline(deadline).progress(&slow);
        let account = account.build().unwrap();
        let part = searched(&account).unwrap();
        assert!(part.is_partial() && part.untried.len() > 3, "{part:?}");
        // The result covers all observers and meets the target.
        let sigma = part.sigma().unwrap();
        let guarantee = part.largest.promised().unwrap().at(sigma, 1.0);
        assert!(guarantee.unwrap().delta(1.0).unwrap() <= 1e-6);
        // A whole search is at least as good.
        let whole = searched(&Account::of(&plain).build().unwrap()).unwrap();
        assert!(!whole.is_partial() && whole.untried.is_empty());
        assert!(whole.expected_error <= part.expected_error);
        if let (Some(all), Some(some)) = (whole.tried, part.tried) {
            assert!(some.count == 1 && all.count > 1);
        }
        let late = Account::of(&plain).deadline(deadline).build().unwrap();
        let refused = searched(&late).unwrap_err();
        assert!(late.is_late(&refused), "{refused}");
    }
}

/// The expected errors of masks report progress, end at the deadline, and are refused if they take
/// hours.
#[test]
fn the_search_for_masks_is_bounded_in_time() {
    let of = |graph: &str| {
        let network = Network::metropolis(graph.parse().unwrap()).unwrap();
        Protocol::one_shot(network, 40).unwrap()
    };
    let target = Target::new(1.0, 1e-6);
    let (large, cube) = (of("ring:200000"), of("hypercube:12"));
    let refused =
        Account::of(&large).build().unwrap().calibrate_masks(&target, 1.0, &MaskSearch::default());
    let (hours, nodes) = match refused {
        Err(AccountError::TooLongSearch { nodes, hours }) => (hours, nodes),
        other => panic!("{other:?}"),
    };
    assert!(nodes == 200_000 && hours > 5.0, "{hours}");
    // The first columns report each of 120 steps, for inputs and for fresh noise.
    let reports = AtomicUsize::new(0);
    let soon = |done: usize, _: usize| done == 0 && reports.fetch_add(1, Ordering::Relaxed) < 200;
    let stopped = Account::of(&cube).progress(&soon).build().unwrap();
    let stopped = stopped.calibrate_masks(&target, 1.0, &MaskSearch::default()).unwrap_err();
    assert!(stopped.is_cancelled(), "{stopped}");
    assert_eq!(reports.load(Ordering::Relaxed), 201);
    let most = AtomicUsize::new(0);
    let told = |done: usize, _: usize| {
        most.fetch_max(done, Ordering::Relaxed);
        true
    };
    let late = Account::of(&cube).progress(&told);
    let late = late.deadline(Instant::now() + Duration::from_millis(200)).build().unwrap();
    assert!(matches!(
        late.calibrate_masks(&target, 1.0, &MaskSearch::default()),
        Err(AccountError::OutOfTime { done: 0, of: 4096 })
    ));
    let most = most.load(Ordering::Relaxed);
    assert!(most < 4096 - 64, "it went on to the last columns");
}

#[test]
fn bounds_of_all_pairs_report_progress_and_end_at_the_deadline() {
    let protocol = protocol("regular:4200:d=4:seed=1", "masked:3", 3);
    let most = AtomicUsize::new(0);
    let told = |done: usize, _: usize| {
        most.fetch_max(done, Ordering::Relaxed);
        true
    };
    let account = Account::of(&protocol).progress(&told).build().unwrap();
    assert!(account.bounds_all_at_once());
    account.summary().unwrap();
    assert_eq!(most.load(Ordering::Relaxed), 4200);
    assert!(matches!(
        account.settings().deadline(Instant::now()).build().unwrap().summary(),
        Err(AccountError::OutOfTime { done: 0, of: 4200 })
    ));
}

/// The fractions of Theorem 1 get long before losses do, unless all messages have the same norm.
#[test]
fn theorem_1_is_exact_if_it_is_short() {
    for (graph, steps, observer, status) in [
        ("karate", 4, 9, Status::Exact),
        ("karate", 5, 33, Status::Certified),
        ("hypercube:4", 30, 0, Status::Exact),
    ] {
        let protocol = protocol(graph, "one-shot", steps);
        let towards = |choice| {
            let account = Account::of(&protocol).engine(choice);
            let account = account.observers(Observers::Listed(vec![observer])).build().unwrap();
            account.pairs().unwrap().remove(0).pairs
        };
        let exact = towards(Choice::Exact);
        for (pair, exact) in towards(Choice::Auto).iter().zip(&exact) {
            let (found, exact) = (pair.theorem_1.as_ref(), exact.theorem_1.as_ref());
            let (found, exact) = (found.unwrap(), exact.unwrap());
            assert_eq!(found.status(), status, "{graph}, {steps} steps");
            assert!(found.lower() <= exact.upper() && exact.lower() <= found.upper());
            assert_eq!(pair.loss.status(), Status::Exact);
        }
    }
}

/// The rank bounds the work of many messages.
#[test]
fn many_steps_on_few_nodes_are_estimated_as_seconds() {
    for (graph, steps) in [("ring:6", 20_000), ("karate", 400)] {
        let protocol = protocol(graph, "one-shot", steps);
        let account = Account::of(&protocol).threads(1).build().unwrap();
        let seconds = 3600.0 * account.hours().unwrap();
        assert!(seconds < 20.0, "{graph}: {seconds}");
    }
}
