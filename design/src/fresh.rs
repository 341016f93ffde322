//! Plans without secrets: noise of nodes, once and afresh at every step, and what they lose.
//!
//! Observers V see the messages of their neighbours O at every step and know what they drew themselves, so that they know their own states. A draw is a node with a time; draws of a node at the times 1, 2, ... share one variance.
//!
//! **From above.** An alibi is a change of the draws that hides the input of u: every message to V stays as it is. Its cost, the sum of `z_d^2 / x_d`, bounds the loss. A neighbour's draw takes away whatever arrives there, so that any choice of the other draws is an
//! alibi. [`Gossip::certified_losses`] adds up the cost of one in enclosures.
//!
//! **From below.** A statistic of V has coefficients c on the messages. Run backwards they become coefficients on the draws, `p_t = c_t + W p_{t+1}`, with 0 at V. For every plan x the loss is at least `2 p_0(u) - sum_d x_d p_d^2`, which takes the place of the potentials of
//! masks in the theorem of [`muffliato_certificate::check_lower`].
//!
//! The best alibi and the best statistic for a plan come from one run of a Kalman filter: given what V saw, hidden states have a covariance P and an input of u moves them by m.

use crate::{DesignError, costs::Weights, solve::dot, upper::Enclosed};
use muffliato_model::Network;

/// What is added to the variance of a message that is known already, relative to the largest one.
const REGULARISED: f64 = 1e-13;

/// Gossip with fixed weights, in floats and in enclosures.
#[derive(Clone, Debug)]
pub(crate) struct Gossip {
    steps: usize,
    weights: Weights,
    /// The largest relative error of a weight.
    error: f64,
}

/// What observers learn at one step.
struct Seen {
    /// For each node the weights of the messages in the correction of its state.
    gains: Vec<Vec<f64>>,
    /// For each source the weights of the messages in the best statistic.
    answers: Vec<Vec<f64>>,
}

/// A run of the filter.
pub(crate) struct Filtered {
    observers: Vec<usize>,
    /// Whose messages are seen.
    senders: Vec<usize>,
    steps: Vec<Seen>,
    /// The loss of each node.
    pub losses: Vec<f64>,
}

impl Gossip {
    /// Prepares the weights of a network.
    pub fn of(network: &Network, steps: usize) -> Result<Self, DesignError> {
        let graph = network.graph();
        let weights = Weights::of(graph, network.weights())?;
        let error = (2 * graph.max_degree() + 80) as f64 * f64::EPSILON / 2.0;
        Ok(Self { steps, weights, error })
    }

    fn nodes(&self) -> usize {
        self.weights.rows.len()
    }

    /// The nodes, other than observers, whose messages observers see.
    fn senders(&self, observers: &[usize]) -> Vec<usize> {
        let heard = observers.iter().flat_map(|&v| self.weights.rows[v].iter().map(|(w, _)| *w));
        let mut heard: Vec<usize> = heard.filter(|w| !observers.contains(w)).collect();
        heard.sort_unstable();
        heard.dedup();
        heard
    }

    /// Mixes numbers of which only enclosures are known, 0 stays 0.
    fn mixed_within(&self, state: &[Enclosed]) -> Vec<Enclosed> {
        let enclosed = |x: f64| {
            Enclosed((x * (1.0 - self.error)).next_down(), (x * (1.0 + self.error)).next_up())
        };
        let row = |row: &Vec<(usize, f64)>| {
            let moved = row.iter().filter(|(w, _)| !state[*w].is_zero());
            moved.fold(Enclosed::ZERO, |sum, (w, x)| sum.plus(product(enclosed(*x), state[*w])))
        };
        self.weights.rows.iter().map(row).collect()
    }

    /// Runs the filter for the variances of the nodes and of their fresh noise.
    pub fn filtered(&self, x: &[f64], observers: &[usize]) -> Filtered {
        let n = self.nodes();
        let (own, fresh) = x.split_at(n);
        let senders = self.senders(observers);
        let hidden = |v: usize| !observers.contains(&v);
        // Row u of `moves` is what an input of u does to the states.
        let mut covariance = vec![vec![0.0; n]; n];
        let mut moves = vec![vec![0.0; n]; n];
        for v in (0..n).filter(|&v| hidden(v)) {
            (covariance[v][v], moves[v][v]) = (own[v], 1.0);
        }
        let mut losses = vec![0.0; n];
        let mut steps = Vec::with_capacity(self.steps);
        for _ in 0..self.steps {
            let at_senders =
                |state: &[f64]| senders.iter().map(|&w| state[w]).collect::<Vec<f64>>();
            let of_messages: Vec<Vec<f64>> =
                senders.iter().map(|&w| at_senders(&covariance[w])).collect();
            let factor = factored(of_messages);
            let gains: Vec<Vec<f64>> =
                covariance.iter().map(|row| solved(&factor, at_senders(row))).collect();
            let mut answers = Vec::with_capacity(n);
            for (state, loss) in moves.iter_mut().zip(&mut losses) {
                let seen = at_senders(state);
                let answer = solved(&factor, seen.clone());
                *loss += dot(&seen, &answer);
                correct(state, &gains, &seen, &senders);
                *state = self.weights.mixed(state);
                answers.push(answer);
            }
            for row in &mut covariance {
                let seen = at_senders(row);
                correct(row, &gains, &seen, &senders);
                *row = self.weights.mixed(row);
            }
            // The other side: rows of the transpose, which the correction has left symmetric.
            let mut mixed = vec![vec![0.0; n]; n];
            for (v, row) in mixed.iter_mut().enumerate() {
                for (w, weight) in &self.weights.rows[v] {
                    row.iter_mut().zip(&covariance[*w]).for_each(|(to, x)| *to += weight * x);
                }
                if hidden(v) {
                    row[v] += fresh[v];
                }
            }
            covariance = mixed;
            steps.push(Seen { gains, answers });
        }
        Filtered { observers: observers.to_vec(), senders, steps, losses }
    }

    /// Returns the coefficients of the best statistic about a source on the messages, and on the draws, at each time.
    pub fn statistic(&self, run: &Filtered, source: usize) -> (Vec<Vec<f64>>, Vec<Vec<f64>>) {
        let mut later = vec![0.0; self.nodes()];
        let (mut messages, mut draws) = (Vec::new(), Vec::new());
        for seen in run.steps.iter().rev() {
            let mut state = self.weights.mixed(&later);
            let mut sent = seen.answers[source].clone();
            for (gains, x) in seen.gains.iter().zip(&state).filter(|(_, x)| **x != 0.0) {
                sent.iter_mut().zip(gains).for_each(|(to, gain)| *to -= gain * x);
            }
            run.senders.iter().zip(&sent).for_each(|(&w, x)| state[w] += x);
            run.observers.iter().for_each(|&v| state[v] = 0.0);
            messages.push(sent);
            draws.push(state.clone());
            later = state;
        }
        messages.reverse();
        draws.reverse();
        (messages, draws)
    }

    /// Returns the derivatives of the loss of a source by the variances of the nodes and of their fresh noise, with the other sign.
    pub fn slopes(&self, run: &Filtered, source: usize) -> Vec<f64> {
        let n = self.nodes();
        let mut slopes = vec![0.0; 2 * n];
        for (t, draws) in self.statistic(run, source).1.iter().enumerate() {
            let from = if t == 0 { 0 } else { n };
            for (slope, p) in slopes[from..].iter_mut().zip(draws) {
                *slope += p * p;
            }
        }
        slopes
    }

    /// Returns the coefficients of the best statistic about a source on the messages, that of w at t under `t n + w`.
    pub fn messages(&self, run: &Filtered, source: usize) -> Vec<f64> {
        let n = self.nodes();
        let mut all = vec![0.0; n * self.steps];
        for (t, sent) in self.statistic(run, source).0.into_iter().enumerate() {
            run.senders.iter().zip(sent).for_each(|(&w, x)| all[t * n + w] = x);
        }
        all
    }

    /// Returns upper bounds on the losses of all nodes under these variances, which are rounded down; 0 for the observers.
    pub fn certified_losses(&self, x: &[f64], observers: &[usize]) -> Vec<f64> {
        let run = self.filtered(x, observers);
        let loss = |u: usize| match observers.contains(&u) {
            true => 0.0,
            false => self.alibi(x, &run, u),
        };
        (0..self.nodes()).map(loss).collect()
    }

    /// The cost of the alibi of a source that the filter suggests, rounded up.
    fn alibi(&self, x: &[f64], run: &Filtered, source: usize) -> f64 {
        let n = self.nodes();
        let (_, draws) = self.statistic(run, source);
        let mut state = vec![Enclosed::ZERO; n];
        state[source] = Enclosed(1.0, 1.0);
        let mut total = 0.0_f64;
        for (t, wanted) in draws.iter().enumerate() {
            let variances = if t == 0 { &x[..n] } else { &x[n..] };
            for w in (0..n).filter(|w| !run.observers.contains(w)) {
                let variance = variances[w];
                let arrived = state[w];
                let taken = match run.senders.contains(&w) {
                    true => arrived,
                    false => {
                        let taken = variance * wanted[w];
                        Enclosed(taken, taken)
                    }
                };
                if taken.is_zero() {
                    continue;
                }
                state[w] = match run.senders.contains(&w) {
                    true => Enclosed::ZERO,
                    false => arrived.minus(taken),
                };
                total = (total + (taken.square_above() / variance).next_up()).next_up();
            }
            state = self.mixed_within(&state);
        }
        if total.is_nan() { f64::INFINITY } else { total }
    }

    /// Returns an enclosure of what a statistic loads on each draw, at the times 0 and later together (upper ends), and of its coefficient on the source's own draw (the lower end). Times and nodes of `values` are numbered together, `t n + w`; a node whose message
    /// the observers do not see is returned as an error.
    pub fn loads(
        &self,
        observers: &[usize],
        source: usize,
        values: &[(usize, i64)],
    ) -> Result<(Vec<f64>, f64), usize> {
        let n = self.nodes();
        let senders = self.senders(observers);
        let mut messages = vec![vec![Enclosed::ZERO; n]; self.steps];
        for &(at, value) in values {
            let (t, w) = (at / n, at % n);
            if t >= self.steps || !senders.contains(&w) || !messages[t][w].is_zero() {
                return Err(at);
            }
            messages[t][w] = Enclosed((value as f64).next_down(), (value as f64).next_up());
        }
        let mut loads = vec![0.0_f64; 2 * n];
        let mut state = vec![Enclosed::ZERO; n];
        for (t, message) in messages.into_iter().enumerate().rev() {
            state = self.mixed_within(&state);
            for (state, sent) in state.iter_mut().zip(message).filter(|(_, sent)| !sent.is_zero()) {
                *state = state.plus(sent);
            }
            observers.iter().for_each(|&v| state[v] = Enclosed::ZERO);
            let loads = if t == 0 { &mut loads[..n] } else { &mut loads[n..] };
            for (load, state) in loads.iter_mut().zip(&state).filter(|(_, x)| !x.is_zero()) {
                *load = (*load + state.square_above()).next_up();
            }
        }
        Ok((loads, state[source].0))
    }
}

/// Multiplies two numbers, outwards.
fn product(a: Enclosed, b: Enclosed) -> Enclosed {
    let ends = [a.0 * b.0, a.0 * b.1, a.1 * b.0, a.1 * b.1];
    let least = ends.into_iter().fold(f64::INFINITY, f64::min);
    let most = ends.into_iter().fold(f64::NEG_INFINITY, f64::max);
    Enclosed(least.next_down(), most.next_up())
}

/// Takes away what the messages tell about a state; what is seen is known.
fn correct(state: &mut [f64], gains: &[Vec<f64>], seen: &[f64], senders: &[usize]) {
    for (entry, gains) in state.iter_mut().zip(gains) {
        *entry -= dot(gains, seen);
    }
    senders.iter().for_each(|&w| state[w] = 0.0);
}

/// The lower factor of a covariance.
fn factored(mut m: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
    let largest = (0..m.len()).map(|k| m[k][k]).fold(0.0, f64::max);
    let least = (REGULARISED * largest).max(f64::MIN_POSITIVE);
    for i in 0..m.len() {
        for j in 0..=i {
            let rest = m[i][j] - dot(&m[i][..j], &m[j][..j]);
            m[i][j] = match i == j {
                true => rest.max(least).sqrt(),
                false => rest / m[j][j],
            };
        }
    }
    m
}

fn solved(factor: &[Vec<f64>], mut right: Vec<f64>) -> Vec<f64> {
    for i in 0..right.len() {
        right[i] = (right[i] - dot(&factor[i][..i], &right[..i])) / factor[i][i];
    }
    for i in (0..right.len()).rev() {
        let later = (i + 1..right.len()).map(|j| factor[j][i] * right[j]);
        right[i] = (right[i] - later.sum::<f64>()) / factor[i][i];
    }
    right
}
