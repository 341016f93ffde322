//! Gossip matrices of a protocol, step by step, acting on blocks of vectors; and the support of
//! their powers: `(W^t)_{v,w} = 0` unless dist(v, w) <= t.

use super::lanes::{Lanes, mixed_row, vectorized};
use crate::{FastError, SparseWeights};
use muffliato_model::{Protocol, Schedule, Step};

/// A protocol with its gossip matrices as floats.
#[derive(Clone, Debug)]
pub(crate) struct Steps {
    protocol: Protocol,
    /// One matrix for each network of the schedule, with its non-isolated nodes; none for a
    /// sequence of edges.
    matrices: Vec<(SparseWeights, Vec<u32>)>,
}

/// The gossip matrix of one step.
#[derive(Clone, Copy, Debug)]
pub(crate) enum StepMatrix<'a> {
    /// A network's matrix, with the non-isolated nodes in increasing order.
    Network(&'a SparseWeights, &'a [u32]),
    /// Two nodes that average.
    Average(usize, usize),
}

impl Steps {
    pub fn of(protocol: &Protocol) -> Result<Self, FastError> {
        let networks = match protocol.schedule() {
            Schedule::Fixed(network) => std::slice::from_ref(network),
            Schedule::Varying { networks, .. } => networks,
            Schedule::EdgeSequence { .. } => &[],
            _ => {
                return Err(FastError::NotApplicable {
                    formula: "the fast engine",
                    reason: "it does not know this kind of schedule",
                });
            }
        };
        let matrix = |network| {
            let weights = SparseWeights::of_network(network)?;
            let busy = |&v: &u32| !weights.row(v as usize).0.is_empty();
            let busy = (0..weights.nodes() as u32).filter(busy).collect();
            Ok((weights, busy))
        };
        let matrices = networks.iter().map(matrix);
        Ok(Self {
            protocol: protocol.clone(),
            matrices: matrices.collect::<Result<_, FastError>>()?,
        })
    }

    pub fn protocol(&self) -> &Protocol {
        &self.protocol
    }

    pub fn nodes(&self) -> usize {
        self.protocol.nodes()
    }

    pub fn count(&self) -> usize {
        self.protocol.steps()
    }

    /// Returns the matrix of a protocol that uses the same at every step.
    pub fn fixed(&self) -> Option<&SparseWeights> {
        match self.protocol.schedule() {
            Schedule::Fixed(_) => self.matrices.first().map(|(weights, _)| weights),
            _ => None,
        }
    }

    /// Returns the matrices of all networks of the schedule.
    #[cfg(feature = "leakage")]
    pub fn networks(&self) -> impl Iterator<Item = &SparseWeights> {
        self.matrices.iter().map(|(weights, _)| weights)
    }

    /// Returns the index of the network of step t.
    pub fn place(&self, t: usize) -> usize {
        match self.protocol.schedule() {
            Schedule::Varying { each, .. } => (t / each).min(self.matrices.len() - 1),
            _ => 0,
        }
    }

    /// Returns the matrix `W_t`.
    pub fn at(&self, t: usize) -> StepMatrix<'_> {
        if let Step::EdgeAverage { edge: (u, v), .. } = self.protocol.step(t) {
            return StepMatrix::Average(u, v);
        }
        let (weights, busy) = &self.matrices[self.place(t)];
        StepMatrix::Network(weights, busy)
    }

    /// Returns `N_t(V)`, in increasing order.
    pub fn senders(&self, t: usize, members: &[usize]) -> Vec<usize> {
        self.protocol.step(t).senders_to(members)
    }
}

impl StepMatrix<'_> {
    /// Computes `x <- W x`; `spare` is scratch space of the same length.
    pub fn mix<const N: usize>(&self, x: &mut Vec<Lanes<N>>, spare: &mut Vec<Lanes<N>>) {
        match *self {
            StepMatrix::Network(weights, busy) => {
                vectorized(
                    #[inline(always)]
                    || {
                        for (&v, out) in busy.iter().zip(spare.iter_mut()) {
                            *out = mixed_row(weights, x, v as usize);
                        }
                    },
                );
                if busy.len() == x.len() {
                    return std::mem::swap(x, spare);
                }
                for (&v, &mixed) in busy.iter().zip(spare.iter()) {
                    x[v as usize] = mixed;
                }
            }
            StepMatrix::Average(u, v) => {
                let mut mean = x[u];
                mean.add(&x[v]);
                let mean = mean.scaled(0.5);
                (x[u], x[v]) = (mean, mean);
            }
        }
    }

    /// Adds to each node's count the roundings of this step, for entries of a non-negative vector.
    pub fn add_roundings(&self, counts: &mut Vec<u64>) {
        match *self {
            StepMatrix::Average(u, v) => {
                let both = counts[u].max(counts[v]) + 1;
                (counts[u], counts[v]) = (both, both);
            }
            StepMatrix::Network(weights, _) => {
                let count = |v: usize| {
                    let around = weights.row(v).0.iter().map(|&w| counts[w as usize]);
                    around.fold(counts[v], u64::max) + weights.row_roundings(v)
                };
                *counts = (0..counts.len()).map(count).collect();
            }
        }
    }

    /// Returns the largest number of products summed into one entry.
    pub fn row_length(&self) -> usize {
        match self {
            StepMatrix::Network(weights, _) => weights.max_degree() + 1,
            StepMatrix::Average(..) => 2,
        }
    }

    pub fn smallest_positive(&self) -> f64 {
        match self {
            StepMatrix::Network(weights, _) => weights.smallest_positive(),
            StepMatrix::Average(..) => 0.5,
        }
    }
}

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
    pub fn grow(&mut self, weights: &SparseWeights) {
        let end = self.order.len();
        for place in self.last..end {
            for &w in weights.row(self.order[place] as usize).0 {
                self.reach(w);
            }
        }
        self.last = end;
    }

    /// Extends to this distance, or to all reachable nodes; returns the numbers of nodes within 0,
    /// 1, 2, ...
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

    /// Returns the nodes reached so far.
    pub fn nodes(&self) -> &[u32] {
        &self.order
    }
}
