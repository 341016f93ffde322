//! Certified ends of the leakage: the upper end is the cost of an alibi, the lower end the value of
//! an attack. This is the only trusted part of the method; the theorem is in the parent module.

use super::{AlibiView, Mixings};
use crate::arithmetic::{Real, accumulated, raised, ratio_up};
use crate::dense::products;
use crate::gram::rows::root_up;
use crate::{Approximation, Enclosure, Loss, UNIT_ROUNDOFF};

/// Costs of the alibis of a batch of sources.
struct Cost {
    /// Cost of each source, without and with an allowance for roundings.
    computed: Vec<f64>,
    upper: Vec<f64>,
    /// For each time the scaled shifts at the heard nodes, source by source.
    heard: Vec<Vec<f64>>,
}

impl AlibiView<'_> {
    /// Computes certified ends for sources that do not observe.
    pub(super) fn ends<N: Real>(&self, mixings: &Mixings<N>, sources: &[usize]) -> Vec<Loss> {
        let model = self.protocol.loss_model();
        let cost = self.alibis(mixings, sources);
        let lower = self.attacks(mixings, sources, &cost.heard);
        let ends = cost.computed.iter().zip(&cost.upper).zip(lower);
        ends.map(|((&computed, &upper), lower)| {
            // A cost that is NaN gives an unknown enclosure.
            let upper = upper.min(1.0);
            let lower = lower.max(0.0).min(upper);
            let leakage = Approximation {
                estimate: computed.max(lower).min(upper),
                certified: Enclosure::try_new(lower, upper).unwrap_or(Enclosure::UNKNOWN),
            };
            Loss::of_one_input(leakage, model)
        })
        .collect()
    }

    /// Runs the alibis forwards. `r_t` is exact by definition, as a float; `z_t = m_t - r_t` is off
    /// by the error of `m_t = W_{t-1} r_{t-1}`.
    fn alibis<N: Real>(&self, mixings: &Mixings<N>, sources: &[usize]) -> Cost {
        let (nodes, width) = (self.protocol.nodes(), sources.len());
        let steps = self.protocol.steps();
        let mut arrived = vec![N::default(); nodes * width];
        for (k, &u) in sources.iter().enumerate() {
            arrived[u * width + k] = N::of(1.0);
        }
        let mut cost = Cost {
            computed: vec![0.0; width],
            upper: vec![0.0; width],
            heard: Vec::with_capacity(steps),
        };
        let mut unknown = self.shift_masks(sources, &mut arrived, &mut cost);
        for (t, gain) in self.gains.iter().enumerate() {
            let variance = mixings.variances[t];
            let weight = ratio_up(variance.denominator(), variance.numerator());
            let mut shifts = vec![0.0; width];
            let mut left = vec![0.0; width];
            let free = match t {
                0 => self.left_at_first(sources),
                _ => self.left(t, &arrived, width),
            };
            let mut next = vec![N::default(); nodes * width];
            for (&w, row) in gain.free.iter().zip(free.chunks_exact(width)) {
                let (from, to) = (&arrived[w * width..], &mut next[w * width..]);
                for k in 0..width {
                    to[k] = N::of(row[k]);
                    let shift = (from[k] - to[k]).high();
                    shifts[k] += shift * shift;
                    left[k] += row[k] * row[k];
                }
            }
            let mut heard = Vec::with_capacity(self.messages.senders[t].len() * width);
            for &w in &self.messages.senders[t] {
                for (k, entry) in arrived[w * width..][..width].iter().enumerate() {
                    shifts[k] += entry.high() * entry.high();
                    heard.push(entry.high() * weight);
                }
            }
            for k in 0..width {
                let longest = root_up(shifts[k], nodes) * (1.0 + 4.0 * UNIT_ROUNDOFF) + unknown[k];
                cost.computed[k] += weight * shifts[k];
                cost.upper[k] += weight * longest * longest;
                unknown[k] = mixings.gamma * root_up(left[k], nodes) * 1.01;
            }
            cost.heard.push(heard);
            if t + 1 < steps {
                arrived = mixings.steps.mixed(t, &next, width);
            }
        }
        cost.upper.iter_mut().for_each(|upper| *upper = raised(*upper, steps + 16));
        cost
    }

    /// Computes `X_t` times the arrivals at the free nodes.
    fn left<N: Real>(&self, t: usize, arrived: &[N], width: usize) -> Vec<f64> {
        let gain = &self.gains[t];
        let rows = gain.free.iter().flat_map(|w| &arrived[w * width..][..width]);
        let free: Vec<f64> = rows.map(|entry| entry.high()).collect();
        if gain.matrix.is_empty() {
            free
        } else {
            products::times(width, gain.free.len(), &free, &gain.matrix)
        }
    }

    /// Computes `r_0` for the inputs of `sources`: columns of `X_0`, or of its replacement under
    /// masks.
    fn left_at_first(&self, sources: &[usize]) -> Vec<f64> {
        let free = &self.gains[0].free;
        let (nodes, matrix) = (self.protocol.nodes(), &self.gains[0].matrix);
        let mut place = vec![None; nodes];
        for (k, &w) in free.iter().enumerate() {
            place[w] = Some(k);
        }
        let entry = |k: usize, u: usize| match (&self.masked, place[u]) {
            (Some(masked), _) => masked.left[free[k] * nodes + u],
            (None, Some(column)) if matrix.is_empty() => f64::from(u8::from(k == column)),
            (None, Some(column)) => matrix[k * free.len() + column],
            (None, None) => 0.0,
        };
        let rows = 0..free.len();
        rows.flat_map(|k| sources.iter().map(move |&u| (k, u))).map(|(k, u)| entry(k, u)).collect()
    }

    /// Shifts the masks by `f_ab = kappa (g_a - g_b)` for proposed shifts g of the draws. This
    /// takes `kappa (sum of f_ab - sum of f_ba)` from the arrivals. Returns the error, at most
    /// gamma times the magnitude of the terms.
    fn shift_masks<N: Real>(
        &self,
        sources: &[usize],
        arrived: &mut [N],
        cost: &mut Cost,
    ) -> Vec<f64> {
        let (nodes, width) = (self.protocol.nodes(), sources.len());
        let Some(masked) = &self.masked else {
            return vec![0.0; width];
        };
        let kappa = N::of_fraction(masked.kappa);
        let mut squares = vec![0.0; width];
        for (a, b) in masked.graph.edges() {
            for (k, &u) in sources.iter().enumerate() {
                let difference = masked.shifts[a * nodes + u] - masked.shifts[b * nodes + u];
                let shift = kappa.high() * difference;
                squares[k] += shift * shift;
                let moved = kappa * N::of(shift);
                for (w, moved) in [(a, moved), (b, N::default() - moved)] {
                    let entry = &mut arrived[w * width + k];
                    *entry = *entry - moved;
                }
            }
        }
        let gamma = accumulated(masked.graph.max_degree() as u64 + 8, N::UNIT);
        let edges = masked.graph.edge_count();
        let norm = self.mask_norm();
        squares
            .iter()
            .zip(cost.computed.iter_mut().zip(&mut cost.upper))
            .map(|(&square, (computed, upper))| {
                let length = root_up(square, edges);
                *computed += square;
                *upper += length * length;
                gamma * (1.0 + norm * length) * 1.01
            })
            .collect()
    }

    /// Bounds the norm of the map from masks to states: `kappa sqrt(2 d)`, d the largest mask
    /// degree.
    fn mask_norm(&self) -> f64 {
        let norm = self.masked.as_ref().map(|masked| {
            let kappa = ratio_up(masked.kappa.numerator(), masked.kappa.denominator());
            kappa * (2.0 * masked.graph.max_degree() as f64).sqrt()
        });
        norm.unwrap_or(0.0) * (1.0 + 4.0 * UNIT_ROUNDOFF)
    }

    /// Bounds the length of an attack's coefficients of the masks at time 0, given their error.
    fn seen_masks<N: Real>(&self, attack: &[N], width: usize, unknown: &[f64]) -> Vec<f64> {
        let Some(masked) = &self.masked else {
            return vec![0.0; width];
        };
        let mut squares = vec![0.0; width];
        for (a, b) in masked.graph.edges() {
            for (k, square) in squares.iter_mut().enumerate() {
                let seen = (attack[a * width + k] - attack[b * width + k]).high();
                *square += seen * seen;
            }
        }
        let kappa = ratio_up(masked.kappa.numerator(), masked.kappa.denominator());
        let edges = masked.graph.edge_count();
        let seen = squares.iter().zip(unknown).map(|(&square, &unknown)| {
            let length = root_up(square, edges) * (1.0 + 4.0 * UNIT_ROUNDOFF);
            kappa * length + self.mask_norm() * unknown
        });
        seen.collect()
    }

    /// Runs the attacks backwards from given coefficients at the heard nodes. The error of `p_t` on
    /// F is that of `p_{t+1}` and of the product with W_t.
    fn attacks<N: Real>(
        &self,
        mixings: &Mixings<N>,
        sources: &[usize],
        heard: &[Vec<f64>],
    ) -> Vec<f64> {
        let (nodes, width) = (self.protocol.nodes(), sources.len());
        let steps = self.protocol.steps();
        let mut attack = vec![N::default(); nodes * width];
        let (mut unknown, mut length) = (vec![0.0; width], vec![0.0; width]);
        let mut spent = vec![0.0; width];
        for t in (0..steps).rev() {
            let before = if t + 1 < steps {
                mixings.steps.mixed(t, &attack, width)
            } else {
                vec![N::default(); nodes * width]
            };
            attack.fill(N::default());
            let mut squares = vec![0.0; width];
            let mut put = |w: usize, row: &mut dyn Iterator<Item = N>| {
                for (k, entry) in row.enumerate() {
                    attack[w * width + k] = entry;
                    squares[k] += entry.high() * entry.high();
                }
            };
            for &w in &self.gains[t].free {
                put(w, &mut before[w * width..][..width].iter().copied());
            }
            let rows = heard[t].chunks_exact(width);
            for (&w, row) in self.messages.senders[t].iter().zip(rows) {
                put(w, &mut row.iter().map(|&entry| N::of(entry)));
            }
            let variance = mixings.variances[t];
            let variance = ratio_up(variance.numerator(), variance.denominator());
            for k in 0..width {
                unknown[k] += mixings.gamma * length[k] * 1.01;
                length[k] = root_up(squares[k], nodes) * (1.0 + 4.0 * UNIT_ROUNDOFF);
                let longest = length[k] + unknown[k];
                spent[k] += variance * longest * longest;
            }
        }
        for (spent, seen) in spent.iter_mut().zip(self.seen_masks(&attack, width, &unknown)) {
            *spent += seen * seen;
        }
        let worth = |(k, &u): (usize, &usize)| {
            let gained = 2.0 * attack[u * width + k].high().next_down();
            (gained - raised(2.0 * unknown[k] + spent[k], steps + 16)).next_down()
        };
        sources.iter().enumerate().map(worth).collect()
    }
}
