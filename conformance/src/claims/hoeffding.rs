//! The number of messages of randomized gossip concentrates.

use super::{
    Claim, ClaimError, Kind, Recorded, Verdict,
    binomial::{above_mean, tail},
    instances::{ratio, whole},
};
use muffliato_reference::{
    enclosure::{Interval, exp},
    order,
};
use num_traits::Signed;

pub(super) const CLAIM: Claim = Claim {
    id: "hoeffding",
    place: "Appendix D.2, Hoeffding's inequality",
    statement: "The number T_v of ticks in which v takes part exceeds its mean by C with probability at most \
                exp(-C^2/T).",
    method: "Exact binomial tails against a rational enclosure of the bound: T <= 16, probabilities k/12, every value of \
             T_v above its mean. (Hoeffding's inequality has a 2 in the exponent; the printed form is weaker.)",
    recorded: Recorded {
        kind: Kind::Holds,
        evidence: "819 tails, T <= 16",
    },
    decide,
};

fn decide() -> Result<Verdict, ClaimError> {
    let mut cases = 0;
    for trials in 1..=16 {
        for twelfths in 1..12 {
            let p = ratio(twelfths, 12);
            for k in 0..=trials {
                let c = above_mean(trials, &p, k);
                if !c.is_positive() {
                    continue;
                }
                let exponent = Interval::exact(-&c * &c / whole(trials));
                let text = || format!("T = {trials}, p = {p}, C = {c}");
                let bound =
                    exp(&exponent, 60).ok_or_else(|| ClaimError::Undecided { instance: text() })?;
                if order(&tail(trials, &p, k), bound.lower()).is_gt() {
                    return Ok(Verdict::unconfirmed(text()));
                }
                cases += 1;
            }
        }
    }
    Ok(Verdict::holds(format!("{cases} tails, T <= 16")))
}
