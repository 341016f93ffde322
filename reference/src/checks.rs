//! Checks of sizes, sources and ranges.

use crate::ReferenceError;
use muffliato_model::Observer;

/// Largest number of entries that a computation stores or passes through.
pub const MAX_ENTRIES: u128 = 50_000_000;

/// Largest precision of an enclosure in bits; requests for more are capped.
pub const MAX_BITS: u32 = 4096;

/// Checks that `steps` steps on a state of `nodes` x `columns` numbers are at most [`MAX_ENTRIES`].
pub(crate) fn check_work(nodes: usize, columns: usize, steps: usize) -> Result<(), ReferenceError> {
    let entries = [columns, steps]
        .iter()
        .fold(nodes as u128, |product, &factor| product.saturating_mul(factor as u128));
    if entries > MAX_ENTRIES {
        return Err(ReferenceError::TooLarge { nodes, steps, entries, limit: MAX_ENTRIES });
    }
    Ok(())
}

/// Returns the distinct sources in increasing order. Returns an error unless there is at least one
/// and each is a node that does not observe.
pub(crate) fn check_sources(
    sources: &[usize],
    nodes: usize,
    observer: &Observer,
) -> Result<Vec<usize>, ReferenceError> {
    let mut distinct = sources.to_vec();
    distinct.sort_unstable();
    distinct.dedup();
    if distinct.is_empty() {
        return Err(ReferenceError::NoSource);
    }
    for &node in &distinct {
        if node >= nodes {
            let source_node = node;
            return Err(ReferenceError::SourceOutOfRange { source_node, nodes });
        }
        if observer.contains(node) {
            return Err(ReferenceError::SourceObserves { node });
        }
    }
    Ok(distinct)
}

/// Checks the length of a list.
pub(crate) fn check_length(
    what: &'static str,
    given: usize,
    expected: usize,
) -> Result<(), ReferenceError> {
    if given == expected {
        Ok(())
    } else {
        Err(ReferenceError::WrongLength { what, given, expected })
    }
}

/// Creates the error for a parameter outside its range.
pub(crate) fn bad(
    parameter: &'static str,
    value: &impl ToString,
    expected: &'static str,
) -> ReferenceError {
    ReferenceError::BadParameter { parameter, value: value.to_string(), expected }
}

/// Returns the error of [`bad`] unless the condition holds.
pub(crate) fn require(
    holds: bool,
    parameter: &'static str,
    value: &impl ToString,
    expected: &'static str,
) -> Result<(), ReferenceError> {
    if holds { Ok(()) } else { Err(bad(parameter, value, expected)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_limit_itself_is_taken_on() {
        assert_eq!(check_work(5_000, 2_000, 5), Ok(()));
        let entries = MAX_ENTRIES + 10;
        let refused = check_work(5_000_001, 10, 1);
        assert!(
            matches!(refused, Err(ReferenceError::TooLarge { entries: found, .. }) if found == entries)
        );
    }
}
