//! The mean-loss identity.

use super::{
    Claim, ClaimError, Kind, Recorded, Verdict,
    instances::{graphs, named, one_shot, single_observers, whole},
};
use muffliato_reference::{BigRational, PaperBounds};

pub(super) const CLAIM: Claim = Claim {
    id: "mean-loss-identity",
    place: "Appendix B, proof of Theorem 1",
    statement: "Summed over all nodes u, v included, f(u,v) is exactly the number T_v of messages that v receives.",
    method: "Both sides as fractions for every observer of all connected graphs up to 6 nodes, T <= 4.",
    recorded: Recorded {
        kind: Kind::Holds,
        evidence: "3236 observers on connected graphs up to 6 nodes, T <= 4",
    },
    decide,
};

fn decide() -> Result<Verdict, ClaimError> {
    let mut cases = 0;
    for graph in graphs(6) {
        for steps in 1..=4 {
            let protocol = one_shot(&graph, steps)?;
            let bounds = PaperBounds::of(&protocol)?;
            for observer in single_observers(&graph) {
                let sum: BigRational = bounds.pairwise_all(&observer)?.iter().sum();
                if sum != whole(protocol.messages_to(&observer)?) {
                    let case = format!("{}, T = {steps}, {observer}: {sum}", named(&graph));
                    return Ok(Verdict::unconfirmed(case));
                }
                cases += 1;
            }
        }
    }
    Ok(Verdict::holds(format!(
        "{cases} observers on connected graphs up to 6 nodes, T <= 4"
    )))
}
