//! A growing orthonormal basis: projections as products of matrices, on all threads (untrusted).
//!
//! The nodes are cut into slabs of [`SLAB_ROWS`] rows. With `Q_s`, `X_s` the rows of slab s, a
//! block X is projected off the basis by
//!
//! ```text
//! C = sum_s Q_s^T X_s      (slabs in parallel, summed in their order)
//! X_s <- X_s - Q_s C       (slabs in parallel)
//! ```
//!
//! so the result does not depend on the number of threads.
//!
//! A basis can carry coefficients: rows above those of the nodes that take part in every sum but in
//! no inner product.

use crate::{dense, threads};
use std::ops::Range;

/// Rows of one slab: 512 rows of a few hundred columns fit into the second-level cache.
const SLAB_ROWS: usize = 512;

/// Orthonormal vectors on `rows` nodes.
#[derive(Clone, Debug)]
pub(crate) struct Basis {
    rows: usize,
    /// The rows above them that are carried along: whole slabs.
    carried: usize,
    columns: usize,
    /// For each slab its rows of all vectors, vector by vector.
    slabs: Vec<Vec<f64>>,
    threaded: bool,
}

/// A block of vectors, node by node: `entries[v * width + k]`. It may end after any whole number of
/// slabs; the remaining nodes are zero.
#[derive(Clone, Debug, Default)]
pub(crate) struct Block {
    pub entries: Vec<f64>,
    pub width: usize,
}

impl Block {
    /// Returns unit vectors at these nodes.
    pub fn units(nodes: &[usize], rows: usize) -> Self {
        let width = nodes.len();
        let mut entries = vec![0.0; rows * width];
        for (k, &node) in nodes.iter().enumerate() {
            entries[node * width + k] = 1.0;
        }
        Self { entries, width }
    }

    /// Returns the vectors with these indices, in their order.
    pub fn selected(&self, chosen: &[usize]) -> Self {
        let width = chosen.len();
        let rows = self.entries.chunks_exact(self.width.max(1));
        let entries = rows.flat_map(|row| chosen.iter().map(|&k| row[k]));
        Self {
            entries: entries.collect(),
            width,
        }
    }

    /// Joins the vectors of both blocks, on the same rows.
    pub fn beside(self, other: Self) -> Self {
        if self.width == 0 {
            return other;
        }
        if other.width == 0 {
            return self;
        }
        let width = self.width + other.width;
        let mut entries = Vec::with_capacity(self.entries.len() + other.entries.len());
        let rows = self.entries.chunks_exact(self.width);
        for (left, right) in rows.zip(other.entries.chunks_exact(other.width)) {
            entries.extend_from_slice(left);
            entries.extend_from_slice(right);
        }
        Self { entries, width }
    }
}

impl Basis {
    /// Creates an empty basis with room for `capacity` vectors (at most one per row). Work is
    /// distributed over threads if `threaded`.
    pub fn new(rows: usize, capacity: usize, threaded: bool) -> Self {
        Self::carrying(0, rows, capacity, threaded)
    }

    /// Creates an empty basis whose vectors carry `coefficients` numbers each.
    pub fn carrying(coefficients: usize, rows: usize, capacity: usize, threaded: bool) -> Self {
        let carried = coefficients.div_ceil(SLAB_ROWS) * SLAB_ROWS;
        let capacity = SLAB_ROWS.min(carried + rows) * capacity.min(rows);
        let slabs = 0..(carried + rows).div_ceil(SLAB_ROWS);
        Self {
            rows,
            carried,
            columns: 0,
            slabs: slabs.map(|_| Vec::with_capacity(capacity)).collect(),
            threaded: threaded && carried + rows > SLAB_ROWS,
        }
    }

    /// Returns the number of vectors.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// Returns the number of nodes.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Returns the number of rows above the nodes.
    pub fn carried(&self) -> usize {
        self.carried
    }

    fn rows_of(&self, slab: usize) -> usize {
        SLAB_ROWS.min(self.carried + self.rows - slab * SLAB_ROWS)
    }

    /// Subtracts from each vector of the block its projection onto the basis.
    pub fn project_off(&self, block: &mut Block) {
        let (width, columns) = (block.width, self.columns);
        if width == 0 || columns == 0 {
            return;
        }
        let sum = self.products(block);
        self.over_slabs_mut(&mut block.entries, width, |slab, x| {
            dense::subtract(&self.slabs[slab], columns, &sum, x, width);
        });
    }

    /// Computes `Q^T X`.
    fn products(&self, block: &Block) -> Vec<f64> {
        let (width, columns) = (block.width, self.columns);
        self.sum_over_slabs(block, columns * width, |slab, x, part| {
            dense::coefficients(&self.slabs[slab], columns, x, width, part);
        })
    }

    /// Computes the norms of the vectors of a block.
    pub fn norms(&self, block: &Block) -> Vec<f64> {
        let squares = self.sum_over_slabs(block, block.width, |_, x, squares| {
            for row in x.chunks_exact(block.width) {
                for (square, entry) in squares.iter_mut().zip(row) {
                    *square += entry * entry;
                }
            }
        });
        squares.into_iter().map(f64::sqrt).collect()
    }

    /// Computes the Gram matrix of a block.
    pub fn gram(&self, block: &Block) -> Vec<f64> {
        let width = block.width;
        self.sum_over_slabs(block, width * width, |_, x, part| {
            dense::gram(x, width, part);
        })
    }

    /// Computes the block `x m`, m of `columns` columns.
    pub fn combine(&self, block: &Block, m: &[f64], columns: usize) -> Block {
        let parts = self.over_slabs(&block.entries, block.width, |_, x| {
            let mut out = vec![0.0; x.len() / block.width * columns];
            dense::combine(x, block.width, m, columns, &mut out);
            out
        });
        Block {
            entries: parts.concat(),
            width: columns,
        }
    }

    /// Appends vectors that are orthonormal and orthogonal to the basis.
    pub fn push(&mut self, block: &Block) {
        let width = block.width;
        if width == 0 {
            return;
        }
        let rows = self.carried + self.rows;
        let append = |slab: usize, vectors: &mut Vec<f64>| {
            let (start, end) = (slab * SLAB_ROWS, rows.min((slab + 1) * SLAB_ROWS));
            let first = vectors.len();
            vectors.resize(first + width * (end - start), 0.0);
            let known = block.entries.get(start * width..).unwrap_or(&[]);
            for (v, row) in known.chunks_exact(width).take(end - start).enumerate() {
                for (k, &entry) in row.iter().enumerate() {
                    vectors[first + k * (end - start) + v] = entry;
                }
            }
        };
        let each =
            |(): &mut (), slab: usize, vectors: &mut [Vec<f64>]| append(slab, &mut vectors[0]);
        if self.threaded {
            threads::on_chunks(&mut self.slabs, 1, || (), each);
        } else {
            let slabs = self.slabs.iter_mut().enumerate();
            slabs.for_each(|(slab, vectors)| append(slab, vectors));
        }
        self.columns += width;
    }

    /// Returns all vectors as one block, with their coefficients.
    pub fn to_block(&self) -> Block {
        self.vectors(0..self.columns)
    }

    /// Returns some vectors as one block, with their coefficients.
    pub fn vectors(&self, chosen: Range<usize>) -> Block {
        let width = chosen.len();
        let mut entries = vec![0.0; (self.carried + self.rows) * width];
        for (slab, vectors) in self.slabs.iter().enumerate() {
            let rows = self.rows_of(slab);
            let vectors = &vectors[chosen.start * rows..chosen.end * rows];
            for (k, vector) in vectors.chunks_exact(rows).enumerate() {
                for (v, &entry) in (slab * SLAB_ROWS..).zip(vector) {
                    entries[v * width + k] = entry;
                }
            }
        }
        Block { entries, width }
    }

    /// Calls `visit(node, entry)` for the entries of one vector.
    pub fn each_entry(&self, vector: usize, mut visit: impl FnMut(usize, f64)) {
        let first = self.carried / SLAB_ROWS;
        for (slab, vectors) in self.slabs.iter().enumerate().skip(first) {
            let rows = self.rows_of(slab);
            let entries = &vectors[vector * rows..(vector + 1) * rows];
            for (node, &entry) in (slab * SLAB_ROWS - self.carried..).zip(entries) {
                visit(node, entry);
            }
        }
    }

    /// Computes the largest row sum of `|Q^T X - I|` for the block X of the vectors from `first`
    /// on, up to rounding.
    pub fn defect(&self, vectors: &Block, first: usize) -> f64 {
        let width = vectors.width;
        let products = self.products(vectors);
        let defect = |k: usize| {
            let column = products.iter().skip(k).step_by(width).enumerate();
            let defects = column.map(|(row, entry)| {
                if row == first + k {
                    (entry - 1.0).abs()
                } else {
                    entry.abs()
                }
            });
            defects.sum()
        };
        (0..width).map(defect).fold(0.0, f64::max)
    }

    /// Computes `||Pi e_v||^2` for every node: the squared norms of the rows.
    pub fn squared_rows(&self) -> Vec<f64> {
        let mut squares = vec![0.0; self.rows];
        let slabs = self.slabs.iter().skip(self.carried / SLAB_ROWS);
        for (vectors, squares) in slabs.zip(squares.chunks_mut(SLAB_ROWS)) {
            for vector in vectors.chunks_exact(squares.len()) {
                for (square, entry) in squares.iter_mut().zip(vector) {
                    *square += entry * entry;
                }
            }
        }
        squares
    }

    /// Sums the contributions of all slabs of nodes to `size` zeros, in the order of the slabs.
    fn sum_over_slabs(
        &self,
        block: &Block,
        size: usize,
        part: impl Fn(usize, &[f64], &mut [f64]) + Sync,
    ) -> Vec<f64> {
        let (measured, first) = (self.carried * block.width, self.carried / SLAB_ROWS);
        let parts = self.over_slabs(&block.entries[measured..], block.width, |slab, x| {
            let mut out = vec![0.0; size];
            part(first + slab, x, &mut out);
            out
        });
        let mut sum = vec![0.0; size];
        for part in parts {
            for (sum, part) in sum.iter_mut().zip(part) {
                *sum += part;
            }
        }
        sum
    }

    /// Maps the slabs of a block, in their order.
    fn over_slabs<R: Send>(
        &self,
        entries: &[f64],
        width: usize,
        map: impl Fn(usize, &[f64]) -> R + Sync,
    ) -> Vec<R> {
        let slabs: Vec<&[f64]> = entries.chunks(SLAB_ROWS * width).collect();
        let map = |slab: usize| map(slab, slabs[slab]);
        if self.threaded {
            threads::in_order(slabs.len(), map)
        } else {
            (0..slabs.len()).map(map).collect()
        }
    }

    /// Modifies the slabs of a block.
    pub fn over_slabs_mut(
        &self,
        entries: &mut [f64],
        width: usize,
        change: impl Fn(usize, &mut [f64]) + Sync,
    ) {
        let size = SLAB_ROWS * width;
        if self.threaded {
            return threads::on_chunks(entries, size, || (), |(), slab, x| change(slab, x));
        }
        let slabs = entries.chunks_mut(size).enumerate();
        slabs.for_each(|(slab, x)| change(slab, x));
    }

    /// Returns the smallest number of rows that covers `rows` with whole slabs.
    pub fn covering(&self, rows: usize) -> usize {
        (rows.div_ceil(SLAB_ROWS) * SLAB_ROWS).min(self.rows)
    }

    /// Returns the first row of a slab.
    pub fn first_row(slab: usize) -> usize {
        slab * SLAB_ROWS
    }
}
