//! The random-walk form of Theorem 1 fails where Theorem 1 does.

use super::{
    Claim, ClaimError, Kind, Recorded, Verdict,
    instances::single_observers,
    pairs::{RANDOM_WALK, each_source, one_shot_search},
};

pub(super) const CLAIM: Claim = Claim {
    id: "corollary-1",
    place: "Corollary 1",
    statement: "The loss of u towards v is at most n max_w W_vw^-2 times the sum over t = 1..T of the squared \
                probability that the random walk from u is at v at time t.",
    method: "Exact leakage of every pair, compared with the bound, on all connected graphs up to 6 nodes and up to 6 \
             steps until one exceeds it.",
    recorded: Recorded {
        kind: Kind::Refuted,
        evidence: "path of 3 (0-1 0-2), T = 2, 2 -> full:1: promised 1/3, true 1 (paper's view: 1/2)",
    },
    decide,
};

fn decide() -> Result<Verdict, ClaimError> {
    let all = |graph: &_| Ok(single_observers(graph));
    Ok(Verdict::unless(
        one_shot_search(6, 6, all, each_source, &RANDOM_WALK)?,
        "all connected graphs up to 6 nodes, T <= 6, paper's view".into(),
    ))
}
