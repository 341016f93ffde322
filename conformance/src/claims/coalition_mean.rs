//! The average survives collusion.

use super::{
    Claim, ClaimError, Kind, Recorded, Verdict,
    instances::{coalitions, graphs, named, one_shot, whole},
};
use muffliato_reference::{BigRational, PaperBounds, Process, order};

pub(super) const CLAIM: Claim = Claim {
    id: "coalition-mean",
    place: "Theorem 12, equation for the mean (Appendix G.1)",
    statement: "Averaged over u outside V, both the bound and the true loss towards a coalition V are at most 1/n times \
                the number of messages that V receives from outside.",
    method: "Both averages as fractions for every coalition of at least two nodes on all connected graphs up to 5 \
             nodes, T <= 3.",
    recorded: Recorded {
        kind: Kind::Holds,
        evidence: "1773 coalitions on connected graphs up to 5 nodes, T <= 3",
    },
    decide,
};

fn decide() -> Result<Verdict, ClaimError> {
    let mut cases = 0;
    for graph in graphs(5) {
        for steps in 1..=3 {
            let protocol = one_shot(&graph, steps)?;
            let (bounds, process) = (PaperBounds::of(&protocol)?, Process::run(&protocol)?);
            for coalition in coalitions(&graph)? {
                let messages = whole(protocol.messages_to(&coalition)?);
                let claimed = bounds.mean_loss(&coalition)? * whole(graph.nodes());
                let leakages = process.view(&coalition)?.leakages()?;
                let sum: BigRational = leakages.into_iter().flatten().sum();
                if order(&claimed, &messages).is_gt() || order(&sum, &messages).is_gt() {
                    let case = format!("{}, T = {steps}, {coalition}", named(&graph));
                    return Ok(Verdict::unconfirmed(case));
                }
                cases += 1;
            }
        }
    }
    Ok(Verdict::holds(format!(
        "{cases} coalitions on connected graphs up to 5 nodes, T <= 3"
    )))
}
