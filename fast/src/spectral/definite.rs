//! Proofs of lower bounds on eigenvalues by elimination (trusted).
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

use super::{lanczos::SpectrumEnd, operator::Symmetric, quotient::max_degree};
use crate::UNIT_ROUNDOFF;

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
        let kept = if end == SpectrumEnd::Top {
            0.0
        } else {
            2.0 * a.own(v)
        };
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
        Self {
            entries: vec![value; nodes * (nodes + 1) / 2],
            nodes,
        }
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
                row[j] = (row[j] - product(&row[..j], &above[..j])) / above[j];
            }
            let pivot = row[i] - product(&row[..i], &row[..i]);
            if pivot.is_nan() || pivot <= 0.0 || pivot == f64::INFINITY {
                return false;
            }
            row[i] = pivot.sqrt();
        }
        true
    }
}

/// Computes the scalar product in eight interleaved sums.
fn product(x: &[f64], y: &[f64]) -> f64 {
    let mut lanes = [0.0; 8];
    let (x_blocks, y_blocks) = (x.chunks_exact(8), y.chunks_exact(8));
    let (x_rest, y_rest) = (x_blocks.remainder(), y_blocks.remainder());
    for (x, y) in x_blocks.zip(y_blocks) {
        for lane in 0..8 {
            lanes[lane] += x[lane] * y[lane];
        }
    }
    for (lane, (x, y)) in x_rest.iter().zip(y_rest).enumerate() {
        lanes[lane] += x * y;
    }
    lanes.iter().sum()
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
            (
                &ring,
                SpectrumEnd::Top,
                2.0 / 3.0 * (1.0 - (angle / 30.0).cos()),
            ),
            (&ring, SpectrumEnd::Bottom, 2.0 / 3.0),
            (&odd, SpectrumEnd::Top, 1.0 - (2.0 * angle / 61.0).cos()),
            (&odd, SpectrumEnd::Bottom, 1.0 - (angle / 61.0).cos()),
            (&complete, SpectrumEnd::Top, 1.0),
            (&complete, SpectrumEnd::Bottom, 1.0),
        ];
        for (w, end, exact) in cases {
            let slack = slack(w.nodes(), 1.0);
            let proved = proves_at_least(w, end, 1.0, exact - slack).unwrap();
            assert!(
                proved < exact && proved > exact - 8.0 * slack,
                "{proved} {exact}"
            );
            assert_eq!(proves_at_least(w, end, 1.0, exact + slack), None, "{exact}");
            assert_eq!(proves_at_least(w, end, 1.0, f64::NAN), None);
        }
    }
}
