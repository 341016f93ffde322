//! Sums over all sources, and Corollary 1 against Theorem 1: exactly, on all connected graphs on up to six nodes.

use muffliato_conformance::small_graphs;
use muffliato_model::{Graph, Network, Observer, Protocol, WeightScheme};
use muffliato_reference::bounds::random_walk_bound;
use muffliato_reference::{BigRational, PaperBounds, Process};

/// A graph with the weight schemes in turn.
fn network(index: usize, graph: &Graph) -> Network {
    let scheme = ["metropolis", "lazy", "max-degree-inverse"][index % 3];
    Network::try_new(graph.clone(), scheme.parse::<WeightScheme>().unwrap()).unwrap()
}

/// T = 1..=6 steps on every graph. Then products of different matrices, where it is the rows that count: every three graphs on five
/// nodes in a row of the list, one after the other, and the edges of the first of them, twice.
fn protocols() -> impl Iterator<Item = Protocol> {
    let graphs: Vec<Graph> = small_graphs::connected().map(|(_, graph)| graph).collect();
    let five = graphs.iter().filter(|graph| graph.nodes() == 5);
    let five: Vec<Graph> = five.cloned().collect();
    let fixed = graphs.into_iter().enumerate().flat_map(|(index, graph)| {
        (1..=6).map(move |steps| Protocol::one_shot(network(index, &graph), steps).unwrap())
    });
    let changing = (0..five.len() - 2).flat_map(move |index| {
        let three = &five[index..index + 3];
        let networks = three.iter().map(|graph| network(index, graph)).collect();
        let edges = three[0].edges().chain(three[0].edges()).collect();
        [
            Protocol::time_varying(networks).unwrap(),
            Protocol::randomized(three[0].clone(), edges).unwrap(),
        ]
    });
    fixed.chain(changing)
}

fn whole(count: usize) -> BigRational {
    BigRational::from_integer(count.into())
}

/// The bounds of Theorem 1 sum to the number of messages, and the losses to the rank of the view less what the observers know of
/// themselves, which is at most that number. Corollary 1 is never below Theorem 1.
#[test]
fn losses_and_bounds_sum_to_at_most_the_number_of_messages() {
    let (mut checked, mut walks, mut below) = (0, 0, 0);
    for protocol in protocols() {
        let (bounds, process) = (PaperBounds::of(&protocol).unwrap(), Process::run(&protocol));
        let (nodes, process) = (protocol.nodes(), process.unwrap());
        let next_to = |v| Observer::coalition([v, (v + 1) % nodes]).unwrap();
        for observer in (0..nodes).flat_map(|v| [Observer::full(v), next_to(v)]) {
            let case = || format!("{protocol:?} {observer}");
            let all = bounds.pairwise_all(&observer).unwrap();
            let messages = whole(protocol.messages_to(&observer).unwrap());
            assert_eq!(all.iter().sum::<BigRational>(), messages, "{}", case());
            let mean = bounds.mean_loss(&observer).unwrap();
            assert!(mean <= &messages / whole(nodes), "{}", case());
            for u in (0..nodes).filter(|&u| !observer.contains(u)) {
                if let Ok(walk) = random_walk_bound(&protocol, u, &observer) {
                    assert!(walk >= all[u], "{} {u}: {walk} < {}", case(), all[u]);
                    walks += 1;
                }
            }
            let view = process.view(&observer).unwrap();
            let sum: BigRational = view.leakages().unwrap().into_iter().flatten().sum();
            let known = observer.members().len();
            assert_eq!(sum, whole(view.rank() - known), "{}", case());
            assert!(sum <= messages, "{}", case());
            below += usize::from(sum < messages);
        }
        checked += 1;
    }
    assert_eq!(checked, 143 * 6 + 19 * 2);
    assert!(walks > 40_000, "{walks} pairs with a random-walk bound");
    assert!(below > 1000, "{below} views have idle messages");
}
