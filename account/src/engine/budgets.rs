//! The budgets of all methods. None of them changes what a number means: beyond a budget the next
//! method answers, or nobody does.

use super::{Fast, Method};
use crate::AccountError;
use muffliato_fast::{AlibiView, GramView};
use muffliato_model::{Observer, Protocol};
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

/// Smallest number of observers for which all pairs are bounded at once.
pub(crate) const MANY: usize = 64;

/// Largest graph on which all pairs of a masked protocol are bounded at once.
pub(crate) const MOST_MASKED: usize = 4096;

/// Largest graph on which Theorem 1 is computed for all pairs at once.
pub(crate) const MOST_AT_ONCE: usize = 8192;

/// Returns `true` if exact losses of a protocol take at most this much work.
pub(crate) fn is_within(work: u128, protocol: &Protocol) -> bool {
    Process::work(protocol, work) <= work
}

impl Fast<'_> {
    /// Estimates the nanoseconds that a view takes on one core. For multiprecision, returns the
    /// number of multiplications, each of which takes much longer.
    ///
    /// # Errors
    ///
    /// Fails if the observer is outside the graph.
    pub fn work(protocol: &Protocol, observer: &Observer) -> Result<f64, AccountError> {
        if protocol.masks().is_some() && !protocol.is_refreshed() {
            // Trees of some hundred nodes for each source, or a share of one inverse.
            return Ok(1e5 * protocol.nodes() as f64);
        }
        let messages = protocol.messages_to(observer)? as f64;
        let nodes = protocol.nodes() as f64;
        if Self::method(protocol) == Method::Multiprecision {
            let draws = nodes * protocol.rounds() as f64;
            // The rank is at most the number of draws.
            let rows = messages.min(draws);
            let passes = match protocol.fixed_network() {
                Some(_) => protocol.rounds(),
                None => protocol.steps(),
            };
            return Ok(rows * rows * draws + rows.powi(3) + nodes * messages * passes as f64);
        }
        let gram = GramView::work(protocol, observer)?;
        if AlibiView::applies(protocol) {
            Ok(gram.min(AlibiView::work(protocol, observer)?))
        } else {
            Ok(gram)
        }
    }
}
