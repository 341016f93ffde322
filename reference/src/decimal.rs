//! Short decimals of exact rationals, rounded in a stated direction.

use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{Pow, Signed, Zero};

/// Returns the smallest decimal with `digits` significant digits (1 to 1000) that is at least
/// `value`. Losses are printed this way.
///
/// ```
/// use muffliato_reference::decimal::rounded_up;
/// use num_rational::BigRational;
///
/// let ratio = |above: i64, below: i64| BigRational::new(above.into(), below.into());
/// assert_eq!(rounded_up(&ratio(1, 3), 3), "0.334");
/// assert_eq!(rounded_up(&ratio(2, 1), 3), "2");
/// assert_eq!(rounded_up(&ratio(-1, 3), 3), "-0.333");
/// assert_eq!(rounded_up(&ratio(1, 3_000_000), 2), "3.4e-7");
/// ```
pub fn rounded_up(value: &BigRational, digits: u32) -> String {
    if value.is_negative() {
        return format!("-{}", magnitude(&-value, digits, false));
    }
    magnitude(value, digits, true)
}

/// Returns the largest decimal with `digits` significant digits (1 to 1000) that is at most
/// `value`.
pub fn rounded_down(value: &BigRational, digits: u32) -> String {
    if value.is_negative() {
        return format!("-{}", magnitude(&-value, digits, true));
    }
    magnitude(value, digits, false)
}

/// Formats a non-negative number, rounded away from zero or towards it.
fn magnitude(value: &BigRational, digits: u32, away: bool) -> String {
    if value.is_zero() {
        return "0".into();
    }
    let digits = digits.clamp(1, 1000);
    let ten = |power: u32| BigInt::from(10).pow(power);
    // The exponent of the leading digit: 10^exponent <= value < 10^(exponent + 1).
    let bits = value.numer().bits() as i64 - value.denom().bits() as i64;
    let mut exponent = (bits * 30_103).div_euclid(100_000) - 1;
    let at_least = |exponent: i64| {
        if exponent >= 0 {
            *value.numer() >= value.denom() * ten(exponent as u32)
        } else {
            value.numer() * ten(exponent.unsigned_abs() as u32) >= *value.denom()
        }
    };
    while at_least(exponent + 1) {
        exponent += 1;
    }
    let shift = i64::from(digits) - 1 - exponent;
    let scale = ten(shift.unsigned_abs() as u32);
    let (above, below) = if shift >= 0 {
        (value.numer() * scale, value.denom().clone())
    } else {
        (value.numer().clone(), value.denom() * scale)
    };
    let mantissa = if away { above.div_ceil(&below) } else { above.div_floor(&below) };
    let mut text = mantissa.to_string();
    if text.len() > digits as usize {
        // 999.. was rounded up to 1000..
        text.pop();
        exponent += 1;
    }
    place_point(text.trim_end_matches('0'), exponent)
}

/// Places the point in the significant digits `text`, the leading one at `10^exponent`.
fn place_point(text: &str, exponent: i64) -> String {
    let length = text.len() as i64;
    match exponent {
        -5..=-1 => format!("0.{}{text}", "0".repeat((-exponent - 1) as usize)),
        0..=15 if length <= exponent + 1 => {
            format!("{text}{}", "0".repeat((exponent + 1 - length) as usize))
        }
        0..=15 => {
            let (whole, rest) = text.split_at(exponent as usize + 1);
            format!("{whole}.{rest}")
        }
        _ => match text.split_at(1) {
            (first, "") => format!("{first}e{exponent}"),
            (first, rest) => format!("{first}.{rest}e{exponent}"),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ratio(above: i64, below: i64) -> BigRational {
        BigRational::new(above.into(), below.into())
    }

    #[test]
    fn digits_round_in_the_stated_direction() {
        for (above, below, digits, up, down) in [
            (2, 3, 4, "0.6667", "0.6666"),
            (-2, 3, 4, "-0.6666", "-0.6667"),
            (9_999, 10, 3, "1000", "999"),
            (1, 1, 3, "1", "1"),
            (0, 1, 3, "0", "0"),
            (1, 8, 9, "0.125", "0.125"),
            (42_837_025, 4_854_427_082, 2, "0.0089", "0.0088"),
            (12_345, 1, 2, "13000", "12000"),
            (1, 100_000, 3, "0.00001", "0.00001"),
            (1, 1_000_000, 3, "1e-6", "1e-6"),
            (5, 1_000_000_003, 3, "5e-9", "4.99e-9"),
            (25, 2, 3, "12.5", "12.5"),
            (12_345, 100, 9, "123.45", "123.45"),
            (10_i64.pow(16), 1, 3, "1e16", "1e16"),
            (15 * 10_i64.pow(15), 1, 3, "1.5e16", "1.5e16"),
            (10_i64.pow(15), 1, 3, "1000000000000000", "1000000000000000"),
        ] {
            let value = ratio(above, below);
            assert_eq!(rounded_up(&value, digits), up);
            assert_eq!(rounded_down(&value, digits), down);
        }
    }

    #[test]
    fn parsing_back_is_never_below_when_rounded_up() {
        for above in 1..300_i64 {
            for below in [1, 7, 64, 999, 1_000_000] {
                let text = rounded_up(&ratio(above, below), 5);
                let back: muffliato_model::Fraction = text.parse().unwrap();
                let back = crate::rational(back);
                let exact = ratio(above, below);
                assert!(back >= exact && back <= &exact * ratio(10_001, 10_000), "{text}");
            }
        }
    }
}
