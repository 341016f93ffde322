//! Error bounds of computed bounds.
//!
//! Everything is a sum of products and quotients of non-negative floats, so roundings are counted
//! (see [`Enclosure`]). With `k` roundings in the entries of a product of gossip matrices:
//!
//! | quantity | roundings |
//! | --- | --- |
//! | an entry x | k |
//! | `x^2` | 2k + 1 |
//! | the squared norm of a row, summed with c additions on any path | 2k + 1 + c |
//! | a share `x^2 / norm` (an inverse and a product) | 4k + c + 4 |
//!
//! Underflow: a product loses at most `2^-1075` beside its rounding. The rows of W sum to 1, so an
//! entry of `W_{0:t}` loses at most `e = t (d + 1) 2^-1075`, d the largest degree, up to a factor
//! `(1+u)^k`. As x <= 1, a square loses at most `2e + e^2 + 2^-1075 <= 4e`. A squared norm is at
//! least 1/n (Cauchy-Schwarz), so its loss `4ne` is less than one rounding, and a share loses at
//! most `4ne + 2^-1075 <= 5ne`. Nothing underflows if the smallest positive entry, a product of
//! weights, has a square above `2^-1000`.

use super::{Summed, steps::smallest_positive, streaming::norm_sums};
use crate::steps::Steps;
use crate::{Enclosure, SMALLEST, SparseWeights, UNIT_ROUNDOFF};

/// Accuracy of the entries of products of gossip matrices.
#[derive(Clone, Copy, Debug)]
pub(super) struct Accuracy {
    nodes: usize,
    /// k above.
    entry: u64,
    /// e above (rounded up twofold).
    underflow: f64,
}

/// Roundings and underflow loss of a result.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Precision {
    pub roundings: u64,
    pub lost: f64,
}

impl Accuracy {
    /// Returns the accuracy of the powers `W^t`, t <= `power`.
    pub fn of_powers(weights: &SparseWeights, power: usize) -> Self {
        let roundings = weights.step_roundings().saturating_mul(power as u64);
        let exponent = smallest_positive(weights).log2() * power as f64;
        Self::new(weights.nodes(), roundings, exponent, power, weights.max_degree() + 1)
    }

    /// Returns the accuracy of `W_{0:t}` for t < T, multiplied from the right (`forward`) or the
    /// left.
    pub fn of_steps(steps: &Steps, forward: bool) -> Self {
        if let Some(weights) = steps.fixed() {
            return Self::of_powers(weights, steps.count() - 1);
        }
        let products = steps.count() - 1;
        let mut counts = vec![0; steps.nodes()];
        let (mut exponent, mut length) = (0.0, 0);
        for place in 0..products {
            let t = if forward { place } else { products - 1 - place };
            let step = steps.at(t);
            step.add_roundings(&mut counts);
            exponent += step.smallest_positive().log2();
            length = length.max(step.row_length());
        }
        let roundings = counts.into_iter().max().unwrap_or(0);
        Self::new(steps.nodes(), roundings, exponent, products, length)
    }

    /// Returns the accuracy of products that apply each round's matrix at most `each` times.
    pub fn of_rounds(steps: &Steps, each: usize) -> Self {
        let protocol = steps.protocol();
        let (mut roundings, mut exponent, mut length) = (0_u64, 0.0, 0);
        for round in 0..protocol.rounds() {
            let step = steps.at(round * protocol.gossip_steps());
            let mut counts = vec![0; steps.nodes()];
            step.add_roundings(&mut counts);
            let most = counts.into_iter().max().unwrap_or(0);
            roundings = roundings.saturating_add(most.saturating_mul(each as u64));
            exponent += step.smallest_positive().log2() * each as f64;
            length = length.max(step.row_length());
        }
        let products = protocol.rounds().saturating_mul(each);
        Self::new(steps.nodes(), roundings, exponent, products, length)
    }

    fn new(nodes: usize, entry: u64, exponent: f64, products: usize, length: usize) -> Self {
        let underflow = if 2.0 * exponent >= -1000.0 {
            0.0
        } else {
            products as f64 * length as f64 * SMALLEST
        };
        Self { nodes, entry, underflow }
    }

    /// Returns `true` if a computed 0 is certainly an exact 0.
    pub fn zeros_are_exact(&self) -> bool {
        self.underflow == 0.0
    }

    /// Returns the precision of a sum of `terms` numbers after `sums` additions on any path.
    pub fn of(&self, what: Summed, terms: f64, sums: usize) -> Precision {
        match what {
            Summed::Shares => self.shares(terms, norm_sums(self.nodes), sums),
            Summed::Squares { .. } => self.squares(terms, sums + 1),
        }
    }

    /// Returns the precision of a sum of `terms` shares `x^2 / ||row||^2`: norms take `norm_sums`
    /// additions on any path, the shares `sums` additions or other roundings.
    pub fn shares(&self, terms: f64, norm_sums: usize, sums: usize) -> Precision {
        let nodes = self.nodes as f64;
        // Fails only for runs of more than 2^800 products.
        let negligible = 4.0 * nodes * nodes * self.underflow < UNIT_ROUNDOFF;
        let share = (4 * self.entry as u128 + norm_sums as u128 + 5 + sums as u128)
            .min(u64::MAX as u128) as u64;
        Precision {
            roundings: if negligible { share } else { u64::MAX },
            lost: 5.0 * nodes * terms * self.underflow,
        }
    }

    /// Returns the precision of a sum of `terms` squares after `sums` additions or other roundings.
    pub fn squares(&self, terms: f64, sums: usize) -> Precision {
        let roundings = 2 * self.entry as u128 + 1 + sums as u128;
        Precision {
            roundings: roundings.min(u64::MAX as u128) as u64,
            lost: 4.0 * terms * self.underflow,
        }
    }
}

impl Precision {
    pub fn enclose(&self, value: f64) -> Enclosure {
        Enclosure::around_with_loss(value, self.roundings, self.lost)
    }

    /// Adds `more` roundings.
    pub fn and(self, more: usize) -> Self {
        Self { roundings: self.roundings.saturating_add(more as u64), ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use muffliato_model::{GraphSpec, Network, Protocol, WeightScheme};

    #[test]
    fn the_table_above() {
        let accuracy = |underflow| Accuracy { nodes: 10, entry: 3, underflow };
        let precision = |roundings, lost| Precision { roundings, lost };
        assert_eq!(accuracy(0.0).shares(2.0, 7, 11), precision(4 * 3 + 7 + 5 + 11, 0.0));
        assert_eq!(accuracy(0.0).squares(2.0, 11), precision(2 * 3 + 1 + 11, 0.0));
        assert!(accuracy(0.0).zeros_are_exact() && !accuracy(SMALLEST).zeros_are_exact());
        let tiny = 2.0_f64.powi(-600);
        assert_eq!(accuracy(tiny).shares(2.0, 7, 11), precision(35, 5.0 * 10.0 * 2.0 * tiny));
        assert_eq!(accuracy(tiny).squares(2.0, 11), precision(18, 4.0 * 2.0 * tiny));
        // Nothing is known if 4 n^2 e exceeds one rounding.
        assert_eq!(accuracy(1e-15).shares(2.0, 7, 11).roundings, u64::MAX);
        assert_eq!(precision(18, 0.5).and(2), precision(20, 0.5));
    }

    #[test]
    fn products_underflow_only_where_weights_are_small() {
        let of = |steps| {
            let graph = "path:3".parse::<GraphSpec>().unwrap().build().unwrap();
            let network = Network::try_new(graph, WeightScheme::Metropolis).unwrap();
            Accuracy::of_powers(&SparseWeights::of_network(&network).unwrap(), steps)
        };
        // 3^-2t is above 2^-1000 up to t = 315.
        assert!(of(315).zeros_are_exact() && !of(316).zeros_are_exact());
        assert_eq!(of(316).underflow, 316.0 * 3.0 * SMALLEST);
        assert_eq!(of(316).entry, 316 * of(1).entry);
    }

    #[test]
    fn the_roundings_of_rounds_add_up() {
        let of = |specs: &[&str]| {
            let network = |spec: &&str| Network::metropolis(spec.parse().unwrap()).unwrap();
            let rounds = specs.iter().map(network).collect();
            let protocol = Protocol::gradient_descent_on(rounds, 3).unwrap();
            Accuracy::of_rounds(&Steps::of(&protocol).unwrap(), 3).entry
        };
        let (path, complete) = (of(&["path:6"]), of(&["complete:6"]));
        assert!(path < complete, "longer rows take more roundings");
        assert_eq!(of(&["path:6", "complete:6"]), path + complete);
        assert_eq!(of(&["complete:6", "path:6", "path:6"]), complete + 2 * path);
    }
}
