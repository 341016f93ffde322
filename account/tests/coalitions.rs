//! Losses to coalitions: the worst one found, and bounds for all.

use super::protocol;
use muffliato_account::{Account, Choice, Evidence, Protect, Target};
use muffliato_model::Observer;

#[test]
fn exhaustion_finds_the_largest_loss() {
    for (plan, protect, from) in [
        ("masked:2", Protect::All, 1),
        ("refreshed:1/2", Protect::Distance(2), 2),
        ("one-shot", Protect::Distance(2), 2),
    ] {
        let protocol = protocol("grid:3x3", plan, 3);
        let account = Account::of(&protocol).engine(Choice::Fast).build().unwrap();
        let all = account.coalitions(2, protect).unwrap();
        assert!(matches!(all.evidence, Evidence::Exhausted { .. }), "{all:?}");
        let graph = protocol.graph().unwrap();
        let mut largest = 0.0_f64;
        for a in 0..9 {
            for b in 0..9 {
                let distances = graph.distances_from_any(&[a, b]);
                let observer = Observer::coalition([a, b]).unwrap();
                for u in (0..9).filter(|&u| distances[u].unwrap() >= from) {
                    let loss = account.loss_towards(&[u], &observer).unwrap();
                    largest = largest.max(loss.upper());
                }
            }
        }
        assert!((all.bound.upper() - largest).abs() < 1e-9, "{plan}: {all:?} {largest}");
        let found = all.found.unwrap();
        let observer = Observer::coalition(found.members).unwrap();
        let again = account.loss_towards(&[found.source], &observer).unwrap();
        assert!((again.upper() - largest).abs() < 1e-9);
    }
}

/// If there are too many coalitions: trees for masks, first passage for fresh noise, LDP otherwise.
#[test]
fn bounds_over_all_coalitions_name_their_evidence() {
    let cases = [
        ("regular:300:d=8:seed=2", "masked:300", Protect::All, Evidence::Trees),
        ("hypercube:6", "refreshed:2", Protect::Distance(3), Evidence::FirstPassage),
        ("hypercube:6", "one-shot", Protect::Distance(2), Evidence::Local),
        ("hypercube:6", "gd:3x1", Protect::All, Evidence::Local),
    ];
    for (graph, plan, protect, evidence) in cases {
        let protocol = protocol(graph, plan, 5);
        let account = Account::of(&protocol).engine(Choice::Fast).build().unwrap();
        let all = account.coalitions(3, protect).unwrap();
        assert_eq!(all.evidence, evidence, "{graph} {plan}: {}", all.bound.upper());
        let found = all.found.unwrap();
        assert!(found.bound.upper() <= all.bound.upper() + 1e-12, "{graph} {plan}");
        assert_eq!(found.members.len(), 3);
        if evidence == Evidence::Local {
            assert_eq!(all.bound.upper(), protocol.rounds() as f64);
        } else {
            assert!(all.bound.upper() < 1.0);
        }
    }
}

/// A coalition of all neighbours learns the noisy input.
#[test]
fn the_search_finds_all_neighbours_of_a_node() {
    let protocol = protocol("grid:12x12", "masked:10", 5);
    let account = Account::of(&protocol).engine(Choice::Fast).build().unwrap();
    let two = account.coalitions(2, Protect::All).unwrap();
    let found = two.found.unwrap();
    assert_eq!((two.bound.upper(), found.bound.upper()), (1.0, 1.0));
    let graph = protocol.graph().unwrap();
    let around: Vec<usize> = graph.neighbours(found.source).collect();
    assert!(around.len() == 2 && around.iter().all(|v| found.members.contains(v)));
    assert!(account.coalitions(0, Protect::All).is_err());
    assert!(account.coalitions(144, Protect::All).is_err());
}

/// The search also starts from the worst single observer.
#[test]
fn a_coalition_learns_no_less_than_its_worst_member() {
    let protocol = protocol("karate", "gd:10x1", 1);
    let account = Account::of(&protocol).engine(Choice::Fast).build().unwrap();
    let target = Target { protect: Protect::Distance(2), ..Target::new(1.0, 1e-6) };
    let one = account.calibrate(&target, 1.0).unwrap();
    let two = account.collusion(2, &target, &one, 1.0).unwrap();
    assert_eq!(two.coalitions.evidence, Evidence::Local);
    let found = two.coalitions.found.unwrap().bound.upper();
    assert!(found > 0.95 * one.largest.upper(), "{found}");
}
