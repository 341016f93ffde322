//! The cheapest alibis against the exact engine and against the Gram form.

use crate::fixtures::{contains, fraction, network};
use muffliato_fast::{AlibiView, FastError, GramView};
use muffliato_model::{Observer, Protocol};
use muffliato_reference::Process;

fn refreshed(text: &str, steps: usize, tau: &str) -> Protocol {
    let protocol = Protocol::one_shot(network(text), steps).unwrap();
    protocol.refreshed(fraction(tau)).unwrap()
}

/// Checks that every loss contains the exact one, and is known to `width`.
fn check_all(protocol: &Protocol, observer: &Observer, width: f64) {
    let exact = Process::run(protocol).unwrap();
    let exact = exact.view(observer).unwrap();
    let view = AlibiView::of(protocol, observer).unwrap();
    for (u, found) in view.losses().unwrap().iter().enumerate() {
        let Some(found) = found else {
            assert!(observer.contains(u));
            continue;
        };
        let (found, loss) = (found.scalars, exact.loss(&[u]).unwrap().scalar);
        let what = format!("{u} to {observer}: {found:?}, {loss}");
        assert!(contains(&found.certified, &loss), "{what}");
        assert!(found.is_certified(width), "{what}");
    }
}

#[test]
fn all_views_of_small_protocols_contain_the_exact_loss() {
    for (text, steps, tau) in [
        ("path:5", 4, "1/20"),
        ("star:5 lazy", 3, "3"),
        ("ring:6 max-degree-inverse", 5, "1/10"),
        ("grid:3x3", 4, "1/3"),
        ("complete:4", 3, "1/7"),
    ] {
        let protocol = refreshed(text, steps, tau);
        for v in 0..protocol.nodes() {
            check_all(&protocol, &Observer::full(v), 1e-12);
            check_all(&protocol, &Observer::paper(v), 1e-12);
        }
        let coalition = Observer::coalition([0, 2]).unwrap();
        check_all(&protocol, &coalition, 1e-12);
    }
}

#[test]
fn changing_networks() {
    let changing = ["ring:6", "path:6 lazy", "star:6", "path:6"].map(network);
    let protocol =
        Protocol::time_varying(changing.to_vec()).unwrap().refreshed(fraction("1/7")).unwrap();
    for v in 0..6 {
        check_all(&protocol, &Observer::full(v), 1e-12);
    }
    check_all(&protocol, &Observer::coalition([1, 4]).unwrap(), 1e-12);
}

#[test]
fn masks_protect_neighbours_too() {
    for (text, steps, tau, kappa) in
        [("path:4", 3, "1/5", "2"), ("grid:2x3", 3, "1/10", "1/2"), ("star:5 lazy", 3, "1", "5")]
    {
        let protocol = refreshed(text, steps, tau).masked(fraction(kappa)).unwrap();
        for v in 0..protocol.nodes() {
            check_all(&protocol, &Observer::full(v), 1e-12);
            check_all(&protocol, &Observer::paper(v), 1e-12);
        }
        check_all(&protocol, &Observer::coalition([0, 1]).unwrap(), 1e-12);
    }
    let changing = ["ring:5", "path:5", "star:5"].map(network).to_vec();
    let changing = Protocol::time_varying(changing).unwrap();
    let changing = changing.refreshed(fraction("1/4")).unwrap();
    let changing = changing.masked(fraction("3")).unwrap();
    check_all(&changing, &Observer::full(2), 1e-12);
}

#[test]
fn little_fresh_noise_takes_pairs() {
    check_all(&refreshed("path:5 lazy", 5, "1e-5"), &Observer::full(0), 1e-9);
    // Too little noise for floats to find the cheapest alibi: the ends are still valid.
    check_all(&refreshed("path:6", 6, "1e-9"), &Observer::full(0), 1.0);
}

#[test]
fn long_runs_agree_with_the_gram_form_and_are_narrower() {
    let protocol = refreshed("karate", 30, "1/50");
    for v in [0, 11, 33] {
        let observer = Observer::full(v);
        let alibis = AlibiView::of(&protocol, &observer).unwrap();
        let gram = GramView::of(&protocol, &observer).unwrap();
        let (alibis, gram) = (alibis.losses().unwrap(), gram.losses().unwrap());
        for (alibi, gram) in alibis.iter().zip(gram) {
            let (Some(alibi), Some(gram)) = (alibi, gram) else {
                assert!(alibi.is_none() && gram.is_none());
                continue;
            };
            let (a, g) = (alibi.scalars.certified, gram.scalars.certified);
            assert!(a.lower() <= g.upper() && g.lower() <= a.upper());
            assert!(alibi.scalars.is_certified(1e-11), "{alibi:?}");
        }
    }
}

#[test]
fn other_protocols_are_refused() {
    let descent = Protocol::gradient_descent(network("path:4"), 3, 1).unwrap();
    let masked = refreshed("path:4", 1, "1/2").masked(fraction("2")).unwrap();
    let once = Protocol::one_shot(network("path:4"), 3).unwrap();
    for protocol in [descent, masked, once] {
        let refused = AlibiView::of(&protocol, &Observer::full(0)).err();
        assert!(matches!(refused, Some(FastError::NotApplicable { .. })));
    }
    let outside = AlibiView::of(&refreshed("path:4", 3, "1/2"), &Observer::full(4));
    assert!(matches!(outside.err(), Some(FastError::Observer(_))));
    let stop = |_: usize, _: usize| false;
    let stopped = AlibiView::watched(&refreshed("path:4", 3, "1/2"), &Observer::full(0), &stop);
    assert_eq!(stopped.err(), Some(FastError::Cancelled));
}
