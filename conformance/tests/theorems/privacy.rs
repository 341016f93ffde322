//! Mean losses, and Corollary 1 against Theorem 1: exactly, on all connected graphs on up to six nodes.

use muffliato_conformance::small_graphs;
use muffliato_model::{Graph, Network, Observer, Protocol, WeightScheme};
use muffliato_reference::bounds::random_walk_bound;
use muffliato_reference::{BigRational, PaperBounds, Process};

const SCHEMES: [&str; 3] = ["metropolis", "lazy", "max-degree-inverse"];

/// One-shot protocols of T = 1..=6 steps on every graph, the weight schemes in turn.
fn protocols() -> impl Iterator<Item = Protocol> {
    small_graphs::connected()
        .enumerate()
        .flat_map(|(index, (_, graph))| {
            let scheme: WeightScheme = SCHEMES[index % 3].parse().unwrap();
            let network = Network::try_new(graph, scheme).unwrap();
            (1..=6).map(move |steps| Protocol::one_shot(network.clone(), steps).unwrap())
        })
}

fn whole(count: usize) -> BigRational {
    BigRational::from_integer(count.into())
}

fn assert_mean_loss_identity(protocol: &Protocol) {
    let bounds = PaperBounds::of(protocol).unwrap();
    let nodes = protocol.nodes();
    for v in 0..nodes {
        for observer in [
            Observer::full(v),
            Observer::coalition([v, (v + 1) % nodes]).unwrap(),
        ] {
            let all = bounds.pairwise_all(&observer).unwrap();
            let messages = protocol.messages_to(&observer).unwrap();
            assert_eq!(
                all.iter().sum::<BigRational>(),
                whole(messages),
                "{protocol:?} {observer}"
            );
            let mean = bounds.mean_loss(&observer).unwrap();
            assert!(
                mean <= whole(messages) / whole(nodes),
                "{protocol:?} {observer}"
            );
        }
    }
}

#[test]
fn the_bounds_of_theorem_1_sum_to_the_number_of_messages() {
    let mut checked = 0;
    for protocol in protocols() {
        assert_mean_loss_identity(&protocol);
        checked += 1;
    }
    assert_eq!(checked, 143 * 6);
}

/// Products of different matrices, where it is the rows that count: every three graphs in a row of the list.
#[test]
fn the_bounds_sum_to_the_number_of_messages_on_time_varying_graphs() {
    let graphs: Vec<Graph> = small_graphs::connected()
        .map(|(_, graph)| graph)
        .filter(|graph| graph.nodes() == 5)
        .collect();
    for (index, three) in graphs.windows(3).enumerate() {
        let network = |graph: &Graph| {
            let scheme: WeightScheme = SCHEMES[index % 3].parse().unwrap();
            Network::try_new(graph.clone(), scheme).unwrap()
        };
        let varying = Protocol::time_varying(three.iter().map(network).collect()).unwrap();
        assert_mean_loss_identity(&varying);
        let edges: Vec<_> = three[0].edges().chain(three[0].edges()).collect();
        assert_mean_loss_identity(&Protocol::randomized(three[0].clone(), edges).unwrap());
    }
    assert_eq!(graphs.len(), 21);
}

#[test]
fn corollary_1_is_never_below_theorem_1() {
    let mut pairs = 0;
    for protocol in protocols().filter(|protocol| protocol.nodes() > 1) {
        let bounds = PaperBounds::of(&protocol).unwrap();
        for v in 0..protocol.nodes() {
            let observer = Observer::full(v);
            let all = bounds.pairwise_all(&observer).unwrap();
            for u in (0..protocol.nodes()).filter(|&u| u != v) {
                let walk = random_walk_bound(&protocol, u, &observer).unwrap();
                assert!(
                    walk >= all[u],
                    "{protocol:?} {u} -> {v}: {walk} < {}",
                    all[u]
                );
                pairs += 1;
            }
        }
    }
    assert!(pairs > 20_000, "{pairs}");
}

/// The sum over the sources is the rank of the view less what the observer knows of itself.
#[test]
fn the_average_leakage_is_at_most_the_number_of_messages_over_n() {
    let mut below = 0;
    for protocol in protocols() {
        let process = Process::run(&protocol).unwrap();
        for v in 0..protocol.nodes() {
            let view = process.view(&Observer::full(v)).unwrap();
            let sum: BigRational = view.leakages().unwrap().into_iter().flatten().sum();
            assert_eq!(sum, whole(view.rank() - 1), "{protocol:?} {v}");
            assert!(sum <= whole(view.messages()), "{protocol:?} {v}");
            below += usize::from(sum < whole(view.messages()));
        }
    }
    assert!(
        below > 1000,
        "{below} views have messages that bring nothing new"
    );
}

/// Masks cancel in the sum, which is heard on complete graphs at once and on others after enough steps: of everybody together they hide nothing, in both engines.
#[test]
fn masks_hide_nothing_of_everybody_together() {
    let limits = muffliato_fast::MultiprecisionLimits::default();
    for (index, (_, graph)) in small_graphs::connected()
        .enumerate()
        .filter(|(k, _)| k % 7 == 0)
    {
        let network = Network::try_new(graph, WeightScheme::Metropolis).unwrap();
        let nodes = network.graph().nodes();
        if nodes < 3 {
            continue;
        }
        let kappa = ["1/2", "1", "5"][index % 3].parse().unwrap();
        let protocol = Protocol::one_shot(network, nodes + 2)
            .unwrap()
            .masked(kappa)
            .unwrap();
        let (observer, others) = (Observer::full(0), (1..nodes).collect::<Vec<_>>());
        let view = Process::run(&protocol).unwrap().view(&observer).unwrap();
        let exact = view.loss(&others).unwrap().scalar;
        assert_eq!(exact, whole(nodes - 1), "{protocol:?}");
        let fast = muffliato_fast::CertifiedView::of(&protocol, &observer, &limits).unwrap();
        let found = fast.group_loss(&others).unwrap().loss.certified;
        let truth = (nodes - 1) as f64;
        assert!(
            found.lower() <= truth + 1e-9 && truth <= found.upper() + 1e-9,
            "{found:?}"
        );
        // And single nodes lose less than without masks, where they have somebody to hide behind.
        let alone = view.leakage(nodes - 1).unwrap();
        assert!(alone <= whole(1));
    }
}
