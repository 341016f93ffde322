//! Private random graphs.

use super::{
    Claim, ClaimError, Kind, Recorded, Verdict,
    instances::{one_shot, ratio, view, whole},
};
use muffliato_model::{Graph, Observer};
use muffliato_reference::{BigRational, order};
use num_traits::{One, Pow, Zero};

pub(super) const CLAIM: Claim = Claim {
    id: "erdos-renyi",
    place: "Theorem 4; Theorem 9 (Appendix E)",
    statement: "On an Erdos-Renyi graph that v does not know, who is no neighbour of v loses at most 2 T d_v/(n - d_v).",
    method: "All 1024 graphs on 5 nodes, T = 1 to 3, q = 1/5, 1/2 and 4/5: given the neighbours of v, twice the mean of \
             the exact leakage of a stranger (the factor of Lemma 2) against the bound.",
    recorded: Recorded {
        kind: Kind::Holds,
        evidence: "288 strangers given the neighbours of v, over all 1024 graphs on 5 nodes",
    },
    decide: || decide(1, "v"),
};

const NODES: usize = 5;

/// The probabilities of an edge that are tried.
pub(super) fn edge_probabilities() -> [BigRational; 3] {
    [ratio(1, 5), ratio(1, 2), ratio(4, 5)]
}

/// All graphs on `0..nodes`.
pub(super) fn all_graphs(nodes: usize) -> Result<Vec<Graph>, ClaimError> {
    let pairs = (0..nodes).flat_map(|u| (u + 1..nodes).map(move |v| (u, v)));
    let pairs: Vec<(usize, usize)> = pairs.collect();
    let graph = |mask: usize| {
        let present = pairs.iter().enumerate();
        let present = present.filter(|(bit, _)| mask >> bit & 1 == 1);
        Ok(Graph::try_new(nodes, present.map(|(_, &edge)| edge))?)
    };
    (0..1 << pairs.len()).map(graph).collect()
}

/// The nodes outside the first `members` that have a neighbour among these, as bits.
pub(super) fn neighbourhood(graph: &Graph, members: usize) -> usize {
    let outside = members..graph.nodes();
    let heard = outside.filter(|&u| graph.neighbours(u).any(|v| v < members));
    heard.map(|u| 1 << u).sum()
}

/// Of an Erdos-Renyi graph with so many edges and so many pairs without.
pub(super) fn probability(q: &BigRational, edges: usize, absent: usize) -> BigRational {
    let none = BigRational::one() - q;
    Pow::pow(q.clone(), edges as u32) * Pow::pow(none, absent as u32)
}

/// For the first `members` nodes as observers, called `name`.
pub(super) fn decide(members: usize, name: &str) -> Result<Verdict, ClaimError> {
    let observer = Observer::coalition(0..members)?;
    let pairs = NODES * (NODES - 1) / 2;
    let graphs = all_graphs(NODES)?;
    let mut cases = 0;
    for steps in 1..=3 {
        // For each set of neighbours and each number of edges: how many graphs, and the sums of the leakages.
        let class = (0, vec![BigRational::zero(); NODES]);
        let mut classes = vec![vec![class; pairs + 1]; 1 << NODES];
        for graph in &graphs {
            let seen = view(&one_shot(graph, steps)?, &observer)?;
            let (count, leakages) = &mut classes[neighbourhood(graph, members)][graph.edge_count()];
            *count += 1;
            for u in members..NODES {
                leakages[u] += seen.leakage(u)?;
            }
        }
        for q in edge_probabilities() {
            let given = classes.iter().enumerate();
            for (heard, by_edges) in
                given.filter(|(_, by_edges)| by_edges.iter().any(|(count, _)| *count > 0))
            {
                let degree = heard.count_ones() as usize;
                let bound = whole(2 * steps * degree) / whole(NODES - degree);
                let weights = (0..=pairs).map(|edges| probability(&q, edges, pairs - edges));
                let weights: Vec<BigRational> = weights.collect();
                let likely = by_edges.iter().zip(&weights);
                let total: BigRational = likely
                    .map(|((count, _), weight)| whole(*count) * weight)
                    .sum();
                for u in (members..NODES).filter(|u| heard >> u & 1 == 0) {
                    let likely = by_edges.iter().zip(&weights);
                    let sum: BigRational = likely
                        .map(|((_, leakages), weight)| weight * &leakages[u])
                        .sum();
                    let mean = sum / &total;
                    if order(&(whole(2) * &mean), &bound).is_gt() {
                        let case = format!("T = {steps}, q = {q}, d = {degree}: mean {mean}");
                        return Ok(Verdict::unconfirmed(case));
                    }
                    cases += 1;
                }
            }
        }
    }
    Ok(Verdict::holds(format!(
        "{cases} strangers given the neighbours of {name}, over all 1024 graphs on 5 nodes"
    )))
}
