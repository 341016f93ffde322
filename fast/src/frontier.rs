//! The support of powers of a gossip matrix: `(W^t)_{v,w} = 0` unless dist(v, w) <= t (trusted).

use crate::{SparseWeights, arithmetic::Real};

/// The nodes within a growing distance of some starting nodes, sorted by distance.
#[derive(Clone, Debug, Default)]
pub(crate) struct Frontier {
    reached: Vec<bool>,
    order: Vec<u32>,
    /// Index in `order` at which the last distance begins.
    last: usize,
}

impl Frontier {
    /// Restarts with the starting nodes, at distance 0.
    pub fn restart(&mut self, nodes: usize, starts: &[u32]) {
        for &v in &self.order {
            self.reached[v as usize] = false;
        }
        self.reached.resize(nodes, false);
        self.order.clear();
        for &start in starts {
            self.reach(start);
        }
        self.last = 0;
    }

    fn reach(&mut self, v: u32) {
        if !std::mem::replace(&mut self.reached[v as usize], true) {
            self.order.push(v);
        }
    }

    /// Extends the distance by 1.
    pub fn grow<N: Real>(&mut self, weights: &SparseWeights<N>) {
        let end = self.order.len();
        for place in self.last..end {
            for &w in weights.row(self.order[place] as usize).0 {
                self.reach(w);
            }
        }
        self.last = end;
    }

    /// Returns the nodes reached so far.
    pub fn nodes(&self) -> &[u32] {
        &self.order
    }
}
