//! The Gaussian mechanism.

use super::{Claim, ClaimError, Kind, Recorded, Verdict, instances::ratio};
use muffliato_reference::BigRational;
use num_traits::One;

pub(super) const CLAIM: Claim = Claim {
    id: "gaussian-mechanism",
    place: "Lemma 1 (Appendix A)",
    statement: "The Renyi divergence of order alpha between N(x, s^2) and N(y, s^2) is at most alpha Delta^2/(2 s^2) if \
                |x - y| <= Delta.",
    method: "The divergence is alpha (x-y)^2/(2 s^2), because alpha (z-x)^2 + (1-alpha)(z-y)^2 and (z-m)^2 - \
             alpha (alpha-1)(x-y)^2 with m = alpha x + (1-alpha) y are the same polynomial in z: of degree 2 in each \
             variable but alpha (3), so exact agreement on a grid of 3 x 3 x 3 x 4 points proves it.",
    recorded: Recorded {
        kind: Kind::Holds,
        evidence: "a polynomial identity, equal at 108 points; the bound is attained at |x - y| = Delta",
    },
    decide,
};

fn decide() -> Result<Verdict, ClaimError> {
    let one = BigRational::one();
    let square = |value: BigRational| &value * &value;
    let mut points = 0;
    for [x, y, z] in (0..27).map(|k| [k % 3, k / 3 % 3, k / 9].map(|value| ratio(value, 1))) {
        for alpha in (2..6).map(|alpha| ratio(alpha, 2)) {
            let left = &alpha * square(&z - &x) + (&one - &alpha) * square(&z - &y);
            let m = &alpha * &x + (&one - &alpha) * &y;
            let right = square(&z - m) - &alpha * (&alpha - &one) * square(&x - &y);
            if left != right {
                let case = format!("x = {x}, y = {y}, z = {z}, alpha = {alpha}");
                return Ok(Verdict::unconfirmed(case));
            }
            points += 1;
        }
    }
    Ok(Verdict::holds(format!(
        "a polynomial identity, equal at {points} points; the bound is attained at |x - y| = Delta"
    )))
}
