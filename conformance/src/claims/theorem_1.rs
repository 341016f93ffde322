//! Theorem 1 does not bound the loss: messages are correlated, and their losses do not add up.

use super::{
    Claim, ClaimError, Kind, Recorded, Verdict,
    instances::{graph, one_shot, single_observers},
    pairs::{THEOREM_1, each_source, one_shot_search, violation},
};
use muffliato_model::Observer;

pub(super) const CLAIM: Claim = Claim {
    id: "theorem-1",
    place: "Theorem 1",
    statement: "The loss of u towards v is at most f(u,v), the sum over all messages that v receives of the squared \
                share of u in the message.",
    method: "Exact leakage of every pair, compared with f(u,v), on all connected graphs up to 6 nodes and up to 6 \
             steps until one exceeds it; then the karate club, T = 2, 33 -> 3, for a larger gap.",
    recorded: Recorded {
        kind: Kind::Refuted,
        evidence: "karate club, T = 2, 33 -> full:3: promised 42837025/4854427082, true 1 (paper's view: 1). Smallest: path \
                  of 3 (0-1 0-2), T = 2, 2 -> full:1: promised 1/3, true 1 (paper's view: 1/2)",
    },
    decide,
};

fn decide() -> Result<Verdict, ClaimError> {
    let all = |graph: &_| Ok(single_observers(graph));
    let found = one_shot_search(6, 6, all, each_source, &THEOREM_1)?;
    let Some(mut witness) = found else {
        return Ok(Verdict::Holds {
            checked: "all connected graphs up to 6 nodes, T <= 6, paper's view".into(),
        });
    };
    let club = one_shot(&graph("karate")?, 2)?;
    let vivid = violation(
        &club,
        "karate club, T = 2",
        &Observer::full(3),
        &[vec![33]],
        &THEOREM_1,
    )?;
    if let Some(vivid) = vivid {
        witness.instance = format!("{vivid}. Smallest: {}", witness.instance);
    }
    Ok(Verdict::Refuted { witness })
}
