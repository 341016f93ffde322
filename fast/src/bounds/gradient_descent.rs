//! The paper's bounds for Muffliato-GD (Algorithm 3), in units of L with the sensitivity of the
//! gradients.
//!
//! On a fixed network every term of the appendix's bound is a share of a power of W, and powers
//! repeat:
//!
//! ```text
//! W_j^k prod_{i=t}^{j-1} W_i^E = W^{k + (j-t) E} ,
//! ```
//!
//! with T - m pairs (t, j) of distance m = j - t. It is thus Theorem 1's sum with a multiplicity
//! for each power. On a changing network the message of w at step k of round j is propagated back
//! through the rounds (each `W_i` is symmetric), and its share is read at the start of every round
//! t <= j.

use super::{
    Accuracy, PaperBounds, Summed, Sums,
    lanes::{Lanes, WIDTH},
    sweep::{WAVE, in_waves, squares},
};
use crate::{Enclosure, FastError, checks, memory};
use muffliato_model::{Observer, Protocol};

/// Number of times that the general bound applies the matrix of a past round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RoundExponent {
    /// K - 1 times, as printed.
    AsPrinted,
    /// K times, as in the algorithm.
    Full,
}

impl PaperBounds<'_> {
    /// Encloses the bound of the main text (Theorem 6) for all sources, observers included: `T^2
    /// sum_{k<K} sum_{w in N(v)} (W^k)_{w,u}^2 / ||(W^k)_w||^2` for T rounds of K steps on one
    /// fixed network.
    ///
    /// # Errors
    /// For any other schedule.
    pub fn gd_simple_all(&self, observer: &Observer) -> Result<Vec<Enclosure>, FastError> {
        let rounds = self.steps.protocol().rounds() as u128;
        let times = rounds.saturating_mul(rounds) as f64;
        let counts = vec![times; self.steps.protocol().gossip_steps()];
        let mut sums = self.weighted_powers(observer, &counts, Summed::Shares)?;
        sums.precision = sums.precision.and(1);
        Ok(sums.enclose_all())
    }

    /// Encloses the bound of the appendix for all sources, observers included: `sum_t sum_{j>=t}
    /// sum_{k<K} sum_{w in N_j(v)}` of the squared share of u in row w of `W_j^k prod_{i=t}^{j-1}
    /// W_i^{K-1}`, later rounds on the left; also with K in place of K - 1.
    ///
    /// # Errors
    /// If the network changes within a round.
    pub fn gd_general_all(
        &self,
        observer: &Observer,
        exponent: RoundExponent,
    ) -> Result<Vec<Enclosure>, FastError> {
        let protocol = self.steps.protocol();
        one_network_a_round(protocol)?;
        let steps = protocol.gossip_steps();
        let exponent = match exponent {
            RoundExponent::AsPrinted => steps - 1,
            RoundExponent::Full => steps,
        };
        if self.steps.fixed().is_none() {
            return Ok(self.swept(observer, exponent)?.enclose_all());
        }
        let rounds = protocol.rounds();
        let highest = (rounds - 1).saturating_mul(exponent) + steps - 1;
        let counted = (highest as u128 + 1) * size_of::<f64>() as u128;
        let remedy = "raise the limit, or use fewer rounds";
        memory::check_within(counted, self.memory_limit, remedy)?;
        let mut counts = vec![0.0; highest + 1];
        for apart in 0..rounds {
            for k in 0..steps {
                counts[k + apart * exponent] += (rounds - apart) as f64;
            }
        }
        // Counts are exact below 2^53; beyond, sums have at most `rounds` roundings.
        let mut sums = self.weighted_powers(observer, &counts, Summed::Shares)?;
        if rounds > 1 << 26 {
            sums.precision = sums.precision.and(rounds);
        }
        Ok(sums.enclose_all())
    }

    /// Computes the general bound on a changing network.
    fn swept(&self, observer: &Observer, exponent: usize) -> Result<Sums, FastError> {
        let nodes = self.steps.nodes();
        observer.check(nodes)?;
        let protocol = self.steps.protocol();
        let (rounds, steps) = (protocol.rounds(), protocol.gossip_steps());
        let mut tasks = Vec::new();
        let (mut terms, mut sweeps) = (0.0, 0);
        for j in 0..rounds {
            let senders = self.steps.senders(j * steps, observer.members());
            for k in 0..steps {
                for block in senders.chunks(WIDTH) {
                    tasks.push((j, k, block.to_vec()));
                    sweeps += j + 1;
                }
            }
            terms += (steps * senders.len()) as f64 * (j + 1) as f64;
        }
        let bytes = nodes as u128 * (WAVE * (2 * size_of::<Lanes>() + 16)) as u128;
        self.allow(bytes)?;
        let values = in_waves(&tasks, nodes, self.watcher.0, |(j, k, senders)| {
            self.back_through_rounds(*j, *k, senders, exponent)
        })?;
        let accuracy = Accuracy::of_rounds(&self.steps, steps);
        let additions = Lanes::<WIDTH>::SUM_ROUNDINGS + sweeps;
        Ok(Sums {
            values,
            precision: accuracy.of(Summed::Shares, terms, additions),
            heard: self.heard(&accuracy, observer),
        })
    }

    fn back_through_rounds(
        &self,
        j: usize,
        k: usize,
        senders: &[usize],
        exponent: usize,
    ) -> Vec<f64> {
        let steps = self.steps.protocol().gossip_steps();
        let mut now = vec![Lanes::ZERO; self.steps.nodes()];
        let mut spare = now.clone();
        for (lane, &w) in senders.iter().enumerate() {
            now[w].0[lane] = 1.0;
        }
        let mut sums = vec![0.0; now.len()];
        for t in (0..=j).rev() {
            let times = if t == j { k } else { exponent };
            for _ in 0..times {
                self.steps.at(t * steps).mix(&mut now, &mut spare);
            }
            for (sum, share) in sums.iter_mut().zip(squares(&now, Summed::Shares)) {
                *sum += share;
            }
        }
        sums
    }

    /// Encloses the proposition on colluders with time-varying graphs: `2 sum_t ( beta_t + (1 -
    /// beta_t) K |N_t(V)| / (n - |N_t(V)|) )` over the rounds t, where `beta_t` is 1 if the source
    /// is a neighbour of the observers in round t, else 0. This is the formula as printed; losses
    /// can exceed it (see the ledger).
    pub fn time_varying_coalition_gd(
        &self,
        source: usize,
        observer: &Observer,
    ) -> Result<Enclosure, FastError> {
        let nodes = self.steps.nodes();
        self.check_sources(&[source], observer)?;
        let protocol = self.steps.protocol();
        one_network_a_round(protocol)?;
        let (rounds, steps) = (protocol.rounds(), protocol.gossip_steps());
        let mut sum = 0.0;
        for round in 0..rounds {
            let senders = self.steps.senders(round * steps, observer.members());
            sum += if senders.binary_search(&source).is_ok() {
                1.0
            } else {
                // The source is not a sender, so the denominator is positive.
                steps as f64 * senders.len() as f64 / (nodes - senders.len()) as f64
            };
        }
        let roundings = rounds as u64 + 3;
        Ok(Enclosure::around_with_loss(2.0 * sum, roundings, 0.0))
    }
}

/// Errors unless every round uses one network at all its steps, as the paper's bounds assume.
fn one_network_a_round(protocol: &Protocol) -> Result<(), FastError> {
    checks::applies(
        protocol.round_network(0).is_some(),
        "the bound for gradient descent",
        "it is about rounds of one network each; this protocol changes it within a round",
    )
}
