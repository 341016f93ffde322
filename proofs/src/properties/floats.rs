//! Enclosures.

use super::sparse::parts;
use crate::{Case, Choices, claim, cover, split};
use muffliato_fast::Enclosure;

pub fn enclosures_reach_as_far_as_counted<const N: usize>(choices: &mut impl Choices) -> Case {
    const EXPONENTS: [u64; 4] = [200, 1021, 1023, 1800];
    let drawn = choices.index(EXPONENTS.len() - 1);
    let roundings = choices.index(3);
    let mut top = 0;
    for _ in 0..N {
        top = top << 1 | u64::from(choices.flag());
    }
    split(drawn, EXPONENTS.len() - 1, |exponent| {
        split(roundings, 3, |roundings| {
            let value = f64::from_bits(EXPONENTS[exponent] << 52 | top << (52 - N));
            let around = Enclosure::around(value, roundings as u64, 0);
            let (lower, upper) = (around.lower(), around.upper());
            claim!(lower <= value && value <= upper, "the value is inside");
            claim!((roundings == 0) == (lower == upper), "without roundings the value is exact");
            if roundings == 0 {
                return;
            }
            let (mantissa, at) = parts(value);
            let ((below, at_lower), (above, at_upper)) = (parts(lower), parts(upper));
            claim!(
                (at_upper == at || at_upper == at + 1) && (at_lower == at || at_lower + 1 == at),
                "the ends are of the value's size"
            );
            let roundings = roundings as u128;
            let mantissa = u128::from(mantissa);
            // value (1 + u)^k <= upper: (1 + u)^k - 1 <= k u + k^2 u^2, and the mantissa is below 1
            // / u.
            let reached = (u128::from(above) << (at_upper - at)) - mantissa;
            claim!(reached << 53 >= mantissa * roundings + roundings * roundings, "far enough up");
            // lower <= value (1 + u)^-k, which is at least value (1 - k u).
            let shift = at - at_lower;
            let reached = (mantissa << shift) - u128::from(below);
            claim!(reached << 53 >= (mantissa * roundings) << shift, "far enough down");
        });
    });
    cover!(choices, roundings == 3 && top == 0, "a power of two");
    Some(())
}

pub fn clamping_keeps_the_number<const N: usize>(choices: &mut impl Choices) -> Case {
    // Only their order matters, and enumeration has few values for each of four.
    const ORDERED: &[f64] = &[-1.0, -0.0, 0.0, 1.0, f64::INFINITY, f64::NAN];
    let mut draw = || choices.float(ORDERED);
    let (lower, upper, bound, number) = (draw(), draw(), draw(), draw());
    let around = Enclosure::try_new(lower, upper);
    claim!(around.is_some() == (lower <= upper), "an interval needs its ends in order");
    let Some(around) = around else {
        return Some(());
    };
    claim!(around.contains(number) == (lower <= number && number <= upper), "between the ends");
    choices.assume(around.contains(number) && !bound.is_nan())?;
    let below = around.clamped_above(bound);
    let above = around.clamped_below(bound);
    claim!(number > bound || below.contains(number), "a number of at most the bound stays inside");
    claim!(number < bound || above.contains(number), "a number of at least the bound stays inside");
    claim!(below.upper() <= bound, "the upper end is at most the bound");
    claim!(above.lower() >= bound, "the lower end is at least the bound");
    cover!(choices, lower < bound && bound < upper, "a bound inside");
    Some(())
}
