//! Rows over masks.
//!
//! With masks a message is `p^T (x + eta + B m)`: its row has the coefficients p on the draws of
//! the nodes and `kappa (p_a - p_b)` on each mask {a, b}, scaled to deviation 1. Masks known to the
//! observer are left out: given them, it sees a message without them. The map from p to its row is
//! linear and injective, and it maps a unit vector of an observer to itself, as all its masks are
//! known: rows depend on each other exactly if their coefficients p do.

use super::vector::{RoundedVector, root_above};
use crate::FastError;
use dashu_int::{
    IBig, UBig,
    ops::{BitTest, UnsignedAbs},
};
use muffliato_model::{Observer, Protocol};

/// The masks of a protocol of one round that an observer does not know.
#[derive(Clone, Debug)]
pub(super) struct HiddenMasks {
    edges: Vec<(usize, usize)>,
    kappa: (IBig, IBig),
    /// An integer upper bound on the norm of the map from p to its row.
    stretch: UBig,
    /// Number of masks known to the observer.
    pub known: usize,
}

impl HiddenMasks {
    /// Returns the hidden masks; `None` for a protocol without masks.
    pub fn of(protocol: &Protocol, observer: &Observer) -> Result<Option<Self>, FastError> {
        let (Some(masks), Some(graph)) = (protocol.masks(), protocol.mask_graph(0)?) else {
            return Ok(None);
        };
        let hidden = |&(a, b): &(usize, usize)| !observer.contains(a) && !observer.contains(b);
        let edges: Vec<(usize, usize)> = graph.edges().filter(hidden).collect();
        let kappa = masks.kappa();
        let (above, below) = (kappa.numerator(), kappa.denominator());
        // No eigenvalue of a graph Laplacian exceeds twice the largest degree.
        let whole = UBig::from(above.unsigned_abs().div_ceil(below.unsigned_abs()));
        let stretch = whole * root_above(2 * graph.max_degree()) + UBig::ONE;
        Ok(Some(Self {
            known: graph.edge_count() - edges.len(),
            edges,
            kappa: (IBig::from(above), IBig::from(below)),
            stretch,
        }))
    }

    /// Returns the number of draws of a row besides those of the nodes.
    pub fn len(&self) -> usize {
        self.edges.len()
    }

    /// Returns the row of the coefficients p.
    pub fn row(&self, p: &RoundedVector) -> RoundedVector {
        let (above, below) = &self.kappa;
        let on_mask = |&(a, b): &(usize, usize)| (&p.entries[a] - &p.entries[b]) * above / below;
        let mut entries = p.entries.clone();
        entries.extend(self.edges.iter().map(on_mask));
        RoundedVector {
            entries,
            radius: &p.radius * &self.stretch + root_above(self.edges.len()),
        }
    }

    /// Returns by how many bits the denominator of a row exceeds that of its coefficients.
    pub fn denominator_bits(&self) -> i128 {
        self.kappa.1.clone().unsigned_abs().bit_len() as i128
    }
}
