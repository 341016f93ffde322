//! Gradients react to what nodes hear: treating them as fixed inputs does not cover real losses.

use super::{
    Claim, ClaimError, Kind, Recorded, Verdict,
    instances::{descent, smallest},
    pairs::larger_loss,
};
use muffliato_model::Fraction;

pub(super) const CLAIM: Claim = Claim {
    id: "gd-input-model",
    place: "Appendix F.2, proof of Theorem 11",
    statement: "The leak of gradient descent is that of its gradients, taken as inputs to the gossip.",
    method: "Quadratic losses, whose reaction 1 - nu a_w is 0 for some nodes and 1 for others: exact loss with the \
             reaction, compared with the exact loss without, K = 1, 2 to 4 rounds on all connected graphs up to 4 \
             nodes, until it is larger.",
    recorded: Recorded {
        kind: Kind::Refuted,
        evidence: "path of 3 (0-1 0-2), K = 1, 2 rounds, 1 - nu a = (0 0 0), 0 -> full:1: promised 19/10, true 2 (paper's \
                  view: promised 20/11, true 2)",
    },
    decide,
};

fn decide() -> Result<Verdict, ClaimError> {
    let found = smallest(4, 2..=4, |graph, rounds| {
        let inputs = descent(graph, rounds, 1)?;
        for factors in 0..(1_i64 << graph.nodes()) - 1 {
            let reaction: Vec<_> = (0..graph.nodes())
                .map(|w| Fraction::integer(factors >> w & 1))
                .collect();
            let factors: Vec<_> = reaction.iter().map(Fraction::to_string).collect();
            let what = format!("K = 1, {rounds} rounds, 1 - nu a = ({})", factors.join(" "));
            let reacting = inputs.clone().reacting(reaction)?;
            let (fixed, real) = (
                ("gradients as inputs", &inputs),
                ("quadratic losses", &reacting),
            );
            if let Some(found) = larger_loss(graph, &what, fixed, real)? {
                return Ok(Some(found));
            }
        }
        Ok(None)
    })?;
    Ok(Verdict::unless(
        found,
        "K = 1, 2 to 4 rounds on all connected graphs up to 4 nodes, paper's view".into(),
    ))
}
