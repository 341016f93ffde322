//! More edges do not always mix better.

use super::{
    Claim, ClaimError, Kind, Recorded, Verdict, hand_check,
    instances::{metropolis, named, smallest},
    witness::{Comparison, Relation},
};
use muffliato_fast::{Enclosure, GapOptions, SparseWeights};
use muffliato_model::{Graph, Network};
use muffliato_reference::spectral::spectral_gap;

pub(super) const CLAIM: Claim = Claim {
    id: "more-edges",
    place: "Section 2.1, below the definition of the spectral gap",
    statement: "Adding an edge increases the spectral gap lambda_W.",
    method: "Metropolis weights (for weights of one's own choice the new edge can have weight 0): enclosed gaps of \
             all connected graphs up to 5 nodes, without and with each further edge, until it shrinks.",
    recorded: Recorded {
        kind: Kind::Refuted,
        evidence: "ring of 4 (0-1 0-3 1-2 2-3) and the edge 0-2: promised 0.666666..., true 1/2",
    },
    decide,
};

fn gap_again(network: &Network) -> Result<Enclosure, ClaimError> {
    let weights = SparseWeights::of_network(network)?;
    Ok(muffliato_fast::spectral_gap(&weights, &GapOptions::default(), &())?.certified)
}

fn decide() -> Result<Verdict, ClaimError> {
    let found = smallest(5, 1..=1, |graph, _| {
        let before = metropolis(graph)?;
        for (u, v) in (0..graph.nodes()).flat_map(|u| (0..u).map(move |v| (v, u))) {
            if graph.has_edge(u, v) {
                continue;
            }
            let edges = graph.edges().chain([(u, v)]);
            let after = metropolis(&Graph::try_new(graph.nodes(), edges)?)?;
            let compared = Comparison {
                relation: Relation::AtLeast,
                promised: spectral_gap(&before, 40)?,
                actual: spectral_gap(&after, 40)?,
            };
            if compared.fails() {
                let lines = vec![
                    format!("before: {}", hand_check::matrix(&before)?),
                    format!("after: {}", hand_check::matrix(&after)?),
                ];
                let instance = format!("{} and the edge {u}-{v}", named(graph));
                let (promised, actual) = (gap_again(&before)?, gap_again(&after)?);
                return compared
                    .witness(instance, lines, promised, actual)
                    .map(Some);
            }
        }
        Ok(None)
    })?;
    Ok(Verdict::unless(
        found,
        "every further edge of all connected graphs up to 5 nodes".into(),
    ))
}
