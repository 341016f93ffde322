//! Gossip matrices of a protocol, step by step (trusted).

use crate::{FastError, SparseWeights, arithmetic::Real};
use muffliato_model::{Protocol, Schedule, Step};

/// A protocol with its gossip matrices as floats.
#[derive(Clone, Debug)]
pub(crate) struct Steps<N = f64> {
    protocol: Protocol,
    /// One matrix for each network of the schedule, with its non-isolated nodes; none for a
    /// sequence of edges.
    matrices: Vec<(SparseWeights<N>, Vec<u32>)>,
}

/// The gossip matrix of one step.
#[derive(Clone, Copy, Debug)]
pub(crate) enum StepMatrix<'a, N = f64> {
    /// A network's matrix, with the non-isolated nodes in increasing order.
    Network(&'a SparseWeights<N>, &'a [u32]),
    /// Two nodes that average.
    Average(usize, usize),
}

impl<N: Real> Steps<N> {
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
            let weights = SparseWeights::of(network)?;
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
    pub fn fixed(&self) -> Option<&SparseWeights<N>> {
        match self.protocol.schedule() {
            Schedule::Fixed(_) => self.matrices.first().map(|(weights, _)| weights),
            _ => None,
        }
    }

    /// Returns the matrices of all networks of the schedule.
    pub fn networks(&self) -> impl Iterator<Item = &SparseWeights<N>> {
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
    pub fn at(&self, t: usize) -> StepMatrix<'_, N> {
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

    /// Returns the most roundings that a step adds to an entry of a non-negative vector.
    pub fn roundings(&self) -> u64 {
        self.networks().map(SparseWeights::step_roundings).max().unwrap_or(2)
    }

    /// Computes `W_t x` for a block of `width` vectors, stored node by node; of one vector, if two
    /// nodes average.
    pub fn mixed(&self, t: usize, x: &[N], width: usize) -> Vec<N> {
        match self.at(t) {
            StepMatrix::Network(weights, _) => {
                let mut out = vec![N::default(); x.len()];
                weights.multiply(x, width, &mut out);
                out
            }
            StepMatrix::Average(u, v) => {
                debug_assert_eq!(width, 1);
                let mut out = x.to_vec();
                let middle = (x[u] + x[v]) * N::of(0.5);
                (out[u], out[v]) = (middle, middle);
                out
            }
        }
    }
}

impl<N: Real> StepMatrix<'_, N> {
    /// Returns the weights of row v off the diagonal, by increasing node, and their roundings.
    pub fn weights_of(&self, v: usize) -> (Vec<(usize, N)>, u64) {
        match *self {
            StepMatrix::Network(weights, _) => {
                let (columns, values) = weights.row(v);
                let nodes = columns.iter().map(|&w| w as usize);
                (nodes.zip(values.iter().copied()).collect(), weights.roundings())
            }
            StepMatrix::Average(a, b) if a == v || b == v => (vec![(a + b - v, N::of(0.5))], 0),
            StepMatrix::Average(..) => (Vec::new(), 0),
        }
    }
}
