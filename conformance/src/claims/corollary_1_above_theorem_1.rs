//! Corollary 1 is weaker than Theorem 1, as it should be.

use super::{
    Claim, ClaimError, Kind, Recorded, Verdict,
    instances::{graphs, named, one_shot, single_observers},
    pairs::{RANDOM_WALK, THEOREM_1, each_source},
};
use muffliato_reference::order;

pub(super) const CLAIM: Claim = Claim {
    id: "corollary-1-above-theorem-1",
    place: "Appendix C.2",
    statement: "The random-walk bound of Corollary 1 is at least f(u,v) of Theorem 1.",
    method: "Both as fractions for every pair on all connected graphs up to 6 nodes, T <= 3.",
    recorded: Recorded {
        kind: Kind::Holds,
        evidence: "11598 pairs on connected graphs up to 6 nodes, T <= 3; 2166 with equality",
    },
    decide,
};

fn decide() -> Result<Verdict, ClaimError> {
    let (mut cases, mut equal) = (0, 0);
    for graph in graphs(6) {
        for steps in 1..=3 {
            let protocol = one_shot(&graph, steps)?;
            for observer in single_observers(&graph) {
                for group in each_source(&graph, &observer) {
                    let walk = (RANDOM_WALK.exact)(&protocol, &group, &observer)?;
                    let sum = (THEOREM_1.exact)(&protocol, &group, &observer)?;
                    if order(&walk, &sum).is_lt() {
                        let case = format!(
                            "{}, T = {steps}, {} -> {observer}: {walk} < {sum}",
                            named(&graph),
                            group[0]
                        );
                        return Ok(Verdict::unconfirmed(case));
                    }
                    cases += 1;
                    equal += usize::from(walk == sum);
                }
            }
        }
    }
    Ok(Verdict::holds(format!(
        "{cases} pairs on connected graphs up to 6 nodes, T <= 3; {equal} with equality"
    )))
}
