//! One gossip step on a block of vectors, in either precision, with weights computed without
//! cancellation as in [`crate::SparseWeights`] (trusted).

use super::number::Number;
use crate::FastError;
use crate::bounds::vectorized;
use muffliato_model::{CustomWeights, Graph, Network, Step, WeightScheme};
use std::sync::Arc;

/// The matrix of one step.
pub(crate) enum Mixing<'a, N> {
    /// A network's gossip matrix, in compressed rows.
    Network(Weights<'a, N>),
    /// The average of the two ends of an edge.
    Edge(usize, usize),
}

/// A gossip matrix over the adjacency of its graph.
pub(crate) struct Weights<'a, N> {
    offsets: &'a [usize],
    columns: &'a [u32],
    entries: Arc<Entries<N>>,
    max_degree: usize,
}

/// Entries of a gossip matrix: off the diagonal, in the order of the adjacency, and on it.
pub(crate) struct Entries<N> {
    values: Vec<N>,
    diagonal: Vec<N>,
    roundings: u64,
}

/// Number of products below which a step runs on one thread.
#[cfg(feature = "parallel")]
const PARALLEL_PRODUCTS: usize = 1 << 15;

impl<'a, N: Number> Mixing<'a, N> {
    /// Returns the matrix of `step`.
    pub fn of_step(step: Step<'a>) -> Result<Self, FastError> {
        Ok(match step {
            Step::Network(network) => {
                Self::of_entries(network.graph(), Arc::new(Entries::of(network)?))
            }
            Step::EdgeAverage { edge: (u, v), .. } => Self::Edge(u, v),
        })
    }

    /// Returns the matrix of these entries on their graph.
    pub fn of_entries(graph: &'a Graph, entries: Arc<Entries<N>>) -> Self {
        let (offsets, columns) = graph.adjacency();
        Self::Network(Weights { offsets, columns, entries, max_degree: graph.max_degree() })
    }

    /// Returns the number of roundings that one step adds to each entry of a non-negative block.
    pub fn step_roundings(&self) -> u64 {
        match self {
            Self::Network(weights) => weights.entries.roundings + weights.max_degree as u64 + 1,
            Self::Edge(..) => 2,
        }
    }

    /// Computes `out = W x` for a block of `width` vectors stored node by node (one vector for an
    /// edge average); slices of equal length. `SIGNED` tells whether entries may be negative.
    pub fn apply<const SIGNED: bool>(&self, x: &[N], width: usize, out: &mut [N]) {
        match self {
            Self::Network(weights) => weights.apply::<SIGNED>(x, width, out),
            &Self::Edge(u, v) => {
                debug_assert_eq!(width, 1);
                out.copy_from_slice(x);
                let middle = x[u].plus(x[v]).times(N::of(0.5));
                (out[u], out[v]) = (middle, middle);
            }
        }
    }
}

impl<N: Number> Mixing<'_, N> {
    /// Computes some rows of `W x` for a non-negative block.
    pub fn apply_to(&self, rows: &[usize], x: &[N], width: usize, out: &mut [N]) {
        match self {
            Self::Network(weights) => vectorized(
                #[inline(always)]
                || {
                    for &v in rows {
                        weights.row::<false>(x, width, v, &mut out[v * width..][..width]);
                    }
                },
            ),
            Self::Edge(..) => self.apply::<false>(x, width, out),
        }
    }
}

impl<N: Number> Mixing<'_, N> {
    /// Returns the weights of row v off the diagonal, by increasing node, and their roundings.
    pub fn weights_of(&self, v: usize) -> (Vec<(usize, N)>, u64) {
        match self {
            Self::Network(weights) => {
                let range = weights.offsets[v]..weights.offsets[v + 1];
                let nodes = weights.columns[range.clone()].iter().map(|&w| w as usize);
                let row = nodes.zip(weights.entries.values[range].iter().copied());
                (row.collect(), weights.entries.roundings)
            }
            &Self::Edge(a, b) if a == v || b == v => (vec![(a + b - v, N::of(0.5))], 0),
            Self::Edge(..) => (Vec::new(), 0),
        }
    }
}

impl<N: Number> Entries<N> {
    /// Computes the entries of a network's gossip matrix.
    pub fn of(network: &Network) -> Result<Self, FastError> {
        Self::of_scheme(network.graph(), network.weights())
    }

    fn of_scheme(graph: &Graph, scheme: &WeightScheme) -> Result<Self, FastError> {
        match scheme {
            WeightScheme::Metropolis => Ok(Self::of_degrees(graph, 1)),
            WeightScheme::MaxDegreeInverse => Ok(Self::of_degrees(graph, 0)),
            WeightScheme::Lazy(inner) => {
                let mut weights = Self::of_scheme(graph, inner)?;
                let half = N::of(0.5);
                for weight in &mut weights.values {
                    *weight = weight.times(half);
                }
                for weight in &mut weights.diagonal {
                    *weight = N::of(1.0).plus(*weight).times(half);
                }
                weights.roundings += 2;
                Ok(weights)
            }
            WeightScheme::Custom(weights) => Ok(Self::of_custom(weights)),
            other => Err(FastError::UnknownScheme { scheme: other.to_string() }),
        }
    }

    /// Computes `1 / (offset + max(d_v, d_w))` off the diagonal, and the diagonal as a sum of
    /// positive terms.
    fn of_degrees(graph: &Graph, offset: usize) -> Self {
        // Degrees are below 2^26, so their products are exact floats.
        let shifted = |v| graph.degree(v) + offset;
        let ratio = |above: f64, below: f64| N::of(above).over(N::of(below));
        let largest = graph.max_degree() + offset;
        let inverses: Vec<N> = (0..=largest).map(|below| ratio(1.0, below as f64)).collect();
        let mut values = Vec::with_capacity(2 * graph.edge_count());
        let mut diagonal = Vec::with_capacity(graph.nodes());
        let mut most_terms = 0;
        for v in 0..graph.nodes() {
            let own = shifted(v);
            let mut terms = 0;
            let mut rest = match graph.degree(v) {
                0 => N::of(1.0),
                _ if offset == 1 => inverses[own],
                _ => N::default(),
            };
            for w in graph.neighbours(v) {
                let larger = own.max(shifted(w));
                values.push(inverses[larger]);
                if larger > own {
                    rest = rest.plus_alike(ratio((larger - own) as f64, (own * larger) as f64));
                    terms += 1;
                }
            }
            diagonal.push(rest);
            most_terms = terms.max(most_terms);
        }
        Self { values, diagonal, roundings: most_terms + 1 }
    }

    fn of_custom(weights: &CustomWeights) -> Self {
        let number = |&numerator: &i128| N::of_ratio(numerator, weights.denominator());
        Self {
            values: weights.off_diagonal().iter().map(number).collect(),
            diagonal: weights.diagonal().iter().map(number).collect(),
            roundings: 3,
        }
    }
}

impl<N: Number> Weights<'_, N> {
    fn apply<const SIGNED: bool>(&self, x: &[N], width: usize, out: &mut [N]) {
        if width == 0 {
            return;
        }
        #[cfg(feature = "parallel")]
        if (self.columns.len() + self.offsets.len()) * width > PARALLEL_PRODUCTS {
            use rayon::prelude::*;
            let rows = (self.entries.diagonal.len() / (8 * rayon::current_num_threads())).max(64);
            out.par_chunks_mut(rows * width)
                .enumerate()
                .for_each(|(chunk, out)| self.apply_rows::<SIGNED>(x, width, chunk * rows, out));
            return;
        }
        self.apply_rows::<SIGNED>(x, width, 0, out);
    }

    /// Computes the rows of `W x` from `first` on, each summed in the order of the diagonal and
    /// then the neighbours.
    fn apply_rows<const SIGNED: bool>(&self, x: &[N], width: usize, first: usize, out: &mut [N]) {
        vectorized(
            #[inline(always)]
            || {
                for (v, out) in (first..).zip(out.chunks_exact_mut(width)) {
                    self.row::<SIGNED>(x, width, v, out);
                }
            },
        );
    }

    /// Computes row v of `W x`.
    #[inline(always)]
    fn row<const SIGNED: bool>(&self, x: &[N], width: usize, v: usize, out: &mut [N]) {
        let mut k = 0;
        while k < width {
            // As many at a time as registers hold; the last block overlaps the one before.
            let from = |count: usize| k.min(width - count);
            k += match (width - k, width) {
                (5.., 8..) => self.entries::<8, SIGNED>(x, width, v, from(8), out),
                (2.., 4..) => self.entries::<4, SIGNED>(x, width, v, from(4), out),
                _ => self.entries::<1, SIGNED>(x, width, v, k, out),
            };
        }
    }

    /// Computes C entries of row v of `W x`, from column k on, in registers. Returns C.
    #[inline(always)]
    fn entries<const C: usize, const SIGNED: bool>(
        &self,
        x: &[N],
        width: usize,
        v: usize,
        k: usize,
        out: &mut [N],
    ) -> usize {
        let mut sums = [N::default(); C];
        let own = &x[v * width + k..][..C];
        for c in 0..C {
            sums[c] = self.entries.diagonal[v].times(own[c]);
        }
        let range = self.offsets[v]..self.offsets[v + 1];
        for (&w, &weight) in self.columns[range.clone()].iter().zip(&self.entries.values[range]) {
            let entries = &x[w as usize * width + k..][..C];
            // Early rows are mostly zero, and products of pairs are expensive.
            if N::IN_PAIRS && entries.iter().all(|entry| entry.high() == 0.0) {
                continue;
            }
            for c in 0..C {
                let product = weight.times(entries[c]);
                sums[c] = if SIGNED { sums[c].plus(product) } else { sums[c].plus_alike(product) };
            }
        }
        out[k..k + C].copy_from_slice(&sums);
        C
    }
}
