//! An untrusted f64 solver for the best plan: a primal-dual interior-point method. Callers certify what it returns.
//!
//! Write `M_V(x)` for `diag(s^2) + L_{kappa^2, H - V}`, K for its inverse and `l_u = K_uu`. The programme is `min c . x` subject to `l_u <= r_uV` and `x >= 0`. The targets are imposed as `r / l_u - 1 >= 0`: `1 / l_u` is concave and homogeneous,
//! so nearly linear. One inverse for each V gives the losses, gradients and second derivatives of all sources: with `a_d` the column of a draw (`e_w`, or `e_a - e_b`),
//!
//! ```text
//! -d l_u / dx_d         = (a_d^T K e_u)^2
//! d^2 l_u / dx_d dx_f   = 2 (a_d^T K a_f) (a_d^T K e_u) (a_f^T K e_u)
//! ```
//!
//! so the second derivatives of `sum_u p_u l_u` are twice the entrywise product of `A^T K A` and `A^T K diag(p) K A`. Pairs that are far from their target are left out of the Newton system.
//!
//! Without secrets the losses come from [`crate::fresh`]; there the second derivatives of `sum_u p_u l_u` are bounded from above by those of the cost of the alibis.

use crate::fresh::{Filtered, Gossip};
use muffliato_model::threads;
use std::{collections::BTreeMap, time::Instant};

/// Pairs enter the Newton system when their loss exceeds this part of the target.
const CLOSE: f64 = 0.8;
/// So do the largest losses towards each set of observers, above this part of the target. Pairs leave below half of it, whatever their rank: pairs that come and go with it keep the method from converging.
const TOP: usize = 6;
const FAR: f64 = 0.2;
/// How far a step goes towards the boundary.
const REACH: f64 = 0.97;
/// Rows of the Newton matrix that are updated together.
const BLOCK: usize = 32;
/// The part of the gap that the complementarity products may not fall below: they must not vanish before the gap does.
const PACE: f64 = 0.002;
const MAX_ITERATIONS: usize = 200;
/// What the diagonal of a Newton matrix that cannot be factored is enlarged by, in turn.
const REGULARISED: [f64; 5] = [0.0, 1e-12, 1e-9, 1e-6, 1e-3];

/// Why the solver stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The gap is as small as asked for.
    Reached,
    /// The time was up.
    Deadline,
    /// It took as many iterations as it may.
    Iterations,
    /// The Newton matrix could not be factored.
    Singular,
}

/// The programme in floats. Draws are the nodes, then the edges of the mask graph or, without secrets, the fresh noise of the nodes.
pub(crate) struct Programme {
    pub nodes: usize,
    pub edges: Vec<(usize, usize)>,
    /// Without secrets: what the messages are.
    pub gossip: Option<Gossip>,
    pub cost: Vec<f64>,
    pub observers: Vec<Vec<usize>>,
    /// For each set of observers and each node the target, infinite where there is none.
    pub targets: Vec<Vec<f64>>,
}

/// A point of the central path with what it proves, in floats.
pub(crate) struct Iterate {
    pub x: Vec<f64>,
    /// The error of x once it is scaled to meet the targets.
    pub upper: f64,
    /// For each set of observers and each source its multiplier.
    pub multipliers: Vec<Vec<f64>>,
    pub lower: f64,
}

/// What observers learn from draws with these variances.
pub(crate) enum View {
    /// With masks: the inverse of M, with zeros for the observers.
    Inverse(Vec<f64>),
    /// Without secrets: a run of the filter.
    Run(Filtered),
}

struct State {
    x: Vec<f64>,
    /// For each set of observers.
    views: Vec<View>,
    /// For each set of observers the loss of each source over its target.
    ratios: Vec<Vec<f64>>,
    /// The largest of them.
    worst: f64,
}

impl Programme {
    /// Returns the inverse of M for the observers removed, with zero rows and columns for them.
    pub fn inverse(&self, x: &[f64], removed: &[usize]) -> Vec<f64> {
        let n = self.nodes;
        let mut m = vec![0.0; n * n];
        for w in 0..n {
            m[w * n + w] = x[w];
        }
        for (&(a, b), &k) in self.edges.iter().zip(&x[n..]) {
            if !removed.contains(&a) && !removed.contains(&b) {
                m[a * n + a] += k;
                m[b * n + b] += k;
                m[a * n + b] -= k;
                m[b * n + a] -= k;
            }
        }
        let mut pivot = vec![0.0; n];
        for k in (0..n).filter(|k| !removed.contains(k)) {
            let inverse = 1.0 / m[k * n + k];
            for (entry, &old) in pivot.iter_mut().zip(&m[k * n..]) {
                *entry = old * inverse;
            }
            for i in (0..n).filter(|&i| i != k) {
                let row = &mut m[i * n..(i + 1) * n];
                let factor = row[k];
                if factor != 0.0 {
                    for (entry, &p) in row.iter_mut().zip(&pivot) {
                        *entry -= factor * p;
                    }
                    row[k] = -factor * inverse;
                }
            }
            pivot[k] = inverse;
            m[k * n..(k + 1) * n].copy_from_slice(&pivot);
        }
        for &v in removed {
            m[v * n + v] = 0.0;
        }
        m
    }

    /// Returns what observers learn.
    pub fn view(&self, x: &[f64], observers: &[usize]) -> View {
        match &self.gossip {
            None => View::Inverse(self.inverse(x, observers)),
            Some(gossip) => View::Run(gossip.filtered(x, observers)),
        }
    }

    fn state(&self, x: Vec<f64>) -> State {
        let n = self.nodes;
        let of_set = |v: usize| {
            let view = self.view(&x, &self.observers[v]);
            let loss = |u: usize| match &view {
                View::Inverse(inverse) => inverse[u * n + u],
                View::Run(run) => run.losses[u],
            };
            let ratios = (0..n).map(|u| loss(u) / self.targets[v][u]).collect();
            (view, ratios)
        };
        let sets = threads::in_order(self.observers.len(), of_set);
        let (views, ratios): (Vec<View>, Vec<Vec<f64>>) = sets.into_iter().unzip();
        let worst = ratios.iter().flatten().fold(0.0_f64, |worst, &ratio| {
            if ratio.is_nan() { f64::INFINITY } else { worst.max(ratio) }
        });
        State { x, views, ratios, worst }
    }

    /// The derivatives of the loss of u by all variances, with the other sign: `(a_d^T K e_u)^2`, or the squares of the best statistic.
    fn slopes(&self, observers: &[usize], view: &View, u: usize) -> Vec<f64> {
        let row = match (view, &self.gossip) {
            (View::Run(run), Some(gossip)) => return gossip.slopes(run, u),
            (View::Run(_), None) => return Vec::new(),
            (View::Inverse(inverse), _) => &inverse[u * self.nodes..(u + 1) * self.nodes],
        };
        let mut slopes: Vec<f64> = row.iter().map(|y| y * y).collect();
        slopes.extend(self.edges.iter().map(|&(a, b)| {
            if observers.contains(&a) || observers.contains(&b) {
                return 0.0;
            }
            (row[a] - row[b]) * (row[a] - row[b])
        }));
        slopes
    }

    /// A positive plan that meets the targets: one size for all nodes, one for all masks.
    fn start(&self) -> State {
        let n = self.nodes;
        let total = |costs: &[f64]| costs.iter().sum::<f64>();
        let masks = 0.1 * total(&self.cost[..n]) / total(&self.cost[n..]);
        let mut x = vec![1.0; n];
        x.resize(self.cost.len(), masks.clamp(0.1, 1e6));
        let worst = self.state(x.clone()).worst;
        x.iter_mut().for_each(|x| *x *= worst / 0.7);
        self.state(x)
    }

    /// Runs until the gap is at most `gap`, the deadline passes or the method fails. Returns the iterate with the best upper end, the one with the best lower end, and why it stopped;
    /// of several upper ends within the gap it returns the earliest, which spreads the noise most evenly. `progress` is told the two ends after each iteration.
    pub fn solve(
        &self,
        gap: f64,
        deadline: Option<Instant>,
        mut progress: impl FnMut(f64, f64),
    ) -> (Iterate, Iterate, Stop) {
        let (n, draws) = (self.nodes, self.cost.len());
        let mut state = self.start();
        // For each pair in the Newton system its slack and multiplier.
        let mut duals: BTreeMap<(usize, usize), (f64, f64)> = BTreeMap::new();
        let mut mu = vec![0.0; draws];
        let mut path: Vec<Iterate> = Vec::new();
        let (mut best_upper, mut best_lower) = (f64::INFINITY, 0.0_f64);
        let mut stop = Stop::Iterations;
        for iteration in 0..MAX_ITERATIONS {
            let ratio = |v: usize, u: usize| state.ratios[v][u];
            let error: f64 = dot(&self.cost, &state.x);
            let mut tau = error / (draws as f64);
            if iteration > 0 {
                tau = duals.values().map(|(s, l)| s * l).sum::<f64>() + dot(&mu, &state.x);
                tau /= (duals.len() + draws) as f64;
            }
            for v in 0..self.observers.len() {
                let mut sources: Vec<usize> = (0..n).filter(|&u| ratio(v, u) > 0.0).collect();
                sources.sort_by(|&a, &b| ratio(v, b).total_cmp(&ratio(v, a)));
                for (rank, &u) in sources.iter().enumerate() {
                    let loss = ratio(v, u);
                    if loss > CLOSE || (rank < TOP && loss > FAR) {
                        let slack = (1.0 / loss - 1.0).max(0.1);
                        duals.entry((v, u)).or_insert((slack, tau / slack));
                    } else if loss < FAR / 2.0 {
                        duals.remove(&(v, u));
                    }
                }
            }
            if iteration == 0 {
                tau = error / (draws + duals.len()) as f64;
                duals.values_mut().for_each(|(slack, multiplier)| *multiplier = tau / *slack);
                mu = state.x.iter().map(|x| tau / x).collect();
            }
            let pairs: Vec<(usize, usize)> = duals.keys().copied().collect();
            let (mut slacks, mut lambda): (Vec<f64>, Vec<f64>) = duals.values().copied().unzip();
            let gradients: Vec<Vec<f64>> = threads::in_order(pairs.len(), |i| {
                let (v, u) = pairs[i];
                let mut gradient = self.slopes(&self.observers[v], &state.views[v], u);
                let factor = 1.0 / (ratio(v, u).powi(2) * self.targets[v][u]);
                gradient.iter_mut().for_each(|g| *g *= factor);
                gradient
            });

            // What this point proves.
            let mut weighted = vec![0.0; draws];
            for (multiplier, gradient) in lambda.iter().zip(&gradients) {
                axpy(*multiplier, gradient, &mut weighted);
            }
            let scale = weighted.iter().zip(&self.cost).map(|(g, c)| g / c);
            let lower = lambda.iter().sum::<f64>() / scale.fold(0.0, f64::max);
            let mut multipliers = vec![vec![0.0; n]; self.observers.len()];
            for (&(v, u), l) in pairs.iter().zip(&lambda) {
                multipliers[v][u] = *l;
            }
            path.push(Iterate {
                x: state.x.clone(),
                upper: error * state.worst,
                multipliers: multipliers.clone(),
                lower,
            });
            best_lower = best_lower.max(lower);
            best_upper = best_upper.min(error * state.worst);
            progress(best_lower, best_upper);
            if best_upper <= best_lower * (1.0 + gap) {
                stop = Stop::Reached;
                break;
            }
            if deadline.is_some_and(|end| Instant::now() >= end) {
                stop = Stop::Deadline;
                break;
            }

            // The Newton matrix.
            let mut newton = self.curvature(&state, &multipliers, &weighted);
            for sign in [1.0, -1.0] {
                let scaled = threads::in_order(pairs.len(), |i| {
                    let (v, u) = pairs[i];
                    let factor = sign * lambda[i] * (1.0 / slacks[i] - 2.0 * ratio(v, u));
                    let scaled = |root: f64| gradients[i].iter().map(|g| g * root).collect();
                    (factor > 0.0).then(|| scaled(factor.sqrt()))
                });
                let scaled: Vec<Vec<f64>> = scaled.into_iter().flatten().collect();
                add_squares(&mut newton, draws, 0, &scaled, sign);
            }
            for d in 0..draws {
                newton[d * draws + d] += mu[d] / state.x[d];
            }
            if !factor(&mut newton, draws) {
                stop = Stop::Singular;
                break;
            }
            // Returns the steps of x, mu, the slacks and lambda for the products to reach.
            let residuals: Vec<f64> =
                pairs.iter().zip(&slacks).map(|(&(v, u), s)| 1.0 / ratio(v, u) - 1.0 - s).collect();
            let steps = |products_x: &[f64], products: &[f64]| {
                let mut right: Vec<f64> =
                    (0..draws).map(|d| products_x[d] / state.x[d] - self.cost[d]).collect();
                for i in 0..pairs.len() {
                    axpy(
                        (products[i] - lambda[i] * residuals[i]) / slacks[i],
                        &gradients[i],
                        &mut right,
                    );
                }
                let x = back_substitute(&newton, right);
                let mu: Vec<f64> = (0..draws)
                    .map(|d| (products_x[d] - mu[d] * x[d]) / state.x[d] - mu[d])
                    .collect();
                let s: Vec<f64> =
                    (0..pairs.len()).map(|i| dot(&gradients[i], &x) + residuals[i]).collect();
                let l: Vec<f64> = (0..pairs.len())
                    .map(|i| (products[i] - lambda[i] * s[i]) / slacks[i] - lambda[i])
                    .collect();
                (x, mu, s, l)
            };
            let lengths = |(x, m, s, l): &(Vec<f64>, Vec<f64>, Vec<f64>, Vec<f64>), part: f64| {
                let primal = reach(part, &state.x, x).min(reach(part, &slacks, s));
                (primal, reach(part, &mu, m).min(reach(part, &lambda, l)))
            };
            let size = (draws + pairs.len()) as f64;
            let tau = (dot(&slacks, &lambda) + dot(&mu, &state.x)) / size;
            let guess = steps(&vec![0.0; draws], &vec![0.0; pairs.len()]);
            let (primal, dual) = lengths(&guess, 1.0);
            let after = |a: &[f64], da: &[f64], b: &[f64], db: &[f64]| {
                (0..a.len()).map(|i| (a[i] + primal * da[i]) * (b[i] + dual * db[i])).sum::<f64>()
            };
            let left = (after(&state.x, &guess.0, &mu, &guess.1)
                + after(&slacks, &guess.2, &lambda, &guess.3))
                / size;
            let centring = (left / tau).powi(3).clamp(0.1, 1.0);
            let centre = (centring * tau).max(PACE * (best_upper - best_lower) / size);
            let aim = |a: &[f64], b: &[f64]| -> Vec<f64> {
                a.iter()
                    .zip(b)
                    .map(|(a, b)| centre - (a * b).clamp(-5.0 * tau, 5.0 * tau))
                    .collect()
            };
            let step = steps(&aim(&guess.0, &guess.1), &aim(&guess.2, &guess.3));
            let (primal, dual) = lengths(&step, REACH);
            axpy(primal, &step.2, &mut slacks);
            axpy(dual, &step.3, &mut lambda);
            axpy(dual, &step.1, &mut mu);
            let mut x = state.x.clone();
            axpy(primal, &step.0, &mut x);
            // A draw whose gradient exceeds its cost is too small. For a fixed flow through it the gradient goes with 1/x^2, which gives its size at once; Newton steps would double it one by one.
            for d in 0..draws {
                x[d] = x[d]
                    .max(0.5 * state.x[d] * (weighted[d] / self.cost[d]).sqrt().clamp(0.1, 100.0));
            }
            duals = pairs.iter().copied().zip(slacks.into_iter().zip(lambda)).collect();
            state = self.state(x);
        }
        let lower = path.iter().enumerate().max_by(|a, b| a.1.lower.total_cmp(&b.1.lower));
        let lower = lower.map_or(0, |(at, _)| at);
        let within = |iterate: &Iterate| iterate.upper <= best_lower * (1.0 + gap);
        let upper = path.iter().position(within).unwrap_or_else(|| {
            let best = path.iter().enumerate().min_by(|a, b| a.1.upper.total_cmp(&b.1.upper));
            best.map_or(0, |(at, _)| at)
        });
        let lower_point = Iterate {
            x: path[lower].x.clone(),
            multipliers: path[lower].multipliers.clone(),
            ..path[lower]
        };
        (path.swap_remove(upper), lower_point, stop)
    }

    /// The second derivatives of `sum lambda l / r`, above the diagonal. `weighted` has the first ones. Without secrets an upper bound takes their place: the cheapest alibi for these variances stays one for others, at a cost that goes with `1 / x_d`.
    fn curvature(&self, state: &State, lambda: &[Vec<f64>], weighted: &[f64]) -> Vec<f64> {
        let (n, draws) = (self.nodes, self.cost.len());
        let mut matrix = vec![0.0; draws * draws];
        if self.gossip.is_some() {
            (0..draws).for_each(|d| matrix[d * draws + d] = 2.0 * weighted[d] / state.x[d]);
            return matrix;
        }
        // For each V with a multiplier: K, K diag(p) K, and the draws that V knows.
        let active = |&v: &usize| lambda[v].iter().any(|&l| l > 0.0);
        let active: Vec<usize> = (0..self.observers.len()).filter(active).collect();
        let parts = threads::in_order(active.len(), |place| {
            let v = active[place];
            let View::Inverse(inverse) = &state.views[v] else {
                return None;
            };
            let mut product = vec![0.0; n * n];
            for u in (0..n).filter(|&u| lambda[v][u] > 0.0) {
                let row = &inverse[u * n..(u + 1) * n];
                let weight = 2.0 * lambda[v][u] * self.targets[v][u] / (row[u] * row[u]);
                for (w, target) in product.chunks_exact_mut(n).enumerate() {
                    if row[w] != 0.0 {
                        axpy(weight * row[w], row, target);
                    }
                }
            }
            let observes = |w| self.observers[v].contains(w);
            let known: Vec<bool> =
                self.edges.iter().map(|(a, b)| observes(a) || observes(b)).collect();
            Some((inverse, product, known))
        });
        let parts: Vec<_> = parts.into_iter().flatten().collect();
        let place = || (vec![0.0; n], vec![0.0; n]);
        threads::on_chunks(&mut matrix, BLOCK * draws, place, |(k, q), block, rows| {
            for (inverse, product, known) in &parts {
                for (d, row) in rows
                    .chunks_exact_mut(draws)
                    .enumerate()
                    .map(|(i, row)| (block * BLOCK + i, row))
                {
                    if d < n {
                        k.copy_from_slice(&inverse[d * n..(d + 1) * n]);
                        q.copy_from_slice(&product[d * n..(d + 1) * n]);
                        for f in d..n {
                            row[f] += k[f] * q[f];
                        }
                    } else if known[d - n] {
                        continue;
                    } else {
                        let (a, b) = self.edges[d - n];
                        for w in 0..n {
                            k[w] = inverse[a * n + w] - inverse[b * n + w];
                            q[w] = product[a * n + w] - product[b * n + w];
                        }
                    }
                    let first = d.saturating_sub(n);
                    let later = self.edges[first..].iter().zip(&known[first..]);
                    for (entry, (&(a, b), &known)) in row[n + first..].iter_mut().zip(later) {
                        let curvature = (k[a] - k[b]) * (q[a] - q[b]);
                        *entry += if known { 0.0 } else { curvature };
                    }
                }
            }
        });
        matrix
    }
}

/// The longest step in (0, 1] that keeps positive numbers well above 0.
fn reach(part: f64, values: &[f64], steps: &[f64]) -> f64 {
    values.iter().zip(steps).fold(1.0, |length, (value, step)| match *step < 0.0 {
        true => length.min(-part * value / step),
        false => length,
    })
}

pub(crate) fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn axpy(factor: f64, a: &[f64], to: &mut [f64]) {
    for (to, a) in to.iter_mut().zip(a) {
        *to += factor * a;
    }
}

/// Adds `sign * sum of g g^T` over the rows g to the part of a symmetric matrix above its diagonal, from row and column `first` on.
fn add_squares(matrix: &mut [f64], size: usize, first: usize, rows: &[Vec<f64>], sign: f64) {
    threads::on_chunks(
        &mut matrix[first * size..],
        BLOCK * size,
        || (),
        |(), block, targets| {
            for four in rows.chunks(4) {
                for (i, target) in targets.chunks_exact_mut(size).enumerate() {
                    let d = first + block * BLOCK + i;
                    let target = &mut target[d..];
                    if let [a, b, c, e] = four {
                        let (p, q, r, s) = (sign * a[d], sign * b[d], sign * c[d], sign * e[d]);
                        let (a, b, c, e) = (&a[d..], &b[d..], &c[d..], &e[d..]);
                        for ((((t, a), b), c), e) in target.iter_mut().zip(a).zip(b).zip(c).zip(e) {
                            *t += p * a + q * b + r * c + s * e;
                        }
                    } else {
                        for g in four {
                            axpy(sign * g[d], &g[d..], target);
                        }
                    }
                }
            }
        },
    );
}

/// Replaces the part of a positive definite matrix from its diagonal on by U with `U^T U`, where rounding spoils it after enlarging its diagonal; `false` if that does not help. The part below the diagonal is lost.
fn factor(matrix: &mut [f64], size: usize) -> bool {
    let diagonal: Vec<f64> = (0..size).map(|k| matrix[k * size + k]).collect();
    for k in 0..size {
        (k + 1..size).for_each(|j| matrix[j * size + k] = matrix[k * size + j]);
    }
    REGULARISED.iter().any(|more| {
        for (k, entry) in diagonal.iter().enumerate() {
            (k + 1..size).for_each(|j| matrix[k * size + j] = matrix[j * size + k]);
            matrix[k * size + k] = entry * (1.0 + more);
        }
        factor_once(matrix, size)
    })
}

/// The same without enlarging; it leaves the part below the diagonal as it is.
fn factor_once(matrix: &mut [f64], size: usize) -> bool {
    for first in (0..size).step_by(BLOCK) {
        let last = (first + BLOCK).min(size);
        for k in first..last {
            let (above, below) = matrix.split_at_mut((k + 1) * size);
            let row = &mut above[k * size..];
            if row[k].is_nan() || row[k] <= 0.0 {
                return false;
            }
            let inverse = 1.0 / row[k].sqrt();
            row[k..].iter_mut().for_each(|entry| *entry *= inverse);
            for i in k + 1..last {
                let target = &mut below[(i - k - 1) * size..(i - k) * size];
                axpy(-row[i], &row[i..], &mut target[i..]);
            }
        }
        let panel: Vec<Vec<f64>> =
            (first..last).map(|k| matrix[k * size..(k + 1) * size].to_vec()).collect();
        if last < size {
            add_squares(matrix, size, last, &panel, -1.0);
        }
    }
    true
}

/// Solves `U^T U x = right`.
fn back_substitute(factor: &[f64], mut right: Vec<f64>) -> Vec<f64> {
    let size = right.len();
    for k in 0..size {
        let row = &factor[k * size..(k + 1) * size];
        right[k] /= row[k];
        let value = right[k];
        axpy(-value, &row[k + 1..], &mut right[k + 1..]);
    }
    for k in (0..size).rev() {
        let row = &factor[k * size..(k + 1) * size];
        right[k] = (right[k] - dot(&row[k + 1..], &right[k + 1..])) / row[k];
    }
    right
}
