//! Theorem 1 is said to be tight.

use super::{
    Claim, ClaimError, Kind, Recorded, Verdict, hand_check,
    instances::{loss_again, named, one_shot, single_observers, smallest},
    pairs::{THEOREM_1, both_views, each_source, in_both_views},
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
        evidence: "path of 2 (0-1), T = 2, 1 -> full:0: promised 3/2, true 1 (paper's view: 1)",
    },
    decide,
};

fn decide() -> Result<Verdict, ClaimError> {
    let found = smallest(6, 1..=6, |graph, steps| {
        let protocol = one_shot(graph, steps)?;
        let bounds = PaperBounds::of(&protocol)?;
        for observer in single_observers(graph) {
            let Some(views) = both_views(&protocol, &observer)? else {
                continue;
            };
            for group in each_source(graph, &observer) {
                let promised = Interval::exact(bounds.group(&group, &observer)?);
                let found = in_both_views(
                    &views,
                    |view| {
                        Ok(Comparison {
                            relation: Relation::Equal,
                            promised: promised.clone(),
                            actual: Interval::exact(view.loss(&group)?.scalar),
                        })
                    },
                    |view| {
                        let promised = (THEOREM_1.again)(&protocol, &group, &observer)?;
                        Ok([promised, loss_again(&protocol, &group, view.observer())?])
                    },
                    || {
                        let mut lines = hand_check::charges(&protocol, &group, &observer)?;
                        lines.extend(hand_check::deconvolution(&protocol, &group, &observer)?);
                        let source = group[0];
                        let instance =
                            format!("{}, T = {steps}, {source} -> {observer}", named(graph));
                        Ok((instance, lines))
                    },
                )?;
                if found.is_some() {
                    return Ok(found);
                }
            }
        }
        Ok(None)
    })?;
    Ok(Verdict::unless(
        found,
        "all connected graphs up to 6 nodes, T <= 6, paper's view".into(),
    ))
}
