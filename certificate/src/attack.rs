//! Lower bounds by attacks, for inputs that do not react.
//!
//! An attack is a statistic `sum c_i (what is seen)_i`. Its strength is the square of what the
//! change of inputs adds to it, divided by its variance: how often each draw enters it is found
//! backwards in time, for t = T - 1, ..., 0, exactly:
//!
//! ```text
//! weight_w   <- (W_t weight)_w, or g W_t weight and (1 - g) weight for the time before   (how often the state of w at t enters, by what follows)
//! messages:  weight_w <- weight_w + c of the message of w at t
//! at a draw: the draw of w enters weight_w times, and c of it more if the observers know it;  variance += s_w(t)^2 (times)^2
//! at inputs: the mask of the edge ab enters weight_a - weight_b times, and c of it more;  variance += kappa_ab^2 (times)^2
//!            signal += weight_u change_u;  before the input, weight_w <- factor_w weight_w, where nodes react linearly
//! ```
//!
//! The loss is at least `L signal^2 / variance`: the statistic is Gaussian with the same variance
//! under both inputs, its means differ by `signal Delta`, and a function of the view cannot tell
//! more than the view. For gradient descent this is the loss of constant gradients, which are among
//! all losses.

use crate::{
    ByVariance, Certificate, Entry, MaskEntry, Refusal,
    matrix::{Matrices, Reactions, check_bits, common_multiple},
    rules::step_back,
};
use muffliato_model::Draw;
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{Signed, Zero};
use std::collections::BTreeMap;

/// Numbers by time (or round) and node.
type Values = BTreeMap<(usize, usize), BigRational>;

impl Certificate {
    pub(crate) fn proved_by_attack(
        &self,
        inputs: &[Entry],
        messages: &[Entry],
        own_noise: &[Entry],
        shared: &[MaskEntry],
    ) -> Result<BigRational, Refusal> {
        let protocol = &self.protocol;
        self.check_work(1)?;
        let changes = self.changes(inputs)?;
        let messages =
            if self.observer.sees_sums() { self.summed(messages)? } else { self.heard(messages)? };
        let own_noise = self.known(own_noise)?;
        let shared = self.shared(shared)?;
        let reactions = Reactions::of(protocol)?;

        // Everything over one denominator, which grows with each step.
        let given = messages.values().chain(own_noise.values());
        let given = given.chain(shared.values());
        let mut denominator = common_multiple(given.map(|value| value.denom().clone()))?;
        let mut matrices = Matrices::of(protocol);
        let zeros = || vec![BigInt::zero(); protocol.nodes()];
        // What the state of the next time enters with, and what acceleration passes on to the time
        // before.
        let (mut weight, mut passed_on) = (zeros(), zeros());
        let (mut signal, mut variance) = (BigRational::zero(), BigRational::zero());
        for t in (0..protocol.steps()).rev() {
            let matrix = matrices.at(t)?;
            let mut sent = matrix.times(&weight);
            let first = t % protocol.gossip_steps() == 0;
            let g = protocol.acceleration().filter(|_| !first);
            let g = g.map(|g| (BigInt::from(g.numerator()), BigInt::from(g.denominator())));
            let g = g.as_ref().map(|(above, below)| (above, below));
            let scale = step_back(&mut sent, &weight, &mut passed_on, &matrix.denominator, g);
            denominator *= &scale;
            check_bits(denominator.bits())?;
            let whole = |c: &BigRational| c.numer() * (&denominator / c.denom());
            for ((_, node), c) in messages.range((t, 0)..(t + 1, 0)) {
                sent[*node] += whole(c);
            }
            let over = |value: &BigInt| BigRational::new(value.clone(), denominator.clone());
            let mut squares = ByVariance::default();
            if protocol.draws(t) {
                for (node, times) in sent.iter().enumerate() {
                    let times = times + own_noise.get(&(t, node)).map(whole).unwrap_or_default();
                    squares.add(protocol.variance(Draw::Own { time: t, node }), &times * &times);
                }
            }
            if protocol.has_input(t) {
                let round = t / protocol.gossip_steps();
                if protocol.masks().is_some() {
                    for (a, b) in self.mask_graph(round)?.edges() {
                        let known = shared.get(&(round, a, b)).map(whole).unwrap_or_default();
                        let times = &sent[a] - &sent[b] + known;
                        let size = protocol.variance(Draw::Mask { time: t, edge: (a, b) });
                        squares.add(size, &times * &times);
                    }
                }
                for ((_, node), change) in changes.range((round, 0)..(round + 1, 0)) {
                    signal += over(&sent[*node]) * change;
                }
            }
            variance += squares.weighted() / (&denominator * &denominator);
            if protocol.has_input(t) {
                reactions.apply(&mut sent);
                denominator *= &reactions.denominator;
            }
            weight = sent;
        }
        // An attack that uses nothing proves nothing.
        if variance.is_zero() {
            return Ok(BigRational::zero());
        }
        Ok(&signal * &signal / variance)
    }

    /// Returns the changes of inputs by round and node: of sources, by at most 1, each source in
    /// the rounds of one phase.
    fn changes(&self, inputs: &[Entry]) -> Result<Values, Refusal> {
        let mut phases = BTreeMap::new();
        let changes = once(inputs, |Entry { time: round, node, value }| {
            let phase = round % self.protocol.period();
            let in_phase = *phases.entry(*node).or_insert(phase) == phase;
            let small = value.numer().abs() <= *value.denom();
            *round < self.protocol.rounds() && in_phase && small && self.sources.contains(node)
        });
        changes.map_err(|(round, node)| Refusal::NoInput { round, node })
    }

    /// Returns the coefficients of messages that reach an observer.
    fn heard(&self, messages: &[Entry]) -> Result<Values, Refusal> {
        let mut senders = (usize::MAX, Vec::new());
        let heard = once(messages, |Entry { time, node, .. }| {
            if *time < self.protocol.steps() && senders.0 != *time {
                senders = (*time, self.protocol.step(*time).senders_to(self.observer.members()));
            }
            senders.0 == *time && senders.1.binary_search(node).is_ok()
        });
        heard.map_err(not_seen)
    }

    /// Returns the coefficients of messages in the sums that observers learn: `W_vw` times that of
    /// the sum of v, for each w outside.
    fn summed(&self, sums: &[Entry]) -> Result<Values, Refusal> {
        let seen =
            |sum: &Entry| sum.time < self.protocol.steps() && self.observer.contains(sum.node);
        let mut matrices = Matrices::of(&self.protocol);
        let mut coefficients = Values::new();
        for ((time, node), value) in once(sums, seen).map_err(not_seen)? {
            let matrix = matrices.at(time)?;
            for (sender, weight) in &matrix.rows[node] {
                let sender = *sender as usize;
                if !self.observer.contains(sender) {
                    let weight = BigRational::new(weight.clone(), matrix.denominator.clone());
                    *coefficients.entry((time, sender)).or_default() += weight * &value;
                }
            }
        }
        Ok(coefficients)
    }

    /// Returns the coefficients of draws that the observers know.
    fn known(&self, draws: &[Entry]) -> Result<Values, Refusal> {
        let known = |Entry { time, node, .. }: &Entry| {
            let drawn = *time < self.protocol.steps() && self.protocol.draws(*time);
            drawn && self.observer.knows_own_noise() && self.observer.contains(*node)
        };
        once(draws, known).map_err(not_seen)
    }

    /// Returns the coefficients of masks that an observer shares, by round and edge.
    fn shared(
        &self,
        masks: &[MaskEntry],
    ) -> Result<BTreeMap<(usize, usize, usize), BigRational>, Refusal> {
        let mut sorted: Vec<&MaskEntry> = masks.iter().collect();
        sorted.sort_by_key(|entry| (entry.round, entry.edge));
        let mut coefficients = BTreeMap::new();
        let mut graph = None;
        for MaskEntry { round, edge, value } in sorted {
            let (round, (a, b)) = (*round, *edge);
            let known = self.observer.contains(a) || self.observer.contains(b);
            let possible = known && round < self.protocol.rounds();
            let possible = possible && a < b && b < self.protocol.nodes();
            if possible && graph.as_ref().is_none_or(|(of, _)| *of != round) {
                graph = Some((round, self.mask_graph(round)?));
            }
            let drawn = possible && graph.as_ref().is_some_and(|(_, graph)| graph.has_edge(a, b));
            if !drawn || coefficients.insert((round, a, b), value.clone()).is_some() {
                let time = round.saturating_mul(self.protocol.gossip_steps());
                return Err(Refusal::NotSeen { time, node: a });
            }
        }
        Ok(coefficients)
    }
}

/// Returns entries by time and node, or the place of one that is not `allowed` or given twice.
fn once(
    entries: &[Entry],
    mut allowed: impl FnMut(&Entry) -> bool,
) -> Result<Values, (usize, usize)> {
    let mut sorted: Vec<&Entry> = entries.iter().collect();
    sorted.sort_by_key(|entry| (entry.time, entry.node));
    let mut values = Values::new();
    for entry in sorted {
        let place = (entry.time, entry.node);
        if !allowed(entry) || values.insert(place, entry.value.clone()).is_some() {
            return Err(place);
        }
    }
    Ok(values)
}

fn not_seen((time, node): (usize, usize)) -> Refusal {
    Refusal::NotSeen { time, node }
}
