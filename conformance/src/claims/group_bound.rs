//! Theorem 1 for groups of users: the inputs of a group add up before they are squared.

use super::{
    Claim, ClaimError, Kind, Recorded, Verdict,
    instances::{graph, single_observers},
    pairs::{THEOREM_1, each_pair, one_shot_search, violation},
};
use muffliato_model::{Observer, Protocol};

pub(super) const CLAIM: Claim = Claim {
    id: "group-bound",
    place: "Theorem 13 (Appendix G.2)",
    statement: "The loss of a group U towards v is at most Theorem 1's sum with the numerator summed over the squared \
                entries of the group's members.",
    method: "Exact loss of every pair of users, compared with the bound, on all connected graphs up to 5 nodes and up \
             to 4 steps until one exceeds it; then one message alone: 0 and 1 average, 1 sends to 2.",
    recorded: Recorded {
        kind: Kind::Refuted,
        evidence: "one message: 0 and 1 average, 1 sends to 2, 0+1 -> full:2: promised 1, true 2 (paper's view: 2). \
                  Smallest: star of 4 (0-3 1-3 2-3), T = 2, 1+2 -> full:0: promised 1/2, true 2 (paper's view: 4/3)",
    },
    decide,
};

fn decide() -> Result<Verdict, ClaimError> {
    let all = |graph: &_| Ok(single_observers(graph));
    let Some(mut witness) = one_shot_search(5, 4, all, each_pair, &THEOREM_1)? else {
        return Ok(Verdict::Holds {
            checked:
                "all pairs of users on all connected graphs up to 5 nodes, T <= 4, paper's view"
                    .into(),
        });
    };
    let relay = Protocol::randomized(graph("path:3")?, vec![(0, 1), (1, 2)])?;
    let what = "one message: 0 and 1 average, 1 sends to 2";
    if let Some(single) = violation(&relay, what, &Observer::full(2), &[vec![0, 1]], &THEOREM_1)? {
        witness.instance = format!("{single}. Smallest: {}", witness.instance);
    }
    Ok(Verdict::Refuted { witness })
}
