//! Corollary 1 for colluding observers.

use super::{
    Claim, ClaimError, Kind, Recorded, Verdict,
    instances::coalitions,
    pairs::{RANDOM_WALK, each_source, one_shot_search},
};

pub(super) const CLAIM: Claim = Claim {
    id: "coalition-walk-bound",
    place: "Corollary 3 (Appendix G.1)",
    statement: "The loss of u towards a coalition V is at most n max W_vw^-2 over the edges that leave V times the sum \
                over t = 1..T of the squared probability that the random walk from u is in V at time t.",
    method: "Exact leakage towards every coalition of at least two nodes, compared with the bound, on all connected \
             graphs up to 6 nodes and up to 4 steps until one exceeds it.",
    recorded: Recorded {
        kind: Kind::Refuted,
        evidence: "path of 4 (0-1 0-3 1-2), T = 2, 3 -> coalition:1,2: promised 4/9, true 1 (paper's view: 1)",
    },
    decide,
};

fn decide() -> Result<Verdict, ClaimError> {
    Ok(Verdict::unless(
        one_shot_search(6, 4, coalitions, each_source, &RANDOM_WALK)?,
        "all coalitions on all connected graphs up to 6 nodes, T <= 4, paper's view".into(),
    ))
}
