//! How often a node of randomized gossip takes part.

use super::{
    Claim, ClaimError, Kind, Recorded, Verdict, hand_check,
    instances::{graphs, metropolis, named, smallest, whole},
    randomized::{intensities, intensities_again},
    witness::{Comparison, Relation, estimate},
};
use muffliato_model::Graph;
use muffliato_reference::{BigRational, GossipMatrix, enclosure::Interval};
use num_traits::One;
use std::iter::Sum;

pub(super) const CLAIM: Claim = Claim {
    id: "randomized-participation",
    place: "Appendix D.2, the probability pi_v",
    statement: "With p_uv = 2 W_uv / n a node takes part in a tick with probability pi_v = 2/n.",
    method: "The sum of p over the edges of v as a fraction, on all connected graphs up to 6 nodes until it is not \
             2/n; then 2 (1 - W_vv)/n everywhere. As printed for weights without a diagonal.",
    recorded: Recorded {
        kind: Kind::HoldsCorrected,
        evidence: "path of 2 (0-1), v = 0: promised 1, true 1/2. Holds as 2 (1 - W_vv)/n: 809 nodes of connected graphs up \
                  to 6 nodes",
    },
    decide,
};

/// The sum over the edges of v of what is given for each edge.
fn sum_at<T: Clone + Sum>(graph: &Graph, v: usize, of_edges: &[T]) -> T {
    let all = graph.edges().zip(of_edges);
    let own = all.filter(|&((u, w), _)| u == v || w == v);
    own.map(|(_, value)| value.clone()).sum()
}

fn decide() -> Result<Verdict, ClaimError> {
    let found = smallest(6, 1..=1, |graph, _| {
        let n = graph.nodes();
        for v in 0..n {
            let compared = Comparison {
                relation: Relation::Equal,
                promised: Interval::exact(whole(2) / whole(n)),
                actual: Interval::exact(sum_at(graph, v, &intensities(graph)?)),
            };
            if !compared.fails() {
                continue;
            }
            let (again, _) = intensities_again(graph)?;
            let lines = vec![
                hand_check::matrix(&metropolis(graph)?)?,
                format!("the row of {v} without its diagonal, times 2/{n}"),
            ];
            let (promised, actual) = (estimate(2.0 / n as f64), estimate(sum_at(graph, v, &again)));
            let instance = format!("{}, v = {v}", named(graph));
            return compared
                .witness(instance, lines, promised, actual)
                .map(Some);
        }
        Ok(None)
    })?;
    let mut cases = 0;
    for graph in graphs(6) {
        let w = GossipMatrix::of_network(&metropolis(&graph)?)?;
        let p = intensities(&graph)?;
        for v in 0..graph.nodes() {
            let apart = BigRational::one() - w.entry(v, v).unwrap_or_default();
            if sum_at(&graph, v, &p) != whole(2) * apart / whole(graph.nodes()) {
                return Ok(Verdict::unconfirmed(format!("{}, v = {v}", named(&graph))));
            }
            cases += 1;
        }
    }
    let checked = format!("{cases} nodes of connected graphs up to 6 nodes");
    Ok(Verdict::corrected(found, "as 2 (1 - W_vv)/n", checked))
}
