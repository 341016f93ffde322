//! Mixtures of pairs of distributions.

use super::{Claim, ClaimError, Kind, Recorded, Verdict, instances::ratio, two_points::TwoPoints};
use muffliato_reference::{BigRational, enclosure::Interval, order};
use num_traits::One;

pub(super) const CLAIM: Claim = Claim {
    id: "quasi-convexity",
    place: "Lemma 2 (Appendix A)",
    statement: "If every pair of distributions has Renyi divergence at most c/(alpha - 1), c in (0, 1], then the mixtures \
                have at most 1 + c times the mean divergence.",
    method: "Rational enclosures for all pairs of pairs on two points with probabilities k/6, mixed 1:3, 1:1 and 3:1, \
             alpha = 2 and 3, c the smallest that is allowed.",
    recorded: Recorded {
        kind: Kind::Holds,
        evidence: "1068 mixtures",
    },
    decide,
};

const BITS: u32 = 40;

fn decide() -> Result<Verdict, ClaimError> {
    let undecided = || ClaimError::Undecided {
        instance: "a divergence of two points".into(),
    };
    let points = TwoPoints::all(6);
    let mut cases = 0;
    for alpha in [2_u32, 3] {
        let below = ratio(i64::from(alpha) - 1, 1);
        let mut pairs = Vec::new();
        for p in &points {
            for q in &points {
                let divergence = p.divergence(q, alpha, BITS).ok_or_else(undecided)?;
                let c = divergence.upper() * &below;
                if p.0 != q.0 && order(&c, &BigRational::one()).is_le() {
                    pairs.push((p, q, divergence));
                }
            }
        }
        for (p, q, one) in &pairs {
            for (r, s, other) in &pairs {
                for rho in [ratio(1, 4), ratio(1, 2), ratio(3, 4)] {
                    let rest = BigRational::one() - &rho;
                    let mixed = TwoPoints(&rho * &p.0 + &rest * &r.0);
                    let against = TwoPoints(&rho * &q.0 + &rest * &s.0);
                    let left = mixed
                        .divergence(&against, alpha, BITS)
                        .ok_or_else(undecided)?;
                    let c = &one.max(other) * &Interval::exact(below.clone());
                    let mean =
                        &(&Interval::exact(rho.clone()) * one) + &(&Interval::exact(rest) * other);
                    let right = &(&Interval::exact(BigRational::one()) + &c) * &mean;
                    if order(left.upper(), right.lower()).is_gt() {
                        let case = format!(
                            "alpha = {alpha}, ({}, {}) and ({}, {}), rho = {rho}",
                            p.0, q.0, r.0, s.0
                        );
                        return Ok(Verdict::unconfirmed(case));
                    }
                    cases += 1;
                }
            }
        }
    }
    Ok(Verdict::holds(format!("{cases} mixtures")))
}
