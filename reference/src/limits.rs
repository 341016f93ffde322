//! How much work the engine takes on.

use crate::ReferenceError;

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
