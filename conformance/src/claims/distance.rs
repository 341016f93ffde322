//! More distance is not more privacy.

use super::{
    Claim, ClaimError, Kind, Recorded, Verdict, hand_check,
    instances::{loss_again, named, one_shot, single_observers, smallest, view},
    witness::Comparison,
};

pub(super) const CLAIM: Claim = Claim {
    id: "distance",
    place: "Abstract; Section 1.1 (ii)",
    statement: "The loss towards v shrinks as the distance to v grows: who is farther away loses at most as much.",
    method: "Exact leakages of all sources towards every observer of all connected graphs up to 6 nodes, T <= 6, until \
             a source loses more than one that is nearer.",
    recorded: Recorded {
        kind: Kind::Refuted,
        evidence: "5 nodes (0-1 1-3 1-4 2-3 2-4), T = 3, full:0, loss of the nearer 3 as promise for 2: promised \
                  1/2, true 1",
    },
    decide,
};

fn decide() -> Result<Verdict, ClaimError> {
    let found = smallest(6, 1..=6, |graph, steps| {
        let protocol = one_shot(graph, steps)?;
        for observer in single_observers(graph) {
            let leakages = view(&protocol, &observer)?.leakages()?;
            let distances = graph.distances_from_any(observer.members());
            for (far, lost) in leakages.iter().enumerate() {
                for (near, kept) in leakages.iter().enumerate() {
                    let (Some(lost), Some(kept)) = (lost, kept) else {
                        continue;
                    };
                    let compared = Comparison::at_most(lost.clone(), kept.clone());
                    if distances[far] <= distances[near] || !compared.fails() {
                        continue;
                    }
                    let mut lines = vec![match protocol.fixed_network() {
                        Some(network) => hand_check::matrix(network)?,
                        None => String::new(),
                    }];
                    lines.push(format!("{near} at distance {:?}:", distances[near]));
                    lines.extend(hand_check::deconvolution(&protocol, &[near], &observer)?);
                    lines.push(format!("{far} at distance {:?}:", distances[far]));
                    lines.extend(hand_check::deconvolution(&protocol, &[far], &observer)?);
                    let instance = format!(
                        "{}, T = {steps}, {observer}, loss of the nearer {near} as promise for {far}",
                        named(graph)
                    );
                    let promised = loss_again(&protocol, &[near], &observer)?;
                    let actual = loss_again(&protocol, &[far], &observer)?;
                    return compared
                        .witness(instance, lines, promised, actual)
                        .map(Some);
                }
            }
        }
        Ok(None)
    })?;
    Ok(Verdict::unless(
        found,
        "all connected graphs up to 6 nodes, T <= 6".into(),
    ))
}
