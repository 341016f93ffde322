//! Theorem 1 and its variants for colluding observers and for groups of users.

use crate::claims::prelude::*;

const THEOREM_1: (Relation, Bound) = (Relation::AtMost, Bound::Theorem1);

/// Theorem 1 for colluding observers.
pub(in crate::claims) fn coalition_bound() -> Result<Verdict, ClaimError> {
    Verdict::of_search(one_shot_search(6, 4, coalitions, each_source, THEOREM_1))
}

/// Corollary 1 for colluding observers.
pub(in crate::claims) fn walk_bound() -> Result<Verdict, ClaimError> {
    let claimed = (Relation::AtMost, Bound::RandomWalk);
    Verdict::of_search(one_shot_search(6, 4, coalitions, each_source, claimed))
}

/// The mean loss holds for coalitions.
pub(in crate::claims) fn mean() -> Result<Verdict, ClaimError> {
    let cases = everywhere(5, 3, coalitions, |run| {
        let messages = whole(run.messages()?);
        let claimed = run.bounds.mean_loss(run.observer)? * whole(run.graph.nodes());
        let sum: BigRational = run.leakages()?.into_iter().sum();
        Ok(order(&claimed, &messages).is_le() && order(&sum, &messages).is_le())
    })?;
    Ok(Verdict::holds(format!("{cases} coalitions on connected graphs up to 5 nodes, T <= 3")))
}

/// Theorem 1 for groups of users: the inputs of a group add up before they are squared.
pub(in crate::claims) fn groups() -> Result<Verdict, ClaimError> {
    let found = one_shot_search(5, 4, single_observers, each_pair, THEOREM_1);
    let path = graph("path:3")?;
    let place = Instance::on(&path, "one message: 0 and 1 average, 1 sends to 2");
    let relay = Protocol::randomized(path, vec![(0, 1), (1, 2)])?;
    let (observer, pair) = (Observer::full(2), vec![0, 1]);
    let also = violation(&relay, &place, &observer, &[pair], THEOREM_1);
    Verdict::of_searches(found, also)
}
