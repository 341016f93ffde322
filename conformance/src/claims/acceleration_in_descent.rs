//! In gradient descent acceleration is no post-processing: noise enters between the rounds.

use super::{
    Claim, ClaimError, Kind, Recorded, Verdict, hand_check,
    instances::{descent, loss_again, named, single_observers, smallest, view},
    pairs::each_source,
    witness::Comparison,
};
use muffliato_model::Fraction;

pub(super) const CLAIM: Claim = Claim {
    id: "acceleration-in-descent",
    place: "Theorem 6 with Algorithm 3 (Section 4)",
    statement: "The accelerated gossip of Muffliato-GD is post-processing of the plain one: it leaks at most as much.",
    method: "Exact losses (gradients as inputs) with g = 5/4 and without, two rounds of K = 1 to 4 steps on all \
             connected graphs up to 6 nodes, until the accelerated one is larger.",
    recorded: Recorded {
        kind: Kind::Refuted,
        evidence: "path of 4 (0-1 0-3 1-2), two rounds, K = 2, g = 5/4, 3 -> full:2: promised 10/91, true 125/773",
    },
    decide,
};

fn decide() -> Result<Verdict, ClaimError> {
    let found = smallest(6, 1..=4, |graph, k| {
        let plain = descent(graph, 2, k)?;
        let Ok(g) = Fraction::try_new(5, 4) else {
            return Ok(None);
        };
        let accelerated = plain.clone().accelerated(g)?;
        for observer in single_observers(graph) {
            let (one, other) = (view(&plain, &observer)?, view(&accelerated, &observer)?);
            for group in each_source(graph, &observer) {
                let compared =
                    Comparison::at_most(other.loss(&group)?.scalar, one.loss(&group)?.scalar);
                if !compared.fails() {
                    continue;
                }
                let mut lines = vec!["plain:".to_string()];
                lines.extend(hand_check::deconvolution(&plain, &group, &observer)?);
                lines.push("accelerated:".to_string());
                lines.extend(hand_check::deconvolution(&accelerated, &group, &observer)?);
                let instance = format!(
                    "{}, two rounds, K = {k}, g = 5/4, {} -> {observer}",
                    named(graph),
                    group[0]
                );
                let promised = loss_again(&plain, &group, &observer)?;
                let actual = loss_again(&accelerated, &group, &observer)?;
                return compared
                    .witness(instance, lines, promised, actual)
                    .map(Some);
            }
        }
        Ok(None)
    })?;
    Ok(Verdict::unless(
        found,
        "two rounds of up to 4 steps on all connected graphs up to 6 nodes, g = 5/4".into(),
    ))
}
