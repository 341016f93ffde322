//! Gains of the cheapest alibis, computed backwards from the last step (untrusted; `ends` checks).

use super::Mixings;
use crate::dense::{factors, products};
use crate::gram::rows::Messages;
use crate::{FastError, Progress, checks::float};
use muffliato_model::{Fraction, Graph, Protocol};
use std::sync::Arc;

/// One step of the cheapest alibis: `matrix` times the arrivals at the free nodes is left there.
pub(super) struct Gain {
    /// Nodes neither heard at this step nor known to the observers.
    pub free: Vec<usize>,
    /// Symmetric; empty for the identity.
    pub matrix: Vec<f64>,
}

/// The first step under masks, for each source alone.
pub(super) struct Masked {
    /// The edges whose masks no observer knows.
    pub graph: Arc<Graph>,
    pub kappa: Fraction,
    /// At `w n + u`: the amount of u's input left at w, and the shift of the draw of w.
    pub left: Vec<f64>,
    pub shifts: Vec<f64>,
}

/// Computes `X_0, ..., X_{T-1}`, and the first step under masks.
pub(super) fn backwards(
    protocol: &Protocol,
    messages: &Messages,
    mixings: &Mixings,
    progress: &dyn Progress,
) -> Result<(Vec<Gain>, Option<Masked>), FastError> {
    let (nodes, steps) = (protocol.nodes(), protocol.steps());
    let mut gains = Vec::with_capacity(steps);
    // `Q_{t+1}`; `None` stands for 0.
    let mut ahead: Option<Vec<f64>> = None;
    let mut masked = None;
    for t in (0..steps).rev() {
        progress.check(steps - 1 - t, steps)?;
        let heard = &messages.senders[t];
        let mut is_free = vec![true; nodes];
        for &w in heard.iter().chain(&messages.known) {
            is_free[w] = false;
        }
        let free: Vec<usize> = (0..nodes).filter(|&w| is_free[w]).collect();
        let variance = float(mixings.variances[t]);
        let mut form = vec![0.0; nodes * nodes];
        for &w in heard {
            form[w * nodes + w] = 1.0 / variance;
        }
        let mut matrix = Vec::new();
        if let Some(ahead) = ahead {
            let through = congruence(mixings, t, nodes, &ahead);
            if t == 0 {
                masked = first_step(protocol, messages, &free, &through);
            }
            let entry = |&v: &usize, &w: &usize| through[v * nodes + w];
            let mut sum = Vec::with_capacity(free.len() * free.len());
            for (i, v) in free.iter().enumerate() {
                sum.extend(free.iter().map(|w| variance * entry(v, w)));
                sum[i * free.len() + i] += 1.0;
            }
            matrix = factors::inverse(free.len(), &sum).unwrap_or_default();
            for (i, v) in free.iter().enumerate() {
                for (j, w) in free.iter().enumerate() {
                    let identity = if i == j { 1.0 } else { 0.0 };
                    form[v * nodes + w] = match matrix.get(i * free.len() + j) {
                        Some(left) => (identity - left) / variance,
                        None => entry(v, w),
                    };
                }
            }
        }
        gains.push(Gain { free, matrix });
        ahead = Some(form);
    }
    gains.reverse();
    Ok((gains, masked))
}

/// Computes the first step under masks. With C the covariance of what all nodes but the observers
/// inject, `r = (C^-1 + B)_FF^-1 (C^-1 m)_F` is left, and the draws are shifted by `C^-1 (m - r)`.
/// Nothing is left if C is numerically singular.
fn first_step(
    protocol: &Protocol,
    messages: &Messages,
    free: &[usize],
    ahead: &[f64],
) -> Option<Masked> {
    let (kappa, graph) = (protocol.uniform().ok()?.kappa?, messages.masked.first()?);
    let nodes = protocol.nodes();
    let variance = float(kappa) * float(kappa);
    let mut covariance = vec![0.0; nodes * nodes];
    for w in 0..nodes {
        covariance[w * nodes + w] = 1.0 + variance * graph.degree(w) as f64;
        for b in graph.neighbours(w) {
            covariance[w * nodes + b] = -variance;
        }
    }
    let mut masked = Masked {
        graph: Arc::clone(graph),
        kappa,
        left: vec![0.0; nodes * nodes],
        shifts: vec![0.0; nodes * nodes],
    };
    let Some(precision) = factors::inverse(nodes, &covariance) else {
        return Some(masked);
    };
    let both = |&v: &usize, &w: &usize| precision[v * nodes + w] + ahead[v * nodes + w];
    let sum: Vec<f64> = free.iter().flat_map(|v| free.iter().map(move |w| both(v, w))).collect();
    let Some(inverse) = factors::inverse(free.len(), &sum) else {
        return Some(masked);
    };
    let columns = free.iter().flat_map(|w| &precision[w * nodes..][..nodes]);
    let columns: Vec<f64> = columns.copied().collect();
    let left = products::times(nodes, free.len(), &columns, &inverse);
    for (&w, row) in free.iter().zip(left.chunks_exact(nodes)) {
        masked.left[w * nodes..][..nodes].copy_from_slice(row);
    }
    let taken = products::times(nodes, nodes, &masked.left, &precision);
    let shifts = masked.shifts.iter_mut().zip(&precision).zip(taken);
    shifts.for_each(|((shift, &whole), taken)| *shift = whole - taken);
    Some(masked)
}

/// Computes `W_t Q W_t` for a symmetric Q.
fn congruence(mixings: &Mixings, t: usize, nodes: usize, form: &[f64]) -> Vec<f64> {
    let half = mixings.steps.mixed(t, form, nodes);
    let mut turned = vec![0.0; half.len()];
    for (i, row) in half.chunks_exact(nodes).enumerate() {
        for (j, &entry) in row.iter().enumerate() {
            turned[j * nodes + i] = entry;
        }
    }
    mixings.steps.mixed(t, &turned, nodes)
}
