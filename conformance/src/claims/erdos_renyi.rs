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
    decide,
};

const NODES: usize = 5;

fn decide() -> Result<Verdict, ClaimError> {
    let pairs: Vec<(usize, usize)> = (0..NODES)
        .flat_map(|u| (u + 1..NODES).map(move |v| (u, v)))
        .collect();
    let outside = pairs.len() - (NODES - 1);
    let mut cases = 0;
    for steps in 1..=3 {
        // For each neighbourhood of node 0 and each number of edges among the others: the sums
        // of the leakages.
        let class = vec![BigRational::zero(); NODES];
        let mut sums = vec![vec![class; outside + 1]; 1 << (NODES - 1)];
        for mask in 0..1_usize << pairs.len() {
            let present = pairs.iter().enumerate();
            let present = present.filter(|(bit, _)| mask >> bit & 1 == 1);
            let graph = Graph::try_new(NODES, present.map(|(_, &edge)| edge))?;
            let seen = view(&one_shot(&graph, steps)?, &Observer::full(0))?;
            let neighbourhood = mask & ((1 << (NODES - 1)) - 1); // the pairs of node 0 come first
            let others = (mask >> (NODES - 1)).count_ones() as usize;
            let leakages = &mut sums[neighbourhood][others];
            for u in 1..NODES {
                leakages[u] += seen.leakage(u)?;
            }
        }
        for q in [ratio(1, 5), ratio(1, 2), ratio(4, 5)] {
            for (neighbourhood, classes) in sums.iter().enumerate() {
                let degree = neighbourhood.count_ones() as usize;
                let bound = whole(2 * steps * degree) / whole(NODES - degree);
                for u in (1..NODES).filter(|u| neighbourhood >> (u - 1) & 1 == 0) {
                    let mut mean = BigRational::zero();
                    for (edges, leakages) in classes.iter().enumerate() {
                        let absent = BigRational::one() - &q;
                        let weight = Pow::pow(q.clone(), edges as u32)
                            * Pow::pow(absent, (outside - edges) as u32);
                        mean += weight * &leakages[u];
                    }
                    if order(&(whole(2) * &mean), &bound).is_gt() {
                        let case = format!("T = {steps}, q = {q}, d = {degree}: mean {mean}");
                        return Ok(Verdict::unless_seen(Some(case), String::new()));
                    }
                    cases += 1;
                }
            }
        }
    }
    Ok(Verdict::unless_seen(
        None,
        format!("{cases} strangers given the neighbours of v, over all 1024 graphs on 5 nodes"),
    ))
}
