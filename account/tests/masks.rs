//! Losses and calibration of masked protocols.

use super::protocol;
use muffliato_account::{
    Account, Choice, MaskSearch, NoiseLaw, Observers, Protect, Status, Summary, Target,
};
use muffliato_model::Observer;

fn largest(summary: &Summary, from: usize) -> f64 {
    summary.largest(from).unwrap().promised().unwrap().upper()
}

/// The fast loss is at least the exact one, and both engines have the same bound.
#[test]
fn both_engines_agree_on_masks() {
    for (graph, plan) in [
        ("karate", "masked:3"),
        ("ring:6", "refreshed:1/2+masked:2"),
        ("grid:3x4", "gd:3x1+masked:2"),
    ] {
        let protocol = protocol(graph, plan, 3);
        let of = |choice| Account::of(&protocol).engine(choice);
        for (u, v) in [(0, 1), (5, 0), (2, 4)] {
            let exact = of(Choice::Exact).build().unwrap().loss(u, v).unwrap();
            let fast = of(Choice::Fast).build().unwrap().loss(u, v).unwrap();
            assert!(exact.upper() <= fast.upper() + 1e-12, "{graph} {plan} {u} {v}");
            assert_ne!(fast.status(), Status::Estimate);
            if protocol.rounds() > 1 {
                assert!((exact.upper() - fast.upper()).abs() < 1e-9);
            }
        }
        let summary =
            |choice| of(choice).observers(Observers::All).build().unwrap().summary().unwrap();
        let (exact, fast) = (summary(Choice::Exact), summary(Choice::Fast));
        assert!(largest(&exact, 0) <= largest(&fast, 0) + 1e-12);
    }
}

/// Over sixteen rounds, masks leave a neighbour a few hundredths of each input.
#[test]
fn masks_protect_neighbours_in_training() {
    let loss = |plan| {
        let protocol = protocol("hypercube:6", plan, 1);
        let loss = Account::of(&protocol).build().unwrap().loss(1, 0).unwrap();
        loss.upper()
    };
    let masked = loss("gd:16x1+masked:3");
    assert!(masked > 0.6 && masked < 0.67, "{masked}");
    assert!(loss("gd:16x1") > 10.0 * masked);
}

/// The graph is too large to examine pairs one by one.
#[test]
fn all_pairs_of_a_large_graph_are_certified() {
    let masked = protocol("regular:5000:d=8:seed=1", "masked:3", 5);
    let account = Account::of(&masked).build().unwrap();
    assert!(account.bounds_all_at_once());
    let summary = account.summary().unwrap();
    assert_eq!((summary.observers(), summary.sample()), (5000, None));
    let pairs: usize = summary.rows().map(|row| row.pairs).sum();
    assert_eq!(pairs, 5000 * 4999);
    let (neighbours, far) = (largest(&summary, 0), largest(&summary, 2));
    assert!(far < neighbours && neighbours < 0.03, "{far} {neighbours}");
    let one = account.loss_towards(&[7], &Observer::full(0)).unwrap();
    assert!(one.upper() <= neighbours);
}

/// The target includes neighbours, where LDP is optimal without masks.
#[test]
fn calibrated_masks_approach_the_trusted_aggregator() {
    let cube = protocol("hypercube:6", "one-shot", 12);
    let account = Account::of(&cube).engine(Choice::Fast).build().unwrap();
    let target = Target::new(1.0, 1e-6);
    let found = account.calibrate_masks(&target, 1.0, &MaskSearch::default()).unwrap();
    let (local, central) = found.baselines.unwrap();
    let error = found.expected_error.unwrap();
    assert!(error < 1.2 * central && central < local / 60.0, "{error} {central} {local}");
    let (promised, sigma) = (found.largest.clone().promised(), found.sigma().unwrap());
    let guarantee = promised.unwrap().at(sigma, 1.0).unwrap();
    assert!(guarantee.delta(1.0).unwrap() <= 1e-6);
    assert!(found.neighbour_epsilon <= 1.0 + 1e-9);
    let far = Target { protect: Protect::Distance(2), ..target };
    let far = account.calibrate_masks(&far, 1.0, &MaskSearch::default()).unwrap();
    assert!(far.sigma().unwrap() <= sigma);
}

/// With more steps more messages are heard, and by nodes that are farther away: what is promised is
/// about the steps that were chosen.
#[test]
fn calibrated_masks_account_for_the_chosen_number_of_steps() {
    let mean = Target { protect: Protect::Mean, ..Target::new(1.0, 1e-6) };
    let path = protocol("path:6", "one-shot", 1);
    let found =
        Account::of(&path).build().unwrap().calibrate_masks(&mean, 1.0, &MaskSearch::default());
    let found = found.unwrap();
    assert!(found.protocol.steps() > 1);
    assert!(found.largest.clone().promised().is_err()); // a mean
    let promised = found.largest.upper();
    let exact = Account::of(&found.protocol).engine(Choice::Exact).build().unwrap();
    for towards in exact.pairs().unwrap() {
        let losses = towards.pairs.iter().map(|pair| pair.loss.lower());
        let mean = losses.sum::<f64>() / 6.0;
        assert!(mean <= promised + 1e-12, "{mean} {promised}");
    }

    // On a grid, distance 4 is out of reach in three steps but not in nine.
    let far = Target { protect: Protect::Distance(4), ..mean };
    let path = protocol("path:10", "one-shot", 3);
    let law: NoiseLaw = "rounded:2^-20".parse().unwrap();
    let on_grid = |protocol| Account::of(protocol).noise(law, 1.0, 1).build().unwrap();
    let found = on_grid(&path).calibrate_masks(&far, 1.0, &MaskSearch::default()).unwrap();
    let needed = on_grid(&found.protocol).calibrate(&far, 1.0).unwrap();
    let (sigma, needed) = (found.sigma().unwrap(), needed.sigma().unwrap());
    assert!(sigma > 0.0 && sigma >= needed, "{sigma} {needed}");
}

/// A node that is absent has no masks, and loses nothing but to itself.
#[test]
fn a_plan_without_an_absent_node_is_accounted() {
    let plan = |v: usize| format!("{}", v + 1).parse().unwrap();
    let nodes: Vec<_> = (0..5).map(plan).collect();
    let ends = |v: usize| (v.min((v + 1) % 5), v.max((v + 1) % 5));
    let masks = (0..5).map(|v| (ends(v), plan(v))).collect();
    let plan = muffliato_model::NoisePlan { nodes, masks, fresh: Vec::new() };
    let planned = protocol("ring:5", "masked:1", 3).with_plan(plan).unwrap();
    let present = planned.without_nodes(&[2]).unwrap();
    let account = Account::of(&present).engine(Choice::Fast).observers(Observers::All);
    let summary = account.build().unwrap().summary().unwrap();
    for v in 0..5 {
        let pair = |u| Account::of(&present).build().unwrap().loss(u, v).unwrap().upper();
        let most = (0..5).filter(|&u| u != v).map(pair).fold(0.0, f64::max);
        assert!(most <= largest(&summary, 0), "{v}");
    }
    assert!(largest(&summary, 1) > 0.0);
}
