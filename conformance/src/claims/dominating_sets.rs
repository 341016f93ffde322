//! Where everybody has few neighbours, a dominating set is large.

use super::{
    Claim, ClaimError, Kind, Recorded, Verdict,
    instances::{graph, whole},
    witness::Comparison,
};
use muffliato_fast::Enclosure;
use muffliato_model::Graph;

pub(super) const CLAIM: Claim = Claim {
    id: "dominating-sets",
    place: "Appendix G.1, discussion, the size of dominating sets",
    statement: "Exponential graphs (hypercubes, as in Appendix H.2) have dominating sets of O(log n) nodes.",
    method: "A node dominates itself and its d neighbours, so that a dominating set has at least n/(d+1) nodes: here \
             n/(1 + log2 n), which no multiple of log n bounds. Found exhaustively for the cubes of dimension 1 to 5, \
             and for each multiple 1, 10 and 100 the first cube whose n/(d+1) is above it. Erdos-Renyi graphs with q \
             = c ln n/n have degrees of order log n with high probability: the same count applies.",
    recorded: Recorded {
        kind: Kind::Refuted,
        evidence: "hypercube of dimension 15, at most 100 log2 n nodes against at least n/(d+1): promised 1500, true 2048",
    },
    decide,
};

/// Whether `size` more nodes can dominate those that are not in `done`.
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

fn decide() -> Result<Verdict, ClaimError> {
    let mut lines = vec!["smallest dominating sets of hypercubes:".to_string()];
    for dimension in 1..=5 {
        let cube = graph(&format!("hypercube:{dimension}"))?;
        let size = (1..)
            .find(|&size| can_dominate(&cube, 0, size))
            .unwrap_or(0);
        if size * (dimension + 1) < cube.nodes() {
            return Ok(Verdict::unconfirmed(format!(
                "{size} nodes dominate {dimension}"
            )));
        }
        lines.push(format!(
            "n = {}: {size}, and log2 n = {dimension}",
            cube.nodes()
        ));
    }
    let mut witness = None;
    for multiple in [1, 10, 100] {
        let above = (1..40_usize).find(|&m| (1 << m) > multiple * m * (m + 1));
        let Some(m) = above else {
            return Ok(Verdict::unconfirmed(format!("{multiple} log2 n is enough")));
        };
        let least = whole(1 << m) / whole(m + 1);
        let compared = Comparison::at_most(least, whole(multiple * m));
        lines.push(format!(
            "n = 2^{m}: at least n/{}, which is more than {multiple} log2 n",
            m + 1
        ));
        let cube = graph(&format!("hypercube:{m}"))?;
        let least = cube.nodes() as f64 / (1 + cube.max_degree()) as f64;
        witness = Some(compared.witness(
            format!("hypercube of dimension {m}, at most {multiple} log2 n nodes against at least n/(d+1)"),
            lines.clone(),
            Enclosure::exact((multiple * m) as f64),
            Enclosure::around(least, 1, 1),
        )?);
    }
    Ok(Verdict::unless(witness, "no multiple was tried".into()))
}
