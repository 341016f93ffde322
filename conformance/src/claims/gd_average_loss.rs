//! What survives of the privacy of gradient descent: the average.

use super::{
    Claim, ClaimError, Kind, Recorded, Verdict, gd_appendix, gd_appendix_exponent,
    instances::{descent, graphs, named, single_observers, view, whole},
    pairs::each_source,
};
use muffliato_model::Fraction;
use muffliato_reference::{BigRational, order};

pub(super) const CLAIM: Claim = Claim {
    id: "gd-average-loss",
    place: "Appendix F.2, the mean of Theorem 11",
    statement: "After T rounds of K steps the average over u of the loss towards v is at most K T^2 d_v/n.",
    method: "The exact losses, gradients as inputs and quadratic losses (1 - nu a_w is 0 or 1), and both readings of \
             Theorem 11's sum, added up for every observer of all connected graphs up to 4 nodes, T <= 3, K <= 2. A \
             theorem where the reaction is linear: with P_u the block of the projector at the T inputs of u, the loss \
             is at most T tr P_u, and the traces add up to rank - T <= K T d_v.",
    recorded: Recorded {
        kind: Kind::Holds,
        evidence: "2640 observers and reactions on connected graphs up to 4 nodes, T <= 3, K <= 2",
    },
    decide,
};

fn decide() -> Result<Verdict, ClaimError> {
    let mut cases = 0;
    for graph in graphs(4) {
        for (rounds, k) in [(1, 1), (1, 2), (2, 1), (2, 2), (3, 1), (3, 2)] {
            let inputs = descent(&graph, rounds, k)?;
            for observer in single_observers(&graph) {
                let degree = graph.degree(observer.members()[0]);
                let bound = whole(k * rounds * rounds * degree);
                let sources = each_source(&graph, &observer);
                let case = || format!("{}, K = {k}, {rounds} rounds, {observer}", named(&graph));
                for promise in [&gd_appendix::PROMISE, &gd_appendix_exponent::PROMISE] {
                    let mut sum = BigRational::default();
                    for source in &sources {
                        sum += (promise.exact)(&inputs, source, &observer)?;
                    }
                    if order(&sum, &bound).is_gt() {
                        return Ok(Verdict::unconfirmed(case()));
                    }
                }
                for factors in 0..1_i64 << graph.nodes() {
                    // 1 everywhere is no reaction.
                    let reaction = (0..graph.nodes()).map(|w| Fraction::integer(factors >> w & 1));
                    let protocol = inputs.clone().reacting(reaction.collect())?;
                    let view = view(&protocol, &observer)?;
                    let mut sum = BigRational::default();
                    for source in &sources {
                        sum += view.loss(source)?.scalar;
                    }
                    let by_rank = whole(rounds * (view.rank() - rounds));
                    if order(&sum, &by_rank).is_gt() || order(&by_rank, &bound).is_gt() {
                        return Ok(Verdict::unconfirmed(case()));
                    }
                    cases += 1;
                }
            }
        }
    }
    Ok(Verdict::holds(format!(
        "{cases} observers and reactions on connected graphs up to 4 nodes, T <= 3, K <= 2"
    )))
}
