//! Better fractions for one question: a convex problem, solved in plain floats by somebody who is not trusted.
//!
//! The variables are what is *left* at each draw, `e_w(t) >= 0`, and 0 where it would be heard. What arrives is linear in them, and
//!
//! ```text
//! f(e) = sum over draws of max(0, arr_w(t) - e_w(t))^2 / s_t^2
//! ```
//!
//! is convex. Leaving more than arrives is harmless: the fractions are read off with `min(e, arr)`, which only lowers everything that follows. So there is no constraint but `e >= 0`.
//! Accelerated projected gradients (Beck and Teboulle 2009), started again where f grows (O'Donoghue and Candes 2015), with a step for each time: the curvature at time t is at most
//! a small multiple of `s_t^-2 + s_{t+1}^-2`, times the squares of the Lipschitz constants.

use super::AbsorptionBounds;
use crate::FastError;
use muffliato_model::{Absorption, Fraction};

/// No more iterations than this.
const ITERATIONS: usize = 6000;
/// Stop where so many iterations gain less than this part.
const PATIENCE: usize = 50;
const GAIN: f64 = 1e-6;
/// Fractions are multiples of `2^-BITS`.
const BITS: u32 = 44;

/// What a run forwards leaves where something may be left.
#[derive(Clone, Copy, PartialEq)]
enum Leave {
    /// What is planned, even if less arrives.
    Planned,
    /// What is planned, or what arrives if that is less.
    AtMost,
    /// All that arrives.
    All,
}

struct Problem<'a> {
    bounds: &'a AbsorptionBounds,
    sources: &'a [usize],
    phase: usize,
    /// Where something may be left, for each draw.
    free: Vec<Vec<bool>>,
}

/// Fractions for `sources` in the rounds of `phase`, near the best.
pub(super) fn improved(
    bounds: &AbsorptionBounds,
    sources: &[usize],
    phase: usize,
) -> Result<Absorption, FastError> {
    let (nodes, steps) = (bounds.protocol.nodes(), bounds.protocol.steps());
    let free = |t| {
        let draws = bounds.protocol.draws(t);
        let mut free: Vec<bool> = bounds
            .observes
            .iter()
            .map(|&observes| draws && !observes)
            .collect();
        for &(node, _) in bounds.first_passage.at(t) {
            free[node] = false;
        }
        free
    };
    let problem = Problem {
        bounds,
        sources,
        phase,
        free: (0..steps).map(free).collect(),
    };
    let mut left = vec![0.0; steps * nodes];
    problem.arrivals(&mut left, Leave::All);
    problem.descend(&mut left);
    problem.fractions(&left)
}

impl Problem<'_> {
    /// What arrives at each time of a run forwards. `left` is what is planned to be left, and becomes what is left.
    fn arrivals(&self, left: &mut [f64], leave: Leave) -> Vec<f64> {
        let (protocol, nodes) = (&self.bounds.protocol, self.bounds.protocol.nodes());
        let mut arrived = vec![0.0; left.len()];
        let mut mixed = vec![0.0; nodes];
        for t in 0..protocol.steps() {
            let here = t * nodes..(t + 1) * nodes;
            let arr = &mut arrived[here.clone()];
            if protocol.has_input(t) {
                for ((arr, &dev), &c) in arr.iter_mut().zip(&mixed).zip(&self.bounds.constants) {
                    *arr = c * dev;
                }
                if (t / protocol.gossip_steps()) % protocol.period() == self.phase {
                    self.sources.iter().for_each(|&source| arr[source] += 1.0);
                }
            } else {
                arr.copy_from_slice(&mixed);
            }
            let draws = protocol.draws(t);
            for (w, &arr) in arr.iter().enumerate() {
                let left = &mut left[t * nodes + w];
                if !draws || (leave == Leave::All && self.free[t][w]) {
                    *left = arr;
                } else if leave == Leave::AtMost {
                    *left = left.min(arr);
                }
            }
            self.bounds.matrices.mix(t, &left[here], &mut mixed);
            if let Some((g, more)) = self.bounds.acceleration
                && !protocol.has_input(t)
            {
                let before = &left[(t - 1) * nodes..t * nodes];
                for (sum, &before) in mixed.iter_mut().zip(before) {
                    *sum = g * *sum + more * before;
                }
            }
            for &member in self.bounds.observer.members() {
                mixed[member] = 0.0;
            }
        }
        arrived
    }

    /// f, and its gradient with respect to what is left at the draws. `left` is completed where nothing is drawn.
    fn value(&self, left: &mut [f64], gradient: &mut [f64]) -> f64 {
        let (protocol, nodes) = (&self.bounds.protocol, self.bounds.protocol.nodes());
        let arrived = self.arrivals(left, Leave::Planned);
        let mut value = 0.0;
        // Backwards: how f changes with the deviation before time t + 1.
        let mut later = vec![0.0; nodes];
        let (mut mixed, mut passed_on) = (vec![0.0; nodes], vec![0.0; nodes]);
        for t in (0..protocol.steps()).rev() {
            for &member in self.bounds.observer.members() {
                later[member] = 0.0;
            }
            self.bounds.matrices.mix(t, &later, &mut mixed);
            let mut further = vec![0.0; nodes];
            if let Some((g, more)) = self.bounds.acceleration
                && !protocol.has_input(t)
            {
                for ((sum, rest), &at) in mixed.iter_mut().zip(&mut further).zip(&later) {
                    *sum *= g;
                    *rest = more * at;
                }
            }
            let inverse = self.bounds.inverse_variances[t];
            for w in 0..nodes {
                let place = t * nodes + w;
                let by_left = mixed[w] + passed_on[w];
                let by_arrived = if protocol.draws(t) {
                    let absorbed = (arrived[place] - left[place]).max(0.0);
                    value += absorbed * absorbed * inverse;
                    let slope = 2.0 * absorbed * inverse;
                    gradient[place] = by_left - slope;
                    slope
                } else {
                    by_left
                };
                later[w] = match protocol.has_input(t) {
                    true => self.bounds.constants[w] * by_arrived,
                    false => by_arrived,
                };
            }
            passed_on = further;
        }
        value
    }

    /// The curvature of f at each time, up to a factor.
    fn curvatures(&self) -> Vec<f64> {
        let steps = self.bounds.protocol.steps();
        let stretch = self.bounds.constants.iter().fold(1.0_f64, |a, &c| a.max(c));
        let (g, more) = self.bounds.acceleration.unwrap_or((1.0, 0.0));
        let inverse = &self.bounds.inverse_variances;
        let next = |t: usize| (t + 1..steps).find(|&s| self.bounds.protocol.draws(s));
        let curvature = |t: usize| {
            let after = next(t).map_or(0.0, |s| inverse[s] * (g * stretch).powi(2));
            let second = next(t)
                .and_then(next)
                .map_or(0.0, |s| inverse[s] * (more * stretch).powi(2));
            inverse[t] + after + second
        };
        (0..steps).map(curvature).collect()
    }

    /// Accelerated projected gradients, from what is left to begin with.
    fn descend(&self, left: &mut Vec<f64>) {
        let (nodes, steps) = (self.bounds.protocol.nodes(), self.bounds.protocol.steps());
        let curvatures = self.curvatures();
        let mut factor = 4.0;
        let mut gradient = vec![0.0; left.len()];
        let mut ahead = left.clone();
        let (mut last, mut momentum) = (f64::INFINITY, 1.0_f64);
        let (mut best, mut remembered) = (left.clone(), f64::INFINITY);
        let mut unused = vec![0.0; left.len()];
        let mut least = self.value(&mut best, &mut unused);
        for iteration in 1..=ITERATIONS {
            let here = self.value(&mut ahead, &mut gradient);
            let mut next = ahead.clone();
            let (mut linear, mut square) = (0.0, 0.0);
            for t in 0..steps {
                let step = 1.0 / (factor * curvatures[t]);
                for w in (0..nodes).filter(|&w| self.free[t][w]) {
                    let place = t * nodes + w;
                    next[place] = (ahead[place] - step * gradient[place]).max(0.0);
                    let moved = next[place] - ahead[place];
                    linear += gradient[place] * moved;
                    square += curvatures[t] * moved * moved;
                }
            }
            let value = self.value(&mut next, &mut unused);
            if value > here + linear + factor / 2.0 * square + 1e-12 * here && factor < 1e6 {
                factor *= 1.5; // steeper than was thought
                continue;
            }
            if value > last {
                // Start again without momentum.
                momentum = 1.0;
                ahead.clone_from(left);
                last = f64::INFINITY;
                continue;
            }
            let grown = (1.0 + (1.0 + 4.0 * momentum * momentum).sqrt()) / 2.0;
            let push = (momentum - 1.0) / grown;
            for ((ahead, &next), &left) in ahead.iter_mut().zip(&next).zip(left.iter()) {
                *ahead = (next + push * (next - left)).max(0.0);
            }
            (momentum, last) = (grown, value);
            *left = next;
            if value < least {
                least = value;
                best.clone_from(left);
            }
            if iteration % PATIENCE == 0 {
                if remembered - least < GAIN * least {
                    break;
                }
                remembered = least;
            }
        }
        *left = best;
    }

    /// The fractions that leave at most `left`.
    fn fractions(&self, left: &[f64]) -> Result<Absorption, FastError> {
        let (protocol, nodes) = (&self.bounds.protocol, self.bounds.protocol.nodes());
        let mut left = left.to_vec();
        let arrived = self.arrivals(&mut left, Leave::AtMost);
        let scale = f64::from(BITS).exp2();
        let mut fractions: Vec<(usize, usize, Fraction)> = Vec::new();
        for t in (0..protocol.steps()).filter(|&t| protocol.draws(t)) {
            for w in (0..nodes).filter(|&w| !self.bounds.observes[w]) {
                let (left, arrived) = (left[t * nodes + w], arrived[t * nodes + w]);
                let absorbed = match self.free[t][w] {
                    false => scale,
                    true if arrived > left => ((1.0 - left / arrived) * scale).round(),
                    true => 0.0,
                };
                if absorbed > 0.0
                    && let Ok(theta) = Fraction::try_new(absorbed as i128, 1 << BITS)
                {
                    fractions.push((t, w, theta));
                }
            }
        }
        Ok(Absorption::try_new(protocol, fractions)?)
    }
}
