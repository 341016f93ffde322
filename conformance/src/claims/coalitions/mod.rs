//! Colluding observers: bounds, noise, dominating sets, random graphs.

pub(super) mod bounds;
pub(super) mod dominating;
pub(super) mod noise;
pub(super) mod random_graphs;
