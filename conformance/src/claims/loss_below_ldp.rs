//! No loss is above the local one; the formula is.

use super::{
    Claim, ClaimError, Kind, Recorded, Verdict, hand_check,
    instances::{graphs, named, one_shot, single_observers, smallest, view},
    pairs::{THEOREM_1, each_source},
    witness::Comparison,
};
use muffliato_fast::Enclosure;
use muffliato_reference::{BigRational, PaperBounds};
use num_traits::One;

pub(super) const CLAIM: Claim = Claim {
    id: "loss-below-ldp",
    place: "Section 2.3, last paragraph",
    statement: "In the worst case the accounted loss f(u,v) is bounded by the local (LDP) loss, 1 in our units.",
    method: "f(u,v) of every pair on all connected graphs up to 6 nodes, T <= 4, until one exceeds 1; then the exact \
             leakage of every pair, which must not.",
    recorded: Recorded {
        kind: Kind::HoldsCorrected,
        evidence: "path of 2 (0-1), T = 2, 1 -> full:0: promised 1, true 3/2. Holds for the true loss, not for the \
                  formula: 15464 pairs on connected graphs up to 6 nodes, T <= 4",
    },
    decide,
};

fn decide() -> Result<Verdict, ClaimError> {
    let one = BigRational::one();
    let found = smallest(6, 1..=4, |graph, steps| {
        let protocol = one_shot(graph, steps)?;
        let bounds = PaperBounds::of(&protocol)?;
        for observer in single_observers(graph) {
            for group in each_source(graph, &observer) {
                let compared = Comparison::at_most(bounds.group(&group, &observer)?, one.clone());
                if compared.fails() {
                    let lines = hand_check::charges(&protocol, &group, &observer)?;
                    let instance =
                        format!("{}, T = {steps}, {} -> {observer}", named(graph), group[0]);
                    let actual = (THEOREM_1.again)(&protocol, &group, &observer)?;
                    return compared
                        .witness(instance, lines, Enclosure::exact(1.0), actual)
                        .map(Some);
                }
            }
        }
        Ok(None)
    })?;
    let mut cases = 0;
    for graph in graphs(6) {
        for steps in 1..=4 {
            let protocol = one_shot(&graph, steps)?;
            for observer in single_observers(&graph) {
                for leakage in view(&protocol, &observer)?
                    .leakages()?
                    .into_iter()
                    .flatten()
                {
                    if leakage > one {
                        let case = format!("{}, T = {steps}, {observer}: {leakage}", named(&graph));
                        return Ok(Verdict::unconfirmed(case));
                    }
                    cases += 1;
                }
            }
        }
    }
    let checked = format!("{cases} pairs on connected graphs up to 6 nodes, T <= 4");
    Ok(Verdict::corrected(
        found,
        "for the true loss, not for the formula",
        checked,
    ))
}
