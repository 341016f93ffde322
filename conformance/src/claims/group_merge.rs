//! Merging a group into one node gives no bound on the group's loss.

use super::{
    Claim, ClaimError, Kind, Recorded, Verdict, hand_check,
    instances::{loss_again, metropolis, named, one_shot, single_observers, smallest, whole},
    pairs::{THEOREM_1, both_views, each_pair, in_both_views},
    witness::Comparison,
};
use muffliato_fast::Enclosure;
use muffliato_model::{CustomWeights, Graph, Network, Observer, Protocol, WeightScheme};
use muffliato_reference::GossipMatrix;
use num_traits::ToPrimitive;

pub(super) const CLAIM: Claim = Claim {
    id: "group-merge",
    place: "Appendix G.2, last paragraph",
    statement: "The loss of a group is bounded by Theorem 1 on the graph in which its members are merged into one \
                node and the weights of their edges are added (the node carries the group's |U| inputs and noises, so \
                that its loss counts |U| times).",
    method: "Exact loss of every pair of users, compared with twice f of the merged node, on all connected graphs up to 5 \
             nodes, T <= 4, until it is larger. Pairs whose edges weigh more than 1 together have no merged matrix and are \
             passed over.",
    recorded: Recorded {
        kind: Kind::Refuted,
        evidence: "path of 4 (0-1 0-3 1-2), T = 3, 0+3 -> full:2: promised 4/3, true 2 (paper's view: 2)",
    },
    decide,
};

/// The network with node `b` merged into node `a`, their weights to others added, and where `a` and `v` are then; `None` if
/// the weights do not leave room for a diagonal.
fn merged(
    graph: &Graph,
    (a, b): (usize, usize),
    v: usize,
) -> Result<Option<(Network, usize, usize)>, ClaimError> {
    let place = |w: usize| {
        let w = if w == b { a } else { w };
        if w > b { w - 1 } else { w }
    };
    let (nodes, fewer) = (graph.nodes(), graph.nodes() - 1);
    let w = GossipMatrix::of_network(&metropolis(graph)?)?;
    let whole = w.denominator().to_i128().unwrap_or(i128::MAX);
    let mut entries = vec![0; fewer * fewer];
    for (at, numerator) in w.numerators().iter().enumerate() {
        let (row, column) = (place(at / nodes), place(at % nodes));
        if row != column {
            entries[row * fewer + column] += numerator.to_i128().unwrap_or(i128::MAX);
        }
    }
    for row in 0..fewer {
        entries[row * fewer + row] = whole - entries[row * fewer..][..fewer].iter().sum::<i128>();
    }
    if entries.iter().any(|&entry| entry < 0) {
        return Ok(None);
    }
    let edges = graph.edges().map(|(u, w)| (place(u), place(w)));
    let smaller = Graph::try_new(fewer, edges.filter(|(u, w)| u != w))?;
    let numbered = entries.iter().enumerate();
    let numbered = numbered.map(|(at, &entry)| (at / fewer, at % fewer, entry));
    let weights = CustomWeights::try_new(&smaller, whole, numbered)?;
    let network = Network::try_new(smaller, WeightScheme::Custom(weights))?;
    Ok(Some((network, place(a), place(v))))
}

fn decide() -> Result<Verdict, ClaimError> {
    let found = smallest(5, 1..=4, |graph, steps| {
        let protocol = one_shot(graph, steps)?;
        for observer in single_observers(graph) {
            let Some(views) = both_views(&protocol, &observer)? else {
                continue;
            };
            for group in each_pair(graph, &observer) {
                let pair = (group[0], group[1]);
                let Some((network, node, v)) = merged(graph, pair, observer.members()[0])? else {
                    continue;
                };
                let fused = Protocol::one_shot(network.clone(), steps)?;
                let watcher = Observer::full(v);
                let promised = whole(2) * (THEOREM_1.exact)(&fused, &[node], &watcher)?;
                let found = in_both_views(
                    &views,
                    |view| {
                        let loss = view.loss(&group)?.scalar;
                        Ok(Comparison::at_most(loss, promised.clone()))
                    },
                    |view| {
                        let once = (THEOREM_1.again)(&fused, &[node], &watcher)?;
                        let twice = Enclosure::try_new(2.0 * once.lower(), 2.0 * once.upper());
                        let actual = loss_again(&protocol, &group, view.observer())?;
                        Ok([twice.unwrap_or(once), actual])
                    },
                    || {
                        let mut lines = vec![
                            format!("merged: {}, {node} -> {watcher}", named(network.graph())),
                            hand_check::matrix(&network)?,
                        ];
                        lines.extend(hand_check::charges(&fused, &[node], &watcher)?);
                        lines.push("twice that is promised; on the graph itself".into());
                        lines.extend(hand_check::deconvolution(&protocol, &group, &observer)?);
                        let (a, b) = pair;
                        let what = format!("{}, T = {steps}", named(graph));
                        Ok((format!("{what}, {a}+{b} -> {observer}"), lines))
                    },
                )?;
                if found.is_some() {
                    return Ok(found);
                }
            }
        }
        Ok(None)
    })?;
    Ok(Verdict::unless(
        found,
        "all pairs of users on all connected graphs up to 5 nodes, T <= 4, paper's view".into(),
    ))
}
