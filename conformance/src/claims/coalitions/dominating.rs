//! Dominating coalitions.

use crate::claims::{
    Claim, ClaimError, Verdict, Weight,
    error::confirm,
    instances::{all_observers, everywhere, graph, whole},
    witness::{Comparison, Instance},
};
use muffliato_fast::Enclosure;
use muffliato_model::Graph;
use num_traits::One;

/// A dominating coalition sees everything, but other coalitions can learn as much.
pub(in crate::claims) const COALITION: Claim = Claim {
    id: "dominating-coalition",
    place: "Appendix G.1, discussion",
    weight: Weight::Remark,
    statement: "On a fixed graph a coalition observes all messages, like the omniscient observer \
                of local privacy, if and only if it dominates the graph (every node outside is a \
                neighbour); then there is no amplification.",
    method: "Every set of observers on all connected graphs up to 5 nodes, T <= 4: it is checked \
             whether all nodes outside send to it, whether it dominates, and, if it does, that \
             every exact leakage is 1. The other sets, which do not see all messages but learn as \
             much nevertheless, are counted.",
    decide: coalition,
};

fn coalition() -> Result<Verdict, ClaimError> {
    let (mut dominating, mut others, mut learning) = (0, 0, 0);
    everywhere(5, 4, all_observers, |run| {
        let members = run.observer.members();
        let distances = run.graph.distances_from_any(members);
        let dominates = distances.iter().all(|&d| d <= Some(1));
        let heard = run.protocol.step(0).senders_to(members);
        let sees_all = heard.len() == run.graph.nodes() - members.len();
        let everything = run.leakages()?.iter().all(One::is_one);
        dominating += usize::from(dominates);
        others += usize::from(!dominates);
        learning += usize::from(!dominates && everything);
        Ok(dominates == sees_all && (everything || !dominates))
    })?;
    Ok(Verdict::holds(format!(
        "{dominating} dominating sets on connected graphs up to 5 nodes, T <= 4; {learning} of {others} other sets learn as \
         much without seeing all messages"
    )))
}

/// With small degrees every dominating set is large.
pub(in crate::claims) const SETS: Claim = Claim {
    id: "dominating-sets",
    place: "Appendix G.1, discussion, the size of dominating sets",
    weight: Weight::Remark,
    statement: "Exponential graphs (hypercubes, as in Appendix H.2) have dominating sets of O(log \
                n) nodes.",
    method: "A node dominates itself and its d neighbours, so a dominating set has at least \
             n/(d+1) nodes: here n/(1 + log2 n), which no multiple of log n bounds. The smallest \
             sets are found exhaustively for the cubes of dimension 1 to 5; for the multiples 1, \
             10 and 100 the first cube is given whose n/(d+1) exceeds it. Erdos-Renyi graphs with \
             q = c ln n/n have degrees of order log n with high probability, and the same count \
             applies.",
    decide: sets,
};

/// Returns `true` if `size` more nodes can dominate those that are not in `done`.
fn can_dominate(graph: &Graph, done: u64, size: usize) -> bool {
    let Some(open) = (0..graph.nodes()).find(|v| done >> v & 1 == 0) else {
        return true;
    };
    let mut near = graph.neighbours(open).chain([open]);
    size > 0
        && near.any(|v| {
            let more = graph
                .neighbours(v)
                .chain([v])
                .fold(done, |set, w| set | 1 << w);
            can_dominate(graph, more, size - 1)
        })
}

fn sets() -> Result<Verdict, ClaimError> {
    let mut lines = vec!["smallest dominating sets of hypercubes:".to_string()];
    for dimension in 1..=5 {
        let cube = graph(&format!("hypercube:{dimension}"))?;
        let size = (1..)
            .find(|&size| can_dominate(&cube, 0, size))
            .unwrap_or(0);
        let case = || format!("{size} nodes dominate {dimension}");
        confirm(size * (dimension + 1) >= cube.nodes(), case)?;
        lines.push(format!(
            "n = {}: {size}, and log2 n = {dimension}",
            cube.nodes()
        ));
    }
    let mut witness = None;
    for multiple in [1, 10, 100] {
        let above = (1..40_usize).find(|&m| (1 << m) > multiple * m * (m + 1));
        let enough = || ClaimError::unconfirmed(format!("{multiple} log2 n is enough"));
        let m = above.ok_or_else(enough)?;
        let least = whole(1 << m) / whole(m + 1);
        let compared = Comparison::at_most(least, whole(multiple * m));
        lines.push(format!(
            "n = 2^{m}: at least n/{}, which is more than {multiple} log2 n",
            m + 1
        ));
        let cube = graph(&format!("hypercube:{m}"))?;
        let least = cube.nodes() as f64 / (1 + cube.max_degree()) as f64;
        let setting =
            format!("hypercube of dimension {m}, {multiple} log2 n against n/(d+1) nodes");
        let fast = [
            Enclosure::exact((multiple * m) as f64),
            Enclosure::around(least, 1, 1),
        ];
        witness = Some(compared.witness(Instance::of(setting), lines.clone(), fast)?);
    }
    Verdict::of_search(Ok(witness))
}
