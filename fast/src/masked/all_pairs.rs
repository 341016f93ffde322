//! All pairs of some thousands of nodes, from one inverse.
//!
//! Let `A = I + kappa^2 L` belong to the whole mask graph, and let the columns `b_j` be a guess of
//! its inverse, with residuals `r_j = e_j - A b_j` of norm at most rho, proved by one product with
//! a sparse matrix. Without the edges at v the matrix is `A_v = A - kappa^2 F F^T >= I`, F with a
//! column `e_v - e_b` for each of the d neighbours b. Woodbury's identity suggests, for the source u,
//!
//! ```text
//! y = b_u + kappa^2 sum_b z_b (b_v - b_b),       z = (I - kappa^2 M)^-1 g,     g_b = (b_v - b_b)_u,  M_bc = (b_v - b_b)_v - (b_v - b_b)_c
//! ```
//!
//! Check: any z will do. With `s = F^T y = g + kappa^2 M z` and `R = r_u + kappa^2 sum_b z_b (r_v -
//! r_b)`,
//!
//! ```text
//! A_v y = e_u + kappa^2 F (z - s) - R,
//! (A_v^-1)_uu <= 2 y_u - y^T A_v y + ||e_u - A_v y||^2
//!             <= y_u + kappa^2 s^T (s - z) + ||y|| ||R|| + (kappa^2 sqrt(d+1) ||s - z|| + ||R||)^2
//! ```
//!
//! (`F^T F = I + 1 1^T` has norm d + 1). Everything but R consists of known floats: d of them for
//! each source, beside products with small matrices. The norm of R is at most `rho (1 + 2 kappa^2
//! sum |z_b|)`, and that of y follows from `y = A_v^-1 (e_u - residual)` and `A_v^-2 <= A_v^-1`.
//!
//! This is for uniform noise. For a noise plan the solutions y of all sources are found by the same
//! identity, or by an inverse for the observer where that is too inaccurate, and each is checked as
//! in `energy`, in `O(m)` operations.

use super::{Circuit, MaskedBounds, energy::Component};
use crate::{
    FastError, UNIT_ROUNDOFF,
    arithmetic::{enlarged, residual_up},
    dense::{self, factors},
    memory, threads,
};
use muffliato_model::{Graph, Observer};

/// Certified upper bounds on the losses of all pairs of a masked protocol, in units of L.
#[derive(Clone, Debug, PartialEq)]
pub struct MaskedPairs {
    nodes: usize,
    /// One row per observer.
    uppers: Vec<f64>,
}

impl MaskedPairs {
    /// Returns the bound on the loss of `source` towards `observer`; `None` if they are equal or
    /// not nodes.
    pub fn upper(&self, source: usize, observer: usize) -> Option<f64> {
        let inside = source < self.nodes && observer < self.nodes && source != observer;
        inside.then(|| self.uppers[observer * self.nodes + source])
    }
}

impl MaskedBounds<'_> {
    /// Computes certified bounds for **all pairs** (source, single observer) with `O(n^3)`
    /// operations and `40 n^2` bytes.
    ///
    /// # Errors
    /// [`FastError::NotApplicable`] if the mask graph changes from round to round;
    /// [`FastError::TooMuchMemory`] for too many nodes: use [`MaskedBounds::local`].
    pub fn all_pairs(&self) -> Result<MaskedPairs, FastError> {
        let (circuit, times) = self.only_circuit("all pairs of masked protocols")?;
        let nodes = self.nodes;
        let bytes = 40 * (nodes as u128) * (nodes as u128);
        memory::check(bytes, "use the local bound for so many nodes")?;
        self.watcher.0.check(0, nodes)?;
        let mut uppers = Vec::with_capacity(nodes * nodes);
        let mut collect = |towards: &(dyn Fn(usize) -> Vec<f64> + Sync)| {
            let batch = 64;
            for first in (0..nodes).step_by(batch) {
                self.watcher.0.check(first, nodes)?;
                let rows = threads::in_order(batch.min(nodes - first), |k| towards(first + k));
                for upper in rows.into_iter().flatten() {
                    let whole = upper == 1.0;
                    let upper = (upper * times as f64).next_up();
                    uppers.push(if whole { times as f64 } else { upper });
                }
            }
            Ok::<(), FastError>(())
        };
        match circuit.uniform {
            Some(square) => {
                let inverse = threads::inside(|| Inverse::of(&circuit.graph, square));
                collect(&|v| inverse.towards(v))?;
            }
            None => {
                let guess = threads::inside(|| circuit.inverse(&[]));
                collect(&|v| circuit.towards(v, &guess))?;
            }
        }
        self.watcher.0.check(nodes, nodes)?;
        Ok(MaskedPairs { nodes, uppers })
    }
}

/// Relative width beyond which a solution is not good enough.
const WIDE: f64 = 1e-6;

impl Circuit {
    /// Guesses the inverse of `diag(s^2) + L` without these nodes, which are alone; 0 if there is
    /// none.
    fn inverse(&self, without: &[usize]) -> Vec<f64> {
        let nodes = self.graph.nodes();
        let mut matrix = vec![0.0; nodes * nodes];
        for w in 0..nodes {
            matrix[w * nodes + w] += self.variances[w];
            if without.contains(&w) {
                matrix[w * nodes + w] = 1.0;
                continue;
            }
            for (b, square) in self.row(w).filter(|(b, _)| !without.contains(b)) {
                matrix[w * nodes + w] += square;
                matrix[w * nodes + b] = -square;
            }
        }
        factors::inverse(nodes, &matrix).unwrap_or(vec![0.0; nodes * nodes])
    }

    /// Bounds the loss of every source towards v, given a guess of the inverse of the whole matrix;
    /// the local loss for v itself.
    fn towards(&self, v: usize, whole: &[f64]) -> Vec<f64> {
        let nodes = self.graph.nodes();
        let (known, squares): (Vec<usize>, Vec<f64>) = self.row(v).unzip();
        let width = known.len();
        let mut differences = vec![0.0; nodes * width];
        for (k, &b) in known.iter().enumerate() {
            for u in 0..nodes {
                differences[u * width + k] = whole[v * nodes + u] - whole[b * nodes + u];
            }
        }
        let mut matrix = vec![0.0; width * width];
        for (k, &b) in known.iter().enumerate() {
            for l in 0..width {
                let form = differences[v * width + l] - differences[b * width + l];
                matrix[k * width + l] = if k == l { 1.0 / squares[k] } else { 0.0 } - form;
            }
        }
        let mut z = vec![0.0; nodes * width];
        // Without masks of its own, such as an absent node, v changes nothing.
        if width > 0 {
            let update = factors::inverse(width, &matrix).unwrap_or(vec![0.0; width * width]);
            dense::combine(&differences, width, &update, width, &mut z);
        }
        let observer = Observer::full(v);
        let mut exact: Option<Vec<f64>> = None;
        let mut bounds = Vec::with_capacity(nodes);
        for u in 0..nodes {
            if u == v {
                bounds.push(self.local_loss(u));
                continue;
            }
            let system = Component::of(self, &[u], &observer);
            let mut entering = vec![0.0; system.nodes.len()];
            entering[0] = 1.0;
            let row = u * width..(u + 1) * width;
            let updated = |&w: &usize| {
                let changes = z[row.clone()].iter().zip(&differences[w * width..(w + 1) * width]);
                whole[u * nodes + w] + changes.map(|(z, difference)| z * difference).sum::<f64>()
            };
            let mut ends =
                system.check(&entering, &system.nodes.iter().map(updated).collect::<Vec<_>>());
            let wide = ends.relative_width() > WIDE || ends.relative_width().is_nan();
            if wide && ends.upper().is_finite() {
                let exact = exact.get_or_insert_with(|| self.inverse(&[v]));
                let column = |&w: &usize| exact[u * nodes + w];
                let other =
                    system.check(&entering, &system.nodes.iter().map(column).collect::<Vec<_>>());
                if other.upper() < ends.upper() {
                    ends = other;
                }
            }
            bounds.push(ends.upper());
        }
        bounds
    }
}

/// A guess of `(I + kappa^2 L)^-1` with a bound on its residuals.
struct Inverse<'a> {
    graph: &'a Graph,
    square: f64,
    /// Symmetric.
    entries: Vec<f64>,
    /// The largest entry.
    most: f64,
    /// Bound on the norm of the residual of each column.
    error: f64,
}

impl<'a> Inverse<'a> {
    fn of(graph: &'a Graph, square: f64) -> Self {
        let nodes = graph.nodes();
        let mut matrix = vec![0.0; nodes * nodes];
        for w in 0..nodes {
            matrix[w * nodes + w] = 1.0 + square * graph.degree(w) as f64;
            for b in graph.neighbours(w) {
                matrix[w * nodes + b] = -square;
            }
        }
        // Without a guess all entries are 0, with residuals of norm 1.
        let entries = factors::inverse(nodes, &matrix).unwrap_or(vec![0.0; nodes * nodes]);
        drop(matrix);
        let most = entries.iter().fold(0.0, |most: f64, b| most.max(b.abs()));
        let mut inverse = Self { graph, square, entries, most, error: 0.0 };
        let errors = threads::in_order(nodes, |j| inverse.column_error(j));
        inverse.error = errors.into_iter().fold(0.0, |most: f64, error| {
            if error.is_nan() { f64::INFINITY } else { most.max(error) }
        });
        inverse
    }

    fn column(&self, j: usize) -> &[f64] {
        let nodes = self.graph.nodes();
        &self.entries[j * nodes..(j + 1) * nodes]
    }

    /// Bounds `||e_j - A B e_j||`.
    fn column_error(&self, j: usize) -> f64 {
        let y = self.column(j);
        let mut squares = 0.0;
        for w in 0..y.len() {
            let unit = if w == j { 1.0 } else { 0.0 };
            let row = self.graph.neighbours(w).map(|b| (self.square, y[b]));
            let bound = residual_up(unit, 1.0, y[w], row);
            squares += bound * bound;
        }
        let roundings = y.len() + 16;
        enlarged(squares.sqrt(), roundings) + 1e-150
    }

    /// Bounds `(A_v^-1)_uu` for all u, at most 1; 1 for v itself.
    fn towards(&self, v: usize) -> Vec<f64> {
        let nodes = self.graph.nodes();
        let known: Vec<usize> = self.graph.neighbours(v).collect();
        let width = known.len();
        if width == 0 {
            return (0..nodes)
                .map(|u| self.upper(u, &[], &[], &[]))
                .enumerate()
                .map(|(u, upper)| if u == v { 1.0 } else { upper })
                .collect();
        }
        let own = self.column(v);
        let mut differences = vec![0.0; nodes * width];
        for (k, &b) in known.iter().enumerate() {
            for (u, (x, y)) in own.iter().zip(self.column(b)).enumerate() {
                differences[u * width + k] = x - y;
            }
        }
        let mut coupling = vec![0.0; width * width];
        let mut matrix = vec![0.0; width * width];
        for (k, &b) in known.iter().enumerate() {
            for l in 0..width {
                let form = differences[v * width + l] - differences[b * width + l];
                coupling[k * width + l] = form;
                matrix[k * width + l] = if k == l { 1.0 } else { 0.0 } - self.square * form;
            }
        }
        let guess = factors::inverse(width, &matrix).unwrap_or(vec![0.0; width * width]);
        let mut z = vec![0.0; nodes * width];
        dense::combine(&differences, width, &guess, width, &mut z);
        let mut image = vec![0.0; nodes * width];
        dense::combine(&z, width, &coupling, width, &mut image);
        (0..nodes)
            .map(|u| {
                let row = u * width..(u + 1) * width;
                let (g, z, image) = (&differences[row.clone()], &z[row.clone()], &image[row]);
                if u == v { 1.0 } else { self.upper(u, g, z, image) }
            })
            .collect()
    }

    /// Returns the bound for the source u that z proves, at most 1, given `image = M z` up to
    /// roundings.
    fn upper(&self, u: usize, g: &[f64], z: &[f64], image: &[f64]) -> f64 {
        let (d, square) = (g.len() as f64, self.square);
        let own = self.column(u)[u];
        // Entries of B, g and M are at most `most`, `2 most` and `4 most`; an inner product takes d
        // + 1 roundings, kappa^2 seven.
        let gamma = (2.0 * d + 32.0) * UNIT_ROUNDOFF * 1.01;
        let size: f64 = z.iter().map(|z| z.abs()).sum();
        let (mut change, mut change_size, mut excess, mut excess_size) = (0.0, 0.0, 0.0, 0.0);
        let (mut gaps, mut sizes, mut largest) = (0.0, 0.0, 0.0_f64);
        for k in 0..g.len() {
            let s = g[k] + square * image[k];
            let gap = s - z[k];
            change += z[k] * g[k];
            change_size += (z[k] * g[k]).abs();
            excess += s * gap;
            excess_size += (s * gap).abs();
            gaps += gap * gap;
            sizes += 2.0 * s.abs() + z[k].abs();
            largest = largest.max(s.abs());
        }
        // Error of an entry of s, kappa^2 s included.
        let off = gamma * (2.0 * self.most * (1.0 + 2.0 * square * size) + largest) + 1e-200;
        let value = own + square * (change + excess);
        let error = gamma * (own.abs() + square * (change_size + excess_size))
            + square * (off * sizes + d * off * off);
        let rest = self.error * (1.0 + 2.0 * square * size);
        let residual = square * (d + 1.0).sqrt() * (gaps.sqrt() + d.sqrt() * off) + rest;
        let residual = residual * (1.0 + gamma);
        let upper = |norm: f64| {
            let sum = value + error + (norm + residual) * rest + residual * residual;
            let sum = sum.max(0.0) * (1.0 + gamma) + 1e-300;
            if sum.is_nan() { 1.0 } else { sum.min(1.0) }
        };
        // ||A_v^-1 e_u||^2 is at most the first bound.
        let first = upper(1.0);
        upper((first * (1.0 + gamma)).sqrt().next_up())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use muffliato_model::GraphSpec;

    fn graph(spec: &str) -> Graph {
        spec.parse::<GraphSpec>().unwrap().build().unwrap()
    }

    /// `[[2,-1,0],[-1,3,-1],[0,-1,2]]` of the path 0 - 1 - 2 has the inverse `[[5,2,1],[2,4,2],[1,2,5]] / 8`.
    #[test]
    fn a_wrong_inverse_has_a_large_error_bound() {
        let path = graph("path:3");
        let mut inverse = Inverse::of(&path, 1.0);
        assert!(inverse.error < 1e-14, "{}", inverse.error);
        let exact = [5.0, 2.0, 1.0, 2.0, 4.0, 2.0, 1.0, 2.0, 5.0].map(|x: f64| x / 8.0);
        for (entry, exact) in inverse.entries.iter().zip(exact) {
            assert!((entry - exact).abs() <= inverse.error);
        }
        inverse.entries[1] += 0.125;
        inverse.entries[3] += 0.125;
        assert!(inverse.column_error(0) >= 0.125);
        // Towards node 2, node 0 is left with node 1: 2/3. A worse guess proves less.
        inverse.error = inverse.column_error(0);
        assert!(inverse.towards(2)[0] >= 2.0 / 3.0);
    }

    #[test]
    fn a_rank_update_removes_all_edges_at_the_observer() {
        let path = graph("path:3");
        let towards = Inverse::of(&path, 1.0).towards(2);
        for (found, expected) in towards.iter().zip([2.0 / 3.0, 2.0 / 3.0, 1.0]) {
            assert!(*found >= expected && *found < expected + 1e-12, "{found}");
        }
        let middle = Inverse::of(&path, 9.0).towards(1);
        assert_eq!(middle, [1.0; 3]);
        let star = Inverse::of(&graph("star:40"), 100.0).error;
        assert!(star < 1e-11, "{star}");
    }
}
