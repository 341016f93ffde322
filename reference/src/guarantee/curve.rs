//! The exact privacy curve of a Gaussian shift, in rational intervals.
//!
//! ```text
//! delta(eps) = Phi(mu/2 - eps/mu) - e^eps Phi(-mu/2 - eps/mu) ,
//! Phi(x) = 1/2 + e^{-x^2/2} / sqrt(2 pi) * sum_k x^{2k+1} / (1 3 5 ... (2k+1)) .
//! ```
//!
//! All terms of the sum have the sign of x. Once `x^2 < k` the remainder is at most the last term
//! added.

use crate::enclosure::{Interval, exp, sqrt};
use crate::order;
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Signed, ToPrimitive, Zero};

/// Encloses the distribution function of the standard normal law at `x`, |x| <= 40, to about
/// `2^-bits`. Returns `None` for other x.
fn normal_distribution(x: &BigRational, bits: u32) -> Option<Interval> {
    if x.abs() > BigRational::from_integer(40.into()) {
        return None;
    }
    let square = x * x;
    // The sum is below 3 e^{x^2/2}, and e < 2^(3/2).
    let growth = (&square * BigRational::new(3.into(), 4.into())).to_integer();
    let work = bits + growth.to_u32()? + 64;
    // Multiples of 2^-work, rounded towards 0.
    let mut term: BigInt = (x.numer() << work) / x.denom();
    let mut sum = term.clone();
    let mut k = 0_i64;
    loop {
        k += 1;
        term = term * square.numer() / (square.denom() * BigInt::from(2 * k + 1));
        sum += &term;
        let falling = order(&square, &BigRational::from_integer(k.into())).is_lt();
        if falling && term.is_zero() {
            break;
        }
    }
    // Each of the k + 1 roundings loses at most 2^-work, which all later terms together enlarge to
    // less than 4 (|sum| + 1) times that. The remainder is below the last term.
    let unit = BigInt::one() << work;
    let lost: BigInt = BigInt::from(8 * (k + 1)) * (sum.abs() / &unit + 2);
    let over = |above: BigInt| BigRational::new(above, unit.clone());
    let sum = Interval::new(over(&sum - &lost), over(sum + lost));
    let density = exp(&Interval::exact(-square / two()), work)?;
    let root = sqrt(&(&Interval::exact(two()) * &pi(work)), work)?.inverse()?;
    let half = Interval::exact(two().recip());
    Some((&half + &(&(&sum * &density) * &root)).rounded(work))
}

/// Encloses the smallest delta of (eps, delta)-differential privacy of a Gaussian that is shifted
/// by `mu > 0` standard deviations, to about `2^-bits`. Returns `None` if an argument of the normal
/// law is beyond 40.
///
/// # Errors
///
/// Returns an error unless mu is positive and epsilon is not negative.
pub fn gaussian_delta(mu: &BigRational, epsilon: &BigRational, bits: u32) -> Option<Interval> {
    let (half, ratio) = (mu / two(), epsilon / mu);
    let kept = normal_distribution(&(&half - &ratio), bits)?;
    let gone = normal_distribution(&-(&half + &ratio), bits)?;
    let factor = exp(&Interval::exact(epsilon.clone()), bits + 64)?;
    Some(&kept - &(&factor * &gone))
}

fn two() -> BigRational {
    BigRational::from_integer(2.into())
}

/// Encloses `pi = 16 arctan(1/5) - 4 arctan(1/239)` (Machin).
fn pi(bits: u32) -> Interval {
    let times = |factor: i64, interval: Interval| {
        &Interval::exact(BigRational::from_integer(factor.into())) * &interval
    };
    &times(16, inverse_tangent(5, bits)) - &times(4, inverse_tangent(239, bits))
}

/// Encloses `arctan(1/x)` by its alternating series, in multiples of `2^-bits`: each of the k terms
/// is off by at most 2 of them, and the remainder by at most 2.
fn inverse_tangent(x: i64, bits: u32) -> Interval {
    let unit = BigInt::one() << bits;
    let mut power = &unit / x;
    let mut sum = BigInt::zero();
    let mut k = 0_i64;
    while !power.is_zero() {
        let term = &power / (2 * k + 1);
        sum += if k % 2 == 0 { term } else { -term };
        power /= x * x;
        k += 1;
    }
    let lost = BigInt::from(2 * k + 2);
    let over = |above: BigInt| BigRational::new(above, unit.clone());
    Interval::new(over(&sum - &lost), over(sum + lost))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ratio(above: i64, below: i64) -> BigRational {
        BigRational::new(above.into(), below.into())
    }

    /// Compares with tabulated digits: Phi(1) = 0.84134474606854294858..., Phi(-6) =
    /// 9.86587645037698e-10.
    #[test]
    fn the_distribution_agrees_with_the_tables() {
        let one = normal_distribution(&ratio(1, 1), 80).unwrap();
        let digits: BigInt = "84134474606854294858".parse().unwrap();
        let unit: BigInt = BigInt::from(10).pow(20);
        assert!(*one.lower() > BigRational::new(digits.clone(), unit.clone()));
        assert!(*one.upper() < BigRational::new(digits + 1, unit));
        assert!(one.width() < BigRational::new(BigInt::one(), BigInt::one() << 78));
        let far = normal_distribution(&ratio(-6, 1), 80).unwrap();
        assert!(
            far.contains(&far.midpoint())
                && *far.lower() > ratio(9_865_876, 10_000_000) / ratio(1_000_000_000, 1)
        );
        assert!(*far.upper() < ratio(9_865_877, 10_000_000) / ratio(1_000_000_000, 1));
        let outermost = normal_distribution(&ratio(-40, 1), 80).unwrap();
        assert!(outermost.width() < ratio(1, 1 << 40));
        assert!(normal_distribution(&ratio(41, 1), 80).is_none());
    }

    #[test]
    fn at_eps_0_delta_is_twice_the_distribution_less_1() {
        let delta = gaussian_delta(&ratio(3, 1), &BigRational::zero(), 60).unwrap();
        let half = normal_distribution(&ratio(3, 2), 60).unwrap();
        let twice = &half + &half;
        let expected = &twice - &Interval::exact(BigRational::one());
        assert!(delta.contains(&expected.midpoint()) || expected.contains(&delta.midpoint()));
    }
}
