//! Theorem 1 for colluding observers.

use super::{
    Claim, ClaimError, Kind, Recorded, Verdict,
    instances::coalitions,
    pairs::{THEOREM_1, each_source, one_shot_search},
};

pub(super) const CLAIM: Claim = Claim {
    id: "coalition-bound",
    place: "Theorem 12 (Appendix G.1)",
    statement: "The loss of u towards a coalition V is at most Theorem 1's sum over the distinct neighbours of V \
                outside V.",
    method: "Exact leakage towards every coalition of at least two nodes, compared with the bound, on all connected \
             graphs up to 6 nodes and up to 4 steps until one exceeds it.",
    recorded: Recorded {
        kind: Kind::Refuted,
        evidence: "path of 4 (0-1 0-3 1-2), T = 2, 3 -> coalition:1,2: promised 1/3, true 1 (paper's view: 1)",
    },
    decide,
};

fn decide() -> Result<Verdict, ClaimError> {
    Ok(Verdict::unless(
        one_shot_search(6, 4, coalitions, each_source, &THEOREM_1)?,
        "all coalitions on all connected graphs up to 6 nodes, T <= 4, paper's view".into(),
    ))
}
