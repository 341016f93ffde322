//! A coalition next to everybody learns everything, and others do too.

use super::{
    Claim, ClaimError, Kind, Recorded, Verdict,
    instances::{coalitions, graphs, named, one_shot, single_observers},
};
use muffliato_reference::Process;
use num_traits::One;

pub(super) const CLAIM: Claim = Claim {
    id: "dominating-coalition",
    place: "Appendix G.1, discussion",
    statement: "A coalition that dominates the graph (everybody outside is a neighbour) sees all messages: nobody has \
                amplification, every loss is 1.",
    method: "Exact leakages towards every set of observers on all connected graphs up to 5 nodes, T <= 4: all 1 for \
             dominating sets. How many other sets see everything is counted.",
    recorded: Recorded {
        kind: Kind::Holds,
        evidence: "2096 dominating sets on connected graphs up to 5 nodes, T <= 4; not only they: 456 of 816 other \
                  sets see everything too",
    },
    decide,
};

fn decide() -> Result<Verdict, ClaimError> {
    let (mut dominating, mut others, mut seeing) = (0, 0, 0);
    for graph in graphs(5) {
        for steps in 1..=4 {
            let process = Process::run(&one_shot(&graph, steps)?)?;
            let mut observers = single_observers(&graph);
            observers.extend(coalitions(&graph)?);
            for observer in observers {
                let distances = graph.distances_from_any(observer.members());
                let dominates = distances.iter().all(|&d| d <= Some(1));
                let leakages = process.view(&observer)?.leakages()?;
                let everything = leakages.iter().flatten().all(One::is_one);
                if dominates && !everything {
                    let case = format!("{}, T = {steps}, {observer}", named(&graph));
                    return Ok(Verdict::unconfirmed(case));
                }
                dominating += usize::from(dominates);
                others += usize::from(!dominates);
                seeing += usize::from(!dominates && everything);
            }
        }
    }
    Ok(Verdict::holds(format!(
        "{dominating} dominating sets on connected graphs up to 5 nodes, T <= 4; not only they: {seeing} of {others} other sets see everything too"
    )))
}
