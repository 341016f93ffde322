//! Theorem 1 given the edges of randomized gossip.

use super::{
    Claim, ClaimError, Kind, Recorded, Verdict,
    instances::{named, single_observers, smallest},
    pairs::{THEOREM_1, each_source, violation},
};
use muffliato_model::Protocol;

pub(super) const CLAIM: Claim = Claim {
    id: "randomized-privacy",
    place: "Corollary 2 (Appendix D.2)",
    statement: "Given the sequence of edges of randomized gossip, the loss of u towards v is at most Theorem 1's sum \
                over the messages along them.",
    method: "Exact leakage of every pair, compared with the sum, for all sequences of up to 5 edges on all connected \
             graphs up to 4 nodes until one exceeds it.",
    recorded: Recorded {
        kind: Kind::Refuted,
        evidence: "path of 3 (0-1 0-2), edges 0-1, 0-2, 0-1, 2 -> full:1: promised 2/3, true 1 (paper's view: 4/5)",
    },
    decide,
};

fn decide() -> Result<Verdict, ClaimError> {
    let found = smallest(4, 1..=5, |graph, steps| {
        let edges: Vec<_> = graph.edges().collect();
        for number in 0..edges.len().pow(steps as u32) {
            let sequence: Vec<_> = (0..steps)
                .map(|t| edges[number / edges.len().pow(t as u32) % edges.len()])
                .collect();
            let text: Vec<_> = sequence.iter().map(|(u, v)| format!("{u}-{v}")).collect();
            let what = format!("{}, edges {}", named(graph), text.join(", "));
            let protocol = Protocol::randomized(graph.clone(), sequence)?;
            for observer in single_observers(graph) {
                let sources = each_source(graph, &observer);
                if let Some(found) = violation(&protocol, &what, &observer, &sources, &THEOREM_1)? {
                    return Ok(Some(found));
                }
            }
        }
        Ok(None)
    })?;
    Ok(Verdict::unless(
        found,
        "all sequences of up to 5 edges on all connected graphs up to 4 nodes, paper's view".into(),
    ))
}
