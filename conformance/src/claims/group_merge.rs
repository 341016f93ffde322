//! Merging a group into one node gives no bound on the group's loss.

use super::{
    Claim, ClaimError, Kind, Recorded, Verdict, hand_check,
    instances::{loss_again, named, one_shot, single_observers, smallest, view, whole},
    pairs::{THEOREM_1, each_pair},
    witness::Comparison,
};
use muffliato_fast::Enclosure;
use muffliato_model::{Graph, Observer};

pub(super) const CLAIM: Claim = Claim {
    id: "group-merge",
    place: "Appendix G.2, last paragraph",
    statement: "The loss of a group is bounded by Theorem 1 on the graph in which its members are merged into one node \
                (which carries the group's |U| inputs and noises, so that its loss counts |U| times).",
    method: "Exact loss of every pair of users, compared with twice f of the merged node on the merged graph, on all \
             connected graphs up to 5 nodes, T <= 4, until it is larger.",
    recorded: Recorded {
        kind: Kind::Refuted,
        evidence: "star of 4 (0-3 1-3 2-3), T = 2, 1+2 -> full:0: promised 2/3, true 2",
    },
    decide,
};

/// The graph with node `b` merged into node `a`, and where `v` is then.
fn merged(
    graph: &Graph,
    a: usize,
    b: usize,
    v: usize,
) -> Result<(Graph, usize, usize), ClaimError> {
    let place = |w: usize| {
        let w = if w == b { a } else { w };
        if w > b { w - 1 } else { w }
    };
    let edges = graph
        .edges()
        .map(|(u, w)| (place(u), place(w)))
        .filter(|(u, w)| u != w);
    Ok((
        Graph::try_new(graph.nodes() - 1, edges)?,
        place(a),
        place(v),
    ))
}

fn decide() -> Result<Verdict, ClaimError> {
    let found = smallest(5, 1..=4, |graph, steps| {
        let protocol = one_shot(graph, steps)?;
        for observer in single_observers(graph) {
            let seen = view(&protocol, &observer)?;
            for group in each_pair(graph, &observer) {
                let (smaller, node, v) = merged(graph, group[0], group[1], observer.members()[0])?;
                let (fused, watcher) = (one_shot(&smaller, steps)?, Observer::full(v));
                let promised = whole(2) * (THEOREM_1.exact)(&fused, &[node], &watcher)?;
                let compared = Comparison::at_most(seen.loss(&group)?.scalar, promised);
                if !compared.fails() {
                    continue;
                }
                let mut lines = vec![format!("merged: {}, {node} -> {watcher}", named(&smaller))];
                lines.extend(hand_check::charges(&fused, &[node], &watcher)?);
                lines.push("twice that is promised; on the graph itself".into());
                lines.extend(hand_check::deconvolution(&protocol, &group, &observer)?);
                let instance = format!(
                    "{}, T = {steps}, {}+{} -> {observer}",
                    named(graph),
                    group[0],
                    group[1]
                );
                let once = (THEOREM_1.again)(&fused, &[node], &watcher)?;
                let twice = Enclosure::try_new(2.0 * once.lower(), 2.0 * once.upper());
                let actual = loss_again(&protocol, &group, &observer)?;
                return compared
                    .witness(instance, lines, twice.unwrap_or(once), actual)
                    .map(Some);
            }
        }
        Ok(None)
    })?;
    Ok(Verdict::unless(
        found,
        "all pairs of users on all connected graphs up to 5 nodes, T <= 4, paper's view".into(),
    ))
}
