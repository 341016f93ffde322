//! Weights given by the user.

use super::error::{WeightError, fraction_text};
use super::stochastic::{check_stochastic, entry_place};
use crate::Graph;

/// Validated weights over one common denominator, for one graph.
///
/// ```
/// use muffliato_model::{CustomWeights, Graph, WeightError};
///
/// let graph = Graph::try_new(3, [(0, 1), (1, 2)])?;
/// let quarters = [(0, 0, 2), (0, 1, 2), (1, 0, 2), (1, 1, 1), (1, 2, 1), (2, 1, 1), (2, 2, 3)];
/// assert!(CustomWeights::try_new(&graph, 4, quarters).is_ok());
///
/// let wrong = CustomWeights::try_new(&graph, 2, [(0, 0, 1), (0, 1, 1), (1, 0, 1), (1, 1, 1), (2, 2, 1)]);
/// assert_eq!(wrong, Err(WeightError::RowSum { row: 2, sum: "1/2".into() }));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CustomWeights {
    denominator: i128,
    diagonal: Vec<i128>,
    /// One numerator for each entry of the graph's adjacency, in its order.
    off_diagonal: Vec<i128>,
    /// The fingerprint of the graph's adjacency.
    fingerprint: u64,
}

impl CustomWeights {
    /// Creates the matrix with `numerator / denominator` at each given (row, column) and 0
    /// elsewhere. Returns `Ok` exactly if it is symmetric, non-negative, zero outside the edges and
    /// the diagonal, and each row sums to 1.
    ///
    /// # Errors
    ///
    /// Returns an error with the position of the first violation.
    pub fn try_new(
        graph: &Graph,
        denominator: i128,
        entries: impl IntoIterator<Item = (usize, usize, i128)>,
    ) -> Result<Self, WeightError> {
        if denominator <= 0 {
            return Err(WeightError::Denominator { denominator });
        }
        let nodes = graph.nodes();
        let (offsets, targets) = graph.adjacency();
        let mut diagonal = vec![None; nodes];
        let mut off_diagonal = vec![None; targets.len()];
        for (row, column, numerator) in entries {
            if row >= nodes || column >= nodes {
                return Err(WeightError::OutOfRange { row, column, nodes });
            }
            let slot = if row == column {
                &mut diagonal[row]
            } else if let Some(place) = entry_place(offsets, targets, row, column) {
                &mut off_diagonal[place]
            } else if numerator == 0 {
                continue;
            } else {
                let value = fraction_text(numerator, denominator);
                return Err(WeightError::NoEdge { row, column, value });
            };
            if slot.replace(numerator).is_some() {
                return Err(WeightError::Repeated { row, column });
            }
        }
        let filled =
            |slots: Vec<Option<i128>>| slots.into_iter().map(Option::unwrap_or_default).collect();
        let weights = Self {
            denominator,
            diagonal: filled(diagonal),
            off_diagonal: filled(off_diagonal),
            fingerprint: fingerprint(graph),
        };
        check_stochastic(offsets, targets, &weights.diagonal, &weights.off_diagonal, denominator)
            .map_err(|flaw| WeightError::of_flaw(flaw, denominator))?;
        Ok(weights)
    }

    /// Returns `true` if the weights were made for this graph.
    pub(super) fn is_for(&self, graph: &Graph) -> bool {
        self.fingerprint == fingerprint(graph)
    }

    /// Returns the common denominator of all weights.
    pub fn denominator(&self) -> i128 {
        self.denominator
    }

    /// Returns the numerators on the diagonal.
    pub fn diagonal(&self) -> &[i128] {
        &self.diagonal
    }

    /// Returns the numerators of the edges, one per entry of [`Graph::adjacency`], in its order.
    pub fn off_diagonal(&self) -> &[i128] {
        &self.off_diagonal
    }
}

/// Returns a hash of the adjacency (64-bit FNV-1a) that identifies the graph.
fn fingerprint(graph: &Graph) -> u64 {
    let (offsets, targets) = graph.adjacency();
    let words = offsets.iter().map(|&offset| offset as u64);
    words
        .chain(targets.iter().map(|&target| u64::from(target)))
        .flat_map(u64::to_le_bytes)
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Network, WeightScheme};

    fn path3() -> Graph {
        Graph::try_new(3, [(0, 1), (1, 2)]).unwrap()
    }

    #[test]
    fn every_flaw_is_named_with_its_place() {
        for (denominator, rows, flaw) in [
            (
                6,
                [[3, 3, 0], [2, 2, 2], [0, 2, 4]],
                "row 0, column 1 is 1/2, but at row 1, column 0 it is 1/3",
            ),
            (
                2,
                [[3, -1, 0], [-1, 2, 1], [0, 1, 1]],
                "row 0, column 1 is -1/2; weights must not be negative",
            ),
            (10, [[5, 5, 0], [5, 5, 1], [0, 1, 9]], "row 1 of the weights sums to 11/10"),
            (
                2,
                [[1, 0, 1], [0, 2, 0], [1, 0, 1]],
                "row 0, column 2 is 1/2, but the graph has no edge 0-2",
            ),
            (0, [[0; 3]; 3], "denominator of the weights is 0"),
            (1, [[i128::MAX, 1, 0], [1, 0, 0], [0, 0, 1]], "of at most 127 bits"),
        ] {
            let row = |v: usize| (0..3).map(move |w| (v, w, rows[v][w]));
            let refused = CustomWeights::try_new(&path3(), denominator, (0..3).flat_map(row));
            let refused = refused.unwrap_err().to_string();
            assert!(refused.contains(flaw), "{refused}");
        }
        let (row, column, nodes) = (0, 3, 3);
        let outside = CustomWeights::try_new(&path3(), 1, [(row, column, 1)]);
        assert_eq!(outside, Err(WeightError::OutOfRange { row, column, nodes }));
        let twice = CustomWeights::try_new(&path3(), 1, [(0, 0, 1), (0, 0, 1)]);
        assert_eq!(twice, Err(WeightError::Repeated { row: 0, column: 0 }));
    }

    #[test]
    fn custom_weights_belong_to_their_graph() {
        let identity = CustomWeights::try_new(&path3(), 1, (0..3).map(|v| (v, v, 1))).unwrap();
        let network = |graph: Graph, weights| Network::try_new(graph, weights);
        assert!(network(path3(), WeightScheme::Custom(identity.clone())).is_ok());
        let lazy = WeightScheme::Lazy(Box::new(WeightScheme::Custom(identity)));
        let other = Graph::try_new(3, [(0, 2), (1, 2)]).unwrap();
        assert_eq!(network(other, lazy.clone()), Err(WeightError::OtherGraph));
        let lazier = (0..70).fold(lazy, |scheme, _| WeightScheme::Lazy(Box::new(scheme)));
        assert_eq!(network(path3(), lazier), Err(WeightError::TooLazy { depth: 71 }));
    }
}
