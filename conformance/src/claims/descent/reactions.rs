//! Leakage of gradient descent beyond its inputs.

use crate::claims::prelude::*;

/// Gradients react to what nodes receive: treating them as fixed inputs does not cover real losses.
pub(in crate::claims) fn input_model() -> Result<Verdict, ClaimError> {
    Verdict::of_search(smallest(4, 2..=4, |graph, rounds| {
        let inputs = descent(graph, rounds, 1)?;
        for factors in 0..(1_i64 << graph.nodes()) - 1 {
            let reaction: Vec<_> =
                (0..graph.nodes()).map(|w| Fraction::integer(factors >> w & 1)).collect();
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
pub(in crate::claims) fn acceleration() -> Result<Verdict, ClaimError> {
    let g = Fraction::try_new(5, 4)?;
    Verdict::of_search(smallest(6, 1..=4, |graph, k| {
        let plain = descent(graph, 2, k)?;
        let accelerated = plain.clone().accelerated(g)?;
        let what = format!("two rounds, K = {k}, g = 5/4");
        let (plain, other) = (("plain", &plain), ("accelerated", &accelerated));
        larger_loss(graph, &what, plain, other)
    }))
}
