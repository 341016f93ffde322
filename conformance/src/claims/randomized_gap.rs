//! The gap of randomized gossip is not that of the gossip matrix.

use super::{
    Claim, ClaimError, Kind, Recorded, Verdict,
    instances::{graphs, metropolis, named, smallest, whole},
    randomized::{intensities, intensities_again},
    witness::{Comparison, Relation},
};
use muffliato_fast::{Enclosure, GapOptions, SparseWeights};
use muffliato_reference::{
    BigRational, GossipMatrix,
    enclosure::{Interval, eigenvalue},
    spectral::{randomized_gap, spectral_gap},
};
use num_traits::One;

pub(super) const CLAIM: Claim = Claim {
    id: "randomized-gap",
    place: "Section 3.3, below Theorem 3",
    statement: "With p_uv = 2 W_uv / n the gap lambda(p) equals 2 lambda_W / n.",
    method: "Both enclosed in rationals (Metropolis weights) on all connected graphs up to 6 nodes until they differ: \
             lambda_W also looks at the negative end of the spectrum. Then 2 (1 - lambda_2) / n, with the second largest \
             eigenvalue alone, up to 5 nodes and 40 bits.",
    recorded: Recorded {
        kind: Kind::HoldsCorrected,
        evidence: "6 nodes (0-1 0-3 0-5 1-2 1-4 2-3 2-5 3-4 4-5): promised 1/6, true 1/4. Holds as 2 (1 - lambda_2) \
                  / n: 30 connected graphs up to 5 nodes",
    },
    decide,
};

const BITS: u32 = 40;

fn decide() -> Result<Verdict, ClaimError> {
    let found = smallest(6, 1..=1, |graph, _| {
        let network = metropolis(graph)?;
        let scale = Interval::exact(whole(2) / whole(graph.nodes()));
        let compared = Comparison {
            relation: Relation::Equal,
            promised: &spectral_gap(&network, BITS)? * &scale,
            actual: randomized_gap(graph, &intensities(graph)?, BITS)?,
        };
        if !compared.fails() {
            return Ok(None);
        }
        let weights = SparseWeights::of_network(&network)?;
        let gap = muffliato_fast::spectral_gap(&weights, &GapOptions::default(), &())?;
        let scale = 2.0 / graph.nodes() as f64;
        let ends = (gap.certified.lower() * scale, gap.certified.upper() * scale);
        let promised = Enclosure::try_new(ends.0.next_down(), ends.1.next_up());
        let (_, actual) = intensities_again(graph)?;
        let lines = vec![
            super::hand_check::matrix(&network)?,
            format!(
                "the smallest eigenvalue is the larger one in size: {:?}",
                gap.end
            ),
        ];
        let promised = promised.unwrap_or(gap.certified);
        compared
            .witness(named(graph), lines, promised, actual)
            .map(Some)
    })?;
    let mut cases = 0;
    for graph in graphs(5) {
        let w = GossipMatrix::of_network(&metropolis(&graph)?)?;
        let n = graph.nodes();
        let second = eigenvalue(n, w.numerators(), w.denominator(), 2, BITS);
        let second = second.ok_or_else(|| ClaimError::Undecided {
            instance: named(&graph),
        })?;
        let scale = Interval::exact(whole(2) / whole(n));
        let corrected = &(&Interval::exact(BigRational::one()) - &second) * &scale;
        let gap = randomized_gap(&graph, &intensities(&graph)?, BITS)?;
        if corrected
            .compare(&gap)
            .is_some_and(|ordering| ordering.is_ne())
        {
            return Ok(Verdict::unconfirmed(named(&graph)));
        }
        cases += 1;
    }
    let checked = format!("{cases} connected graphs up to 5 nodes");
    Ok(Verdict::corrected(
        found,
        "as 2 (1 - lambda_2) / n",
        checked,
    ))
}
