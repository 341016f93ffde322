//! Synchronous gossip: Theorem 1, the mean loss, random walks, distance, convergence, Table 1, and
//! private graphs.

pub(super) mod convergence;
pub(super) mod distance;
pub(super) mod mean_loss;
pub(super) mod private_graphs;
pub(super) mod theorem_1;
pub(super) mod topologies;
pub(super) mod walks;
