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
    Attack, ByVariance, Certificate, Entry, MaskEntry, Refusal,
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
    pub(crate) fn proved_by_attack(&self, attack: &Attack) -> Result<BigRational, Refusal> {
        let protocol = &self.protocol;
        self.check_work(1)?;
        let changes = self.changes(&attack.inputs)?;
        let mut messages = if self.observer.sees_sums() {
            self.summed(&attack.messages)?
        } else {
            once(&attack.messages, |_| true).map_err(not_seen)?
        };
        let mut known = self.known(attack)?;
        let reactions = Reactions::of(protocol)?;

        // Everything over one denominator, which grows with each step.
        let given = messages.values().chain(known.values());
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
            for node in protocol.step(t).senders_to(self.observer.members()) {
                if let Some(c) = messages.remove(&(t, node)) {
                    sent[node] += whole(&c);
                }
            }
            let over = |value: &BigInt| BigRational::new(value.clone(), denominator.clone());
            let round = t / protocol.gossip_steps();
            let masks = match protocol.masks() {
                Some(_) if protocol.has_input(t) => Some(self.mask_graph(round)?),
                _ => None,
            };
            let masks = masks.iter().flat_map(|graph| graph.edges());
            let masks = masks.map(|edge| Draw::Mask { time: t, edge });
            let own = (0..protocol.nodes()).filter(|_| protocol.draws(t));
            let own = own.map(|node| Draw::Own { time: t, node });
            let mut squares = ByVariance::default();
            for draw in own.chain(masks) {
                let mut times = known.remove(&draw).as_ref().map(whole).unwrap_or_default();
                for (node, added) in draw.enters() {
                    times = if added { times + &sent[node] } else { times - &sent[node] };
                }
                squares.add(protocol.variance(draw), &times * &times);
            }
            if protocol.has_input(t) {
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
        // What is left was not heard, or not drawn.
        let left = messages.into_keys().chain(known.keys().map(place));
        if let Some(place) = { left }.next() {
            return Err(not_seen(place));
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

    /// Returns the coefficients of draws that the observers know: their own, and the masks that they
    /// share.
    fn known(&self, attack: &Attack) -> Result<BTreeMap<Draw, BigRational>, Refusal> {
        let own = attack.own_noise.iter();
        let own = own.map(|&Entry { time, node, ref value }| (Draw::Own { time, node }, value));
        let masks = attack.masks.iter().map(|&MaskEntry { round, edge, ref value }| {
            let time = round.saturating_mul(self.protocol.gossip_steps());
            (Draw::Mask { time, edge }, value)
        });
        let mut known = BTreeMap::new();
        for (draw, value) in own.chain(masks) {
            let hidden = !draw.is_known_to(&self.observer);
            if hidden || known.insert(draw, value.clone()).is_some() {
                return Err(not_seen(place(&draw)));
            }
        }
        Ok(known)
    }
}

/// Returns the time of a draw, and its first node.
fn place(draw: &Draw) -> (usize, usize) {
    let (Draw::Own { time, node } | Draw::Mask { time, edge: (node, _) }) = *draw;
    (time, node)
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
