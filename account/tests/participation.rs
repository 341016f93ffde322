//! Participation of users in every b-th round.

use super::{graphs, protocol};
use muffliato_account::{Account, Asked, Choice, Observers};
use muffliato_certificate::absorption_bound;
use muffliato_fast::{
    AbsorptionBounds, CertifiedView, GramView, MaskedBounds, MultiprecisionLimits,
};
use muffliato_model::{Absorption, Graph, Lipschitz, Network, Observer, Protocol, ProtocolSpec};
use muffliato_reference::{BigRational, Process, ReferenceError, masked_bound};

/// With users 0 and 1 in different phases, node 2 hears 1 + 1/3 of the change under 1 + 1/9 of
/// noise.
#[test]
fn a_group_in_different_phases_loses_eight_fifths() {
    let protocol = protocol("path:3", "gd:2x1:every=2", 1);
    let observer = Observer::full(2);
    let exact = Process::run(&protocol).unwrap().view(&observer).unwrap().loss(&[0, 1]).unwrap();
    assert_eq!(exact.scalar.to_string(), "8/5");
    let phases = [0, 1].map(|member| exact.participation.phase(member));
    assert_eq!(phases, [Some(0), Some(1)]);
    let fast = GramView::of(&protocol, &observer).unwrap();
    let fast = fast.group_loss(&[0, 1]).unwrap().scalars.certified;
    assert!(fast.contains(1.6) && fast.upper() < 1.6001, "{fast:?}");
    let account = Account::of(&protocol);
    let account = account.observers(Observers::Listed(vec![2])).group([0, 1]).build().unwrap();
    let certificate = account.certificate().unwrap();
    assert!(certificate.proved().unwrap() >= exact.scalar);
    let attack = account.attack_certificate().unwrap();
    assert_eq!(attack.claim.to_string(), "at least 8/5");
    assert_eq!(attack.check(), Ok(()));
}

/// Computes the largest loss of scalars over all phases and signs, from the entries of the
/// projector.
fn largest_loss(protocol: &Protocol, observer: &Observer, group: &[usize]) -> BigRational {
    let (period, rounds) = (protocol.period(), protocol.rounds());
    let view = Process::run(protocol).unwrap().view(observer).unwrap();
    let all: Vec<(usize, usize)> =
        (0..rounds).flat_map(|round| (0..group.len()).map(move |member| (round, member))).collect();
    let entry = |&(r, m): &(usize, usize), &(s, k): &(usize, usize)| {
        view.projection((r, group[m]), (s, group[k])).unwrap()
    };
    let entries: Vec<Vec<BigRational>> =
        all.iter().map(|one| all.iter().map(|other| entry(one, other)).collect()).collect();
    let mut largest = BigRational::from_integer(0.into());
    for number in 0..period.pow(group.len() as u32) {
        let phase = |member: usize| number / period.pow(member as u32) % period;
        let used = |&place: &usize| all[place].0 % period == phase(all[place].1);
        let inputs: Vec<usize> = (0..all.len()).filter(used).collect();
        for signs in 0..1_usize << inputs.len() {
            let mut sum = BigRational::from_integer(0.into());
            for (i, &one) in inputs.iter().enumerate() {
                for (j, &other) in inputs.iter().enumerate() {
                    match (signs >> i ^ signs >> j) & 1 {
                        0 => sum += &entries[one][other],
                        _ => sum -= &entries[one][other],
                    }
                }
            }
            largest = largest.max(sum);
        }
    }
    largest
}

fn exactly(float: f64) -> BigRational {
    BigRational::from_float(float).unwrap()
}

/// Checks both engines, guarantees and certificates for every group of two and three, every graph
/// of up to four nodes and every assignment of phases.
#[test]
fn no_assignment_of_phases_exceeds_the_bounds() {
    let plans = ["gd:3x1:every=2", "gd:2x2:1/2:every=2", "gd:2x1:every=2+masked:1"];
    let mut mixed = 0;
    for graph in graphs(3).into_iter().chain(graphs(4)) {
        let nodes = graph.nodes();
        let network = Network::metropolis(graph).unwrap();
        for plan in plans {
            let plan_of: ProtocolSpec = plan.parse().unwrap();
            let protocol = plan_of.on_fixed(network.clone(), 1).unwrap();
            for seen in 0..nodes {
                let observer = Observer::full(seen);
                let others: Vec<usize> = (0..nodes).filter(|&node| node != seen).collect();
                let mut groups = vec![others.clone()];
                if others.len() == 3 {
                    groups.extend((0..3).map(|left| {
                        let mut pair = others.clone();
                        pair.remove(left);
                        pair
                    }));
                }
                for group in groups {
                    let case = format!("{:?} {plan} {group:?} to {seen}", network.graph());
                    let truth = largest_loss(&protocol, &observer, &group);
                    let process = Process::run(&protocol).unwrap();
                    let exact = process.view(&observer).unwrap().loss(&group).unwrap();
                    assert_eq!(exact.scalar, truth, "{case}");
                    // With masks the engine answers for any loss functions.
                    if protocol.masks().is_none() {
                        let engine = Choice::Exact.engine(&protocol, 1, 1 << 30).unwrap();
                        let found = engine.losses(Asked::new(&observer, &[&group], &())).unwrap();
                        let scalars = found.losses[0].for_scalars();
                        assert_eq!(scalars.fraction(), Some(&truth), "{case}");
                    }
                    assert!(exact.vector_upper >= truth, "{case}");
                    mixed += usize::from(
                        (1..group.len())
                            .any(|m| exact.participation.phase(m) != exact.participation.phase(0)),
                    );

                    let gram = GramView::of(&protocol, &observer).unwrap();
                    let found = gram.group_loss(&group).unwrap().scalars.certified;
                    assert!(exactly(found.lower()) <= truth, "{case}: {found:?}");
                    assert!(exactly(found.upper()) >= truth, "{case}: {found:?}");
                    let limits = MultiprecisionLimits::default();
                    if let Ok(view) = CertifiedView::of(&protocol, &observer, &limits) {
                        let found = view.group_loss(&group).unwrap().scalars.certified;
                        assert!(exactly(found.lower()) <= truth, "{case}: {found:?}");
                        assert!(exactly(found.upper()) >= truth, "{case}: {found:?}");
                    }
                    let convex = Lipschitz::default();
                    let plan = [Absorption::first_passage(&protocol, &observer).unwrap()];
                    let bounds = AbsorptionBounds::of(&protocol, &observer, &convex).unwrap();
                    let absorbed = bounds.of_plans(&group, &plan).unwrap();
                    let bound = absorption_bound(&protocol, &group, &observer, &convex, &plan);
                    let bound = bound.unwrap();
                    assert!(bound >= truth && exactly(absorbed) >= bound, "{case}");
                    if protocol.masks().is_some() {
                        let masked = MaskedBounds::of(&protocol).unwrap();
                        let masked = masked.bound(&group, &observer).unwrap();
                        let exact = masked_bound(&protocol, &group, &observer).unwrap();
                        assert!(exact >= truth, "{case}");
                        assert!(exactly(masked.lower()) <= exact, "{case}");
                        assert!(exactly(masked.upper()) >= exact, "{case}");
                    }

                    let account = Account::of(&protocol);
                    let account = account.observers(Observers::Listed(vec![seen]));
                    let account = account.group(group.iter().copied()).build().unwrap();
                    let certificate = account.certificate().unwrap();
                    assert!(certificate.proved().unwrap() >= truth, "{case}");
                    let attack = account.attack_certificate().unwrap();
                    assert_eq!(attack.proved().unwrap(), truth, "{case}");
                }
            }
        }
    }
    assert!(mixed > 50, "groups of which members have different phases: {mixed}");
}

/// Two users in 33 phases have 1089 assignments, more than are enumerated.
#[test]
fn too_many_assignments_are_bounded_by_all_rounds() {
    let protocol = protocol("path:3", "gd:33x1:every=33", 1);
    let (observer, group) = (Observer::full(2), [0, 1]);
    let view = Process::run(&protocol).unwrap().view(&observer).unwrap();
    let refused = view.loss(&group);
    assert!(matches!(refused, Err(ReferenceError::TooManyParticipations { members: 2, .. })));
    let mut truth = BigRational::from_integer(0.into());
    for first in 0..33 {
        for second in 0..33 {
            let entry = |one, other| view.projection(one, other).unwrap();
            let (one, other) = ((first, 0), (second, 1));
            let crossed = entry(one, other);
            let zero = BigRational::from_integer(0.into());
            let twice = if crossed < zero { -&crossed - &crossed } else { &crossed + &crossed };
            truth = truth.max(entry(one, one) + entry(other, other) + twice);
        }
    }
    assert!(view.loss_upper(&group).unwrap() >= truth);
    let gram = GramView::of(&protocol, &observer).unwrap();
    let found = gram.group_loss(&group).unwrap().scalars.certified;
    assert!(exactly(found.lower()) <= truth && exactly(found.upper()) >= truth);
    let account = Account::of(&protocol);
    let account = account.observers(Observers::Listed(vec![2])).group(group).build().unwrap();
    assert!(account.certificate().unwrap().proved().unwrap() >= truth);
}

/// Each user has a hidden mask in one round only: in different phases the two lose more.
#[test]
fn masks_on_changing_graphs_depend_on_the_phase() {
    let network = |edges: [(usize, usize); 2]| {
        Network::metropolis(Graph::try_new(4, edges).unwrap()).unwrap()
    };
    // 0 has a hidden mask in round 1 only, 1 in round 0 only.
    let networks = vec![network([(0, 3), (1, 2)]), network([(1, 3), (0, 2)])];
    let protocol = Protocol::gradient_descent_on(networks, 1).unwrap();
    let protocol = protocol.masked("1".parse().unwrap()).unwrap().every(2).unwrap();
    let observer = Observer::full(3);
    let exact = masked_bound(&protocol, &[0, 1], &observer).unwrap();
    assert_eq!(exact.to_string(), "2"); // each in the round without a mask; in one phase it is 1 + 2/3
    let bounds = MaskedBounds::of(&protocol).unwrap();
    let found = bounds.bound(&[0, 1], &observer).unwrap();
    assert!(found.contains(2.0) && found.upper() < 2.0001, "{found:?}");
    // Whole steps cost in each round that uses data: one for a user, both for two users in
    // different phases.
    let more = |members| bounds.on_grid(0.0, members, 1e-3, 1).unwrap();
    assert!((more(2) / more(1) - 2.0).abs() < 1e-9);
    let account = Account::of(&protocol);
    let account = account.observers(Observers::Listed(vec![3])).group([0, 1]).build().unwrap();
    assert!(account.certificate().unwrap().proved().unwrap() >= exact);
}
