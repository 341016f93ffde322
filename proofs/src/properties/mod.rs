//! Properties, by topic. Each takes its size as a constant, so that a model checker sees arrays of
//! a fixed size.

pub(crate) mod absorption;
pub(crate) mod bounds;
pub(crate) mod certificate;
pub(crate) mod diagonal;
pub(crate) mod floats;
pub(crate) mod graph;
#[cfg_attr(not(any(test, kani_stand_in, feature = "floats")), allow(dead_code))]
pub(crate) mod kernels;
pub(crate) mod leakage;
pub(crate) mod matrices;
pub(crate) mod node;
pub(crate) mod noise;
pub(crate) mod places;
pub(crate) mod plans;
pub(crate) mod products;
pub(crate) mod readers;
pub(crate) mod sparse;
pub(crate) mod weights;
