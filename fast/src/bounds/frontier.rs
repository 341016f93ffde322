//! Where a power of W can be different from zero: `(W^t)_{v,w} = 0` unless dist(v, w) <= t.
//!
//! While few nodes are reached, a step visits only these; the rest of its vectors stays zero.

use crate::SparseWeights;

/// The nodes within a growing distance of some starting nodes, in the order of their distance.
#[derive(Clone, Debug, Default)]
pub(crate) struct Frontier {
    reached: Vec<bool>,
    order: Vec<u32>,
    /// Where in `order` the last distance begins.
    last: usize,
}

impl Frontier {
    /// Begins anew with the starting nodes, at distance 0.
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

    /// One step further.
    pub fn grow(&mut self, weights: &SparseWeights) {
        let end = self.order.len();
        for place in self.last..end {
            for &w in weights.row(self.order[place] as usize).0 {
                self.reach(w);
            }
        }
        self.last = end;
    }

    /// Goes to this distance from the start, or as far as there are nodes; how many nodes are within 0, 1, 2, ...
    pub fn grow_to(&mut self, distance: usize, weights: &SparseWeights) -> Vec<usize> {
        let mut within = vec![self.order.len()];
        for before in 0..distance {
            self.grow(weights);
            if self.order.len() == within[before] {
                break;
            }
            within.push(self.order.len());
        }
        within
    }

    /// The nodes reached so far.
    pub fn nodes(&self) -> &[u32] {
        &self.order
    }
}
