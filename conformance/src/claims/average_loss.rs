//! What survives of the paper's privacy statements: the average.

use super::{
    Claim, ClaimError, Kind, Recorded, Verdict,
    instances::{graphs, named, one_shot, single_observers, whole},
};
use muffliato_reference::{BigRational, Process};

pub(super) const CLAIM: Claim = Claim {
    id: "average-loss",
    place: "Section 3.1, equation (7), as a statement about the true loss",
    statement: "The average over u of the true loss towards v is at most T_v/n.",
    method: "Exact leakages of all sources for every observer of all connected graphs up to 6 nodes, T <= 4: their sum \
             is the rank of what v sees less one, and that is at most T_v.",
    recorded: Recorded {
        kind: Kind::Holds,
        evidence: "3236 observers on connected graphs up to 6 nodes, T <= 4; the sum is rank - 1, below T_v for \
                  2056",
    },
    decide,
};

fn decide() -> Result<Verdict, ClaimError> {
    let (mut cases, mut strict) = (0, 0);
    for graph in graphs(6) {
        for steps in 1..=4 {
            let process = Process::run(&one_shot(&graph, steps)?)?;
            for observer in single_observers(&graph) {
                let view = process.view(&observer)?;
                let sum: BigRational = view.leakages()?.into_iter().flatten().sum();
                let (rank, messages) = (view.rank(), view.messages());
                if sum != whole(rank - 1) || rank > messages + 1 {
                    let case = format!("{}, T = {steps}, {observer}: {sum}", named(&graph));
                    return Ok(Verdict::unconfirmed(case));
                }
                cases += 1;
                strict += usize::from(rank <= messages);
            }
        }
    }
    Ok(Verdict::holds(format!(
        "{cases} observers on connected graphs up to 6 nodes, T <= 4; the sum is rank - 1, below T_v for {strict}"
    )))
}
