//! Bounds for every schedule against exact losses of all short schedules and of many drawn ones.

use super::on;
use muffliato_account::{
    Account, Choice, Observers, Protect, ScheduleBound, Schedules, Target, planned,
};
use muffliato_model::{
    Graph, GraphSpec, Network, Observer, Protocol, ProtocolSpec, ScheduleSpec, WeightScheme,
    families,
};

fn network(graph: &str, weights: &str) -> Network {
    let graph = graph.parse::<GraphSpec>().unwrap().build().unwrap();
    Network::try_new(graph, weights.parse::<WeightScheme>().unwrap()).unwrap()
}

fn schedules(plan: &str, network: &Network, steps: usize) -> Schedules {
    let plan: ProtocolSpec = plan.parse().unwrap();
    Schedules::planned(&plan, network, steps).unwrap().unwrap()
}

/// Checks that no pair of the schedule exceeds the bound, and returns the largest ratio.
fn nearest(schedule: &Protocol, every: &Account<'_>) -> f64 {
    let exact = Account::of(schedule).engine(Choice::Exact).build().unwrap();
    let nodes = schedule.nodes();
    let mut nearest = 0.0_f64;
    for v in 0..nodes {
        for u in (0..nodes).filter(|&u| u != v) {
            let loss = exact.loss(u, v).unwrap().upper();
            let bound = every.loss(u, v).unwrap().upper();
            assert!(loss <= bound, "{u} loses {loss} > {bound} to {v}: {schedule:?}");
            if bound < 1.0 && bound > 0.0 {
                nearest = nearest.max(loss / bound);
            }
        }
    }
    nearest
}

/// Returns all sequences of this length.
fn sequences<T: Clone>(of: &[T], length: usize) -> Vec<Vec<T>> {
    let mut all = vec![Vec::new()];
    for _ in 0..length {
        let longer = |short: &Vec<T>| {
            let short = short.clone();
            of.iter().map(move |next| [&short[..], std::slice::from_ref(next)].concat())
        };
        all = all.iter().flat_map(longer).collect();
    }
    all
}

#[test]
fn no_sequence_of_edges_exceeds_the_bound() {
    let paw = Graph::try_new(4, [(0, 1), (1, 2), (0, 2), (2, 3)]).unwrap();
    let paw = Network::metropolis(paw).unwrap();
    let mut nearest_of_all = 0.0_f64;
    for (network, longest) in [
        (network("path:3", "metropolis"), 8),
        (network("path:4", "metropolis"), 6),
        (network("star:4", "metropolis"), 5),
        (network("ring:4", "metropolis"), 5),
        (network("complete:4", "metropolis"), 4),
        (paw, 5),
    ] {
        let edges: Vec<_> = network.graph().edges().collect();
        for steps in 2..=longest {
            let all = schedules("refreshed:1+randomized:1", &network, steps);
            let every = Account::of_every(&all).build().unwrap();
            for edges in sequences(&edges, steps) {
                let schedule = Protocol::randomized(network.graph().clone(), edges).unwrap();
                let schedule = schedule.refreshed("1".parse().unwrap()).unwrap();
                nearest_of_all = nearest_of_all.max(nearest(&schedule, &every));
            }
        }
    }
    // The bound is near what some schedule loses.
    assert!(nearest_of_all > 0.6, "{nearest_of_all}");
}

#[test]
fn no_sequence_of_absences_exceeds_the_bound() {
    for (graph, weights) in [
        ("path:3", "metropolis"),
        ("path:4", "metropolis"),
        ("star:4", "metropolis"),
        ("ring:4", "metropolis"),
        ("path:3", "max-degree-inverse"),
        ("path:4", "lazy"),
    ] {
        let whole = network(graph, weights);
        let nodes = whole.graph().nodes();
        let left: Vec<Network> = (0..1_usize << nodes)
            .map(|away| {
                let away: Vec<bool> = (0..nodes).map(|v| away >> v & 1 == 1).collect();
                let left = whole.graph().isolating(&away).unwrap();
                Network::try_new(left, whole.weights().clone()).unwrap()
            })
            .collect();
        // Different absences, same edges.
        let mut different: Vec<Network> = Vec::new();
        for network in left {
            if !different.contains(&network) {
                different.push(network);
            }
        }
        for steps in 2..=if nodes == 3 { 5 } else { 3 } {
            let all = schedules("refreshed:3/2+dropout:0.5:1", &whole, steps);
            let every = Account::of_every(&all).build().unwrap();
            for networks in sequences(&different, steps) {
                let schedule = Protocol::time_varying(networks).unwrap();
                let schedule = schedule.refreshed("3/2".parse().unwrap()).unwrap();
                nearest(&schedule, &every);
            }
        }
    }
}

#[test]
fn drawn_schedules_do_not_exceed_the_bound() {
    for (graph, plan, weights) in [
        ("path:5", "refreshed:1", "metropolis"),
        ("ring:6", "refreshed:4/5", "metropolis"),
        ("florentine", "refreshed:1", "metropolis"),
        ("path:5", "refreshed:3/2", "max-degree-inverse"),
        ("ring:5", "refreshed:1", "lazy:max-degree-inverse"),
        ("ring:5", "masked:2", "metropolis"),
        ("ring:5", "refreshed:1+masked:2", "metropolis"),
    ] {
        let network = network(graph, weights);
        for kind in ["randomized", "dropout:0.3"] {
            let steps = if kind == "randomized" { 12 } else { 4 };
            for seed in 0..6 {
                let plan: ProtocolSpec = format!("{plan}+{kind}:{seed}").parse().unwrap();
                let all = Schedules::planned(&plan, &network, steps).unwrap().unwrap();
                let every = Account::of_every(&all).build().unwrap();
                assert_eq!(*all.drawn(), planned(&plan, &network, steps).unwrap());
                nearest(all.drawn(), &every);
                // A group of two, for vectors.
                let exact = Account::of(all.drawn()).engine(Choice::Exact).build().unwrap();
                let pair = [2, 3];
                let loss = exact.loss_towards(&pair, &Observer::full(0)).unwrap().upper();
                let bound = every.loss_towards(&pair, &Observer::full(0)).unwrap().upper();
                assert!(loss <= bound && bound <= 2.0, "{plan}: {loss} > {bound}");
            }
        }
    }
}

/// A drawn schedule may have fewer steps and edges than the plan allows.
#[test]
fn bounds_count_all_ticks_and_all_edges() {
    let path = network("path:4", "metropolis");
    let idle = |seed: usize| {
        let plan = format!("refreshed:1+randomized:{seed}").parse().unwrap();
        let all = Schedules::planned(&plan, &path, 3).ok().flatten()?;
        (all.drawn().steps() < 3).then_some(all)
    };
    let all = (0..20).find_map(idle).unwrap();
    let every = Account::of_every(&all).build().unwrap();
    // (2, 3), (1, 2), (0, 1): all of it arrives in time.
    assert!(every.loss(3, 0).unwrap().upper() > 0.0);
    let all = schedules("refreshed:1+dropout:1:1", &path, 2);
    let every = Account::of_every(&all).observers(Observers::All).build().unwrap();
    assert!(every.loss(2, 0).unwrap().upper() > 0.0);
    assert_eq!(every.loss(3, 0).unwrap().upper(), 0.0);
    let distances = every.summary().unwrap();
    let distances: Vec<_> = distances.rows().map(|row| row.distance).collect();
    assert_eq!(distances, [Some(1), Some(2), Some(3)]);
}

/// A node that is alone at the first step shares no mask and later loses everything.
#[test]
fn masks_promise_nothing_with_drop_out() {
    let ring = network("ring:5", "metropolis");
    let nobody = Network::metropolis(Graph::try_new(5, []).unwrap()).unwrap();
    let schedule = Protocol::time_varying(vec![nobody, ring.clone()]).unwrap();
    let schedule = schedule.masked("3".parse().unwrap()).unwrap();
    assert_eq!(Account::of(&schedule).build().unwrap().loss(1, 0).unwrap().upper(), 1.0);
    let dropping = schedules("masked:3+dropout:0.5:1", &ring, 2);
    let every = Account::of_every(&dropping).build().unwrap();
    assert_eq!(every.loss(1, 0).unwrap().upper(), 1.0);
    // Along random edges masks lie on the whole graph before any of them is drawn.
    let randomized = schedules("masked:3+randomized:1", &ring, 20);
    let masked = Account::of_every(&randomized).build().unwrap().loss(1, 0).unwrap();
    let fixed = on(&ring, "masked:3", 20);
    let bound = Account::of(&fixed).closed_forms().build().unwrap();
    assert_eq!(masked.upper(), bound.loss(1, 0).unwrap().upper());
    assert!(masked.upper() < 0.5);
}

#[test]
fn a_calibration_names_its_schedule_bound() {
    let path = network("path:6", "metropolis");
    let target = |protect| Target { protect, ..Target::new(1.0, 1e-6) };
    let found = |plan: &str, protect| {
        let all = schedules(plan, &path, 30);
        let found = Account::of_every(&all).build().unwrap();
        let found = found.calibrate(&target(protect), 1.0).unwrap();
        (found.every.unwrap(), found.sigma().unwrap())
    };
    let far = Protect::Distance(3);
    let (by, local) = found("randomized:1", far);
    assert_eq!(by, ScheduleBound::Local);
    let (by, sigma) = found("refreshed:1+randomized:1", far);
    assert_eq!(by, ScheduleBound::FirstPassage);
    assert!(sigma < 0.5 * local, "{sigma} {local}");
    // A small tau helps nobody in the worst schedule.
    assert_eq!(found("refreshed:0.1+randomized:1", far), (ScheduleBound::Local, local));
    assert_eq!(found("refreshed:1+randomized:1", Protect::All).0, ScheduleBound::Local);
    assert_eq!(found("masked:3+dropout:0.1:1", far), (ScheduleBound::Local, local));
    assert_eq!(found("masked:3+randomized:1", far).0, ScheduleBound::Masks);
    assert_eq!(found("refreshed:1+masked:3+randomized:1", far).0, ScheduleBound::Smaller);
    let fixed = on(&path, "one-shot", 5);
    let fixed = Account::of(&fixed).build().unwrap();
    let fixed = fixed.calibrate(&target(Protect::All), 1.0).unwrap();
    assert_eq!(fixed.every, None);
    assert!(Schedules::planned(&ProtocolSpec::default(), &path, 5).unwrap().is_none());
}

/// Certificates and shards of one schedule do not apply to every schedule.
#[test]
fn statements_about_one_schedule_do_not_extend_to_all() {
    let network = network("complete:8", "metropolis");
    let all = schedules("randomized:1", &network, 3);
    let every = Account::of_every(&all).build().unwrap();
    let mean = every.calibrate(&Target { protect: Protect::Mean, ..Target::new(1.0, 1e-6) }, 1.0);
    let mean = mean.unwrap();
    assert_eq!(mean.every, Some(ScheduleBound::Messages));
    let upper = mean.largest.upper();
    assert!((upper - 3.0 / 8.0).abs() < 1e-12, "{upper}");
    let one = Account::of_every(&all).sources([1]).observers(Observers::Listed(vec![0]));
    let one = one.build().unwrap();
    assert!(one.certificate().is_err() && one.attack_certificate().is_err());
    // Nor do parts of the two merge.
    let of_all = Account::of_every(&all).shard(0, 2).build().unwrap();
    let plan = ProtocolSpec { schedule: ScheduleSpec::Fixed, ..ProtocolSpec::default() };
    let fixed = plan.on_fixed(network, 3).unwrap();
    let of_one = Account::of(&fixed).shard(1, 2).build().unwrap();
    let mut summary = of_all.summary().unwrap();
    assert!(summary.merge(of_one.summary().unwrap()).is_err());
}

/// The distance of a coalition is that of its nearest member.
#[test]
fn coalitions_are_bounded_for_every_schedule() {
    let network = Network::metropolis(families::path(40).unwrap()).unwrap();
    let all = schedules("refreshed:2+randomized:1", &network, 400);
    let every = Account::of_every(&all).build().unwrap();
    let two = every.coalitions(2, Protect::Distance(2)).unwrap();
    assert!((two.bound.upper() - 1.0 / 12.0).abs() < 1e-9, "{two:?}");
    assert!(two.found.unwrap().bound.upper() <= two.bound.upper());
}

/// Rounds of gradient descent lose more than one input does, and other weights pass on more:
/// neither is answered by bounds that were proved for less.
#[test]
fn bounds_for_every_schedule_refuse_other_protocols() {
    let path = network("path:3", "metropolis");
    let rounds = ProtocolSpec { rounds: Some((2, 1)), ..ProtocolSpec::default() };
    let random = ProtocolSpec { schedule: ScheduleSpec::Randomized { seed: 1 }, ..rounds };
    assert!(Schedules::planned(&random, &path, 4).is_err());
    let all = schedules("refreshed:1+dropout:0.5:1", &path, 4);
    let every = Account::of_every(&all).build().unwrap();
    let descent = on(&path, "gd:2x1", 4);
    assert!(every.settings().protocol(&descent).build().unwrap().loss(1, 0).is_err());
    let other = network("path:3", "max-degree-inverse");
    let other = on(&other, "refreshed:1", 4);
    assert!(every.settings().protocol(&other).build().unwrap().loss(2, 0).is_err());
    let louder = on(&path, "refreshed:2", 4);
    let less = every.settings().protocol(&louder).build().unwrap().loss(2, 0).unwrap().upper();
    assert!(less > 0.0 && less < every.loss(2, 0).unwrap().upper());
}

#[test]
fn rounds_on_a_random_schedule_are_refused() {
    let network = network("path:3", "metropolis");
    for schedule in ["randomized:1", "dropout:0.1:1"] {
        let plan = ProtocolSpec { rounds: Some((2, 1)), ..schedule.parse().unwrap() };
        assert!(planned(&plan, &network, 2).is_err(), "{plan}");
    }
}
