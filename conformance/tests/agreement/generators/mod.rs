//! Random cases of every shape, for property tests.
//!
//! | what | settings | hostile on purpose |
//! | --- | --- | --- |
//! | [`graphs`](shapes::graphs) | a number of nodes; eight shapes | stars, isolated nodes, pendant nodes, no edge at all |
//! | [`networks`] | a graph of any shape; four schemes and custom weights | weights 0, a long prime denominator, no diagonal |
//! | [`observers`] | node 0 (a star's centre, the isolated node) half of the time | all nodes but one, all nodes |
//! | [`averaging`] | up to [`MAX_NODES`] nodes; T up to twice that, beyond diameter and n | g = 1 and g = 2 |
//! | [`refreshed`] | the same with at most [`MAX_MESSAGES`] messages | tau = 1e-6 and tau = 1000 |
//! | [`descending`] | up to 3 rounds of up to 3 steps, reacting or not, data used in every round or in some | reactions of 0 and -1 |

mod shapes;

use muffliato_conformance::case::Case;
use muffliato_model::{
    CustomWeights, Fraction, Graph, Network, NoisePlan, Observer, Protocol, WeightScheme,
};
use proptest::prelude::*;
use proptest::test_runner::FileFailurePersistence;
pub use shapes::graphs;

/// Largest number of nodes of a case.
pub const MAX_NODES: usize = 8;

/// Largest number of messages of a case in which every message is a new direction; the exact engine
/// needs cubic time.
pub const MAX_MESSAGES: usize = 20;

/// Default number of cases of the cheapest tests.
pub const CASES: u32 = 800;

/// Returns settings with `default` cases, at most [`CASES`]. If `PROPTEST_CASES` is set, the
/// fraction `default / CASES` of it is used, so that expensive tests take their share. Failing
/// seeds are kept in the named file.
pub fn settings(default: u32, regressions: &'static str) -> ProptestConfig {
    let mut config = ProptestConfig::default();
    let asked = match std::env::var_os("PROPTEST_CASES") {
        Some(_) => config.cases,
        None => CASES,
    };
    config.cases = (u64::from(asked) * u64::from(default)).div_ceil(u64::from(CASES)) as u32;
    config.failure_persistence = Some(Box::new(FileFailurePersistence::Direct(regressions)));
    config
}

/// Builds weights for the edges of a graph from non-negative numerators small enough that every row
/// sums to at most 1.
fn custom(graph: &Graph, denominator: i128, numerators: &[i128]) -> WeightScheme {
    let nodes = graph.nodes();
    let mut own = vec![denominator; nodes];
    let mut entries = Vec::new();
    for ((u, v), numerator) in graph.edges().zip(numerators) {
        let weight = numerator * (denominator / (12 * nodes as i128));
        entries.extend([(u, v, weight), (v, u, weight)]);
        own[u] -= weight;
        own[v] -= weight;
    }
    entries.extend(own.iter().enumerate().map(|(v, &own)| (v, v, own)));
    WeightScheme::Custom(
        CustomWeights::try_new(graph, denominator, entries).expect("rows sum to 1"),
    )
}

/// Generates a graph of any shape with weights of any scheme.
pub fn networks(nodes: usize) -> impl Strategy<Value = Network> {
    let numerators = proptest::collection::vec(0_i128..=12, nodes * nodes);
    (graphs(nodes), 0..7, numerators).prop_map(move |(graph, scheme, numerators)| {
        let scheme = match scheme {
            0 | 1 => WeightScheme::Metropolis,
            2 => WeightScheme::MaxDegreeInverse,
            3 => "lazy".parse().expect("a scheme"),
            4 => "lazy:max-degree-inverse".parse().expect("a scheme"),
            5 => custom(&graph, 12 * nodes as i128, &numerators),
            _ => custom(&graph, 1_000_000_007, &numerators),
        };
        Network::try_new(graph, scheme).expect("weights of this graph")
    })
}

/// Generates full and paper views, coalitions, all nodes but one, and all nodes.
pub fn observers(nodes: usize) -> impl Strategy<Value = Observer> {
    let node = || prop_oneof![Just(0), 0..nodes];
    let coalition = |members: Vec<usize>| Observer::coalition(members).expect("it has members");
    prop_oneof![
        8 => node().prop_map(Observer::full),
        3 => node().prop_map(Observer::paper),
        4 => proptest::collection::vec(0..nodes, 1..=nodes.div_ceil(2)).prop_map(coalition),
        2 => (0..nodes).prop_map(move |left| coalition((0..nodes).filter(|&v| v != left || nodes == 1).collect())),
        1 => Just(coalition((0..nodes).collect())),
    ]
}

fn fractions(texts: &[&'static str]) -> impl Strategy<Value = Fraction> + use<> {
    prop::sample::select(texts.to_vec()).prop_map(|text| text.parse().expect("a fraction"))
}

/// Generates no acceleration, or g with its extremes.
fn accelerations() -> impl Strategy<Value = Option<Fraction>> {
    prop::option::of(fractions(&["1", "5/4", "3/2", "2"]))
}

/// Generates averaging on a fixed network, on changing networks, or along random edges.
fn plain(nodes: usize) -> impl Strategy<Value = Protocol> {
    let steps = 1..=2 * nodes + 1;
    let fixed =
        (networks(nodes), steps.clone(), accelerations()).prop_map(|(network, steps, g)| {
            accelerated(Protocol::one_shot(network, steps).expect("steps"), g)
        });
    let varying = (proptest::collection::vec(networks(nodes), 1..=6), accelerations()).prop_map(
        |(networks, g)| accelerated(Protocol::time_varying(networks).expect("networks"), g),
    );
    let picks = proptest::collection::vec(any::<prop::sample::Index>(), 1..=4 * nodes);
    let randomized = (graphs(nodes), picks).prop_filter_map("no edge", |(graph, picks)| {
        let edges: Vec<_> = graph.edges().collect();
        (!edges.is_empty()).then(|| {
            let sequence = picks.iter().map(|pick| *pick.get(&edges)).collect();
            Protocol::randomized(graph, sequence).expect("edges of the graph")
        })
    });
    if nodes == 1 {
        fixed.boxed()
    } else {
        prop_oneof![3 => fixed, 2 => varying, 2 => randomized].boxed()
    }
}

fn accelerated(protocol: Protocol, g: Option<Fraction>) -> Protocol {
    match g {
        Some(g) => protocol.accelerated(g).expect("between 1 and 2"),
        None => protocol,
    }
}

fn seen<P: Strategy<Value = Protocol>>(
    most: usize,
    protocols: impl Fn(usize) -> P,
) -> impl Strategy<Value = Case> {
    (1..=most).prop_flat_map(move |nodes| {
        let group = proptest::collection::vec(0..nodes, 1..=3);
        (protocols(nodes), observers(nodes), group, any::<u64>()).prop_map(
            |(protocol, observer, group, seed)| {
                let mut case = Case::new(protocol, observer, seed);
                let outside: Vec<_> =
                    group.into_iter().filter(|&u| !case.observer.contains(u)).collect();
                if !outside.is_empty() {
                    case.group = outside;
                }
                case
            },
        )
    })
}

/// Generates averaging with noise that is drawn once.
pub fn averaging() -> impl Strategy<Value = Case> {
    seen(MAX_NODES, plain)
}

/// Generates averaging with fresh noise at each step, and few messages.
pub fn refreshed() -> impl Strategy<Value = Case> {
    let taus = || fractions(&["1/1000000", "1/100", "1/10", "1/3", "1", "5/2", "1000"]);
    seen(6, move |nodes| {
        (plain(nodes), taus()).prop_map(|(protocol, tau)| protocol.refreshed(tau).expect("tau > 0"))
    })
    .prop_filter("too many messages", few_messages)
}

/// Generates gradient descent: fixed or changing, refreshed or not, accelerated or not, reacting or
/// not.
pub fn descending() -> impl Strategy<Value = Case> {
    seen(6, |nodes| {
        let fixed =
            (networks(nodes), 1..=3_usize, 1..=3_usize).prop_map(|(network, rounds, steps)| {
                Protocol::gradient_descent(network, rounds, steps)
            });
        let changing = (proptest::collection::vec(networks(nodes), 1..=3), 1..=3_usize)
            .prop_map(|(networks, steps)| Protocol::gradient_descent_on(networks, steps));
        let protocol =
            prop_oneof![fixed, changing].prop_map(|made| made.expect("rounds and steps"));
        let factors = fractions(&["0", "-1", "1/2", "7/8", "1"]);
        (
            protocol,
            accelerations(),
            prop::option::weighted(0.4, fractions(&["1/100", "1/2", "3"])),
            prop::option::weighted(0.4, proptest::collection::vec(factors, nodes)),
            prop_oneof![3 => Just(1), 1 => 2..=3_usize],
        )
            .prop_map(|(protocol, g, tau, factors, every)| {
                let mut protocol = accelerated(protocol, g).every(every).expect("above 0");
                if let Some(tau) = tau {
                    protocol = protocol.refreshed(tau).expect("tau > 0");
                }
                if let Some(factors) = factors {
                    protocol = protocol.reacting(factors).expect("one a node");
                }
                protocol
            })
    })
    .prop_filter("too many messages", few_messages)
}

/// Generates any of these protocols, with masks on the graph itself.
pub fn masked() -> impl Strategy<Value = Case> {
    let kappas = fractions(&["1/10", "1", "3", "1000"]);
    (prop_oneof![averaging(), refreshed(), descending()], kappas)
        .prop_map(|(case, kappa)| {
            let protocol = case.protocol.clone().masked(kappa).expect("kappa > 0");
            Case { protocol, ..case }
        })
        .prop_filter("too many messages", few_messages)
}

/// Generates the variances of a plan for a protocol, with these variances for its nodes: masks on
/// any graph, some of variance 0, and fresh noise of any size if there is fresh noise.
fn plans(
    refreshed: bool,
    nodes: usize,
    own: &'static [&'static str],
) -> impl Strategy<Value = NoisePlan> {
    let pairs: Vec<(usize, usize)> =
        (0..nodes).flat_map(|a| (a + 1..nodes).map(move |b| (a, b))).collect();
    let mask = || prop::option::weighted(0.4, fractions(&["0", "1/3", "2", "400"]));
    let fresh = proptest::collection::vec(fractions(&["0", "1/100", "1/5", "3"]), nodes);
    (
        proptest::collection::vec(fractions(own), nodes),
        proptest::collection::vec(mask(), pairs.len()),
        fresh,
    )
        .prop_map(move |(own, masks, fresh)| {
            let masks = pairs.iter().zip(masks).filter_map(|(&edge, x)| Some((edge, x?)));
            NoisePlan {
                nodes: own,
                masks: masks.collect(),
                fresh: if refreshed { fresh } else { Vec::new() },
            }
        })
}

/// Generates any of these protocols, with a noise plan whose nodes have these variances.
pub fn planned(own: &'static [&'static str]) -> impl Strategy<Value = Case> {
    prop_oneof![averaging(), refreshed(), descending()]
        .prop_flat_map(move |case| {
            let plan = plans(case.protocol.is_refreshed(), case.protocol.nodes(), own);
            (Just(case), plan)
        })
        .prop_map(|(case, plan)| {
            let protocol = case.protocol.clone().with_plan(plan).expect("a plan for its nodes");
            Case { protocol, ..case }
        })
        .prop_filter("too many messages", few_messages)
}

fn few_messages(case: &Case) -> bool {
    let messages = case.protocol.messages_to(&case.observer);
    messages.is_ok_and(|messages| messages <= MAX_MESSAGES)
}
