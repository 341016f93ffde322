//! Corollary 1: the loss by a random walk.
//!
//! W is symmetric, so the probabilities `P(X^t in V | X^0 = u)` of all u form one vector, `W^t
//! 1_V`.

use super::{PaperBounds, Sums, accuracy::Accuracy};
use crate::{Enclosure, FastError, memory};
use muffliato_model::Observer;

impl PaperBounds<'_> {
    /// Encloses Corollary 1, and its form for coalitions: `n * max_{v in V, w in N(v) \ V}
    /// W_{v,w}^{-2} * sum_{t=1..T} P(X^t in V | X^0 = u)^2`.
    ///
    /// # Errors
    /// Unless the protocol has one round on one fixed network; if an observer has no neighbour
    /// outside or an edge of weight 0 to one; if the source observes.
    pub fn random_walk(&self, source: usize, observer: &Observer) -> Result<Enclosure, FastError> {
        self.check_sources(&[source], observer)?;
        Ok(self.random_walk_all(observer)?[source])
    }

    /// Encloses [`PaperBounds::random_walk`] for all sources, observers included, in time `T |E|`.
    pub fn random_walk_all(&self, observer: &Observer) -> Result<Vec<Enclosure>, FastError> {
        let (nodes, count) = (self.steps.nodes(), self.steps.count());
        observer.check(nodes)?;
        let fixed = self.steps.fixed();
        let weights = fixed.filter(|_| self.steps.protocol().rounds() == 1);
        let weights = weights.ok_or(FastError::NotApplicable {
            formula: "the random-walk bound (Corollary 1)",
            reason: "it is stated for one round on one fixed network",
        })?;
        let mut smallest = f64::INFINITY;
        for &member in observer.members() {
            let (neighbours, values) = weights.row(member);
            for (&w, &weight) in neighbours.iter().zip(values) {
                if observer.contains(w as usize) {
                    continue;
                }
                if weight == 0.0 {
                    return Err(FastError::ZeroWeight { u: member, v: w as usize });
                }
                smallest = smallest.min(weight);
            }
        }
        if smallest == f64::INFINITY {
            return Err(FastError::NoNeighbour { observer: observer.to_string() });
        }

        memory::check_within(nodes as u128 * 40, self.memory_limit, "raise the limit")?;
        let mut now = vec![0.0; nodes];
        for &member in observer.members() {
            now[member] = 1.0;
        }
        let mut next = vec![0.0; nodes];
        let mut hits = vec![0.0; nodes];
        for t in 0..count {
            self.watcher.0.check(t, count)?;
            weights.apply(&now, 1, &mut next)?;
            std::mem::swap(&mut now, &mut next);
            for (hits, probability) in hits.iter_mut().zip(&now) {
                *hits += probability * probability;
            }
        }
        self.watcher.0.check(count, count)?;

        let accuracy = Accuracy::of_powers(weights, count);
        let factor = nodes as f64 / (smallest * smallest);
        let mut precision = accuracy.squares(count as f64, count);
        // The squared weight, the quotient, and the product with the sum.
        precision = precision.and(2 * weights.roundings() as usize + 3);
        precision.lost *= 2.0 * factor;
        let sums = Sums {
            values: hits.into_iter().map(|hits| factor * hits).collect(),
            precision,
            heard: self.heard(&accuracy, observer),
        };
        Ok(sums.enclose_all())
    }
}
