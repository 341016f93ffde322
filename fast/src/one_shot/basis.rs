//! A growing orthonormal basis, and the new directions of a block beside it (untrusted).
//!
//! A block X is projected off the basis Q by `X - Q (Q^T X)`. In rounding, the remainder of a
//! vector x is orthogonal to Q up to `u ||x|| / ||rest||`, so a vector that keeps at least the
//! share [`SHARE`] of its norm is as good as if projected twice (the criterion of Kahan and
//! Parlett). The vector with the largest share becomes the next direction, and the others are
//! projected off it, until no share is large enough. The vectors that are left are almost
//! combinations of the basis; they are projected off the larger basis and judged again by their
//! norms then, so each pivot is the norm of an explicit remainder and never a difference of large
//! numbers. A remainder of norm below the threshold is dropped.
//!
//! In each round the remaining vectors shrink by [`SHARE`] at least, so there are at most
//! `log(threshold) / log(SHARE)` rounds, usually one.

use crate::dense;
use std::ops::Range;

/// Smallest accepted pivot, relative to the norm of its vector before the projection.
const SHARE: f64 = 1.0 / 16.0;

/// Clarity of the rank decisions.
///
/// Pivots are norms of the new part of a unit vector of the space after one gossip step, so they
/// are at most 1.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Pivots {
    /// The smallest pivot accepted as a new direction; `None` if there was none.
    pub smallest_accepted: Option<f64>,
    /// The largest pivot dropped as rounding noise; `None` if none was dropped.
    pub largest_rejected: Option<f64>,
}

/// A block of vectors, row by row: `entries[v * width + k]`. It may end early; the remaining rows
/// are zero.
#[derive(Clone, Debug, Default)]
pub(crate) struct Block {
    pub entries: Vec<f64>,
    pub width: usize,
}

impl Block {
    /// Returns unit vectors at these rows.
    pub fn units(places: &[usize], rows: usize) -> Self {
        let width = places.len();
        let mut entries = vec![0.0; rows * width];
        for (k, &place) in places.iter().enumerate() {
            entries[place * width + k] = 1.0;
        }
        Self { entries, width }
    }

    /// Returns the block of these vectors, which are equally long.
    fn of_vectors(vectors: &[&[f64]]) -> Self {
        let rows = vectors.first().map_or(0, |vector| vector.len());
        let entries = (0..rows).flat_map(|v| vectors.iter().map(move |vector| vector[v]));
        Self { entries: entries.collect(), width: vectors.len() }
    }

    /// Returns one vector.
    fn vector(&self, k: usize) -> Vec<f64> {
        self.entries.iter().skip(k).step_by(self.width).copied().collect()
    }

    /// Returns the vectors in this range.
    pub fn selected(&self, chosen: Range<usize>) -> Self {
        let rows = self.entries.chunks_exact(self.width.max(1));
        let entries = rows.flat_map(|row| &row[chosen.clone()]).copied().collect();
        Self { entries, width: chosen.len() }
    }
}

/// Orthonormal vectors on some nodes.
///
/// Vectors may carry coefficients: entries above those of the nodes that take part in every sum but
/// in no inner product.
#[derive(Clone, Debug)]
pub(crate) struct Basis {
    nodes: usize,
    carried: usize,
    /// The entries, vector by vector.
    entries: Vec<f64>,
}

impl Basis {
    /// Creates an empty basis on `nodes` nodes whose vectors carry `carried` coefficients each.
    pub fn new(carried: usize, nodes: usize) -> Self {
        Self { nodes, carried, entries: Vec::new() }
    }

    /// Returns the number of vectors.
    pub fn columns(&self) -> usize {
        self.entries.len() / self.height()
    }

    /// Returns the number of nodes.
    pub fn nodes(&self) -> usize {
        self.nodes
    }

    /// Returns the number of coefficients above the nodes.
    pub fn carried(&self) -> usize {
        self.carried
    }

    fn height(&self) -> usize {
        self.carried + self.nodes
    }

    /// Returns the entries of one vector at the nodes.
    pub fn at_nodes(&self, vector: usize) -> &[f64] {
        &self.entries[vector * self.height()..][self.carried..self.height()]
    }

    /// Returns some vectors as a block, with their coefficients.
    pub fn vectors(&self, chosen: Range<usize>) -> Block {
        let chosen = &self.entries[chosen.start * self.height()..chosen.end * self.height()];
        Block::of_vectors(&chosen.chunks_exact(self.height()).collect::<Vec<_>>())
    }

    /// Appends vectors that are orthonormal and orthogonal to the basis.
    pub fn push(&mut self, block: &Block) {
        for k in 0..block.width {
            self.push_vector(&block.vector(k));
        }
    }

    fn push_vector(&mut self, vector: &[f64]) {
        self.entries.extend_from_slice(vector);
        self.entries.resize(self.entries.len().next_multiple_of(self.height()), 0.0);
    }

    /// Computes `Q^T X`.
    fn products(&self, block: &Block) -> Vec<f64> {
        let Block { entries, width } = block;
        dense::coefficients(&self.entries, self.height(), self.carried, entries, *width)
    }

    /// Subtracts from each vector of the block its projection onto the basis.
    fn project_off(&self, block: &mut Block) {
        if block.width > 0 && self.columns() > 0 {
            let products = self.products(block);
            let height = self.height();
            dense::subtract(&self.entries, height, &products, &mut block.entries, block.width);
        }
    }

    /// Computes the inner product of two vectors at the nodes.
    fn dot(&self, a: &[f64], b: &[f64]) -> f64 {
        a[self.carried..].iter().zip(&b[self.carried..]).map(|(a, b)| a * b).sum()
    }

    fn norm(&self, vector: &[f64]) -> f64 {
        self.dot(vector, vector).sqrt()
    }

    /// Appends the new directions of `block` to the basis.
    pub fn extend(&mut self, mut block: Block, threshold: f64, pivots: &mut Pivots) {
        while block.width > 0 && self.columns() < self.nodes {
            let norms: Vec<f64> = (0..block.width).map(|k| self.norm(&block.vector(k))).collect();
            self.project_off(&mut block);
            let mut remainders = Vec::new();
            for (k, norm) in norms.into_iter().enumerate() {
                let remainder = block.vector(k);
                let left = self.norm(&remainder);
                if left > threshold {
                    remainders.push((norm, remainder));
                } else {
                    let most = pivots.largest_rejected.unwrap_or(left).max(left);
                    pivots.largest_rejected = Some(most);
                }
            }
            let known = self.columns();
            while self.columns() < self.nodes {
                let shares: Vec<f64> =
                    remainders.iter().map(|(norm, rest)| self.norm(rest) / norm).collect();
                // The first of the largest, so that ties are deterministic.
                let largest = |a: usize, b: usize| if shares[b] > shares[a] { b } else { a };
                let Some(best) = (0..shares.len()).reduce(largest) else {
                    break;
                };
                if shares[best].is_nan() || shares[best] < SHARE {
                    break;
                }
                let (norm, direction) = remainders.remove(best);
                let pivot = shares[best] * norm;
                let least = pivots.smallest_accepted.unwrap_or(pivot).min(pivot);
                pivots.smallest_accepted = Some(least);
                let direction = self.normalized(direction, known);
                for (_, rest) in &mut remainders {
                    let product = self.dot(&direction, rest);
                    subtract(rest, product, &direction);
                }
                self.push_vector(&direction);
            }
            let left: Vec<&[f64]> = remainders.iter().map(|(_, rest)| &**rest).collect();
            block = Block::of_vectors(&left);
        }
    }

    /// Projects a vector off those from `first` on once more, and scales it to norm 1.
    fn normalized(&self, mut vector: Vec<f64>, first: usize) -> Vec<f64> {
        for known in self.entries.chunks_exact(self.height()).skip(first) {
            let product = self.dot(&vector, &known[..vector.len()]);
            subtract(&mut vector, product, known);
        }
        let norm = self.norm(&vector);
        vector.iter_mut().for_each(|entry| *entry /= norm);
        vector
    }

    /// Computes the largest row sum of `|Q^T X - I|` for the block X of the vectors from `first`
    /// on, up to rounding.
    pub fn defect(&self, vectors: &Block, first: usize) -> f64 {
        let width = vectors.width;
        let products = self.products(vectors);
        let defect = |k: usize| {
            let column = products.iter().skip(k).step_by(width).enumerate();
            let identity = |row: usize| f64::from(u8::from(row == first + k));
            column.map(|(row, entry)| (entry - identity(row)).abs()).sum()
        };
        (0..width).map(defect).fold(0.0, f64::max)
    }

    /// Computes `||Pi e_v||^2` for every node: the squared norms of the rows.
    pub fn squared_rows(&self) -> Vec<f64> {
        let mut squares = vec![0.0; self.nodes];
        for vector in 0..self.columns() {
            for (square, entry) in squares.iter_mut().zip(self.at_nodes(vector)) {
                *square += entry * entry;
            }
        }
        squares
    }
}

/// Computes `vector <- vector - factor * other`.
fn subtract(vector: &mut [f64], factor: f64, other: &[f64]) {
    for (entry, other) in vector.iter_mut().zip(other) {
        *entry -= factor * other;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NODES: usize = 700;

    /// Some function of the nodes, a different one for each a in 1..101.
    fn wave(v: usize, a: usize) -> f64 {
        (((v + 1) * a % 101) as f64 / 101.0 - 0.5) / 16.0
    }

    fn block<const WIDTH: usize>(row: impl Fn(usize) -> [f64; WIDTH]) -> Block {
        Block { entries: (0..NODES).flat_map(row).collect(), width: WIDTH }
    }

    fn assert_orthonormal(basis: &Basis) {
        let defect = basis.defect(&basis.vectors(0..basis.columns()), 0);
        assert!(defect < 6e-15, "{defect}");
    }

    #[test]
    fn nearly_dependent_vectors_are_told_from_dependent_ones() {
        let mut basis = Basis::new(0, NODES);
        let mut pivots = Pivots::default();
        // x, x + 1e-4 y, x + 1e-4 y + 1e-7 z and 2 x - 1e-13 z: three directions, however small.
        let near = block(|v| {
            let (x, y, z) = (wave(v, 7), wave(v, 33), wave(v, 58));
            let near = x + 1e-4 * y;
            [x, near, near + 1e-7 * z, 2.0 * x - 1e-13 * z]
        });
        basis.extend(near, 1e-10, &mut pivots);
        assert_eq!(basis.columns(), 3);
        let smallest = pivots.smallest_accepted.unwrap();
        assert!((1e-9..1e-6).contains(&smallest), "{pivots:?}");
        assert!(pivots.largest_rejected.unwrap() < 1e-12, "{pivots:?}");
        assert_orthonormal(&basis);
    }

    #[test]
    fn vectors_that_are_almost_in_the_basis_are_projected_again() {
        let mut basis = Basis::new(0, NODES);
        let mut pivots = Pivots::default();
        let known = block(|v| [3, 5, 8, 13].map(|a| wave(v, a)));
        basis.extend(known, 1e-10, &mut pivots);
        let almost = block(|v| [3, 5, 8, 13].map(|a| wave(v, a) + 1e-6 * wave(v, a + 50)));
        basis.extend(almost, 1e-10, &mut pivots);
        assert_eq!(basis.columns(), 8);
        assert_orthonormal(&basis);
    }

    #[test]
    fn a_bundle_of_vectors_becomes_orthonormal() {
        let mut basis = Basis::new(0, NODES);
        let bundle = block(|v| {
            [20, 23, 26, 29, 32, 35, 38, 41, 44, 47, 50, 53]
                .map(|a| wave(v, 90) + 0.12 * wave(v, a))
        });
        basis.extend(bundle, 1e-10, &mut Pivots::default());
        assert_eq!(basis.columns(), 12);
        assert_orthonormal(&basis);
    }
}
