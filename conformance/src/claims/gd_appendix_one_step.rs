//! For one step a round, no violation of the appendix's bound with the corrected exponent is known.

use super::{
    Claim, ClaimError, Kind, Recorded, Verdict,
    gd_appendix_exponent::PROMISE,
    instances::{descent, graphs, named, single_observers, view},
    pairs::each_source,
};
use muffliato_reference::order;

pub(super) const CLAIM: Claim = Claim {
    id: "gd-appendix-one-step",
    place: "Theorem 11 with exponent K, for K = 1",
    statement: "With one gossip step a round the loss is at most the appendix's sum with the exponent K.",
    method: "Exact loss (gradients as inputs) of every pair, 2 to 4 rounds on all connected graphs up to 5 nodes.",
    recorded: Recorded {
        kind: Kind::Open,
        evidence: "no violation in 2 to 4 rounds of one step on all connected graphs up to 5 nodes",
    },
    decide,
};

fn decide() -> Result<Verdict, ClaimError> {
    for graph in graphs(5) {
        for rounds in 2..=4 {
            let protocol = descent(&graph, rounds, 1)?;
            for observer in single_observers(&graph) {
                let view = view(&protocol, &observer)?;
                for source in each_source(&graph, &observer) {
                    let bound = (PROMISE.exact)(&protocol, &source, &observer)?;
                    if order(&view.loss(&source)?.scalar, &bound).is_gt() {
                        let case = format!("{}, {rounds} rounds, {observer}", named(&graph));
                        return Ok(Verdict::unconfirmed(case));
                    }
                }
            }
        }
    }
    Ok(Verdict::Open {
        search: "no violation in 2 to 4 rounds of one step on all connected graphs up to 5 nodes"
            .into(),
    })
}
