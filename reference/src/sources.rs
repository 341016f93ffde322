//! Whose input is protected.

use crate::ReferenceError;
use muffliato_model::Observer;

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
