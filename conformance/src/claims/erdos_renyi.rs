//! Private random graphs.

use super::{
    Claim, ClaimError, Kind, Recorded, Verdict,
    instances::{one_shot, ratio, view, whole},
    private_graphs::{alike, known, mean, neighbours_and_strangers},
};
use muffliato_model::Observer;
use muffliato_reference::{BigRational, order};

pub(super) const CLAIM: Claim = Claim {
    id: "erdos-renyi",
    place: "Theorem 4; Theorem 9 (Appendix E)",
    statement: "On an Erdos-Renyi graph that v does not know, who is no neighbour of v loses at most 2 T d_v/(n - d_v).",
    method: "All 1024 graphs on 5 nodes, T = 1 to 3, q = 1/5, 1/2 and 4/5: given the edges of v, twice the mean of \
             the exact leakage of a stranger (the factor of Lemma 2) against the bound. It is a theorem for all n, T \
             and laws in which strangers are alike: the leakages add up to rank - 1 <= T d, of which each neighbour \
             takes 1, so that twice the mean is at most 2 (T-1) d/(n-1-d), which is at most 2 T d/(n-d) if T <= n - \
             d; otherwise that is at least 2 (or d = 0 and nothing is lost).",
    recorded: Recorded {
        kind: Kind::Holds,
        evidence: "288 strangers given the edges of v, over all 1024 graphs on 5 nodes",
    },
    decide,
};

const NODES: usize = 5;

/// The first case on all graphs with 5 nodes, T <= 3, in which twice the mean leakage of a stranger, given the edges of
/// the first `members` nodes, exceeds the bound in degree and steps; or the number of cases.
pub(super) fn strangers(
    members: usize,
    bound: impl Fn(usize, usize) -> BigRational,
) -> Result<Result<usize, String>, ClaimError> {
    let observer = Observer::coalition(0..members)?;
    let mut cases = 0;
    for own in known(NODES, &observer)? {
        let (heard, strangers) = neighbours_and_strangers(&own, &observer);
        if strangers.is_empty() {
            continue;
        }
        let graphs = alike(&own, &observer)?;
        for steps in 1..=3 {
            let seen = graphs
                .iter()
                .map(|graph| view(&one_shot(graph, steps)?, &observer));
            let seen = seen.collect::<Result<Vec<_>, _>>()?;
            let bound = bound(heard.len(), steps);
            for &u in &strangers {
                let leakages = seen.iter().map(|view| view.leakage(u));
                let leakages = leakages.collect::<Result<Vec<_>, _>>()?;
                for q in [ratio(1, 5), ratio(1, 2), ratio(4, 5)] {
                    let mean = mean(&leakages, &q);
                    if order(&(whole(2) * &mean), &bound).is_gt() {
                        let degree = heard.len();
                        let case =
                            format!("{observer}, T = {steps}, q = {q}, d = {degree}: mean {mean}");
                        return Ok(Err(case));
                    }
                    cases += 1;
                }
            }
        }
    }
    Ok(Ok(cases))
}

fn decide() -> Result<Verdict, ClaimError> {
    let printed = |degree, steps| whole(2 * steps * degree) / whole(NODES - degree);
    Ok(match strangers(1, printed)? {
        Err(case) => Verdict::unconfirmed(case),
        Ok(cases) => Verdict::holds(format!(
            "{cases} strangers given the edges of v, over all 1024 graphs on 5 nodes"
        )),
    })
}
