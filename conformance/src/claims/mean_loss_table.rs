//! The mean loss from which Table 1 is derived is printed with an n too many.

use super::{
    Claim, ClaimError, Kind, Recorded, Verdict, hand_check,
    instances::{graphs, named, one_shot, single_observers, smallest, whole},
    pairs::each_source,
    witness::{Comparison, Relation, estimate},
};
use muffliato_reference::{PaperBounds, enclosure::Interval, order};

pub(super) const CLAIM: Claim = Claim {
    id: "mean-loss-table",
    place: "Appendix C.3",
    statement: "After T steps the mean loss towards v is d_v T/n^2.",
    method: "(1/n) sum over u != v of f(u,v) as a fraction on all connected graphs up to 6 nodes, T <= 4, until it \
             differs; then at most d_v T/n everywhere, which is what the first row of Table 1 needs.",
    recorded: Recorded {
        kind: Kind::HoldsCorrected,
        evidence: "path of 2 (0-1), T = 1, full:0: promised 1/4, true 1/2. Holds as \"at most d_v T/n\": 3236 observers on \
                  connected graphs up to 6 nodes, T <= 4",
    },
    decide,
};

fn decide() -> Result<Verdict, ClaimError> {
    let found = smallest(6, 1..=4, |graph, steps| {
        let protocol = one_shot(graph, steps)?;
        let bounds = PaperBounds::of(&protocol)?;
        let n = graph.nodes();
        for observer in single_observers(graph) {
            let messages = steps * graph.degree(observer.members()[0]);
            let compared = Comparison {
                relation: Relation::Equal,
                promised: Interval::exact(whole(messages) / whole(n * n)),
                actual: Interval::exact(bounds.mean_loss(&observer)?),
            };
            if !compared.fails() {
                continue;
            }
            let mut lines = Vec::new();
            for source in each_source(graph, &observer) {
                lines.push(format!("{} -> {observer}", source[0]));
                lines.extend(hand_check::charges(&protocol, &source, &observer)?);
            }
            let promised = estimate(messages as f64 / (n * n) as f64);
            let again = muffliato_fast::bounds::PaperBounds::of(&protocol)?;
            let actual = again.mean_loss(&observer, &())?;
            let instance = format!("{}, T = {steps}, {observer}", named(graph));
            return compared
                .witness(instance, lines, promised, actual)
                .map(Some);
        }
        Ok(None)
    })?;
    let mut cases = 0;
    for graph in graphs(6) {
        for steps in 1..=4 {
            let bounds = PaperBounds::of(&one_shot(&graph, steps)?)?;
            for observer in single_observers(&graph) {
                let messages = steps * graph.degree(observer.members()[0]);
                let bound = whole(messages) / whole(graph.nodes());
                if order(&bounds.mean_loss(&observer)?, &bound).is_gt() {
                    let case = format!("{}, T = {steps}, {observer}", named(&graph));
                    return Ok(Verdict::unconfirmed(case));
                }
                cases += 1;
            }
        }
    }
    let checked = format!("{cases} observers on connected graphs up to 6 nodes, T <= 4");
    Ok(Verdict::corrected(found, "as \"at most d_v T/n\"", checked))
}
