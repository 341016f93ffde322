//! From Renyi to (eps, delta).

use super::{
    Claim, ClaimError, Kind, Recorded, Verdict,
    instances::{ratio, whole},
    two_points::TwoPoints,
};
use muffliato_fast::{GaussianPrivacy, mironov_epsilon};
use muffliato_reference::BigRational;
use num_traits::Pow;

pub(super) const CLAIM: Claim = Claim {
    id: "renyi-to-dp",
    place: "Section 2.2",
    statement: "(alpha, eps)-RDP implies (eps + ln(1/delta)/(alpha - 1), delta)-DP for every delta in (0, 1).",
    method: "Exactly for all pairs of distributions on two points with probabilities k/12, alpha = 2 to 4 (powers keep \
             everything rational), delta = 1/2, 1/10 and 1/1000; and for Gaussian shifts by the certified curve \
             delta(eps) of the fast engine.",
    recorded: Recorded {
        kind: Kind::Holds,
        evidence: "2178 events of two-point distributions, 144 Gaussian shifts",
    },
    decide,
};

fn decide() -> Result<Verdict, ClaimError> {
    let mut cases = 0;
    for alpha in 2..=4_u32 {
        for delta in [ratio(1, 2), ratio(1, 10), ratio(1, 1000)] {
            for p in TwoPoints::all(12) {
                for q in TwoPoints::all(12) {
                    // e^{(alpha - 1) epsilon} = power sum / delta; P(S) - delta <= e^epsilon Q(S) is compared in
                    // powers of alpha - 1.
                    let power = p.power_sum(&q, alpha) / &delta;
                    for (p, q) in p.weights().into_iter().zip(q.weights()) {
                        let excess: BigRational = p - &delta;
                        let fails = excess > whole(0)
                            && Pow::pow(excess, alpha - 1) > &power * Pow::pow(q, alpha - 1);
                        if fails {
                            let case = format!("alpha = {alpha}, delta = {delta}");
                            return Ok(Verdict::unconfirmed(case));
                        }
                        cases += 1;
                    }
                }
            }
        }
    }
    let mut shifts = 0;
    for mu in [0.01, 0.1, 0.5, 1.0, 2.0, 5.0] {
        let privacy = GaussianPrivacy::of_mu(mu)?;
        for alpha in [1.1, 1.5, 2.0, 4.0, 16.0, 64.0] {
            for delta in [1e-1, 1e-3, 1e-6, 1e-9] {
                let epsilon = mironov_epsilon(privacy.rdp(alpha)?, alpha, delta)?;
                if privacy.delta_upper(epsilon)? > delta {
                    let case = format!("mu = {mu}, alpha = {alpha}, delta = {delta}");
                    return Ok(Verdict::unconfirmed(case));
                }
                shifts += 1;
            }
        }
    }
    Ok(Verdict::holds(format!(
        "{cases} events of two-point distributions, {shifts} Gaussian shifts"
    )))
}
