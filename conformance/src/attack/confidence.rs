//! What a number of successes proves.

use statrs::distribution::{Beta, ContinuousCDF};

/// An interval that contains a success probability with at least the confidence that it was made for.
///
/// ```
/// use muffliato_conformance::attack::SuccessInterval;
///
/// // The tables: 5 of 10 at 95 %.
/// let found = SuccessInterval::clopper_pearson(5, 10, 0.05);
/// assert!((found.lower - 0.1871).abs() < 1e-4 && (found.upper - 0.8129).abs() < 1e-4);
/// assert_eq!(found.share(), 0.5);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SuccessInterval {
    /// The successes.
    pub successes: usize,
    /// The trials.
    pub trials: usize,
    /// The lower end.
    pub lower: f64,
    /// The upper end.
    pub upper: f64,
}

impl SuccessInterval {
    /// The interval of Clopper and Pearson: each end is wrong with probability at most `miss / 2`, whatever the true
    /// probability. `miss` lies strictly between 0 and 1; anything else, and no trials, gives [0, 1].
    pub fn clopper_pearson(successes: usize, trials: usize, miss: f64) -> Self {
        let successes = successes.min(trials);
        let (k, n) = (successes as f64, trials as f64);
        let quantile =
            |a: f64, b: f64, p: f64| Beta::new(a, b).ok().map(|beta| beta.inverse_cdf(p));
        let sensible = trials > 0 && miss > 0.0 && miss < 1.0;
        let lower = (sensible && successes > 0)
            .then(|| quantile(k, n - k + 1.0, miss / 2.0))
            .flatten();
        let upper = (sensible && successes < trials)
            .then(|| quantile(k + 1.0, n - k, 1.0 - miss / 2.0))
            .flatten();
        Self {
            successes,
            trials,
            lower: lower.unwrap_or(0.0),
            upper: upper.unwrap_or(1.0),
        }
    }

    /// The share of successes.
    pub fn share(&self) -> f64 {
        self.successes as f64 / self.trials.max(1) as f64
    }
}

/// The eps that a test proves at `delta`: if `P(S | input 1) >= hit` and `P(S | input 0) <= alarm`, then no
/// (eps, delta)-guarantee with a smaller eps is true. At least 0.
///
/// ```
/// use muffliato_conformance::attack::proved_epsilon;
///
/// assert!((proved_epsilon(0.5, 0.25, 0.0) - 2_f64.ln()).abs() < 1e-15);
/// assert_eq!(proved_epsilon(0.25, 0.5, 0.0), 0.0);
/// ```
pub fn proved_epsilon(hit: f64, alarm: f64, delta: f64) -> f64 {
    if hit <= delta || alarm <= 0.0 {
        return 0.0;
    }
    libm::log((hit - delta) / alarm).max(0.0)
}

/// The normal distribution function.
pub(super) fn normal_cdf(x: f64) -> f64 {
    0.5 * libm::erfc(-x / std::f64::consts::SQRT_2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ends_are_the_quantiles_of_the_binomial() {
        for (successes, trials, miss) in [(3, 10, 0.05), (0, 50, 0.01), (997, 1000, 1e-6)] {
            let found = SuccessInterval::clopper_pearson(successes, trials, miss);
            let law = |p: f64, from: usize, to: usize| {
                let ln_choose = |k: usize| {
                    libm::lgamma(trials as f64 + 1.0)
                        - libm::lgamma(k as f64 + 1.0)
                        - libm::lgamma((trials - k) as f64 + 1.0)
                };
                (from..=to)
                    .map(|k| {
                        libm::exp(
                            ln_choose(k)
                                + k as f64 * libm::log(p)
                                + (trials - k) as f64 * libm::log1p(-p),
                        )
                    })
                    .sum::<f64>()
            };
            if successes > 0 {
                let tail = law(found.lower, successes, trials);
                assert!(
                    (tail / (miss / 2.0) - 1.0).abs() < 1e-5,
                    "{tail} for {miss}"
                );
            }
            let tail = law(found.upper, 0, successes);
            assert!(
                (tail / (miss / 2.0) - 1.0).abs() < 1e-5,
                "{tail} for {miss}"
            );
        }
        let none = SuccessInterval::clopper_pearson(0, 0, 0.05);
        assert_eq!((none.lower, none.upper), (0.0, 1.0));
    }

    #[test]
    fn a_proved_epsilon_is_never_negative() {
        assert_eq!(proved_epsilon(0.1, 0.2, 0.0), 0.0);
        assert_eq!(proved_epsilon(1e-6, 1e-9, 1e-5), 0.0);
        assert!((proved_epsilon(0.5, 0.25, 0.0) - std::f64::consts::LN_2).abs() < 1e-15);
    }
}
