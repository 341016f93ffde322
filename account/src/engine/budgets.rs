//! The budgets of all methods. None of them changes what a number means: beyond a budget the next
//! method answers, or nobody does.

use muffliato_model::Protocol;
use muffliato_reference::Process;

/// Largest product of nodes, steps and draws for which losses are always exact.
pub(crate) const SMALL: usize = 600;

/// Work of exact losses for all observers, or of a certificate, in operations on machine words: some
/// seconds.
pub(crate) const EXACT_WORK: u128 = 1_000_000_000;

/// Work of exact losses under secure summation, in operations on machine words.
pub(crate) const SUMS_WORK: u128 = 3_000_000;

/// Largest number of sums and known draws of an exact view.
pub(crate) const SUMS_ROWS: usize = 100;

/// Work of exact losses of a linear system, in products of machine words: about a minute.
pub(crate) const SYSTEM_WORK: u128 = 20_000_000_000;

/// Work of an exact Theorem 1 for one observer: its fractions get long before losses do.
pub(crate) const FORMULA_WORK: u128 = 100_000_000;

/// Number of primes that the finder of exact losses tries.
pub(crate) const ATTEMPTS: usize = 4;

/// Work of multiprecision for all observers, in products of machine words: some seconds.
pub(crate) const MULTIPRECISION_WORK: u128 = 500_000_000;

/// Work of the lower ends of masked rounds in a model, in multiplications.
pub(crate) const MODELLED: f64 = 1e7;

/// Largest number of products of weights for which fractions are optimised, over all pairs.
pub(crate) const ABSORPTION_WORK: f64 = 4e9;

/// Returns `true` if exact losses of a protocol take at most this much work.
pub(crate) fn is_within(work: u128, protocol: &Protocol) -> bool {
    Process::work(protocol, work) <= work
}
