//! Better fractions for one question: a convex problem, solved by an untrusted f64 solver.
//!
//! The variables are the amounts *left* at each draw, `e_w(t) >= 0`, and 0 where they would be
//! heard. Arrivals are linear in them, and
//!
//! ```text
//! f(e) = sum over draws of max(0, arr_w(t) - e_w(t))^2 / s_w(t)^2
//! ```
//!
//! is convex. Leaving more than arrives is harmless: the fractions are read off with `min(e, arr)`,
//! which only lowers everything that follows, so `e >= 0` is the only constraint. The solver uses
//! accelerated projected gradients (Beck and Teboulle 2009), restarted when f grows (O'Donoghue and
//! Candes 2015), with a step size for each draw: the curvature there is at most a small multiple of
//! its `s^-2` and the largest `s^-2` at the next time, times the squares of the Lipschitz constants.
//!
//! With masks there are also signed flows along edges. They move arrivals and add `flow^2 /
//! kappa_e^2`; the curvature of a flow is bounded by `kappa_e^-2` and the degrees of its ends.

use super::{AbsorptionBounds, MaskFlow};
use crate::FastError;
use muffliato_model::{Absorption, Fraction, Participation};

/// Maximum number of iterations.
const ITERATIONS: usize = 6000;
/// Number of iterations after which the relative improvement must exceed `GAIN`.
const PATIENCE: usize = 50;
const GAIN: f64 = 1e-6;
/// Fractions are multiples of `2^-BITS`.
const BITS: u32 = 44;

/// Amount that a forward run leaves where a node may leave something.
#[derive(Clone, Copy, PartialEq)]
enum Leave {
    /// The planned amount, even if less arrives.
    Planned,
    /// The planned amount, or what arrives if that is less.
    AtMost,
    /// Everything that arrives.
    All,
}

struct Problem<'a> {
    bounds: &'a AbsorptionBounds<'a>,
    sources: &'a [usize],
    participation: &'a Participation,
    /// For each draw, the nodes that may leave something.
    free: Vec<Vec<bool>>,
    /// Edges that may carry flow: a round and two nodes, sorted by round.
    edges: Vec<(usize, usize, usize)>,
    /// Cost of a unit of squared flow along each edge.
    prices: Vec<f64>,
}

/// Amounts left at each draw and flows along each edge, or a gradient with respect to them.
#[derive(Clone)]
struct Choice {
    left: Vec<f64>,
    flows: Vec<f64>,
}

/// Finds near-optimal fractions for `sources` with this participation.
pub(super) fn improved(
    bounds: &AbsorptionBounds<'_>,
    sources: &[usize],
    participation: &Participation,
) -> Result<Absorption, FastError> {
    let problem = Problem::of(bounds, sources, participation);
    let mut choice = problem.nothing();
    problem.arrivals(&mut choice, Leave::All);
    problem.descend(&mut choice);
    problem.fractions(&choice)
}

/// Finds near-optimal fractions and mask flows. `currents` of the masked bound are one of two
/// starting points.
pub(super) fn with_flows(
    bounds: &AbsorptionBounds<'_>,
    sources: &[usize],
    participation: &Participation,
    currents: &[MaskFlow],
) -> Result<(Absorption, Vec<MaskFlow>), FastError> {
    let mut problem = Problem::of(bounds, sources, participation);
    if let Some(masks) = &bounds.masks {
        problem.edges = bounds.hidden_edges(participation);
        let price = |&(_, a, b): &(usize, usize, usize)| masks.inverse_square((a, b));
        problem.prices = problem.edges.iter().map(price).collect();
    }
    let mut absorbed = problem.nothing();
    for flow in currents {
        let (from, to) = (flow.from, flow.to);
        let edge = (flow.round, from.min(to), from.max(to));
        if let Ok(place) = problem.edges.binary_search(&edge) {
            absorbed.flows[place] = if from < to { flow.amount } else { -flow.amount };
        }
    }
    let mut left = problem.nothing();
    problem.arrivals(&mut left, Leave::All);
    let mut unused = problem.nothing();
    let mut choice =
        if problem.value(&mut left, &mut unused) < problem.value(&mut absorbed, &mut unused) {
            left
        } else {
            absorbed
        };
    problem.descend(&mut choice);
    let edges = problem.edges.iter().zip(&choice.flows);
    let flows = edges.map(|(&edge, &amount)| MaskFlow::signed(edge, amount));
    Ok((problem.fractions(&choice)?, flows.collect()))
}

impl<'a> Problem<'a> {
    /// Builds the problem without flows.
    fn of(
        bounds: &'a AbsorptionBounds<'a>,
        sources: &'a [usize],
        participation: &'a Participation,
    ) -> Self {
        let free = |t| {
            let free = |(w, &observes): (usize, &bool)| {
                bounds.protocol.draws(t) && bounds.inverse_variance(t, w) > 0.0 && !observes
            };
            let mut free: Vec<bool> = bounds.observes.iter().enumerate().map(free).collect();
            for &(node, _) in bounds.first_passage.at(t) {
                free[node] = false;
            }
            free
        };
        Self {
            bounds,
            sources,
            participation,
            free: (0..bounds.protocol.steps()).map(free).collect(),
            edges: Vec::new(),
            prices: Vec::new(),
        }
    }

    /// Returns the choice that leaves nothing and moves nothing.
    fn nothing(&self) -> Choice {
        let protocol = &self.bounds.protocol;
        Choice {
            left: vec![0.0; protocol.steps() * protocol.nodes()],
            flows: vec![0.0; self.edges.len()],
        }
    }

    /// Returns the indices of the edges of a round.
    fn of_round(&self, round: usize) -> std::ops::Range<usize> {
        let start = self.edges.partition_point(|edge| edge.0 < round);
        start..self.edges.partition_point(|edge| edge.0 <= round)
    }

    /// Computes the arrivals of a forward run and replaces the planned amounts by the ones left.
    fn arrivals(&self, choice: &mut Choice, leave: Leave) -> Vec<f64> {
        let (protocol, nodes) = (&self.bounds.protocol, self.bounds.protocol.nodes());
        let Choice { left, flows } = choice;
        let mut arrived = vec![0.0; left.len()];
        let mut mixed = vec![0.0; nodes];
        for t in 0..protocol.steps() {
            let here = t * nodes..(t + 1) * nodes;
            let arr = &mut arrived[here.clone()];
            if protocol.has_input(t) {
                for ((arr, &dev), &c) in arr.iter_mut().zip(&mixed).zip(&self.bounds.constants) {
                    *arr = c * dev;
                }
                let round = t / protocol.gossip_steps();
                let mut used = false;
                for member in self.participation.members_in(round) {
                    arr[self.sources[member]] += 1.0;
                    used = true;
                }
                if used {
                    for place in self.of_round(round) {
                        let (_, a, b) = self.edges[place];
                        arr[a] -= flows[place];
                        arr[b] += flows[place];
                    }
                    arr.iter_mut().for_each(|arr| *arr = arr.max(0.0));
                }
            } else {
                arr.copy_from_slice(&mixed);
            }
            let draws = protocol.draws(t);
            for (w, &arr) in arr.iter().enumerate() {
                let left = &mut left[t * nodes + w];
                let draws = draws && self.bounds.inverse_variance(t, w) > 0.0;
                if !draws || (leave == Leave::All && self.free[t][w]) {
                    *left = arr;
                } else if leave == Leave::AtMost {
                    *left = left.min(arr);
                }
            }
            mixed = self.bounds.matrices.mix(t, &left[here]);
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

    /// Computes f and its gradient, completing `choice` where nothing is drawn.
    fn value(&self, choice: &mut Choice, gradient: &mut Choice) -> f64 {
        let (protocol, nodes) = (&self.bounds.protocol, self.bounds.protocol.nodes());
        let arrived = self.arrivals(choice, Leave::Planned);
        let left = &choice.left;
        let costs = choice.flows.iter().zip(&self.prices);
        let mut value: f64 = costs.map(|(flow, price)| price * flow * flow).sum();
        let mut slopes = vec![0.0; nodes];
        // Derivative of f with respect to the deviation before time t + 1.
        let mut later = vec![0.0; nodes];
        let mut passed_on = vec![0.0; nodes];
        for t in (0..protocol.steps()).rev() {
            for &member in self.bounds.observer.members() {
                later[member] = 0.0;
            }
            let mut mixed = self.bounds.matrices.mix(t, &later);
            let mut further = vec![0.0; nodes];
            if let Some((g, more)) = self.bounds.acceleration
                && !protocol.has_input(t)
            {
                for ((sum, rest), &at) in mixed.iter_mut().zip(&mut further).zip(&later) {
                    *sum *= g;
                    *rest = more * at;
                }
            }
            for w in 0..nodes {
                let place = t * nodes + w;
                let by_left = mixed[w] + passed_on[w];
                let inverse = self.bounds.inverse_variance(t, w);
                let by_arrived = if protocol.draws(t) && inverse > 0.0 {
                    let absorbed = (arrived[place] - left[place]).max(0.0);
                    value += absorbed * absorbed * inverse;
                    let slope = 2.0 * absorbed * inverse;
                    gradient.left[place] = by_left - slope;
                    slope
                } else {
                    by_left
                };
                slopes[w] = by_arrived;
                later[w] = if protocol.has_input(t) {
                    self.bounds.constants[w] * by_arrived
                } else {
                    by_arrived
                };
            }
            if protocol.has_input(t) {
                for place in self.of_round(t / protocol.gossip_steps()) {
                    let (_, a, b) = self.edges[place];
                    let own = 2.0 * self.prices[place] * choice.flows[place];
                    gradient.flows[place] = own + slopes[b] - slopes[a];
                }
            }
            passed_on = further;
        }
        value
    }

    /// Estimates the curvature of f at each time beside that of the draws, up to a factor.
    fn curvatures(&self) -> Vec<f64> {
        let steps = self.bounds.protocol.steps();
        let stretch = self.bounds.constants.iter().fold(1.0_f64, |a, &c| a.max(c));
        let (g, more) = self.bounds.acceleration.unwrap_or((1.0, 0.0));
        let largest = |inverse: &[f64]| inverse.iter().copied().fold(0.0, f64::max);
        let (own, fresh) = (largest(&self.bounds.own), largest(&self.bounds.fresh));
        let inverse = |t| if self.bounds.protocol.has_input(t) { own } else { fresh };
        let next = |t: usize| (t + 1..steps).find(|&s| self.bounds.protocol.draws(s));
        let curvature = |t: usize| {
            let after = next(t).map_or(0.0, |s| inverse(s) * (g * stretch).powi(2));
            let second =
                next(t).and_then(next).map_or(0.0, |s| inverse(s) * (more * stretch).powi(2));
            after + second
        };
        (0..steps).map(curvature).collect()
    }

    /// Estimates the curvature of f along each flow, up to a factor.
    fn flow_curvatures(&self) -> Vec<f64> {
        let mut degrees = std::collections::HashMap::new();
        for &(round, a, b) in &self.edges {
            *degrees.entry((round, a)).or_insert(0.0) += 1.0;
            *degrees.entry((round, b)).or_insert(0.0) += 1.0;
        }
        let own = |w: usize| self.bounds.own[w].max(1.0);
        let of = |(&(round, a, b), price): (&(usize, usize, usize), &f64)| {
            price + 0.5 * (own(a) * degrees[&(round, a)] + own(b) * degrees[&(round, b)])
        };
        self.edges.iter().zip(&self.prices).map(of).collect()
    }

    /// Minimises f by accelerated projected gradients, starting at `choice`.
    fn descend(&self, choice: &mut Choice) {
        let (nodes, steps) = (self.bounds.protocol.nodes(), self.bounds.protocol.steps());
        let curvatures = self.curvatures();
        let along = self.flow_curvatures();
        let mut factor = 4.0;
        let mut gradient = self.nothing();
        let mut ahead = choice.clone();
        let (mut last, mut momentum) = (f64::INFINITY, 1.0_f64);
        let (mut best, mut remembered) = (choice.clone(), f64::INFINITY);
        let mut unused = self.nothing();
        let mut least = self.value(&mut best, &mut unused);
        for iteration in 1..=ITERATIONS {
            let here = self.value(&mut ahead, &mut gradient);
            let mut next = ahead.clone();
            let (mut linear, mut square) = (0.0, 0.0);
            for t in 0..steps {
                for w in (0..nodes).filter(|&w| self.free[t][w]) {
                    let curvature = curvatures[t] + self.bounds.inverse_variance(t, w);
                    let step = 1.0 / (factor * curvature);
                    let place = t * nodes + w;
                    let slope = gradient.left[place];
                    next.left[place] = (ahead.left[place] - step * slope).max(0.0);
                    let moved = next.left[place] - ahead.left[place];
                    linear += slope * moved;
                    square += curvature * moved * moved;
                }
            }
            for (place, &curvature) in along.iter().enumerate() {
                let slope = gradient.flows[place];
                let moved = -slope / (factor * curvature);
                next.flows[place] += moved;
                linear += slope * moved;
                square += curvature * moved * moved;
            }
            let value = self.value(&mut next, &mut unused);
            if value > here + linear + factor / 2.0 * square + 1e-12 * here && factor < 1e6 {
                factor *= 1.5; // steeper than was thought
                continue;
            }
            if value > last {
                // Restart without momentum.
                momentum = 1.0;
                ahead.clone_from(choice);
                last = f64::INFINITY;
                continue;
            }
            let grown = (1.0 + (1.0 + 4.0 * momentum * momentum).sqrt()) / 2.0;
            let push = (momentum - 1.0) / grown;
            let pairs = next.left.iter().zip(&choice.left);
            for (ahead, (&next, &before)) in ahead.left.iter_mut().zip(pairs) {
                *ahead = (next + push * (next - before)).max(0.0);
            }
            let pairs = next.flows.iter().zip(&choice.flows);
            for (ahead, (&next, &before)) in ahead.flows.iter_mut().zip(pairs) {
                *ahead = next + push * (next - before);
            }
            (momentum, last) = (grown, value);
            *choice = next;
            if value < least {
                least = value;
                best.clone_from(choice);
            }
            if iteration % PATIENCE == 0 {
                if remembered - least < GAIN * least {
                    break;
                }
                remembered = least;
            }
        }
        *choice = best;
    }

    /// Converts a choice to fractions that leave at most as much.
    fn fractions(&self, choice: &Choice) -> Result<Absorption, FastError> {
        let (protocol, nodes) = (&self.bounds.protocol, self.bounds.protocol.nodes());
        let mut choice = choice.clone();
        let arrived = self.arrivals(&mut choice, Leave::AtMost);
        let left = &choice.left;
        let scale = f64::from(BITS).exp2();
        let mut fractions: Vec<(usize, usize, Fraction)> = Vec::new();
        for t in (0..protocol.steps()).filter(|&t| protocol.draws(t)) {
            let drawn = |w: usize| self.bounds.inverse_variance(t, w) > 0.0;
            for w in (0..nodes).filter(|&w| !self.bounds.observes[w] && drawn(w)) {
                let (left, arrived) = (left[t * nodes + w], arrived[t * nodes + w]);
                let absorbed = if !self.free[t][w] {
                    scale
                } else if arrived > left {
                    ((1.0 - left / arrived) * scale).round()
                } else {
                    0.0
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
