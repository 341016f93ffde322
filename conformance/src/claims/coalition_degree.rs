//! How many neighbours a coalition has on an Erdos-Renyi graph.

use super::{
    Claim, ClaimError, Kind, Recorded, Verdict,
    instances::{ratio, whole},
    private_graphs::{known, mean, neighbours_and_strangers},
    witness::{Comparison, Relation, estimate},
};
use muffliato_model::Observer;
use muffliato_reference::{BigRational, enclosure::Interval};
use num_traits::{One, Pow};

pub(super) const CLAIM: Claim = Claim {
    id: "coalition-degree",
    place: "Proposition 1 (Appendix G.1), the number of neighbours",
    statement: "On an Erdos-Renyi graph with q = c ln n/n a coalition V has of the order of c |V| ln n/n = q |V| \
                neighbours.",
    method: "The mean number over all sets of edges of V on up to 5 nodes, q = 1/5, 1/2 and 4/5: it is (n - |V|)(1 - \
             (1-q)^|V|) in each case, n - 1 times what is printed for |V| = 1: of the order c |V| ln n while that is \
             small against n.",
    recorded: Recorded {
        kind: Kind::HoldsCorrected,
        evidence: "n = 1000, |V| = 2, q = 1/100, mean number of neighbours: promised 1/50, true 99301/5000. Holds as (n - \
                  |V|)(1 - (1-q)^|V|), about c |V| ln n: 30 means on up to 5 nodes",
    },
    decide,
};

/// `(n - |V|)(1 - (1-q)^|V|)`.
fn expected(nodes: usize, members: usize, q: &BigRational) -> BigRational {
    let nobody: BigRational = Pow::pow(BigRational::one() - q, members as u32);
    whole(nodes - members) * (BigRational::one() - nobody)
}

fn decide() -> Result<Verdict, ClaimError> {
    let mut cases = 0;
    for nodes in 2..=5 {
        for members in 1..nodes {
            let observer = Observer::coalition(0..members)?;
            let counts = known(nodes, &observer)?.into_iter();
            let counts = counts.map(|own| whole(neighbours_and_strangers(&own, &observer).0.len()));
            let counts: Vec<_> = counts.collect();
            for q in [ratio(1, 5), ratio(1, 2), ratio(4, 5)] {
                if mean(&counts, &q) != expected(nodes, members, &q) {
                    let case = format!("n = {nodes}, |V| = {members}, q = {q}");
                    return Ok(Verdict::unconfirmed(case));
                }
                cases += 1;
            }
        }
    }
    let compared = Comparison {
        relation: Relation::Equal,
        promised: Interval::exact(ratio(2, 100)),
        actual: Interval::exact(expected(1000, 2, &ratio(1, 100))),
    };
    let witness = compared.witness(
        "n = 1000, |V| = 2, q = 1/100, mean number of neighbours".into(),
        vec!["each of the 998 others is a neighbour with probability 1 - (99/100)^2".into()],
        estimate(0.02),
        estimate(998.0 * (1.0 - 0.99 * 0.99)),
    )?;
    let checked = format!("{cases} means on up to 5 nodes");
    Ok(Verdict::corrected(
        Some(witness),
        "as (n - |V|)(1 - (1-q)^|V|), about c |V| ln n",
        checked,
    ))
}
