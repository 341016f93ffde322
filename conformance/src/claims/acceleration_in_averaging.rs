//! Accelerated averaging is post-processing of plain averaging.

use super::{
    Claim, ClaimError, Kind, Recorded, Verdict,
    instances::{graphs, named, one_shot, single_observers},
};
use muffliato_model::Fraction;
use muffliato_reference::Process;

pub(super) const CLAIM: Claim = Claim {
    id: "acceleration-in-averaging",
    place: "Section 3.2, above Corollary 1",
    statement: "Accelerated gossip is post-processing of plain gossip: an observer of either sees equally much.",
    method: "Ranks and exact leakages of every observer of all connected graphs up to 5 nodes, T <= 4, plain and with \
             g = 1, 5/4, 3/2 and 2.",
    recorded: Recorded {
        kind: Kind::Holds,
        evidence: "2192 views on connected graphs up to 5 nodes, T <= 4",
    },
    decide,
};

fn decide() -> Result<Verdict, ClaimError> {
    let parameters = [(1, 1), (5, 4), (3, 2), (2, 1)];
    let mut cases = 0;
    for graph in graphs(5) {
        for steps in 1..=4 {
            let plain = one_shot(&graph, steps)?;
            let process = Process::run(&plain)?;
            for (above, below) in parameters {
                let Ok(g) = Fraction::try_new(above, below) else {
                    continue;
                };
                let accelerated = Process::run(&plain.clone().accelerated(g)?)?;
                for observer in single_observers(&graph) {
                    let (one, other) = (process.view(&observer)?, accelerated.view(&observer)?);
                    if one.rank() != other.rank() || one.leakages()? != other.leakages()? {
                        let case = format!("{}, T = {steps}, g = {g}, {observer}", named(&graph));
                        return Ok(Verdict::unconfirmed(case));
                    }
                    cases += 1;
                }
            }
        }
    }
    Ok(Verdict::holds(format!(
        "{cases} views on connected graphs up to 5 nodes, T <= 4"
    )))
}
