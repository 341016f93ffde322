//! The tail bound after the horizon is put in: the inequality points the other way.

use super::{
    Claim, ClaimError, Kind, Recorded, Verdict,
    binomial::{above_mean, tail, tail_again},
    instances::{metropolis, named, ratio, smallest, whole},
    witness::{Comparison, Relation, estimate},
};
use muffliato_fast::{GapOptions, SparseWeights};
use muffliato_reference::{
    BigRational, GossipMatrix,
    enclosure::{Interval, exp},
    spectral::spectral_gap,
};
use num_traits::{One, Signed, ToPrimitive};

pub(super) const CLAIM: Claim = Claim {
    id: "hoeffding-final",
    place: "Appendix D.2, the bound for T = T_stop >= 1/lambda(p)",
    statement: "For a horizon T >= 1/lambda(p) = n/(2 lambda_W) the probability that T_v exceeds its mean by C is at most \
                exp(-C^2 lambda_W / n).",
    method: "Exact binomial tails of T_v against a rational enclosure of the bound on all connected graphs up to 4 \
             nodes, n/(2 lambda_W) <= T <= 40, until one is larger. exp(-C^2/T) grows with T: a lower bound on T gives \
             no upper bound on it.",
    recorded: Recorded {
        kind: Kind::Refuted,
        evidence: "path of 2 (0-1), T = 6, v = 0, C = 3: promised 0.0111089..., true 1/64",
    },
    decide,
};

fn decide() -> Result<Verdict, ClaimError> {
    let found = smallest(4, 1..=40, |graph, trials| {
        let network = metropolis(graph)?;
        let (n, w) = (graph.nodes(), GossipMatrix::of_network(&network)?);
        let gap = spectral_gap(&network, 60)?;
        let horizon = whole(2 * trials) * gap.lower();
        if horizon < whole(n) {
            return Ok(None);
        }
        for v in 0..n {
            let apart = BigRational::one() - w.entry(v, v).unwrap_or_default();
            let p = apart * ratio(2, 1) / whole(n);
            for k in (0..=trials).filter(|&k| above_mean(trials, &p, k).is_positive()) {
                let c = above_mean(trials, &p, k);
                let exponent = &Interval::exact(-&c * &c / whole(n)) * &gap;
                let Some(bound) = exp(&exponent, 60) else {
                    continue;
                };
                let compared = Comparison {
                    relation: Relation::AtMost,
                    promised: bound,
                    actual: Interval::exact(tail(trials, &p, k)),
                };
                if !compared.fails() {
                    continue;
                }
                let weights = SparseWeights::of_network(&network)?;
                let gap = muffliato_fast::spectral_gap(&weights, &GapOptions::default(), &())?;
                let chance = 2.0 * (1.0 - weights.own(v)) / n as f64;
                let excess = c.to_f64().unwrap_or(f64::NAN);
                let exponent = -excess * excess * gap.certified.value() / n as f64;
                let lines = vec![
                    format!("T_v is binomial with {trials} trials of probability {p}"),
                    format!("P(T_v >= {k}) = {}", tail(trials, &p, k)),
                    format!(
                        "exp(-C^2 lambda_W/n) with C = {c}, lambda_W = {:.6}",
                        gap.certified.value()
                    ),
                ];
                let text = format!("{}, T = {trials}, v = {v}, C = {c}", named(graph));
                let promised = estimate(libm::exp(exponent));
                let actual = estimate(tail_again(trials, chance, k));
                return compared.witness(text, lines, promised, actual).map(Some);
            }
        }
        Ok(None)
    })?;
    Ok(Verdict::unless(
        found,
        "all connected graphs up to 4 nodes, n/(2 lambda_W) <= T <= 40".into(),
    ))
}
