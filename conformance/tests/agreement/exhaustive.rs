//! All 143 connected graphs on up to six nodes, every observer and every source, T up to six. There
//! is one test per topic, so that they run in parallel. Weight schemes, views and parameters take
//! turns.

use muffliato_conformance::agreement::{Topic, assert_agreement};
use muffliato_conformance::{case::Case, small_graphs};
use muffliato_model::{Fraction, Network, Observer, Protocol, WeightScheme};

const SCHEMES: [&str; 4] = ["metropolis", "max-degree-inverse", "lazy", "lazy:max-degree-inverse"];
const MAX_STEPS: usize = 6;

fn fraction(text: &str) -> Fraction {
    text.parse().unwrap()
}

fn networks(scheme: impl Fn(usize) -> &'static str) -> Vec<Network> {
    let graphs = small_graphs::connected().enumerate();
    graphs
        .map(|(index, (_, graph))| {
            let scheme: WeightScheme = scheme(index).parse().unwrap();
            Network::try_new(graph, scheme).unwrap()
        })
        .collect()
}

/// Visits every observer of every protocol that `protocols` builds on a network; `turn` counts the
/// cases.
fn each_case(
    networks: &[Network],
    protocols: impl Fn(&Network, usize) -> Vec<Protocol>,
    topics: &[Topic],
) -> usize {
    let (mut turn, mut compared) = (0, 0);
    for network in networks {
        for protocol in protocols(network, turn) {
            for v in 0..protocol.nodes() {
                let observer = match turn % 3 {
                    0 => Observer::paper(v),
                    _ => Observer::full(v),
                };
                let case = Case::new(protocol.clone(), observer, turn as u64);
                compared += assert_agreement(&case, topics);
                turn += 1;
            }
        }
    }
    compared
}

fn steps_in_turn(network: &Network) -> impl Iterator<Item = Protocol> {
    (1..=MAX_STEPS).map(|steps| Protocol::one_shot(network.clone(), steps).unwrap())
}

#[test]
fn paper_bounds_on_every_small_graph() {
    let networks = networks(|index| SCHEMES[index % 4]);
    let protocols = |network: &Network, _| steps_in_turn(network).collect();
    let compared = each_case(&networks, protocols, &[Topic::PAPER_BOUNDS, Topic::FORMULAS]);
    assert!(compared > 60_000, "{compared}");
}

#[test]
fn bounds_of_all_pairs_on_every_small_graph() {
    let mut compared = 0;
    for network in networks(|index| SCHEMES[(index + 1) % 4]) {
        for protocol in steps_in_turn(&network) {
            let case = Case::new(protocol, Observer::full(0), 0);
            compared += assert_agreement(&case, &[Topic::ALL_PAIRS]);
        }
    }
    assert!(compared > 50_000, "{compared}");
}

#[test]
fn leakage_on_every_small_graph() {
    let networks = networks(|index| SCHEMES[(index / 4) % 4]);
    let protocols = |network: &Network, turn: usize| {
        let g = ["1", "5/4", "2"][turn % 3];
        steps_in_turn(network)
            .map(|protocol| match protocol.steps() % 3 {
                2 => protocol.accelerated(fraction(g)).unwrap(),
                _ => protocol,
            })
            .collect()
    };
    let compared = each_case(&networks, protocols, &[Topic::LEAKAGE]);
    assert!(compared > 40_000, "{compared}");
}

fn refreshed(topics: &[Topic]) -> usize {
    let networks = networks(|index| SCHEMES[(index / 2) % 4]);
    let protocols = |network: &Network, turn: usize| {
        let tau = ["1/1000", "1/20", "1/3", "2"][turn % 4];
        let refreshed = |protocol: Protocol| protocol.refreshed(fraction(tau)).unwrap();
        steps_in_turn(network).map(refreshed).collect()
    };
    each_case(&networks, protocols, topics)
}

#[test]
fn refreshed_bounds_on_every_small_graph() {
    let compared = refreshed(&[Topic::REFRESHED_BOUNDS, Topic::FORMULAS]);
    assert!(compared > 30_000, "{compared}");
}

#[test]
fn refreshed_losses_on_every_small_graph() {
    let compared = refreshed(&[Topic::LOSSES]);
    assert!(compared > 40_000, "{compared}");
}

#[test]
fn gradient_descent_on_every_small_graph() {
    let networks = networks(|index| SCHEMES[(index / 3) % 4]);
    let protocols = |network: &Network, turn: usize| {
        let shapes = [(2, 1), (3, 1), (2, 2), (6, 1), (3, 2), (2, 3)];
        let descent =
            |(rounds, steps)| Protocol::gradient_descent(network.clone(), rounds, steps).unwrap();
        let two = [shapes[turn % 6], shapes[(turn + 1) % 6]];
        two.map(descent).to_vec()
    };
    let topics = [Topic::GRADIENT_DESCENT, Topic::LEAKAGE, Topic::LOSSES];
    let compared = each_case(&networks, protocols, &topics);
    assert!(compared > 50_000, "{compared}");
}

#[test]
fn gaps_of_every_small_graph() {
    let mut compared = 0;
    // Lazy weights have the same eigenvectors; the random cases cover them.
    for scheme in ["metropolis", "max-degree-inverse"] {
        for network in networks(|_| scheme) {
            let protocol = Protocol::one_shot(network, 1).unwrap();
            let case = Case::new(protocol, Observer::full(0), 3);
            compared += assert_agreement(&case, &[Topic::SPECTRUM]);
        }
    }
    assert!(compared > 1_500, "{compared}");
}

#[test]
fn runs_on_every_small_graph() {
    let networks = networks(|index| SCHEMES[index % 4]);
    let protocols = |network: &Network, turn: usize| {
        let averaging = Protocol::one_shot(network.clone(), MAX_STEPS).unwrap();
        let descent = Protocol::gradient_descent(network.clone(), 2, 3).unwrap();
        let protocol = match turn % 4 {
            0 => averaging,
            1 => averaging.refreshed(fraction("1/8")).unwrap(),
            2 => averaging.accelerated(fraction("3/2")).unwrap(),
            _ => descent.accelerated(fraction("5/4")).unwrap(),
        };
        vec![protocol]
    };
    let compared = each_case(&networks, protocols, &[Topic::SIMULATION]);
    assert!(compared > 10_000, "{compared}");
}
