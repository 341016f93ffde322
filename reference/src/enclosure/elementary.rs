//! Square roots, logarithms and exponentials of rationals.
//!
//! Each function returns an interval that contains the exact value and is about `2^-bits` wide
//! relative to it, for up to [`MAX_BITS`] bits. All series have non-negative terms, so a partial
//! sum is a lower end and a bound on the remainder gives the upper one.

use super::interval::{Interval, power_of_two};
use crate::{checks::MAX_BITS, order};
use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{One, Signed, Zero};

/// Encloses the square roots of the numbers in `x`, or returns `None` if one of them is negative.
///
/// ```
/// use muffliato_reference::{BigRational, enclosure::{Interval, sqrt}};
///
/// let whole = |x: i64| Interval::exact(BigRational::from_integer(x.into()));
/// let root = sqrt(&whole(2), 64).unwrap();
/// assert!((&root * &root).contains(&BigRational::from_integer(2.into())));
/// assert!(sqrt(&whole(-1), 64).is_none());
/// ```
pub fn sqrt(x: &Interval, bits: u32) -> Option<Interval> {
    if x.lower().is_negative() {
        return None;
    }
    let bits = bits.min(MAX_BITS);
    let (lower, _) = root(x.lower(), bits);
    let (_, upper) = root(x.upper(), bits);
    Some(Interval::ordered(lower, upper))
}

/// Returns lower and upper bounds on the root of `x >= 0`, equal if the root is rational.
fn root(x: &BigRational, bits: u32) -> (BigRational, BigRational) {
    let (above, below) = (x.numer().sqrt(), x.denom().sqrt());
    if &above * &above == *x.numer() && &below * &below == *x.denom() {
        let exact = BigRational::new(above, below);
        return (exact.clone(), exact);
    }
    // floor(sqrt(x 4^shift)) has at least `bits` bits.
    let missing = x.denom().bits().saturating_sub(x.numer().bits());
    let shift = u64::from(bits) + missing / 2 + 1;
    let scaled = (x.numer() << (2 * shift)) / x.denom();
    let floor = scaled.sqrt();
    let scale = power_of_two(shift);
    (BigRational::new(floor.clone(), scale.clone()), BigRational::new(floor + 1, scale))
}

/// Largest exponent whose exponential is computed as a rational number.
const MAX_EXPONENT: i64 = 1 << 20;

/// Encloses the exponentials of the numbers in `x`, or returns `None` if one is above `2^20`. The
/// exponential of a number below `-2^20` is enclosed between 0 and `exp(-2^20)`.
pub fn exp(x: &Interval, bits: u32) -> Option<Interval> {
    let largest = BigRational::from_integer(MAX_EXPONENT.into());
    if order(x.upper(), &largest).is_gt() {
        return None;
    }
    let bits = bits.min(MAX_BITS);
    let smallest = -largest;
    let lower = if order(x.lower(), &smallest).is_lt() {
        BigRational::zero()
    } else {
        exp_of(x.lower(), bits)?.lower().clone()
    };
    let top = if order(x.upper(), &smallest).is_lt() { &smallest } else { x.upper() };
    Some(Interval::ordered(lower, exp_of(top, bits)?.upper().clone()))
}

/// Encloses the exponential for `|x|` up to [`MAX_EXPONENT`].
fn exp_of(x: &BigRational, bits: u32) -> Option<Interval> {
    if x.is_zero() {
        return Some(Interval::exact(BigRational::one()));
    }
    // exp(|x|) = exp(|x| / 2^halvings)^(2^halvings) with an argument of at most 1/2.
    let magnitude = x.abs();
    let halvings = (magnitude.numer().bits() + 2).saturating_sub(magnitude.denom().bits());
    let work = u64::from(bits) + 32 + 2 * halvings;
    let argument = magnitude / BigRational::from_integer(power_of_two(halvings));

    // The ends are multiples of 2^-work, the lower one rounded down and the upper one up.
    let one = power_of_two(work);
    let scaled = argument.numer() << work;
    let (down, up) = (scaled.div_floor(argument.denom()), scaled.div_ceil(argument.denom()));
    let (mut lower, mut upper) = (one.clone(), one.clone());
    let (mut low_term, mut high_term) = (one.clone(), one.clone());
    let mut i = 0;
    while !low_term.is_zero() {
        i += 1;
        let divisor = &one * i;
        low_term = (&low_term * &down).div_floor(&divisor);
        high_term = (&high_term * &up).div_ceil(&divisor);
        lower += &low_term;
        upper += &high_term;
    }
    // From here on the terms at least halve, so the remainder is at most the last term.
    upper += high_term;

    let mut exponent = -(work as i64);
    for _ in 0..halvings {
        (lower, upper, exponent) = (&lower * &lower, &upper * &upper, 2 * exponent);
        let excess = upper.bits().saturating_sub(work);
        let unit = power_of_two(excess);
        (lower, upper) = (lower.div_floor(&unit), upper.div_ceil(&unit));
        exponent += excess as i64;
    }
    let scale = BigRational::from_integer(power_of_two(exponent.unsigned_abs()));
    let scaled = |end: BigInt| {
        if exponent.is_negative() {
            BigRational::from_integer(end) / &scale
        } else {
            BigRational::from_integer(end) * &scale
        }
    };
    let mut power = Interval::ordered(scaled(lower), scaled(upper));
    if x.is_negative() {
        power = power.inverse()?;
    }
    Some(power.rounded(bits))
}

/// Encloses the natural logarithms of the numbers in `x`, or returns `None` if one of them is not
/// positive.
pub fn ln(x: &Interval, bits: u32) -> Option<Interval> {
    if !x.lower().is_positive() {
        return None;
    }
    let bits = bits.min(MAX_BITS);
    let lower = ln_of(x.lower(), bits);
    let upper = ln_of(x.upper(), bits);
    Some(Interval::ordered(lower.lower().clone(), upper.upper().clone()))
}

/// Computes `ln x = e ln 2 + 2 artanh((m-1)/(m+1))` with `x = m 2^e`, `2/3 <= m <= 4/3`, so that
/// nothing cancels.
fn ln_of(x: &BigRational, bits: u32) -> Interval {
    if x.is_one() {
        return Interval::exact(BigRational::zero());
    }
    let work = bits + 64;
    let mut exponent = x.numer().bits() as i64 - x.denom().bits() as i64;
    let scaled = |exponent: i64| {
        let scale = BigRational::from_integer(power_of_two(exponent.unsigned_abs()));
        if exponent >= 0 { x / scale } else { x * scale }
    };
    // Now 1/2 < m < 2.
    if order(&scaled(exponent), &BigRational::new(4.into(), 3.into())).is_gt() {
        exponent += 1;
    } else if order(&scaled(exponent), &BigRational::new(2.into(), 3.into())).is_lt() {
        exponent -= 1;
    }
    let mantissa = scaled(exponent);
    let one = BigRational::one();
    let argument = (&mantissa - &one) / (&mantissa + &one);
    let part = twice_artanh(&argument, work);
    if exponent == 0 {
        return part.rounded(bits);
    }
    let ln_two = twice_artanh(&BigRational::new(1.into(), 3.into()), work);
    let whole = &Interval::exact(BigRational::from_integer(exponent.into())) * &ln_two;
    (&whole + &part).rounded(bits)
}

/// Encloses `2 artanh(z) = 2 sum z^(2i+1) / (2i+1)` for `|z| <= 1/3`.
fn twice_artanh(z: &BigRational, work: u32) -> Interval {
    if z.is_negative() {
        return -&twice_artanh(&-z, work);
    }
    let z = Interval::exact(z.clone()).rounded(work);
    let square = (&z * &z).rounded(work);
    let two = Interval::exact(BigRational::from_integer(2.into()));
    let mut power = (&two * &z).rounded(work);
    let mut sum = power.clone();
    let tiny = power.upper() / BigRational::from_integer(power_of_two(work.into()));
    let mut i = 1;
    while order(power.upper(), &tiny).is_gt() {
        i += 2;
        power = (&power * &square).rounded(work);
        let divisor = Interval::exact(BigRational::new(1.into(), i.into()));
        sum = (&sum + &(&power * &divisor)).rounded(work);
    }
    // z^2 <= 1/9, so all later terms together are below the last one.
    Interval::ordered(sum.lower().clone(), sum.upper() + power.upper())
}

#[cfg(test)]
mod tests {
    use super::*;
    use num_traits::ToPrimitive;

    fn exact(above: i64, below: i64) -> Interval {
        Interval::exact(BigRational::new(above.into(), below.into()))
    }

    /// Asserts that the enclosure is narrow and that the float is within a few units in its last
    /// place.
    fn assert_near(interval: &Interval, float: f64, what: &str) {
        let width = interval.width().to_f64().unwrap();
        assert!(width <= 2e-30 * float.abs(), "{what}: width {width}");
        let middle = interval.midpoint().to_f64().unwrap();
        assert!((middle - float).abs() <= 1e-15 * float.abs(), "{what}: {middle} against {float}");
    }

    #[test]
    fn elementary_functions_agree_with_floats_over_a_wide_range() {
        // Dyadic numbers are exact floats.
        for (above, below) in
            [(3, 8), (2, 1), (7, 2), (1, 1 << 20), (123_456_789, 4), (1_048_575, 1 << 20)]
        {
            let float = above as f64 / below as f64;
            let x = exact(above, below);
            assert_near(&sqrt(&x, 120).unwrap(), float.sqrt(), "sqrt");
            assert_near(&ln(&x, 120).unwrap(), float.ln(), "ln");
            if float < 500.0 {
                assert_near(&exp(&x, 120).unwrap(), float.exp(), "exp");
                assert_near(&exp(&-&x, 120).unwrap(), (-float).exp(), "exp of a negative number");
            }
        }
        assert_near(&exp(&exact(-700, 1), 120).unwrap(), (-700.0_f64).exp(), "exp(-700)");
    }

    #[test]
    fn exp_and_ln_are_inverse() {
        assert!(ln(&exact(0, 1), 64).is_none());
        for (above, below) in [(1, 3), (-5, 2), (40, 1), (-1, 1000)] {
            let x = exact(above, below);
            let back = ln(&exp(&x, 200).unwrap(), 200).unwrap();
            assert!(back.contains(x.lower()), "{above}/{below}: {back}");
        }
    }

    #[test]
    fn what_is_rational_stays_exact() {
        assert_eq!(sqrt(&exact(49, 4), 10), Some(exact(7, 2)));
        assert_eq!(sqrt(&exact(0, 1), 10), Some(exact(0, 1)));
        assert_eq!(exp(&exact(0, 1), 10), Some(exact(1, 1)));
        assert_eq!(ln(&exact(1, 1), 10), Some(exact(0, 1)));
        assert_eq!(sqrt(&exact(-1, 1), 10), None);
        assert_eq!(ln(&exact(0, 1), 10), None);
    }

    #[test]
    fn extremes_are_enclosed_or_refused() {
        let tiny = exp(&exact(-i64::MAX, 1), 30).unwrap();
        assert!(tiny.lower().is_zero() && tiny.upper().is_positive());
        assert_eq!(exp(&exact(i64::MAX, 1), 30), None);
        // The logarithm keeps its relative accuracy next to 1.
        let step = BigRational::new(BigInt::one(), power_of_two(300));
        let below = ln(&Interval::exact(BigRational::one() - &step), 20).unwrap();
        assert!(
            below.upper().is_negative()
                && below.width() < step * BigRational::new(1.into(), 1024.into())
        );
        // Requests beyond the limit are capped.
        assert!(sqrt(&exact(2, 1), u32::MAX).unwrap().width().is_positive());
    }

    #[test]
    fn large_exponents_keep_their_accuracy() {
        for exponent in [200_000, -200_000] {
            let power = exp(&exact(exponent, 1), 120).unwrap();
            let allowed = power.lower() / BigRational::from_integer(power_of_two(118));
            assert!(order(&power.width(), &allowed).is_lt(), "exp({exponent})");
        }
    }

    /// `ln (1 + 1/k)` is `1/k` up to its square; `ln 2 - ln (2k/(k+1))` would lose as many bits as
    /// k has.
    #[test]
    fn logarithms_near_zero_keep_their_accuracy() {
        let k: BigInt = power_of_two(200) - 1;
        let x = BigRational::new(&k + 1, k.clone());
        let found = ln(&Interval::exact(x), 64).unwrap();
        let scale = BigRational::from_integer(k) * BigRational::from_integer(power_of_two(40));
        assert!(found.width() * scale < BigRational::one());
    }

    #[test]
    fn roots_have_the_bits_that_were_asked_for() {
        for (above, below) in [(11, 10), (2, 1), (1, 3), (1, 1000), (999, 7)] {
            for bits in [8, 30, 61] {
                let x = exact(above, below);
                let root = sqrt(&x, bits).unwrap();
                assert!((&root * &root).contains(x.lower()));
                let scaled = root.width() * BigRational::from_integer(power_of_two(bits.into()));
                assert!(order(&scaled, root.lower()).is_le(), "{above}/{below}, {bits} bits");
            }
        }
    }
}
