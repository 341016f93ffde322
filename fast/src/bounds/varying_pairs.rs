//! Bounds of all pairs on a changing network.
//!
//! Column u of `W_{0:t}` follows from that of `W_{0:t-1}` by one product, but the norms are those
//! of rows, which run through all columns. The columns are therefore visited twice, sixteen at a
//! time and in cache: first to sum the squared norms of all rows that are sent, then to divide the
//! squares by them.
//!
//! ```text
//! norm_t(w) = sum_u (W_{0:t})_{w,u}^2 ,      f(u,v) = sum_t sum_{w in N_t(v)} (W_{0:t})_{w,u}^2 / norm_t(w)
//! ```

use super::lanes::{Lanes, WIDE};
use crate::{
    FastError, Progress, SparseWeights,
    steps::{StepMatrix, Steps},
    threads::{self, vectorized},
};

/// Number of parts of the columns, whose norms are summed in order.
const PARTS: usize = 8;

/// Squared norms of the rows that are sent, later their inverses.
#[derive(Clone, Debug)]
pub(crate) struct SentRows {
    /// Index at which the rows of each time begin: those of all non-isolated nodes, or of the two
    /// ends of an edge.
    starts: Vec<usize>,
    inverse_norms: Vec<f64>,
}

/// Returns the largest number of additions on any path of a squared norm.
pub(crate) fn norm_sums(nodes: usize) -> usize {
    Lanes::<WIDE>::SUM_ROUNDINGS + nodes.div_ceil(WIDE) + PARTS
}

/// Returns the largest number of additions on any path to a bound.
pub(crate) fn sums(steps: &Steps) -> usize {
    let length = (0..steps.count()).map(|t| steps.at(t).row_length());
    steps.count() + length.max().unwrap_or(0)
}

fn starts(steps: &Steps) -> Vec<usize> {
    let sent = (0..steps.count()).map(|t| match steps.at(t) {
        StepMatrix::Network(_, busy) => busy.len(),
        StepMatrix::Average(..) => 2,
    });
    let mut starts = vec![0];
    for count in sent {
        starts.push(starts[starts.len() - 1] + count);
    }
    starts
}

/// Returns the number of bytes for the norms and the columns in progress.
pub(crate) fn bytes(steps: &Steps) -> u128 {
    let rows = starts(steps).pop().unwrap_or(0) as u128;
    let columns = (3 * threads::count() * size_of::<Lanes<WIDE>>()) as u128 * steps.nodes() as u128;
    rows * (8 * (PARTS as u128 + 1)) + columns
}

/// Calls `visit(t, columns of W_{0:t})` for the given sources, t = 0..T.
fn columns(steps: &Steps, sources: &[usize], mut visit: impl FnMut(usize, &[Lanes<WIDE>])) {
    let mut now = vec![Lanes::ZERO; steps.nodes()];
    let mut spare = now.clone();
    for (lane, &u) in sources.iter().enumerate() {
        now[u].0[lane] = 1.0;
    }
    for t in 0..steps.count() {
        visit(t, &now);
        if t + 1 < steps.count() {
            steps.at(t).mix(&mut now, &mut spare);
        }
    }
}

impl SentRows {
    pub fn of(steps: &Steps, progress: &dyn Progress) -> Result<Self, FastError> {
        let starts = starts(steps);
        let rows = starts[steps.count()];
        let sources: Vec<usize> = (0..steps.nodes()).collect();
        let panels: Vec<&[usize]> = sources.chunks(WIDE).collect();
        let parts: Vec<_> = panels.chunks(panels.len().div_ceil(PARTS)).collect();
        progress.check(0, 2)?;
        let norms = threads::in_order(parts.len(), |part| {
            let mut norms = vec![0.0; rows];
            for panel in parts[part] {
                columns(steps, panel, |t, now| {
                    let norms = &mut norms[starts[t]..starts[t + 1]];
                    add_norms(steps.at(t), now, norms);
                });
                if !progress.report(0, 2) {
                    break;
                }
            }
            norms
        });
        progress.check(1, 2)?;
        let mut total = vec![0.0; rows];
        for part in norms {
            for (sum, norm) in total.iter_mut().zip(part) {
                *sum += norm;
            }
        }
        total.iter_mut().for_each(|norm| *norm = 1.0 / *norm);
        Ok(Self { starts, inverse_norms: total })
    }

    /// Computes the bounds of at most sixteen sources towards all observers.
    pub fn bounds(&self, steps: &Steps, sources: &[usize], out: &mut [Lanes<WIDE>]) {
        let mut shares = vec![Lanes::ZERO; steps.nodes()];
        out.fill(Lanes::ZERO);
        columns(steps, sources, |t, now| {
            let inverse = &self.inverse_norms[self.starts[t]..self.starts[t + 1]];
            let share = |w: usize, slot: usize| now[w].squares_times(&Lanes([inverse[slot]; WIDE]));
            match steps.at(t) {
                StepMatrix::Average(u, v) => {
                    out[v].add(&share(u, 0));
                    out[u].add(&share(v, 1));
                }
                StepMatrix::Network(weights, busy) => vectorized(
                    #[inline(always)]
                    || {
                        for (slot, &w) in busy.iter().enumerate() {
                            shares[w as usize] = share(w as usize, slot);
                        }
                        add_neighbours(weights, busy, &shares, out);
                    },
                ),
            }
        });
    }
}

fn add_norms(step: StepMatrix<'_>, now: &[Lanes<WIDE>], norms: &mut [f64]) {
    let square = |w: usize| now[w].squares_times(&Lanes([1.0; WIDE])).sum();
    match step {
        StepMatrix::Average(u, v) => {
            norms[0] += square(u);
            norms[1] += square(v);
        }
        StepMatrix::Network(_, busy) => {
            for (&w, norm) in busy.iter().zip(norms) {
                *norm += square(w as usize);
            }
        }
    }
}

/// Computes `out_v += sum_{w in N(v)} shares_w` for all non-isolated v.
#[inline(always)]
fn add_neighbours(
    weights: &SparseWeights,
    busy: &[u32],
    shares: &[Lanes<WIDE>],
    out: &mut [Lanes<WIDE>],
) {
    for &v in busy {
        let mut sum = Lanes::ZERO;
        for &w in weights.row(v as usize).0 {
            sum.add(&shares[w as usize]);
        }
        out[v as usize].add(&sum);
    }
}

/// Computes the values of [`AllPairs`](super::AllPairs) for any schedule.
pub(crate) fn all(steps: &Steps, progress: &dyn Progress) -> Result<Vec<f64>, FastError> {
    let rows = SentRows::of(steps, progress)?;
    let nodes = steps.nodes();
    let sources: Vec<usize> = (0..nodes).collect();
    let panels: Vec<&[usize]> = sources.chunks(WIDE).collect();
    let mut bounds = vec![Lanes::ZERO; panels.len() * nodes];
    threads::on_chunks(
        &mut bounds,
        nodes,
        || (),
        |(), panel, out| {
            if progress.report(1, 2) {
                rows.bounds(steps, panels[panel], out);
            }
        },
    );
    progress.check(2, 2)?;
    let mut values = Vec::with_capacity(nodes * nodes);
    for v in 0..nodes {
        let row = bounds.chunks_exact(nodes).flat_map(|panel| panel[v].0);
        values.extend(row.take(nodes));
    }
    Ok(values)
}
