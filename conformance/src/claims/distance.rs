//! More distance is not more privacy.

use super::{
    Claim, ClaimError, Kind, Recorded, Verdict, hand_check,
    instances::{loss_again, metropolis, named, one_shot, single_observers, smallest},
    pairs::{both_views, each_source, in_both_views},
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
        evidence: "5 nodes (0-1 1-3 1-4 2-3 2-4), T = 3, full:0, loss of the nearer 3 as promise for 2: promised 1/2, true 1 \
                  (paper's view: promised 5/14, true 6/7)",
    },
    decide,
};

fn decide() -> Result<Verdict, ClaimError> {
    let found = smallest(6, 1..=6, |graph, steps| {
        let protocol = one_shot(graph, steps)?;
        for observer in single_observers(graph) {
            let Some(views) = both_views(&protocol, &observer)? else {
                continue;
            };
            let distances = graph.distances_from_any(observer.members());
            let sources = each_source(graph, &observer).concat();
            for (&far, &near) in sources
                .iter()
                .flat_map(|far| sources.iter().map(move |near| (far, near)))
            {
                if distances[far] <= distances[near] {
                    continue;
                }
                let found = in_both_views(
                    &views,
                    |view| Ok(Comparison::at_most(view.leakage(far)?, view.leakage(near)?)),
                    |view| {
                        let promised = loss_again(&protocol, &[near], view.observer())?;
                        Ok([promised, loss_again(&protocol, &[far], view.observer())?])
                    },
                    || {
                        let mut lines = vec![hand_check::matrix(&metropolis(graph)?)?];
                        for node in [near, far] {
                            let away = distances[node].unwrap_or_default();
                            lines.push(format!("{node} at distance {away}:"));
                            lines.extend(hand_check::deconvolution(&protocol, &[node], &observer)?);
                        }
                        let instance = format!(
                            "{}, T = {steps}, {observer}, loss of the nearer {near} as promise for {far}",
                            named(graph)
                        );
                        Ok((instance, lines))
                    },
                )?;
                if found.is_some() {
                    return Ok(found);
                }
            }
        }
        Ok(None)
    })?;
    Ok(Verdict::unless(
        found,
        "all connected graphs up to 6 nodes, T <= 6, paper's view".into(),
    ))
}
