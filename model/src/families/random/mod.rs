//! Random graphs, each a function of its parameters and a seed.

mod erdos_renyi;
mod geometric;
mod regular;
mod stream;

pub use erdos_renyi::{erdos_renyi, erdos_renyi_connected};
pub use geometric::geometric;
pub use regular::random_regular;

#[cfg(test)]
mod chi_square {
    //! Pearson's chi-square test of drawn counts against their law.

    /// The probability that a test in this crate raises a false alarm. Seeds are fixed, so the rate
    /// only matters when a stream changes.
    pub(super) const FALSE_ALARM_RATE: f64 = 1e-6;

    /// Asserts that the counts fit the expected counts. `critical` is the quantile of the
    /// chi-square law with `observed.len() - 1` degrees of freedom that is exceeded with
    /// probability [`FALSE_ALARM_RATE`].
    pub(super) fn assert_fits(observed: &[u64], expected: &[f64], critical: f64) {
        assert_eq!(observed.len(), expected.len());
        let statistic: f64 = std::iter::zip(observed, expected)
            .map(|(&seen, law)| (seen as f64 - law).powi(2) / law)
            .sum();
        assert!(
            statistic < critical,
            "chi-square {statistic} of {} counts is above {critical} \
             (false-alarm rate {FALSE_ALARM_RATE}): {observed:?} against {expected:?}",
            observed.len()
        );
    }
}
