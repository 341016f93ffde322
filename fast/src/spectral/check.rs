//! Proved bounds on the spectral gap (trusted): from the graph alone, from one vector, and by an
//! elimination. Lanczos iteration finds the vector and the number to prove.
//!
//! # From the graph
//!
//! By Perron-Frobenius the gap of a symmetric stochastic matrix is 0 exactly if the graph of its
//! positive off-diagonal weights is not connected (1 is a double eigenvalue), or is bipartite while
//! the diagonal vanishes (-1 is an eigenvalue). Otherwise two classical inequalities bound it from
//! below:
//!
//! ```text
//! 1 - lambda_2 >= 4 w / (n D)     (Mohar; w the smallest positive weight, D the diameter, D <= 2 ecc(0))
//! 1 + lambda_n >= 2 min_v W_vv    (Gershgorin)
//! ```
//!
//! # From one vector
//!
//! For every x that is not constant, with `mean` its mean, and every y that is not 0 (Courant and Fischer):
//!
//! ```text
//! 1 - lambda_2 <= sum_{uv} w_uv (x_u - x_v)^2 / sum_v (x_v - mean)^2
//! 1 + lambda_n <= ( sum_v 2 W_vv y_v^2 + sum_{uv} w_uv (y_u + y_v)^2 ) / sum_v y_v^2
//! ```
//!
//! The numerators have no negative term, so a gap of any size is bounded to a relative precision
//! that counts roundings.
//!
//! # By an elimination
//!
//! If Cholesky's algorithm in floating point meets only positive pivots on a symmetric matrix A of
//! floats then (Demmel; Higham, Accuracy and Stability, theorem 10.5, in any order of summation)
//!
//! ```text
//! A >= - c trace(A) I,      c = g / (1 - g),   g = (n+2) u / (1 - (n+2) u) .
//! ```
//!
//! Applied to `I - W + 2 J - s I` (J the averaging matrix, which shifts the constant vector) it
//! proves `1 - lambda_2 >= s - slack`, applied to `I + W - s I` it proves `1 + lambda_n >= s -
//! slack`. The slack also covers the roundings of the matrix entries, a norm of at most the largest
//! row sum of their errors.

use super::{
    lanczos::SpectrumEnd,
    operator::Symmetric,
    vector::{dot, sum, sum_roundings},
};
use crate::{Enclosure, FastError, UNIT_ROUNDOFF, arithmetic::inner, checks};

/// Returns a lower bound on `1 - lambda_2`, rounded down, or [`FastError::NoGap`] exactly if the
/// gap is 0. `periodic_matters` tells whether the eigenvalue -1 closes the gap, too.
pub(super) fn connectivity(w: &impl Symmetric, periodic_matters: bool) -> Result<f64, FastError> {
    let n = w.nodes();
    let expected = "a spectral gap needs at least two";
    checks::require(n >= 2, "the number of nodes", n, expected)?;
    let mut depth = vec![u32::MAX; n];
    depth[0] = 0;
    let mut queue = Vec::with_capacity(n);
    queue.push(0_usize);
    let mut next = 0;
    let mut smallest = f64::INFINITY;
    let mut odd_cycle = false;
    while let Some(&v) = queue.get(next) {
        next += 1;
        let (columns, weights) = w.row(v);
        for (&u, &weight) in columns.iter().zip(weights) {
            if weight <= 0.0 {
                continue;
            }
            smallest = smallest.min(weight);
            let u = u as usize;
            if depth[u] == u32::MAX {
                depth[u] = depth[v] + 1;
                queue.push(u);
            } else {
                odd_cycle |= depth[u] % 2 == depth[v] % 2;
            }
        }
    }
    if queue.len() < n {
        return Err(FastError::NoGap {
            reason: "the graph of the positive weights is not connected",
            remedy: "use a connected graph, for example its giant component",
        });
    }
    let zero_diagonal = (0..n).all(|v| w.own(v) <= 0.0);
    if periodic_matters && zero_diagonal && !odd_cycle {
        return Err(FastError::NoGap {
            reason: "the graph is bipartite and no node keeps a share of its own value, so gossip oscillates",
            remedy: "use Metropolis weights or the lazy version of these",
        });
    }
    let eccentricity = queue.last().map_or(1, |&v| depth[v].max(1));
    // Four roundings here, `roundings` in the weight.
    let margin = 1.0 - 2.0 * (w.roundings() as f64 + 8.0) * UNIT_ROUNDOFF;
    Ok(4.0 * smallest / (n as f64 * 2.0 * f64::from(eccentricity)) * margin.max(0.0))
}

/// Computes the quotient of the wanted end: an estimate of the eigenvalue's distance, and a proved
/// upper bound. For a Laplacian only [`SpectrumEnd::Top`] is meaningful, with its weights as
/// `w_uv`.
pub(super) fn distance(a: &impl Symmetric, end: SpectrumEnd, x: &[f64]) -> (f64, f64) {
    let n = a.nodes();
    let sign = if end == SpectrumEnd::Top { -1.0 } else { 1.0 };
    let energy = sum(n, |v| {
        let (columns, weights) = a.row(v);
        let own = if end == SpectrumEnd::Top { 0.0 } else { 2.0 * a.own(v) * x[v] * x[v] };
        let mut total = own;
        for (&u, &weight) in columns.iter().zip(weights) {
            if u as usize > v {
                let joint = x[v] + sign * x[u as usize];
                total += weight * joint * joint;
            }
        }
        total
    });
    // A term: the weight's roundings, two of the squared difference, three products; then two sums.
    let degree = max_degree(a) as u64;
    let roundings = a.roundings() + 6 + degree + sum_roundings(n);
    let operations = 4 * (degree + 1) * n as u64;
    let energy = Enclosure::around(energy, roundings, operations);
    let squares = Enclosure::around(dot(x, x), sum_roundings(n) + 1, 2 * n as u64);
    let constant = if end == SpectrumEnd::Top { mean_part(x) } else { 0.0 };
    let spread = (squares.lower() - constant).next_down();
    let estimate = energy.value() / squares.value();
    if spread > 0.0 {
        (estimate, (energy.upper() / spread).next_up())
    } else {
        (estimate, f64::INFINITY)
    }
}

/// Bounds `n mean^2` from above: the square of the part of x along the constant vector.
fn mean_part(x: &[f64]) -> f64 {
    let n = x.len();
    let error = (sum_roundings(n) + 4) as f64 * UNIT_ROUNDOFF * sum(n, |k| x[k].abs());
    let total = sum(n, |k| x[k]).abs() + 2.0 * error;
    total * total / n as f64 * (1.0 + 8.0 * UNIT_ROUNDOFF)
}

pub(super) fn max_degree(a: &impl Symmetric) -> usize {
    (0..a.nodes()).map(|v| a.row(v).0.len()).max().unwrap_or(0)
}

/// Returns a lower bound near `s` on the distance of the wanted end, if the elimination proves one:
/// `1 - lambda_2` (or the second smallest eigenvalue of a Laplacian) for the top, `1 + lambda_n`
/// for the bottom. `scale` is at least the largest row sum of `|A|`. Takes `4 n^2` bytes and
/// `n^3/6` multiplications.
pub(super) fn proves_at_least(
    a: &impl Symmetric,
    end: SpectrumEnd,
    scale: f64,
    s: f64,
) -> Option<f64> {
    let n = a.nodes();
    let (lift, sign) = match end {
        SpectrumEnd::Top => (2.0 * scale / n as f64, -1.0),
        SpectrumEnd::Bottom => (0.0, 1.0),
    };
    let mut rows = Triangle::filled(n, lift);
    let mut trace = 0.0;
    for v in 0..n {
        let (columns, weights) = a.row(v);
        let row = rows.row_mut(v);
        for (&u, &weight) in columns.iter().zip(weights) {
            if (u as usize) < v {
                row[u as usize] += sign * weight;
            }
        }
        let kept = if end == SpectrumEnd::Top { 0.0 } else { 2.0 * a.own(v) };
        row[v] += kept + weights.iter().sum::<f64>() - s;
        trace += row[v].max(0.0);
    }
    rows.eliminates_to_the_end().then(|| {
        let units = (n as f64 + 2.0) * UNIT_ROUNDOFF;
        let elimination = units / (1.0 - 3.0 * units) * trace * (1.0 + 2.0 * units);
        // Each entry is off by its weight's roundings and those of its sum; a row of |A| + 2 J sums
        // to 4 scale.
        let entry_units = (a.roundings() + max_degree(a) as u64 + 8) as f64 * UNIT_ROUNDOFF;
        let entries = entry_units * (4.0 * scale + s) * 1.01;
        (s - (elimination + entries) * (1.0 + 1e-12) - 1e-290).next_down()
    })
}

/// Estimates the slack of the proof on n nodes.
pub(super) fn slack(nodes: usize, scale: f64) -> f64 {
    nodes as f64 * nodes as f64 * scale * UNIT_ROUNDOFF
}

/// The lower triangle of a symmetric matrix, row by row.
struct Triangle {
    entries: Vec<f64>,
    nodes: usize,
}

impl Triangle {
    fn filled(nodes: usize, value: f64) -> Self {
        Self { entries: vec![value; nodes * (nodes + 1) / 2], nodes }
    }

    fn row_mut(&mut self, i: usize) -> &mut [f64] {
        let start = i * (i + 1) / 2;
        &mut self.entries[start..=start + i]
    }

    /// Runs Cholesky's algorithm in place; returns `true` if all pivots were positive.
    fn eliminates_to_the_end(&mut self) -> bool {
        for i in 0..self.nodes {
            let (done, rest) = self.entries.split_at_mut(i * (i + 1) / 2);
            let row = &mut rest[..=i];
            for j in 0..i {
                let start = j * (j + 1) / 2;
                let above = &done[start..=start + j];
                row[j] = (row[j] - inner(&row[..j], &above[..j])) / above[j];
            }
            let pivot = row[i] - inner(&row[..i], &row[..i]);
            if pivot.is_nan() || pivot <= 0.0 || pivot == f64::INFINITY {
                return false;
            }
            row[i] = pivot.sqrt();
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SparseWeights;
    use muffliato_model::{GraphSpec, Network, WeightScheme};

    fn weights(spec: &str, scheme: WeightScheme) -> SparseWeights {
        let graph = spec.parse::<GraphSpec>().unwrap().build().unwrap();
        SparseWeights::of_network(&Network::try_new(graph, scheme).unwrap()).unwrap()
    }

    /// On both sides of the exact distance, for both ends.
    #[test]
    fn true_bounds_are_proved_and_false_ones_are_not() {
        let angle = std::f64::consts::PI;
        let ring = weights("ring:60", WeightScheme::Metropolis);
        let odd = weights("ring:61", WeightScheme::MaxDegreeInverse);
        let complete = weights("complete:40", WeightScheme::Metropolis);
        let cases = [
            (&ring, SpectrumEnd::Top, 2.0 / 3.0 * (1.0 - (angle / 30.0).cos())),
            (&ring, SpectrumEnd::Bottom, 2.0 / 3.0),
            (&odd, SpectrumEnd::Top, 1.0 - (2.0 * angle / 61.0).cos()),
            (&odd, SpectrumEnd::Bottom, 1.0 - (angle / 61.0).cos()),
            (&complete, SpectrumEnd::Top, 1.0),
            (&complete, SpectrumEnd::Bottom, 1.0),
        ];
        for (w, end, exact) in cases {
            let slack = slack(w.nodes(), 1.0);
            let proved = proves_at_least(w, end, 1.0, exact - slack).unwrap();
            assert!(proved < exact && proved > exact - 8.0 * slack, "{proved} {exact}");
            assert_eq!(proves_at_least(w, end, 1.0, exact + slack), None, "{exact}");
            assert_eq!(proves_at_least(w, end, 1.0, f64::NAN), None);
        }
    }
}
