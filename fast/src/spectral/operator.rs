//! Symmetric operators of a graph with the constant vector as an eigenvector.

use crate::{FastError, SparseWeights};
use muffliato_model::Graph;

/// A symmetric matrix whose off-diagonal part is a weighted graph.
pub(super) trait Symmetric: Sync {
    /// Returns the number of nodes.
    fn nodes(&self) -> usize;
    /// Returns the neighbours of v and the non-negative weights of their edges.
    fn row(&self, v: usize) -> (&[u32], &[f64]);
    /// Returns the weight of v on itself in a gossip matrix; 0 in a Laplacian.
    fn own(&self, v: usize) -> f64;
    /// Returns the number of roundings of the weights.
    fn roundings(&self) -> u64;
    /// Computes `out = A x`.
    fn apply(&self, x: &[f64], out: &mut [f64]) -> Result<(), FastError>;
}

impl Symmetric for SparseWeights {
    fn nodes(&self) -> usize {
        self.nodes()
    }
    fn row(&self, v: usize) -> (&[u32], &[f64]) {
        self.row(v)
    }
    fn own(&self, v: usize) -> f64 {
        self.own(v)
    }
    fn roundings(&self) -> u64 {
        self.roundings()
    }
    fn apply(&self, x: &[f64], out: &mut [f64]) -> Result<(), FastError> {
        self.apply(x, 1, out)
    }
}

/// The Laplacian of a graph with a weight on each edge: `(L x)_v = sum_w p_vw (x_v - x_w)`.
pub(super) struct Laplacian {
    offsets: Vec<usize>,
    columns: Vec<u32>,
    weights: Vec<f64>,
}

impl Laplacian {
    /// Builds the Laplacian from one exact weight per edge, in the order of [`Graph::edges`].
    pub(super) fn of(graph: &Graph, edge_weights: &[f64]) -> Self {
        let (offsets, columns) = graph.adjacency();
        let mut weights = vec![0.0; columns.len()];
        let mut filled = offsets.to_vec();
        // Edges are sorted by (u, v), u < v: each row meets its neighbours in increasing order.
        for ((u, v), &weight) in graph.edges().zip(edge_weights) {
            for node in [u, v] {
                weights[filled[node]] = weight;
                filled[node] += 1;
            }
        }
        Self { offsets: offsets.to_vec(), columns: columns.to_vec(), weights }
    }

    /// Bounds the largest eigenvalue: twice the largest weighted degree (up to rounding).
    pub(super) fn scale(&self) -> f64 {
        let degree = |v| self.row(v).1.iter().sum::<f64>();
        2.0 * (0..self.nodes()).map(degree).fold(0.0, f64::max)
    }
}

impl Symmetric for Laplacian {
    fn nodes(&self) -> usize {
        self.offsets.len() - 1
    }
    fn row(&self, v: usize) -> (&[u32], &[f64]) {
        let range = self.offsets[v]..self.offsets[v + 1];
        (&self.columns[range.clone()], &self.weights[range])
    }
    fn own(&self, _: usize) -> f64 {
        0.0
    }
    fn roundings(&self) -> u64 {
        0
    }
    fn apply(&self, x: &[f64], out: &mut [f64]) -> Result<(), FastError> {
        super::vector::update(out, |v, _| {
            let (columns, weights) = self.row(v);
            let neighbours = columns.iter().zip(weights);
            neighbours.map(|(&w, weight)| weight * (x[v] - x[w as usize])).sum()
        });
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_edge_gets_its_weight_on_both_sides() {
        let graph = Graph::try_new(4, [(0, 3), (0, 1), (2, 3), (1, 3), (1, 2)]).unwrap();
        let weights: Vec<f64> = graph.edges().map(|(u, v)| (10 * u + v) as f64).collect();
        let laplacian = Laplacian::of(&graph, &weights);
        for v in 0..4 {
            let (columns, weights) = laplacian.row(v);
            for (&u, &weight) in columns.iter().zip(weights) {
                let u = u as usize;
                assert_eq!(weight, (10 * u.min(v) + u.max(v)) as f64);
            }
        }
        let mut out = vec![0.0; 4];
        laplacian.apply(&[1.0, 0.0, 0.0, 0.0], &mut out).unwrap();
        assert_eq!(out, [4.0, -1.0, 0.0, -3.0]);
    }
}
