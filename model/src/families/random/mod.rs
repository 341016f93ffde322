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
    //! Pearson's test, for comparing what was drawn with the law that it should have.

    /// The probability that a test in this crate raises a false alarm. Seeds are fixed, so that a
    /// test which passes once passes always; the rate is what a change of the stream risks.
    pub(super) const FALSE_ALARM_RATE: f64 = 1e-6;

    /// Asserts that the counts fit the expected counts. `critical` is the quantile of the
    /// chi-square law with one degree of freedom less than there are counts, exceeded with
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
