//! Theorem 1 is said to be tight.

use super::{
    Claim, ClaimError, Kind, Recorded, Verdict, hand_check,
    instances::{loss_again, named, one_shot, single_observers, smallest, view},
    pairs::{THEOREM_1, each_source},
    witness::{Comparison, Relation},
};
use muffliato_reference::{PaperBounds, enclosure::Interval};

pub(super) const CLAIM: Claim = Claim {
    id: "theorem-1-tight",
    place: "Section 3.1, below Theorem 1",
    statement: "f(u,v) is a tight computation of the loss: it equals the loss.",
    method: "Exact leakage of every pair, compared with f(u,v), on all connected graphs up to 6 nodes and up to 6 steps \
             until the two differ.",
    recorded: Recorded {
        kind: Kind::Refuted,
        evidence: "path of 2 (0-1), T = 2, 1 -> full:0: promised 3/2, true 1",
    },
    decide,
};

fn decide() -> Result<Verdict, ClaimError> {
    let found = smallest(6, 1..=6, |graph, steps| {
        let protocol = one_shot(graph, steps)?;
        let bounds = PaperBounds::of(&protocol)?;
        for observer in single_observers(graph) {
            let view = view(&protocol, &observer)?;
            for group in each_source(graph, &observer) {
                let compared = Comparison {
                    relation: Relation::Equal,
                    promised: Interval::exact(bounds.group(&group, &observer)?),
                    actual: Interval::exact(view.loss(&group)?.scalar),
                };
                if !compared.fails() {
                    continue;
                }
                let mut lines = hand_check::charges(&protocol, &group, &observer)?;
                lines.extend(hand_check::deconvolution(&protocol, &group, &observer)?);
                let instance = format!("{}, T = {steps}, {} -> {observer}", named(graph), group[0]);
                let promised = (THEOREM_1.again)(&protocol, &group, &observer)?;
                let actual = loss_again(&protocol, &group, &observer)?;
                return compared
                    .witness(instance, lines, promised, actual)
                    .map(Some);
            }
        }
        Ok(None)
    })?;
    Ok(Verdict::unless(
        found,
        "all connected graphs up to 6 nodes, T <= 6".into(),
    ))
}
