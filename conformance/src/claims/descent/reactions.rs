//! Leakage of gradient descent beyond its inputs.

use crate::claims::{
    Claim, ClaimError, Verdict, Weight,
    instances::{descent, smallest},
    search::larger_loss,
};
use muffliato_model::Fraction;

/// Gradients react to what nodes receive: treating them as fixed inputs does not cover real losses.
pub(in crate::claims) const INPUT_MODEL: Claim = Claim {
    id: "gd-input-model",
    place: "Appendix F.2, proof of Theorem 11",
    weight: Weight::Remark,
    statement: "The leakage of gradient descent is that of its gradients, taken as inputs of the \
                gossip.",
    method: "Quadratic losses are used, whose reaction 1 - nu a_w is 0 for some nodes and 1 for \
             others: the exact loss with the reaction is compared with the exact loss without it, \
             K = 1, 2 to 4 rounds on all connected graphs up to 4 nodes, until it is larger.",
    decide: input_model,
};

fn input_model() -> Result<Verdict, ClaimError> {
    Verdict::of_search(smallest(4, 2..=4, |graph, rounds| {
        let inputs = descent(graph, rounds, 1)?;
        for factors in 0..(1_i64 << graph.nodes()) - 1 {
            let reaction: Vec<_> = (0..graph.nodes())
                .map(|w| Fraction::integer(factors >> w & 1))
                .collect();
            let factors: Vec<_> = reaction.iter().map(Fraction::to_string).collect();
            let what = format!("K = 1, {rounds} rounds, 1 - nu a = ({})", factors.join(" "));
            let reacting = inputs.clone().reacting(reaction)?;
            let fixed = ("gradients as inputs", &inputs);
            let real = ("quadratic losses", &reacting);
            larger_loss(graph, &what, fixed, real)?;
        }
        Ok(())
    }))
}

/// In gradient descent acceleration is not post-processing, since noise enters between the rounds.
pub(in crate::claims) const ACCELERATION: Claim = Claim {
    id: "acceleration-in-descent",
    place: "Section 4: Algorithm 3 accelerates, Theorem 6 accounts for plain gossip (a remark)",
    weight: Weight::Remark,
    statement: "The accelerated gossip of Muffliato-GD is post-processing of plain gossip: it \
                leaks at most as much. The paper says so about averaging (Section 3.2) and leaves \
                it to the reader for gradient descent.",
    method: "Exact losses (with gradients as inputs) are compared with g = 5/4 and without \
             acceleration, for two rounds of K = 1 to 4 steps on all connected graphs up to 6 \
             nodes, until the accelerated loss is larger.",
    decide: acceleration,
};

fn acceleration() -> Result<Verdict, ClaimError> {
    let g = Fraction::try_new(5, 4)?;
    Verdict::of_search(smallest(6, 1..=4, |graph, k| {
        let plain = descent(graph, 2, k)?;
        let accelerated = plain.clone().accelerated(g)?;
        let what = format!("two rounds, K = {k}, g = 5/4");
        let (plain, other) = (("plain", &plain), ("accelerated", &accelerated));
        larger_loss(graph, &what, plain, other)
    }))
}
