//! Theorem 1 and its variants for colluding observers and for groups of users.

use crate::claims::{
    Claim, ClaimError, Verdict, Weight,
    instances::{coalitions, everywhere, graph, single_observers, whole},
    search::{RANDOM_WALK, THEOREM_1, each_pair, each_source, one_shot_search, violation},
    witness::Instance,
};
use muffliato_model::{Observer, Protocol};
use muffliato_reference::{BigRational, order};

/// Theorem 1 for colluding observers.
pub(in crate::claims) const BOUND: Claim = Claim {
    id: "coalition-bound",
    place: "Theorem 12 (Appendix G.1)",
    weight: Weight::Theorem,
    statement: "The loss of u towards a coalition V is at most Theorem 1's sum over the distinct \
                neighbours of V outside V.",
    method: "The exact leakage towards every coalition of at least two nodes is compared with the \
             bound on all connected graphs up to 6 nodes and up to 4 steps until one exceeds it.",
    decide: || Verdict::of_search(one_shot_search(6, 4, coalitions, each_source, &THEOREM_1)),
};

/// Corollary 1 for colluding observers.
pub(in crate::claims) const WALK_BOUND: Claim = Claim {
    id: "coalition-walk-bound",
    place: "Corollary 3 (Appendix G.1)",
    weight: Weight::Corollary,
    statement: "The loss of u towards a coalition V is at most n max W_vw^-2 over the edges that \
                leave V times the sum over t = 1..T of the squared probability that the random \
                walk from u is in V at time t.",
    method: "The exact leakage towards every coalition of at least two nodes is compared with the \
             bound on all connected graphs up to 6 nodes and up to 4 steps until one exceeds it.",
    decide: || Verdict::of_search(one_shot_search(6, 4, coalitions, each_source, &RANDOM_WALK)),
};

/// The mean loss holds for coalitions.
pub(in crate::claims) const MEAN: Claim = Claim {
    id: "coalition-mean",
    place: "Theorem 12, equation for the mean (Appendix G.1)",
    weight: Weight::Theorem,
    statement: "Averaged over u outside V, both the bound and the true loss towards a coalition V \
                are at most 1/n times the number of messages that V receives from outside.",
    method: "Both averages are computed as fractions for every coalition of at least two nodes on \
             all connected graphs up to 5 nodes, T <= 3. These are theorems: `mean_loss_identity` \
             and `losses_sum_to_at_most_the_messages`.",
    decide: mean,
};

fn mean() -> Result<Verdict, ClaimError> {
    let cases = everywhere(5, 3, coalitions, |run| {
        let messages = whole(run.messages()?);
        let claimed = run.bounds.mean_loss(run.observer)? * whole(run.graph.nodes());
        let sum: BigRational = run.leakages()?.into_iter().sum();
        Ok(order(&claimed, &messages).is_le() && order(&sum, &messages).is_le())
    })?;
    Ok(Verdict::holds(format!(
        "{cases} coalitions on connected graphs up to 5 nodes, T <= 3"
    )))
}

/// Theorem 1 for groups of users: the inputs of a group add up before they are squared.
pub(in crate::claims) const GROUPS: Claim = Claim {
    id: "group-bound",
    place: "Theorem 13 (Appendix G.2)",
    weight: Weight::Theorem,
    statement: "The loss of a group U towards v is at most Theorem 1's sum with the numerator \
                summed over the squared entries of the group's members.",
    method: "The exact loss of every pair of users is compared with the bound on all connected \
             graphs up to 5 nodes and up to 4 steps until one exceeds it; then a single message: \
             0 and 1 average, 1 sends to 2.",
    decide: groups,
};

fn groups() -> Result<Verdict, ClaimError> {
    let found = one_shot_search(5, 4, single_observers, each_pair, &THEOREM_1);
    let path = graph("path:3")?;
    let place = Instance::on(&path, "one message: 0 and 1 average, 1 sends to 2");
    let relay = Protocol::randomized(path, vec![(0, 1), (1, 2)])?;
    let (observer, pair) = (Observer::full(2), vec![0, 1]);
    let also = violation(&relay, &place, &observer, &[pair], &THEOREM_1);
    Verdict::of_searches(found, also)
}
