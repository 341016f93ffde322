//! Gossip matrices in compressed rows, and their products with blocks of vectors.
//!
//! All weights are computed without cancellation, so each is within a known number of roundings of
//! the exact one. For Metropolis weights, with `m_vw = max(d_v, d_w)`:
//!
//! ```text
//! W_vw = 1 / (1 + m_vw),      W_vv = 1/(1 + d_v) + sum_w (m_vw - d_v) / ((1 + d_v)(1 + m_vw))
//! ```

use crate::{
    FastError,
    arithmetic::{
        Real, block_length, degree_roundings, degree_shift, degree_weights, mixed_block,
        mixed_entry,
    },
    checks,
    threads::{self, vectorized},
};
use muffliato_model::{CustomWeights, Graph, Network, WeightScheme};

/// A gossip matrix: the graph's adjacency with a weight per entry, and the diagonal.
///
/// ```
/// use muffliato_fast::SparseWeights;
/// use muffliato_model::Network;
///
/// let network = Network::metropolis("path:3".parse()?)?;
/// let weights = SparseWeights::of_network(&network)?;
/// let mut mixed = [0.0; 3];
/// weights.apply(&[3.0, 0.0, 0.0], 1, &mut mixed)?;
/// // W_00 = 2/3 and W_01 = 1/3.
/// assert!((mixed[0] - 2.0).abs() < 1e-14 && mixed[1] == 1.0 && mixed[2] == 0.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Stored entries and their accuracy:
///
/// ```
/// # use muffliato_fast::{Enclosure, SparseWeights};
/// # use muffliato_model::Network;
/// # let network = Network::metropolis("path:3".parse()?)?;
/// # let weights = SparseWeights::of_network(&network)?;
/// assert_eq!((weights.nodes(), weights.entries(), weights.max_degree()), (3, 4, 2));
/// let third = weights.weight(0, 1);
/// assert_eq!(weights.row(1), (&[0, 2][..], &[third, third][..]));
/// assert_eq!((weights.common(1), weights.weight(0, 2)), (Some(third), 0.0));
/// let roundings = weights.roundings();
/// assert!(Enclosure::around(weights.own(0), roundings, 0).contains(2.0 / 3.0));
/// // A step adds the roundings of the weight, and a product and a sum for each neighbour.
/// assert_eq!(weights.step_roundings(), roundings + 3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct SparseWeights<N = f64> {
    offsets: Vec<usize>,
    columns: Vec<u32>,
    values: Vec<N>,
    diagonal: Vec<N>,
    roundings: u64,
    max_degree: usize,
    /// The common weight of all neighbours of a node, if they do not differ.
    common: Vec<Option<N>>,
}

/// Number of entries below which a product runs on one thread.
const PARALLEL_ENTRIES: usize = 1 << 15;

impl SparseWeights {
    /// Computes the gossip matrix of a network, each weight within [`SparseWeights::roundings`]
    /// roundings of the exact one.
    pub fn of_network(network: &Network) -> Result<Self, FastError> {
        Self::of(network)
    }
}

impl<N: Real> SparseWeights<N> {
    /// Computes the gossip matrix of a network in this precision.
    pub(crate) fn of(network: &Network) -> Result<Self, FastError> {
        let graph = network.graph();
        let (mut inner, mut lazy) = (network.weights(), 0);
        while let WeightScheme::Lazy(next) = inner {
            (inner, lazy) = (&**next, lazy + 1);
        }
        let (values, diagonal, roundings) = match inner {
            WeightScheme::Custom(weights) => of_custom(weights),
            other => match degree_shift(other) {
                Some(shift) => of_degrees(graph, shift),
                None => {
                    return Err(FastError::UnknownScheme { scheme: other.to_string() });
                }
            },
        };
        let mut weights = Self::new(graph, values, diagonal, roundings);
        for _ in 0..lazy {
            weights.make_lazy();
        }
        Ok(weights)
    }

    /// Replaces W by `(I + W) / 2`: halving is exact, so only the sum on the diagonal rounds.
    fn make_lazy(&mut self) {
        let half = N::of(0.5);
        for weight in self.values.iter_mut().chain(self.common.iter_mut().flatten()) {
            *weight = *weight * half;
        }
        let lazy = |weight: &mut N| *weight = (N::of(1.0) + *weight) * half;
        self.diagonal.iter_mut().for_each(lazy);
        self.roundings += 1;
    }

    fn new(graph: &Graph, values: Vec<N>, diagonal: Vec<N>, roundings: u64) -> Self {
        let (offsets, columns) = graph.adjacency();
        Self {
            common: common_weights(offsets, &values),
            offsets: offsets.to_vec(),
            columns: columns.to_vec(),
            values,
            diagonal,
            roundings,
            max_degree: graph.max_degree(),
        }
    }

    /// Returns the number of nodes.
    pub fn nodes(&self) -> usize {
        self.diagonal.len()
    }

    /// Returns the number of entries off the diagonal.
    pub fn entries(&self) -> usize {
        self.values.len()
    }

    /// Returns the largest degree.
    pub fn max_degree(&self) -> usize {
        self.max_degree
    }

    /// Returns k such that each stored weight is within factors `(1 + 2^-53)^-k` and `(1 +
    /// 2^-53)^k` of the exact one.
    pub fn roundings(&self) -> u64 {
        self.roundings
    }

    /// Returns the number of roundings that one product adds to each entry of a non-negative
    /// vector: those of the weight, the product and the sum.
    pub fn step_roundings(&self) -> u64 {
        self.roundings + self.max_degree as u64 + 1
    }

    /// Returns [`SparseWeights::step_roundings`] of row v alone: 0 if v is isolated, with weight
    /// exactly 1.
    pub(crate) fn row_roundings(&self, v: usize) -> u64 {
        match self.row(v).0.len() as u64 {
            0 => 0,
            degree => self.roundings + degree + 1,
        }
    }

    /// Returns the neighbours of v in increasing order, and the weights of their edges.
    pub fn row(&self, v: usize) -> (&[u32], &[N]) {
        let range = self.offsets[v]..self.offsets[v + 1];
        (&self.columns[range.clone()], &self.values[range])
    }

    /// Returns the weight of v on itself.
    pub fn own(&self, v: usize) -> N {
        self.diagonal[v]
    }

    /// Returns the common weight of all neighbours of v; `None` if they differ or there are none.
    /// With it, `(W x)_v = W_vv x_v + c sum_w x_w` needs one product and no more roundings.
    pub fn common(&self, v: usize) -> Option<N> {
        self.common[v]
    }

    /// Returns the weight in row v, column w; 0 if there is no edge.
    pub fn weight(&self, v: usize, w: usize) -> N {
        if v == w {
            return self.own(v);
        }
        let (columns, values) = self.row(v);
        match columns.binary_search(&(w as u32)) {
            Ok(place) => values[place],
            Err(_) => N::default(),
        }
    }

    /// Computes `out = W x` for a block of `width` vectors, stored node by node (`x[v * width +
    /// k]`).
    ///
    /// Each row is summed in the order of the diagonal and then the neighbours, independent of the
    /// number of threads. Errors unless both slices have `nodes * width` entries.
    pub fn apply(&self, x: &[N], width: usize, out: &mut [N]) -> Result<(), FastError> {
        let expected = block_length(self.nodes(), width);
        for given in [x.len(), out.len()] {
            checks::length("entries of a block of vectors", given, expected)?;
        }
        if width > 0 {
            self.multiply(x, width, out);
        }
        Ok(())
    }

    /// Computes `out = W x` for blocks of the right length.
    pub(crate) fn multiply(&self, x: &[N], width: usize, out: &mut [N]) {
        let rows = if (self.entries() + self.nodes()) * width <= PARALLEL_ENTRIES {
            self.nodes()
        } else {
            (self.nodes() / (8 * threads::count())).max(64)
        };
        let some = |(): &mut (), chunk: usize, out: &mut [N]| {
            vectorized(
                #[inline(always)]
                || {
                    for (v, out) in (chunk * rows..).zip(out.chunks_exact_mut(width)) {
                        self.mix_row(v, x, out);
                    }
                },
            );
        };
        threads::on_chunks(out, rows * width, || (), some);
    }

    /// Computes these rows of `W x`, as [`SparseWeights::apply`] does.
    pub(crate) fn apply_to(&self, rows: &[u32], x: &[N], width: usize, out: &mut [N]) {
        vectorized(
            #[inline(always)]
            || {
                for &v in rows {
                    let v = v as usize;
                    self.mix_row(v, x, &mut out[v * width..][..width]);
                }
            },
        );
    }

    /// Computes row v of `W x`.
    #[inline(always)]
    fn mix_row(&self, v: usize, x: &[N], out: &mut [N]) {
        let (own, (columns, values)) = (self.diagonal[v], self.row(v));
        match out {
            [out] => *out = mixed_entry(v, own, columns, values, x),
            _ => mixed_block(v, own, columns, values, x, out),
        }
    }
}

/// Computes `W_vw = 1 / (offset + max(d_v, d_w))`: Metropolis for 1, the inverse of the larger
/// degree for 0. Returns the edges' weights, the diagonal and the number of roundings of each.
fn of_degrees<N: Real>(graph: &Graph, offset: usize) -> (Vec<N>, Vec<N>, u64) {
    // Degrees are below 2^26, so their products are exact floats.
    let degree = |v| (graph.degree(v) + offset) as u32;
    let shifted: Vec<u32> = (0..graph.nodes()).map(degree).collect();
    let mut values = vec![N::default(); 2 * graph.edge_count()];
    let (offsets, targets) = graph.adjacency();
    let row = |v: usize| {
        let range = offsets[v]..offsets[v + 1];
        let neighbours = targets[range.clone()].iter().map(|&w| shifted[w as usize]);
        degree_weights(shifted[v].max(1), neighbours, &mut values[range])
    };
    let diagonal = (0..graph.nodes()).map(row).collect();
    (values, diagonal, degree_roundings(graph.max_degree()))
}

/// Computes `numerator / denominator` of each entry.
fn of_custom<N: Real>(weights: &CustomWeights) -> (Vec<N>, Vec<N>, u64) {
    let number = |&numerator: &i128| N::of_ratio(numerator, weights.denominator());
    let values = weights.off_diagonal().iter().map(number).collect();
    let diagonal = weights.diagonal().iter().map(number).collect();
    (values, diagonal, 3)
}

fn common_weights<N: Real>(offsets: &[usize], values: &[N]) -> Vec<Option<N>> {
    let rows = offsets.windows(2).map(|ends| &values[ends[0]..ends[1]]);
    let common = |row: &[N]| {
        let (first, rest) = row.split_first()?;
        rest.iter().all(|weight| weight == first).then_some(*first)
    };
    rows.map(common).collect()
}

#[cfg(test)]
mod tests;
