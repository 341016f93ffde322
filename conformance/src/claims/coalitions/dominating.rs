//! Dominating coalitions.

use crate::claims::prelude::*;

/// A dominating coalition sees everything, but other coalitions can learn as much.
pub(in crate::claims) fn coalition() -> Result<Verdict, ClaimError> {
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

/// Returns `true` if `size` more nodes can dominate those that are not in `done`.
fn can_dominate(graph: &Graph, done: u64, size: usize) -> bool {
    let Some(open) = (0..graph.nodes()).find(|v| done >> v & 1 == 0) else {
        return true;
    };
    let mut near = graph.neighbours(open).chain([open]);
    size > 0
        && near.any(|v| {
            let more = graph.neighbours(v).chain([v]).fold(done, |set, w| set | 1 << w);
            can_dominate(graph, more, size - 1)
        })
}

/// With small degrees every dominating set is large.
pub(in crate::claims) fn sets() -> Result<Verdict, ClaimError> {
    let mut lines = vec!["smallest dominating sets of hypercubes:".to_string()];
    for dimension in 1..=5 {
        let cube = graph(&format!("hypercube:{dimension}"))?;
        let size = (1..).find(|&size| can_dominate(&cube, 0, size)).unwrap_or(0);
        let case = || format!("{size} nodes dominate {dimension}");
        confirm(size * (dimension + 1) >= cube.nodes(), case)?;
        lines.push(format!("n = {}: {size}, and log2 n = {dimension}", cube.nodes()));
    }
    let mut witness = None;
    for multiple in [1, 10, 100] {
        let above = (1..40_usize).find(|&m| (1 << m) > multiple * m * (m + 1));
        let enough = || ClaimError::unconfirmed(format!("{multiple} log2 n is enough"));
        let m = above.ok_or_else(enough)?;
        let least = whole(1 << m) / whole(m + 1);
        let compared = Comparison::at_most(least, whole(multiple * m));
        lines
            .push(format!("n = 2^{m}: at least n/{}, which is more than {multiple} log2 n", m + 1));
        let cube = graph(&format!("hypercube:{m}"))?;
        let least = cube.nodes() as f64 / (1 + cube.max_degree()) as f64;
        let setting =
            format!("hypercube of dimension {m}, {multiple} log2 n against n/(d+1) nodes");
        let fast = [Enclosure::exact((multiple * m) as f64), Enclosure::around(least, 1, 1)];
        witness = Some(compared.witness(Instance::of(setting), lines.clone(), fast)?);
    }
    Verdict::of_search(Ok(witness))
}
