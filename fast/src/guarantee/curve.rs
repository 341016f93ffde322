//! The exact curve `delta(eps)` of a Gaussian shift, enclosed without cancellation.
//!
//! With `m = eps/mu`, `h = mu/2`, `a = m - h`, `b = m + h` (so that `e^eps phi(b) = phi(a)`) and the moments
//! `M_k` of the [Mills ratio](super::mills):
//!
//! ```text
//! delta = Phi(-a) - e^eps Phi(-b) = phi(a) ( M_0(a) - M_0(b) )
//! ```
//!
//! **Tail**, `m >= 2` and `h <= m/4`: `M_0(m-h) - M_0(m+h)` is the integral of `2 sinh(h t) e^{-m t - t^2/2}`, so
//!
//! ```text
//! delta = 2 phi(a) ( h M_1(m) + h^3 M_3(m)/3! + h^5 M_5(m)/5! + ... ),
//! ```
//!
//! all terms positive; as `M_k(m)/k! <= m^{-k-1}`, the terms after `k` are at most `(16/15)
//! (h/m)^{k+2} / m`.
//!
//! **Core**, `m < 2` and `h < 1/2`: the integral of phi over [a, b] in Hermite polynomials about m,
//! minus a term that is smaller by a factor of 0.85 or less (`c_n = He_n(m) h^n / n!`):
//!
//! ```text
//! delta = phi(m) ( 2 h (c_0 + c_2/3 + c_4/5 + ...) - 2 sinh(eps/2) e^{-h^2/2} M_0(b) ),
//! c_{n+1} = ( m h c_n - h^2 c_{n-1} ) / (n+1).
//! ```
//!
//! Cramer's inequality `|He_n(m)| <= 1.09 e^{m^2/4} sqrt(n!)` bounds the terms from `c_24` on by `1e-17` in all.
//!
//! **Wide**, otherwise: then `b >= 5a/3` and the two Mills ratios differ by a quarter at least; for
//! a < 0, `delta = 1 - phi(a) ( M_0(-a) + M_0(b) )`.

use super::{
    ball::Ball,
    exponential::{exp, exp_of, series},
    mills::{MOMENTS, density_peak, mills_ratio, scaled_moments},
};
use crate::{Enclosure, SMALLEST, UNIT_ROUNDOFF, arithmetic::two_sum};

/// `a = eps/mu - mu/2` as an unevaluated sum, and `-a^2/2` likewise, so that `phi(a)` is known to a
/// few units in the last place even if `a^2/2` is 700.
struct Shift {
    middle: Ball,
    half: f64,
    lower: Ball,
    upper: Ball,
    exponent: f64,
    exponent_low: f64,
    exponent_error: f64,
}

impl Shift {
    /// Computes the shift for `mu >= MIN_MU`. If a quotient or a square leaves the range of floats,
    /// returns an enclosure of delta instead.
    fn of(mu: f64, epsilon: f64) -> Result<Self, Enclosure> {
        let half = mu / 2.0;
        let quotient = epsilon / mu;
        // eps = quotient mu + rest with an exact rest (fma), unless it underflows.
        let correction = quotient.mul_add(-mu, epsilon) / mu;
        let (sum, lost) = two_sum(quotient, -half);
        let low = lost + correction;
        let largest = quotient.abs().max(half);
        let low_error = 8.0 * UNIT_ROUNDOFF * UNIT_ROUNDOFF * largest + SMALLEST / mu + SMALLEST;
        let (square, square_lost) = (sum * sum, sum.mul_add(sum, -(sum * sum)));
        let exponent_low = -(square_lost / 2.0 + sum * low);
        // Neglected: low^2/2, the error of low times a, and three roundings of the low part.
        let exponent_error = (low * low
            + 2.0 * (sum.abs() + low.abs() + low_error) * low_error
            + 4.0 * UNIT_ROUNDOFF * (square_lost.abs() + (sum * low).abs()))
            + 64.0 * SMALLEST;
        let middle = Ball::exact(quotient).widened(correction.abs() + low_error);
        let distance = low.abs() + low_error;
        let shift = Self {
            middle,
            half,
            lower: Ball::exact(sum).widened(distance),
            upper: middle + Ball::exact(half),
            exponent: -square / 2.0,
            exponent_low,
            exponent_error,
        };
        if square.is_finite() && exponent_error.is_finite() {
            Ok(shift)
        } else {
            Err(extreme(sum, largest))
        }
    }

    /// Computes `e^{-a^2/2}`.
    fn bell(&self) -> Ball {
        if self.exponent_low.abs() > 0.01 || self.exponent_error > 0.01 {
            // Only for a beyond 1e7, where the exponential vanishes, or for mu beyond 1e12.
            return if self.lower.lower() > 40.0 || self.lower.upper() < -40.0 {
                exp(f64::NEG_INFINITY, 0.0, 0.0)
            } else {
                Ball::between(0.0, 1.0)
            };
        }
        exp(self.exponent, self.exponent_low, self.exponent_error)
    }
}

/// Smallest `mu`: below, quotients lose digits to underflow; a smaller shift is rounded up to it.
pub(super) const MIN_MU: f64 = 1e-290;

/// Encloses `delta(eps)` of a shift `mu`, 0 or at least [`MIN_MU`], for `eps >= 0` (infinities
/// allowed).
pub(super) fn delta(mu: f64, epsilon: f64) -> Enclosure {
    let sure = Enclosure::exact;
    if mu == 0.0 || epsilon == f64::INFINITY {
        return sure(0.0);
    }
    if mu == f64::INFINITY {
        return sure(1.0);
    }
    let shift = match Shift::of(mu, epsilon) {
        Ok(shift) => shift,
        Err(known) => return known,
    };
    let middle = shift.middle.centre();
    if middle < 2.0 && shift.half < 0.5 {
        return core(&shift, epsilon).probability();
    }
    let peak = density_peak() * shift.bell();
    if shift.lower.centre() >= 0.0 {
        (peak * tail_factor(&shift)).probability()
    } else {
        let outside = peak * (mills_ratio(-shift.lower) + mills_ratio(shift.upper));
        (Ball::exact(1.0) - outside).probability()
    }
}

/// Encloses `M_0(a) - M_0(b)` for a >= 0, outside the core.
fn tail_factor(shift: &Shift) -> Ball {
    let (middle, half) = (shift.middle.centre(), shift.half);
    if middle < 2.0 || half > middle / 4.0 {
        return mills_ratio(shift.lower) - mills_ratio(shift.upper);
    }
    let moments = scaled_moments(shift.middle, MOMENTS);
    let half = Ball::exact(half);
    let square = half * half;
    let mut power = half;
    let mut sum = Ball::exact(0.0);
    for moment in moments.iter().skip(1).step_by(2) {
        sum = sum + power * *moment;
        power = power * square;
    }
    // The first neglected power is h^{MOMENTS+1}, and M_k(m)/k! <= m^{-k-1}.
    let ratio = half / shift.middle;
    let mut rest = Ball::exact(16.0 / 15.0) / shift.middle;
    for _ in 0..=MOMENTS {
        rest = rest * ratio;
    }
    let sum = sum.widened(rest.upper());
    sum + sum
}

/// Evaluates the formula for `m < 2`, `h < 1/2`.
fn core(shift: &Shift, epsilon: f64) -> Ball {
    let (m, h) = (shift.middle, Ball::exact(shift.half));
    let (step, square) = (m * h, h * h);
    let (mut before, mut now) = (Ball::exact(0.0), Ball::exact(1.0));
    let mut sum = Ball::exact(1.0);
    for n in 1..24_u32 {
        let next = (step * now - square * before) / Ball::exact(f64::from(n));
        (before, now) = (now, next);
        if n % 2 == 0 {
            sum = sum + now / Ball::exact(f64::from(n + 1));
        }
    }
    let inside = h * sum.widened(1e-17);
    let outside =
        half_sinh(epsilon) * exp_of(-(square * Ball::exact(0.5))) * mills_ratio(shift.upper);
    let half_delta = inside - outside;
    let bell = exp_of(-(m * m * Ball::exact(0.5)));
    density_peak() * bell * (half_delta + half_delta)
}

/// Encloses `sinh(eps/2)` for eps <= 2.1.
fn half_sinh(epsilon: f64) -> Ball {
    let x = Ball::exact(epsilon / 2.0).widened(SMALLEST);
    series(x, x * x, (2..22).step_by(2).map(|k| k * (k + 1)))
}

/// Encloses delta if `a^2` overflows: `|a|` is beyond `1e150`, unless both its parts are and
/// cancel.
fn extreme(a: f64, largest_part: f64) -> Enclosure {
    let (lower, upper) = if a.abs() < 1e150 || a.abs() < 1e-3 * largest_part {
        (0.0, 1.0)
    } else if a > 0.0 {
        (0.0, f64::MIN_POSITIVE)
    } else {
        (1.0_f64.next_down(), 1.0)
    };
    Enclosure::try_new(lower, upper).unwrap_or(Enclosure::UNKNOWN)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn indistinguishable_inputs_have_no_delta() {
        for epsilon in [0.0, 1.0, f64::INFINITY] {
            assert_eq!(delta(0.0, epsilon), Enclosure::exact(0.0));
        }
    }

    /// With eps near mu^2/2, both near 2^220, a is -16 and known to within 128.
    #[test]
    fn a_shift_of_unknown_sign_may_be_none() {
        let mu = 2_f64.powi(111).next_down();
        let epsilon = 2_f64.powi(221).next_down().next_down();
        let shift = Shift::of(mu, epsilon).unwrap();
        assert!(shift.lower.lower() < -40.0 && shift.lower.upper() > 40.0);
        assert!(shift.bell().upper() >= 1.0);
    }
}
