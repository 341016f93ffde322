//! Gradients react to what nodes hear: treating them as fixed inputs does not cover real losses.

use super::{
    Claim, ClaimError, Kind, Recorded, Verdict, hand_check,
    instances::{descent, loss_again, named, single_observers, smallest, view},
    pairs::each_source,
    witness::Comparison,
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
        evidence: "path of 3 (0-1 0-2), K = 1, 2 rounds, 1 - nu a = (0 0 0), 0 -> full:1: promised 19/10, true 2",
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
            let reacting = inputs.clone().reacting(reaction.clone())?;
            for observer in single_observers(graph) {
                let (fixed, real) = (view(&inputs, &observer)?, view(&reacting, &observer)?);
                for group in each_source(graph, &observer) {
                    let compared =
                        Comparison::at_most(real.loss(&group)?.scalar, fixed.loss(&group)?.scalar);
                    if !compared.fails() {
                        continue;
                    }
                    let mut lines = vec!["gradients as inputs:".to_string()];
                    lines.extend(hand_check::deconvolution(&inputs, &group, &observer)?);
                    lines.push("quadratic losses:".to_string());
                    lines.extend(hand_check::deconvolution(&reacting, &group, &observer)?);
                    let factors: Vec<_> = reaction.iter().map(Fraction::to_string).collect();
                    let instance = format!(
                        "{}, K = 1, {rounds} rounds, 1 - nu a = ({}), {} -> {observer}",
                        named(graph),
                        factors.join(" "),
                        group[0]
                    );
                    let promised = loss_again(&inputs, &group, &observer)?;
                    let actual = loss_again(&reacting, &group, &observer)?;
                    return compared
                        .witness(instance, lines, promised, actual)
                        .map(Some);
                }
            }
        }
        Ok(None)
    })?;
    Ok(Verdict::unless(
        found,
        "K = 1, 2 to 4 rounds on all connected graphs up to 4 nodes".into(),
    ))
}
