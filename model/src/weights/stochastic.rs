//! Validation of a gossip matrix: a check over slices of the caller without allocation, so that a
//! model checker can run it.

/// A violation of the properties of a gossip matrix. Values are numerators over the common
/// denominator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the messages say what the fields are")]
pub enum StochasticFlaw {
    /// An entry differs from the one on the other side of the diagonal.
    Asymmetric { row: usize, column: usize, numerator: i128, mirrored: i128 },
    /// An entry is negative.
    Negative { row: usize, column: usize, numerator: i128 },
    /// A row does not sum to the denominator.
    RowSum { row: usize, sum: i128 },
    /// The sum of a row does not fit into 127 bits.
    Overflow,
}

/// Returns the index of (row, column) in the adjacency arrays, if it is an edge.
pub(crate) fn entry_place(
    offsets: &[usize],
    targets: &[u32],
    row: usize,
    column: usize,
) -> Option<usize> {
    let start = offsets[row];
    let neighbours = &targets[start..offsets[row + 1]];
    let within = neighbours.binary_search(&u32::try_from(column).ok()?).ok()?;
    Some(start + within)
}

/// Checks that the matrix with these numerators on the diagonal and on the edges is non-negative
/// and symmetric, and that each row sums to `denominator`. Returns `Ok` exactly if it is.
///
/// The edges are those of [`Graph::adjacency`](crate::Graph::adjacency); `off_diagonal` has one
/// entry per entry of `targets`, `diagonal` one per node.
pub fn check_stochastic(
    offsets: &[usize],
    targets: &[u32],
    diagonal: &[i128],
    off_diagonal: &[i128],
    denominator: i128,
) -> Result<(), StochasticFlaw> {
    for (row, &own) in diagonal.iter().enumerate() {
        let mut sum = own;
        let mut negative = (own < 0).then_some((row, own));
        for place in offsets[row]..offsets[row + 1] {
            let (column, numerator) = (targets[place] as usize, off_diagonal[place]);
            if numerator < 0 && negative.is_none() {
                negative = Some((column, numerator));
            }
            if row < column {
                let mirror = entry_place(offsets, targets, column, row);
                let mirrored = mirror.map_or(0, |place| off_diagonal[place]);
                if numerator != mirrored {
                    return Err(StochasticFlaw::Asymmetric { row, column, numerator, mirrored });
                }
            }
            sum = sum.checked_add(numerator).ok_or(StochasticFlaw::Overflow)?;
        }
        if let Some((column, numerator)) = negative {
            return Err(StochasticFlaw::Negative { row, column, numerator });
        }
        if sum != denominator {
            return Err(StochasticFlaw::RowSum { row, sum });
        }
    }
    Ok(())
}
