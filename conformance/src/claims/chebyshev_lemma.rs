//! The contraction of Chebyshev polynomials fails near gap 1.

use super::{
    Claim, ClaimError, Kind, Recorded, Verdict,
    instances::{metropolis, named, ratio, smallest},
    witness::{Comparison, Relation, estimate},
};
use muffliato_fast::{SparseWeights, simulation::GossipState};
use muffliato_reference::{
    BigRational,
    enclosure::{Interval, sqrt},
    spectral::{acceleration, spectral_gap},
    utility::accelerated_error,
};
use num_traits::{One, Zero};

pub(super) const CLAIM: Claim = Claim {
    id: "chebyshev-lemma",
    place: "Appendix C.1, proof of Theorem 7",
    statement: "For y of mean 0, the squared norm of P_t(W) y is at most 2 (1 - sqrt(lambda_W))^t times that of y.",
    method: "Both sides enclosed for y = (1, -1, 0, ...) on all connected graphs up to 5 nodes, t <= 6, until the left \
             one is larger.",
    recorded: Recorded {
        kind: Kind::Refuted,
        evidence: "path of 2 (0-1), t = 2, y = (1, -1, 0, ...): promised 0, true 0.0103095...",
    },
    decide,
};

const BITS: u32 = 80;

fn decide() -> Result<Verdict, ClaimError> {
    let found = smallest(5, 1..=6, |graph, steps| {
        let network = metropolis(graph)?;
        let n = graph.nodes();
        let gap = spectral_gap(&network, BITS)?;
        let g = acceleration(&gap, BITS)?;
        let mut y = vec![ratio(0, 1); n];
        y[0] = ratio(1, 1);
        y[1] = ratio(-1, 1);
        let half = accelerated_error(&network, steps, &g, &y, &BigRational::zero(), BITS)?;
        let Some(root) = sqrt(&gap, BITS) else {
            return Ok(None);
        };
        let factor = &Interval::exact(BigRational::one()) - &root;
        let mut promised = Interval::exact(ratio(4, 1)); // 2 ||y||^2
        for _ in 0..steps {
            promised = (&promised * &factor).rounded(BITS);
        }
        let compared = Comparison {
            relation: Relation::AtMost,
            promised,
            actual: &half * &Interval::exact(ratio(2 * n as i64, 1)),
        };
        if !compared.fails() {
            return Ok(None);
        }
        let weights = SparseWeights::of_network(&network)?;
        let options = muffliato_fast::GapOptions::default();
        let gap = muffliato_fast::spectral_gap(&weights, &options, &())?.estimate;
        let g = muffliato_fast::acceleration(gap)?;
        let start = (0..n).map(|v| [1.0, -1.0].get(v).copied().unwrap_or(0.0));
        let mut state = GossipState::try_new(start.collect(), 1)?.accelerated(Some(g))?;
        for _ in 0..steps {
            state.mix(&weights)?;
        }
        let norm = state.values().iter().map(|y| y * y).sum();
        let bound = 4.0 * (1.0 - gap.sqrt()).powi(steps as i32);
        let lines = vec![
            super::hand_check::matrix(&network)?,
            format!("lambda_W = {gap:.6}, g = {g:.6}, P_2(W) = g W^2 + (1 - g) I"),
            "where W y = 0 this is (1 - g) y, not 0".into(),
        ];
        let text = format!("{}, t = {steps}, y = (1, -1, 0, ...)", named(graph));
        compared
            .witness(text, lines, estimate(bound), estimate(norm))
            .map(Some)
    })?;
    Ok(Verdict::unless(
        found,
        "all connected graphs up to 5 nodes, t <= 6".into(),
    ))
}
