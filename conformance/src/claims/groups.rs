//! Groups of users.

use super::{
    Claim, ClaimError, Verdict,
    instances::{graph, single_observers},
    search::{THEOREM_1, each_pair, one_shot_search, violation},
    witness::{Instance, outcome},
};
use muffliato_model::{Observer, Protocol};

/// Theorem 1 for groups of users: the inputs of a group add up before they are squared.
pub(super) const BOUND: Claim = Claim {
    id: "group-bound",
    place: "Theorem 13 (Appendix G.2)",
    statement: "The loss of a group U towards v is at most Theorem 1's sum with the numerator summed over the squared \
                entries of the group's members.",
    method: "Exact loss of every pair of users, compared with the bound, on all connected graphs up to 5 nodes and up \
             to 4 steps until one exceeds it; then one message alone: 0 and 1 average, 1 sends to 2.",
    decide: bound,
};

fn bound() -> Result<Verdict, ClaimError> {
    let found = one_shot_search(5, 4, single_observers, each_pair, &THEOREM_1)?;
    let path = graph("path:3")?;
    let place = Instance::on(&path, "one message: 0 and 1 average, 1 sends to 2");
    let relay = Protocol::randomized(path, vec![(0, 1), (1, 2)])?;
    let (observer, pair) = (Observer::full(2), vec![0, 1]);
    let also = outcome(violation(&relay, &place, &observer, &[pair], &THEOREM_1))?;
    let checked = "all pairs of users on all connected graphs up to 5 nodes, T <= 4, paper's view";
    Ok(Verdict::unless(
        found.map(|witness| witness.and_also(also)),
        checked,
    ))
}
