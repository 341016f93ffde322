//! From above: certified losses of a plan.
//!
//! With `M = diag(s^2) + L_{kappa^2, H - V}` and any y the loss of u is at most
//!
//! ```text
//! 2 y_u - y^T M y + sum_w (e_u - M y)_w^2 / s_w^2
//! ```
//!
//! because the residual q = e_u - M y gives `l = 2 y_u - y^T M y + q^T M^-1 q`, and `M >= diag(s^2)`. The solver's inverse gives y; this module evaluates the bound with directed rounding, so nothing about y is trusted. Losses fall in every
//! variance, so variances are rounded down.

use crate::solve::Programme;

/// An enclosure; every operation rounds outwards.
#[derive(Clone, Copy, Debug)]
pub struct Enclosed(pub f64, pub f64);

impl Enclosed {
    /// The number 0.
    pub const ZERO: Self = Self(0.0, 0.0);

    /// Returns `true` if the number is known to be 0.
    pub fn is_zero(self) -> bool {
        self.0 == 0.0 && self.1 == 0.0
    }

    /// Subtracts another number.
    pub fn minus(self, other: Self) -> Self {
        Self((self.0 - other.1).next_down(), (self.1 - other.0).next_up())
    }

    /// Adds another number.
    pub fn plus(self, other: Self) -> Self {
        Self((self.0 + other.0).next_down(), (self.1 + other.1).next_up())
    }

    /// Multiplies by a number that is not negative.
    pub fn times(self, factor: f64) -> Self {
        Self((self.0 * factor).next_down(), (self.1 * factor).next_up())
    }

    /// Returns a lower end of the square.
    pub fn square_below(self) -> f64 {
        let least = self.0.max(-self.1).max(0.0);
        (least * least).next_down().max(0.0)
    }

    /// Returns an upper end of the square.
    pub fn square_above(self) -> f64 {
        let most = self.0.abs().max(self.1.abs());
        (most * most).next_up()
    }
}

impl Programme {
    /// Returns an upper bound on the loss of every node for the observers (or missing nodes) removed; 0 for those removed. It is infinite where nothing is proved, and where every variance of a component is 0.
    /// `variances` of the nodes and then of the edges are the plan's, rounded down.
    pub fn certified_losses(&self, variances: &[f64], removed: &[usize]) -> Vec<f64> {
        if let Some(gossip) = &self.gossip {
            return gossip.certified_losses(variances, removed);
        }
        let n = self.nodes;
        let inverse = self.inverse(variances, removed);
        let loss = |u: usize| match removed.contains(&u) {
            true => 0.0,
            false => self.certified_loss(variances, removed, u, &inverse[u * n..(u + 1) * n]),
        };
        (0..n).map(loss).collect()
    }

    fn certified_loss(&self, variances: &[f64], removed: &[usize], u: usize, y: &[f64]) -> f64 {
        let (nodes, masks) = variances.split_at(self.nodes);
        let exact = |x: f64| Enclosed(x, x);
        let mut form = 0.0_f64; // y^T M y, from below
        let mut residual: Vec<Enclosed> = Vec::with_capacity(self.nodes);
        for (w, (&s, &y)) in nodes.iter().zip(y).enumerate() {
            let signal = exact(if w == u { 1.0 } else { 0.0 });
            residual.push(if s == 0.0 || y == 0.0 {
                signal
            } else {
                signal.minus(exact(y).times(s))
            });
            form = (form + (s * exact(y).square_below()).next_down().max(0.0)).next_down();
        }
        for (&(a, b), &k) in self.edges.iter().zip(masks) {
            if k == 0.0 || removed.contains(&a) || removed.contains(&b) || y[a] == y[b] {
                continue;
            }
            let difference = exact(y[a]).minus(exact(y[b]));
            form = (form + (k * difference.square_below()).next_down().max(0.0)).next_down();
            let flow = difference.times(k);
            residual[a] = residual[a].minus(flow);
            residual[b] = residual[b].plus(flow);
        }
        let mut bound = (2.0 * y[u] - form).next_up();
        for (w, residual) in residual.iter().enumerate() {
            if residual.is_zero() {
                continue;
            }
            let cost = (residual.square_above() / nodes[w]).next_up();
            bound = (bound + cost).next_up();
        }
        if bound > 0.0 { bound } else { f64::INFINITY }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two nodes with noise a and b and a mask k: node 0 loses (b + k) / (ab + ak + bk).
    #[test]
    fn any_trial_gives_an_upper_bound() {
        let pair = Programme {
            nodes: 2,
            edges: vec![(0, 1)],
            gossip: None,
            cost: vec![],
            observers: vec![],
            targets: vec![],
        };
        for [a, b, k] in [[0.25, 1.0, 0.0], [0.25, 0.5, 8.0], [3.0, 0.125, 2.0]] {
            let exact = (b + k) / (a * b + a * k + b * k);
            let certified = pair.certified_losses(&[a, b, k], &[])[0];
            assert!(certified >= exact && certified <= exact * (1.0 + 1e-12));
            for step in 0..100 {
                let y = [f64::from(step % 10) / 2.0, f64::from(step / 10) / 2.0];
                let bound = pair.certified_loss(&[a, b, k], &[], 0, &y);
                assert!(bound >= exact * (1.0 - 1e-14), "{a} {b} {k} {y:?}: {bound} {exact}");
            }
        }
        assert_eq!(pair.certified_losses(&[0.0, 0.0, 1.0], &[])[0], f64::INFINITY);
    }
}
