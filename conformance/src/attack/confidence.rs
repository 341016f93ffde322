//! Confidence intervals for success probabilities.

/// A confidence interval for a success probability.
///
/// ```
/// use muffliato_conformance::attack::SuccessInterval;
///
/// // The tables: 5 of 10 at 95 %.
/// let found = SuccessInterval::clopper_pearson(5, 10, 0.05);
/// assert!((found.lower - 0.1871).abs() < 1e-4 && (found.upper - 0.8129).abs() < 1e-4);
/// assert_eq!(found.share(), 0.5);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
pub struct SuccessInterval {
    /// Number of successes.
    pub successes: usize,
    /// Number of trials.
    pub trials: usize,
    /// Lower bound.
    pub lower: f64,
    /// Upper bound.
    pub upper: f64,
}

impl SuccessInterval {
    /// Returns the Clopper-Pearson interval. Each bound is wrong with probability at most `miss /
    /// 2`, for every true probability. Returns [0, 1] if there are no trials or `miss` is not
    /// strictly between 0 and 1.
    pub fn clopper_pearson(successes: usize, trials: usize, miss: f64) -> Self {
        let successes = successes.min(trials);
        let (k, n) = (successes as f64, trials as f64);
        let sensible = trials > 0 && miss > 0.0 && miss < 1.0;
        Self {
            successes,
            trials,
            lower: if sensible && successes > 0 { rarest(k, n, miss / 2.0) } else { 0.0 },
            // The failure probability is the complement.
            upper: if sensible && successes < trials {
                (1.0 - rarest(n - k, n, miss / 2.0)).next_up()
            } else {
                1.0
            },
        }
    }

    /// Returns the share of successes.
    pub fn share(&self) -> f64 {
        self.successes as f64 / self.trials.max(1) as f64
    }
}

/// Returns the largest success probability, rounded down, for which `k` or more of `n` successes
/// have probability at most `tail`.
fn rarest(k: f64, n: f64, tail: f64) -> f64 {
    let (mut low, mut high) = (0.0, k / n);
    loop {
        let middle = 0.5 * (low + high);
        if middle <= low || middle >= high {
            return low;
        }
        if at_least(k, n, middle) <= tail {
            low = middle;
        } else {
            high = middle;
        }
    }
}

/// Bounds `P(B >= k)` from above for a binomial B with n trials of probability p < k/n. The terms
/// decrease faster than a geometric series, which bounds the omitted ones.
fn at_least(k: f64, n: f64, p: f64) -> f64 {
    let parts = [
        libm::lgamma(n + 1.0),
        -libm::lgamma(k + 1.0),
        -libm::lgamma(n - k + 1.0),
        k * libm::log(p),
        (n - k) * libm::log1p(-p),
    ];
    // Far more than the rounding errors of the parts.
    let slack = 1e-14 * (1.0 + parts.iter().map(|part| part.abs()).sum::<f64>());
    let (mut place, mut term, mut sum) = (k, 1.0, 1.0);
    loop {
        let ratio = (n - place) / (place + 1.0) * (p / (1.0 - p));
        let rest = term * ratio / (1.0 - ratio);
        if rest <= 1e-12 * sum {
            return libm::exp(parts.iter().sum::<f64>() + slack) * (sum + rest);
        }
        term *= ratio;
        sum += term;
        place += 1.0;
    }
}

/// Returns the epsilon that a test proves at `delta`, at least 0: if `P(S | input 1) >= hit` and
/// `P(S | input 0) <= alarm`, no (eps, delta)-guarantee with a smaller eps is true.
///
/// ```
/// use muffliato_conformance::attack::proved_epsilon;
///
/// assert!((proved_epsilon(0.5, 0.25, 0.0) - 2_f64.ln()).abs() < 1e-15);
/// assert_eq!(proved_epsilon(0.25, 0.5, 0.0), 0.0);
/// assert_eq!(proved_epsilon(1e-6, 1e-9, 1e-5), 0.0);
/// ```
pub fn proved_epsilon(hit: f64, alarm: f64, delta: f64) -> f64 {
    if hit <= delta || alarm <= 0.0 {
        return 0.0;
    }
    libm::log((hit - delta) / alarm).max(0.0)
}

/// Returns the standard normal distribution function.
pub(super) fn normal_cdf(x: f64) -> f64 {
    0.5 * libm::erfc(-x / std::f64::consts::SQRT_2)
}

#[cfg(test)]
mod tests {
    use super::*;
    use statrs::distribution::{Binomial, DiscreteCDF};

    /// Compares with statrs' binomial distribution function.
    #[test]
    fn the_ends_are_the_quantiles_of_the_binomial() {
        for (successes, trials, miss) in [
            (3, 10, 0.05),
            (0, 50, 0.01),
            (997, 1000, 1e-6),
            (0, 10_000_000, 1e-6),
            (1, 10_000_000, 1e-6),
            (5, 10_000_000, 1e-6),
            (300, 10_000_000, 1e-6),
        ] {
            let found = SuccessInterval::clopper_pearson(successes, trials, miss);
            let law = |p: f64| Binomial::new(p, trials as u64).unwrap();
            let mut tails = vec![law(found.upper).cdf(successes as u64)];
            if successes > 0 {
                tails.push(law(found.lower).sf(successes as u64 - 1));
            }
            for tail in tails {
                let off = (tail / (miss / 2.0) - 1.0).abs();
                assert!(off < 1e-5, "{successes} of {trials}: {tail} for {miss}");
            }
        }
        let none = SuccessInterval::clopper_pearson(0, 0, 0.05);
        assert_eq!((none.lower, none.upper), (0.0, 1.0));
    }

    #[test]
    fn a_tiny_miss_probability_is_not_lost() {
        let ends = |miss| SuccessInterval::clopper_pearson(3, 100, miss);
        assert!(ends(1e-18).upper > ends(1e-15).upper && ends(1e-15).upper > ends(1e-12).upper);
        assert!(ends(1e-18).upper < 1.0 && ends(1e-18).lower > 0.0);
        // All of n failed: the upper bound is 1 - (miss/2)^(1/n).
        let none = SuccessInterval::clopper_pearson(0, 100, 1e-18);
        assert!((none.upper - (1.0 - libm::pow(5e-19, 0.01))).abs() < 1e-12);
    }
}
