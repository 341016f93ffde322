//! What every question must satisfy: sizes, sources, ranges.

use crate::ReferenceError;
use muffliato_model::Observer;

/// The most numbers that a computation stores, or that it passes through in all its steps together.
pub const MAX_ENTRIES: u128 = 50_000_000;

/// The most bits of precision that an enclosure is computed to; asking for more gives this many.
pub const MAX_BITS: u32 = 4096;

/// `Err` if `steps` steps on a state of `nodes` x `columns` numbers are more than [`MAX_ENTRIES`].
pub(crate) fn check_work(nodes: usize, columns: usize, steps: usize) -> Result<(), ReferenceError> {
    let entries = [columns, steps]
        .iter()
        .fold(nodes as u128, |product, &factor| {
            product.saturating_mul(factor as u128)
        });
    if entries > MAX_ENTRIES {
        return Err(ReferenceError::TooLarge {
            nodes,
            steps,
            entries,
            limit: MAX_ENTRIES,
        });
    }
    Ok(())
}

/// The distinct sources in increasing order; `Err` unless there is one, and each is a node that does not
/// observe.
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

/// `Err` unless a list has the length that it needs.
pub(crate) fn check_length(
    what: &'static str,
    given: usize,
    expected: usize,
) -> Result<(), ReferenceError> {
    if given == expected {
        Ok(())
    } else {
        Err(ReferenceError::WrongLength {
            what,
            given,
            expected,
        })
    }
}

/// The error that a parameter is outside its range.
pub(crate) fn bad(
    parameter: &'static str,
    value: &impl ToString,
    expected: &'static str,
) -> ReferenceError {
    ReferenceError::BadParameter {
        parameter,
        value: value.to_string(),
        expected,
    }
}

/// `Err` with the parameter and its value unless it is in its range.
pub(crate) fn require(
    holds: bool,
    parameter: &'static str,
    value: &impl ToString,
    expected: &'static str,
) -> Result<(), ReferenceError> {
    match holds {
        true => Ok(()),
        false => Err(bad(parameter, value, expected)),
    }
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
