//! The mean loss as the main text prints it: with an equality that only the sum over all nodes has.

use super::{
    Claim, ClaimError, Kind, Recorded, Verdict, hand_check,
    instances::{graphs, named, one_shot, single_observers, smallest, whole},
    witness::{Comparison, Relation},
};
use muffliato_fast::Enclosure;
use muffliato_reference::{PaperBounds, enclosure::Interval, order};

pub(super) const CLAIM: Claim = Claim {
    id: "mean-loss-printed",
    place: "Section 3.1, equation (7)",
    statement: "The mean loss (1/n) sum over u != v of f(u,v) equals T_v/n.",
    method: "Both sides as fractions on all connected graphs up to 6 nodes, T <= 4, until they differ; then with \
             \"at most\" in place of \"equals\" everywhere.",
    recorded: Recorded {
        kind: Kind::HoldsCorrected,
        evidence: "path of 2 (0-1), T = 2, full:0: promised 1, true 3/4. Holds with \"at most\" in place of \
                  \"equals\": 3236 observers on connected graphs up to 6 nodes, T <= 4",
    },
    decide,
};

fn decide() -> Result<Verdict, ClaimError> {
    let found = smallest(6, 1..=4, |graph, steps| {
        let protocol = one_shot(graph, steps)?;
        let bounds = PaperBounds::of(&protocol)?;
        for observer in single_observers(graph) {
            let messages = protocol.messages_to(&observer)?;
            let compared = Comparison {
                relation: Relation::Equal,
                promised: Interval::exact(whole(messages) / whole(graph.nodes())),
                actual: Interval::exact(bounds.mean_loss(&observer)?),
            };
            if compared.fails() {
                let mut lines = vec![format!("T_v/n = {messages}/{}", graph.nodes())];
                for u in (0..graph.nodes()).filter(|&u| !observer.contains(u)) {
                    lines.extend(hand_check::charges(&protocol, &[u], &observer)?);
                }
                let instance = format!("{}, T = {steps}, {observer}", named(graph));
                let promised = messages as f64 / graph.nodes() as f64;
                let promised = Enclosure::around(promised, 1, 1);
                let fast = muffliato_fast::bounds::PaperBounds::of(&protocol)?;
                let actual = fast.mean_loss(&observer, &())?;
                return compared
                    .witness(instance, lines, promised, actual)
                    .map(Some);
            }
        }
        Ok(None)
    })?;
    let mut cases = 0;
    for graph in graphs(6) {
        for steps in 1..=4 {
            let protocol = one_shot(&graph, steps)?;
            let bounds = PaperBounds::of(&protocol)?;
            for observer in single_observers(&graph) {
                let most = whole(protocol.messages_to(&observer)?) / whole(graph.nodes());
                let mean = bounds.mean_loss(&observer)?;
                if order(&mean, &most).is_gt() {
                    let case = format!("{}, T = {steps}, {observer}: {mean}", named(&graph));
                    return Ok(Verdict::unconfirmed(case));
                }
                cases += 1;
            }
        }
    }
    let checked = format!("{cases} observers on connected graphs up to 6 nodes, T <= 4");
    Ok(Verdict::corrected(
        found,
        "with \"at most\" in place of \"equals\"",
        checked,
    ))
}
