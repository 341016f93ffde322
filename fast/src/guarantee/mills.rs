//! The Mills ratio of the normal distribution and its moments, without cancellation (trusted).
//!
//! ```text
//! M_k(x) = integral over t > 0 of t^k e^{-x t - t^2/2},      M_0(x) = Phi(-x) / phi(x)
//! ```
//!
//! Integration by parts gives `M_1 + x M_0 = 1` and `M_{k+1} + x M_k = k M_{k-1}`. With the ratios
//! `r_k = M_{k+1} / M_k` this is a recurrence downwards whose terms are all positive for x >= 0,
//!
//! ```text
//! r_{k-1} = k / (x + r_k),     M_0 = 1 / (x + r_0),     M_{k+1} = r_k M_k ,
//! ```
//!
//! and it forgets its start: an error of r_k reaches `r_{k-1}` multiplied by `r_k / (x + r_k) < 1`
//! (relative). The start is enclosed as well: by `M_k^2 <= M_{k-1} M_{k+1}` (Cauchy-Schwarz) r
//! increases, so `r_k (x + r_k) <= r_k (x + r_{k+1}) = k + 1`, that is
//!
//! ```text
//! (k+1) / (x + s_{k+1}) <= r_k <= s_k,     s_k = ( sqrt(x^2 + 4(k+1)) - x ) / 2 = 2 (k+1) / ( x + sqrt(x^2 + 4(k+1)) ) .
//! ```
//!
//! Near 0 the recurrence forgets slowly; there the power series of the error function has only
//! positive terms, and one subtraction loses less than a factor 10:
//!
//! ```text
//! M_0(x) = sqrt(pi/2) e^{x^2/2} - sum_j x^{2j+1} / (1 3 5 ... (2j+1))
//! ```

use super::{
    ball::Ball,
    exponential::{exp_of, series},
};

/// Smallest x for the recurrence; below, the power series is used.
pub(super) const RECURRENCE_FROM: f64 = 1.5;

/// Last power of x in the series: `1.5^51 / (1 3 5 ... 51) < 1e-24`.
const SERIES_END: u32 = 51;

/// Maximum number of moments `M_k(x) / k!`.
pub(super) const MOMENTS: usize = 30;

/// Encloses `sqrt(pi/2)`.
fn root_half_pi() -> Ball {
    Ball::exact(1.253_314_137_315_500_3).widened(f64::EPSILON)
}

/// Encloses `1 / sqrt(2 pi)`, the height of the normal density.
pub(super) fn density_peak() -> Ball {
    Ball::exact(0.398_942_280_401_432_7).widened(f64::EPSILON / 4.0)
}

/// Encloses `M_0(x)` for a ball around x >= 0.
pub(super) fn mills_ratio(x: Ball) -> Ball {
    if x.centre() < RECURRENCE_FROM { power_series(x) } else { scaled_moments(x, 1)[0] }
}

fn power_series(x: Ball) -> Ball {
    let square = x * x;
    // From 2j+1 = 5 on the terms fall by a factor x^2 / (2j+1) < 1/2.
    let odd = series(x, square, (3..=SERIES_END).step_by(2));
    root_half_pi() * exp_of(square * Ball::exact(0.5)) - odd
}

/// Encloses `M_k(x) / k!` for k = 0..count, for a ball around x >= [`RECURRENCE_FROM`].
pub(super) fn scaled_moments(x: Ball, count: usize) -> Vec<Ball> {
    let level = x.centre().max(1.0);
    // About e^{-2 x sqrt(K)} of the start is left after K levels.
    let start = count + 12 + (450.0 / (level * level)) as usize;
    let mut ratio = first_ratio(x, start);
    let mut ratios = vec![ratio; count];
    for k in (1..=start).rev() {
        ratio = Ball::exact(k as f64) / (x + ratio);
        if k <= count {
            ratios[k - 1] = ratio;
        }
    }
    let mut moment = Ball::exact(1.0) / (x + ratio);
    let mut moments = Vec::with_capacity(count);
    for (k, ratio) in ratios.into_iter().enumerate() {
        moments.push(moment);
        moment = moment * ratio / Ball::exact((k + 1) as f64);
    }
    moments
}

/// Encloses `r_k` by the inequality in the module's documentation.
fn first_ratio(x: Ball, k: usize) -> Ball {
    let bound = |k: usize| {
        let next = (k + 1) as f64;
        let root = (x * x + Ball::exact(4.0 * next)).sqrt();
        Ball::exact(2.0 * next) / (x + root)
    };
    let lower = Ball::exact((k + 1) as f64) / (x + bound(k + 1));
    Ball::between(lower.lower(), bound(k).upper())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values of `M_0` to 17 digits, from mpmath with 50 digits.
    #[test]
    fn known_values() {
        for (x, expected) in KNOWN {
            let ball = mills_ratio(Ball::exact(x));
            assert!(ball.lower() <= expected && expected <= ball.upper(), "{x}");
            assert!(ball.upper() - ball.lower() < 2e-13 * expected, "{x}: {ball:?}");
        }
    }

    #[test]
    fn the_two_ways_agree_where_they_meet() {
        for step in 0..=10 {
            let x = Ball::exact(RECURRENCE_FROM + f64::from(step) * 0.05);
            let (series, recurrence) = (power_series(x), scaled_moments(x, 1)[0]);
            assert!(series.lower() <= recurrence.upper() && recurrence.lower() <= series.upper());
        }
    }

    #[test]
    fn moments_satisfy_their_recurrence() {
        for x in [1.5, 2.0, 3.7, 12.0, 38.0, 1e6] {
            let m = scaled_moments(Ball::exact(x), MOMENTS);
            let first = m[1] + Ball::exact(x) * m[0];
            assert!(first.lower() <= 1.0 && 1.0 <= first.upper());
            for k in 1..MOMENTS - 1 {
                // M_{k+1} + x M_k = k M_{k-1}, divided by k!
                let left = Ball::exact((k + 1) as f64) * m[k + 1] + Ball::exact(x) * m[k];
                assert!(left.lower() <= m[k - 1].upper() && m[k - 1].lower() <= left.upper());
                assert!(m[k].upper() - m[k].lower() < 1e-11 * m[k].centre(), "{x} {k}");
            }
        }
    }

    const KNOWN: [(f64, f64); 21] = [
        (0.0, 1.2533141373155003),
        (1e-09, 1.2533141363155003),
        (0.25, 1.0378245758537268),
        (0.5, 0.8763644564536923),
        (1.0, 0.6556795424187984),
        (1.25, 0.5784303460476311),
        (1.4375, 0.5303102630712526),
        (1.5, 0.5158156382179634),
        (1.75, 0.4643069280394422),
        (2.0, 0.4213692292880545),
        (2.5, 0.35426511132979366),
        (3.0, 0.3045902987101033),
        (5.0, 0.19280810471531576),
        (8.0, 0.1231319632579323),
        (13.0, 0.0764757610162485),
        (20.0, 0.04987592598183679),
        (37.5, 0.02664774401489855),
        (100.0, 0.009999000299850106),
        (10000.0, 9.999999900000004e-05),
        (100000000.0, 9.999999999999999e-09),
        (1000000000000.0, 1e-12),
    ];
}
