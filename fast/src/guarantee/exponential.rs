//! The exponential function with a proved error, and logarithms and series (trusted).
//!
//! With `k = round(x / ln 2)` and `r = x - k ln 2`, `|r| <= 0.37`:
//!
//! ```text
//! e^x = 2^k e^r,    e^r = 1 + r (1 + r/2 (1 + r/3 ( ... (1 + r/15)))) + R,   |R| <= 1.1 |r|^16 / 16! < 2^-66
//! ```
//!
//! `ln 2 = A + B` with `A` of 32 bits, so `k A` and `x - k A` are exact for `|k| < 2^20`; `B` is
//! known to `2^-86` and its product with k is rounded once, at `2^-53 * |k| 2^-32`. Together with
//! two roundings of r (`|r| <= 0.37`) the error of r is below `2^-53`. Horner's scheme: writing
//! `e_j` for the relative error of level j in units of `2^-53`, `e_j <= 1 + q_j (e_{j+1} + 2)`,
//! `q_j <= 0.37 e^{0.37} / j`, which gives `e_1 < 4`. In all, less than `6 * 2^-53` relative; `8 *
//! 2^-53` is charged.

use super::ball::Ball;
use crate::UNIT_ROUNDOFF;

const LN_2_HIGH: f64 = f64::from_bits(0x3fe6_2e42_fee0_0000);
const LN_2_LOW: f64 = f64::from_bits(0x3dea_39ef_3579_3c76);
const DEGREE: u32 = 15;

/// Encloses `e^(high + low + d)` for every `|d| <= error`, for `low` and `error` >= 0 below 1/64.
/// Below about `2^-1020` the ball contains 0 and everything smaller; above `2^1000` nothing is
/// known.
pub(super) fn exp(high: f64, low: f64, error: f64) -> Ball {
    let quotient = high / std::f64::consts::LN_2;
    if quotient < -1020.0 {
        return Ball::between(0.0, 16.0 * f64::MIN_POSITIVE); // 2^-1018
    }
    let small = low.abs() <= 0.015_625 && (0.0..=0.015_625).contains(&error);
    if quotient.is_nan() || quotient > 1000.0 || !small {
        return Ball::exact(1.0).widened(f64::INFINITY);
    }
    let k = quotient.round_ties_even();
    let r = (high - k * LN_2_HIGH) + (low - k * LN_2_LOW);
    let mut series = 1.0;
    for j in (1..=DEGREE).rev() {
        series = 1.0 + r / f64::from(j) * series;
    }
    // 2^k, a normal float.
    let power = f64::from_bits(((1023 + k as i64) as u64) << 52);
    let value = series * power;
    // e^d - 1 <= d + d^2 for 0 <= d <= 1
    Ball::exact(value).widened(value * (8.0 * UNIT_ROUNDOFF + error * (1.0 + error) * 1.25))
}

/// Encloses the exponential of every number of a ball.
pub(super) fn exp_of(exponent: Ball) -> Ball {
    let (centre, upper) = (exponent.centre(), exponent.upper());
    exp(centre, 0.0, (upper - centre).max(centre - exponent.lower()))
}

/// Encloses `first + first q / d_1 + first q^2 / (d_1 d_2) + ...`, given that each term after the
/// last of the divisors is at most half of the one before.
pub(super) fn series(first: Ball, q: Ball, divisors: impl Iterator<Item = u32>) -> Ball {
    let (mut term, mut sum) = (first, first);
    for divisor in divisors {
        term = term * q / Ball::exact(f64::from(divisor));
        sum = sum + term;
    }
    sum.widened(term.upper().abs())
}

/// Encloses the logarithm of every number of a ball of positive numbers.
pub(super) fn ln(x: Ball) -> Ball {
    Ball::between(ln_down(x.lower()), ln_up(x.upper()))
}

/// Returns an upper bound on `ln x` for a positive float x.
pub(super) fn ln_up(x: f64) -> f64 {
    let start = libm::log(x);
    confirmed(start, step(start), |y| exp(y, 0.0, 0.0).lower() >= x)
}

/// Returns a lower bound on `ln x` for a positive float x.
fn ln_down(x: f64) -> f64 {
    let start = libm::log(x);
    confirmed(start, -step(start), |y| exp(y, 0.0, 0.0).upper() <= x)
}

/// Bounds `ln(1/delta)` from above for 0 < delta < 1.
pub(super) fn ln_inverse_upper(delta: f64) -> f64 {
    if delta < 1e-290 {
        // Scaling by 2^100 is exact; 100 ln 2 = 69.3147...
        let scaled = ln_inverse_upper(delta * 2.0_f64.powi(100));
        return (scaled + (100.0 * std::f64::consts::LN_2.next_up()).next_up()).next_up();
    }
    -ln_down(delta)
}

fn step(start: f64) -> f64 {
    4.0 * f64::EPSILON * start.abs().max(f64::EPSILON)
}

/// Moves a guess by steps that double until `holds` confirms it.
pub(super) fn confirmed(guess: f64, mut step: f64, holds: impl Fn(f64) -> bool) -> f64 {
    let mut y = guess;
    while !holds(y) {
        y += step;
        step *= 2.0;
    }
    y
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agrees_with_the_library_everywhere() {
        for step in -6800..=6900 {
            let x = f64::from(step) / 10.0 + f64::from(step % 7) * 0.013;
            let ball = exp(x, 0.0, 0.0);
            let library = libm::exp(x);
            assert!(ball.lower() <= library * (1.0 + 4.0 * UNIT_ROUNDOFF), "{x}");
            assert!(ball.upper() >= library * (1.0 - 4.0 * UNIT_ROUNDOFF), "{x}");
            assert!(ball.upper() - ball.lower() <= library * 24.0 * UNIT_ROUNDOFF, "{x}");
        }
    }

    #[test]
    fn the_low_part_and_the_error_count() {
        let ball = exp(-3.0, 1e-9, 1e-10);
        for x in [9.0e-10, 1e-9, 1.1e-9] {
            let exact = libm::exp(-3.0) * (1.0 + x + x * x / 2.0);
            assert!(ball.lower() <= exact && exact <= ball.upper());
        }
        assert!(ball.upper() - ball.lower() < 4e-10 * libm::exp(-3.0));
    }

    #[test]
    fn beyond_the_range_it_stays_true() {
        for x in [-706.9, -707.0, -707.1, -707.3, -708.0, -709.0] {
            let ball = exp(x, 0.0, 0.0);
            assert!(ball.lower() <= libm::exp(x) && libm::exp(x) <= ball.upper(), "{x}");
        }
        for (high, low, error) in [
            (-800.0, 0.0, 0.0),
            (f64::NEG_INFINITY, 0.0, 0.0),
            (900.0, 0.0, 0.0),
            (f64::NAN, 0.0, 0.0),
            (1.0, f64::NAN, 0.0),
            (1.0, 0.0, f64::NAN),
            (1.0, 0.0, -1.0),
        ] {
            let ball = exp(high, low, error);
            if high < 0.0 {
                assert!(ball.lower() <= 0.0 && ball.upper() >= f64::MIN_POSITIVE);
                assert!(ball.upper() < 1e-306);
            } else {
                assert!(ball.probability().lower() == 0.0 && ball.probability().upper() == 1.0);
            }
        }
    }

    #[test]
    fn logarithms_are_confirmed_on_both_sides() {
        for k in 1..400_i32 {
            let x = (f64::from(k) * 0.37 - 60.0).exp();
            let (down, up) = (ln_down(x), ln_up(x));
            assert!(down <= up && up - down < 1e-14 * down.abs().max(1.0), "{x}");
        }
        // The library's logarithm alone would be too small for about half of these.
        for k in 1..2000_i32 {
            let delta = 1.0 / f64::from(3 * k + 1) / 2.0_f64.powi(k % 900);
            let upper = ln_inverse_upper(delta);
            assert!(exp(-upper, 0.0, 0.0).upper() <= delta, "{delta}");
            assert!(upper <= -libm::log(delta) * (1.0 + 1e-13), "{delta}");
        }
        for delta in [1e-291, 1e-307, f64::from_bits(1), 1.0_f64.next_down()] {
            let upper = ln_inverse_upper(delta);
            let excess = upper / -libm::log(delta) - 1.0;
            assert!(upper >= 1.0 - delta && excess < 40.0, "{delta}: {upper}");
        }
    }
}
